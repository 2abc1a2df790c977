"""The overview picture of the pipeline, drawn from the workflow's own stages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from babelmath.figures import style
from babelmath.figures.layers import Band, Stage, bands_of, columns_of, rows_of
from babelmath.figures.routes import Box, Lanes, lanes_through
from babelmath.figures.text import (
    LINE_HEIGHT,
    MARGIN,
    NOTE_SIZE,
    POINTS,
    note_height,
    width_of,
    wrap,
    wrap_note,
)

__all__ = ["Stage", "overview"]

WIDTH = 10.0  # inches

_ROW_GAP = 0.34  # inches, between rows of boxes
_GUTTER = 0.42  # of a box's width, between columns, where there is room
_NARROWEST_GUTTER = 0.28  # inches
_PAD, _HEADER = 0.10, 0.22  # inches, from a group's edge to its boxes; its title's share above
_INSET = 0.07  # inches, from a box's edge to its text
_NARROWEST, _WIDEST = 0.8, 1.6  # inches, a box
_LEAD = 0.03  # inches, between a box's title and doc
_TITLE_SIZE, _DOC_SIZE, _GROUP_SIZE = 8.5, 7.2, 8.5  # points
_GROUP_COLOURS = (style.BLUE, style.GREEN, style.VERMILLION, style.PURPLE, style.ORANGE, style.SKY)


def overview(stages: Sequence[Stage], note: str) -> Figure:
    """Boxes for the stages, in columns by their longest path from a source, joined by arrows.

    Each box holds the stage's title and doc, each group has a light background with its name, and
    an arrow leads to a stage from every stage in its `after`. The picture is 10 inches wide, wider
    only when boxes broad enough for the words of their titles need it; the same stages give the
    same picture. `note` stands under it.

    Raises ValueError for no stages, a repeated name, an unknown name in `after` and a cycle.
    """
    if not stages:
        raise ValueError("pipeline: there are no stages to draw")
    with style.applied():
        return _picture(stages, note)


def _picture(stages: Sequence[Stage], note: str) -> Figure:
    columns = columns_of(stages)
    bands = bands_of(stages, columns)
    words = [word for stage in stages for word in stage.title.split()]
    widest = max((width_of(word, _TITLE_SIZE, bold=True) for word in words), default=0.0)
    grid = _grid(max(columns.values()) + 1, widest + 2 * _INSET)
    width = grid.width
    texts = {
        stage.name: (
            wrap(stage.title, grid.box - 2 * _INSET, _TITLE_SIZE, bold=True),
            wrap(stage.doc, grid.box - 2 * _INSET, _DOC_SIZE),
        )
        for stage in stages
    }
    box_height = max(_text_height(*lines) for lines in texts.values()) + 2 * _INSET
    frames = {band.group: _frame(band, bands, grid, box_height) for band in bands}
    boxes = _boxes(stages, columns, bands, frames, grid, box_height)
    bottom = max(frame.bottom for frame in frames.values())
    note_lines = wrap_note(note, width)
    height = bottom + MARGIN + (note_height(len(note_lines)) + MARGIN if note_lines else 0)
    figure = style.new_figure(width, height, layout=None)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    colours = {
        band.group: _GROUP_COLOURS[index % len(_GROUP_COLOURS)] for index, band in enumerate(bands)
    }
    for group, frame in frames.items():
        _draw_group(axes, group, frame, colours[group])
    titles = [
        Box(frame.x, frame.y, width_of(group, _GROUP_SIZE, bold=True) + _PAD, 0.16)
        for group, frame in frames.items()
    ]
    _draw_arrows(axes, stages, columns, boxes, titles)
    for stage in stages:
        _draw_stage(axes, stage, boxes[stage.name], texts[stage.name], colours[stage.group])
    axes.text(
        MARGIN,
        bottom + MARGIN,
        "\n".join(note_lines),
        va="top",
        fontproperties=style.font_for(note),
        size=NOTE_SIZE,
        color=style.MUTED,
    )
    return figure


@dataclass(frozen=True)
class _Grid:
    """Widths in inches: of the picture, of a box, and from one column's box to the next one's."""

    width: float
    box: float
    pitch: float


def _grid(columns: int, wanted: float) -> _Grid:
    """Boxes of at least the `wanted` width, so that titles break between words."""
    inner = WIDTH - 2 * (MARGIN + _PAD)
    box = min(max(inner / (columns + _GUTTER * (columns - 1)), _NARROWEST, wanted), _WIDEST)
    pitch = max((inner - box) / max(columns - 1, 1), box + _NARROWEST_GUTTER)
    return _Grid(max(WIDTH, WIDTH - inner + box + (columns - 1) * pitch), box, pitch)


def _text_height(title: Sequence[str], doc: Sequence[str]) -> float:
    return (len(title) * _TITLE_SIZE + len(doc) * _DOC_SIZE) * LINE_HEIGHT / POINTS + _LEAD


def _frame(band: Band, bands: Sequence[Band], grid: _Grid, box_height: float) -> Box:
    """A group's background. Every row at which some group begins has room for a title above it."""
    starts = {other.first_row for other in bands}

    def top(row: int) -> float:
        titles = sum(start <= row for start in starts) - 1
        return MARGIN + row * (box_height + _ROW_GAP) + titles * (_HEADER + _PAD)

    return Box(
        MARGIN + band.first_column * grid.pitch,
        top(band.first_row),
        2 * _PAD + grid.box + (band.last_column - band.first_column) * grid.pitch,
        top(band.last_row) - top(band.first_row) + _HEADER + box_height + 2 * _PAD,
    )


