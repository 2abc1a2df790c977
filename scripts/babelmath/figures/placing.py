"""Where the labels of a scatter plot go: beside their points, on no other label or point.

Everything is in inches, in the plot's own frame; y grows upwards.
"""

from collections.abc import Iterator, Sequence
from math import cos, hypot, inf, pi, sin

import numpy as np
from numpy.typing import NDArray

Place = tuple[float, float]
Boxes = NDArray[np.float64]  # rows of left, bottom, right, top

_NEAR = 0.17  # points this close are of one cluster
_ALONE = 2  # of a cluster up to this size each label finds its own place
_MARK = 0.03  # half a point
_TURNS, _RINGS, _STEP = 16, 4, 0.05  # of the places for a label that stands alone
_GAP = 0.045  # from a point's middle to the nearest edge of its label
_UNJOINED = 0.1  # from a point to a label that needs no line to it
_PITCH = 1.28  # of a label's height, from one label of a column to the next
_COLUMN_GAPS = (0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.6, 0.8)  # from a cluster to its labels
_ON_LABEL, _ON_POINT, _ON_LINE, _OUTSIDE = 300.0, 100.0, 3.0, 1e6  # costs, an inch costing 20


def placed(
    points: Sequence[Place], sizes: Sequence[Place], lines: Boxes, side: float
) -> list[Place]:
    """Middles of the labels, in the order of their points.

    Labels of a cluster stand in a column beside it, in the order of its points; the others close by
    their points.

    Args:
        points: middles of the points.
        sizes: widths and heights of the labels.
        lines: boxes of what a label should rather not stand on.
        side: of the square plot, which no label leaves.
    """
    marks = np.array([[x - _MARK, y - _MARK, x + _MARK, y + _MARK] for x, y in points])
    found: dict[int, Place] = {}
    for cluster in sorted(_clusters(points, side), key=lambda one: (-len(one), one)):
        best, least = {}, inf
        for trial, dear in _trials(cluster, points, sizes, side):
            boxes = np.vstack([_box(trial[one], sizes[one]) for one in cluster])
            taken = [_box(place, sizes[one], 0.01) for one, place in found.items()]
            cost = dear + _ON_POINT * _hits(boxes, marks) + _ON_LINE * _hits(boxes, lines)
            cost += _ON_LABEL * _hits(boxes, np.array(taken).reshape(-1, 4))
            cost += _OUTSIDE * float(((boxes < 0) | (boxes > side)).sum())
            if cost < least:
                best, least = trial, cost
        found |= best
    return [found[index] for index in range(len(points))]


def leader(point: Place, place: Place, size: Place) -> tuple[Place, Place] | None:
    """The ends of the line that joins a point to the edge of its label; None where they touch."""
    edge = (
        min(max(point[0], place[0] - size[0] / 2), place[0] + size[0] / 2),
        place[1]
        if abs(place[0] - point[0]) > size[0] / 2
        else min(max(point[1], place[1] - size[1] / 2), place[1] + size[1] / 2),
    )
    off = hypot(edge[0] - point[0], max(abs(place[1] - point[1]) - size[1] / 2, 0.0))
    return (point, edge) if off > _UNJOINED else None


def _clusters(points: Sequence[Place], side: float) -> list[list[int]]:
    """Points that hang together by steps of `_NEAR` at most, by index.

    Few points, and those that leave no room for a column beside them, are clusters of their own.
    """
    clusters: list[list[int]] = []
    for index, (x, y) in enumerate(points):
        joined = [
            one
            for one in clusters
            if any(hypot(x - points[i][0], y - points[i][1]) <= _NEAR for i in one)
        ]
        clusters = [one for one in clusters if one not in joined]
        clusters.append(sorted([index, *(i for one in joined for i in one)]))
    apart = [one for one in clusters if len(one) <= _ALONE or _width(one, points) > side / 3]
    return [[index] for one in apart for index in one] + [
        one for one in clusters if one not in apart
    ]


def _width(cluster: Sequence[int], points: Sequence[Place]) -> float:
    across = [points[index][0] for index in cluster]
    return max(across) - min(across)


def _trials(
    cluster: Sequence[int], points: Sequence[Place], sizes: Sequence[Place], side: float
) -> Iterator[tuple[dict[int, Place], float]]:
    """Places for the labels of a cluster, and what each choice costs by itself."""
    if len(cluster) == 1:
        (index,) = cluster
        for place, cost in _rings(points[index], sizes[index]):
            yield {index: place}, cost
        return
    order = sorted(cluster, key=lambda one: (points[one][1], points[one][0]))
    heights = _spaced([points[one][1] for one in order], _PITCH * sizes[order[0]][1], side)
    for gap in _COLUMN_GAPS:
        left = min(points[one][0] for one in cluster) - gap
        right = max(points[one][0] for one in cluster) + gap
        for edge, way in ((right, 1), (left, -1)):
            yield (
                {
                    one: (edge + way * sizes[one][0] / 2, height)
                    for one, height in zip(order, heights, strict=True)
                },
                20 * gap,
            )


def _rings(point: Place, size: Place) -> Iterator[tuple[Place, float]]:
    for ring in range(_RINGS):
        for turn in range(_TURNS):
            angle = 2 * pi * turn / _TURNS
            across, up = cos(angle), sin(angle)
            away = _GAP + ring * _STEP
            place = (
                point[0] + across * (away + size[0] / 2),
                point[1] + up * (away + size[1] / 2),
            )
            # To the right is where one looks first.
            yield place, 20 * ring * _STEP + 0.2 * (1 - across)


def _spaced(heights: Sequence[float], pitch: float, side: float) -> list[float]:
    """The rising heights moved as little as may be to stand a pitch apart, inside the plot."""
    pitch = min(pitch, side / (len(heights) + 0.5))
    blocks: list[list[float]] = []  # means of heights less their pitches, and how many
    for place, height in enumerate(heights):
        blocks.append([height - place * pitch, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, count = blocks.pop()
            blocks[-1] = [
                (blocks[-1][0] * blocks[-1][1] + mean * count) / (blocks[-1][1] + count),
                blocks[-1][1] + count,
            ]
    starts = [mean for mean, count in blocks for _ in range(int(count))]
    highest = side - pitch * (len(heights) - 0.5)
    return [
        min(max(start, 0.8 * pitch), highest) + place * pitch for place, start in enumerate(starts)
    ]


def _box(place: Place, size: Place, margin: float = 0.0) -> Boxes:
    half = (size[0] / 2 + margin, size[1] / 2 + margin)
    return np.array(
        [place[0] - half[0], place[1] - half[1], place[0] + half[0], place[1] + half[1]]
    )


def _hits(boxes: Boxes, others: Boxes) -> float:
    """How often a box touches one of the others."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return float((low < high).all(2).sum())
