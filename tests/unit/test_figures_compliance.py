"""Accuracy against compliance: all points drawn, labels on nothing else, intervals whole."""

import random
from itertools import combinations, pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from babelmath.figures import style
from babelmath.figures.compliance import MOST, compliance
from babelmath.figures.placing import leader, placed
from babelmath.figures.points import CAPITALS, LABEL_SIZE
from unit.drawn import MMATH, MODELS, NOTE, drawn_texts, overlap

ENDS = ("compliance_low", "compliance_high", "low", "high")
SIDE = 2.0


def frame_of(
    models: list[str], points: list[tuple[float, float]], half: float = 6.0
) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "model": model,
                "lang": lang,
                "compliance": x,
                "compliance_low": max(0.0, x - half),
                "compliance_high": min(100.0, x + half),
                "value": y,
                "low": max(0.0, y - half),
                "high": min(100.0, y + half),
                "n": 374,
            }
            for model in models
            for lang, (x, y) in zip(MMATH, points, strict=False)
        ]
    )


def scattered(seed: int, xs: tuple[float, float], ys: tuple[float, float]) -> list:
    chance = random.Random(seed)
    return [(chance.uniform(*xs), chance.uniform(*ys)) for _ in MMATH]


POINTS = {
    "apart": scattered(1, (0, 100), (0, 100)),
    "all comply": scattered(2, (97, 100), (40, 60)),
    "none complies": scattered(3, (0, 3), (0, 30)),
    "one place, in a corner": [(100.0, 0.0)] * len(MMATH),
    "one place, in another": [(0.0, 100.0)] * len(MMATH),
    "in a line": [(place * 10.0, 50.0) for place in range(len(MMATH))],
}


def labels_of(figure: Figure) -> dict[str, Bbox]:
    """The ink of a one-model figure's labels: from the baseline to the height of capitals."""
    height = CAPITALS * LABEL_SIZE / 72 * figure.dpi
    drawn_texts(figure)
    found = {}
    for text in figure.axes[0].texts:
        if text.get_text().lower() in MMATH:
            box = text.get_window_extent()
            _, baseline = text.get_transform().transform(text.get_position())
            found[text.get_text()] = Bbox.from_extents(box.x0, baseline, box.x1, baseline + height)
    return found


@pytest.fixture(scope="module", params=POINTS)
def plot(request: pytest.FixtureRequest) -> tuple[Figure, list[tuple[float, float]]]:
    points = POINTS[request.param]
    return compliance(frame_of(MODELS[:1], points), NOTE), points


def test_every_language_has_a_point_and_a_label(plot):
    figure, points = plot
    assert sorted(labels_of(figure)) == sorted(lang.upper() for lang in MMATH)
    marks = [one for one in figure.axes[0].get_lines() if one.get_marker() == "o"]
    assert [list(zip(*one.get_data(), strict=True)) for one in marks] == [points]


def test_labels_stand_on_no_other_label(plot):
    labels = labels_of(plot[0])
    assert [(a, b) for a, b in combinations(labels, 2) if overlap(labels[a], labels[b])] == []


def test_labels_stand_on_no_point(plot):
    figure, points = plot
    radius = 1.8 / 72 * figure.dpi
    places = figure.axes[0].transData.transform(points)
    dots = [Bbox.from_extents(x - radius, y - radius, x + radius, y + radius) for x, y in places]
    assert [
        text for text, box in labels_of(figure).items() for dot in dots if overlap(box, dot)
    ] == []


def test_labels_and_intervals_stay_inside_the_panel(plot):
    figure, _ = plot
    panel = figure.axes[0].get_window_extent()
    for text, box in labels_of(figure).items():
        assert panel.x0 < box.x0 and box.x1 < panel.x1, text
        assert panel.y0 < box.y0 and box.y1 < panel.y1, text
    low, high = figure.axes[0].get_xlim()
    for line in figure.axes[0].get_lines():
        assert low < np.min(line.get_xydata()) and np.max(line.get_xydata()) < high


def test_intervals_are_drawn_both_ways_and_only_where_they_are_known():
    frame = frame_of(MODELS[:1], [(50.0, 40.0), (100.0, 0.0)])
    lines = [one.get_xydata().tolist() for one in compliance(frame, NOTE).axes[0].get_lines()]
    assert [[44.0, 40.0], [56.0, 40.0]] in lines
    assert [[50.0, 34.0], [50.0, 46.0]] in lines
    assert [[94.0, 0.0], [100.0, 0.0]] in lines
    bare = frame.with_columns(pl.lit(None).alias(name) for name in ENDS)
    lines = compliance(bare, NOTE).axes[0].get_lines()
    assert [one.get_marker() for one in lines] == ["o"]


def test_labels_of_a_cluster_are_joined_to_their_own_points():
    figure = compliance(frame_of(MODELS[:1], POINTS["all comply"], half=0.0), NOTE)
    places = dict(zip([lang.upper() for lang in MMATH], POINTS["all comply"], strict=True))
    labels, axes = labels_of(figure), figure.axes[0]
    joins = [one.get_xydata() for one in axes.get_lines() if one.get_linewidth() == 0.4]
    assert len(joins) == len(MMATH)
    for start, end in joins:
        (text,) = [one for one, place in places.items() if place == pytest.approx(tuple(start))]
        x, y = axes.transData.transform(end)
        assert abs(y - (labels[text].y0 + labels[text].y1) / 2) < 3
        assert min(abs(x - labels[text].x0), abs(x - labels[text].x1)) < 3


