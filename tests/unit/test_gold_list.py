"""The list of exact answers: which can be compared with by rule, as a file that tables read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from babelmath.config import Equivalence
from babelmath.scoring.equivalence import Comparer
from babelmath.scoring.gold_list import GoldLine, gold_csv, gold_lines
from babelmath.tables.data import gold_frame
from bench.responses import LANGUAGES as ASKED
from bench.responses import exact_answers
from stand_ins import LANGUAGES, problem


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


def line(answer: str, comparer: Comparer, lang: str = "en", western: bool = False) -> GoldLine:
    (found,) = gold_lines([problem(answer=answer, lang=lang)], LANGUAGES, western, comparer)
    return found


@pytest.mark.parametrize("answer", ["$5$", "\\frac{3}{4}", "$x=2$ or $x=3$", "\\text{Yes}"])
def test_mathematics_and_known_words_are_compared_by_rule(answer: str, comparer: Comparer) -> None:
    found = line(answer, comparer)
    assert (found.by_rule, found.parsed, found.equals_itself, found.reason) == (
        True, True, True, "",
    )  # fmt: skip
    assert found.answer == answer


@pytest.mark.parametrize("answer", ["The two triangles are congruent.", "প্রমাণিত"])
def test_sentences_are_left_to_the_judge_with_a_reason(answer: str, comparer: Comparer) -> None:
    found = line(answer, comparer)
    assert not found.by_rule and found.reason


def test_both_readings_of_an_ambiguous_number_are_told(comparer: Comparer) -> None:
    assert " or " in line("$34.641$", comparer, "tr").plain
    assert line("$34.641$", comparer, "tr", western=True).plain == "34{.}641"


def test_all_exact_answers_of_mmath_are_compared_by_rule(comparer: Comparer) -> None:
    """Of the release where it is at hand, in its ten languages."""
    exact, _ = exact_answers(7)
    held = [problem(lang=lang, id=key, answer=answer) for lang in ASKED
            for key, answer in exact.items()]  # fmt: skip
    left = [one for one in gold_lines(held, LANGUAGES, True, comparer) if not one.by_rule]
    assert left == []


def test_tables_read_what_is_written(tmp_path: Path) -> None:
    lines = [
        GoldLine("a", "en", 'so, "5"\n', "5", "number", True, False, "memory"),
        GoldLine("b", "bn", "প্রমাণিত", "", "text", False, False, "words"),
    ]
    (tmp_path / "golds.csv").write_text(gold_csv(lines), encoding="utf-8")
    assert gold_frame([tmp_path / "golds.csv"]).rows() == [
        ("a", "en", True, False),
        ("b", "bn", False, False),
    ]
