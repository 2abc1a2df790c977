"""How often the 95% intervals hold the truth: measured on responses drawn from known shares.

`make bench` runs it: a table on standard output, and one line of JSON in benchmarks/coverage.json.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

HOME = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME / "scripts"))

from scipy.special import betaincinv  # noqa: E402
from scipy.stats import binom  # noqa: E402

from babelmath.statistics.deviations import deviation_of  # noqa: E402
from babelmath.statistics.frames import paired_span  # noqa: E402
from babelmath.statistics.shares import Share, combined, wilson  # noqa: E402

SEED = 20250519
DRAWS = 2000
RANKS = 4096
SIZES = (30, 15, 18, 311)  # MMATH's subsets: AIME2024, AIME2025, CNMO, MATH500
SHARES = ((0.6, 0.5, 0.66, 0.94), (0.1, 0.1, 0.15, 0.8))


@dataclass(frozen=True)
class Measured:
    """How often an interval held the truth, of how many draws (0: worked out exactly), its width.

    `what`, `n` (problems), `of` (responses a problem) and `truth` say what was drawn.
    """

    what: str
    n: str
    of: int
    truth: str
    coverage: float
    width: float
    draws: int


def single(n: int, p: float) -> Measured:
    """One response to each of n problems: worked out over all counts, not drawn."""
    counts = np.arange(n + 1)
    spans = [wilson(count / n, n) for count in counts]
    chances = binom.pmf(counts, n, p)
    held = [low <= p <= high for low, high in spans]
    return Measured("a share", str(n), 1, f"{p:g}", float(chances @ held),
                    float(chances @ [high - low for low, high in spans]), 0)  # fmt: skip


def single_on_average(n: int) -> Measured:
    """The same, averaged over shares from 0.05 to 0.95."""
    grid = [single(n, float(p)) for p in np.linspace(0.05, 0.95, 181)]
    coverage, width = (float(np.mean(part)) for part in zip(
        *((one.coverage, one.width) for one in grid), strict=True))  # fmt: skip
    return Measured("a share", str(n), 1, "0.05 to 0.95", coverage, width, 0)


def clustered(n: int, of: int, p: float, alike: float, draws: int = DRAWS) -> Measured:
    """Several responses to a problem, whose chances differ from problem to problem.

    Args:
        alike: correlation of two responses to one problem.
    """
    rng = np.random.default_rng(SEED)
    spans = (share(drawn(latent(rng, n), of, p, alike, rng), of).span for _ in range(draws))
    return counted("a share", f"{n}", of, f"{p:g}, alike {alike:g}", p, spans)


def macro(ps: Sequence[float], of: int, alike: float, draws: int = DRAWS) -> Measured:
    """The mean over MMATH's four subsets."""
    rng = np.random.default_rng(SEED)

    def spans() -> Iterator[tuple[float, float]]:
        for _ in range(draws):
            parts = [share(drawn(latent(rng, n), of, p, alike, rng), of)
                     for n, p in zip(SIZES, ps, strict=True)]  # fmt: skip
            yield combined([one.value for one in parts], [one.span for one in parts], [0.25] * 4)

    truth = float(np.mean(ps))
    told = f"{truth:g}, alike {alike:g}"
    return counted("the mean of subsets", "+".join(map(str, SIZES)), of, told, truth, spans())


def paired(n: int, of: int, p1: float, p2: float, together: float, draws: int = DRAWS) -> Measured:
    """The difference of two shares over the same problems.

    Args:
        together: share of the problems that are as hard for one side as for the other; the chances
            of the others have nothing to do with each other.
    """
    rng = np.random.default_rng(SEED)

    def spans() -> Iterator[tuple[float, float]]:
        for _ in range(draws):
            one = latent(rng, n)
            two = np.where(rng.random(n) < together, one, latent(rng, n))
            yield paired_span(share(drawn(one, of, p1, 0.6, rng), of),
                              share(drawn(two, of, p2, 0.6, rng), of))  # fmt: skip

    told = f"{p1:g} less {p2:g}, {together:g} common"
    return counted("a difference", f"{n}", of, told, p1 - p2, spans())


