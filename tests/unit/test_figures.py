"""The figures: scripts set right, the same bytes twice, nothing clipped, nothing overlapping."""

import importlib.metadata
import os
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path

import polars as pl
import pytest
from fontTools.ttLib import TTFont
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from babelmath.audit.rows import Row
from babelmath.figures import accuracy, matrices, style, switching
from babelmath.figures.frames import count_text
from babelmath.figures.layers import bands_of, columns_of
from babelmath.figures.pipeline import Stage, overview
from babelmath.figures.printed import printed_against_recomputed
from babelmath.figures.text import width_of, wrap
from unit.drawn import (
    MATHMIST,
    MMATH,
    MODELS,
    NOTE,
    drawn_texts,
    native_name,
    overlap,
    spans,
)

PARTS = ("thinking", "answering in the language asked for")
SAMPLES = {
    "bn": "অআইঈউঊঋএঐওঔকখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরলশষসহড়ঢ়য়ৎংঃঁািীুূৃেৈোৌ্০১২৩৪৫৬৭৮৯।",
    "en": "ABCXYZabcxyz0123456789(%)μσ–≥",
    "fr": "éèêëàâçùûîïôœÉÀÇ",
    "fi": "äöåÄÖÅ",
    "tr": "çğıİöşüÇĞÖŞÜ",
    "lt": "ąčęėįšųūžĄČĘĖĮŠŲŪŽ",
    "kk": "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯәғқңөұүһіӘҒҚҢӨҰҮҺІ",
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئةى٠١٢٣٤٥٦٧٨٩،؟",
    "ja": "日本語数学問題ひらがなカタカナー、。",
    "ko": "한국어수학문제가각힣",
    "zh": "中文数学问题简体答案,。",
    "es": "ñáéíóúü¿¡",
    "pt": "ãõâêôçáéíóú",
    "th": "กขคงจฉชซญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะาำิีึืุูเแโใไๅๆ็่้๊๋์๐๑๒๓",
    "vi": "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹĐƠƯ",
}


def languages_frame(
    models: list[str], languages: list[str], absent: set[tuple[int, int]] = frozenset()
) -> pl.DataFrame:
    rows = [
        {
            "model": model,
            "lang": lang,
            "lang_label": native_name(lang),
            **spans(None if (i, j) in absent else 80.0 - 11 * (i % 7) + (7 * j + 3 * i) % 13),
            "n": 0 if (i, j) in absent else 150,
        }
        for i, model in enumerate(models)
        for j, lang in enumerate(languages)
    ]
    return pl.DataFrame(rows)


def switching_frame(models: list[str], absent: set[tuple[int, int]] = frozenset()) -> pl.DataFrame:
    rows = [
        {
            "model": model,
            "pair": pair,
            **spans(None if (i, j) in absent else 99.0 - 12 * (i % 8) - 3 * j),
            "n": 1445 - 100 * i,
        }
        for i, model in enumerate(models)
        for j, pair in enumerate(switching.PAIRS)
    ]
    return pl.DataFrame(rows)


def matrix_frame(models: list[str], languages: list[str], count: int = 1496) -> pl.DataFrame:
    rows = []
    for i, model in enumerate(models):
        for j, lang in enumerate(languages):
            shares = {lang: 60.0 + j, "de": 2.0 * i, "und": 3.5, "la": 0.5, "other": 0.25}
            rest = languages[(j + 1) % len(languages)]
            shares[rest] = shares.get(rest, 0.0) + 100 - sum(shares.values())
            rows += [
                {
                    "panel": model,
                    "question_lang": lang,
                    "lang_label": native_name(lang),
                    "label": label,
                    "share": share,
                    "n": count,
                }
                for label, share in shares.items()
            ]
    return pl.DataFrame(rows)


def pipeline_stages() -> list[Stage]:
    benchmark = [
        ("transcribe", "Transcription", ()),
        ("align", "Tagging and alignment", ("transcribe",)),
        ("choices", "Multiple choice", ("align",)),
        ("perturb", "Perturbation", ("align",)),
        ("translate", "Translation with verifier", ("align",)),
        ("select", "Source selection", ()),
        ("rounds", "Three-stage translation", ("select",)),
    ]
    evaluation = [
        ("generate", "Generation", ("align", "choices", "perturb", "translate", "rounds")),
        ("judge", "LLM judge", ("generate",)),
        ("rules", "Rule scoring", ("generate",)),
        ("languages", "Language labels", ("generate",)),
    ]
    results = [
        ("tables", "Tables", ("judge", "rules", "languages")),
        ("figures", "Figures", ("judge", "languages")),
        ("corpus", "Corpus statistics", ("align", "rounds")),
        ("audit", "Audit", ("tables", "transcribe")),
    ]
    doc = "What this stage does in about a dozen words, neither more nor less."
    return [
        Stage(name, title, doc, group, after)
        for group, stages in (
            ("Benchmark", benchmark),
            ("Evaluation", evaluation),
            ("Results", results),
        )
        for name, title, after in stages
    ]


