"""Records: one schema each, no unknown fields, no silent conversions, no repeated keys."""

from __future__ import annotations

import json
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from babelmath.errors import InputError
from babelmath.records import (
    ChoiceItem,
    Construction,
    Generation,
    LanguageRecord,
    Perturbed,
    Problem,
    Proposal,
    Record,
    Verdict,
    iter_records,
    load_records,
    save_records,
    write_records,
)

LABEL = {"paper": "en", "strict": "und", "p": 0.5, "scripts": {"LATIN": 3}}
VALID: dict[type[Record], dict[str, Any]] = {
    Problem: {
        "id": "mathmist-0001", "lang": "bn", "subset": "corpus", "kind": "proof",
        "subdomain": "Algebra", "question": "প্রমাণ কর", "solution": None, "answer": "প্রমাণিত",
        "provenance": {"source": "bundled", "file": "bn.jsonl", "line": 1, "checks": []},
    },
    ChoiceItem: {
        "id": "mathmist-0001", "lang": "en", "question": "q", "options": ["1", "2", "3", "4"],
        "key": "B", "sources": ["calc", "gold", "plaus", "concept"], "provenance": {},
    },
    Perturbed: {
        "id": "mathmist-0001", "lang": "en", "strategy": 2, "solution": "s",
        "errors": [{"type": "logical_fallacy", "step": 1, "text": "s"}], "checks": {},
        "provenance": {},
    },
    Generation: {
        "id": "mmath-0001", "lang": "th", "sample": 0, "thinking": "", "answer": "a", "raw": "a",
        "finish": "stop", "prompt_tokens": 7, "completion_tokens": 3, "seed": 5, "model": "m",
        "engine": "openai", "sent": {}, "flags": [], "provenance": {"journal": "k"},
    },
    Verdict: {
        "id": "mmath-0001", "lang": "th", "sample": 0, "scorer": "rules-paper",
        "status": "wrong", "correct": False, "extracted": "4", "gold": "5", "rewrites": [],
        "judge": None, "provenance": {},
    },
    LanguageRecord: {
        "id": "mmath-0001", "lang": "th", "sample": 0, "thinking": LABEL, "answering": LABEL,
        "flags": [],
    },
    Proposal: {"id": "mathmist-0001", "lang": "en", "text": "$7$", "journal": "k"},
    Construction: {
        "id": "mathmist-0001", "lang": "fr", "stage": "translation", "field": "question",
        "outcome": "accepted", "rounds": 0, "text": "t", "reason": "", "history": [], "detail": {},
    },
}  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@pytest.fixture(params=VALID, ids=lambda model: model.__name__)
def model(request) -> type[Record]:
    return request.param


def write(path: Path, *raws: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(raw) + "\n" for raw in raws), encoding="utf-8")
    return path


def refusal(path: Path, model: type[Record]) -> InputError:
    with pytest.raises(InputError) as caught:
        load_records(path, model)
    return caught.value


def test_every_kind_of_record_is_written_and_read_again(tmp_path, model):
    record = model.model_validate(VALID[model])
    assert save_records(tmp_path / "a.jsonl", [record]) == 1
    assert load_records(tmp_path / "a.jsonl", model) == [record]


def test_an_unknown_field_is_refused(tmp_path, model):
    path = write(tmp_path / "a.jsonl", VALID[model] | {"surplus": "x"})
    error = refusal(path, model)
    assert (error.file, error.line, error.field, error.value) == (str(path), 1, "surplus", "x")


def test_a_missing_field_is_refused(tmp_path, model):
    for name in VALID[model]:
        raw = {key: value for key, value in VALID[model].items() if key != name}
        error = refusal(write(tmp_path / "a.jsonl", raw), model)
        assert (error.line, error.field) == (1, name)


def test_a_key_that_stands_twice_names_both_lines(tmp_path, model):
    other = VALID[model] | {"id": "other"}
    error = refusal(write(tmp_path / "a.jsonl", other, VALID[model], VALID[model]), model)
    assert error.line == 3
    assert "stands already in line 2" in error.problem
    assert str(VALID[model]["id"]) in error.problem


