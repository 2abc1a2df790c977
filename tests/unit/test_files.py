"""Files: strict JSON lines, whole or not at all, and errors that say where and what."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.errors import InputError
from babelmath.files import (
    canonical,
    dumps,
    is_there,
    parse_line,
    read_jsonl,
    read_text,
    replacing,
    sha256,
    sha256_file,
    sweep,
    write_json,
    write_jsonl,
    write_text,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
RECORDS = st.lists(st.dictionaries(TEXTS, VALUES, max_size=4), max_size=5)


def read(path: Path) -> list[dict[str, object]]:
    return [record for _, record in read_jsonl(path)]


def refusal(path: Path, data: bytes) -> InputError:
    """The error that a file of these bytes raises."""
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read(path)
    return caught.value


@settings(deadline=None)
@given(RECORDS)
def test_what_is_written_is_read_again(tmp_path_factory, records):
    path = tmp_path_factory.getbasetemp() / "round.jsonl"
    assert write_jsonl(path, records) == len(records)
    assert read(path) == records
    assert [number for number, _ in read_jsonl(path)] == list(range(1, len(records) + 1))


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r"])
def test_only_a_newline_ends_a_line(tmp_path, mark):
    records = [{"question": f"before{mark}after"}, {"question": "next"}]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(json.dumps(one).encode() + b"\n" for one in records))
    assert read(path) == records
    write_jsonl(path, records)
    assert read(path) == records


def test_a_raw_line_separator_inside_a_question_is_kept(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"question": "one\u2028two"}\n{"question": "three"}\n'.encode())
    assert list(read_jsonl(path)) == [(1, {"question": "one\u2028two"}), (2, {"question": "three"})]


def test_a_carriage_return_between_words_ends_no_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":\r1}\n')
    assert list(read_jsonl(path)) == [(1, {"a": 1})]


def test_a_byte_order_mark_does_not_hide_the_first_key(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"number": 1}\n')
    assert read(path) == [{"number": 1}]


def test_windows_line_ends_are_accepted(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"number": 1}\r\n{"number": 2}\r\n')
    assert list(read_jsonl(path)) == [(1, {"number": 1}), (2, {"number": 2})]


def test_blank_lines_are_passed_over_and_counted(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\n{"number": 1}\n \t\n{"number": 2}')
    assert list(read_jsonl(path)) == [(2, {"number": 1}), (4, {"number": 2})]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": [Infinity]}', "Infinity is not JSON"),
        (b'{"a": -Infinity}', "-Infinity is not JSON"),
        (b'{"a": 1, "b": 2, "a": 3}', "key 'a' stands twice"),
        (b'{"x": {"deep": 1, "deep": 1}}', "key 'deep' stands twice"),
        (b'{"question": "cut he', "not a line of strict JSON"),
        (b'{"a": 1} {"b": 2}', "not a line of strict JSON"),
        (b"{'a': 1}", "not a line of strict JSON"),
        (b'\xef\xbb\xbf{"a": 1}', "not a line of strict JSON"),
        (b'{"a": "tab\there"}', "not a line of strict JSON"),
        (b"[" * 100_000, "not a line of strict JSON"),
        (b'{"a": "\xe9"}', "not UTF-8 at byte 7"),
        (b'{"a": "\xed\xa0\x80"}', "not UTF-8 at byte 7"),
        (b'["a"]', "not a JSON object"),
        (b"3", "not a JSON object"),
        (b'"a"', "not a JSON object"),
    ],
)
def test_a_line_that_is_no_strict_json_object_is_refused_by_file_and_line(tmp_path, line, words):
    path = tmp_path / "a.jsonl"
    error = refusal(path, b'{"fine": true}\n' + line + b'\n{"fine": true}\n')
    assert words in error.problem
    assert (error.file, error.line) == (str(path), 2)


def test_lines_before_a_bad_one_are_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"fine": true}\nbad\n')
    assert next(read_jsonl(path)) == (1, {"fine": True})


def test_a_line_is_read_when_it_is_wanted(tmp_path):
    """What follows the first line, longer than any block that is read at once, is not JSON."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"fine": true}\n' + b"x" * 5_000_000)
    assert next(read_jsonl(path)) == (1, {"fine": True})


def test_records_are_written_as_they_come(tmp_path):
    """While the second is awaited the first is on its way, and the file has its name at the end."""
    path = tmp_path / "a.jsonl"

    def coming():
        yield {"a": "x" * 100_000}
        (neighbour,) = tmp_path.iterdir()
        assert neighbour.stat().st_size > 50_000 and not path.exists()
        yield {"b": 1}

    assert write_jsonl(path, coming()) == 2
    assert [len(record) for record in read(path)] == [1, 1]


def test_a_stream_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "old\n")
    with pytest.raises(KeyboardInterrupt), replacing(path) as stream:
        stream.write("new\n")
        raise KeyboardInterrupt
    assert path.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_half_a_line_at_the_end_is_refused(tmp_path):
    error = refusal(tmp_path / "a.jsonl", b'{"a": 1}\n{"a": 2}\n{"a": ')
    assert error.line == 3


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="no such file") as caught:
        read(tmp_path / "none.jsonl")
    assert caught.value.file == str(tmp_path / "none.jsonl")


