"""Fonts for PDF files: the outlines of the glyphs that are drawn, and nothing to lay out text by.

Matplotlib embeds a subset of each font with what is left of its tables of layout and names, and
with every glyph that these could put in place of a drawn one. A PDF's text names its glyphs by
number, so no reader looks at them (ISO 32000-1, section 9.9); cutting them to size is most of the
time that a figure takes.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fontTools import subset  # type: ignore[import-untyped]

OUTLINES = frozenset(("glyf", "head", "hhea", "hmtx", "loca", "maxp", "cvt ", "fpgm", "prep"))


@contextmanager
def outlines_only() -> Iterator[None]:
    """Fonts that Matplotlib opens for subsetting inside have no tables but those of outlines.

    No garbage is collected meanwhile.
    """
    load_font = subset.load_font

    def outlines(*arguments: Any, **options: Any) -> Any:
        font = load_font(*arguments, **options)
        for tag in set(font.keys()) - OUTLINES - {"GlyphOrder"}:
            del font[tag]
        # Without names, which take long to read.
        font.setGlyphOrder([f"glyph{number}" for number in range(font["maxp"].numGlyphs)])
        return font

    collected = gc.isenabled()
    subset.load_font = outlines
    # A font's tables are tens of thousands of small objects, which none of them refers back to.
    gc.disable()
    try:
        yield
    finally:
        subset.load_font = load_font
        if collected:
            gc.enable()
