"""How every figure looks: one style sheet, one font family per text, one way to a file."""

import importlib.metadata
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Literal

import matplotlib.style
from matplotlib import font_manager
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from babelmath.figures.embedding import outlines_only

Layout = Literal["constrained"] | None

FULL_WIDTH = 7.0  # inches, a figure over two columns
COLUMN_WIDTH = 3.4  # inches, a figure in one column
PNG_DPI = 200

# Okabe and Ito's palette in the order of its contrast on white; yellow is too pale for lines.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK = "#E69F00", "#56B4E9", "#000000"
PALETTE = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK)
MARKERS = "osD^vPX*"
INK, MUTED, RULE = "#1A1A1A", "#595959", "#D0D0D0"

STYLE: dict[str, object] = {
    "font.family": "Kurinto Sans",
    "font.size": 8.0,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.labelsize": 8.0,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "axes.linewidth": 0.6,
    "axes.edgecolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.formatter.use_mathtext": False,
    "grid.color": RULE,
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "hatch.linewidth": 0.6,
    # With mathtext in a string Matplotlib does not shape it: Bangla conjuncts fall apart.
    "text.parse_math": False,
    "pdf.fonttype": 42,
}

_in_force: ContextVar[bool] = ContextVar("_in_force", default=False)

_KURINTO = "weblate-fonts"
_INDIC, _THAI = "justmytype-intl-south-asia", "justmytype-intl-sea"
_BASE = "KurintoSans"
_FAMILIES = {
    _BASE: (_KURINTO, "KurintoSans-Rg.ttf", "KurintoSans-Bd.ttf"),
    "KurintoSansJP": (_KURINTO, "KurintoSansJP-Rg.ttf", "KurintoSansJP-Bd.ttf"),
    "KurintoSansKR": (_KURINTO, "KurintoSansKR-Rg.ttf", "KurintoSansKR-Bd.ttf"),
    "KurintoSansSC": (_KURINTO, "KurintoSansSC-Rg.ttf", "KurintoSansSC-Bd.ttf"),
    # Variable fonts, of which Matplotlib sees the default instance: regular only.
    "NotoSansBengali": (_INDIC, "NotoSansBengali[wdth,wght].ttf", "NotoSansBengali[wdth,wght].ttf"),
    "NotoSansThai": (_THAI, "NotoSansThai[wdth,wght].ttf", "NotoSansThai[wdth,wght].ttf"),
}
# First and last code point of the blocks that the base family lacks or does not shape.
_BLOCKS = (
    (0x0980, 0x09FF, "NotoSansBengali"),
    (0x0E00, 0x0E7F, "NotoSansThai"),
    (0x1100, 0x11FF, "KurintoSansKR"),
    (0x3000, 0x303F, "KurintoSansSC"),
    (0x3040, 0x30FF, "KurintoSansJP"),
    (0x3130, 0x318F, "KurintoSansKR"),
    (0x31F0, 0x31FF, "KurintoSansJP"),
    (0x3400, 0x9FFF, "KurintoSansSC"),
    (0xAC00, 0xD7AF, "KurintoSansKR"),
    (0xF900, 0xFAFF, "KurintoSansSC"),
    (0xFF00, 0xFF65, "KurintoSansSC"),
    (0xFF66, 0xFF9F, "KurintoSansJP"),
)
_HAN_BY_LANGUAGE = {"ja": "KurintoSansJP", "ko": "KurintoSansKR"}


def font_for(text: str, lang: str | None = None, bold: bool = False) -> FontProperties:
    """The one font for a text, chosen by its script; size is left to the caller.

    Bengali and Thai are set in Noto Sans Bengali and Noto Sans Thai, kana, Hangul and Han in
    Kurinto Sans JP, KR and SC, all else in Kurinto Sans; each of them has the ASCII letters too.
    `lang` (a language code) settles which forms Han characters take. Raises ValueError for a text
    that needs two families, since Matplotlib shapes complex scripts in one family only, and
    LookupError when the fonts are not installed.
    """
    families = {family for char in text if (family := _family(ord(char)))}
    han = "KurintoSansSC"
    if han in families:
        preferred = families & set(_HAN_BY_LANGUAGE.values())
        families = (families - {han}) | (preferred or {_HAN_BY_LANGUAGE.get(lang or "", han)})
    if len(families) > 1:
        raise ValueError(
            f"{text!r} mixes scripts that need the fonts {', '.join(sorted(families))}; "
            "draw it as one text per script"
        )
    wheel, regular, heavy = _FAMILIES[families.pop() if families else _BASE]
    return FontProperties(fname=_font_file(wheel, heavy if bold else regular))