def test_a_text_file_that_is_not_utf8_is_refused_by_line(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("één\n".encode() + b"caf\xe9\n")
    with pytest.raises(InputError, match="not UTF-8") as caught:
        read_text(path)
    assert (caught.value.file, caught.value.line) == (str(path), 2)


def test_a_text_file_loses_its_byte_order_mark(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf[user]\n")
    assert read_text(tmp_path / "a.txt") == "[user]\n"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"deep": [float("-inf")]}])
def test_what_is_no_json_is_never_written(tmp_path, value):
    path = tmp_path / "a.jsonl"
    path.write_text("old\n")
    with pytest.raises(ValueError):
        write_jsonl(path, [{"a": 1}, {"a": value}])
    assert path.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["a.jsonl"]


def test_a_writer_that_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    path = tmp_path / "a.txt"
    write_text(path, "old\n")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "new \ud800\n")
    assert path.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_missing_folders_are_made(tmp_path):
    write_json(tmp_path / "deep" / "er" / "a.json", {"a": 1})
    assert json.loads((tmp_path / "deep" / "er" / "a.json").read_text()) == {"a": 1}


def test_a_written_file_has_the_users_permissions(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "a.txt", "a")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_other_scripts_stay_readable_in_the_file(tmp_path):
    write_jsonl(tmp_path / "a.jsonl", [{"question": "সমীকরণ 方程 ক্ষ"}])
    assert "সমীকরণ 方程 ক্ষ" in (tmp_path / "a.jsonl").read_text(encoding="utf-8")


@settings(deadline=None)
@given(st.dictionaries(TEXTS, VALUES, max_size=5), st.randoms())
def test_equal_content_has_one_canonical_text(record, random):
    shuffled = list(record.items())
    random.shuffle(shuffled)
    assert canonical(dict(shuffled)) == canonical(record)
    assert json.loads(canonical(record)) == record


@settings(deadline=None)
@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_a_record_is_one_line(record):
    line = dumps(record).encode()
    assert b"\n" not in line
    assert parse_line(line, "a.jsonl", 1) == record


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_a_files_hash_is_its_bytes_hash(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "hashed"
    path.write_bytes(data)
    assert sha256_file(path) == sha256(data)


def test_whether_a_file_is_there(tmp_path):
    write_text(tmp_path / "a.txt", "")
    (tmp_path / "good").symlink_to(tmp_path / "a.txt")
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    places = ["a.txt", ".", "good", "broken", "b.txt", "no/folder/b.txt", "a.txt/b.txt"]
    assert [is_there(tmp_path / place) for place in places] == [True] * 3 + [False] * 4


@pytest.mark.parametrize("name", ["loop", "x" * 300, "loop/a.txt"])
def test_where_it_cannot_be_told_whether_a_file_is_there_the_file_is_named(tmp_path, name):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InputError, match="cannot be read: ") as caught:
        is_there(tmp_path / name)
    assert caught.value.file == str(tmp_path / name)


def test_a_file_in_a_folder_without_permission_is_not_taken_for_missing(tmp_path, monkeypatch):
    def refused(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refused)
    with pytest.raises(InputError, match="cannot be read: Permission denied"):
        is_there(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ({}, "wrong"),
        ({"file": "a.csv"}, "a.csv: wrong"),
        ({"file": "a.csv", "line": 3}, "a.csv, line 3: wrong"),
        ({"field": "models.a"}, "field models.a: wrong"),
        (
            {"file": "a", "line": 3, "field": "b.c", "value": "d", "remedy": "Mend it."},
            "a, line 3, field b.c: wrong (value 'd'). Mend it.",
        ),
        ({"value": 0}, "wrong (value 0)"),
        ({"value": "x" * 200}, f"wrong (value '{'x' * 76}...)"),
    ],
)
def test_an_error_says_where_what_and_the_way_out(places, text):
    assert str(InputError("wrong", **places)) == text


def test_what_a_killed_writer_left_is_swept_and_a_living_ones_file_stays(tmp_path):
    left = tmp_path / "tables" / ".one.csv.ab12_xyz"
    left.parent.mkdir()
    left.write_text("half")
    others = [tmp_path / ".hidden", tmp_path / "one.csv", tmp_path / ".one.csv.ABCDEFGH"]
    for path in others:
        path.write_text("")
    with replacing(tmp_path / "two.csv") as stream:
        stream.write("whole\n")
        assert sweep(tmp_path) == [left]
    assert (tmp_path / "two.csv").read_text() == "whole\n"
    assert not left.exists() and all(path.exists() for path in others)


def test_a_writer_that_is_killed_leaves_what_sweep_knows(tmp_path):
    killed = (
        "import os, signal, sys; sys.path.insert(0, sys.argv[1])\n"
        "from babelmath.files import replacing\n"
        "with replacing(sys.argv[2]) as stream: os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    place = Path(__file__).resolve().parents[2] / "scripts"
    done = subprocess.run([sys.executable, "-c", killed, str(place), str(tmp_path / "one.csv")])
    assert done.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    assert len(sweep(tmp_path)) == 1 and not list(tmp_path.iterdir())
