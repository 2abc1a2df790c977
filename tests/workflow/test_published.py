"""The authors' records through the whole workflow: every printed cell against its records.

The released files are read where BABELMATH_RECORDS and BABELMATH_BENCHMARKS name local copies; a
copy may hold only a part of the release, and then only the cells that have records are asserted.
"""

from __future__ import annotations

import csv
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from babelmath.audit.arithmetic import audit_arithmetic
from babelmath.audit.claims import Claim, load_claims
from babelmath.audit.report import agreement
from babelmath.confload import read_config
from workflow.running import REPOSITORY

pytestmark = pytest.mark.skipif(
    "BABELMATH_RECORDS" not in os.environ or "BABELMATH_BENCHMARKS" not in os.environ,
    reason="BABELMATH_RECORDS and BABELMATH_BENCHMARKS name no local copies",
)

TABLES = (
    "tab:zero_cot",
    "tab:zero_cot_en_bn_category_wise",
    "tab:code_switch_breakdown",
    "tab:zero_shot_mcq",
    "tab:perturbation_eval",
    "fig:cross_ling_accuracy",
)
# The cells that the whole release does not give as printed; all others it gives.
DIFFERS = {
    "zc.gpt_oss.bn.cot",
    *(f"zck.gpt_oss.bn.cot.{kind}" for kind in ("numerical", "symbolic", "proof", "overall")),
    *(f"zck.gpt_oss.en.cot.{kind}" for kind in ("numerical", "symbolic", "proof")),
    "pert.qwen.bn.f1",
    "xl.qwen.mean",
}
LAST_DIGIT = {"pert.deepseek.bn.f1", "pert.mathstral.bn.f1", "pert.mathstral.en.f1"}
COUNTS = {f"corpus.{kind}.total" for kind in ("numerical", "symbolic", "proof")} | {
    "corpus.per_language",
    "corpus.problems",
    "corpus.mcq",
}


