"""The words of a response: what stays when mathematics, code, tags and marks are taken out."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.alphabets import script_of, scripts_of
from babelmath.prose import LIMIT, WINDOWS, excerpt, words
from stand_ins import UNTIMED, each_case

MARKS = st.sampled_from("$\\()[]{}`<>|@\n _ aবান数Ωx5'")
TEXTS = st.text(st.characters() | MARKS, max_size=200)


@each_case("words.jsonl")
def test_words_are_what_is_left(case: dict[str, Any]) -> None:
    assert " ".join(words(case["text"])) == case["words"]


def test_words_inside_of_formulas_can_be_left_out() -> None:
    assert words("So $x \\text{ apples}$", inside=False) == ["So"]


def test_a_text_of_capitals_can_be_read_too() -> None:
    assert words("THE SUM IS TWENTY") == ["TWENTY"]
    assert words("THE SUM IS TWENTY", capitals=True) == ["THE", "SUM", "IS", "TWENTY"]


@UNTIMED
@given(TEXTS)
def test_words_hold_letters_of_the_text_and_no_digits(text: str) -> None:
    kept = "".join(words(text))
    assert set(kept) <= set(unicodedata.normalize("NFC", text))
    assert not any(char.isdigit() or char.isspace() for char in kept)


@UNTIMED
@given(TEXTS)
def test_words_of_the_words_are_the_same(text: str) -> None:
    found = words(text)
    assert words(" ".join(found)) == found


@pytest.mark.parametrize(
    "piece",
    [
        "$",
        "$$",
        "\\(",
        "\\[",
        "```",
        "`",
        "\\begin{align}",
        "<a ",
        "<|",
        "[asy]",
        "x_",
        "$a ",
        "@",
        "a@",
        "a.",
        "\\",
    ],
)
def test_a_mark_that_never_closes_costs_no_words(piece: str) -> None:
    found = words(f"first {piece * 20000} last")
    assert (found[0], found[-1]) == ("first", "last")


def test_scripts_count_letters_alone() -> None:
    assert scripts_of("ab 12 +é না") == {"LATIN": 3, "BENGALI": 1}


@pytest.mark.parametrize(
    ("letter", "script"),
    [
        ("a", "LATIN"), ("ａ", "LATIN"), ("数", "HAN"), ("々", "HAN"), ("𠀀", "HAN"),
        ("ﾀ", "KATAKANA"), ("ー", "KATAKANA"), ("ﾡ", "HANGUL"), ("ক", "BENGALI"), ("Ω", "GREEK"),
        ("া", ""), ("5", ""), ("𝑥", ""), ("ℝ", ""), ("µ", ""), ("º", ""), ("𞸀", ""),
        ("\ud800", ""), ("\U000e0100", ""),
    ],
)  # fmt: skip
def test_script_of_a_letter(letter: str, script: str) -> None:
    assert script_of(letter) == script
    assert scripts_of(letter) == ({script: 1} if script else {})


@UNTIMED
@given(st.text(st.characters(), max_size=60))
def test_fast_counts_are_the_counts_of_single_letters(text: str) -> None:
    counted = scripts_of(text)
    for script in counted:
        assert counted[script] == sum(script_of(char) == script for char in text)
    assert sum(counted.values()) == sum(script_of(char) != "" for char in text)


def test_a_short_text_is_read_whole() -> None:
    text = "word " * (LIMIT // 5)
    assert excerpt(text) == text


def test_pieces_of_a_long_text_are_spread_from_start_to_end() -> None:
    text = "\n".join(f"line{number:05d} ends here" for number in range(2000))
    places = [int(number) for number in re.findall(r"line(\d{5})", excerpt(text))]
    assert places == sorted(places)
    assert places[0] == 0 and places[-1] > 1980
    assert sum(after - before > 100 for before, after in pairwise(places)) == WINDOWS - 1


def test_a_piece_does_not_begin_inside_of_a_formula() -> None:
    text = ("so on and on " * 10 + "$" + "alpha beta " * 20 + "$ ") * 60
    for piece in excerpt(text).split("\n\n"):
        assert not piece.lstrip().startswith(("alpha", "beta"))


def test_a_piece_does_not_begin_inside_of_code() -> None:
    text = ("so\n```\n" + "alpha beta " * 60 + "\n```\n" + "on and on " * 60) * 20
    for piece in excerpt(text).split("\n\n"):
        assert not piece.lstrip().startswith(("alpha", "beta"))


@UNTIMED
@given(TEXTS, st.integers(1, 60))
def test_an_excerpt_is_bounded(text: str, times: int) -> None:
    found = excerpt(text * times)
    assert len(found) <= LIMIT + 2 * WINDOWS
    assert all(piece in text * times for piece in found.split("\n\n")[:1])
