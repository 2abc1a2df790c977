"""Which problem a released entry is about: by number, by item, by question; nothing twice."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.errors import InputError
from babelmath.records import Problem
from babelmath.released.joining import (
    Corpus,
    by_choice,
    by_example,
    by_index,
    by_question,
    too_many,
    whole_number,
)
from babelmath.released.oddities import Oddities
from babelmath.released.reading import Document, normal_key
from small_release import (
    ITEMS,
    answer,
    chosen_option,
    corpus,
    counts,
    explained,
    judged,
    name,
    problems,
    question,
    write,
)

JOINS = {
    "problem_index": (by_index, judged),
    "example_number": (by_example, explained),
    "item": (by_choice, chosen_option),
}


def document(path: Path, entries: list[dict[str, Any]]) -> Document:
    rows = [{normal_key(key): value for key, value in one.items()} for one in entries]
    return Document(write(path, entries), rows, {})


def joined(
    path: Path, how: str, entries: list[dict[str, Any]], subset: Any = None
) -> tuple[list[str], dict[str, int]]:
    oddities = Oddities()
    join, _ = JOINS[how]
    held = corpus("en", subset or range(1, 9))
    ids = join(document(path, entries), held, subset is None, oddities)
    return ids, counts(oddities)


def refusal(path: Path, how: str, entries: list[dict[str, Any]]) -> InputError:
    with pytest.raises(InputError) as caught:
        joined(path, how, entries)
    assert caught.value.file == str(path)
    return caught.value


# Numbers


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (12, 12), ("12", 12), (" 12\n", 12), ("১২", 12), ("012", 12), (0, 0), (True, None),
        (False, None), (1.5, None), (12.0, None), (-1, None), ("-1", None), (10**30, None),
        ("1" * 10, None), (None, None), ("", None), ("²", None), ("½", None), ("1_0", None),
        ([1], None), ({}, None), ("4.2", None), ("1e3", None), ("+1", None),
    ],
)  # fmt: skip
def test_whole_numbers(value, number):
    assert whole_number(value) == number


@given(st.one_of(st.text(max_size=10), st.integers(), st.floats(), st.lists(st.integers())))
def test_anything_is_a_whole_number_or_none(value):
    found = whole_number(value)
    assert found is None or 0 <= found < 10**9


@pytest.mark.parametrize("value", [None, True, 1.5, -1, 10**30, "one", "²", "", [1], ...])
@pytest.mark.parametrize(
    ("how", "field", "key"),
    [
        ("problem_index", "problem_index", "problem_index"),
        ("item", "problem_index", "problem_index"),
        ("example_number", "example_number", "Example Number"),
    ],
)
def test_a_number_that_is_none_is_refused_by_line(tmp_path, how, field, key, value):
    entries = [JOINS[how][1](1), JOINS[how][1](2, **{key: value})]
    error = refusal(tmp_path / "a.json", how, entries)
    assert "not a whole number in entry 2" in error.problem
    assert (error.line, error.field) == (3, field)


def test_numbers_may_be_written_as_texts_of_any_script(tmp_path):
    entries = [judged(1, problem_index="0"), judged(2, problem_index="১")]
    assert joined(tmp_path / "a.json", "problem_index", entries) == ([name(1), name(2)], {})


# By number


@pytest.mark.parametrize("how", JOINS)
def test_entries_in_any_order_and_part(tmp_path, how):
    at = [4, 1, 6, 2]
    ids, odd = joined(tmp_path / "a.json", how, [JOINS[how][1](one) for one in at])
    assert ids == [name(ITEMS[one - 1] if how == "item" else one) for one in at]
    assert not odd


@pytest.mark.parametrize("how", JOINS)
@pytest.mark.parametrize("same", [True, False])
def test_a_record_twice_or_with_anothers_number_is_refused(tmp_path, how, same):
    make = JOINS[how][1]
    key = "Example Number" if how == "example_number" else "problem_index"
    again = make(2) if same else make(4, **{key: make(2)[key]})
    error = refusal(tmp_path / "a.json", how, [make(1), make(2), make(3), again])
    assert error.problem == "the problem of entry 2 again in entry 4"
    assert (error.line, error.field) == (5, normal_key(key))
    assert "count double" in str(error)


@pytest.mark.parametrize(
    ("how", "change", "words"),
    [
        ("problem_index", {"problem_index": 8}, "no problem of the corpus"),
        ("example_number", {"Example Number": "0"}, "no problem of the corpus"),
        ("item", {"problem_index": len(ITEMS)}, "no multiple-choice item has this number"),
    ],
)
def test_a_number_outside_the_corpus_is_refused(tmp_path, how, change, words):
    make = JOINS[how][1]
    error = refusal(tmp_path / "a.json", how, [make(1), make(2, **change)])
    assert words in error.problem and error.line == 3


@pytest.mark.parametrize("how", JOINS)
def test_of_a_subset_other_records_are_left_out(tmp_path, how):
    ids, odd = joined(tmp_path / "a.json", how, [JOINS[how][1](at) for at in range(1, 7)], [2, 4])
    assert [one for one in ids if not one.startswith("left out")][:9].count(name(2)) == 1
    assert [one in (name(2), name(4)) for one in ids].count(True) == 2
    assert not odd


def test_items_of_a_subset_without_the_items_file_are_counted(tmp_path):
    held, oddities = Corpus({one.id: one for one in problems("en", [2])}), Oddities()
    ids = by_choice(document(tmp_path / "a.json", [chosen_option(2)]), held, False, oddities)
    assert ids == ["left out 1"]
    assert counts(oddities) == {"no multiple-choice items tell its problems": 1}


def test_items_are_joined_without_the_items_file_where_the_corpus_is_whole(tmp_path):
    held = Corpus({one.id: one for one in problems()})
    found = by_choice(document(tmp_path / "a.json", [chosen_option(3)]), held, True, Oddities())
    assert found == [name(4)]


# Other data


def test_differences_are_counted_and_blanks_are_none(tmp_path):
    entries = [
        judged(1, question="Find  $1x$\n(en)."),
        judged(2, question="Other"),
        judged(3, exact_answer="Other", answer_type=" Proof"),
        judged(4, answer_type="Symbolic"),
    ]
    ids, odd = joined(tmp_path / "a.json", "problem_index", entries)
    assert ids == [name(one) for one in (1, 2, 3, 4)]
    assert odd == {
        "question differs from the corpus": 1, "exact_answer differs from the corpus": 1,
        "kind label with stray blanks": 1, "kind differs from the corpus": 1,
    }  # fmt: skip


@pytest.mark.parametrize("fields", [("question", "exact_answer"), ("question",), ("exact_answer",)])
def test_entries_of_other_data_are_refused_at_the_first(tmp_path, fields):
    other = dict.fromkeys(fields, "Other") | {
        one: ... for one in ("question", "exact_answer") if one not in fields
    }
    entries = [judged(1), *(judged(at, **other) for at in range(2, 6))]
    error = refusal(tmp_path / "a.json", "problem_index", entries)
    assert "4 of 5 records do not match the corpus" in error.problem
    assert error.line == 3
    ids, odd = joined(tmp_path / "a.json", "problem_index", entries[:4])
    assert len(ids) == 4 and set(odd.values()) == {3}


def anothers(how: str, at: int, other: int, **more: Any) -> dict[str, Any]:
    """The entry of one problem with the question and answer of another."""
    texts = {"question": question("en", other), "exact_answer": answer("en", other)}
    if how == "example_number":
        texts = {"Question": texts["question"], "Exact Answer": texts["exact_answer"]}
    return JOINS[how][1](at, **(texts | more))


@pytest.mark.parametrize("how", JOINS)
def test_anothers_question_and_answer_under_a_number_name_that_problem(tmp_path, how):
    make = JOINS[how][1]
    entries = [make(1), anothers(how, 2, 8), make(5)]
    error = refusal(tmp_path / "a.json", how, entries)
    assert error.problem == f"the question and answer of {name(8)} under another number in entry 2"
    assert (error.line, error.field) == (3, normal_key("Example Number" if how == "example_number"
                                                       else "problem_index"))  # fmt: skip
    assert "exchanged" in str(error)


def test_exchanged_numbers_are_told_by_the_first_and_in_other_spacing(tmp_path):
    entries = [judged(1), judged(2, problem_index=6), judged(7, problem_index=1)]
    entries[1]["question"] = "Find\n $2x$  (en)."
    error = refusal(tmp_path / "a.json", "problem_index", entries)
    assert f"answer of {name(2)} under another number in entry 2" in error.problem
    assert (error.line, error.value) == (3, 6)


@pytest.mark.parametrize(
    "change",
    [{"question": question("en", 8)}, {"exact_answer": answer("en", 8)},
     {"question": question("en", 8), "exact_answer": answer("en", 7)},
     {"question": question("en", 8), "exact_answer": ...},
     {"question": question("fr", 8), "exact_answer": answer("en", 8)}],
)  # fmt: skip
def test_less_than_anothers_question_and_answer_is_counted(tmp_path, change):
    ids, odd = joined(tmp_path / "a.json", "problem_index", [judged(1), judged(2, **change)])
    assert ids == [name(1), name(2)]
    assert set(odd.values()) == {1} and odd


def test_of_a_subset_the_text_of_a_problem_outside_is_counted(tmp_path):
    entries = [judged(1), anothers("problem_index", 2, 8)]
    ids, odd = joined(tmp_path / "a.json", "problem_index", entries, [1, 2])
    assert ids == [name(1), name(2)]
    assert odd == {"question differs from the corpus": 1, "exact_answer differs from the corpus": 1}


def test_other_data_in_a_subset_are_measured_by_the_entries_compared(tmp_path):
    other = [judged(at, question="Other", exact_answer="Other") for at in range(1, 6)]
    more = [judged(1, problem_index=at) for at in range(100, 400)]
    with pytest.raises(InputError, match="5 of 5 records do not match"):
        joined(tmp_path / "a.json", "problem_index", other + more, range(1, 6))


@pytest.mark.parametrize(
    ("wrong", "compared", "refused"),
    [(0, 0, False), (3, 3, False), (4, 4, True), (5, 100, False), (6, 100, True),
     (72, 1445, False), (73, 1445, True)],
)  # fmt: skip
def test_how_many_may_differ(wrong, compared, refused):
    assert too_many(wrong, compared) is refused


# By question


def sample(lang: str, numbers: list[int], **changes: Any) -> list[dict[str, Any]]:
    return [judged(number, lang, problem_index=at, **changes) for at, number in enumerate(numbers)]


def questioned(
    folder: Path, files: dict[str, list[dict[str, Any]]], corpora: dict[str, Corpus], whole=True
) -> tuple[dict[str, list[int | None]], dict[str, int]]:
    """Problem numbers by file (its name begins with the language), in the files' given order."""
    oddities = Oddities()
    made = {key: document(folder / f"{key}.json", rows) for key, rows in files.items()}
    by_lang: dict[str, list[Document]] = {}
    for key, one in made.items():
        by_lang.setdefault(key[:2], []).append(one)
    ids = by_question(by_lang, corpora, whole, oddities)
    return {
        key: [int(one[-4:]) if one.startswith("mathmist") else None for one in ids[id(made[key])]]
        for key in files
    }, counts(oddities)


