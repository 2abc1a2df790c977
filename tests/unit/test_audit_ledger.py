"""The ledger of both papers: what its arithmetic finds, and that it finds what is planted."""

from __future__ import annotations

import csv
import io
import random
import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from babelmath.audit.arithmetic import Finding, audit_arithmetic, inferred, verdict_of
from babelmath.audit.claims import Claim, load_claims
from babelmath.audit.syntax import parse_check, references
from babelmath.files import read_text, write_text


@pytest.fixture(scope="module")
def path(repository) -> Path:
    return repository / "config" / "printed" / "claims.csv"


@pytest.fixture(scope="module")
def claims(path) -> dict[str, Claim]:
    return load_claims(path)


@pytest.fixture(scope="module")
def findings(claims) -> list[Finding]:
    return audit_arithmetic(claims)


def of(findings: list[Finding], claim: str) -> list[Finding]:
    return [one for one in findings if one.claim == claim]


def failed(findings: list[Finding]) -> set[tuple[str, str, str]]:
    return {(one.claim, one.check, one.verdict) for one in findings if one.failed}


def test_the_ledger_loads(claims):
    assert len(claims) > 1_700
    assert Counter(claim.paper for claim in claims.values()).keys() == {"mathmist", "mmath"}


def test_the_audit_has_one_finding_a_check(claims, findings):
    expected = [(claim.id, check) for claim in claims.values() for check in claim.checks]
    assert [(one.claim, one.check) for one in findings] == expected


def test_every_subset_cell_of_mmath_is_a_share_of_whole_answers(findings):
    shares = [one for one in findings if re.match(r"t1[34]\.", one.claim) and one.check == "k/n"]
    assert len({one.claim for one in shares}) == len(shares) == 520
    assert {one.verdict for one in shares} == {"consistent"}


@pytest.mark.parametrize("table", ["t2", "t5", "t7", "t13", "t14"])
def test_mmaths_tables_agree_within_rounding(findings, table):
    checks = [one for one in findings if one.claim.startswith(f"{table}.")]
    assert len(checks) >= 44
    assert [one for one in checks if one.failed] == []


def test_table_2_follows_from_table_13(claims):
    for claim in claims.values():
        if claim.id.startswith("t2."):
            assert claim.id.replace("t2.", "t13.mmath.") in claim.checks


def test_nine_proportions_contradict_their_counts(findings):
    wrong = [one for one in findings if one.claim.startswith("comp.") and one.failed]
    assert len({one.claim for one in wrong}) == len(wrong) == 9
    assert {one.verdict for one in wrong} == {"contradicts"}
    assert all(one.claim.endswith(".share") for one in wrong)


PROOF_CHANGE = "zck.gemini.bn.cot.proof - zck.gemini.bn.zs.proof"


@pytest.mark.parametrize(
    ("claim", "verdict", "failing"),
    [
        ("zc.gemini.bn.cot", "unattainable", {"k/n"}),
        ("zck.gemini.bn.cot.overall", "unattainable", {"k/n", "kinds"}),
        ("zc.gpt_oss.bn.cot", "contradicts", {"cs.gpt_oss.bn.en.overall"}),
        ("zck.gpt_oss.bn.cot.overall", "contradicts", {"kinds", "cs.gpt_oss.bn.en.overall"}),
        ("zck.gemini.bn.delta.proof", "contradicts", {PROOF_CHANGE}),
        ("zck.qwen.bn.cot.overall", "consistent", set()),
    ],
)
def test_what_is_known_of_the_chain_of_thought_tables(findings, claim, verdict, failing):
    own = of(findings, claim)
    assert verdict_of(own) == verdict
    checks = {one.check for one in own if one.failed}
    assert {"kinds" if check.startswith("(843*") else check for check in checks} == failing


def test_the_neighbours_of_an_unattainable_share_are_named(findings):
    notes = {one.note for one in findings if one.verdict == "unattainable"}
    assert notes == {"1031/1445 = 71.35, 1032/1445 = 71.42"}


def test_the_sign_slip_is_named(findings):
    (slip,) = [one for one in findings if one.note == "sign differs"]
    assert slip.claim == "zck.gemini.bn.delta.proof"
    assert slip.expected == Fraction("0.32")


def test_table_4_counts_aime2024_alone(findings):
    (table4,) = inferred(findings)
    assert table4.where == "table4"
    assert table4.candidates == ("aime2024", "aime2025", "cnmo", "math500", "mmath")
    assert table4.fitting == ("aime2024",)
    assert table4.claims == 9


