"""Reports read back: a damaged or foreign one is refused, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from babelmath.audit.rows import Row, load_report, report_csv
from babelmath.errors import InputError
from babelmath.files import write_text

ROWS = [
    Row("t.a", "tab:x", "r, with a comma", "c", "percent", "75.0", verdict="equal"),
    Row("t.b", "tab:x", "r", "c", "percent", "7.0", recomputed="7.00", verdict="equal"),
]


def test_what_was_written_is_read(tmp_path: Path) -> None:
    write_text(tmp_path / "a.csv", report_csv(ROWS))
    assert load_report(tmp_path / "a.csv") == ROWS


def test_a_report_that_ends_in_the_middle_of_a_line_is_refused(tmp_path: Path) -> None:
    text = report_csv(ROWS)
    write_text(tmp_path / "a.csv", text[: text.rindex("7.00")])
    with pytest.raises(InputError, match=r"line 3: a line with more or fewer cells"):
        load_report(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda text: "a,b\n1,2\n", "no audit report: lacks column, id"),
        (lambda text: "", "no audit report"),
        (lambda text: text.replace('"r, with a comma"', '"r, with a comma'), "not CSV"),
        (lambda text: text.replace("t.b,", "t.b,more,", 1), "more or fewer cells"),
    ],
)
def test_a_foreign_or_damaged_report_is_refused(tmp_path: Path, spoil, told: str) -> None:
    write_text(tmp_path / "a.csv", spoil(report_csv(ROWS)))
    with pytest.raises(InputError, match=told) as caught:
        load_report(tmp_path / "a.csv")
    assert "paths.published" in str(caught.value)
