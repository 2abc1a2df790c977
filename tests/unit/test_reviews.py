"""People's corrections: what a file may say, and what stands after it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.corrected import (
    TELLING,
    check_correction,
    faults,
    perturbed_solutions,
    translated_problems,
)
from babelmath.errors import InputError
from babelmath.languages import load_language
from babelmath.perturbation import ERRORS
from babelmath.records import FIELDS, Construction, Problem
from babelmath.review import Review, read_reviews
from babelmath.sources import math_spans, read_problems

REPOSITORY = Path(__file__).resolve().parents[2]
REVIEWS = REPOSITORY / "config" / "review" / "bundled"
IDS = ["mathmist-0001", "mathmist-0002"]
HEAD = "id,field,verdict,correction,errors,note\n"
STRATEGIES = [str(strategy) for strategy in ERRORS]
SLIP = {"type": "incorrect_rule", "step": 1, "text": "Adding gives"}


def read(path: Path, text: str | bytes) -> dict[tuple[str, str], Review]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_reviews(path, "field", FIELDS, IDS)


def named(path: Path) -> str:
    return str(path.relative_to(REVIEWS).with_suffix(""))


def review(verdict: Any, correction: str = "", errors: Any = (), line: int = 2) -> Review:
    return Review(verdict, correction, list(errors), line)


def problem(**changes: Any) -> Problem:
    values = {
        "id": "mathmist-0001", "lang": "en", "subset": "corpus", "kind": "numerical",
        "subdomain": "Algebra", "question": "Solve $x-1=2$.", "solution": "Adding gives $x=3$.",
        "answer": "$3$", "provenance": {"file": "en.jsonl", "line": 1},
    }  # fmt: skip
    return Problem(**(values | changes))


# Files


def test_no_file_is_no_review(tmp_path):
    assert read_reviews(tmp_path / "fr.csv", "field", FIELDS, IDS) == {}


def test_a_header_alone_is_no_review(tmp_path):
    assert read(tmp_path / "fr.csv", HEAD) == {}


def test_a_review_is_found_by_id_and_part(tmp_path):
    text = f'{HEAD}mathmist-0001,question,corrected,"Résoudre, $x$.",,checked\n'
    text += "mathmist-0002,solution,approved,,,\nmathmist-0002,answer,rejected,,,\n"
    assert read(tmp_path / "fr.csv", text) == {
        ("mathmist-0001", "question"): review("corrected", "Résoudre, $x$.", line=2),
        ("mathmist-0002", "solution"): review("approved", line=3),
        ("mathmist-0002", "answer"): review("rejected", line=4),
    }


@pytest.mark.parametrize("verdict", ["", " ", "\t"])
def test_a_blank_verdict_is_passed_over(tmp_path, verdict):
    text = f"{HEAD}mathmist-0001,question,{verdict},half a thought,,\nany,thing,,,,\n"
    assert read(tmp_path / "fr.csv", text) == {}


def test_a_row_that_ends_before_its_verdict_is_passed_over(tmp_path):
    assert read(tmp_path / "fr.csv", f"{HEAD}mathmist-0001,question\n\n") == {}


def test_capitals_and_blanks_of_a_verdict_are_no_matter(tmp_path):
    found = read(tmp_path / "fr.csv", f"{HEAD}mathmist-0001,question, Approved ,,,\n")
    assert found["mathmist-0001", "question"].verdict == "approved"


def test_a_table_saved_by_a_spreadsheet_is_read(tmp_path):
    text = f'\ufeff{HEAD}mathmist-0001,solution,corrected,"one\ntwo",,\n'.replace("\n", "\r\n")
    found = read(tmp_path / "fr.csv", text)
    assert found["mathmist-0001", "solution"].correction == "one\ntwo"


@pytest.mark.parametrize("column", ["id", "field", "verdict", "correction"])
def test_a_missing_column_is_refused(tmp_path, column):
    columns = [one for one in ("id", "field", "verdict", "correction") if one != column]
    with pytest.raises(InputError, match="column is missing") as caught:
        read(tmp_path / "fr.csv", ",".join(columns) + "\n")
    assert (caught.value.line, caught.value.field) == (1, column)


@pytest.mark.parametrize(
    ("row", "field", "value", "words"),
    [
        ("mathmist-0009,question,approved,,,", "id", "mathmist-0009", "unknown id"),
        (" mathmist-0001,question,approved,,,", "id", " mathmist-0001", "unknown id"),
        (",question,approved,,,", "id", "", "unknown id"),
        ("mathmist-0001,title,approved,,,", "field", "title", "unknown field"),
        ("mathmist-0001,,approved,,,", "field", "", "unknown field"),
        ("mathmist-0001,question,right,,,", "verdict", "right", "unknown verdict"),
        ("mathmist-0001,question,corrected,,,", "correction", None, "empty correction"),
        ("mathmist-0001,question,corrected, ,,", "correction", None, "empty correction"),
        ("mathmist-0002,question,rejected,,,", "id", ("mathmist-0002", "question"),
         "stands already in line 2"),
        ("mathmist-0001,question,corrected,x,[1,", "errors", "[1", "not JSON"),
        ('mathmist-0001,question,corrected,x,"{""type"": 1}",', "errors", '{"type": 1}',
         "not a list of objects"),
        ("mathmist-0001,question,corrected,x,[1],", "errors", "[1]", "not a list of objects"),
        ("mathmist-0001,question,corrected,Il vaut $2,$ donc,,", None, [""], "more cells"),
        ("mathmist-0001,question,corrected,x,,,surplus", None, ["surplus"], "more cells"),
        ('mathmist-0001,question,corrected,"never closed,,', None, None, "not CSV"),
        ('mathmist-0001,question,corrected,"a"b,,', None, None, "not CSV"),
    ],
)  # fmt: skip
def test_a_bad_row_is_refused_by_file_line_field_and_value(tmp_path, row, field, value, words):
    path = tmp_path / "fr.csv"
    with pytest.raises(InputError) as caught:
        read(path, f"{HEAD}mathmist-0002,question,approved,,,\n{row}\n")
    assert words in caught.value.problem
    assert (caught.value.file, caught.value.line) == (str(path), 3)
    assert (caught.value.field, caught.value.value) == (field, value)


def test_a_file_that_is_not_utf8_is_refused(tmp_path):
    with pytest.raises(InputError, match="not UTF-8") as caught:
        read(tmp_path / "fr.csv", HEAD.encode() + b"mathmist-0001,question,corrected,\xe9t\xe9,,\n")
    assert caught.value.line == 2


def test_any_id_may_be_named_where_none_are_given(tmp_path):
    path = tmp_path / "fr.csv"
    path.write_text(f"{HEAD}other-1,question,approved,,,\n", encoding="utf-8")
    assert list(read_reviews(path, "field", FIELDS)) == [("other-1", "question")]


@settings(deadline=None)
@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(
        lambda text: text.strip()
    )
)
def test_any_correction_is_read_as_it_was_written(tmp_path_factory, correction):
    stream = io.StringIO()
    csv.writer(stream).writerow(["mathmist-0001", "question", "corrected", correction, "", ""])
    path = tmp_path_factory.getbasetemp() / "any.csv"
    found = read(path, HEAD + stream.getvalue())
    assert found["mathmist-0001", "question"].correction == correction.strip()


# The bundled corrections

TRANSLATIONS = sorted(REVIEWS.glob("*/translation/*.csv"))
PERTURBATIONS = sorted(REVIEWS.glob("mathmist/perturbation/*.csv"))


def bundled(benchmark: str, lang: str) -> dict[str, Problem]:
    language = load_language(REPOSITORY / "resources" / "languages", lang)
    path = REPOSITORY / "resources" / benchmark / f"{lang}.jsonl"
    return {one.id: one for one in read_problems(benchmark, path, language, release=False)}


@pytest.mark.parametrize("path", TRANSLATIONS, ids=named)
def test_a_bundled_translation_keeps_the_mathematics_of_the_english(path):
    english = bundled(path.parts[-3], "en")
    reviews = read_reviews(path, "field", FIELDS, english)
    assert reviews
    for (identity, field), one in reviews.items():
        source = getattr(english[identity], field)
        assert one.verdict == "corrected"
        assert math_spans(one.correction) == math_spans(source), (identity, field)
        assert one.correction != source


def test_bundled_translations_are_of_all_languages_that_have_no_source(repository):
    langs = {named(path).split("/")[0]: set() for path in TRANSLATIONS}
    for path in TRANSLATIONS:
        langs[named(path).split("/")[0]].add(path.stem)
    assert langs == {
        "mathmist": {"fr", "fi", "tr", "lt", "kk"},
        "mmath": {"zh", "ar", "es", "fr", "ja", "ko", "pt", "th", "vi"},
    }


@pytest.mark.parametrize("path", PERTURBATIONS, ids=named)
def test_a_bundled_flawed_solution_keeps_the_rules(path):
    problems = bundled("mathmist", path.stem)
    reviews = read_reviews(path, "strategy", STRATEGIES, problems)
    assert reviews
    for (identity, strategy), one in reviews.items():
        check_correction(one, problems[identity], path)
        assert sorted(str(error["type"]) for error in one.errors) == sorted(ERRORS[int(strategy)])
        for error in one.errors:
            assert str(error["text"]) in one.correction, (identity, strategy)


def test_bundled_flawed_solutions_have_their_errors_in_the_same_places():
    bangla, english = (
        {
            key: sorted((error["type"], error["step"]) for error in one.errors)
            for key, one in read_reviews(path, "strategy", STRATEGIES).items()
        }
        for path in PERTURBATIONS
    )
    assert bangla == english


# Flawed solutions


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Adding gives $x=4$.\n$3$", None),
        ("Adding gives $x=4$. So $3$", "last line is not exactly the answer"),
        ("Adding gives $x=4$.\n$3$.", "last line is not exactly the answer"),
        ("Adding gives $x=4$.\n$3$\n", "last line is not exactly the answer"),
        ("", "last line is not exactly the answer"),
        ("This is WRONG.\n$3$", "says 'wrong'"),
        ("A fallacious step.\n$3$", "says 'fallac'"),
        ("Adding  gives\n$x=3$.\n$3$", "same as the true solution"),
        ("ADDING GIVES $X=3$.\n$3$", "same as the true solution"),
    ],
)
def test_a_flawed_solution_ends_with_the_answer_and_hides_that_it_is_flawed(text, fault):
    assert faults(text, problem()) == ([fault] if fault else [])


@pytest.mark.parametrize("lang", TELLING)
def test_telling_words_are_known_in_both_source_languages(lang):
    for word in TELLING[lang]:
        assert faults(f"x {word} y\n$3$", problem(lang=lang))


@pytest.mark.parametrize(
    ("correction", "errors", "field", "words"),
    [
        ("Adding gives $x=4$.", [SLIP], "correction", "last line"),
        ("Adding gives $x=4$.\n$3$", [], "errors", "names no error"),
        ("Adding gives $x=4$.\n$3$", [SLIP | {"type": "typo"}], "type", "Input should be"),
        ("Adding gives $x=4$.\n$3$", [SLIP | {"step": "1"}], "step", "valid integer"),
        ("Adding gives $x=4$.\n$3$", [SLIP, {"type": "incorrect_rule"}], "step", "required"),
        ("Adding gives $x=4$.\n$3$", [SLIP | {"weight": 1}], "weight", "not permitted"),
    ],
)
def test_a_correction_that_breaks_the_rules_is_refused_with_its_line(
    correction, errors, field, words
):
    with pytest.raises(InputError, match=words) as caught:
        check_correction(review("corrected", correction, errors, 7), problem(), Path("en.csv"))
    assert (caught.value.file, caught.value.line, caught.value.field) == ("en.csv", 7, field)


def perturbation(outcome: str, text: str = "Model gives $x=4$.\n$3$") -> Construction:
    return Construction(
        id="mathmist-0001", lang="en", stage="perturbation", field="1", outcome=outcome, rounds=0,
        text=text, reason="", history=[], detail={"errors": [SLIP]},
    )  # fmt: skip


CORRECTION = "Adding gives $x=5$.\n$3$"


@pytest.mark.parametrize(
    ("outcome", "reviewed", "stands"),
    [
        ("accepted", None, "model"),
        ("unresolved", None, None),
        ("accepted", review("approved"), "model"),
        ("accepted", review("rejected"), None),
        ("unresolved", review("rejected"), None),
        ("accepted", review("corrected", CORRECTION, [SLIP]), "review"),
        ("unresolved", review("corrected", CORRECTION, [SLIP]), "review"),
    ],
)
def test_which_flawed_solution_stands_after_review(outcome, reviewed, stands):
    reviews = {("mathmist-0001", "1"): reviewed} if reviewed else {}
    found = perturbed_solutions([perturbation(outcome)], [problem()], reviews, Path("en.csv"))
    assert [one.provenance["source"] for one in found] == ([stands] if stands else [])
    if found:
        assert (found[0].strategy, found[0].errors[0].type) == (1, "incorrect_rule")
        assert found[0].solution.startswith("Model" if stands == "model" else "Adding")


# Translations


def translation(field: str, outcome: str, text: str) -> Construction:
    return Construction(
        id="mathmist-0001", lang="fr", stage="translation", field=field, outcome=outcome, rounds=0,
        text=text, reason="", history=[], detail={},
    )  # fmt: skip


def made(**outcomes: str) -> list[Construction]:
    """A translation of each field; accepted where not said otherwise."""
    return [translation(name, outcomes.get(name, "accepted"), f"{name} traduit") for name in FIELDS]


@pytest.mark.parametrize(
    ("outcome", "reviewed", "text", "origin"),
    [
        ("accepted", None, "question traduit", "accepted"),
        ("corrected", None, "question traduit", "corrected"),
        ("carried", None, "question traduit", "carried"),
        ("unresolved", None, None, None),
        ("unresolved", review("approved"), "question traduit", "unresolved"),
        ("unresolved", review("corrected", "d'une personne"), "d'une personne", "review"),
        ("accepted", review("corrected", "d'une personne"), "d'une personne", "review"),
        ("accepted", review("approved"), "question traduit", "accepted"),
        ("accepted", review("rejected"), None, None),
        ("unresolved", review("rejected"), None, None),
    ],
)
def test_which_translation_stands_after_review(outcome, reviewed, text, origin):
    reviews = {("mathmist-0001", "question"): reviewed} if reviewed else {}
    found = translated_problems([problem()], made(question=outcome), reviews, "fr")
    assert [one.question for one in found] == ([text] if text else [])
    if found:
        assert f"question: {origin}" in found[0].provenance["checks"]
        assert found[0].provenance["source"] == "translation"
        assert (found[0].lang, found[0].id, found[0].kind) == ("fr", "mathmist-0001", "numerical")


@pytest.mark.parametrize("field", FIELDS)
def test_a_problem_with_one_text_lacking_is_left_out(field):
    assert translated_problems([problem()], made(**{field: "unresolved"}), {}, "fr") == []


def test_a_problem_that_was_never_tried_is_left_out():
    others = [problem(), problem(id="mathmist-0002")]
    assert [one.id for one in translated_problems(others, made(), {}, "fr")] == ["mathmist-0001"]


def test_an_answer_that_is_not_translated_is_the_sources():
    mmath = problem(kind=None, subdomain=None, subset="CNMO", solution=None)
    found = translated_problems([mmath], made()[:1], {}, "fr")
    assert [(one.question, one.answer, one.solution) for one in found] == [
        ("question traduit", "$3$", None)
    ]
    assert found[0].provenance["checks"] == ["question: accepted", "answer: source"]


def test_errors_of_a_correction_are_read_as_json(tmp_path):
    row = io.StringIO()
    cells = ["mathmist-0001", "3", "corrected", CORRECTION, json.dumps([SLIP]), ""]
    csv.writer(row).writerow(cells)
    path = tmp_path / "en.csv"
    path.write_text(HEAD.replace("field", "strategy") + row.getvalue(), encoding="utf-8")
    found = read_reviews(path, "strategy", STRATEGIES, IDS)
    assert found["mathmist-0001", "3"].errors == [SLIP]
