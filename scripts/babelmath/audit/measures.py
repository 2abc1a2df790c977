"""Numbers recomputed from records: the measures that the claims ledger names.

Each measure takes the records of one run and the arguments of a claim's `records`, and gives what
the run's tables would print, with n and a 95% interval. Whatever has no records gives None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from babelmath.audit.arguments import COUNTS, fault
from babelmath.audit.confidence import of_deviation, of_mean, of_strata, wilson
from babelmath.composition import MIXED
from babelmath.sources import SUBSETS
from babelmath.tables import mathmist, mmath
from babelmath.tables.data import Data
from babelmath.tables.frame import deviation, mean, share

Span = tuple[float, float] | None


@dataclass(frozen=True)
class Measured:
    """A recomputed number (or a name), its n, interval, scorers and released files."""

    value: float | str
    n: int
    span: Span = None
    scorers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


Measure = Callable[..., Measured | None]


def measure(data: Data, formula: str, arguments: Sequence[str]) -> Measured | None:
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


def _accuracy(data: Data, setting: str, model: str, lang: str, kind: str) -> Measured | None:
    setting = _resolved(data, setting, lang)
    value, n = mathmist.accuracy(data, setting, model, lang, None if kind == "all" else kind)
    if value is None:
        return None
    rows = _rows(data, setting, model, lang)
    return Measured(value, n, wilson(round(value * n / 100), n), *_origin(rows))


def _change(
    data: Data, after: str, before: str, model: str, lang: str, kind: str
) -> Measured | None:
    one, two = (_accuracy(data, name, model, lang, kind) for name in (after, before))
    if one is None or two is None:
        return None
    solved = [
        _solved(data, _resolved(data, name, lang), model, lang, kind) for name in (after, before)
    ]
    common = sorted(solved[0].keys() & solved[1].keys())
    span = of_mean([solved[0][key] - solved[1][key] for key in common])
    return Measured(
        float(one.value) - float(two.value), one.n, span, _joined(one.scorers, two.scorers),
        _joined(one.files, two.files),
    )  # fmt: skip


def _detection(data: Data, model: str, lang: str) -> Measured | None:
    return _accuracy(data, "detect", model, lang, "all")


def _identification(data: Data, model: str, lang: str) -> Measured | None:
    found = mathmist.identified(data, model, lang)
    if found is None:
        return None
    return Measured(share(found.right, found.n) or 0.0, found.n, wilson(found.right, found.n),
                    *_origin(_rows(data, "identify", model, lang)))  # fmt: skip


def _f1(data: Data, model: str, lang: str) -> Measured | None:
    found = mathmist.identified(data, model, lang)
    if found is None:
        return None
    low, high = (200 * r / (100 + r) for r in wilson(found.right, found.n))
    return Measured(found.f1, found.n, (low, high),
                    *_origin(_rows(data, "identify", model, lang)))  # fmt: skip


def _language_mean(data: Data, model: str) -> Measured | None:
    return _over_languages(data, model, mean)


def _language_sd(data: Data, model: str) -> Measured | None:
    return _over_languages(data, model, deviation)


def _over_languages(
    data: Data, model: str, over: Callable[[Sequence[float | None]], float | None]
) -> Measured | None:
    cells = [mathmist.accuracy(data, "cross-lingual", model, lang) for lang in data.languages]
    value = over([one for one, _ in cells])
    if value is None:
        return None
    solved = [_solved(data, "cross-lingual", model, lang, "all") for lang in data.languages]
    common = sorted(set.intersection(*(set(one) for one in solved)))
    columns = [[one[key] for key in common] for one in solved]
    by_problem = [sum(row) / len(row) for row in zip(*columns, strict=True)]
    span = of_mean(by_problem) if over is mean else of_deviation(columns)
    rows = data.verdicts.filter((pl.col("setting") == "cross-lingual") & (pl.col("model") == model))
    return Measured(value, sum(n for _, n in cells), span, *_origin(rows))


def _problems(data: Data, what: str, lang: str) -> Measured | None:
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
    return Measured(rows.height, rows.height)


def _choices(data: Data, _: str) -> Measured | None:
    return None if data.choices is None else Measured(data.choices, data.choices)


def _perturbed(data: Data, _: str) -> Measured | None:
    return None if data.perturbed is None else Measured(data.perturbed, data.perturbed)


def _artefacts(data: Data, _: str) -> Measured | None:
    if data.choices is None or data.perturbed is None:
        return None
    total = data.problems.height + data.choices + data.perturbed
    return Measured(total, total)


def _subset(data: Data, setting: str, subset: str, model: str, lang: str) -> Measured | None:
    value, n = mmath.subset_accuracy(data, setting, model, lang, subset)
    if value is None:
        return None
    groups = _by_problem(data, setting, model, [lang], [subset])
    return Measured(value, n, of_mean(groups[0]), *_origin(_rows(data, setting, model, lang)))


def _subset_mean(data: Data, setting: str, subset: str, model: str) -> Measured | None:
    cells = [mmath.subset_accuracy(data, setting, model, lang, subset) for lang in data.languages]
    value = mean([one for one, _ in cells])
    if value is None:
        return None
    groups = _by_problem(data, setting, model, data.languages, [subset])
    rows = data.verdicts.filter((pl.col("setting") == setting) & (pl.col("model") == model))
    return Measured(value, sum(n for _, n in cells), of_mean(groups[0]), *_origin(rows))


def _macro(data: Data, setting: str, model: str, lang: str) -> Measured | None:
    value, n = mmath.macro(data, setting, model, lang)
    if value is None:
        return None
    groups = _by_problem(data, setting, model, [lang], SUBSETS)
    return Measured(value, n, of_strata(groups), *_origin(_rows(data, setting, model, lang)))


def _macro_mean(data: Data, setting: str, model: str) -> Measured | None:
    cells = [mmath.macro(data, setting, model, lang) for lang in data.languages]
    value = mean([one for one, _ in cells])
    if value is None:
        return None
    groups = _by_problem(data, setting, model, data.languages, SUBSETS)
    rows = data.verdicts.filter((pl.col("setting") == setting) & (pl.col("model") == model))
    return Measured(value, sum(n for _, n in cells), of_strata(groups), *_origin(rows))


def _lcr(data: Data, setting: str, model: str, part: str) -> Measured | None:
    value, n = mmath.consistency(data, setting, model, part)
    if value is None:
        return None
    rows = data.labels.filter((pl.col("setting") == setting) & (pl.col("model") == model))
    same = rows.group_by("id").agg((pl.col(part) == pl.col("lang")).mean() * 100)
    return Measured(value, n, of_mean(same[part].to_list()))


def _target(data: Data, model: str, lang: str) -> Measured | None:
    return _by_target(data, model, lang, True)


def _off_target(data: Data, model: str, lang: str) -> Measured | None:
    return _by_target(data, model, lang, False)


def _by_target(data: Data, model: str, lang: str, target: bool) -> Measured | None:
    value, n = mmath.target_accuracy(data, model, lang, target)
    return None if value is None else Measured(value, n, wilson(round(value * n / 100), n))


def _target_mean(data: Data, model: str) -> Measured | None:
    return _target_average(data, model, True)


def _off_target_mean(data: Data, model: str) -> Measured | None:
    return _target_average(data, model, False)


def _target_average(data: Data, model: str, target: bool) -> Measured | None:
    """Mean over the languages that have such responses, as the paper averages."""
    cells = [mmath.target_accuracy(data, model, lang, target) for lang in data.languages]
    known = [value for value, _ in cells if value is not None]
    return Measured(sum(known) / len(known), sum(n for _, n in cells)) if known else None


def _composition(data: Data, setting: str, model: str, label: str, what: str) -> Measured | None:
    rows = _solutions(data, setting, model)
    return _counted(rows.filter(pl.col("label") == label).height, rows.height, what)


def _combination(data: Data, setting: str, model: str, scripts: str, what: str) -> Measured | None:
    rows = _solutions(data, setting, model).filter(pl.col("label") == MIXED)
    wanted = " + ".join(sorted(scripts.split("+")))
    return _counted(rows.filter(pl.col("scripts") == wanted).height, rows.height, what)


def _counted(count: int, n: int, what: str) -> Measured | None:
    if not n:
        return None
    if what == "count":
        return Measured(count, n)
    return Measured(share(count, n) or 0.0, n, wilson(count, n))


def _solutions(data: Data, setting: str, model: str) -> pl.DataFrame:
    return data.compositions.filter((pl.col("setting") == setting) & (pl.col("model") == model))


def _judge(data: Data, setting: str) -> Measured | None:
    """The judges that the records name."""
    rows = data.verdicts.filter((pl.col("setting") == setting) & pl.col("judge").is_not_null())
    names = sorted(set(rows["judge"].to_list()))
    return Measured(", ".join(names), rows.height, None, *_origin(rows)) if names else None


def _samples(data: Data, setting: str) -> Measured | None:
    """The most responses that the records hold to one question."""
    rows = data.verdicts.filter(pl.col("setting") == setting)
    if rows.is_empty():
        return None
    most = rows.group_by("model", "id", "lang").len()["len"].to_list()
    return Measured(max(most), rows.height, None, *_origin(rows))


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


def _rows(data: Data, setting: str, model: str, lang: str) -> pl.DataFrame:
    return data.verdicts.filter(
        (pl.col("setting") == setting) & (pl.col("model") == model) & (pl.col("lang") == lang)
    )


def _origin(rows: pl.DataFrame) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Scorers and released files of verdicts."""
    return (
        tuple(rows["scorer"].unique().sort().to_list()),
        tuple(rows["file"].drop_nulls().unique().sort().to_list()),
    )


