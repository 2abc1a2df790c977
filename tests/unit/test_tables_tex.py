"""Text for LaTeX: any name is set as it is, and other scripts are marked with their fonts."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.tables.frame import Cell, Table
from babelmath.tables.latex import MOST, latex
from babelmath.tables.tex import SCRIPTS, SIGNS, SPECIAL, collected, tex, with_code
from stand_ins import LANGUAGES, REPOSITORY, UNTIMED

ANY = st.text(st.one_of(
    st.characters(),
    st.sampled_from("\\{}$&#^_~%`'\"-,*[]<>|μσ\u200d\u202e\u0301"),
    st.sampled_from("ক্ষ্য়العربيةกำ中あア한Қғμλ"),
))  # fmt: skip
COMMANDS = re.compile(
    r"\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar"
    r"|textasciigrave|dots)\{\}|\\[&%$#_{}]|\$\\(?:uparrow|downarrow|mu|sigma|pm)\$|\$-\$"
    r"|\\babelmathscript(?=\{)|\\texttt(?=\{)"
)


def balanced(text: str) -> bool:
    """Whether braces that are no characters stand in pairs."""
    depth = 0
    for char in re.sub(r"\\[{}]", "", text):
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0


@UNTIMED
@given(ANY)
def test_any_text_has_pairs_of_braces_and_no_bare_special_character(text: str) -> None:
    found = tex(text)
    assert balanced(found)
    assert not set(COMMANDS.sub("", found)) & set("\\$&#^_%"), found
    assert "\n" not in found and "\r" not in found and "\t" not in found


@UNTIMED
@given(ANY)
def test_no_pair_of_signs_grows_into_another(text: str) -> None:
    found = tex(text)
    plain = [char for char in text if not unicodedata.category(char).startswith("C")]
    if not {"–", "—", "”", "’", "“"} & set(plain):
        assert not re.search("--|,,|''", found)


@UNTIMED
@given(st.text(st.characters(min_codepoint=97, max_codepoint=122)))
def test_plain_words_stay(text: str) -> None:
    assert tex(text) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("GPT-4 (8B)", "GPT-4 (8B)"),
        ("a--b", "a-{}-b"),
        ("a---b", "a-{}-{}-b"),
        ("a–b", "a--b"),
        ("it''s", "it'{}'s"),
        ("[1] *x", "{[}1] {*}x"),
        ("100% & more_#1", r"100\% \& more\_\#1"),
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("a\u202eb\x00c\ud800", "abc"),
        ("e\u0301", "é"),
        ("σ = 5 μm", r"$\sigma$ = 5 $\mu$m"),
        ("line\nbreak", "line break"),
        ("বাংলা", r"\babelmathscript{bengali}{বাংলা}"),
        ("বাংলা ভাষা 7B", r"\babelmathscript{bengali}{বাংলা ভাষা} 7B"),
        ("স্ত্\u200dরী", r"\babelmathscript{bengali}{স্ত্" + "\u200d" + "রী}"),
        ("A العربية B", r"A \babelmathscript{arabic}{العربية} B"),
        ("ไทย", r"\babelmathscript{thai}{ไทย}"),
        ("Қазақ", r"\babelmathscript{cyrillic}{Қазақ}"),
        ("μοντέλο", r"\babelmathscript{greek}{μοντέλο}"),
        ("한국어", r"\babelmathscript{korean}{한국어}"),
        ("中文", r"\babelmathscript{chinese}{中文}"),
        ("漢字かな", r"\babelmathscript{japanese}{漢字かな}"),
        ("中_文", r"\babelmathscript{chinese}{中}\_\babelmathscript{chinese}{文}"),
    ],
)
def test_text_for_latex(text: str, found: str) -> None:
    assert tex(text) == found


def test_every_languages_own_name_is_set_in_its_script() -> None:
    scripts = {
        lang: {*re.findall(r"\\babelmathscript\{(\w+)\}", tex(one.native_name))}
        for lang, one in LANGUAGES.items()
    }
    other = {"bn": "bengali", "kk": "cyrillic", "zh": "chinese", "ar": "arabic", "ja": "chinese",
             "ko": "korean", "th": "thai"}  # fmt: skip
    assert scripts == {lang: {other[lang]} if lang in other else set() for lang in LANGUAGES}


def test_each_script_has_a_font_in_the_preamble() -> None:
    preamble = (REPOSITORY / "resources" / "tables" / "preamble.tex").read_text(encoding="utf-8")
    fonts = set(re.findall(r"^  \\babelmathfont\{(\w+)\}", preamble, re.MULTILINE))
    assert fonts == {*SCRIPTS.values()}


def test_special_characters_are_all_that_latex_takes_for_itself() -> None:
    assert set("\\&%$#_{}~^<>|`") < {*SPECIAL} and not {*SIGNS} & {*SPECIAL}


def test_code_of_a_sentence_is_set_as_code() -> None:
    assert with_code("See `a_b`, and ` alone") == (
        r"See \texttt{a\_b}, and \textasciigrave{} alone"
    )


def test_all_tables_are_one_document() -> None:
    text = collected(["mathmist/zero_cot.html", "mmath/lang_qwen2.5-32b.html"])
    assert r"\input{mathmist/zero_cot.tex}" in text
    assert r"\input{mmath/lang_qwen2.5-32b.tex}" in text
    assert text.index(r"\input{preamble}") < text.index(r"\begin{document}")


# Tables


def table(*cells: Cell) -> Table:
    return Table("mmath", "table2", "Title", "paper", cells, ["A note."])


@UNTIMED
@given(st.lists(st.tuples(ANY, ANY, ANY), min_size=1, max_size=4))
def test_any_names_make_a_table_with_pairs_of_braces(names: list[tuple[str, str, str]]) -> None:
    text = latex(table(*[Cell(block, row, column, 1.0, 3) for block, row, column in names]))
    assert balanced(text)
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 1
    body = text.split("\\toprule\n")[1].split("\\bottomrule")[0]
    rows = [line for line in body.split("\n") if "&" in line and r"\multicolumn" not in line]
    columns = len({column for _, _, column in names})
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} <= {columns}


def test_upper_levels_of_columns_span_those_under_them() -> None:
    cells = [Cell("", "a", column, 50.0, 6)
             for column in ("CoT | One", "CoT | Two", "Alone", "CoT | One more")]  # fmt: skip
    lines = latex(table(*cells)).split("\n")
    at = lines.index(r"\toprule")
    assert lines[at + 1 : at + 4] == [
        r" & \multicolumn{2}{c}{CoT} &  & \multicolumn{1}{c}{CoT} \\",
        r"\cmidrule(lr){2-3} \cmidrule(lr){5-5}",
        r"Model & One & Two & Alone & One more \\",
    ]


def rows_by_part(*sizes: int) -> list[list[str]]:
    """The rows that stand in each environment of a table with blocks of these sizes."""
    cells = [Cell(f"block {block}", f"row {block}.{at}", "x", 50.0, 6)
             for block, size in enumerate(sizes) for at in range(size)]  # fmt: skip
    parts = latex(table(*cells)).split(r"\end{table}")[:-1]
    return [re.findall(r"^row ([\d.]+) &", part, re.MULTILINE) for part in parts]


@UNTIMED
@given(st.lists(st.integers(1, 3 * MOST), min_size=1, max_size=6))
def test_a_long_table_shows_every_row_once_and_no_page_has_too_many(sizes: list[int]) -> None:
    parts = rows_by_part(*sizes)
    shown = [row for part in parts for row in part]
    assert shown == [f"{block}.{at}" for block, size in enumerate(sizes) for at in range(size)]
    for part in parts:
        assert len(part) > 0 and len(part) + 2 * len({row.split(".")[0] for row in part}) <= MOST


def test_a_block_stays_whole_where_a_page_holds_it() -> None:
    assert [len(part) for part in rows_by_part(20, 20)] == [20, 20]
    assert [len(part) for part in rows_by_part(10, 10)] == [20]
    assert [len(part) for part in rows_by_part(MOST + 3)] == [MOST - 2, 5]