def percentage(printed: str, recomputed: str = "", verdict: str = "no records", **own: str) -> Row:
    """One row of the audit, with names as long as they come."""
    return Row(
        "zck.x", "tab:zero_cot_en_bn_category_wise", "Gemini 2.5 Flash-Lite",
        "Bangla | CoT | Numerical", "percent", printed, recomputed=recomputed, verdict=verdict,
        **own,
    )  # fmt: skip


EQUAL = [percentage(f"{value}.0", f"{value}.00", "equal") for value in range(0, 101, 5)]
LAST = [percentage("50.0", f"50.{digit}0", "last digit") for digit in (1, 2)]
DIFFERENT = [percentage("50.0", f"{value}.00", "differs") for value in range(30, 75, 3)]
OWN = [percentage(f"{value}.0", own=f"{value + 9}.00", own_verdict="differs") for value in (9, 80)]


FIGURES = {
    "cross-lingual, one model": lambda: accuracy.cross_lingual(
        languages_frame(MODELS[:1], ["bn"]), NOTE
    ),
    "cross-lingual, 7 languages": lambda: accuracy.cross_lingual(
        languages_frame(MODELS[:3], MATHMIST), NOTE
    ),
    "cross-lingual, all 15 languages, gaps": lambda: accuracy.cross_lingual(
        languages_frame(MODELS, list(SAMPLES), {(0, 3), (1, 3), (5, 14)}), NOTE
    ),
    "code switching, one model": lambda: switching.code_switching(
        switching_frame(MODELS[:1]), NOTE
    ),
    "code switching, six models, a gap": lambda: switching.code_switching(
        switching_frame(MODELS, {(2, 1)}), NOTE
    ),
    "code switching, intervals at 0 and 100": lambda: switching.code_switching(
        switching_frame(MODELS[:2]).with_columns(
            value=pl.Series([0.0, 100.0] * 4),
            low=pl.Series([0.0, 97.5] * 4),
            high=pl.Series([2.5, 100.0] * 4),
        ),
        NOTE,
    ),
    "cross-lingual, names in other scripts": lambda: accuracy.cross_lingual(
        languages_frame(
            ["通义千问 7B", "বাংলা মডেল", "نموذج", "モデル", "Модель ".strip()], MATHMIST
        ),
        NOTE,
    ),
    "matrices, one model": lambda: matrices.language_matrices(
        matrix_frame(MODELS[:1], MMATH[:3]), NOTE
    ),
    "matrices, four models": lambda: matrices.language_matrices(
        matrix_frame(MODELS[:4], MMATH), NOTE
    ),
    "matrices, eight panels, long names, 15 languages": lambda: matrices.language_matrices(
        matrix_frame([f"{one}, {part}" for one in MODELS[:4] for part in PARTS], list(SAMPLES)),
        NOTE,
    ),
    "matrices, three models, counts differ, a row missing": lambda: matrices.language_matrices(
        pl.concat(
            [
                matrix_frame(MODELS[:2], MMATH),
                matrix_frame(MODELS[2:3], MMATH[1:], count=12),
            ]
        ),
        NOTE,
    ),
    "pipeline": lambda: overview(pipeline_stages(), NOTE),
    "printed, no points": lambda: printed_against_recomputed([], NOTE),
    "printed, all equal": lambda: printed_against_recomputed(EQUAL, NOTE),
    "printed, all verdicts, own points": lambda: printed_against_recomputed(
        EQUAL + LAST + DIFFERENT + OWN, NOTE
    ),
}


@pytest.fixture(scope="module", params=FIGURES, ids=str)
def figure(request: pytest.FixtureRequest) -> Figure:
    return FIGURES[request.param]()


@pytest.fixture(scope="module")
def texts(figure: Figure) -> list[tuple[str, Bbox]]:
    return drawn_texts(figure)


# Fonts


@pytest.mark.parametrize("lang", SAMPLES)
def test_the_chosen_font_has_every_letter_of_the_language(lang):
    text = SAMPLES[lang] + native_name(lang)
    glyphs = TTFont(style.font_for(text, lang).get_file()).getBestCmap()
    assert [char for char in text if ord(char) not in glyphs] == []


@pytest.mark.parametrize("lang", SAMPLES)
def test_every_font_has_the_codes_and_numbers_that_stand_beside_a_name(lang):
    glyphs = TTFont(style.font_for(native_name(lang), lang).get_file()).getBestCmap()
    assert all(code in glyphs for code in range(0x20, 0x7F))


