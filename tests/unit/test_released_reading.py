"""Released documents and oddities: damage is told by file and line, unknown fields are counted."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.errors import InputError
from babelmath.released.oddities import Oddities, load_oddities, save_oddities
from babelmath.released.reading import (
    Document,
    normal_key,
    read_document,
    read_lines,
    spelt_twice,
)
from small_release import write

KNOWN = {"problem_index", "answer_type", "question"}
ROWS = [{"problem_index": 0, "question": "a [{b"}, {"problem_index": 1, "question": "c"},
        {"problem_index": 2, "question": "d"}]  # fmt: skip
SAFE = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def read(path: Path, text: str | bytes) -> tuple[Document, Oddities]:
    data = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(data)
    oddities = Oddities(path.parent)
    return read_document(path, KNOWN, oddities), oddities


def refusal(path: Path, text: str | bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        read(path, text)
    assert caught.value.file == str(path)
    return caught.value


# Keys


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("Answer Type", "answer_type"), ("answer_type", "answer_type"),
        (" Answer Type ", "answer_type"), ("Wrong_Solution_Version_3", "wrong_solution_version_3"),
        ("Original Example Number (1)", "original_example_number_(1)"), ("", ""), ("_", ""),
    ],
)  # fmt: skip
def test_spellings_of_a_key(key, wanted):
    assert normal_key(key) == wanted


@given(SAFE)
def test_a_normal_key_is_its_own(key):
    assert normal_key(normal_key(key)) == normal_key(key)
    assert normal_key(key.replace(" ", "_")) == normal_key(key)


def test_two_spellings_of_a_field():
    assert spelt_twice({"Answer Type": 1, "question": 2}) is None
    assert spelt_twice({"Answer Type": 1, "answer_type": 2}) == "answer_type"


# Documents


@pytest.mark.parametrize("metadata", [..., {"model_used": "x"}])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_list_with_or_without_metadata_is_read(tmp_path, metadata, ends, mark):
    text = write(tmp_path / "a.json", ROWS, metadata).read_text(encoding="utf-8")
    document, oddities = read(tmp_path / "a.json", mark + text.replace("\n", ends).encode())
    assert document.entries == ROWS
    assert document.metadata == ({} if metadata is ... else metadata)
    assert not oddities.found


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("[]", []),
        ('{"problem_evaluations": []}', []),
        ('{"problem_evaluations": [], "evaluation_metadata": {}}', []),
        ('{"problem_evaluations": [], "evaluation_metadata": null}',
         ["evaluation_metadata is no object"]),
        ('{"problem_evaluations": [], "evaluation_metadata": [1]}',
         ["evaluation_metadata is no object"]),
        ('{"more": 1, "again": [{}], "problem_evaluations": []}',
         ["unknown field more of the file", "unknown field again of the file"]),
        ('[{"problem_index": 1}, {"problem_index": 2, "Note": "x", " note": 3}]', None),
    ],
)  # fmt: skip
def test_shapes_of_a_file(tmp_path, text, kinds):
    if kinds is None:
        assert refusal(tmp_path / "a.json", text).line == 1
        return
    document, oddities = read(tmp_path / "a.json", text)
    assert (document.entries, document.metadata) == ([], {})
    assert [kind for _, kind in oddities.found] == kinds


def test_an_unknown_field_is_counted_and_all_else_unchanged(tmp_path):
    rows = [row | {"Extra Note": at, "z": "\ra"} for at, row in enumerate(ROWS)]
    document, oddities = read(tmp_path / "a.json", json.dumps(rows))
    assert [{key: one[key] for key in ROWS[0]} for one in document.entries] == ROWS
    tally = oddities.found["a.json", "unknown field Extra Note"]
    assert (tally.count, tally.first, tally.example, tally.handling) == (3, 1, "0", "left out")


SHAPES: list[Any] = ["7", "null", '"text"', "{}", '{"problem_evaluations": null}',
                     '{"problem_evaluations": {}}', '{"Problem Evaluations": []}']  # fmt: skip


@pytest.mark.parametrize("text", SHAPES)
def test_a_file_without_a_list_is_refused(tmp_path, text):
    assert "no list of records" in refusal(tmp_path / "a.json", text).problem


@pytest.mark.parametrize(
    ("text", "line"),
    [("", 1), (" \n", 2), ("[\n{}\n", 3), ('[\n{"a": 1,\n', 3), ("[\n{},\n{]\n", 3), ("[]\n[]", 2)],
)
def test_a_damaged_file_is_told_by_its_line(tmp_path, text, line):
    error = refusal(tmp_path / "a.json", text)
    assert "not JSON" in error.problem and error.line == line
    assert "damaged" in str(error)


@pytest.mark.parametrize("metadata", [..., {"settings": {"seeds": [{"a": 1}]}, "x": "[{"}])
def test_a_file_cut_anywhere_is_refused_by_file_and_line(tmp_path, metadata):
    text = write(tmp_path / "a.json", ROWS, metadata).read_text(encoding="utf-8").rstrip()
    for end in range(len(text)):
        error = refusal(tmp_path / "a.json", text[:end])
        assert error.line is not None and 1 <= error.line <= text[:end].count("\n") + 1


@pytest.mark.parametrize(
    "spoilt",
    [
        '{"problem_index": NaN}', '{"problem_index": -Infinity}', '{"problem_index": 1e999}',
        '{"question": "a", "question": "b"}', '{"question": "\\ud800"}',
        '{"question": {"deep": "\\udc00x"}}', '{"\\udfff": 1}', "7", "null", '"x"', "[]",
        '{"Question": 1, "question": 2}', '{"x": ' + "[" * 60 + "]" * 60 + "}",
        '{"x": ' + '{"y": ' * 3000 + "1" + "}" * 3000 + "}",
        '{"problem_index": 1' + "0" * 5000 + "}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("head", ["[", '{"list": [{"a": 1}], "evaluation_metadata": {"x": "[{"}, '
                                       '"problem_evaluations":\n['])  # fmt: skip
def test_a_spoilt_entry_is_refused_by_its_line(tmp_path, head, spoilt):
    text = f'{head}\n{{"question": "[{{"}},\n\n{spoilt},\n{{}}]' + "}" * head.startswith("{")
    error = refusal(tmp_path / "a.json", text)
    if "[[[" not in spoilt:
        assert error.line == head.count("\n") + 4
    assert len(str(error)) < 1000


@pytest.mark.parametrize("value", ["NaN", '"\\ud800"', "1e999", '{"a": 1, "a": 2}'])
def test_spoilt_metadata_is_refused(tmp_path, value):
    text = f'{{"evaluation_metadata": {{"x": {value}}}, "problem_evaluations": [{{}}]}}'
    assert refusal(tmp_path / "a.json", text).line is None


def test_whole_pairs_of_surrogates_are_characters(tmp_path):
    document, _ = read(tmp_path / "a.json", '[{"question": "\\ud83d\\ude00 \\\\ud800"}]')
    assert document.entries == [{"question": "\U0001f600 \\ud800"}]


@pytest.mark.parametrize("depth", [10, 200, 900, 980, 1100, 100_000])
def test_deep_nesting_is_read_or_refused_in_words(tmp_path, depth):
    text = '[{"question": ' + "[" * depth + "]" * depth + "}]"
    if depth > 10:
        assert "not JSON" in refusal(tmp_path / "a.json", text).problem
    else:
        assert read(tmp_path / "a.json", text)[0].entries


def test_what_is_not_utf_8_is_refused_by_its_line(tmp_path):
    error = refusal(tmp_path / "a.json", b'[\n{"question": "\xff"}]')
    assert (error.problem, error.line) == ("not UTF-8", 2)


def test_what_cannot_be_read_is_named(tmp_path):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    for name in ("folder.json", "loop.json", "none.json"):
        with pytest.raises(InputError, match="cannot be read") as caught:
            read_document(tmp_path / name, KNOWN, Oddities())
        assert caught.value.file == str(tmp_path / name)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | SAFE,
    lambda inner: st.lists(inner) | st.dictionaries(SAFE, inner),
    max_leaves=6,
)


@settings(max_examples=30)
@given(
    st.dictionaries(SAFE, VALUES, max_size=3), st.lists(st.dictionaries(SAFE, VALUES, max_size=3))
)
def test_any_entry_is_found_at_its_line(tmp_path_factory, metadata, rows):
    rows = [row for row in rows if spelt_twice(row) is None]
    path = write(tmp_path_factory.getbasetemp() / "any.json", rows, metadata)
    document = read_document(path, KNOWN, Oddities())
    assert [len(one) for one in document.entries] == [len(row) for row in rows]
    for at in range(len(rows)):
        assert document.error("odd", at, None, None, "").line == at + 3


# Lines


def test_lines_are_read_with_normal_keys(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('\ufeff{"Question": "a"}\r\n\r\n{" question ": "b", "new": 1}', "utf-8")
    oddities = Oddities(tmp_path)
    assert list(read_lines(path, KNOWN, oddities)) == [
        (1, {"question": "a"}), (3, {"question": "b", "new": 1}),
    ]  # fmt: skip
    assert oddities.found["a.jsonl", "unknown field new"].first == 3


def test_a_line_with_two_spellings_is_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{}\n{"Question": "a", "question": "b"}\n', "utf-8")
    with pytest.raises(InputError) as caught:
        list(read_lines(path, KNOWN, Oddities()))
    assert (caught.value.line, caught.value.field) == (2, "question")


# Oddities


def test_an_oddity_of_an_entry_counts_once_however_often_it_is_read():
    oddities = Oddities(Path("/release"))
    for _ in range(2):
        oddities.add("/release/a/b.json", "odd", 4, "first", "kept")
        oddities.add(Path("/release/a/b.json"), "odd", 5)
        oddities.add("/elsewhere/b.json", "of the file")
    assert {key: (one.count, one.first, one.example) for key, one in oddities.found.items()} == {
        ("a/b.json", "odd"): (2, 4, "'first'"),
        ("/elsewhere/b.json", "of the file"): (1, None, ""),
    }


def test_any_oddity_can_be_saved_and_loaded(tmp_path):
    deep: list[Any] = []
    for _ in range(sys.getrecursionlimit() * 50):
        deep = [deep]
    oddities = Oddities(tmp_path)
    oddities.add(tmp_path / "a,b\udcff.json", 'kind "x"\r\ny', 3, "\ud800\n\x00")
    oddities.add(tmp_path / "c.json", "deep", 1, deep)
    oddities.add(tmp_path / "c.json", "long", 1, "x" * 1000)
    save_oddities(tmp_path / "odd.csv", oddities)
    first, second, third = load_oddities([tmp_path / "odd.csv"])
    assert first == {"file": "a,b\\udcff.json", "kind": 'kind "x" y', "count": "1", "first": "3",
                     "example": "'\\ud800\\n\\x00'", "handling": "kept"}  # fmt: skip
    assert second["example"] == "(deeply nested)"
    assert len(third["example"]) == 60
