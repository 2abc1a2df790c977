"""A text under rewriting."""

from __future__ import annotations

from collections.abc import Iterable


class Draft:
    """The text as it stands and the names of the rewrites that changed it, each once, in order."""

    __slots__ = ("_names", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._names: dict[str, None] = {}

    def put(self, name: str, text: str) -> None:
        """Take the text of a rewrite; the rewrite is listed if it changed anything."""
        if text != self.text:
            self.text = text
            self._names[name] = None

    def take(self, names: Iterable[str], text: str) -> None:
        """Take a text that several rewrites made together."""
        if text != self.text:
            self.text = text
            self._names.update(dict.fromkeys(names))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names)
