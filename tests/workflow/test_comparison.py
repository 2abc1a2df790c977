"""Two published runs, one of them from a release in which one file was changed, compared."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from workflow.running import REPOSITORY

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(
        "BABELMATH_RECORDS" not in os.environ or "BABELMATH_BENCHMARKS" not in os.environ,
        reason="BABELMATH_RECORDS and BABELMATH_BENCHMARKS name no local copies",
    ),
]

VICTIM = "Evaluation Results/MCQ/English/Zero Shot MCQ English Evaluation(Qwen-3 8B).json"
TARGETS = [
    *(f"mathmist/verdicts/mcq/{one}/letter-paper.jsonl" for one in ("qwen3-8b", "gpt-oss-20b")),
    *(f"mathmist/problems/{one}.jsonl" for one in ("bn", "en", "fr", "fi", "tr", "lt", "kk")),
    *(f"mathmist/{kind}/{one}.jsonl" for kind in ("choices", "perturbed") for one in ("bn", "en")),
    *(f"run/{one}" for one in ("config.yaml", "versions.csv", "inputs.json")),
]


def released(folder: Path, change: bool) -> Path:
    """The results of a published run's multiple choice; where asked, with the first 30 predictions
    of one file made right where they were wrong, else wrong."""
    release, copy = Path(os.environ["BABELMATH_RECORDS"]), folder / "release"
    if not (release / VICTIM).exists():
        pytest.skip(f"the local copy holds no {VICTIM}")
    for path in release.rglob("*.json*"):
        place = copy / path.relative_to(release)
        place.parent.mkdir(parents=True, exist_ok=True)
        if change and path == release / VICTIM:
            records = json.loads(path.read_text(encoding="utf-8"))
            for record in records[:30]:
                right = record["predicted_letter"] == record["correct_letter"]
                wrong = "A" if record["correct_letter"] != "A" else "B"
                record["predicted_letter"] = wrong if right else record["correct_letter"]
                record["raw_output"] += " (changed)"
            place.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
        else:
            place.symlink_to(path)
    for name in ("config", "resources", "prompts"):
        (folder / name).symlink_to(REPOSITORY / name)
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--snakefile", str(REPOSITORY / "Snakefile"),
         "--directory", str(folder), "--configfile", "config/published.yaml", "--cores", "2",
         *(f"results/published/{one}" for one in TARGETS)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder,
        env=os.environ | {"BABELMATH_RECORDS": str(copy)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    return folder / "results/published"


def test_exactly_the_changed_predictions_flip(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    a, b = released(tmp_path / "a", False), released(tmp_path / "b", True)
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "scripts/compare_runs.py"), str(a), str(b)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    folder = b / "comparison"
    flips, cells, left_out = (
        list(csv.DictReader((folder / name).open(encoding="utf-8", newline="")))
        for name in ("flips.csv", "comparison.csv", "left_out.csv")
    )
    assert len(flips) == len({row["id"] for row in flips}) == 30
    assert {(row["model"], row["lang"], row["response"]) for row in flips} == {
        ("qwen3-8b", "en", "changed")
    }
    place = ("mcq", "letter-paper", "all", "all")
    whole = {row["model"]: row for row in cells
             if (row["setting"], row["scorer"], row["lang"], row["part"]) == place}  # fmt: skip
    up, down = (int(whole["qwen3-8b"][name]) for name in ("to_correct", "to_wrong"))
    assert up + down == 30 and whole["gpt-oss-20b"]["to_correct"] == "0"
    assert float(whole["qwen3-8b"]["difference"]) == pytest.approx(100 * (up - down) / 2 / 1133)
    # What the release holds no records of is named.
    silent = [row for row in left_out if row["reason"] == "a file without records"]
    assert ("both", "mcq", "phi-4") in {(r["run"], r["setting"], r["model"]) for r in silent}
    page = (folder / "README.md").read_text(encoding="utf-8")
    assert "They were made from other raw files: " in page and "1 B's alone" in page