def with_question(held: Corpus, number: int, text: str, **more: Any) -> Corpus:
    """A corpus in which one problem asks something else."""
    found: dict[str, Problem] = dict(held.problems)
    found[name(number)] = found[name(number)].model_copy(update={"question": text, **more})
    return Corpus(found, held.choices)


CORPORA = {lang: corpus(lang) for lang in ("bn", "en", "fr")}


def test_sample_files_are_joined_by_their_questions(tmp_path):
    files = {"en": sample("en", [7, 2, 5]), "fr": sample("fr", [7, 2, 5])}
    assert questioned(tmp_path, files, CORPORA) == ({"en": [7, 2, 5], "fr": [7, 2, 5]}, {})


def test_a_question_of_two_problems_is_told_apart_by_its_answer(tmp_path):
    corpora = CORPORA | {"en": with_question(CORPORA["en"], 2, question("en", 7))}
    entries = [judged(7), judged(2, question=question("en", 7), problem_index=1)]
    for order in itertools.permutations(entries):
        found, odd = questioned(tmp_path, {"en": list(order)}, corpora)
        assert found["en"] == [7 if one is entries[0] else 2 for one in order]
        assert not odd


SAME = CORPORA | {"en": with_question(CORPORA["en"], 4, question("en", 8), answer=answer("en", 8))}


