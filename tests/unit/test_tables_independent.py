"""Every table of both papers against a second way to its numbers (tests/recount)."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from statistics import NormalDist

import pytest

from babelmath.tables.render import csv as as_csv
from recount.mmath import table2
from recount.reading import Found, Place, Records
from recount.tables import RECOMPUTED
from small_run import RULES, SmallRun, small_run

Z = NormalDist().inv_cdf(0.975)


def printed(text: str) -> tuple[Found, dict[Place, tuple[float, float]]]:
    """The numbers of a table's CSV, and their intervals."""
    found: Found = {}
    spans = {}
    for one in csv.DictReader(io.StringIO(text)):
        place = one["block"], one["row"], one["column"]
        assert place not in found, place
        value = float(one["value"]) if one["value"] else one["words"] or None
        found[place] = (value, int(one["n"]))
        if one["low"]:
            spans[place] = float(one["low"]), float(one["high"])
    return found, spans


def compare(run: SmallRun, records: Records) -> None:
    made = {(one.paper, one.name) for one in run.items()}
    assert made == {*RECOMPUTED} - missing(made)
    for item in run.items():
        found, spans = printed(as_csv(run.table(item)))
        expected = RECOMPUTED[item.paper, item.name](records)
        name = f"{item.paper}/{item.name}"
        assert found.keys() == expected.keys(), name
        for place, (value, n) in expected.items():
            if isinstance(value, str) or value is None:
                assert found[place] == (value, n), (name, place)
            else:
                near = pytest.approx(value, abs=1e-9), n
                assert found[place] == near, (name, place, found[place], (value, n))
        for place, (low, high) in spans.items():
            number = found[place][0]
            assert isinstance(number, float)
            assert low <= number <= high, (name, place)
        check_spans(item.paper, item.name, found, spans)


def missing(made: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """What is only there with what this run does not have: a judge of MMATH."""
    return {("mmath", "judge_agreement")} - made


SINGLE = {  # tables of numbers with one response to a problem, or one count of it
    ("mathmist", "zero_cot"): ("Zero-Shot", "CoT"),
    ("mathmist", "zero_shot_mcq"): ("Numerical", "Symbolic", "Overall"),
    ("mathmist", "perturbation_eval"): ("Error Detection", "Identification | TP rate"),
    ("mathmist", "cross_ling_accuracy"): ("Bangla", "English", "French"),
}


def check_spans(
    paper: str, name: str, found: Found, spans: dict[Place, tuple[float, float]]
) -> None:
    """Wilson's interval where each problem counts once: the roots of its quadratic."""
    for place, (value, n) in found.items():
        if place[2] in SINGLE.get((paper, name), ()) and isinstance(value, float) and n:
            share, square = value / 100, Z * Z / n
            a, b, c = 1 + square, -(2 * share + square), share * share
            root = math.sqrt(max(0.0, b * b - 4 * a * c))
            roots = ((-b - root) / (2 * a), (-b + root) / (2 * a))
            assert spans[place] == pytest.approx([100 * one for one in roots], abs=1e-6), place
        if place[2] == "Identification | F1" and isinstance(value, float):
            ends = spans[*place[:2], "Identification | TP rate"]
            mapped = [100 * 2 * end / (end + 100) for end in ends]
            assert spans[place] == pytest.approx(mapped), place


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.heavy)
                                       for n in range(1, 12))])  # fmt: skip
def test_every_table_is_what_plain_counting_gives(seed: int, tmp_path: Path) -> None:
    run = small_run(tmp_path, seed)
    compare(run, Records(run))


def test_the_counting_itself_sees_what_is_wrong(tmp_path: Path) -> None:
    """One verdict turned over after the tables were made changes its cells, and no others."""
    run = small_run(tmp_path, 0)
    before = table2(Records(run))
    path = tmp_path / "mmath" / "verdicts" / "native" / "m1" / f"{RULES[0]}.jsonl"
    first, rest = path.read_text(encoding="utf-8").split("\n", 1)
    row = json.loads(first)
    row |= {"correct": not row["correct"], "status": "wrong" if row["correct"] else "correct"}
    path.write_text(json.dumps(row) + "\n" + rest, encoding="utf-8")
    after = table2(Records(run))
    changed = {place for place in before if before[place] != after[place]}
    assert changed == {("", "Ada", row["lang"].upper()), ("", "Ada", "AVG")}