@pytest.mark.parametrize(
    ("text", "lang", "file"),
    [
        ("বাংলা (BN)", None, "NotoSansBengali[wdth,wght].ttf"),
        ("ไทย", None, "NotoSansThai[wdth,wght].ttf"),
        ("العربية", None, "KurintoSans-Rg.ttf"),
        ("Қазақша", None, "KurintoSans-Rg.ttf"),
        ("", None, "KurintoSans-Rg.ttf"),
        ("日本語の数学", None, "KurintoSansJP-Rg.ttf"),
        ("日本語", "ja", "KurintoSansJP-Rg.ttf"),
        ("中文", "zh", "KurintoSansSC-Rg.ttf"),
        ("한국어 漢字", None, "KurintoSansKR-Rg.ttf"),
    ],
)
def test_font_follows_the_script(text, lang, file):
    assert Path(style.font_for(text, lang).get_file()).name == file


def test_bangla_conjunct_is_one_cluster():
    # Three consonants with two joiners and a vowel sign: shaped, they are as wide as about one.
    assert width_of("স্ত্রী", 20) < 0.75 * width_of("সতর", 20)
    assert width_of("ক্ষ", 20) < 0.8 * width_of("কষ", 20)


def test_bangla_vowel_sign_stands_before_its_consonant(tmp_path):
    # Without shaping the sign would be drawn after the consonant, with a dotted circle.
    alone = width_of("ক", 20)
    assert alone < width_of("কি", 20) < 2 * alone


def test_scripts_of_two_families_in_one_text_are_refused():
    with pytest.raises(ValueError, match="one text per script"):
        style.font_for("বাংলা 中文")


