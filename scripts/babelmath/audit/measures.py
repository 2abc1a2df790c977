"""Numbers recomputed from records: the measures that the claims ledger names.

Each measure takes the records of one run and the arguments of a claim's `records`, and gives what
the run's tables would print, with n and a 95% interval. Whatever has no records gives None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from babelmath.audit.arguments import COUNTS, fault
from babelmath.composition import MIXED
from babelmath.sources import SUBSETS
from babelmath.statistics.frames import Measured, measured
from babelmath.tables import mathmist, mmath
from babelmath.tables.data import Data

Span = tuple[float, float] | None


@dataclass(frozen=True)
class Recomputed:
    """A recomputed number (or a name), its n, interval, scorers and released files."""

    value: float | str
    n: int
    span: Span = None
    scorers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


Measure = Callable[..., Recomputed | None]


def measure(data: Data, formula: str, arguments: Sequence[str]) -> Recomputed | None:
    """Recompute one claim.

    Raises:
        ValueError: arguments that the measure does not take.
    """
    found = MEASURES.get(formula)
    if found is None:
        return None
    if wrong := fault(formula, arguments, ()):
        raise ValueError(wrong)
    if formula not in COUNTS and not {model for _, model in data.pairs}.intersection(arguments):
        return None
    return found(data, *arguments)


def _accuracy(data: Data, setting: str, model: str, lang: str, kind: str) -> Recomputed | None:
    setting = _resolved(data, setting, lang)
    found = mathmist.accuracy(data, setting, model, lang, None if kind == "all" else kind)
    return _with_origin(found, _rows(data, setting, model, lang))


def _change(
    data: Data, after: str, before: str, model: str, lang: str, kind: str
) -> Recomputed | None:
    settings = [_resolved(data, name, lang) for name in (after, before)]
    only = None if kind == "all" else kind
    found = mathmist.accuracy_change(data, settings[0], settings[1], model, lang, only)
    one, two = (_rows(data, name, model, lang) for name in settings)
    if found is None:
        return None
    scorers, files = (_joined(*pair) for pair in zip(_origin(one), _origin(two), strict=True))
    return Recomputed(found.value, found.n, found.span, scorers, files)


def _detection(data: Data, model: str, lang: str) -> Recomputed | None:
    return _accuracy(data, "detect", model, lang, "all")


def _identification(data: Data, model: str, lang: str) -> Recomputed | None:
    found = mathmist.identified(data, model, lang)
    return _with_origin(found, _rows(data, "identify", model, lang))


def _f1(data: Data, model: str, lang: str) -> Recomputed | None:
    found = mathmist.f1(mathmist.identified(data, model, lang))
    return _with_origin(found, _rows(data, "identify", model, lang))


def _language_mean(data: Data, model: str) -> Recomputed | None:
    return _with_origin(mathmist.language_mean(data, model), _across(data, model))


def _language_sd(data: Data, model: str) -> Recomputed | None:
    return _with_origin(mathmist.language_deviation(data, model), _across(data, model))


def _across(data: Data, model: str) -> pl.DataFrame:
    return data.of_pair("cross-lingual", model)


def _problems(data: Data, what: str, lang: str) -> Recomputed | None:
    kind, _, subdomain = what.partition("/")
    rows = data.problems
    if rows.is_empty() or lang not in ("all", "each", *data.languages):
        return None
    if lang != "all":
        rows = rows.filter(pl.col("lang") == (data.languages[0] if lang == "each" else lang))
    if kind in SUBSETS:
        rows = rows.filter(pl.col("subset") == kind)
    elif kind != "all":
        rows = rows.filter(pl.col("kind") == kind)
    if subdomain:
        if rows["subdomain"].null_count():
            return None  # the source labels no subdomain
        rows = rows.filter(pl.col("subdomain") == subdomain.replace("_", " "))
    return Recomputed(rows.height, rows.height)


def _choices(data: Data, _: str) -> Recomputed | None:
    return None if data.choices is None else Recomputed(data.choices, data.choices)


def _perturbed(data: Data, _: str) -> Recomputed | None:
    return None if data.perturbed is None else Recomputed(data.perturbed, data.perturbed)


def _artefacts(data: Data, _: str) -> Recomputed | None:
    if data.choices is None or data.perturbed is None:
        return None
    total = data.problems.height + data.choices + data.perturbed
    return Recomputed(total, total)


def _subset(data: Data, setting: str, subset: str, model: str, lang: str) -> Recomputed | None:
    found = mmath.subset_accuracy(data, setting, model, [lang], subset)
    return _with_origin(found, _rows(data, setting, model, lang))


def _subset_mean(data: Data, setting: str, subset: str, model: str) -> Recomputed | None:
    found = mmath.subset_accuracy(data, setting, model, data.languages, subset)
    return _with_origin(found, _rows(data, setting, model))


def _macro(data: Data, setting: str, model: str, lang: str) -> Recomputed | None:
    found = mmath.macro(data, setting, model, [lang])
    return _with_origin(found, _rows(data, setting, model, lang))


def _macro_mean(data: Data, setting: str, model: str) -> Recomputed | None:
    found = mmath.macro(data, setting, model, data.languages)
    return _with_origin(found, _rows(data, setting, model))


def _lcr(data: Data, setting: str, model: str, part: str) -> Recomputed | None:
    return _plain(mmath.consistency(data, setting, model, part))


def _target(data: Data, model: str, lang: str) -> Recomputed | None:
    return _plain(mmath.target_accuracy(data, model, [lang], True))


def _off_target(data: Data, model: str, lang: str) -> Recomputed | None:
    return _plain(mmath.target_accuracy(data, model, [lang], False))


def _target_mean(data: Data, model: str) -> Recomputed | None:
    return _plain(mmath.target_accuracy(data, model, data.languages, True))


def _off_target_mean(data: Data, model: str) -> Recomputed | None:
    return _plain(mmath.target_accuracy(data, model, data.languages, False))


def _composition(data: Data, setting: str, model: str, label: str, what: str) -> Recomputed | None:
    return _counted(_solutions(data, setting, model), pl.col("label") == label, what)


def _combination(
    data: Data, setting: str, model: str, scripts: str, what: str
) -> Recomputed | None:
    rows = _solutions(data, setting, model).filter(pl.col("label") == MIXED)
    wanted = " + ".join(sorted(scripts.split("+")))
    return _counted(rows, pl.col("scripts") == wanted, what)


def _counted(rows: pl.DataFrame, condition: pl.Expr, what: str) -> Recomputed | None:
    if rows.is_empty():
        return None
    if what == "count":
        return Recomputed(rows.filter(condition).height, rows.height)
    return _plain(measured(rows.select("id", score=condition)))


def _solutions(data: Data, setting: str, model: str) -> pl.DataFrame:
    return data.compositions.filter((pl.col("setting") == setting) & (pl.col("model") == model))


def _judge(data: Data, setting: str) -> Recomputed | None:
    """The judges that the records name."""
    rows = data.verdicts.filter((pl.col("setting") == setting) & pl.col("judge").is_not_null())
    names = sorted(set(rows["judge"].to_list()))
    return Recomputed(", ".join(names), rows.height, None, *_origin(rows)) if names else None


def _samples(data: Data, setting: str) -> Recomputed | None:
    """The most responses that the records hold to one question."""
    rows = data.verdicts.filter(pl.col("setting") == setting)
    if rows.is_empty():
        return None
    most = rows.group_by("model", "id", "lang").len()["len"].to_list()
    return Recomputed(max(most), rows.height, None, *_origin(rows))


MEASURES: dict[str, Measure] = {
    "accuracy": _accuracy,
    "change": _change,
    "detection": _detection,
    "identification": _identification,
    "f1": _f1,
    "language_mean": _language_mean,
    "language_sd": _language_sd,
    "problems": _problems,
    "choices": _choices,
    "perturbed": _perturbed,
    "artefacts": _artefacts,
    "subset": _subset,
    "subset_mean": _subset_mean,
    "macro": _macro,
    "macro_mean": _macro_mean,
    "lcr": _lcr,
    "target": _target,
    "off_target": _off_target,
    "target_mean": _target_mean,
    "off_target_mean": _off_target_mean,
    "composition": _composition,
    "combination": _combination,
    "judge": _judge,
    "samples": _samples,
}


def _resolved(data: Data, setting: str, lang: str) -> str:
    return data.cot_columns.get(lang, setting) if setting == "cot" else setting


def _rows(data: Data, setting: str, model: str, lang: str | None = None) -> pl.DataFrame:
    rows = data.of_pair(setting, model)
    return rows if lang is None else rows.filter(pl.col("lang") == lang)


def _plain(found: Measured | None) -> Recomputed | None:
    return None if found is None else Recomputed(found.value, found.n, found.span)


def _with_origin(found: Measured | None, rows: pl.DataFrame) -> Recomputed | None:
    if found is None:
        return None
    return Recomputed(found.value, found.n, found.span, *_origin(rows))


def _origin(rows: pl.DataFrame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Scorers and released files of verdicts."""
    return (
        tuple(rows["scorer"].unique().sort().to_list()),
        tuple(rows["file"].drop_nulls().unique().sort().to_list()),
    )


def _joined(one: Sequence[str], two: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*one, *two]))
