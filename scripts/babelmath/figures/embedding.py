"""Fonts for PDF files: the outlines of the glyphs that are drawn, and nothing to lay out text by.

Matplotlib embeds a subset of each font with what is left of its layout tables, and with every glyph
that these could put in place of a drawn one. A PDF names its glyphs by number, so no reader looks
at them; cutting them to size is most of the time that a figure takes.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fontTools import subset  # type: ignore[import-untyped]

LAYOUT_TABLES = ("BASE", "GDEF", "GPOS", "GSUB", "kern")


@contextmanager
def outlines_only() -> Iterator[None]:
    """Fonts that Matplotlib opens for subsetting inside have no layout tables; no garbage is
    collected meanwhile."""
    load_font = subset.load_font

    def without_layout(*arguments: Any, **options: Any) -> Any:
        font = load_font(*arguments, **options)
        for tag in LAYOUT_TABLES:
            if tag in font:
                del font[tag]
        return font

    collected = gc.isenabled()
    subset.load_font = without_layout
    # A font's tables are tens of thousands of small objects, which none of them refers back to.
    gc.disable()
    try:
        yield
    finally:
        subset.load_font = load_font
        if collected:
            gc.enable()
