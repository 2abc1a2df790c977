"""Languages of solutions by their scripts, and the table that counts them (MathMist A.3)."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.alphabets import SYMBOLS
from babelmath.composition import LABELS, MIXED, NONE, composition
from babelmath.records import WITHOUT_TEXT, save_records
from babelmath.tables.composition import language_composition
from babelmath.tables.data import Data, composition_frame
from babelmath.tables.frame import Table
from record_frames import COMPOSITIONS, data
from stand_ins import UNTIMED, generation

BANGLA = "সুতরাং উত্তর হলো"


@pytest.mark.parametrize(
    ("text", "label", "scripts"),
    [
        (f"{BANGLA} $9$।", "Bangla", "Bangla"),
        ("Therefore the answer is $9$.", "English", "English"),
        ("因此答案是 $9$。", "Chinese", "Chinese"),
        (f"{BANGLA} therefore", MIXED, "Bangla + English"),
        (f"So {BANGLA} 因此 поэтому", MIXED, "Bangla + Chinese + Cyrillic + English"),
        ("Поэтому ответ", "Cyrillic", "Cyrillic"),
        ("لذلك الجواب", "Arabic", "Arabic"),
        ("したがってコタエ", "Japanese", "Japanese"),
        ("答えは", MIXED, "Chinese + Japanese"),
        ("그러므로", "Korean", "Korean"),
        ("Τότε είναι", "Greek", "Greek"),
        # no words
        ("", NONE, ""),
        (" \n\t", NONE, ""),
        ("$x + y = 5$", NONE, ""),
        ("\\[ x = 5 \\] \\( y \\) $$z$$", NONE, ""),
        ("12 + 5 = 17", NONE, ""),
        ("x = 5, y = 6", NONE, ""),
        ("😀 👩‍👩‍👧 🇧🇩", NONE, ""),
        ("\ud800", NONE, ""),
        # words of the mathematics do not count
        (f"{BANGLA} $x = \\text{{the answer}}$", "Bangla", "Bangla"),
        (f"{BANGLA} $$\\mathrm{{lcm}} \\quad words$$", "Bangla", "Bangla"),
        (f"{BANGLA} \\(area\\) \\[volume\n= words\\]", "Bangla", "Bangla"),
        (f"{BANGLA} \\frac \\boxed{{9}} \\\\ \\quad", "Bangla", "Bangla"),
        (f"{BANGLA} \\begin{{align*}} area &= 5 \\\\ x \\end{{align*}}", "Bangla", "Bangla"),
        (f"\\begin{{cases}} xy \\end{{cases}} {BANGLA}", "Bangla", "Bangla"),
        (f"\\begin{{itemize}} \\item {BANGLA} \\end{{itemize}}", "Bangla", "Bangla"),
        ("\\begin{enumerate} \\item So \\end{enumerate}", "English", "English"),
        (f"{BANGLA} 𝑥𝑦 = 𝐀𝐁, ℝℂ ℵ₀ 30º 5µ", "Bangla", "Bangla"),
        ("it costs \\$5 and \\$6", "English", "English"),
        # nor do units, names of functions, points, abbreviations and code outside of it
        (f"{BANGLA} 5 cm, 12 kg, 3 km", "Bangla", "Bangla"),
        (f"{BANGLA} sin A + cos B, f(x), max(a, b)", "Bangla", "Bangla"),
        (f"ত্রিভুজ ABC, AB = AC, ΔPQR {BANGLA} LCM GCD", "Bangla", "Bangla"),
        (f"{BANGLA} `answer = 5` https://a.example/answer", "Bangla", "Bangla"),
        (f"{BANGLA} five centimetres", MIXED, "Bangla + English"),
        # letters with marks, digits and signs about them
        ("না", "Bangla", "Bangla"),
        ("কি না।", "Bangla", "Bangla"),
        ("$12$ 5টি", "Bangla", "Bangla"),
        ("是。", "Chinese", "Chinese"),
        ("ক", "Bangla", "Bangla"),
        (unicodedata.normalize("NFD", "déjà été"), "English", "English"),
        ("\u0301\u0323", NONE, ""),
        ("e\u0301 = 5", NONE, ""),  # a variable with an accent
        ("ｓｏ ｗｅ", "English", "English"),
        ("ﾀﾒ", "Japanese", "Japanese"),
    ],
)
def test_a_solution_is_told_by_its_scripts(text: str, label: str, scripts: str) -> None:
    assert composition(text) == (label, scripts)


ALPHABET = st.characters() | st.sampled_from("$\\{}aবান是 \n") | st.sampled_from(sorted("𝑥ªµ々ー"))


@UNTIMED
@given(st.text(ALPHABET, max_size=60))
def test_any_text_gets_a_label(text: str) -> None:
    label, scripts = composition(text)
    names = scripts.split(" + ") if scripts else []
    assert names == sorted(set(names))
    assert not {one.upper() for one in names} & SYMBOLS
    if len(names) > 1:
        assert label == MIXED
    else:
        assert [label] == (names or [NONE])
    assert composition(text) == (label, scripts)


@UNTIMED
@given(st.text(st.characters(exclude_categories=["L", "Cs"]), max_size=40))
def test_a_text_without_letters_has_no_words(text: str) -> None:
    assert composition(text) == (NONE, "")


# The table


def frame(*rows: tuple[str, str, str]) -> pl.DataFrame:
    """Compositions as (model, label, scripts)."""
    cells = [
        ("cs-bn-bn", model, str(number), "bn", 0, label, scripts)
        for number, (model, label, scripts) in enumerate(rows)
    ]
    return pl.DataFrame(cells, schema=COMPOSITIONS, orient="row")


def counted(setting: str, *rows: tuple[str, str, str], **fields: Any) -> Table:
    values: dict[str, Any] = {"compositions": frame(*rows), "pairs": (("cs-bn-bn", "m"),)}
    return language_composition(setting, data(**(values | fields)))


def cells(table: Table) -> dict[tuple[str, str], list[float | None]]:
    """Count, proportion and n by block and row."""
    found: dict[tuple[str, str], list[float | None]] = {}
    for count, share in zip(table.cells[::2], table.cells[1::2], strict=True):
        assert (count.row, count.column, share.row, share.column) == (
            share.row, "Count", count.row, "Proportion",
        )  # fmt: skip
        assert count.n == share.n
        found[count.block, count.row] = [count.value, share.value, count.n]
    return found


ROWS = [("m", "Bangla", "Bangla")] * 5 + [("m", "Japanese", "Japanese")] + [
    ("m", MIXED, "Bangla + English"), ("m", MIXED, "Bangla + English"),
    ("m", MIXED, "Bangla + Chinese"), ("m", NONE, ""),
]  # fmt: skip


def test_labels_are_counted_and_combinations_of_the_mixed() -> None:
    table = counted("cs-bn-bn", *ROWS)
    assert (table.paper, table.name, table.protocol) == ("mathmist", "lang_stats_bn_bn", "counts")
    assert cells(table) == {
        ("Model", "Bangla"): [5, 50.0, 10],
        ("Model", "English"): [0, 0.0, 10],
        ("Model", "Chinese"): [0, 0.0, 10],
        ("Model", "Mixed"): [3, 30.0, 10],
        ("Model", "Japanese"): [1, 10.0, 10],
        ("Model", "No words"): [1, 10.0, 10],
        ("Model", "Bangla + English"): [2, pytest.approx(200 / 3), 3],
        ("Model", "Bangla + Chinese"): [1, pytest.approx(100 / 3), 3],
    }
    assert [one.row for one in table.cells[::2]][:4] == list(LABELS)


def test_combinations_stand_by_number_then_by_name() -> None:
    mixed = ["B + C", "A + B", "A + D", "A + D"]
    table = counted("cs-bn-bn", *(("m", MIXED, scripts) for scripts in mixed))
    assert [one.row for one in table.cells[::2]][4:] == ["A + D", "A + B", "B + C"]


def test_each_model_has_a_block_of_its_own() -> None:
    pairs = (("cs-bn-bn", "m"), ("cs-en-bn", "m"), ("cs-bn-bn", "silent"))
    rows = [*ROWS, ("silent", "English", "English")]
    found = cells(counted("cs-bn-bn", *rows, pairs=pairs))
    assert found["Silent", "English"] == [1, 100.0, 1]
    assert found["Model", "English"] == [0, 0.0, 10]


def test_a_model_whose_texts_are_not_there_has_no_records() -> None:
    table = counted("cs-en-bn", *ROWS, pairs=(("cs-en-bn", "m"),))
    assert table.name == "lang_stats_en_bn" and "question in English" in table.title
    assert cells(table) == {("Model", label): [None, None, 0] for label in LABELS}


def test_a_table_of_no_model_is_empty() -> None:
    assert counted("cs-bn-bn", pairs=()).cells == []


def test_only_solutions_whose_text_is_there_are_read(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    save_records(path, [
        generation(f"{BANGLA} so", thinking="因此", sample=0),
        generation("", sample=1, flags=[WITHOUT_TEXT]),
        generation("", sample=2),
    ])  # fmt: skip
    rows = composition_frame({("cs-bn-bn", "m"): path})
    assert rows.columns == list(COMPOSITIONS)
    assert rows.select("setting", "model", "sample", "label", "scripts").rows() == [
        ("cs-bn-bn", "m", 0, MIXED, "Bangla + English"),  # the thinking does not count
        ("cs-bn-bn", "m", 2, NONE, ""),
    ]
    found: Data = data(compositions=rows, pairs=(("cs-bn-bn", "m"),))
    assert cells(language_composition("cs-bn-bn", found))["Model", "Mixed"] == [1, 50.0, 2]