def snakemake(
    folder: Path, *flags: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    for name in ("config", "resources", "prompts"):
        if not (folder / name).exists():
            (folder / name).symlink_to(REPOSITORY / name)
    return subprocess.run(
        [sys.executable, "-m", "snakemake", "--snakefile", str(REPOSITORY / "Snakefile"),
         "--directory", str(folder), "--configfile", "config/published.yaml", "--cores", "2",
         *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=env,
    )  # fmt: skip


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of one published run."""
    folder = tmp_path_factory.mktemp("published")
    done = snakemake(folder)
    assert done.returncode == 0, done.stdout[-3000:]
    steps = re.findall(r"of (\d+) steps \(100%\)", done.stdout)
    assert steps and int(steps[-1]) < 60
    return folder / "results" / "published"


@pytest.fixture(scope="module")
def ledger() -> dict[str, Claim]:
    return load_claims(REPOSITORY / "config" / "printed" / "claims.csv")


@pytest.fixture(scope="module")
def rows(published: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for paper in ("mathmist", "mmath"):
        with open(published / "audit" / f"{paper}.csv", encoding="utf-8", newline="") as lines:
            found |= {row["id"]: row for row in csv.DictReader(lines)}
    return found


def checkable(ledger: dict[str, Claim]) -> list[Claim]:
    """The result cells and means that the whole release can give, and the corpus counts."""
    measured = ("accuracy", "detection", "identification", "f1", "language_mean", "language_sd")
    return [
        one
        for one in ledger.values()
        if (one.where in TABLES and one.formula in measured and "gemini" not in one.id)
        or one.id in COUNTS
    ]


def test_there_are_as_many_checkable_numbers_as_the_release_gives(ledger):
    ids = {one.id for one in checkable(ledger)}
    assert len(ids) == 210
    assert ids >= DIFFERS | LAST_DIGIT | COUNTS


def test_every_cell_with_records_is_as_it_is_with_the_whole_release(ledger, rows):
    expected = {one.id: "equal" for one in checkable(ledger)}
    expected |= dict.fromkeys(DIFFERS, "differs") | dict.fromkeys(LAST_DIGIT, "last digit")
    held = {key: rows[key]["verdict"] for key in expected if rows[key]["verdict"] != "no records"}
    assert held == {key: expected[key] for key in held}
    assert len(held) >= 100
    for key in held:
        assert rows[key]["recomputed"] and int(rows[key]["n"]) > 0
        assert rows[key]["files"] or key in COUNTS


def test_a_cell_without_a_file_has_no_records_and_no_number(ledger, rows):
    silent = [one for one in checkable(ledger) if rows[one.id]["verdict"] == "no records"]
    for one in silent:
        assert rows[one.id]["recomputed"] == rows[one.id]["n"] == ""
    assert not any(rows[key]["recomputed"] for key in rows if ".gemini." in key)


def test_n_is_the_whole_population(ledger, rows):
    for one in checkable(ledger):
        row = rows[one.id]
        if row["verdict"] != "no records" and one.n is not None and one.unit == "percent":
            assert int(row["n"]) == one.n, one.id


def test_declared_facts_are_told_against_the_records(rows):
    told = {row["rule"]: (row["printed"], row["recomputed"]) for row in rows.values()}
    assert not any(row["origin"] for row in rows.values())
    assert told["judge zero-shot"] == ("Gemini 2.0 Flash-Lite", "Qwen/Qwen3-4B")
    assert told["judge cross-lingual"] == ("Gemini 2.0 Flash-Lite", "gemini-2.5-flash-lite")
    assert told["samples zero-shot"] == ("3", "1")


def test_differing_cells_name_the_table_that_the_records_do_give(rows):
    reason = rows["zck.gpt_oss.bn.cot.numerical"]["reason"]
    assert "tab:code_switch_breakdown prints 79.48 for the same records" in reason


def test_the_strict_reading_stands_beside_the_papers(rows):
    reread = [row for row in rows.values() if row["strict"]]
    assert reread and any(row["strict"] != row["recomputed"] for row in reread)


def test_tables_and_page_say_the_same_as_the_audit(published, rows):
    table = (published / "tables/mathmist/zero_cot.csv").read_text("utf-8")
    assert "Bangla,GPT-OSS (20B),CoT,75.08650519031141,1445" in table
    note = (published / "tables/mathmist/zero_cot.md").read_text("utf-8")
    assert "CoT is setting `cs-bn-en` (Bangla) and `cs-en-en` (English)" in note
    page = (published / "audit/README.md").read_text("utf-8")
    for heading in ("## Summary", "## Numbers that the records give differently",
                    "## Printed numbers that contradict each other"):  # fmt: skip
        assert heading in page
    assert "only aime2024 fits all 9 cells" in page
    assert "Qwen/Qwen3-4B" in page


def test_oddities_of_the_data_are_counted(published):
    with open(published / "audit/data_quality.csv", encoding="utf-8", newline="") as lines:
        kinds = {row["kind"] for row in csv.DictReader(lines)}
    assert {"kind label with stray blanks", "options that coincide", "key alone in $...$",
            "native digits in chapter_number", "language spelt Bengali"} <= kinds  # fmt: skip


def test_mmath_problems_replace_the_bundled_ones(published):
    problems = (published / "mmath/problems/th.jsonl").read_bytes()
    assert problems.count(b"\n") == 374
    table = (published / "tables/mathmist/corpus_stat.csv").read_text("utf-8")
    assert "Across 7 languages,Count,10115.0" in table


def test_again_it_does_nothing_and_no_process_was_large(published):
    done = snakemake(published.parents[1])
    assert "Nothing to be done" in done.stdout
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 800 * 1024


@pytest.mark.parametrize("seed", range(4))
def test_planted_digits_that_contradict_the_records_are_flagged(ledger, rows, seed):
    """Twenty digits changed at once: each is flagged by the records or by printed arithmetic."""
    chance = random.Random(seed)
    held = [one for one in checkable(ledger) if rows[one.id]["verdict"] == "equal"]
    planted = dict(ledger)
    chosen = chance.sample(held, 20)
    for one in chosen:
        assert one.value is not None and one.decimals is not None
        moved = one.value + chance.choice((2, 3, 5, 40, -2, -7)) * Fraction(10) ** -one.decimals
        printed = f"{float(moved):.{one.decimals}f}"
        planted[one.id] = replace(one, printed=printed, value=moved)
    failed = {one.claim for one in audit_arithmetic(planted) if one.failed}
    for one in chosen:
        by_records = agreement(planted[one.id], float(rows[one.id]["recomputed"])) == "differs"
        assert by_records or one.id in failed
        assert by_records


def test_the_samples_of_the_paper_scale_are_the_released_ones(published):
    settings = read_config(REPOSITORY / "config" / "paper.yaml").benchmarks.mathmist
    assert settings is not None
    own = settings.settings["cross-lingual"].sample
    for setting, sample in (("detect", settings.sample), ("cross-lingual", own)):
        assert sample is not None and sample.numbers is not None
        path = published / "mathmist" / "generations" / setting / "gpt-oss-20b.jsonl"
        ids = {json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()}
        assert ids == {f"mathmist-{number:04d}" for number in sample.numbers}


@pytest.mark.heavy
def test_a_cut_record_stops_the_run_and_names_file_and_line(tmp_path):
    """The rest of the release is linked; one file ends in the middle."""
    release = Path(os.environ["BABELMATH_RECORDS"])
    copy = tmp_path / "release"
    victim = next(iter(sorted((release / "Evaluation Results" / "MCQ").rglob("*.json"))))
    for path in release.rglob("*.json*"):
        place = copy / path.relative_to(release)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path == victim:
            data = path.read_bytes()
            place.write_bytes(data[: len(data) // 2])
        else:
            place.symlink_to(path)
    for name in ("config", "resources", "prompts"):
        (tmp_path / name).symlink_to(REPOSITORY / name)
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--snakefile", str(REPOSITORY / "Snakefile"),
         "--directory", str(tmp_path), "--configfile", "config/published.yaml", "--cores", "2",
         "results/published/run/oddities/mathmist.records.csv"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=tmp_path,
        env=os.environ | {"BABELMATH_RECORDS": str(copy)},
    )  # fmt: skip
    assert done.returncode == 1
    assert re.search(rf"{re.escape(victim.name)}, line \d+: not JSON", done.stdout)
    assert not (tmp_path / "results/published/run/oddities/mathmist.records.csv").exists()


@pytest.mark.heavy
def test_a_replaced_record_file_is_read_again_though_it_is_older(tmp_path):
    """A few files of the release alone; the replaced one has the size of none and an old time."""
    release = Path(os.environ["BABELMATH_RECORDS"])
    copied = tmp_path / "release"
    detections = sorted(release.glob("Evaluation Results/Perturbation/English/**/*.json"))
    for path in [*release.glob("Data/**/*.jsonl"), *detections[:2]]:
        place = copied / path.relative_to(release)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)
    environment = os.environ | {"BABELMATH_RECORDS": str(copied)}
    target = "results/published/run/oddities/mathmist.records.csv"
    done = snakemake(tmp_path, target, env=environment)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "Nothing to be done" in snakemake(tmp_path, "-n", target, env=environment).stdout

    victim = copied / detections[0].relative_to(release)
    victim.write_text(victim.read_text("utf-8") + " \n", encoding="utf-8")
    os.utime(victim, (1_000_000_000, 1_000_000_000))
    planned = snakemake(tmp_path, "-n", target, env=environment).stdout
    assert set(re.findall(r"^rule (\w+):$", planned, re.MULTILINE)) == {"import_records"}