def test_a_key_that_stands_twice_is_not_written(tmp_path, model):
    record = model.model_validate(VALID[model])
    with pytest.raises(InputError, match="occurs twice"):
        save_records(tmp_path / "a.jsonl", [record, record])
    assert not (tmp_path / "a.jsonl").exists()


def test_a_record_cannot_be_changed(model):
    record = model.model_validate(VALID[model])
    with pytest.raises(ValidationError):
        record.id = "other"


@pytest.mark.parametrize(
    ("model", "field", "value"),
    [
        (Generation, "sample", "0"),
        (Generation, "sample", True),
        (Generation, "prompt_tokens", 7.0),
        (Generation, "finish", "end"),
        (Generation, "answer", None),
        (Problem, "kind", "Numerical"),
        (Problem, "kind", "algebraic"),
        (Problem, "id", 1),
        (Problem, "question", ["a"]),
        (ChoiceItem, "key", "E"),
        (ChoiceItem, "key", "a"),
        (Perturbed, "strategy", 4),
        (Perturbed, "strategy", "1"),
        (Verdict, "correct", "false"),
        (Verdict, "correct", 0),
        (Verdict, "status", "right"),
        (Construction, "outcome", "approved"),
        (Construction, "stage", "translations"),
    ],
)
def test_a_value_of_another_type_is_refused_and_not_converted(tmp_path, model, field, value):
    error = refusal(write(tmp_path / "a.jsonl", VALID[model] | {field: value}), model)
    assert (error.field, error.value) == (field, value)
    assert model.__name__ in str(error)


def test_a_fault_inside_a_nested_record_has_a_dotted_field(tmp_path):
    raw = VALID[Perturbed] | {"errors": [{"type": "typo", "step": 1, "text": "s"}]}
    error = refusal(write(tmp_path / "a.jsonl", raw), Perturbed)
    assert (error.field, error.value) == ("errors.0.type", "typo")


@pytest.mark.parametrize(
    "status",
    ["correct", "wrong", "truncated", "blocked", "no_answer", "unparsed_gold", "timeout",
     "unresolved"],
)  # fmt: skip
def test_a_verdict_is_correct_for_status_correct_and_only_then(status):
    raw = VALID[Verdict] | {"status": status}
    truth = status == "correct"
    assert Verdict.model_validate(raw | {"correct": truth}).correct is truth
    with pytest.raises(ValidationError, match="only then"):
        Verdict.model_validate(raw | {"correct": not truth})


@pytest.mark.parametrize(
    ("model", "field", "value"),
    [
        (Problem, "lang", "fr"),
        (Perturbed, "strategy", 3),
        (Generation, "sample", 1),
        (Verdict, "scorer", "rules-strict"),
        (Construction, "field", None),
        (Construction, "stage", "choices"),
    ],
)
def test_records_that_differ_in_their_key_stand_side_by_side(tmp_path, model, field, value):
    write(tmp_path / "a.jsonl", VALID[model], VALID[model] | {field: value})
    assert len(load_records(tmp_path / "a.jsonl", model)) == 2


def test_records_are_written_in_the_order_of_their_keys(tmp_path):
    keys = [("b", "en", 0), ("a", "th", 2), ("a", "th", 10), ("a", "en", 1)]
    records = [
        Generation.model_validate(VALID[Generation] | {"id": id, "lang": lang, "sample": sample})
        for id, lang, sample in keys
    ]
    save_records(tmp_path / "a.jsonl", records)
    assert [one.identity for one in load_records(tmp_path / "a.jsonl", Generation)] == [
        ("a", "en", 1), ("a", "th", 2), ("a", "th", 10), ("b", "en", 0),
    ]  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), unique_by=lambda texts: texts[0], max_size=5))
def test_any_text_survives_a_record(tmp_path_factory, texts):
    path = tmp_path_factory.getbasetemp() / "records.jsonl"
    problems = [
        Problem.model_validate(VALID[Problem] | {"id": id, "question": question, "answer": answer})
        for id, question, answer in texts
    ]
    save_records(path, problems)
    assert {one.id: one for one in load_records(path, Problem)} == {one.id: one for one in problems}


