"""Measuring, wrapping and placing text, so that nothing in a figure is clipped or overlaps."""

from functools import cache
from unicodedata import bidirectional

from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from babelmath.figures.style import MUTED, applied, font_for

NOTE_SIZE = 7.0  # points
LINE_HEIGHT = 1.32  # of the font size
MARGIN = 0.06  # inches, left and right of a note
POINTS = 72.0  # per inch


@cache
def width_of(text: str, size: float, lang: str | None = None, bold: bool = False) -> float:
    """Width in inches of one line of text at `size` points in its script's font, shaped."""
    figure, renderer = _scratch()
    with applied():
        artist = Text(0, 0, text, fontproperties=font_for(text, lang, bold), size=size)
    artist.set_figure(figure)
    return float(artist.get_window_extent(renderer).width) / figure.dpi


def wrap(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Lines of `text` no wider than `width` inches.

    Broken at blanks; a word wider than a line is broken after `-`, `_` or `/`, else anywhere.
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        candidate = f"{line} {word}" if line else word
        if _fits(candidate, width, size, bold):
            line = candidate
            continue
        if line:
            lines.append(line)
        line = word
        while len(line) > 1 and width_of(line, size, bold=bold) > width:
            cut = _longest_start(line, width, size, bold)
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line] if line else lines


def left_to_right(text: str) -> str:
    """The text, marked so that what follows a name in Arabic script stands to its right."""
    strong = next((kind for char in text if (kind := bidirectional(char)) in ("L", "R", "AL")), "L")
    return text if strong == "L" else f"\N{LEFT-TO-RIGHT MARK}{text}"


def add_note(figure: Figure, note: str) -> None:
    """Set `note` in small type under a figure with constrained layout, which grows to hold it."""
    width, height = figure.get_size_inches()
    lines = wrap_note(note, width)
    if not lines:
        return
    figure.set_size_inches(width, height + note_height(len(lines)))
    # supxlabel is the one text that constrained layout keeps clear of the axes.
    figure.supxlabel(
        "\n".join(lines),
        x=MARGIN / width,
        ha="left",
        size=NOTE_SIZE,
        color=MUTED,
        fontproperties=font_for(note),
    )


def wrap_note(note: str, width: float) -> list[str]:
    """Lines of a note under a figure of `width` inches."""
    # Hinting makes a line a little longer at one resolution than at another.
    return wrap(note, 0.985 * width - 2 * MARGIN, NOTE_SIZE)


def note_height(lines: int) -> float:
    """Height in inches of a note of so many lines."""
    return lines * NOTE_SIZE * LINE_HEIGHT / POINTS


def _fits(line: str, width: float, size: float, bold: bool) -> bool:
    """Told from the widths of the words, which recur, unless kerning could decide it."""
    words = line.split(" ")
    blank = width_of("n n", size, bold=bold) - 2 * width_of("n", size, bold=bold)
    guess = sum(width_of(word, size, bold=bold) for word in words) + blank * (len(words) - 1)
    if abs(guess - width) > 0.04 * width:
        return guess < width
    return width_of(line, size, bold=bold) <= width


def _longest_start(word: str, width: float, size: float, bold: bool) -> int:
    """How many characters of a word that is wider than a line go on the line."""
    cut = len(word) - 1
    while cut > 1 and width_of(word[:cut], size, bold=bold) > width:
        cut -= 1
    return max(word[:cut].rfind(mark) + 1 for mark in "-_/") or cut


@cache
def _scratch() -> tuple[Figure, RendererAgg]:
    figure = Figure(figsize=(1, 1), dpi=288)
    return figure, FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
