"""A formula as a tree of MathML, of listed elements and attributes alone.

latex2mathml reads TeX; what it gives is rebuilt here from the lists below, so that nothing else
reaches the page. Where it fails, or the formula could name, hide or blow up anything, there is no
tree, and the page shows the TeX.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element

# [name], then its attributes where it has any, then its children: trees, or one text.
Tree = list[Any]

ELEMENTS = frozenset([
    "math", "mrow", "mi", "mn", "mo", "mtext", "ms", "mspace", "mfrac", "msqrt", "mroot", "msub",
    "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts", "none",
    "mtable", "mtr", "mtd", "mstyle", "mpadded", "menclose",
])  # fmt: skip
ATTRIBUTES = frozenset([
    "accent", "accentunder", "columnalign", "columnlines", "columnspacing", "depth",
    "displaystyle", "fence", "form", "height", "largeop", "linethickness", "lspace", "mathvariant",
    "maxsize", "minsize", "movablelimits", "notation", "rowlines", "rowspacing", "rspace",
    "scriptlevel", "separator", "stretchy", "symmetric", "voffset", "width",
])  # fmt: skip
_BREAK: Tree = ["break"]  # a new line: no element of the page
LEAVES = frozenset(["mi", "mn", "mo", "mtext", "ms"])
CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2,
            "munderover": 3}  # fmt: skip
SHOWN_ALL_THE_SAME = {"mphantom": "mrow"}  # what a model wrote is not hidden

MOST_DEPTH = 40  # of braces and of elements
MOST_SIZE = 50_000  # characters of a tree in JSON, about
# One or two digits before the point: a space of a hundred ems would push the text away.
_VALUE = re.compile(r"(?:[A-Za-z#.,%+ -]|(?<!\d)\d{1,2}(?!\d)|(?<=\.)\d+){1,64}")
# Definitions could repeat themselves without end, and the others reach outside of a formula.
_REFUSED = re.compile(
    r"\\(?:[gex]?def|let|(?:re|provide)?newcommand|renewcommand|providecommand|newenvironment"
    r"|DeclareMathOperator|csname|catcode|input|include\w*|href|url|style|class|cssId|htmlmode"
    r"|unicode|char|require|special|write|openin|openout|loop|repeat)(?![A-Za-z])"
)
_LIKE_ALIGN = re.compile(r"\\(begin|end)\{(?:aligned|eqnarray\*?|flalign\*?)\}")
_BRACES = re.compile(r"\\.|[{}]", re.S)
# Characters that steer or hide: a formula with one is shown as text, which marks it. Joiners are
# letters' own affair.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# A comment to TeX; a model means the sign.
_PERCENT = re.compile(r"(?<!\\)((?:\\\\)*)%")
# Numbers that are lengths, columns or references, not the formula's own.
_LENGTHS = re.compile(
    r"\\\\\s*\[[^\]]*\]|\\(?:hspace|vspace|mspace)\*?\s*\{[^{}]*\}"
    r"|\\(?:h|m)?(?:kern|skip)\s*-?[\d.]+|\\rule\s*(?:\[[^\]]*\])?\{[^{}]*\}\{[^{}]*\}"
    r"|\\begin\{alignat\*?\}\s*\{\d+\}"
)
_DIGIT = re.compile(r"\d")
_REFERENCE = re.compile("&#x([0-9A-Fa-f]{1,6});")
_LIKE_GATHER = re.compile(r"\\(begin|end)\{(?:gathered|multline\*?)\}")


@lru_cache(maxsize=50_000)
def formula_tree(tex: str) -> tuple[Tree, int] | None:
    """What stands in a formula's `math` element, as one tree, and about the characters of its JSON.

    None where the formula is not converted: latex2mathml fails on it, it defines or loads things,
    is too deep or too large, holds characters that cannot be seen, a command that is not known, or
    digits that are not in what it became.
    """
    if _REFUSED.search(tex) or _deep(tex) or _INVISIBLE.search(tex):
        return None
    read = _PERCENT.sub(r"\1\\%", tex.strip()) if "%" in tex else tex.strip()
    if "\\begin" in read:
        read = _LIKE_ALIGN.sub(r"\\\1{align*}", read)
        read = _LIKE_GATHER.sub(r"\\\1{gather*}", read)
    try:
        root = convert_to_element(read)
    except Exception:  # its own errors, and whatever Python says to a text that is no TeX
        return None
    rebuilding = _Rebuilding(words=not tex.isascii())
    try:
        tree = rebuilding.tree(next(iter(root)), 0)
    except (_RefusedError, StopIteration):
        return None
    digits = _DIGIT.findall(_LENGTHS.sub("", tex) if "\\" in tex else tex)
    if sorted(digits) != sorted(rebuilding.digits):
        return None
    return tree, rebuilding.size


class _RefusedError(Exception):
    """An element that is on no list or not whole, a formula too large, an unknown command."""


class _Rebuilding:
    """One formula's tree, with the digits in it and about the characters of its JSON."""

    def __init__(self, words: bool) -> None:
        self._words = words
        self.digits: list[str] = []
        self.size = 0

    def tree(self, element: Element, depth: int) -> Tree:
        name = SHOWN_ALL_THE_SAME.get(element.tag, element.tag)
        if name not in ELEMENTS or depth > MOST_DEPTH or self.size > MOST_SIZE:
            raise _RefusedError
        tree: Tree = [name]
        if element.attrib:
            if element.get("linebreak") == "newline":
                return _BREAK
            kept = {key: value for key, value in element.attrib.items() if _allowed(key, value)}
            if kept:
                tree.append(kept)
                self.size += 20 * len(kept)
        self.size += 12
        if name in LEAVES:
            tree.append(self._leaf(element))
            return tree
        children = [self.tree(one, depth + 1) for one in element]
        if len(children) != CHILDREN.get(name, len(children)):
            raise _RefusedError  # a fraction without its second part, for instance
        if self._words:
            children = _words(children)
        if _BREAK in children:
            children = _lines(name, children)
        if name == "mrow" and len(tree) == len(children) == 1:
            return children[0]
        return tree + children

    def _leaf(self, element: Element) -> str:
        text = element.text or ""
        if "&#" in text:  # the library writes signs as references
            text = _REFERENCE.sub(lambda one: chr(int(one[1], 16)), text)
        if len(element) or (len(text) > 1 and text[0] == "\\"):
            raise _RefusedError  # a command that the library does not know stands there as it is
        self.size += len(text)
        self.digits += _DIGIT.findall(text)
        return text


