"""Which generations the page holds where a run has more than it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from babelmath.errors import InputError
from babelmath.explorer.sources import Key, Source, count, keys
from babelmath.seeds import seed_of

Chosen = Mapping[str, frozenset[Key]]  # by the name of a source


def choose(sources: Sequence[Source], most: int, seed: int) -> tuple[Chosen | None, int]:
    """The chosen generations by source, None where all are, and how many there are in all.

    The cells (benchmark, setting, model, lang) get as equal a share as their sizes allow, not more
    than `most` together. In every cell problems come in one seeded order, so that models, settings
    and languages show the same ones.

    Raises:
        InputError: `most` leaves cells without any.
    """
    total = sum(map(count, sources))
    if total <= most:
        return None, total
    sizes = Counter((one.name, key[1]) for one in sources for key in keys(one))
    share = even_share(list(sizes.values()), most)
    if not share:
        raise InputError(f"not one for each of the {len(sizes)} groups of benchmark, setting, "
                         "model and language", field="explorer.most", value=most,
                         remedy="Name a larger number.")  # fmt: skip
    chosen: dict[str, frozenset[Key]] = {}
    for one in sources:
        ranks: dict[str, int] = {}
        taken: Counter[str] = Counter()
        held = []
        for key in sorted(keys(one), key=lambda key: _order(key, one.benchmark, seed, ranks)):
            if taken[key[1]] < share:
                taken[key[1]] += 1
                held.append(key)
        chosen[one.name] = frozenset(held)
    return chosen, total


def even_share(sizes: Sequence[int], most: int) -> int:
    """The largest share with which cells of these sizes, each cut to it, hold at most `most`."""
    low, high = 0, max(sizes, default=0)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(size, middle) for size in sizes) <= most:
            low = middle
        else:
            high = middle - 1
    return low


def _order(key: Key, benchmark: str, seed: int, ranks: dict[str, int]) -> tuple[int, Key]:
    problem = key[0]
    if problem not in ranks:
        ranks[problem] = seed_of(seed, "explorer", benchmark, problem)
    return ranks[problem], key