def deviation(n: int, ps: Sequence[float], draws: int = DRAWS) -> Measured:
    """The deviation over languages, of one response each to the same problems."""
    rng = np.random.default_rng(SEED)

    def spans() -> Iterator[tuple[float, float]]:
        for _ in range(draws):
            hard = latent(rng, n)
            yield deviation_of(np.array([drawn(hard, 1, p, 0.6, rng) for p in ps]))

    truth = float(np.std(ps))
    told = f"{100 * truth:.1f} points"
    return counted(f"sigma over {len(ps)}", f"{n}", 1, told, truth, spans())


def latent(rng: np.random.Generator, n: int) -> np.ndarray:
    """How hard each problem is: a rank among so many."""
    return rng.integers(0, RANKS, n)


def drawn(
    hard: np.ndarray, of: int, p: float, alike: float, rng: np.random.Generator
) -> np.ndarray:
    """Correct responses by problem, of so many each."""
    return rng.binomial(of, chances(p, alike)[hard])


@functools.cache
def chances(p: float, alike: float) -> np.ndarray:
    """The chance of a correct response by rank: a beta distribution's quantiles."""
    scale = 1 / alike - 1
    ranks = (np.arange(RANKS) + 0.5) / RANKS
    return np.asarray(betaincinv(p * scale, (1 - p) * scale, ranks))


def share(right: np.ndarray, of: int) -> Share:
    """The share of right responses, of so many to each problem."""
    n = len(right) * of
    value = float(right.sum()) / n
    return Share(tuple(map(str, range(len(right)))), value, n, (right - value * of) / n)


def counted(
    what: str, n: str, of: int, told: str, truth: float, spans: Iterator[tuple[float, float]]
) -> Measured:
    found = np.array(list(spans))
    held = (found[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= found[:, 1])
    width = float((found[:, 1] - found[:, 0]).mean())
    return Measured(what, n, of, told, float(held.mean()), width, len(found))


def plan() -> Iterator[Measured]:
    """All designs."""
    sizes = (6, 10, 15, 30, 150)
    yield from map(single_on_average, sizes)
    for n, p in product(sizes, (0.1, 0.5, 0.8, 0.95)):
        yield single(n, p)
    for n, of, alike, p in product(sizes, (4, 40), (0.2, 0.6, 0.9), (0.1, 0.5, 0.95)):
        yield clustered(n, of, p, alike)
    for ps, of, alike in product(SHARES, (1, 4, 40), (0.3, 0.7)):
        yield macro(ps, of, alike)
    pairs = ((0.5, 0.5), (0.8, 0.7), (0.95, 0.9))
    for n, of, ps, together in product((*sizes, 311), (1, 4), pairs, (0.0, 0.7, 1.0)):
        yield paired(n, of, *ps, together)
    apart = (0.4, 0.5, 0.6, 0.5, 0.45, 0.55, 0.7)
    for n, ps in product((30, 150, 374), ((0.5,) * 7, apart, (0.5, 0.6))):
        yield deviation(n, ps)


def main() -> None:
    found = list(plan())
    print(table(found))
    place = HOME / "benchmarks"
    place.mkdir(exist_ok=True)
    result = {"bench": "coverage", "designs": [vars(one) for one in found]}
    (place / "coverage.json").write_text(json.dumps(result) + "\n")


def table(found: Sequence[Measured]) -> str:
    lines = [
        f"{'interval of':20} {'problems':>13} {'each':>4}  {'truth':30} {'held':>6} {'width':>6}"
    ]
    for one in found:
        mark = "" if one.coverage >= 0.93 else "  below 0.93"
        lines.append(f"{one.what:20} {one.n:>13} {one.of:>4}  {one.truth:30} {one.coverage:6.3f} "
                     f"{one.width:6.3f}{mark}")  # fmt: skip
    drawn_of = max(one.draws for one in found)
    return "\n".join([*lines, f"Up to {drawn_of} draws; shares of one response are worked out."])


if __name__ == "__main__":
    main()