def _allowed(key: str, value: str) -> bool:
    return key in ATTRIBUTES and _VALUE.fullmatch(value) is not None


def _words(children: list[Tree]) -> list[Tree]:
    """Letters that join into words, as Bangla's, in one element: apart they lose their forms."""
    found: list[Tree] = []
    for one in children:
        if _joining(one) and found and _joining(found[-1]):
            found[-1] = ["mtext", found[-1][-1] + one[-1]]
        else:
            found.append(one)
    return found


def _joining(tree: Tree) -> bool:
    text = tree[-1]
    return (
        tree[0] in ("mi", "mtext")
        and isinstance(text, str)
        and bool(text)
        and all(0x0590 <= ord(one) < 0x2000 or 0x3040 <= ord(one) < 0xD7B0 for one in text)
    )


def _lines(name: str, children: list[Tree]) -> list[Tree]:
    """Children with a line break among them as the rows of a table: browsers break no line."""
    if name not in ("mrow", "mstyle", "mtd"):
        return [["mspace"] if one is _BREAK else one for one in children]
    rows: list[list[Tree]] = [[]]
    for one in children:
        if one is _BREAK:
            rows.append([])
        else:
            rows[-1].append(one)
    return [["mtable", *(["mtr", ["mtd", *row]] for row in rows if row)]]


def _deep(tex: str) -> bool:
    if tex.count("{") <= MOST_DEPTH:
        return False
    depth = deepest = 0
    for one in _BRACES.findall(tex):
        depth += {"{": 1, "}": -1}.get(one, 0)
        deepest = max(deepest, depth)
    return deepest > MOST_DEPTH
