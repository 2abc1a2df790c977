"""Figures for colour-blind readers and in grey: Machado et al. 2009, CIE 1976 colour distances."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from babelmath.figures import style
from babelmath.figures.printed import LOOKS
from babelmath.figures.switching import PAIRS

# Severity 1.0 of table 1 in the paper, for linear RGB.
SEEN = {
    "full sight": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = np.array([
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
])  # fmt: skip
WHITE = np.array([0.95047, 1.0, 1.08883])


def lab(colour: object, sight: str) -> np.ndarray:
    """CIE L*a*b* of an sRGB colour as it is seen."""
    encoded = np.array(to_rgb(colour))
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    x, y, z = (
        np.cbrt(part) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in XYZ @ np.clip(np.array(SEEN[sight]) @ linear, 0, 1) / WHITE
    )
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(first: object, second: object, sight: str) -> float:
    return float(np.linalg.norm(lab(first, sight) - lab(second, sight)))


def test_lab_of_known_colours():
    assert lab("white", "full sight") == pytest.approx([100, 0, 0], abs=0.01)
    assert lab("red", "full sight") == pytest.approx([53.24, 80.09, 67.20], abs=0.02)


HUES = {*style.PALETTE, *(hue for _, hue, _ in PAIRS.values()), *(one[0] for one in LOOKS.values())}


@pytest.mark.parametrize("sight", SEEN)
def test_hues_of_series_stay_apart(sight):
    near = {
        (a, b): round(distance(a, b, sight), 1)
        for a, b in combinations(sorted(HUES), 2)
        if distance(a, b, sight) < 15
    }
    assert near == {}


@pytest.mark.parametrize("sight", SEEN)
def test_percent_map_darkens_evenly(sight):
    lightness = [lab(colour, sight)[0] for colour in style.percent_map()(range(256))[:, :3]]
    steps = -np.diff(lightness)
    assert steps.min() > 0.2
    assert steps.max() < 1.3 * steps.min()


def test_what_is_told_by_hue_is_told_by_marker_or_hatch_too():
    looks = [style.series(index) for index in range(56)]
    assert len(set(looks)) == len(looks)
    assert len({marker for _, marker in looks[:8]}) == 8
    hatches = [hatch for _, _, hatch in PAIRS.values()]
    assert len(set(hatches)) == len(hatches)
    markers = [marker for _, marker, _ in LOOKS.values()]
    assert len(set(markers)) == len(markers)


@pytest.mark.parametrize("hue", style.PALETTE)
def test_lines_of_intervals_are_dark_on_white(hue):
    # An L* of 60 is a contrast of about 3 to 1.
    assert lab(style.darker(hue), "full sight")[0] < 60
