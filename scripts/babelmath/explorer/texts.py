"""The texts of one chunk, each of them once, with their mathematics converted.

A text is a string where it holds no formula, else a list of strings and of places in the chunk's
table of formulas. A formula is [source, display (0 or 1), tree or null].
"""

from __future__ import annotations

from collections.abc import Callable

from babelmath.explorer.formulas import Tree, formula_tree
from babelmath.explorer.mathematics import Segment, is_bare, segments

Text = str | list[str | int]
Cut = Callable[[str], list[Segment]]
Formula = tuple[str, int, Tree | None]


class Texts:
    """The table of a chunk; `size` is about the characters of its JSON."""

    def __init__(self) -> None:
        self.texts: list[Text] = []
        self.formulas: list[Formula] = []
        self.size = 0
        self._places: dict[tuple[Cut | None, str], int] = {}
        self._formulas: dict[tuple[str, int], int] = {}

    def prose(self, text: str | None) -> int | None:
        """The place of a text with mathematics in it; None of None."""
        return self._place(text, segments)

    def value(self, text: str | None) -> int | None:
        """The place of a value, as a gold, which may be TeX as a whole."""
        bare = text is not None and is_bare(text)
        return self._place(text, _whole if bare else segments)

    def plain(self, text: str | None) -> int | None:
        """The place of a text that is shown as it is."""
        return self._place(text, None)

    def _place(self, text: str | None, cut: Cut | None) -> int | None:
        if text is None:
            return None
        key = cut, text
        place = self._places.get(key)
        if place is None:
            found = cut(text) if cut and ("$" in text or "\\" in text or cut is _whole) else []
            mathematical = any(one.tex is not None for one in found)
            self.size += len(text)
            place = self._places[key] = len(self.texts)
            self.texts.append(self._entry(found) if mathematical else text)
        return place

    def _entry(self, found: list[Segment]) -> Text:
        return [
            one.source if one.tex is None else self._formula(one.source, one.tex, one.display)
            for one in found
        ]

    def _formula(self, source: str, tex: str, display: bool) -> int:
        key = source, int(display)
        place = self._formulas.get(key)
        if place is None:
            tree, size = formula_tree(tex) or (None, 0)
            place = self._formulas[key] = len(self.formulas)
            self.formulas.append((source, int(display), tree))
            self.size += len(source) + size
        return place


def _whole(text: str) -> list[Segment]:
    return [Segment(text, text)]
