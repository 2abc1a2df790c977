"""Where mathematics stands in a text, and what becomes of it."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.explorer.formulas import (
    ATTRIBUTES,
    ELEMENTS,
    LEAVES,
    MOST_DEPTH,
    formula_tree,
)
from babelmath.explorer.mathematics import MOST, is_bare, segments

PIECES = ["$", "$$", "\\$", "\\(", "\\)", "\\[", "\\]", "\\\\", "`", "```", "\n", "\n\n", " ", "5",
          "x", "word", "\\boxed{", "}", "{", "\\begin{align}", "\\end{align}", "\\frac", "^", "_",
          "&", "%", "ক্ষ", "مرحبا", "\U0001f600", "</script>", "\x00", "\u202e"]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=30).map("".join)


def cut(text: str) -> str:
    """Segments with formulas in guillemets, those on a line of their own in double ones."""
    marks = {(False,): "‹{}›", (True,): "«{}»"}
    return "".join(
        one.source if one.tex is None else marks[one.display,].format(one.tex)
        for one in segments(text)
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ""),
        ("no formula", "no formula"),
        ("so $x=5$.", "so ‹x=5›."),
        ("$$x$$ and \\[y\\]", "«x» and «y»"),
        ("\\(x\\) or $ x $", "‹x› or ‹ x ›"),
        (
            "\\begin{align*}a&=b\\\\c&=d\\end{align*}!",
            "«\\begin{align*}a&=b\\\\c&=d\\end{align*}»!",
        ),
        ("is \\boxed{\\frac{1}{2}} here", "is ‹\\boxed{\\frac{1}{2}}› here"),
        ("is \\boxed{$5$} here", "is ‹\\boxed{5}› here"),
        ("$x$$y$", "‹x›‹y›"),
        ("$5$-$7$", "‹5›-‹7›"),
        ("$\\text{costs } 5\\$$", "‹\\text{costs } 5\\$›"),
        ("\\[a\\\\[2pt] b\\]", "«a\\\\[2pt] b»"),
        # amounts of money
        ("$5", "$5"),
        ("costs $5 and $7", "costs $5 and $7"),
        ("between $5-$10", "between $5-$10"),
        ("pays $5 (i.e., $x=5$)", "pays $5 (i.e., ‹x=5›)"),
        ("$20 per month, so = $240", "$20 per month, so = $240"),
        ("$5 টাকা এবং $7 টাকা", "$5 টাকা এবং $7 টাকা"),
        ("$1,000$ and $2,000", "‹1,000› and $2,000"),
        ("\\$5 and $y$", "\\$5 and ‹y›"),
        # without a partner, or with one that is none
        ("$x", "$x"),
        ("$$x", "$$x"),
        ("$$", "$$"),
        ("\\(x", "\\(x"),
        ("\\boxed{x", "\\boxed{x"),
        ("\\begin{align}x", "\\begin{align}x"),
        ("a $ b", "a $ b"),
        ("$x\n\ny$", "$x\n\ny$"),
        ("\\\\(x\\\\)", "\\\\(x\\\\)"),
        # code
        ("`$x$` and $y$", "`$x$` and ‹y›"),
        ("```\n$x$\n``` $y$", "```\n$x$\n``` ‹y›"),
        ("``$x$'' and ``$y$''", "``‹x›'' and ``‹y›''"),
    ],
)
def test_mathematics_is_told_from_text(text: str, found: str) -> None:
    assert cut(text) == found


@given(TEXTS)
def test_the_segments_put_together_are_the_text(text: str) -> None:
    found = segments(text)
    assert "".join(one.source for one in found) == text
    assert all(one.source for one in found)
    for one, two in itertools.pairwise(found):
        assert one.tex is not None or two.tex is not None


def test_a_formula_that_is_too_long_stays_text() -> None:
    for opening, closing in (("$", "$"), ("\\[", "\\]"), ("\\boxed{", "}")):
        short, long = ("x" * size for size in (MOST - 100, MOST + 1))
        assert segments(opening + short + closing)[0].tex is not None
        assert all(one.tex is None for one in segments(opening + long + closing))


@pytest.mark.parametrize(
    ("text", "bare"),
    [("\\frac{1}{2}", True), ("x^2", True), ("5", False), ("$x^2$", False), ("Yes", False),
     ("the value x_1", False), ("\\text{even}", True), ("\\(x\\)", False)],
)  # fmt: skip
def test_a_value_may_be_tex_without_a_sign(text: str, bare: bool) -> None:
    assert is_bare(text) is bare


def tree(tex: str) -> Any:
    found = formula_tree(tex)
    return found and found[0]


def nodes(one: Any) -> Iterator[list[Any]]:
    yield one
    for child in one[1:]:
        if isinstance(child, list):
            yield from nodes(child)


def shown(one: Any) -> str:
    return "".join(
        part if isinstance(part, str) else shown(part)
        for part in one[1:]
        if not isinstance(part, dict)
    )


@pytest.mark.parametrize(
    ("tex", "found"),
    [
        ("x", ["mi", "x"]),
        ("\\frac12", ["mfrac", ["mn", "1"], ["mn", "2"]]),
        ("a<b", ["mrow", ["mi", "a"], ["mo", "<"], ["mi", "b"]]),
        ("50% of", ["mrow", ["mn", "50"], ["mi", "%"], ["mi", "o"], ["mi", "f"]]),
        ("\\boxed{5}", ["menclose", {"notation": "box"}, ["mn", "5"]]),
        ("x\\\\y", ["mtable", ["mtr", ["mtd", ["mi", "x"]]], ["mtr", ["mtd", ["mi", "y"]]]]),
        ("\\phantom{x}", ["mi", "x"]),  # nothing that was written is hidden
        ("স্ত্রী", ["mtext", "স্ত্রী"]),  # in one element: letters apart lose their forms
        ("\\color{white}{x}", ["mstyle", ["mi", "x"]]),
        ("\\hspace{9999em}x", ["mrow", ["mspace"], ["mi", "x"]]),
    ],
)
def test_formulas_become_trees(tex: str, found: Any) -> None:
    assert tree(tex) == found


@pytest.mark.parametrize(
    "tex",
    [
        "",
        "\\frac{1",
        "x^",
        "\\left(",
        "\\notacommand{x}",
        "\\def\\a{b}\\a",
        "\\newcommand{\\x}{\\x\\x}\\x",
        "\\href{javascript:alert(1)}{x}",
        "\\style{color:red}{x}",
        "\\class{a}{x}",
        "\\unicode{x41}",
        "{" * (MOST_DEPTH + 1) + "x" + "}" * (MOST_DEPTH + 1),
        "\\sqrt" * 500,
        "\\left(" * 300 + "\\right)" * 300,
        "\\begin{matrix}" + "1&2\\\\" * 900 + "\\end{matrix}",
        "x\u202ey",
        "x\x00y",
        "x\u200by",
    ],
)
def test_what_could_harm_or_is_no_tex_stays_as_it_is(tex: str) -> None:
    assert formula_tree(tex) is None


COMMANDS = ["\\frac", "\\sqrt", "\\text", "{", "}", "{x}", "{12}", "^", "_", "&", "\\\\", "\\left",
            "\\right", "(", ")", "[", "]", "|", "\\begin{cases}", "\\end{cases}", "\\href", "%",
            "\\begin{array}{c|c}", "\\end{array}", "\\color", "\\hspace", "\\mathbb", "\\over",
            "\\binom", "\\limits", "\\operatorname", "\\substack", "\\tag", "\\not", "'", "<", "7",
            "</script>", "\\verb", "\\kern", "\\mathop", "\\underbrace", "\\overset", "ক্ষ", "#",
            "\\phantom", "\\cancel", "\\xrightarrow", "\\middle", "\\hline", "\\def", "~",
            "\\ "]  # fmt: skip
TEX = st.lists(st.sampled_from(COMMANDS) | st.text(max_size=2), max_size=14).map("".join)


@given(TEX)
def test_a_tree_holds_listed_elements_and_every_digit(tex: str) -> None:
    found = tree(tex)
    if found is None:
        return
    for one in nodes(found):
        name, *rest = one
        assert name in ELEMENTS
        attributes = [part for part in rest if isinstance(part, dict)]
        assert len(attributes) <= 1 and not any(part.keys() - ATTRIBUTES for part in attributes)
        texts = [part for part in rest if isinstance(part, str)]
        assert len(texts) == (1 if name in LEAVES else 0)
    # Numbers that are lengths are no part of what is shown.
    if not re.search(r"\\hspace|\\kern|\\\\\s*\[", tex):
        assert sorted(re.findall(r"\d", shown(found))) == sorted(re.findall(r"\d", tex))


def test_the_page_knows_the_same_elements_and_attributes(repository: Path) -> None:
    script = (repository / "resources" / "explorer" / "text.js").read_text(encoding="utf-8")
    for name, listed in (("ELEMENTS", ELEMENTS), ("ATTRIBUTES", ATTRIBUTES)):
        block = re.search(rf"const {name} = new Set\(\[(.*?)\]\)", script, re.S)
        assert block and set(re.findall(r'"(\w+)"', block[1])) == listed


def test_fonts_are_those_of_their_package(repository: Path) -> None:
    fonts = repository / "resources" / "explorer" / "fonts"
    listed = re.findall(r"`([\w.-]+)`: `([0-9a-f]{64})`", (fonts / "README.md").read_text())
    assert {name for name, _ in listed} == {
        one.name for one in fonts.iterdir() if one.name != "README.md"
    }
    for name, digest in listed:
        assert hashlib.sha256((fonts / name).read_bytes()).hexdigest() == digest
