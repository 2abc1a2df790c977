"""Sheets that people fill in, as spreadsheets of several countries save them."""

from __future__ import annotations

from pathlib import Path

import pytest

from babelmath.errors import InputError
from babelmath.sheets import sheet_rows

COLUMNS = ("id", "verdict")
ROW = {"id": "mmath-0001", "verdict": "right"}


def sheet(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "labels.csv"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("id,verdict\nmmath-0001,right\n", "utf-8"),
        ("id;verdict\r\nmmath-0001;right\r\n", "utf-8-sig"),
        ("id\tverdict\nmmath-0001\tright", "utf-8"),
        ('"id","verdict"\r\n"mmath-0001","right"\r\n', "utf-8-sig"),
    ],
    ids=["comma", "semicolon and byte-order mark", "tabulator", "quoted"],
)
def test_rows_are_the_same_however_they_were_saved(
    tmp_path: Path, text: str, encoding: str
) -> None:
    assert list(sheet_rows(sheet(tmp_path, text, encoding), COLUMNS)) == [(2, ROW)]


def test_a_line_counts_the_lines_of_cells_before_it(tmp_path: Path) -> None:
    path = sheet(tmp_path, 'id,verdict,note\na,right,"two\nlines"\nb,wrong\n')
    assert [(line, row["note"]) for line, row in sheet_rows(path, COLUMNS)] == [
        (3, "two\nlines"),
        (4, ""),
    ]


@pytest.mark.parametrize(
    ("text", "line", "field", "problem"),
    [
        ("", 1, "id", "column is missing"),
        ("id,word\n", 1, "verdict", "column is missing"),
        ("id,verdict\na,right, I think\n", 2, None, "more cells than columns"),
        ('id,verdict\na,right\nb,"wrong\nc,right\n', 4, None, "not CSV"),
    ],
)
def test_what_is_no_sheet_is_refused_with_its_line(
    tmp_path: Path, text: str, line: int, field: str | None, problem: str
) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        list(sheet_rows(sheet(tmp_path, text), COLUMNS))
    assert (caught.value.line, caught.value.field) == (line, field)


def test_another_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not UTF-8") as caught:
        list(sheet_rows(sheet(tmp_path, "id,verdict\né,right\n", "latin-1"), COLUMNS))
    assert caught.value.line == 2