def plus(step: str) -> Callable[[str], str]:
    """A printed number moved by a step, with its own decimals."""
    return lambda printed: str(Decimal(printed) + Decimal(step))


LANGUAGE = "(en|zh|ar|es|fr|ja|ko|pt|th|vi)"
PLANTS = {  # what is planted: which cells, and how one of them is changed
    "unattainable digits in table 13": (rf"t13\.(?!mmath).*\.{LANGUAGE}", plus("0.04")),
    "unattainable digits in table 14": (rf"t14\.(?!mmath).*\.{LANGUAGE}", plus("0.04")),
    "a cell of table 2": (rf"t2\..*\.{LANGUAGE}", plus("0.05")),
    "a plain cell of table 5": (rf"t5\..*\.native\.{LANGUAGE}", plus("-0.05")),
    "a cell of table 7": (rf"t7\..*\.{LANGUAGE}", plus("0.05")),
    "a macro average of table 13": (rf"t13\.mmath\..*\.{LANGUAGE}", plus("0.05")),
    "AVG of table 13": (r"t13\..*\.avg", plus("0.10")),
    "AVG of table 14": (r"t14\..*\.avg", plus("-0.10")),
    "AVG of table 4": (r"t4\..*\.avg", plus("2")),
    "a multiple-choice overall": (r"mcq\..*\.overall", plus("0.35")),
    "a zero-shot overall": (r"zck\..*\.zs\.overall", plus("-0.30")),
    "a difference of kinds": (r"zck\..*\.delta\.\w+", plus("0.20")),
    "a difference of reasoning languages": (r"cs\..*\.delta\.\w+", plus("-0.20")),
    "a corpus count": (r"corpus\.(numerical|symbolic|proof)\.\w+", plus("1")),
    "a composition count": (r"comp\.\w+\.\w+\.(bangla|english|chinese|mixed)\.count", plus("1")),
    "a combination count": (r"comp\..*\.mix\.\w+\.count", plus("1")),
    "a proportion": (r"comp\..*\.share", plus("0.5")),
    "F1": (r"pert\..*\.f1", plus("0.05")),
}  # fmt: skip


def copied(path: Path, to: Path, claim: str = "", printed: str = "") -> list[Finding]:
    """The findings of a copy of the ledger in which one claim is printed otherwise."""
    header, *rows = csv.reader(io.StringIO(read_text(path)))
    for row in rows:
        if row[header.index("id")] == claim:
            row[header.index("printed")] = printed
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    write_text(to, stream.getvalue())
    return audit_arithmetic(load_claims(to))


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_error_is_found_where_it_is(path, claims, findings, tmp_path, plant, seed):
    pattern, change = PLANTS[plant]
    wrong = {one.claim for one in findings if one.failed}
    sound = [
        claim
        for claim in claims.values()
        if re.fullmatch(pattern, claim.id) and claim.value and claim.id not in wrong
    ]
    claim = random.Random(seed).choice(sound)
    found = copied(path, tmp_path / "claims.csv", claim.id, change(claim.printed))
    new = failed(found) - failed(findings)
    assert new
    for name, check, _ in new:
        assert claim.id in (name, *references(parse_check(check)))


def test_nothing_is_found_where_nothing_is_changed(path, findings, tmp_path):
    assert copied(path, tmp_path / "claims.csv") == findings


@pytest.mark.parametrize("step", ["0.01", "-0.01"])
def test_an_average_off_by_its_last_digit_may_be_rounding(path, claims, findings, tmp_path, step):
    """Where the ten cells can have a mean that is printed so, it is no contradiction."""
    averages = []
    for one in findings:
        if re.fullmatch(r"t13\.(?!mmath).*\.avg", one.claim):
            half, moved = claims[one.claim].half, claims[one.claim].value + Fraction(step)
            fits = one.low - half <= moved <= one.high + half
            if fits and abs(moved - one.expected) > half:  # not just a tie
                averages.append(one.claim)
    assert len(averages) >= 10
    for claim in random.Random(0).sample(averages, 4):
        printed = plus(step)(claims[claim].printed)
        found = copied(path, tmp_path / "claims.csv", claim, printed)
        assert [one.verdict for one in of(found, claim)] == ["within rounding"]
        assert failed(found) == failed(findings)


def test_numbers_that_were_cut_off_are_told_from_others(findings: list[Finding]) -> None:
    cut = {one.claim for one in findings if one.note == "cut off, not rounded"}
    assert cut == {
        "mathmist.intro.mcq",
        "mathmist.intro.perturbed",
    }