def responses(*keys: tuple[str, str, int]) -> list[Generation]:
    return [
        Generation.model_validate(VALID[Generation] | {"id": id, "lang": lang, "sample": sample})
        for id, lang, sample in keys
    ]


ORDERED = responses(("a", "en", 1), ("a", "th", 2), ("a", "th", 10), ("b", "en", 0))


def test_records_read_one_by_one_are_those_of_the_whole_file(tmp_path, model):
    record = model.model_validate(VALID[model])
    save_records(tmp_path / "a.jsonl", [record])
    assert list(iter_records(tmp_path / "a.jsonl", model)) == [record]


def test_records_written_one_by_one_make_the_same_file(tmp_path):
    assert write_records(tmp_path / "a.jsonl", iter(ORDERED)) == 4
    assert save_records(tmp_path / "b.jsonl", ORDERED[::-1]) == 4
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert list(iter_records(tmp_path / "a.jsonl", Generation)) == ORDERED


def test_records_before_a_bad_line_are_read(tmp_path):
    path = write(tmp_path / "a.jsonl", VALID[Generation])
    path.write_bytes(path.read_bytes() + b"bad\n")
    coming = iter_records(path, Generation)
    assert next(coming) == Generation.model_validate(VALID[Generation])
    with pytest.raises(InputError) as caught:
        next(coming)
    assert caught.value.line == 2


def test_a_file_out_of_order_is_refused_by_its_line(tmp_path):
    raws = [one.model_dump(mode="json") for one in (*ORDERED[:2], ORDERED[3], ORDERED[2])]
    path = write(tmp_path / "a.jsonl", *raws)
    with pytest.raises(InputError, match="in the order of their keys") as caught:
        list(iter_records(path, Generation))
    assert (caught.value.file, caught.value.line) == (str(path), 4)
    assert "('a', 'th', 10) stands after ('b', 'en', 0)" in caught.value.problem


@pytest.mark.parametrize("apart", [0, 1, 2])
def test_a_key_that_stands_twice_is_refused_however_far_apart(tmp_path, apart):
    """A hand that appends to a file leaves it out of order, unless the two lines are neighbours."""
    raws = [one.model_dump(mode="json") for one in ORDERED[: apart + 1]]
    path = write(tmp_path / "a.jsonl", *raws, raws[0])
    with pytest.raises(InputError) as caught:
        list(iter_records(path, Generation))
    assert caught.value.line == apart + 2
    words = "stands already in line 1" if apart == 0 else "stands after"
    assert words in caught.value.problem


@pytest.mark.parametrize(
    ("order", "words"),
    [((0, 0), "occurs twice"), ((1, 0), "comes after"), ((0, 2, 1), "comes after")],
)
def test_records_that_come_out_of_order_are_not_written(tmp_path, order, words):
    path = tmp_path / "a.jsonl"
    path.write_text("old\n")
    with pytest.raises(InputError, match=words):
        write_records(path, (ORDERED[place] for place in order))
    assert path.read_text() == "old\n"
    assert [one.name for one in tmp_path.iterdir()] == ["a.jsonl"]


def test_from_file_to_file_few_records_are_held_at_once(tmp_path):
    many = responses(*((f"{number:04d}", "en", 0) for number in range(300)))
    save_records(tmp_path / "a.jsonl", many)
    del many
    alive: weakref.WeakValueDictionary[str, Generation] = weakref.WeakValueDictionary()
    most = 0

    def passing() -> Iterator[Generation]:
        nonlocal most
        for one in iter_records(tmp_path / "a.jsonl", Generation):
            alive[one.id] = one
            most = max(most, len(alive))
            yield one

    assert write_records(tmp_path / "b.jsonl", passing()) == 300
    assert most <= 3
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, st.sampled_from(["bn", "en"]), st.integers(0, 3)), max_size=8))
def test_any_file_is_read_alike_in_both_ways_or_refused(tmp_path_factory, keys):
    path = tmp_path_factory.getbasetemp() / "order.jsonl"
    write(path, *(one.model_dump(mode="json") for one in responses(*keys)))
    if keys == sorted(set(keys)):
        assert list(iter_records(path, Generation)) == load_records(path, Generation)
    else:
        with pytest.raises(InputError):
            list(iter_records(path, Generation))