def test_a_question_of_two_problems_is_told_apart_by_other_languages(tmp_path):
    files = {
        "fr": sample("fr", [4, 8, 5]),
        "en 1": sample("en", [8, 8, 5]),
        "en 2": sample("en", [8, 8, 5]),
    }
    for order in itertools.permutations(files):
        found, odd = questioned(tmp_path, {key: files[key] for key in order}, SAME)
        assert all(one == [4, 8, 5] for one in found.values()), order
        assert odd == {"question of several problems": 4}


def test_a_question_of_two_problems_that_nothing_tells_apart_is_taken_once_each(tmp_path):
    found, odd = questioned(tmp_path, {"en": sample("en", [8, 5, 8])}, SAME)
    assert found["en"] == [4, 5, 8]
    assert odd == {"question of several problems": 2}
    with pytest.raises(InputError, match="the problem of entry 1 again in entry 3"):
        questioned(tmp_path, {"en": sample("en", [8, 8, 8])}, SAME)


def test_a_question_of_no_problem_is_placed_by_other_languages(tmp_path):
    files = {
        "en": [*sample("en", [7, 2]), judged(5, question="Reworded", problem_index=2)],
        "fr": sample("fr", [7, 2, 5]),
        "bn": sample("bn", [7, 2, 5]),
    }
    for order in itertools.permutations(files):
        found, odd = questioned(tmp_path, {key: files[key] for key in order}, CORPORA)
        assert all(one == [7, 2, 5] for one in found.values()), order
        assert odd == {"question not in the corpus": 1}


