"""Oddities of released question files: counted at their lines, and no text is altered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.errors import InputError
from babelmath.languages import load_language
from babelmath.released.corpora import count_oddities, text_oddities
from babelmath.released.oddities import Oddities
from babelmath.sources import read_problems
from small_release import changed, write_lines

LINE = {"Language": "English", "Chapter Number": "1", "Example Number": "1", "Question": "$x$?",
        "Solution": "So $3$.", "Exact Answer": "$3$", "Answer Type": "Numerical",
        "Evaluation Method": "Numerical Match"}  # fmt: skip
GID = {"gid": 4, "question": "$1+1$?", "answer": "2", "data_source": "AIME2024", "lang": "en",
       "data_source_id": 1}  # fmt: skip


def lines(*changes: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        changed(LINE | {"Example Number": str(at), "Question": f"${at}x$?"}, one)
        for at, one in enumerate(changes, start=1)
    ]


def counted(
    repository: Path, path: Path, benchmark: str = "mathmist"
) -> dict[str, tuple[int, int]]:
    """How often each kind was counted, and the first line."""
    language = load_language(repository / "resources/languages", "en")
    problems = read_problems(benchmark, path, language, True)
    kept = [one.model_dump() for one in problems]
    oddities = Oddities(path.parent)
    count_oddities(benchmark, path, language, problems, oddities)
    assert [one.model_dump() for one in problems] == kept
    return {kind: (one.count, one.first) for (_, kind), one in oddities.found.items()}


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ({}, []),
        ({"Language": "english"}, ["language spelt english"]),
        ({"Language": "Bengali"}, ["language spelt Bengali"]),
        ({"Language": None}, []),
        ({"Answer Type": " Numerical"}, ["kind label with stray blanks"]),
        ({"Chapter Number": "৪.২"}, ["native digits in chapter_number"]),
        ({"Example Number": "২"}, ["native digits in example_number"]),
        ({"Example Number": "1.2"}, ["example_number is not its place"]),
        ({"Example Number": "two"}, ["example_number is not its place"]),
        ({"Example Number": ...}, []),
        ({"Question": "a\u200b?"}, ["question: zero-width or direction mark"]),
        ({"Question": "a\r\nb"}, ["question: carriage return"]),
        ({"Solution": "3 \times 2"}, ["solution: LaTeX command eaten by a JSON escape"]),
        ({"Solution": " "}, ["solution: blank"]),
        ({"Exact Answer": "$3"}, ["exact_answer: odd number of $"]),
        ({"Exact Answer": "{3"}, ["exact_answer: unbalanced braces"]),
        ({"Note": 1, "Zeta": 2, "alpha": 3},
         ["unknown field Note", "unknown field Zeta", "unknown field alpha"]),
        ({"Question": "$1x$?"}, ["question that stands twice"]),
    ],
)  # fmt: skip
def test_what_is_odd_in_a_line_is_counted_there(repository, tmp_path, change, kinds):
    path = write_lines(tmp_path / "a.jsonl", lines({}, change, {}))
    assert counted(repository, path) == dict.fromkeys(kinds, (1, 2))
    assert list(counted(repository, path)) == kinds


def test_blank_lines_and_a_mark_shift_no_place(repository, tmp_path):
    path = write_lines(tmp_path / "a.jsonl", lines({}, {}, {"Answer Type": "Numerical "}))
    text = path.read_text(encoding="utf-8")
    path.write_text("\ufeff" + text.replace("}\n", "}\r\n\r\n"), encoding="utf-8", newline="")
    assert counted(repository, path) == {"kind label with stray blanks": (1, 5)}


@pytest.mark.parametrize(
    ("order", "line", "number"),
    [((0, 2, 3), 2, "3"), ((1, 2, 3), 1, "2"), ((0, 1, 1, 2), 3, "2"), ((0, 2, 1, 3), 2, "3")],
)  # fmt: skip
def test_a_line_that_is_missing_doubled_or_moved_is_refused_at_the_first_place(
    repository, tmp_path, order, line, number
):
    path = write_lines(tmp_path / "a.jsonl", [lines({}, {}, {}, {})[at] for at in order])
    with pytest.raises(InputError, match=f"is the file's problem {line}") as caught:
        counted(repository, path)
    assert (caught.value.file, caught.value.line) == (str(path), line)
    assert (caught.value.field, caught.value.value) == ("Example Number", number)
    assert caught.value.remedy


def test_a_line_that_is_missing_at_the_end_shifts_no_place(repository, tmp_path):
    path = write_lines(tmp_path / "a.jsonl", lines({}, {}, {}, {})[:3])
    assert counted(repository, path) == {}


def test_a_field_in_two_spellings_is_refused(repository, tmp_path):
    path = write_lines(tmp_path / "a.jsonl", lines({}, {"question": "another"}))
    with pytest.raises(InputError, match="two spellings") as caught:
        counted(repository, path)
    assert (caught.value.line, caught.value.field) == (2, "question")


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ({}, []), ({"answer": 2}, []), ({"level": 5}, ["unknown field level"]),
        ({"question": "$1+1?"}, ["question: odd number of $"]),
        ({"answer": "{2"}, ["answer: unbalanced braces"]),
        ({"question": "$0+1$?"}, ["question that stands twice"]),
    ],
)  # fmt: skip
def test_what_is_odd_in_an_mmath_entry_is_counted_there(repository, tmp_path, change, kinds):
    rows = [GID | {"question": "$0+1$?"}, GID | {"gid": 5} | change]
    path = tmp_path / "en.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert counted(repository, path, "mmath") == dict.fromkeys(kinds, (1, 2))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain $x$ and \\$5", []), ("\ufeffx", ["zero-width or direction mark"]),
        ("a\u202eb", ["zero-width or direction mark"]), ("a\rb", ["carriage return",
         "LaTeX command eaten by a JSON escape"]), ("a\r\nb", ["carriage return"]),
        ("\x08egin", ["LaTeX command eaten by a JSON escape"]), ("$$x$", ["odd number of $"]),
        ("\\{ x", []), ("\\\\{ x", ["unbalanced braces"]), ("}{", []), ("", ["blank"]),
        ("\u200b", ["zero-width or direction mark"]), ("\n\t ", ["blank"]),
    ],
)  # fmt: skip
def test_oddities_of_a_text(text, found):
    assert list(text_oddities(text)) == found


@given(st.text(st.sampled_from("$\\{}\r\n\t ab\u200b\ud800"), max_size=20) | st.text(max_size=20))
def test_any_text_has_each_oddity_once(text):
    found = list(text_oddities(text))
    assert len(set(found)) == len(found)
    assert ("odd number of $" in found) == (len(text.replace("\\$", "").split("$")) % 2 == 0)
