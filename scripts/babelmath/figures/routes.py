"""Ways for the pipeline's arrows past the boxes of the columns between two stages. In inches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

CLEARANCE = 0.07  # from a box to the nearest lane, and from a lane to a box
_NEXT_LANE = 0.055  # to a second lane on the same side of a box
_LANES = 2
_LEVEL = 0.12  # a slope below this a column is not worth a bend


@dataclass(frozen=True)
class Box:
    """A rectangle by its left upper corner; y grows downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


Lanes = dict[tuple[int, float], str]
"""The stage whose arrows use a lane, by column and y; arrows from one stage share a lane."""


def lanes_through(
    edge: tuple[str, str],
    columns: Mapping[str, int],
    boxes: Mapping[str, Box],
    used: Lanes,
    blocked: Sequence[Box] = (),
) -> list[tuple[int, float]]:
    """Column and y of each lane that the arrow of `edge` (from, to) takes between its two columns.

    A lane crosses a whole column clear of its boxes and of the `blocked` rectangles, as near as may
    be to the straight way, and is entered in `used`.
    """
    start, end = edge
    lanes: list[tuple[int, float]] = []
    y = boxes[start].middle
    for column in range(columns[start] + 1, columns[end]):
        left = columns[end] - column + 1
        straight = y + (boxes[end].middle - y) / left
        straight = y if abs(straight - y) < _LEVEL else straight
        here = [box for name, box in boxes.items() if columns[name] == column]
        x, right = here[0].x, here[0].right
        walls = [*here, *(box for box in blocked if box.x < right and x < box.right)]
        free = [
            lane
            for lane in _candidates((y, straight), here)
            if all(not wall.y - CLEARANCE < lane + 1e-9 < wall.bottom + CLEARANCE for wall in walls)
            and used.get((column, lane), start) == start
        ]
        y = min(free or [straight], key=partial(_detour, y, straight))
        used[column, y] = start
        lanes.append((column, y))
    return lanes


def _detour(level: float, straight: float, lane: float) -> tuple[float, float]:
    """Cost of a lane: its way from the straight line, and the bend from the lane before it."""
    return abs(lane - straight) + 0.5 * abs(lane - level), lane


def _candidates(wanted: Sequence[float], boxes: Sequence[Box]) -> list[float]:
    steps = [CLEARANCE + lane * _NEXT_LANE for lane in range(_LANES)]
    above = [box.y - step for box in boxes for step in steps]
    below = [box.bottom + step for box in boxes for step in steps]
    return [round(lane, 4) for lane in [*wanted, *above, *below]]
