"""Paired tests by all their sign flips."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import NormalDist, fmean, stdev
from typing import Any

from recount.mathmist import solved
from recount.mmath import held_subsets, of_subset
from recount.reading import NAMES, NOTHING, Found, Records
from small_run import DISPLAYS

Z = NormalDist().inv_cdf(0.975)
POWER = NormalDist().inv_cdf(0.8)


Scores = dict[str, dict[str, dict[str, list[float]]]]  # subset, language, problem: scores


def scores(run: Records, paper: str, setting: str, model: str, langs: Sequence[str]) -> Scores:
    found: Scores = {}
    if paper == "mathmist":
        each = {lang: solved(run, setting, model, lang, strict=True) for lang in langs}
        return {"": {lang: {one: [float(right)] for one, right in held.items()}
                     for lang, held in each.items()}}  # fmt: skip
    for name in held_subsets(run):
        found[name] = {}
        for lang in langs:
            by_problem: dict[str, list[float]] = defaultdict(list)
            for one in of_subset(run, setting, model, lang, name, strict=True):
                by_problem[one["id"]].append(float(one["correct"]))
            found[name][lang] = dict(by_problem)
    return found


def in_common(one: Scores, other: Scores) -> Scores:
    """One side's problems that the other has too, language by language in their order."""
    return {
        name: {lang: {key: held for key, held in problems.items() if key in others}
               for (lang, problems), others in zip(one[name].items(), other[name].values(),
                                                   strict=True)}
        for name in one
    }  # fmt: skip


def contrast(after: Scores, before: Scores, step: float) -> dict[str, Any] | None:
    """The difference, its n, p by all sign flips, and what could have been found."""
    after, before = in_common(after, before), in_common(before, after)
    cells = [held for side in (after, before) for one in side.values() for held in one.values()]
    if not all(cells):
        return None

    def value(side: Scores) -> float:
        every = itertools.chain.from_iterable
        return fmean(
            fmean(fmean(every(one.values())) for one in each.values()) for each in side.values()
        )

    gaps = []
    for name in after:
        means = [
            {one: fmean(fmean(held[one]) for held in side[name].values() if one in held)
             for one in set().union(*side[name].values())}
            for side in (after, before)
        ]  # fmt: skip
        gaps.append([means[0][one] - means[1][one] for one in means[0].keys() & means[1].keys()])
    n = sum(map(len, gaps))
    moves = [gap / len(each) / len(gaps) for each in gaps for gap in each if gap]
    sums = [0.0]
    for move in moves:
        sums = [one + sign * move for one in sums for sign in (1, -1)]
    beyond = sum(abs(one) >= abs(sum(moves)) - 1e-9 for one in sums)
    least = None
    if n >= 6 and all(len(each) > 1 for each in gaps):
        error = math.sqrt(sum(stdev(each) ** 2 / len(each) for each in gaps)) / len(gaps)
        weights = sorted(1 / len(each) / len(gaps) for each in gaps for _ in each)
        least = max(100 * (Z + POWER) * error, step * sum(weights[:6]))
    return {"value": 100 * (value(after) - value(before)), "n": n,
            "p": beyond / len(sums) if n else None, "least": least}  # fmt: skip


def with_holm(contrasts: dict[tuple[str, str], dict[str, Any] | None]) -> Found:
    found: Found = {}
    for block in {block for block, _ in contrasts}:
        rows = {row: one for (held, row), one in contrasts.items() if held == block}
        order = sorted((one["p"], row) for row, one in rows.items() if one and one["p"] is not None)
        adjusted, least = {}, 0.0
        for at, (p, row) in enumerate(order):
            least = max(least, min(1.0, p * (len(order) - at)))
            adjusted[row] = least
        for row, one in rows.items():
            n = one["n"] if one else 0
            found[block, row, "Problems"] = (n, n)
            found[block, row, "Difference"] = (one["value"], n) if one else NOTHING
            found[block, row, "p"] = (one["p"] if one else None, n)
            found[block, row, "p (Holm)"] = (adjusted.get(row), n)
            found[block, row, "Detectable"] = (one["least"] if one else None, n)
    return found


CONTRASTS = {
    "mathmist": [("cot", "zero-shot"), ("cs-bn-en", "zero-shot"), ("cs-en-en", "zero-shot"),
                 ("cs-bn-bn", "cs-bn-en"), ("cs-en-bn", "cs-en-en")],
    "mmath": [("atp", "native"), ("dit", "native"), ("qrt", "native")],
}  # fmt: skip


def spoken(run: Records, paper: str, setting: str, model: str) -> list[str]:
    held = {one["lang"] for one in run.verdicts(paper, setting, model, strict=True)}
    return [lang for lang in run.languages(paper) if lang in held]


def step(run: Records, paper: str, *settings: str) -> float:
    """What one problem can differ by at least: one response of those to it (MathMist: solved)."""
    most = max(run.settings(paper)[one]["samples"] for one in settings)
    return 100 / most if paper == "mmath" else 100.0


def setting_tests(paper: str) -> Callable[[Records], Found]:
    def recomputed(run: Records) -> Found:
        found = {}
        for after, before in CONTRASTS[paper]:
            for model in run.config["models"]:
                if any(model not in run.settings(paper)[one]["models"] for one in (after, before)):
                    continue
                common = [lang for lang in spoken(run, paper, after, model)
                          if lang in spoken(run, paper, before, model)]  # fmt: skip
                groups = [(NAMES[lang], [lang]) for lang in common]
                groups += [("all languages", common)] if len(common) > 1 else []
                for name, langs in groups:
                    sides = [scores(run, paper, one, model, langs) for one in (after, before)]
                    place = f"{after} less {before}", f"{run_name(run, model)}, {name}"
                    found[place] = contrast(*sides, step(run, paper, after, before) / len(langs))
        return with_holm(found)

    return recomputed


def run_name(run: Records, model: str) -> str:
    return str(run.config["models"][model]["display"])


def language_tests(paper: str) -> Callable[[Records], Found]:
    def recomputed(run: Records) -> Found:
        found = {}
        for setting, asked in run.settings(paper).items():
            if len(asked["question_languages"]) < 2:
                continue
            for model in asked["models"]:
                langs = spoken(run, paper, setting, model)
                if len(langs) < 2:
                    continue
                first = "en" if "en" in langs else langs[0]
                for lang in langs:
                    if lang != first:
                        sides = [scores(run, paper, setting, model, [one]) for one in (lang, first)]
                        row = f"{DISPLAYS[model]}, {NAMES[lang]} less {NAMES[first]}"
                        found[setting, row] = contrast(*sides, step(run, paper, setting))
        return with_holm(found)

    return recomputed