def _boxes(
    stages: Sequence[Stage],
    columns: Mapping[str, int],
    bands: Sequence[Band],
    frames: Mapping[str, Box],
    grid: _Grid,
    height: float,
) -> dict[str, Box]:
    rows = rows_of(stages, columns, bands)
    by_group = {band.group: band for band in bands}
    boxes: dict[str, Box] = {}
    for stage in stages:
        band, frame = by_group[stage.group], frames[stage.group]
        held = (band.last_row - band.first_row) * (height + _ROW_GAP) + height
        room = frame.height - _HEADER - 2 * _PAD
        top = frame.y + _HEADER + _PAD + (room - held) / 2
        x = MARGIN + _PAD + columns[stage.name] * grid.pitch
        y = top + (rows[stage.name] - band.first_row) * (height + _ROW_GAP)
        boxes[stage.name] = Box(x, y, grid.box, height)
    return boxes


def _draw_group(axes: Axes, group: str, frame: Box, colour: str) -> None:
    axes.add_patch(_rounded(frame, 0.08, facecolor=(colour, 0.09), edgecolor="none", zorder=0))
    axes.text(
        frame.x + _PAD,
        frame.y + 0.05,
        group,
        va="top",
        fontproperties=style.font_for(group, bold=True),
        size=_GROUP_SIZE,
        color=colour,
    )


def _draw_stage(
    axes: Axes, stage: Stage, box: Box, text: tuple[Sequence[str], Sequence[str]], colour: str
) -> None:
    patch = _rounded(box, 0.05, facecolor="white", edgecolor=colour, linewidth=0.9, zorder=3)
    patch.set_gid(f"stage {stage.name}")
    axes.add_patch(patch)
    y = box.y + (box.height - _text_height(*text)) / 2
    for lines, size, bold in ((text[0], _TITLE_SIZE, True), (text[1], _DOC_SIZE, False)):
        for line in lines:
            y += size * LINE_HEIGHT / POINTS
            axes.text(
                box.x + box.width / 2,
                y - 0.3 * size / POINTS,
                line,
                ha="center",
                va="baseline",
                fontproperties=style.font_for(line, bold=bold),
                size=size,
                color=style.INK if bold else style.MUTED,
                zorder=4,
                gid=f"text {stage.name}",
            )
        y += _LEAD


def _draw_arrows(
    axes: Axes,
    stages: Sequence[Stage],
    columns: Mapping[str, int],
    boxes: Mapping[str, Box],
    blocked: Sequence[Box],
) -> None:
    edges = [(before, stage.name) for stage in stages for before in dict.fromkeys(stage.after)]
    # Short arrows have no choice of way, so the long ones go last.
    edges.sort(key=lambda edge: columns[edge[1]] - columns[edge[0]])
    left = {columns[name]: box.x for name, box in boxes.items()}
    width = next(iter(boxes.values())).width
    used: Lanes = {}
    for start, end in edges:
        points = [(boxes[start].right, boxes[start].middle)]
        for column, y in lanes_through((start, end), columns, boxes, used, blocked):
            points += [(left[column], y), (left[column] + width, y)]
        points.append((boxes[end].x, boxes[end].middle))
        axes.add_patch(
            FancyArrowPatch(
                path=_curve(points),
                arrowstyle="-|>,head_length=3.2,head_width=1.5",
                mutation_scale=1,
                color="#4D4D4D",
                linewidth=0.8,
                shrinkA=0,
                shrinkB=0,
                zorder=2,
                joinstyle="miter",
                capstyle="butt",
            )
        )


def _curve(points: Sequence[tuple[float, float]]) -> Path:
    """S-curves in the gutters (from even to odd points), level lines across the columns."""
    vertices, codes = [points[0]], [int(Path.MOVETO)]
    for place in range(0, len(points) - 1, 2):
        (x0, y0), (x1, y1) = points[place], points[place + 1]
        middle = (x0 + x1) / 2
        vertices += [(middle, y0), (middle, y1), (x1, y1)]
        codes += [int(Path.CURVE4)] * 3
        if place + 2 < len(points):
            vertices.append(points[place + 2])
            codes.append(int(Path.LINETO))
    return Path(vertices, codes)


def _rounded(box: Box, radius: float, **look: Any) -> FancyBboxPatch:
    return FancyBboxPatch(
        (box.x, box.y),
        box.width,
        box.height,
        boxstyle=f"round,pad=0,rounding_size={radius}",
        **look,
    )