def test_languages_that_disagree_are_ranked_alike_in_any_order(tmp_path):
    files = {
        "en": [judged(1, question="Reworded")],
        "fr": sample("fr", [4]),
        "bn": sample("bn", [2]),
    }
    for order in itertools.permutations(files):
        found, _ = questioned(tmp_path, {key: files[key] for key in order}, CORPORA)
        assert found["en"] == [2]


def test_a_question_that_nothing_places_is_refused(tmp_path):
    files = {"en": [judged(1), judged(2, question="Other")]}
    with pytest.raises(InputError, match="stands in no corpus in entry 2") as caught:
        questioned(tmp_path, files, CORPORA)
    assert (caught.value.line, caught.value.field) == (3, "question")
    assert questioned(tmp_path, files, CORPORA, whole=False)[0] == {"en": [1, None]}


def test_a_sample_file_of_other_data_is_refused(tmp_path):
    numbers = list(range(1, 9))
    files = {"fr": sample("fr", numbers), "en": sample("en", numbers, question="Other")}
    with pytest.raises(InputError, match="8 of 8 records do not match the corpus"):
        questioned(tmp_path, files, CORPORA)


@pytest.mark.parametrize(
    ("spoilt", "line", "field"),
    [
        (judged(3, problem_index=0), 4, "problem_index"),
        (judged(1, problem_index=2), 4, "question"),
        (judged(3, question=...), 4, "question"),
        (judged(3, problem_index="x"), 4, "problem_index"),
    ],
)
def test_a_spoilt_sample_record_is_refused_by_its_line(tmp_path, spoilt, line, field):
    with pytest.raises(InputError) as caught:
        questioned(tmp_path, {"en": [judged(1), judged(2), spoilt]}, CORPORA)
    assert (caught.value.line, caught.value.field) == (line, field)


def test_of_a_subset_a_question_of_a_problem_outside_is_not_taken_for_one_inside(tmp_path):
    inside = {"en": corpus("en", [7]), "fr": corpus("fr", [7])}
    entries = [judged(2, question=question("en", 7)), judged(5)]
    found, odd = questioned(tmp_path, {"en": entries}, inside, whole=False)
    assert found["en"] == [None, None]
    assert odd == {"question of the corpus with another answer": 1}


@given(st.permutations(list(range(1, 9))), st.randoms(use_true_random=False))
def test_samples_in_any_order_are_joined(tmp_path_factory, numbers, draw: random.Random):
    files = {lang: sample(lang, numbers) for lang in CORPORA}
    for rows in files.values():
        draw.shuffle(rows)
    folder = tmp_path_factory.getbasetemp()
    found, odd = questioned(folder, files, CORPORA)
    for lang, rows in files.items():
        assert found[lang] == [numbers[one["problem_index"]] for one in rows]
    assert not odd
