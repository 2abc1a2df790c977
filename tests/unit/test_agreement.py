"""Agreement of two scorers, by hand and by its tables."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from babelmath.agreement import agreement
from babelmath.errors import InputError
from babelmath.records import Verdict, save_records
from babelmath.statistics.shares import wilson
from babelmath.tables.agreement import compare, judge_agreement
from babelmath.tables.frame import written
from babelmath.tables.protocols import protocols
from babelmath.tables.render import markdown
from babelmath.tables.scores import SCORES, score_frame
from record_frames import Row, data, scores
from stand_ins import UNTIMED


def square(both: int, first: int, second: int, neither: int) -> list[tuple[str, bool, bool]]:
    """As many responses of each kind, each to a problem of its own."""
    pairs = [(True, True)] * both + [(True, False)] * first + [(False, True)] * second
    return [(str(at), *one) for at, one in enumerate(pairs + [(False, False)] * neither)]


def near(found: tuple[float, float] | None, low: float, high: float) -> bool:
    return found is not None and found == pytest.approx((low, high), abs=6e-4)


def test_kappa_and_its_interval_of_a_known_square() -> None:
    """20, 5, 10, 15 (a common textbook square): share 0.7 of 0.5 by chance; kappa 0.4 +- 0.2489,
    the large-sample error of independent responses."""
    found = agreement(square(20, 5, 10, 15))
    assert (found.n, found.both, found.first, found.second, found.neither) == (50, 20, 5, 10, 15)
    assert found.share == 0.7 and found.kappa == pytest.approx(0.4)
    half = 1.96 * math.sqrt(50 / 49) * 0.12699  # Fleiss, Cohen and Everitt's error, over clusters
    assert near(found.kappa_span, 0.4 - half, 0.4 + half)


def test_wilsons_interval() -> None:
    assert near(wilson(0.7, 50), 0.5625, 0.8090)
    assert near(wilson(1.0, 10), 0.7225, 1.0)
    assert near(wilson(0.0, 10), 0.0, 0.2775)
    assert agreement(square(20, 5, 10, 15)).share_span == wilson(0.7, 50)


def test_responses_to_one_problem_are_a_cluster() -> None:
    """Each response thrice tells nothing new: the interval is that of 50 problems, whose variance
    is an estimate (Student's t with 49 degrees), and no narrower than that of 50 responses."""
    once = agreement(square(20, 5, 10, 15))
    thrice = agreement([one for one in square(20, 5, 10, 15) for _ in range(3)])
    assert thrice.n == 150
    z, t = stats.norm.ppf(0.975), stats.t.ppf(0.975, 49)
    expected = proportion_confint(0.7 * 49 * (z / t) ** 2, 49 * (z / t) ** 2, method="wilson")
    assert thrice.share_span == pytest.approx(expected)
    assert once.share_span is not None and thrice.share_span is not None
    assert thrice.share_span[0] < once.share_span[0] < once.share_span[1] < thrice.share_span[1]
    assert thrice.kappa_span == pytest.approx(once.kappa_span)


def test_the_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Drawn from known decisions, three responses a problem that tend to be judged alike."""
    chance = random.Random(7)

    def draw(problems: int) -> list[tuple[str, bool, bool]]:
        found = []
        for problem in range(problems):
            hard = chance.random() < 0.3  # on hard problems the second decides at random
            for _ in range(3):
                one = chance.random() < 0.5
                found.append((str(problem), one, chance.random() < 0.5 if hard else one))
        return found

    held = 0
    for _ in range(300):
        found = agreement(draw(60))
        assert found.kappa_span is not None
        held += found.kappa_span[0] <= 0.7 <= found.kappa_span[1]
    assert 0.91 <= held / 300 <= 0.98


@pytest.mark.parametrize(
    ("cells", "share", "kappa"),
    [
        ((0, 0, 0, 0), None, None),
        ((5, 0, 0, 0), 1.0, None),
        ((0, 0, 0, 5), 1.0, None),
        ((4, 0, 0, 1), 1.0, 1.0),
        ((0, 5, 0, 0), 0.0, 0.0),
        ((3, 2, 0, 0), 0.6, 0.0),
        ((0, 2, 2, 0), 0.0, -1.0),
    ],
)
def test_degenerate_squares(cells: Any, share: float | None, kappa: float | None) -> None:
    found = agreement(square(*cells))
    assert (found.share, found.kappa) == (share, kappa)
    assert (found.share_span is None) == (share is None)
    assert found.kappa_span is None or cells == (0, 2, 2, 0)


def test_one_problem_gives_no_interval_of_kappa() -> None:
    found = agreement([("a", True, True), ("a", True, False), ("a", False, False)])
    assert found.kappa is not None and found.kappa_span is None
    assert found.share_span == wilson(2 / 3, 1)


@UNTIMED
@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans(), st.booleans())))
def test_agreement_is_symmetric_and_within_bounds(decisions: Any) -> None:
    found = agreement(decisions)
    other = agreement([(problem, two, one) for problem, one, two in reversed(decisions)])
    assert (found.share, found.first) == (other.share, other.second)
    assert (found.kappa is None) == (other.kappa is None)
    if found.kappa is not None and other.kappa is not None:
        assert found.kappa == pytest.approx(other.kappa)
    for value, span, least in ((found.share, found.share_span, 0), (found.kappa, found.kappa_span,
                                                                   -1)):  # fmt: skip
        if value is not None and span is not None:
            assert least <= span[0] <= value + 1e-9 and value - 1e-9 <= span[1] <= 1


# The tables


def framed(*rows: list[Row]) -> pl.DataFrame:
    return pl.DataFrame([one for each in rows for one in each], schema=SCORES)


def cells(table: Any) -> dict[tuple[str, str, str], str]:
    return {(one.block, one.row, one.column): written(one) for one in table.cells}


JUDGE = scores("cot", "judge-a", a="cc", b="cw", c="wu", d="wt")
RULES = scores("cot", "rules-strict", a="cc", b="ww", c="wc", d="tt")


def test_only_responses_that_both_decided_are_compared() -> None:
    found, left_out = compare(framed(JUDGE, RULES), "judge-a", "rules-strict")
    assert (found.n, found.both, found.first, found.second, found.neither) == (5, 2, 1, 0, 2)
    assert left_out == 3


def test_a_rule_that_a_judge_decided_for_is_not_compared() -> None:
    helped = [one | {"decision": "YES"} if one["id"] == "a" else one for one in RULES]
    found, left_out = compare(framed(JUDGE, helped), "judge-a", "rules-strict")
    assert (found.n, found.both, left_out) == (3, 0, 5)


def test_a_judges_no_on_a_cut_off_response_is_a_decision() -> None:
    cut = [
        one | {"status": "truncated", "decision": "NO"} for one in scores("cot", "judge-b", a="t")
    ]
    found, _ = compare(framed(cut, scores("cot", "judge-a", a="w")), "judge-a", "judge-b")
    assert (found.n, found.neither) == (1, 1)


def test_agreement_table_has_a_block_for_each_two_scorers() -> None:
    other = scores("cot", "judge-b", a="cw", b="cw", c="ww", d="ww")
    scored = tuple(("cot", "m", one) for one in ("judge-a", "judge-b", "rules-strict"))
    table = judge_agreement("mathmist", data(pairs=(("cot", "m"),), scored=scored,
                                             scores=framed(JUDGE, RULES, other)))  # fmt: skip
    found = cells(table)
    blocks = list(dict.fromkeys(block for block, _, _ in found))
    assert blocks == ["judge-a and rules-strict", "judge-b and rules-strict",
                      "judge-a and judge-b"]  # fmt: skip
    first = {column: value for (block, _, column), value in found.items() if block == blocks[0]}
    assert [first[one] for one in ("n", "Left out", "Both", "First", "Second", "Neither")] == [
        "5", "3", "2", "1", "0", "2"
    ]  # fmt: skip
    assert first["Agreement"] == "80.00" and first["Kappa"] == "0.615"
    agreed = next(one for one in table.cells if one.column == "Agreement")
    kappa = next(one for one in table.cells if one.column == "Kappa")
    counted = compare(framed(JUDGE, RULES), "judge-a", "rules-strict")[0]
    assert counted.share_span is not None
    assert (agreed.low, agreed.high) == tuple(100 * end for end in counted.share_span)
    assert (kappa.low, kappa.high) == counted.kappa_span
    assert ("judge-a and judge-b", "Model, cot", "Kappa") in found


def test_an_undefined_kappa_is_shown_as_such_and_never_as_a_number() -> None:
    scored = (("cot", "m", "judge-a"), ("cot", "m", "rules-strict"))
    rows = framed(scores("cot", "judge-a", a="c"), scores("cot", "rules-strict", a="c"))
    table = judge_agreement("mathmist", data(pairs=(("cot", "m"),), scored=scored, scores=rows))
    found = cells(table)
    place = ("judge-a and rules-strict", "Model, cot")
    assert found[*place, "Kappa"] == "undefined"
    assert found[*place, "Agreement"] == "100.00"
    by_column = {one.column: one for one in table.cells}
    assert (by_column["Kappa"].low, by_column["Kappa"].high) == (None, None)
    assert "| undefined | " in markdown(table) or "| undefined |\n" in markdown(table)
    nothing = framed(scores("cot", "judge-a", a="u"), scores("cot", "rules-strict", a="c"))
    silent = cells(judge_agreement("mathmist", data(pairs=(("cot", "m"),), scored=scored,
                                                    scores=nothing)))  # fmt: skip
    assert silent[*place, "Kappa"] == silent[*place, "Agreement"] == "none decided"
    assert silent[*place, "Left out"] == "1"


@pytest.mark.parametrize("make", [judge_agreement, protocols])
def test_what_has_no_records_is_named_and_has_no_row(make: Any) -> None:
    scored = (("cot", "m", "judge-a"), ("cot", "m", "rules-strict"))
    table = make("mathmist", data(pairs=(("cot", "m"),), scored=scored))
    assert table.cells == []
    assert "No records: Model (cot)." in table.notes


def test_protocols_stand_side_by_side_and_statuses_add_up() -> None:
    scored = (("cot", "m", "judge-a"), ("cot", "m", "rules-strict"), ("mcq", "m", "letter-paper"))
    table = protocols("mathmist", data(pairs=(("cot", "m"), ("mcq", "m")), scored=scored,
                                       scores=framed(JUDGE, RULES)))  # fmt: skip
    found = {column: one for (_, _, column), one in cells(table).items()}
    assert {block for block, _, _ in cells(table)} == {"cot"}
    assert (found["Paper"], found["Strict"], found["Change"]) == ("37.50", "37.50", "0.00")
    counted = {one.column: one.value for one in table.cells if one.unit == "count"}
    assert counted.pop("n") == 8
    assert counted["Correct"] == 3 and counted["Truncated"] == 2 and counted["Unresolved"] == 0
    assert sum(counted.values()) == 8
    assert "judge-a and rules-strict (cot)" in markdown(table)


# Reading verdicts


def verdict(**fields: Any) -> Verdict:
    values = {"id": "a", "lang": "en", "sample": 0, "scorer": "judge-a", "status": "wrong",
              "correct": False, "extracted": None, "gold": "5", "rewrites": [],
              "judge": {"decision": "NO", "raw": "x"}, "provenance": {"model": "m"}}  # fmt: skip
    return Verdict.model_validate(values | fields)


def test_verdicts_of_all_scorers_are_read(tmp_path: Path) -> None:
    save_records(tmp_path / "one.jsonl", [verdict(), verdict(id="b", judge=None)])
    save_records(tmp_path / "none.jsonl", [])
    found = score_frame({("cot", "m", "judge-a"): tmp_path / "one.jsonl",
                         ("cot", "n", "judge-a"): tmp_path / "none.jsonl"})  # fmt: skip
    assert found.rows() == [
        ("cot", "m", "a", "en", 0, "wrong", False, "judge-a", "NO", None, None, None),
        ("cot", "m", "b", "en", 0, "wrong", False, "judge-a", None, None, None, None),
    ]


def lines(*verdicts: dict[str, Any]) -> str:
    return "".join(json.dumps(verdict().model_dump() | one) + "\n" for one in verdicts)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("not JSON\n", 1, "not a line of strict JSON"),
        (lines({}) + '{"id": "b", "lang": "en", "sample": 0}\n', 2, "scorer"),
        (lines({}, {"id": "b", "status": "marvellous"}), 2, "status"),
        (lines({}, {"id": "b", "correct": True}), 2, "correct must be true for status correct"),
        (lines({}, {"id": "b", "sample": -1}), 2, "sample"),
        (lines({}, {"id": "b", "scorer": "rules-strict"}), None, "not of judge-a"),
        (lines({}, {}), 2, "stands already|repeated|twice"),
        (None, None, "no such file"),
    ],
)
def test_a_file_of_something_else_is_refused(
    text: str | None, line: int | None, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "v.jsonl"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=words) as caught:
        score_frame({("cot", "m", "judge-a"): path})
    assert (caught.value.file, caught.value.line) == (str(path), line)


@pytest.mark.parametrize(
    ("field", "value"),
    [("id", 7), ("lang", True), ("sample", 1.5), ("sample", "1"), ("correct", 0), ("status", 1)],
)
def test_a_value_of_another_type_is_taken_for_no_other_value(
    field: str, value: object, tmp_path: Path
) -> None:
    path = tmp_path / "v.jsonl"
    record = json.loads(lines({}).splitlines()[0]) | {"status": "wrong", "correct": False}
    path.write_text(json.dumps(record | {field: value}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=field) as caught:
        score_frame({("cot", "m", "judge-a"): path})
    assert (caught.value.file, caught.value.line) == (str(path), 1)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "v.jsonl").write_text("\ufeff" + lines({}), encoding="utf-8")
    assert score_frame({("cot", "m", "judge-a"): tmp_path / "v.jsonl"}).height == 1
