"""Language files: what the workflow knows of each language, and what it refuses."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
import yaml

from babelmath.errors import InputError
from babelmath.languages import Language, available, load_language, load_languages

MATHMIST = ["bn", "en", "fr", "fi", "tr", "lt", "kk"]
MMATH = ["en", "zh", "ar", "es", "fr", "ja", "ko", "pt", "th", "vi"]
ALL = sorted({*MATHMIST, *MMATH})
FACTS = {
    "name": "Elvish", "native_name": "Quenya", "scripts": ["Tengwar"], "decimal": ",",
    "grouping": [" "], "digits": "", "direction": "ltr",
    "terms": {"let": "na", "such_that": "sa", "prove": "tanca"}, "final_answer": ["hanquenta"],
}  # fmt: skip


@pytest.fixture
def folder(repository: Path) -> Path:
    return repository / "resources" / "languages"


def spoilt(folder: Path, **changes: object) -> InputError:
    """The error of a language file with some facts changed; None takes one away."""
    facts = {key: value for key, value in (FACTS | changes).items() if value is not None}
    (folder / "xx.yaml").write_text(yaml.safe_dump(facts), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_language(folder, "xx")
    assert caught.value.file == str(folder / "xx.yaml")
    return caught.value


def test_all_languages_of_both_papers_are_there(folder):
    assert available(folder) == ALL
    assert len(ALL) == 15


@pytest.mark.parametrize("code", ALL)
def test_a_language_file_loads_and_is_complete(folder, code):
    language = load_language(folder, code)
    assert language.code == code
    assert all([language.name, language.native_name, language.scripts, language.final_answer])
    assert len(language.digits) in (0, 10)
    assert all(language.terms.values()) or code == "en"


@pytest.mark.parametrize("code", ALL)
def test_all_languages_know_the_same_terms(folder, code):
    french = load_language(folder, "fr").terms.keys()
    assert code == "en" or load_language(folder, code).terms.keys() == french


@pytest.mark.parametrize("code", ALL)
def test_words_that_answers_are_read_by_are_there_and_composed(folder, code):
    language = load_language(folder, code)
    assert all([language.conjunctions, language.alternatives, language.copulas])
    assert len(language.number_words) >= 11
    assert not set(language.conjunctions) & set(language.alternatives)
    for words in (
        language.final_answer, language.copulas, language.endings, language.conjunctions,
        language.alternatives, language.number_words, language.ordinals,
    ):  # fmt: skip
        assert len(set(words)) == len(words)
        assert all(unicodedata.is_normalized("NFC", word) for word in words)


def test_only_bangla_groups_by_lakh(folder):
    assert [code for code in ALL if load_language(folder, code).lakh] == ["bn"]


def test_names_are_each_languages_own(folder):
    languages = load_languages(folder / f"{code}.yaml" for code in ALL)
    assert list(languages) == ALL
    assert len({one.name for one in languages.values()}) == 15
    assert len({one.native_name for one in languages.values()}) == 15


def test_an_unknown_language_is_refused_and_the_known_ones_named(folder):
    with pytest.raises(InputError, match="unknown language") as caught:
        load_language(folder, "de")
    assert caught.value.value == "de"
    assert caught.value.file == str(folder / "de.yaml")
    assert "Known are ar, bn, en" in str(caught.value)


def test_a_code_comes_from_the_file_name(tmp_path):
    (tmp_path / "xx.yaml").write_text(yaml.safe_dump(FACTS), encoding="utf-8")
    assert load_language(tmp_path, "xx").code == "xx"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"colour": "green"}, "colour"),
        ({"direction": None}, "direction"),
        ({"direction": "down"}, "direction"),
        ({"decimal": ";"}, "decimal"),
        ({"scripts": "Latin"}, "scripts"),
        ({"terms": {"let": 3}}, "terms.let"),
        ({"digits": 10}, "digits"),
    ],
)
def test_a_spoilt_fact_is_refused_by_its_field(tmp_path, changes, field):
    assert spoilt(tmp_path, **changes).field == field


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a YAML mapping"),
        (b"- Latin\n", "not a YAML mapping"),
        (b"name: [French\n", "not a YAML mapping"),
        (b"name: \x00\n", "not a YAML mapping"),
        (b"name: Fran\xe7ais\n", "not UTF-8"),
    ],
)
def test_a_file_that_is_no_mapping_is_refused(tmp_path, data, words):
    (tmp_path / "xx.yaml").write_bytes(data)
    with pytest.raises(InputError, match=words) as caught:
        load_language(tmp_path, "xx")
    assert caught.value.file == str(tmp_path / "xx.yaml")


@pytest.mark.parametrize(
    ("text", "conventions"),
    [
        ("Find $x$.", "decimals as in 3,14"),
        ("Let $x$ be even.", "decimals as in 3,14; let = na"),
        ("The outlet is violet.", "decimals as in 3,14"),
        ("Prove it. LET $x>0$.", "decimals as in 3,14; let = na; prove = tanca"),
        ("$x$ such that $x>1$", "decimals as in 3,14; such that = sa"),
    ],
)
def test_a_translator_is_told_the_decimal_sign_and_the_terms_that_occur(text, conventions):
    assert Language(code="xx", **FACTS).conventions(text) == conventions
