"""Golds: which can decide, and that every gold of both benchmarks compares as it should."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from babelmath.config import Equivalence
from babelmath.languages import Language
from babelmath.scoring.equivalence import Comparer
from babelmath.scoring.extraction import gold_readings, normalise
from babelmath.scoring.golds import GoldCheck, check_gold
from babelmath.sources import read_problems, source_files
from stand_ins import LANGUAGES

RELEASES = {
    "mathmist": ("BABELMATH_RECORDS", ("bn", "en", "fi", "fr", "kk", "lt", "tr")),
    "mmath": ("BABELMATH_BENCHMARKS", ("ar", "en", "es", "fr", "ja", "ko", "pt", "th", "vi", "zh")),
}
EVERY = [(name, lang) for name, (_, langs) in RELEASES.items() for lang in langs]
DECIDING = {"numerical": 0.96, "symbolic": 0.93}  # shares of MathMist's golds that are mathematics


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


@cache
def golds(benchmark: str, lang: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Kind and readings in plain notation of each gold of a released benchmark."""
    variable = RELEASES[benchmark][0]
    if variable not in os.environ:
        pytest.skip(f"{variable} does not name a local copy of the released {benchmark} files")
    language = LANGUAGES[lang]
    path = Path(os.environ[variable]) / source_files(benchmark, True, language)
    return tuple(
        (problem.kind or "", tuple(one.text for one in readings))
        for problem in read_problems(benchmark, path, language, release=True)
        for readings in [gold_readings(problem.answer, language, benchmark == "mmath")]
    )


def localised(text: str, language: Language) -> str:
    """A text as its language writes it: native digits and, where no list is, the decimal comma."""
    if language.decimal == "," and "," not in text:
        text = re.sub(r"(?<=\d)(?:\.|\{\.\})(?=\d)", ",", text)
    if language.digits:
        text = text.translate(str.maketrans("0123456789", language.digits))
    return text


def test_gold_of_mathematics_decides(comparer: Comparer) -> None:
    assert check_gold(["\\frac{3}{4}"], comparer) == GoldCheck(True, True, "number")
    assert check_gold(["\\frac{3}{4}"], comparer).decides


def test_gold_of_words_does_not_decide(comparer: Comparer) -> None:
    found = check_gold(["The triangle is isosceles"], comparer)
    assert (found.parsed, found.equal_to_itself, found.form) == (False, False, "text")
    assert found.reason
    assert not found.decides


def test_empty_gold_does_not_decide(comparer: Comparer) -> None:
    assert not check_gold([""], comparer).parsed
    assert not check_gold([], comparer).parsed


def test_one_reading_that_decides_is_enough(comparer: Comparer) -> None:
    assert check_gold(["two of them", "34.641"], comparer) == GoldCheck(True, True, "number")


def test_gold_beyond_the_size_guard_is_told(comparer: Comparer) -> None:
    found = check_gold(["(" * 300 + "1" + ")" * 300], comparer)
    assert (found.parsed, found.form, found.reason) == (False, "too large", "too large")


@pytest.mark.parametrize(("benchmark", "lang"), EVERY)
def test_comparison_is_reflexive_and_symmetric_on_every_gold(
    benchmark: str, lang: str, comparer: Comparer
) -> None:
    rows = golds(benchmark, lang)
    for _, readings in rows:
        assert comparer.compare(readings[0], readings[0], True).equal, readings
        check = check_gold(readings, comparer)
        assert check.equal_to_itself is check.parsed, readings
    for (_, (one, *_)), (_, (other, *_)) in zip(rows[::2], rows[1::2], strict=False):
        there, back = comparer.compare(one, other, True), comparer.compare(other, one, True)
        assert (there.equal, there.failed) == (back.equal, back.failed), (one, other)


@pytest.mark.parametrize(("benchmark", "lang"), EVERY)
def test_localising_a_gold_changes_no_verdict(
    benchmark: str, lang: str, comparer: Comparer
) -> None:
    language = LANGUAGES[lang]
    for _, readings in golds(benchmark, lang):
        text = readings[0]
        if not check_gold([text], comparer).parsed:
            continue
        answer = normalise(localised(text, language), language, "box").text
        assert comparer.compare(text, answer, True).equal, (text, answer)


@pytest.mark.parametrize("lang", RELEASES["mmath"][1])
def test_every_gold_of_mmath_decides(lang: str, comparer: Comparer) -> None:
    rows = golds("mmath", lang)
    assert len(rows) == 374
    assert all(check_gold(readings, comparer).decides for _, readings in rows)


@pytest.mark.parametrize("lang", RELEASES["mmath"][1])
def test_no_two_different_golds_of_mmath_are_equal(lang: str, comparer: Comparer) -> None:
    language = LANGUAGES[lang]
    texts = list(dict.fromkeys(readings[0] for _, readings in golds("mmath", lang)))
    answers = [normalise(localised(text, language), language, "box").text for text in texts]
    equal = [
        (gold, answer)
        for at, gold in enumerate(texts)
        for answer in answers[:at]
        if comparer.compare(gold, answer, True).equal
    ]
    assert equal == []


@pytest.mark.parametrize("lang", RELEASES["mathmist"][1])
@pytest.mark.parametrize("kind", DECIDING)
def test_most_golds_of_mathmist_decide(kind: str, lang: str, comparer: Comparer) -> None:
    checks = [check_gold(texts, comparer) for one, texts in golds("mathmist", lang) if one == kind]
    assert sum(check.decides for check in checks) >= DECIDING[kind] * len(checks)