def test_missing_font_wheel_is_named_with_the_way_out(monkeypatch):
    def absent(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    style._font_file.cache_clear()
    monkeypatch.setattr(importlib.metadata, "distribution", absent)
    with pytest.raises(LookupError, match="pip install justmytype-intl-south-asia"):
        style.font_for("বাংলা")


# Files


def test_saving_twice_gives_the_same_bytes(tmp_path):
    make = FIGURES["cross-lingual, all 15 languages, gaps"]
    first = style.save(make(), tmp_path / "first")
    second = style.save(make(), tmp_path / "second")
    assert [path.name for path in first] == ["first.pdf", "first.png"]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert b"CreationDate" not in first[0].read_bytes()


def test_another_process_gives_the_same_bytes(tmp_path):
    code = (
        "import sys; from pathlib import Path; from babelmath.figures import style;"
        "from babelmath.figures.pipeline import Stage, overview;"
        "stages = [Stage('a', 'First', 'doc', 'One', ()), Stage('b', 'বাংলা', '', 'Two', ('a',))];"
        "style.save(overview(stages, 'note'), Path(sys.argv[1]))"
    )
    scripts = str(Path(style.__file__).parents[2])
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": scripts}
        command = [sys.executable, "-c", code, str(tmp_path / seed)]
        subprocess.run(command, check=True, env=environment)
    for kind in ("pdf", "png"):
        assert (tmp_path / f"1.{kind}").read_bytes() == (tmp_path / f"2.{kind}").read_bytes()


def test_a_dot_in_the_stem_is_kept_and_no_other_file_is_left(tmp_path):
    style.save(overview(pipeline_stages()[:1], ""), tmp_path / "qwen2.5")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["qwen2.5.pdf", "qwen2.5.png"]


def test_a_failed_save_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    (tmp_path / "x.pdf").write_text("old")
    figure = overview(pipeline_stages()[:1], "")

    def fail(path: Path, **_: object) -> None:
        path.write_text("half")
        raise OSError("disk full")

    monkeypatch.setattr(figure, "savefig", fail)
    with pytest.raises(OSError, match="disk full"):
        style.save(figure, tmp_path / "x")
    assert [path.name for path in tmp_path.iterdir()] == ["x.pdf"]
    assert (tmp_path / "x.pdf").read_text() == "old"


def test_pyplot_is_never_loaded():
    scripts = str(Path(style.__file__).parents[2])
    code = (
        "import sys; from babelmath.figures import accuracy, matrices, pipeline;"
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": scripts}
    assert subprocess.run([sys.executable, "-c", code], env=environment).returncode == 0


# Every figure


def test_no_text_is_clipped(figure, texts):
    page = Bbox.from_bounds(0, 0, *(figure.get_size_inches() * figure.dpi))
    outside = [
        text
        for text, box in texts
        if box.x0 < page.x0 - 0.5
        or box.x1 > page.x1 + 0.5
        or box.y0 < page.y0 - 0.5
        or box.y1 > page.y1 + 0.5
    ]
    assert outside == []


def test_no_two_texts_overlap(texts):
    # Lines of one box or label stand as close as their font asks; ink is what must not collide.
    pairs = [(a, b) for (a, x), (b, y) in combinations(texts, 2) if overlap(x, y, slack=1.5)]
    assert pairs == []


def test_the_note_is_plain_text(texts):
    shown = " ".join(" ".join(text.split()) for text, _ in texts)
    assert NOTE in shown


@pytest.mark.parametrize(
    ("draw", "frame"),
    [
        (accuracy.cross_lingual, languages_frame(MODELS[:1], ["bn"])),
        (switching.code_switching, switching_frame(MODELS[:1])),
        (matrices.language_matrices, matrix_frame(MODELS[:1], MMATH)),
    ],
    ids=["cross_lingual", "code_switching", "language_matrices"],
)
def test_unusable_frames_are_refused(draw, frame):
    name = frame.columns[0]
    with pytest.raises(ValueError, match="the frame is empty"):
        draw(frame.clear(), NOTE)
    for column in frame.columns:
        with pytest.raises(ValueError, match=rf"lacks the column\(s\) {column}; it has"):
            draw(frame.drop(column), NOTE)
    with pytest.raises(ValueError, match=f"two rows for {name}='GPT-OSS 20B'"):
        draw(pl.concat([frame, frame]), NOTE)
    value = "share" if "share" in frame.columns else "value"
    for bad in (101.0, -0.1, float("nan")):
        with pytest.raises(ValueError, match="not a percentage"):
            draw(frame.with_columns(pl.lit(bad).alias(value)), NOTE)


@pytest.mark.parametrize(
    ("draw", "frame"),
    [
        (accuracy.cross_lingual, languages_frame(MODELS[:1], ["bn"])),
        (switching.code_switching, switching_frame(MODELS[:1])),
    ],
    ids=["cross_lingual", "code_switching"],
)
@pytest.mark.parametrize(
    ("value", "low", "high", "message"),
    [
        (50.0, 40.0, None, "an interval has a value and two ends"),
        (50.0, None, 60.0, "an interval has a value and two ends"),
        (None, 40.0, 60.0, "an interval has a value and two ends"),
        (50.0, 51.0, 60.0, "no interval of percentages that holds it"),
        (50.0, 40.0, 49.0, "no interval of percentages that holds it"),
        (50.0, -1.0, 60.0, "no interval of percentages that holds it"),
        (50.0, 40.0, 100.1, "no interval of percentages that holds it"),
        (50.0, float("nan"), 60.0, "no interval of percentages that holds it"),
    ],
)
def test_what_is_no_interval_is_refused(draw, frame, value, low, high, message):
    bad = frame.with_columns(value=pl.lit(value), low=pl.lit(low), high=pl.lit(high))
    with pytest.raises(ValueError, match=message):
        draw(bad, NOTE)


# Accuracy


def legend_labels(figure: Figure) -> list[str]:
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def test_legend_gives_mean_and_population_deviation():
    frame = languages_frame(["A"], ["bn", "en"]).with_columns(
        value=pl.Series([40.0, 60.0]), low=None, high=None
    )
    assert legend_labels(accuracy.cross_lingual(frame, "")) == ["A  (μ = 50.0, σ = 10.0)"]


def lines_of(figure: Figure, width: float) -> list[list[list[float]]]:
    """The ends of the drawn lines of one width."""
    lines = figure.axes[0].get_lines()
    return [line.get_xydata().tolist() for line in lines if line.get_linewidth() == width]


def test_intervals_stand_upright_through_their_points():
    frame = languages_frame(["A", "B"], ["bn", "en"], {(1, 1)})
    frame = frame.with_columns(
        low=pl.Series([0.0, 70.0, None, None]),
        high=pl.Series([90.0, 100.0, None, None]),
        value=pl.Series([80.0, 100.0, 50.0, None]),
    )
    figure = accuracy.cross_lingual(frame, "")
    marks = next(one for one in figure.axes[0].get_lines() if one.get_marker() == "o")
    (first, _), (second, _) = marks.get_xydata().tolist()
    wanted = [[[first, 0.0], [first, 90.0]], [[second, 70.0], [second, 100.0]]]
    upright = [one for one in figure.axes[0].get_lines() if one.get_solid_capstyle() == "butt"]
    assert [line.get_xydata().tolist() for line in upright] == wanted
    low, high = figure.axes[0].get_ylim()
    assert low < 0 and high > 100


def test_intervals_lie_on_their_bars_and_values_after_them():
    frame = switching_frame(["A"]).with_columns(
        value=pl.Series([100.0, 40.0, 30.0, 0.0]),
        low=pl.Series([97.0, 20.0, None, 0.0]),
        high=pl.Series([100.0, 60.0, None, 4.0]),
    )
    figure = switching.code_switching(frame, "")
    drawn = lines_of(figure, 0.7)
    assert [(line[0][0], line[-1][0]) for line in drawn] == [(97, 100), (20, 60), (0, 4)]
    assert [line[2][1] for line in drawn] == [0, 1, 3]
    values = {text.get_text(): text.get_position()[0] for text in figure.axes[0].texts}
    ends = {"100.0": 100, "40.0": 60, "30.0": 30, "0.0": 4}
    assert {name: values[name] - end for name, end in ends.items()} == pytest.approx(
        dict.fromkeys(ends, 1.8)
    )


@pytest.mark.parametrize(
    ("draw", "frame"),
    [
        (accuracy.cross_lingual, languages_frame(["A"], ["bn", "en"])),
        (switching.code_switching, switching_frame(["A"])),
    ],
    ids=["cross_lingual", "code_switching"],
)
def test_whiskers_are_explained_where_there_are_any(draw, frame):
    words = "Whiskers: 95% intervals."
    assert words in " ".join(text for text, _ in drawn_texts(draw(frame, "Paper.")))
    bare = frame.with_columns(low=pl.lit(None), high=pl.lit(None))
    assert words not in " ".join(text for text, _ in drawn_texts(draw(bare, "Paper.")))


@pytest.mark.parametrize("name", ["通义千问 7B", "বাংলা মডেল", "نموذج", "モデル", "모델", "Модель"])
def test_names_in_other_scripts_have_their_glyphs_in_the_legend(name):
    figure = accuracy.cross_lingual(languages_frame([name], ["bn", "en"]), "")
    (text,) = figure.legends[0].get_texts()
    assert name in text.get_text()
    assert style.covers(text.get_fontproperties(), text.get_text().lstrip("\N{LEFT-TO-RIGHT MARK}"))


def test_null_value_leaves_a_gap_that_is_named():
    figure = accuracy.cross_lingual(languages_frame(["A"], MATHMIST, {(0, 2)}), "")
    assert "no records" in [text for text, _ in drawn_texts(figure)]
    assert legend_labels(figure)[0].endswith("; 6 of 7)")
    line = figure.axes[0].get_lines()[0].get_ydata()
    assert [place for place, value in enumerate(line) if value != value] == [2]


def test_complete_frame_names_no_gap():
    figure = accuracy.cross_lingual(languages_frame(["A"], MATHMIST), "")
    assert "no records" not in [text for text, _ in drawn_texts(figure)]


def test_model_without_any_record_says_so():
    frame = languages_frame(["A", "B"], ["bn", "en"], {(1, 0), (1, 1)})
    assert legend_labels(accuracy.cross_lingual(frame, ""))[1] == "B  (no records)"


def test_count_stands_in_the_note_where_it_is_one_and_under_the_languages_where_not():
    frame = languages_frame(["A"], ["bn", "en"])
    alike = [text for text, _ in drawn_texts(accuracy.cross_lingual(frame, "Paper."))]
    assert "Paper. n = 150 per point. Whiskers: 95% intervals." in alike
    frame = frame.with_columns(n=pl.Series([150, 12]))
    differing = [text for text, _ in drawn_texts(accuracy.cross_lingual(frame, "Paper."))]
    assert {"n = 150", "n = 12", "Paper. Whiskers: 95% intervals."} <= set(differing)


def test_languages_carry_code_and_native_name():
    texts = {text for text, _ in drawn_texts(FIGURES["cross-lingual, 7 languages"]())}
    assert {"BN", "বাংলা", "KK", native_name("kk")} <= texts


def test_absent_bar_is_named_and_pairs_are_spelt_out():
    frame = switching_frame(["A", "B"], {(0, 1)}).filter(
        ~((pl.col("model") == "B") & (pl.col("pair") == "cs-en-bn"))
    )
    figure = switching.code_switching(frame, "")
    assert [text for text, _ in drawn_texts(figure)].count("no records") == 2
    assert legend_labels(figure)[0] == "BN question, BN reasoning (n = 1,345–1,445)"
    assert legend_labels(figure)[1] == "BN question, EN reasoning (n = 1,345)"


def test_unknown_pair_is_refused():
    frame = switching_frame(["A"]).with_columns(pair=pl.lit("cs-bn-fr")).head(1)
    with pytest.raises(ValueError, match="unknown pair 'cs-bn-fr'"):
        switching.code_switching(frame, "")


# Matrices


def column_labels(figure: Figure) -> list[str]:
    return [label.get_text() for label in figure.axes[0].get_xticklabels()]


def test_columns_are_question_languages_then_others_by_share_then_other():
    figure = matrices.language_matrices(matrix_frame(["A", "B"], ["en", "th"]), "")
    assert column_labels(figure) == ["EN", "TH", "und", "DE", "other"]


def single_row(shares: dict[str, float], panel: str = "A") -> pl.DataFrame:
    """A panel of one question language, English."""
    return pl.DataFrame(
        {
            "panel": [panel] * len(shares),
            "question_lang": ["en"] * len(shares),
            "lang_label": ["English"] * len(shares),
            "label": list(shares),
            "share": list(shares.values()),
            "n": [200] * len(shares),
        }
    )


def test_und_and_mixed_have_columns_of_their_own_however_rare_and_are_explained():
    frame = single_row({"en": 90.0, "de": 9.2, "mixed": 0.3, "und": 0.5})
    figure = matrices.language_matrices(frame, "")
    assert column_labels(figure) == ["EN", "und", "mixed", "DE"]
    shown = " ".join(text for text, _ in drawn_texts(figure))
    assert "und: language undetermined. mixed: two scripts" in shown.replace("\n", " ")
    figure = matrices.language_matrices(single_row({"en": 90.0, "de": 10.0}), "")
    assert column_labels(figure) == ["EN", "DE"]
    assert not any("und:" in text or "mixed:" in text for text, _ in drawn_texts(figure))


def test_labels_beyond_the_room_are_folded_and_the_note_says_how_large_they_are():
    foreign = {f"x{letter}": 1.5 + 0.1 * place for place, letter in enumerate("abcdefghijklmnopqr")}
    frame = single_row({"en": 100 - sum(foreign.values()), **foreign})
    both = pl.concat([frame, frame.with_columns(panel=pl.lit("B"))])
    figure = matrices.language_matrices(both, "")
    labels = column_labels(figure)
    kept = [label.lower() for label in labels[1:-1]]
    assert labels[-1] == "other"
    assert kept == sorted(foreign, key=foreign.get, reverse=True)[: len(kept)]
    folded = {label: share for label, share in foreign.items() if label not in kept}
    assert folded
    note = [text for text, _ in drawn_texts(figure) if "further labels" in text]
    assert note[0].endswith(f"each below {int(max(folded.values())) + 1} % in every row.")
    numbers = [text.get_text() for text in figure.axes[0].texts if text.get_text().isdigit()]
    assert numbers[-1] == str(round(sum(folded.values())))


def test_panels_are_named_by_the_frame_and_stand_in_its_order():
    names = [f"QwQ-32B, {part}" for part in ("thinking", "answering")]
    frame = pl.concat([matrix_frame([name], ["en", "th"]) for name in reversed(names)])
    figure = matrices.language_matrices(frame, "")
    titles = [axes.get_title().replace("\n", " ") for axes in figure.axes[:2]]
    assert titles == list(reversed(names))
    left, right = (axes.get_position() for axes in figure.axes[:2])
    assert left.x1 < right.x0


def test_more_panels_than_stay_legible_are_refused():
    with pytest.raises(ValueError, match="9 panels; one figure holds 8"):
        matrices.language_matrices(matrix_frame([str(i) for i in range(9)], ["en"]), "")


@pytest.mark.parametrize(
    "languages",
    [
        pytest.param(MMATH, id="10"),
        pytest.param(list(SAMPLES), id="15", marks=pytest.mark.heavy),
    ],
)
def test_numbers_stay_legible_on_a_full_page(languages):
    frame = matrix_frame([f"Model {i}, thinking" for i in range(8)], languages)
    whole = frame["question_lang"] == languages[0]
    frame = pl.concat([frame.filter(~whole), *(
        frame.filter(whole, pl.col("panel") == name).head(1).with_columns(share=pl.lit(100.0))
        for name in frame["panel"].unique(maintain_order=True)
    )])  # fmt: skip
    figure = matrices.language_matrices(frame, NOTE)
    drawn_texts(figure)
    for axes in figure.axes[:8]:
        rows, columns = len(axes.get_yticks()), len(axes.get_xticks())
        box = axes.get_window_extent()
        for text in axes.texts:
            if text.get_text().isdigit():
                assert text.get_fontsize() >= matrices.SMALLEST
                assert text.get_window_extent().width <= box.width / columns
        assert box.height / rows / figure.dpi * 72 > 1.3 * matrices.SMALLEST
    width, height = figure.get_size_inches()
    assert width == style.FULL_WIDTH
    assert height < (9.3 if len(languages) == 10 else 10.3)


def test_a_frame_without_any_share_is_all_no_records():
    frame = matrix_frame(["A", "B"], ["en", "th"]).with_columns(share=pl.lit(None), n=0)
    texts = [text for text, _ in drawn_texts(matrices.language_matrices(frame, "Paper."))]
    assert texts.count("no records") == 4
    assert "Paper." in texts


def test_rare_labels_are_folded_into_other():
    frame = pl.DataFrame(
        {
            "panel": ["A"] * 4,
            "question_lang": ["en"] * 4,
            "lang_label": ["English"] * 4,
            "label": ["en", "la", "de", "other"],
            "share": [98.2, 0.7, 0.6, 0.5],
            "n": [200] * 4,
        }
    )
    figure = matrices.language_matrices(frame, "")
    assert column_labels(figure) == ["EN", "other"]
    assert [text.get_text() for text in figure.axes[0].texts][:2] == ["98", "2"]


def test_half_a_percent_is_printed_and_less_is_not():
    frame = pl.DataFrame(
        {
            "panel": ["A"] * 2,
            "question_lang": ["en", "th"],
            "lang_label": ["English", "ไทย"],
            "label": ["en", "th"],
            "share": [100.0, 99.5],
            "n": [200] * 2,
        }
    )
    extra = frame.tail(1).with_columns(label=pl.lit("en"), share=pl.lit(0.5))
    shown = matrices.language_matrices(pl.concat([frame, extra]), "").axes[0].texts
    assert [text.get_text() for text in shown][:3] == ["100", "1", "100"]
    low = pl.concat([frame.with_columns(share=pl.Series([100.0, 99.6])), extra]).with_columns(
        share=pl.when(pl.col("share") == 0.5).then(0.4).otherwise("share")
    )
    shown = matrices.language_matrices(low, "").axes[0].texts
    assert [text.get_text() for text in shown][:2] == ["100", "100"]


def test_row_that_does_not_add_up_is_refused():
    frame = matrix_frame(["A"], ["en", "th"]).filter(pl.col("label") != "und")
    with pytest.raises(ValueError, match=r"question_lang='en' add up to 96.50, not 100"):
        matrices.language_matrices(frame, "")


def test_question_language_without_records_is_marked():
    frame = matrix_frame(["A", "B"], ["en", "th"])
    null = frame.with_columns(
        share=pl.when((pl.col("panel") == "B") & (pl.col("question_lang") == "th"))
        .then(None)
        .otherwise("share")
    )
    texts = [text for text, _ in drawn_texts(matrices.language_matrices(null, ""))]
    assert texts.count("no records") == 1


def test_rows_carry_the_native_name_that_the_frame_gives():
    frame = matrix_frame(["A"], ["ja", "th"])
    texts = {text for text, _ in drawn_texts(matrices.language_matrices(frame, ""))}
    assert {"JA", "日本語", "TH", "ไทย"} <= texts
    frame = frame.with_columns(lang_label=pl.lit("にほんご"))
    texts = {text for text, _ in drawn_texts(matrices.language_matrices(frame, ""))}
    assert "にほんご" in texts and "日本語" not in texts


def test_lightness_falls_evenly_over_the_percent_map():
    colours = style.percent_map()(range(256))[:, :3]
    linear = ((colours + 0.055) / 1.055) ** 2.4
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    assert all(a > b for a, b in pairwise(luminance))


# Pipeline


def boxes(figure: Figure) -> dict[str, Bbox]:
    figure.canvas.draw()
    return {
        patch.get_gid().removeprefix("stage "): patch.get_window_extent()
        for patch in figure.findobj(FancyBboxPatch)
        if patch.get_gid()
    }


def test_boxes_never_overlap_and_hold_their_text():
    figure = overview(pipeline_stages(), NOTE)
    placed = boxes(figure)
    assert len(placed) == len(pipeline_stages())
    assert not [(a, b) for a, b in combinations(placed, 2) if overlap(placed[a], placed[b])]
    for text in figure.findobj(Text):
        if text.get_gid():
            inside, box = text.get_window_extent(), placed[text.get_gid().removeprefix("text ")]
            assert box.x0 < inside.x0 and inside.x1 < box.x1, text.get_text()
            assert box.y0 < inside.y0 and inside.y1 < box.y1, text.get_text()


def test_picture_is_ten_inches_wide():
    assert overview(pipeline_stages(), NOTE).get_size_inches()[0] == pytest.approx(10)


def test_arrows_pass_no_box():
    stages = pipeline_stages()
    figure = overview(stages, NOTE)
    placed = boxes(figure)
    arrows = figure.findobj(FancyArrowPatch)
    assert len(arrows) == sum(len(stage.after) for stage in stages)
    for arrow in arrows:
        path = arrow.get_transform().transform_path(arrow.get_path())
        for x, y in path.interpolated(20).vertices[1:-1]:
            for name, box in placed.items():
                inside = box.x0 + 1 < x < box.x1 - 1 and box.y0 + 1 < y < box.y1 - 1
                assert not inside, name


def test_columns_follow_the_longest_path():
    columns = columns_of(pipeline_stages())
    assert [columns[name] for name in ("transcribe", "align", "rounds")] == [0, 1, 1]
    assert [columns[name] for name in ("generate", "judge", "tables", "audit")] == [3, 4, 5, 6]


def test_groups_never_overlap():
    stages = pipeline_stages()
    for a, b in combinations(bands_of(stages, columns_of(stages)), 2):
        beside = a.last_column < b.first_column or b.last_column < a.first_column
        assert beside or a.last_row < b.first_row or b.last_row < a.first_row


@pytest.mark.parametrize(
    ("after", "message"),
    [
        ({"a": ("b",)}, "stage 'a' comes after 'b', which is no stage; stages are a"),
        ({"a": ("a",)}, "the stages form a cycle: a after a"),
        ({"a": ("c",), "b": ("a",), "c": ("b",)}, "cycle: a after c after b after a"),
        ({}, "there are no stages to draw"),
    ],
)
def test_impossible_pipelines_are_refused(after, message):
    stages = [Stage(name, name, "", "g", before) for name, before in after.items()]
    with pytest.raises(ValueError, match=message):
        overview(stages, "")


def test_repeated_stage_name_is_refused():
    with pytest.raises(ValueError, match="two stages are named 'a'"):
        overview([Stage("a", "A", "", "g", ())] * 2, "")


def test_long_chain_grows_wider_rather_than_break_its_titles():
    chain = [
        Stage(f"s{i}", "Transcription", "an_identifier-without/any_blank" * 2, "g", after)
        for i, after in enumerate([(), *((f"s{i}",) for i in range(13))])
    ]
    figure = overview(chain, "")
    assert figure.get_size_inches()[0] > 10
    assert [text for text, _ in drawn_texts(figure)].count("Transcription") == 14
    placed = boxes(figure)
    assert not [(a, b) for a, b in combinations(placed, 2) if overlap(placed[a], placed[b])]


# Words


def test_wrap_breaks_at_blanks_then_after_marks_then_anywhere():
    assert wrap("one two", 9, 8) == ["one two"]
    assert wrap("SmolLM2-135M-Instruct", 0.9, 7.5) == ["SmolLM2-135M-", "Instruct"]
    assert "".join(wrap("x" * 60, 0.5, 8)) == "x" * 60
    assert wrap("", 1, 8) == []


def test_counts_in_words():
    assert count_text([150, 150]) == "n = 150"
    assert count_text([1445, None, 0, 150]) == "n = 150–1,445"
    assert count_text([None, 0]) == ""


# Printed against recomputed


def test_without_a_point_the_figure_says_so():
    rows = [percentage("50.0"), percentage("N/A", "12.3", "differs")]
    texts = [text for text, _ in drawn_texts(printed_against_recomputed(rows, "demonstration"))]
    assert texts == ["no records to recompute a printed percentage from", "Scale: demonstration."]


def test_only_percentages_are_drawn():
    count = Row("t.a", "tab:x", "r", "c", "count", "843", recomputed="843", verdict="equal")
    texts = [text for text, _ in drawn_texts(printed_against_recomputed([*EQUAL, count], "x"))]
    assert "21 printed percentages that records give. Scale: x." in texts
    assert "none differs" in texts


def test_legend_counts_verdicts_and_tells_own_points():
    figure = printed_against_recomputed(EQUAL + LAST + DIFFERENT + OWN, "paper")
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["equal (21)", "last digit (2)", "differs (15)", "differs (2), own run"]
    hollow = figure.axes[0].collections[-1]
    assert hollow.get_facecolor().size == 0
    assert hollow.get_offsets().tolist() == [[9.0, 18.0], [80.0, 89.0]]


def test_own_point_yields_to_a_recomputed_one():
    row = percentage("50.0", "50.00", "equal", own="70.00", own_verdict="differs")
    points = printed_against_recomputed([row], "paper").axes[0].collections
    assert [one.get_offsets().tolist() for one in points] == [[[50.0, 50.0]]]


def test_the_largest_differences_are_named():
    rows = [*DIFFERENT, percentage("10.0", "90.00", "differs", own="5.0")]
    right = printed_against_recomputed(rows, "paper").axes[1]
    drawn = [point.get_offsets().tolist()[0] for point in right.collections]
    assert drawn[0] == [80.0, 0.0]
    assert len(drawn) == 12
    assert {text.get_text() for text in right.texts} == {
        "zero_cot_en_bn_category_wise, Gemini 2.5 Flash-Lite, Bangla CoT Numerical"
    }


def test_printed_against_recomputed_is_saved(tmp_path):
    paths = style.save(printed_against_recomputed([], "paper"), tmp_path / "printed")
    assert [path.name for path in paths] == ["printed.pdf", "printed.png"]
    assert [path.read_bytes()[:4] for path in paths] == [b"%PDF", b"\x89PNG"]
