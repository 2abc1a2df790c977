"""Paired tests between settings and between languages, on the same problems (both papers)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from babelmath.catalogue import CONTRASTS
from babelmath.selection import Records
from babelmath.statistics.frames import Measured
from babelmath.statistics.testing import FEWEST, detectable, holm
from babelmath.tables import mmath
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, number
from babelmath.tables.scored import about, change, responses, solved

FIRST = "en"  # the language that others are held against, where a setting asks it


@dataclass(frozen=True)
class Contrast:
    """One difference: its place, what it is measured by, and the generations behind it."""

    block: str
    row: str
    found: Measured | None
    step: float
    records: Records


def setting_tests(paper: str, data: Data) -> Table:
    """Settings against each other, by model and question language, and over all languages."""
    found = list(_settings(paper, data))
    notes = [
        "Block: the setting, less the one that it is held against. Problems in several languages "
        "are one problem.",
        *_notes(paper, data),
    ]
    title = "Differences between settings on the same problems"
    return Table(paper, "tests_settings", title, "strict", _cells(found), notes,
                 "Model, language")  # fmt: skip


def language_tests(paper: str, data: Data) -> Table:
    """Languages against English (else the setting's first), by setting and model."""
    found = list(_languages(paper, data))
    notes = [
        "Block: the setting; row: the language, less the one it is held against, on translations "
        "of the same problems.",
        *_notes(paper, data),
    ]
    title = "Differences between languages on the same problems"
    return Table(paper, "tests_languages", title, "strict", _cells(found), notes,
                 "Model, language")  # fmt: skip


def _settings(paper: str, data: Data) -> Iterator[Contrast]:
    rows_of, subsets = _reader(paper, data)
    for after, before in CONTRASTS[paper]:
        for model in data.models:
            if (after, model) not in data.pairs or (before, model) not in data.pairs:
                continue
            langs = [one for one in data.languages if _asked(data, after, model, one)
                     and _asked(data, before, model, one)]  # fmt: skip
            groups = [(data.language_names[one], [one]) for one in langs]
            if len(langs) > 1:
                groups.append(("all languages", langs))
            for name, group in groups:
                rows = (rows_of(setting, model, group) for setting in (after, before))
                yield Contrast(
                    f"{after} less {before}",
                    f"{data.models[model].display}, {name}",
                    change(*_same(*rows), group, subsets),
                    _step(paper, data, after, before) / len(group),
                    about(paper, [after, before], model, group),
                )


def _languages(paper: str, data: Data) -> Iterator[Contrast]:
    rows_of, subsets = _reader(paper, data)
    for setting, model in data.pairs:
        langs = [one for one in data.languages if _asked(data, setting, model, one)]
        if len(langs) < 2:
            continue
        first = FIRST if FIRST in langs else langs[0]
        base = rows_of(setting, model, [first])
        for lang in langs:
            if lang == first:
                continue
            # The cell names the language: on both sides it must be the same one.
            rows = rows_of(setting, model, [lang]).with_columns(cell=pl.lit(first))
            names = data.language_names
            yield Contrast(
                setting,
                f"{data.models[model].display}, {names[lang]} less {names[first]}",
                change(*_same(rows, base), [first], subsets),
                _step(paper, data, setting),
                about(paper, setting, model, [lang, first]),
            )


def _reader(
    paper: str, data: Data
) -> tuple[Callable[[str, str, Sequence[str]], pl.DataFrame], list[str]]:
    """How a benchmark's rows are read, and the subsets that its numbers are the mean over."""
    if paper == mmath.PAPER:
        subsets = mmath.held_subsets(data)
        return lambda setting, model, langs: responses(
            data, setting, model, langs, subsets
        ), subsets
    return lambda setting, model, langs: solved(data, setting, model, langs), []


def _same(after: pl.DataFrame, before: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of the problems that both sides have, by language: of a release each may lack some,
    and a difference on the same problems is of no others."""
    keys = [name for name in ("id", "cell", "stratum") if name in after.columns]
    return after.join(before, on=keys, how="semi", maintain_order="left"), before.join(
        after, on=keys, how="semi", maintain_order="left"
    )


def _step(paper: str, data: Data, *settings: str) -> float:
    """What one problem differs by at least, in points: by a response; in MathMist it is solved or
    not, whatever its attempts."""
    most = max(data.samples[one] for one in settings)
    return 100 / most if paper == mmath.PAPER else 100.0


def _asked(data: Data, setting: str, model: str, lang: str) -> bool:
    """Whether there are records of a model in a setting and language."""
    found = data.verdicts.filter(
        (pl.col("setting") == setting) & (pl.col("model") == model) & (pl.col("lang") == lang)
    )
    return not found.is_empty()


def _cells(contrasts: Sequence[Contrast]) -> list[Cell]:
    """The rows of a table; p-values are corrected within each block."""
    adjusted: dict[int, float] = {}
    for block in dict.fromkeys(one.block for one in contrasts):
        tested = [
            (index, one.found.p)
            for index, one in enumerate(contrasts)
            if one.block == block and one.found is not None and one.found.p is not None
        ]
        values = holm([p for _, p in tested])
        adjusted |= {index: p for (index, _), p in zip(tested, values, strict=True)}
    cells: list[Cell] = []
    for index, one in enumerate(contrasts):
        n = one.found.n if one.found else 0
        p = one.found.p if one.found else None
        spread = one.found.spread if one.found else None
        six = one.found.six if one.found else None
        least = None if spread is None else detectable(spread, n, one.step, six)
        few = "none" if n < FEWEST else "not known"
        cells += [
            Cell(one.block, one.row, "Problems", n, n, "count"),
            number(one.block, one.row, "Difference", one.found, one.records, "difference"),
            Cell(one.block, one.row, "p", p, n, "chance", 4),
            Cell(one.block, one.row, "p (Holm)", adjusted.get(index), n, "chance", 4),
            Cell(one.block, one.row, "Detectable", least, n, "points", 1,
                 few if one.found else "no records"),
        ]  # fmt: skip
    return cells


def _notes(paper: str, data: Data) -> list[str]:
    over = "macro averages over the subsets" if paper == mmath.PAPER else "percent of problems"
    scorers = sorted({data.scorers[setting] for setting, _ in data.pairs})
    return [
        f"Differences are of {over}, in points, on the problems that both sides were asked. "
        "p: sign-flip test over problems, two-sided (with one response to a problem McNemar's "
        "exact test): had both sides the same chance at each problem, a difference as large would "
        "come by chance that often. Holm: corrected for the tests of the same block; below 0.05 is "
        "a finding, above it is none, not evidence that both are alike.",
        "Detectable: the difference that a test of so many problems finds in four of five cases, "
        "by the scatter seen here. none: too few problems for any difference to be found. not "
        "known: a subset of one problem shows no scatter.",
        f"Strict protocol, scored by {', '.join(scorers)}.",
        *_untested(data),
    ]


def _untested(data: Data) -> list[str]:
    """A note on what has no row because a side has no records: whole settings of a model, or the
    languages in which another model was asked."""
    held: dict[tuple[str, str], set[str]] = {pair: set() for pair in data.pairs}
    for setting, model, lang in data.verdicts.select("setting", "model", "lang").unique().rows():
        held.setdefault((setting, model), set()).add(lang)
    told = []
    for model in dict.fromkeys(model for _, model in data.pairs):
        parts = []
        for setting in (one for one, other in data.pairs if other == model):
            asked = set().union(*(langs for (one, _), langs in held.items() if one == setting))
            gone = [data.language_names[one] for one in data.languages
                    if one in asked - held[setting, model]]  # fmt: skip
            if not held[setting, model]:
                parts.append(setting)
            elif gone:
                parts.append(f"{setting} in {', '.join(gone)}")
        if parts:
            told.append(f"{data.models[model].display} ({'; '.join(parts)})")
    return [f"No records, and so no tests: {'; '.join(told)}."] if told else []