def series(index: int) -> tuple[str, str]:
    """Hue and marker of a series: markers tell apart what hues alone do not."""
    return PALETTE[index % len(PALETTE)], MARKERS[index % len(MARKERS)]


def darker(colour: str) -> tuple[float, float, float]:
    """The colour mixed with a third of black, for thin lines."""
    red, green, blue = to_rgb(colour)
    return (0.68 * red, 0.68 * green, 0.68 * blue)


def covers(font: FontProperties, text: str) -> bool:
    """Whether a font that `font_for` gave has a glyph for each character of a text."""
    face = font_manager.get_font(str(font.get_file()))
    return all(face.get_char_index(ord(char)) for char in text)


@contextmanager
def applied() -> Iterator[None]:
    """Matplotlib's defaults and this style sheet, whatever the user's own matplotlibrc says.

    Inside another `applied` it costs nothing: setting all parameters takes as long as a page of
    text does.
    """
    if _in_force.get():
        yield
        return
    _register_base_family()
    token = _in_force.set(True)
    try:
        with matplotlib.style.context(["default", STYLE]):
            yield
    finally:
        _in_force.reset(token)


def new_figure(width: float, height: float, layout: Layout = "constrained") -> Figure:
    """An empty figure of `width` by `height` inches on the Agg canvas, unknown to pyplot."""
    figure = Figure(figsize=(width, height), dpi=PNG_DPI, layout=layout)
    FigureCanvasAgg(figure)
    return figure


def save(figure: Figure, stem: Path) -> tuple[Path, Path]:
    """Write `stem`.pdf and `stem`.png (200 dpi) and return their paths.

    The same figure gives the same bytes: no dates or versions are written. Each file appears under
    its name only when it is complete. The figure is cleared and cannot be saved again.
    """
    pdf, png = (stem.with_name(f"{stem.name}.{kind}") for kind in ("pdf", "png"))
    with applied(), outlines_only():
        if engine := figure.get_layout_engine():
            # Laid out once, at the finer resolution; else each file would do it again by itself.
            engine.execute(figure)
            figure.set_layout_engine(None)
        _write(figure, pdf, {"CreationDate": None, "Creator": None, "Producer": None})
        _write(figure, png, {"Software": None})
    figure.clear()
    return pdf, png


def percent_map() -> ListedColormap:
    """White to dark blue along a straight line in OKLab: equal steps in percent look equal."""
    light, dark = (0.995, 0.0, -0.002), (0.30, -0.02, -0.115)
    steps = [i / 255 for i in range(256)]
    colours = [
        _srgb(tuple(a + (b - a) * t for a, b in zip(light, dark, strict=True))) for t in steps
    ]
    return ListedColormap(colours, name="percent")


def _write(figure: Figure, path: Path, metadata: dict[str, None]) -> None:
    partial = path.with_name(f".{path.name}.partial")
    try:
        figure.savefig(partial, format=path.suffix[1:], dpi=PNG_DPI, metadata=metadata)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _family(code_point: int) -> str | None:
    for first, last, family in _BLOCKS:
        if first <= code_point <= last:
            return family
    return "KurintoSansSC" if 0x20000 <= code_point <= 0x3FFFF else None


@cache
def _font_file(wheel: str, name: str) -> Path:
    try:
        files = importlib.metadata.distribution(wheel).files or []
    except importlib.metadata.PackageNotFoundError:
        raise LookupError(
            f"the figures need the fonts of the Python package {wheel!r}: pip install {wheel}"
        ) from None
    for file in files:
        if file.name == name and (path := Path(str(file.locate()))).is_file():
            return path
    raise LookupError(f"the installed package {wheel!r} has no font file {name}; reinstall it")


@cache
def _register_base_family() -> None:
    # Numbers on axes take their font by family name, and names are looked up in this registry.
    wheel, *names = _FAMILIES[_BASE]
    for name in names:
        font_manager.fontManager.addfont(_font_file(wheel, name))


def _srgb(lab: tuple[float, ...]) -> tuple[float, float, float]:
    """sRGB of an OKLab colour (Ottosson 2020), clipped to the gamut."""
    lightness, a, b = lab
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short
    return _gamma(red), _gamma(green), _gamma(blue)


def _gamma(linear: float) -> float:
    linear = min(max(linear, 0.0), 1.0)
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