def _joined(one: Sequence[str], two: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*one, *two]))


def _solved(data: Data, setting: str, model: str, lang: str, kind: str) -> dict[str, float]:
    """100 for each problem solved in at least one attempt, else 0."""
    rows = _rows(data, setting, model, lang)
    if kind != "all":
        held = data.problems.filter((pl.col("kind") == kind) & (pl.col("lang") == lang))
        rows = rows.join(held.select("id"), on="id")
    solved = rows.group_by("id").agg(pl.col("correct").any())
    return {key: 100.0 * right for key, right in solved.iter_rows()}


def _by_problem(
    data: Data, setting: str, model: str, languages: Sequence[str], subsets: Sequence[str]
) -> list[list[float]]:
    """Share of correct responses by problem, over languages and samples, one list a subset."""
    held = data.problems.select("id", "lang", "subset")
    rows = data.verdicts.filter(
        (pl.col("setting") == setting)
        & (pl.col("model") == model)
        & pl.col("lang").is_in(list(languages))
    ).join(held, on=["id", "lang"])
    shares = rows.group_by("subset", "id").agg(pl.col("correct").mean() * 100)
    return [
        shares.filter(pl.col("subset") == subset)["correct"].to_list()
        for subset in subsets
        if subset in set(held["subset"].to_list())
    ]
