"""Text of all languages in figures: shaped, drawn with glyphs, embedded as outlines."""

import re
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from fontTools import subset
from fontTools.ttLib import TTFont
from matplotlib.font_manager import get_font
from matplotlib.textpath import TextPath, TextToPath

from babelmath.figures import style
from babelmath.figures.embedding import OUTLINES, outlines_only
from babelmath.figures.text import left_to_right, width_of, wrap
from unit.drawn import LANGUAGES, native_name

NAMES = {path.stem: native_name(path.stem) for path in sorted(LANGUAGES.glob("*.yaml"))}


def shaped(text: str, lang: str | None = None) -> list[int]:
    """Numbers of the glyphs that a text is drawn with; 0 is the box for what its font lacks."""
    font = get_font(str(style.font_for(text, lang).get_file()))
    drawn, _, _ = TextToPath().get_glyphs_with_font(font, text)
    # Matplotlib takes the boxes of its LastResort font.
    numbers = [name.rpartition("-") for name, *_ in drawn]
    return [int(end, 16) if start == font.postscript_name else 0 for start, _, end in numbers]


def streams(pdf: bytes) -> list[bytes]:
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    return [zlib.decompress(one) for one in found if one[:1] == b"x"]


@pytest.fixture(scope="module")
def sheet(tmp_path_factory) -> list[bytes]:
    """The streams of a PDF with every language's name, and a conjunct."""
    with style.applied():
        figure = style.new_figure(3, 4, layout=None)
        for place, (lang, name) in enumerate([*NAMES.items(), ("bn", "স্ত্রী")]):
            figure.text(0.1, place / 17, name, fontproperties=style.font_for(name, lang), size=9)
    pdf, _ = style.save(figure, tmp_path_factory.mktemp("sheet") / "names")
    return streams(pdf.read_bytes())


def test_there_are_fifteen_languages():
    assert len(NAMES) == 15


@pytest.mark.parametrize("lang", NAMES)
def test_native_name_is_drawn_without_a_missing_glyph(lang):
    glyphs = shaped(NAMES[lang], lang)
    assert glyphs
    assert 0 not in glyphs


def test_a_character_that_a_font_lacks_would_show():
    assert 0 in shaped("\N{CUNEIFORM SIGN A}")


@pytest.mark.parametrize(
    ("text", "most"),
    [("স্ত্রী", 3), ("ক্ষ", 1), ("বাংলা", 5)],
)
def test_bangla_is_drawn_in_clusters(text, most):
    glyphs = shaped(text, "bn")
    assert 0 not in glyphs
    assert len(glyphs) <= most <= len(text)


def test_thai_tones_stand_above_the_vowels_below_them():
    def top(text: str) -> float:
        font = style.font_for(text, "th")
        return TextPath((0, 0), text, size=100, prop=font).get_extents().y1

    assert 0 not in shaped("ที่น้ำปั้น", "th")
    assert top("ที่") > top("ที") + 8
    assert top("น้ำ") > top("นำ") + 8


def test_arabic_letters_take_the_forms_of_their_places():
    glyphs = shaped("ععع", "ar")
    assert len(set(glyphs)) == 3
    assert shaped("ع", "ar")[0] not in glyphs


def test_every_character_of_the_names_can_be_copied_from_the_pdf(sheet):
    maps = [one.decode("latin-1") for one in sheet if b"beginbfrange" in one]
    hexes = re.findall(r"<([0-9a-f]{4,})>", " ".join(re.findall(r"\[(.*?)\]", " ".join(maps))))
    texts = {bytes.fromhex(one).decode("utf-16-be") for one in hexes}
    assert {char for name in NAMES.values() for char in name} <= {c for text in texts for c in text}
    assert any("\N{BENGALI SIGN VIRAMA}" in text and len(text) >= 3 for text in texts)


def test_pdf_embeds_outlines_alone(sheet):
    fonts = [one for one in sheet if one[:4] == b"\x00\x01\x00\x00"]
    assert len(fonts) >= 5
    for font in fonts:
        with TTFont(BytesIO(font)) as held:
            assert set(held.keys()) <= OUTLINES | {"GlyphOrder"}
            assert held["maxp"].numGlyphs < 100


def test_fonts_are_whole_again_after_saving():
    load_font = subset.load_font
    with pytest.raises(RuntimeError, match="stopped"), outlines_only():
        assert subset.load_font is not load_font
        raise RuntimeError("stopped")
    assert subset.load_font is load_font
    file = style.font_for("a").get_file()
    with subset.load_font(Path(file), subset.Options()) as font:
        assert "GSUB" in font


def test_style_holds_inside_another_and_not_after_it():
    import matplotlib

    before = matplotlib.rcParams["font.size"]
    with style.applied():
        with style.applied():
            pass
        assert matplotlib.rcParams["font.size"] == style.STYLE["font.size"]
        assert not matplotlib.rcParams["text.parse_math"]
    assert matplotlib.rcParams["font.size"] == before


@pytest.mark.parametrize("width", [0.6, 1.3, 2.9])
@pytest.mark.parametrize(
    "text", ["Draw language labels for a person to check.", "AVAVAV To Yes. fi fl ffi 11 A V A V"]
)
def test_each_line_is_as_long_as_fits(text, width):
    lines = wrap(text, width, 8)
    assert " ".join(lines) == text
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        assert width_of(line, 8) <= width
        if following:
            assert width_of(f"{line} {following.split()[0]}", 8) > width


@pytest.mark.parametrize(
    ("text", "marked"),
    [("نموذج (1)", True), ("GPT نموذج", False), ("12 نموذج", True), ("বাংলা", False), ("", False)],
)
def test_only_a_text_that_would_run_from_the_right_is_marked(text, marked):
    assert left_to_right(text) == ("\N{LEFT-TO-RIGHT MARK}" if marked else "") + text
    assert 0 not in shaped(left_to_right(text) or "a")


def test_a_font_covers_what_it_has_glyphs_for():
    assert style.covers(style.font_for("a"), "μσ")
    assert not style.covers(style.font_for("বাংলা"), "μσ")
