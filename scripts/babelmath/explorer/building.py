"""Building the page: chunks of generations and problems, the index, the page's own files."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from babelmath.explorer.choosing import choose
from babelmath.explorer.generations import Row, write_generations
from babelmath.explorer.index import entries, write_index
from babelmath.explorer.problems import Facts, Files, Place, write_problems
from babelmath.explorer.sources import Key, Source
from babelmath.packages import packaged_file

FONTS = {
    "NotoSansBengali.ttf": ("justmytype-intl-south-asia", "NotoSansBengali[wdth,wght].ttf"),
}
Work = tuple[Source, frozenset[Key] | None, Path]


def build(
    folder: Path,
    head: Mapping[str, Any],
    sources: Sequence[Source],
    problems: Mapping[str, Files],
    page: Mapping[str, Path],
    processes: int = 1,
) -> None:
    """Write the whole explorer into a folder.

    Args:
        head: statement, scale, protocol, seed, most (generations on the page); benchmarks (their
            languages by name), models (display names), languages (name, and name in itself) and
            settings (by benchmark: task, expected (language or None), scorers, shown (the scorer
            of the run's protocol)), in the order in which the page shows them.
        sources: all (benchmark, setting, model), in the same order.
        problems: the files of each benchmark.
        page: the page's own files by their place in the folder.
        processes: how many work at once.

    Raises:
        InputError: damaged records, records that do not fit each other, or a problem that lacks.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chosen, total = choose(sources, head["most"], head["seed"])
    work = [(one, None if chosen is None else chosen[one.name], folder) for one in sources]
    rows = list(_written(work, processes))
    found: dict[str, dict[Place, Facts]] = {}
    for name, files in problems.items():
        wanted = {
            row.key[:2]
            for source, held in zip(sources, rows, strict=True)
            if source.benchmark == name
            for row in held
        }
        found[name] = write_problems(name, files, wanted, folder)
    held = entries(sources, rows, found, head["benchmarks"])
    order = {"setting": list(dict.fromkeys(one.setting for one in sources))}
    write_index(folder, {**head, "order": order, "total": total, "shown": len(held)}, held)
    _copy(folder, page)


def _written(work: Sequence[Work], processes: int) -> Iterable[list[Row]]:
    if processes == 1:
        return map(_write, work)
    with ProcessPoolExecutor(processes) as pool:
        return list(pool.map(_write, work))


def _write(work: Work) -> list[Row]:
    source, chosen, folder = work
    return write_generations(source, chosen, folder)


def _copy(folder: Path, page: Mapping[str, Path]) -> None:
    fonts = {f"fonts/{name}": packaged_file(*where) for name, where in FONTS.items()}
    for place, path in {**page, **fonts}.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
