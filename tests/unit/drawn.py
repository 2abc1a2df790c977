"""What the tests of figures share: frames to draw, and what a drawn figure shows."""

from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from babelmath.figures import style
from babelmath.languages import load_language

LANGUAGES = Path(__file__).parents[2] / "resources" / "languages"

NOTE = "Protocol: paper. Demonstration scale: 12 problems a language, one sample, $0.10 or $0.20."
MATHMIST = ["bn", "en", "fr", "fi", "tr", "lt", "kk"]
MMATH = ["en", "zh", "ar", "es", "fr", "ja", "ko", "pt", "th", "vi"]
MODELS = [
    "GPT-OSS 20B",
    "DeepSeek-R1-Distill-Qwen-32B",
    "Mathstral 7B",
    "Gemini 2.5 Flash-Lite",
    "SmolLM2-135M-Instruct",
    "Phi-4 14B",
]


def native_name(lang: str) -> str:
    return load_language(LANGUAGES, lang).native_name


def spans(value: float | None) -> dict[str, float | None]:
    """A value with an interval around it that stays within 0 to 100."""
    if value is None:
        return {"value": None, "low": None, "high": None}
    return {"value": value, "low": max(0.0, value - 7.5), "high": min(100.0, value + 6.5)}


def drawn_texts(figure: Figure) -> list[tuple[str, Bbox]]:
    """Every text that shows, with its extent in pixels."""
    with style.applied():
        figure.draw_without_rendering()
        return [
            (text.get_text(), text.get_window_extent())
            for text in figure.findobj(Text)
            if text.get_text().strip() and text.get_visible()
        ]


def overlap(first: Bbox, second: Bbox, slack: float = 0.5) -> bool:
    return (
        first.x0 < second.x1 - slack
        and second.x0 < first.x1 - slack
        and first.y0 < second.y1 - slack
        and second.y0 < first.y1 - slack
    )
