"""Answers of all languages in plain notation."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.scoring.escapes import repair_escapes
from babelmath.scoring.plain.notation import (
    LONGEST,
    PASSES,
    Extracted,
    gold_readings,
    join,
    normalise,
)
from stand_ins import LANGUAGES, UNTIMED, each_case, read_cases

ANY_TEXT = st.text(st.characters())  # lone surrogates and control characters too
MARKS = [
    *"0123456789,.;:!*_$\\()[]{}~ -+/%x^e'\"<>&#`৩٩٫٬،।½²√−×π…", "\u00a0", "\u202f", "\u200b",
    "\\frac", "\\sqrt", "\\text{", " and ", " or ", "\\,", "{,}", "{.}", "\\overline{", "\\dot{",
    "sin", "th", "\\left", "**", "\x0c", "\t", " y ", "و", "和", "五", "\\begin{align}",
]  # fmt: skip
ANSWER_LIKE = st.lists(st.sampled_from(MARKS), max_size=14).map("".join)
LANGUAGE = st.sampled_from(sorted(LANGUAGES))
COMMAS = ["es", "fi", "fr", "kk", "lt", "pt", "tr", "vi"]
KINDS = {
    "blanks", "braces", "composed letters", "conjunctions", "currency signs", "decimal comma",
    "degree signs", "dollars", "dots", "end mark", "fonts", "fraction characters",
    "fraction forms", "full-width forms", "function names", "html", "invisible marks", "layout",
    "look-alike letters", "markdown", "mixed numbers", "native digits", "number words", "ordinals",
    "percent signs", "powers and roots", "quotation marks", "remark", "repeating decimals",
    "roots", "scientific notation", "separators", "signs", "subscripts", "superscripts",
    "thousands",
}  # fmt: skip


@each_case("rewrites.jsonl")
def test_notation(case: dict[str, Any]) -> None:
    assert normalise(case["text"], LANGUAGES[case["lang"]], "box").text == case["answer"]


@each_case("rewrites.jsonl")
def test_every_rewrite_is_listed(case: dict[str, Any]) -> None:
    found = normalise(case["text"], LANGUAGES[case["lang"]], "box")
    assert list(found.rewrites) == case["rewrites"]


def test_table_of_rewrites_shows_every_kind() -> None:
    shown = {name for case in read_cases("rewrites.jsonl") for name in case["rewrites"]}
    assert {name for name in shown if not name.startswith("escape repaired: ")} == KINDS


@each_case("gold_readings.jsonl")
def test_readings_of_an_exact_answer(case: dict[str, Any]) -> None:
    found = gold_readings(case["text"], LANGUAGES[case["lang"]], case["western"])
    assert [one.text for one in found] == case["readings"]


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_decimal_comma_is_read_exactly_where_the_language_writes_it(code: str) -> None:
    assert normalise("3,5", LANGUAGES[code], "box").text == ("3.5" if code in COMMAS else "3,5")


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_digits_of_a_language_read_as_ascii(code: str) -> None:
    digits = LANGUAGES[code].digits
    assert normalise("1" + digits, LANGUAGES[code], "box").text == "1" + "0123456789"[: len(digits)]


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_conjunctions_of_a_language_join_a_list(code: str) -> None:
    language = LANGUAGES[code]
    for word in (*language.conjunctions, *language.alternatives):
        assert normalise(f"2 \\text{{ {word} }} 3", language, "box").text == "2, 3"
        assert normalise(f"2 {word} 3", language, "box").text == "2, 3"


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_alternatives_of_a_language_stay_between_equations(code: str) -> None:
    language = LANGUAGES[code]
    for word in language.alternatives:
        found = normalise(f"x=2 \\text{{ {word} }} x=3", language, "box")
        assert found.text == "x=2 \\text{ or } x=3"


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_names_of_numbers_of_a_language(code: str) -> None:
    words = LANGUAGES[code].number_words
    assert len(words) > 10
    for value, forms in enumerate(words):
        for form in forms.split("|"):
            assert normalise(form, LANGUAGES[code], "phrase").text == str(value)


def test_a_text_that_is_too_long_for_an_answer_stays() -> None:
    text = "**" + "x" * LONGEST
    assert normalise(text, LANGUAGES["en"], "box") == Extracted(text, "box")


@UNTIMED
@given(ANY_TEXT | ANSWER_LIKE, LANGUAGE, st.booleans())
def test_notation_never_raises(text: str, code: str, western: bool) -> None:
    normalise(text, LANGUAGES[code], "box")
    gold_readings(text, LANGUAGES[code], western)


@UNTIMED
@given(ANY_TEXT | ANSWER_LIKE, LANGUAGE)
def test_normalising_twice_changes_nothing(text: str, code: str) -> None:
    once = normalise(text, LANGUAGES[code], "box")
    assert normalise(once.text, LANGUAGES[code], "box") == Extracted(once.text, "box")


@UNTIMED
@given(ANY_TEXT | ANSWER_LIKE, LANGUAGE)
def test_a_reading_of_a_gold_is_in_plain_notation(text: str, code: str) -> None:
    for reading in gold_readings(text, LANGUAGES[code], True):
        again = normalise(reading.text, LANGUAGES[code], "gold")
        assert again == Extracted(reading.text, "gold")


@UNTIMED
@given(ANY_TEXT | ANSWER_LIKE, LANGUAGE)
def test_a_changed_text_has_a_listed_rewrite(text: str, code: str) -> None:
    found = normalise(text, LANGUAGES[code], "box")
    assert found.rewrites or found.text == text.strip()


@UNTIMED
@given(st.integers(min_value=0, max_value=10**12), LANGUAGE)
def test_grouped_integers_read_as_their_value(value: int, code: str) -> None:
    for mark in LANGUAGES[code].grouping:
        grouped = f"{value:,}".replace(",", mark)
        assert int(normalise(grouped, LANGUAGES[code], "box").text) == value


@UNTIMED
@given(
    st.decimals(min_value=-(10**9), max_value=10**9, places=3, allow_nan=False), LANGUAGE,
    st.booleans(), st.sampled_from(["", "$", "**", "\\boxed"]),
)  # fmt: skip
def test_localised_decimals_read_as_their_value(
    value: Any, code: str, grouped: bool, around: str
) -> None:
    language = LANGUAGES[code]
    groups = language.grouping[0] if grouped or "." in language.grouping else ""
    western = f"{value:,.3f}"
    text = western.translate({ord(","): groups, ord("."): language.decimal})
    if language.digits:
        text = text.translate(str.maketrans("0123456789", language.digits))
    text = f"\\boxed{{{text}}}" if around == "\\boxed" else around + text + around
    read = normalise(text, language, "box").text.replace("{.}", ".")
    assert read == western.replace(",", "")


@pytest.mark.parametrize("text", ["x = 1\nu = 2", "a\tb", "two\rlines", "eqs\neq. 5"])
def test_control_characters_that_are_no_eaten_command_stay(text: str) -> None:
    assert repair_escapes(text) == (text, ())


@pytest.mark.parametrize(
    ("eaten", "command"),
    [
        ("\x0crac{1}{2}", "\\frac"), ("2\times 3", "\\times"), ("\text{cm}", "\\text"),
        ("\theta", "\\theta"), ("n\to\\infty", "\\to"), ("\tan(x)", "\\tan"),
        ("\x08oxed{5}", "\\boxed"), ("\x08eta", "\\beta"), ("\neq 5", "\\neq"),
        ("\notin", "\\notin"), ("\rho", "\\rho"), ("(1\right)", "\\right"),
        ("\x0barphi", "\\varphi"), ("\x0bec{a}", "\\vec"), ("\alpha", "\\alpha"),
        ("\angle", "\\angle"), ("\forall", "\\forall"), ("\x08inom{5}{2}", "\\binom"),
    ],
)  # fmt: skip
def test_eaten_commands_are_repaired_and_named(eaten: str, command: str) -> None:
    repaired, names = repair_escapes(eaten)
    assert command in repaired
    assert names == (f"escape repaired: {command}",)
    assert not any(unicodedata.category(char) == "Cc" for char in repaired)


@pytest.mark.parametrize(
    ("parts", "code", "text"),
    [
        (["3", "5"], "en", "3,5"), (["3", "5"], "fr", "3, 5"), (["1", "234"], "en", "1, 234"),
        (["1", "2345"], "en", "1,2345"), (["x", "5"], "fr", "x,5"), (["5"], "fr", "5"),
    ],
)  # fmt: skip
def test_joined_answers_read_as_a_list(parts: list[str], code: str, text: str) -> None:
    assert join(parts, LANGUAGES[code]) == text
    assert normalise(text, LANGUAGES[code], "box").text == text


def test_passes_are_enough_for_what_is_nested() -> None:
    text = "\\mathbf{" * PASSES + "5" + "}" * PASSES
    assert normalise(text, LANGUAGES["en"], "box").text == "5"