def test_languages_without_a_number_are_named_above_their_panel():
    frame = frame_of(MODELS[:2], POINTS["apart"])
    lacking = pl.col("lang").is_in(["ar", "vi"]) & (pl.col("model") == MODELS[0])
    one = frame.with_columns(
        pl.when(~lacking).then(pl.col(name)).alias(name) for name in ("compliance", *ENDS[:2])
    )
    texts = [text for text, _ in drawn_texts(compliance(one, NOTE))]
    assert [text for text in texts if "no records" in text] == ["no records: AR, VI"]
    assert texts.count("AR") == texts.count("VI") == 1
    nothing = frame.with_columns(
        pl.lit(None).alias(name) for name in ("compliance", "value", *ENDS)
    )
    texts = [text for text, _ in drawn_texts(compliance(nothing, NOTE))]
    assert sum(text.startswith("no records: EN, ZH") for text in texts) == 2


@pytest.mark.parametrize("count", [1, 5, pytest.param(MOST, marks=pytest.mark.heavy)])
def test_panels_share_their_axes_and_fit_a_page(count):
    figure = compliance(frame_of([f"Model {i}" for i in range(count)], POINTS["apart"]), NOTE)
    assert len(figure.axes) == count
    assert {(axes.get_xlim(), axes.get_ylim()) for axes in figure.axes} == {((-5, 105), (-5, 105))}
    width, height = figure.get_size_inches()
    assert width <= style.FULL_WIDTH + 1e-9
    assert height <= 10.75
    page = Bbox.from_bounds(0, 0, width * figure.dpi, height * figure.dpi)
    for text, box in drawn_texts(figure):
        assert page.x0 <= box.x0 and box.x1 <= page.x1, text
        assert page.y0 <= box.y0 and box.y1 <= page.y1, text
    sides = [axes.get_window_extent() for axes in figure.axes]
    assert all(one.width == pytest.approx(one.height) for one in sides)
    assert not [pair for pair in combinations(sides, 2) if overlap(*pair)]


def test_more_models_than_fit_are_refused():
    with pytest.raises(ValueError, match="13 models; one figure holds 12"):
        compliance(frame_of([str(i) for i in range(13)], [(1.0, 1.0)]), NOTE)


def test_note_says_what_the_axes_and_lines_are():
    texts = [text for text, _ in drawn_texts(compliance(frame_of(["A"], POINTS["apart"]), NOTE))]
    shown = " ".join(" ".join(text.split()) for text in texts)
    assert f"{NOTE} One point a language." in shown
    assert "95% intervals of both. n = 374 per point." in shown
    assert {"language compliance (%)", "accuracy (%)"} <= set(texts)


@pytest.mark.parametrize("column", ["model", "lang", "compliance", "value", "n", *ENDS])
def test_a_frame_without_a_column_is_refused(column):
    frame = frame_of(["A"], POINTS["apart"])
    with pytest.raises(ValueError, match=rf"lacks the column\(s\) {column}; it has"):
        compliance(frame.drop(column), NOTE)


@pytest.mark.parametrize("ends", [("compliance", *ENDS[:2]), ("value", *ENDS[2:])])
@pytest.mark.parametrize("bad", [(101.0, 99.0, 100.0), (50.0, 60.0, 70.0), (50.0, None, 70.0)])
def test_numbers_that_are_no_percentage_or_interval_are_refused(ends, bad):
    frame = frame_of(["A"], POINTS["apart"])
    with pytest.raises(ValueError, match=r"not a percentage|interval"):
        columns = dict(zip(ends, bad, strict=True))
        compliance(frame.with_columns(**{k: pl.lit(v) for k, v in columns.items()}), NOTE)


# Places of labels

INSIDE = st.floats(0.1, SIDE - 0.1)
SIZE = (0.13, 0.07)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(INSIDE, INSIDE), min_size=1, max_size=15))
def test_every_label_is_placed_inside_the_plot(points):
    places = placed(points, [SIZE] * len(points), np.empty((0, 4)), SIDE)
    assert len(places) == len(points)
    for x, y in places:
        assert SIZE[0] / 2 - 1e-9 <= x <= SIDE - SIZE[0] / 2 + 1e-9
        assert SIZE[1] / 2 - 1e-9 <= y <= SIDE - SIZE[1] / 2 + 1e-9


@settings(max_examples=30, deadline=None)
@given(
    st.tuples(st.floats(0.3, SIDE - 0.3), INSIDE),
    st.lists(st.tuples(st.floats(-0.05, 0.05), st.floats(-0.05, 0.05)), min_size=3, max_size=15),
)
def test_labels_of_a_cluster_stand_in_the_order_of_its_points(middle, steps):
    points = [(middle[0] + x, middle[1] + y) for x, y in steps]
    places = placed(points, [SIZE] * len(points), np.empty((0, 4)), SIDE)
    order = sorted(range(len(points)), key=lambda one: (points[one][1], points[one][0]))
    heights = [places[one][1] for one in order]
    assert all(b - a >= SIZE[1] for a, b in pairwise(heights))
    assert len({round(x, 9) for x, _ in places}) == 1


def test_a_label_alone_stands_beside_its_point_off_its_intervals():
    lines = np.array([[0.5, 0.996, 1.5, 1.004], [0.996, 0.5, 1.004, 1.5]])
    ((x, y),) = placed([(1.0, 1.0)], [SIZE], lines, SIDE)
    assert x - SIZE[0] / 2 > 1.004
    assert abs(y - 1.0) - SIZE[1] / 2 > 0.004


def test_leader_ends_at_the_edge_of_the_label_and_is_spared_beside_it():
    assert leader((1.0, 1.0), (1.1, 1.0), SIZE) is None
    start, end = leader((1.0, 1.0), (1.5, 1.2), SIZE)
    assert start == (1.0, 1.0)
    assert end == pytest.approx((1.5 - SIZE[0] / 2, 1.2))
