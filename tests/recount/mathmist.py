"""MathMist's tables, counted by hand."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean, pstdev

from recount.reading import NAMES, NOTHING, Found, Number, Records, less, percent
from small_run import TEXTS, WITHOUT_TEXT
from stand_ins import REPOSITORY

KINDS = {"Numerical": "numerical", "Symbolic": "symbolic", "Proof": "proof", "Overall": None}
SUBDOMAINS = {
    "numerical": ["Algebra", "Arithmetic", "Measurements", "Trigonometry", "Word Problem",
                  "Probability", "Series"],
    "symbolic": ["Algebra", "Measurements"],
    "proof": ["Algebra", "Measurements", "Combinatorics", "Number Theory", "Others"],
}  # fmt: skip


def solved(run: Records, setting: str, model: str, lang: str, kind: str | None = None,
           strict: bool | None = None) -> dict[str, bool]:  # fmt: skip
    """By problem whether one of its attempts is right."""
    kinds = {one: row["kind"] for one, row in run.problems("mathmist", lang).items()}
    found: dict[str, bool] = {}
    for one in run.verdicts("mathmist", setting, model, lang, strict):
        if kind is None or kinds[one["id"]] == kind:
            found[one["id"]] = found.get(one["id"], False) or one["correct"]
    return found


def accuracy(run: Records, setting: str, model: str, lang: str, kind: str | None = None) -> Number:
    return percent(solved(run, setting, model, lang, kind).values())


def change(run: Records, after: str, before: str, model: str, lang: str,
           kind: str | None) -> Number:  # fmt: skip
    one, two = (solved(run, name, model, lang, kind) for name in (after, before))
    return less(percent(one.values()), percent(two.values()), len(one.keys() & two.keys()))


def comparison(run: Records, paper: str, where: str) -> Found:
    ledger = REPOSITORY / "config" / "printed" / "claims.csv"
    found: Found = {}
    for one in csv.DictReader(io.StringIO(ledger.read_text(encoding="utf-8"))):
        if (one["paper"], one["where"]) == (paper, where):
            words = one["printed"]
            number = (float(words), int(words)) if words.isdecimal() else (words, 0)
            found["", one["row"], one["column"]] = number
    return found


def data_comparison(run: Records) -> Found:
    found = comparison(run, "mathmist", "tab:data_comparison")
    files = [f"mathmist/{name}/{lang}.jsonl" for name in ("choices", "perturbed")
             for lang in ("bn", "en")]  # fmt: skip
    files += [f"mathmist/problems/{lang}.jsonl" for lang in ("bn", "en", "fr")]
    size = sum(len(run.lines(name)) for name in files)
    mine: dict[str, Number] = {"Lang.": (3, 3), "Size": (size, size)}
    for column in ("MCQ", "CoT", "CS-CoT", "Perturb. Reasoning", "Parallel"):
        mine[column] = ("yes", 0)
    return found | {("", "MathMist (this run)", column): one for column, one in mine.items()}


def corpus_stat(run: Records) -> Found:
    found: Found = {}
    bangla = run.problems("mathmist", "bn").values()

    def put(block: str, row: str, count: int | None) -> None:
        found[block, row, "Count"] = (count, count or 0)

    for kind, subdomains in SUBDOMAINS.items():
        rows = [one for one in bangla if one["kind"] == kind]
        bare = sum(one["subdomain"] is None for one in rows)
        for name in subdomains:
            count = sum(one["subdomain"] == name for one in rows)
            put(kind.title(), name, count if count or not bare else None)
        if bare:
            put(kind.title(), "not labelled", bare)
        put(kind.title(), f"Total ({kind.title()})", len(rows))
    for lang in ("bn", "en", "fr"):
        put("All", f"Problems, {NAMES[lang]}", len(run.problems("mathmist", lang)))
    put("All", "Across 3 languages", 36)
    sizes = {
        "MCQs (all languages)": "choices",
        "Perturbed solutions (all languages)": "perturbed",
    }
    total = 36
    for row, name in sizes.items():
        count = sum(len(run.lines(f"mathmist/{name}/{lang}.jsonl")) for lang in ("bn", "en"))
        put("All", row, count)
        total += count
    put("All", "Grand total", total)
    return found


def against(run: Records, kinds: dict[str, str | None]) -> Found:
    found: Found = {}
    for lang in ("bn", "en"):
        cot = run.config["benchmarks"]["mathmist"]["cot_columns"][lang]
        for model in run.models("mathmist", ["zero-shot", cot]):
            for head, kind in kinds.items():
                under = f" | {head}" if len(kinds) > 1 else ""
                place = NAMES[lang], run.row(model)
                found[*place, f"Zero-Shot{under}"] = accuracy(run, "zero-shot", model, lang, kind)
                found[*place, f"CoT{under}"] = accuracy(run, cot, model, lang, kind)
                found[*place, f"Change{under}"] = change(run, cot, "zero-shot", model, lang, kind)
    return found


def zero_cot(run: Records) -> Found:
    return against(run, {"Overall": None})


def zero_cot_by_kind(run: Records) -> Found:
    return against(run, KINDS)


def zero_shot_mcq(run: Records) -> Found:
    return {
        (NAMES[lang], run.row(model), head): accuracy(run, "mcq", model, lang, kind)
        for lang in ("bn", "en")
        for model in run.models("mathmist", ["mcq"])
        for head, kind in KINDS.items()
        if head != "Proof"
    }


def perturbation_eval(run: Records) -> Found:
    found: Found = {}
    for lang in ("bn", "en"):
        for model in run.models("mathmist", ["detect", "identify"]):
            place = NAMES[lang], run.row(model)
            found[*place, "Error Detection"] = accuracy(run, "detect", model, lang)
            first = [one["correct"] for one in run.verdicts("mathmist", "identify", model, lang)
                     if one["sample"] == 0]  # fmt: skip
            right, n = sum(first), len(first)
            found[*place, "Identification | TP rate"] = percent(first)
            f1: Number = (100 * 2 * right / (2 * right + (n - right)), n) if n else NOTHING
            found[*place, "Identification | F1"] = f1
    return found


def code_switch_breakdown(run: Records) -> Found:
    found: Found = {}
    for lang in ("bn", "en"):
        inside, outside = f"cs-{lang}-en", f"cs-{lang}-bn"
        for model in run.models("mathmist", [inside, outside]):
            place = f"Question {NAMES[lang]}", run.row(model)
            for head, kind in KINDS.items():
                english = accuracy(run, inside, model, lang, kind)
                found[*place, f"CoT English | {head}"] = english
                found[*place, f"CoT Bangla | {head}"] = accuracy(run, outside, model, lang, kind)
                change_ = change(run, outside, inside, model, lang, kind)
                found[*place, f"Change | {head}"] = change_
    return found


def cross_ling_accuracy(run: Records) -> Found:
    found: Found = {}
    for model in run.models("mathmist", ["cross-lingual"]):
        each = {lang: accuracy(run, "cross-lingual", model, lang) for lang in ("bn", "en", "fr")}
        for lang, number in each.items():
            found["", run.row(model), NAMES[lang]] = number
        values = [value for value, _ in each.values()]
        n = sum(n or 0 for _, n in each.values())
        whole = all(value is not None for value in values)
        mean: Number = (fmean(values), n) if whole else NOTHING  # type: ignore[arg-type, type-var]
        spread: Number = (pstdev(values), n) if whole else NOTHING  # type: ignore[type-var]
        found["", run.row(model), "Mean"] = mean
        found["", run.row(model), "Deviation"] = spread
    return found


def composition(setting: str, models: Sequence[str]) -> Callable[[Records], Found]:
    def recomputed(run: Records) -> Found:
        found: Found = {}
        for model in models:
            found |= _composed(run, setting, model)
        return found

    return recomputed


def _composed(run: Records, setting: str, model: str) -> Found:
    name = run.config["models"][model]["display"]
    told = [TEXTS[one["answer"]] for one in
            run.lines(f"mathmist/generations/{setting}/{model}.jsonl")
            if WITHOUT_TEXT not in one["flags"]]  # fmt: skip
    labels = ["Bangla", "English", "Chinese", "Mixed"]
    labels += sorted({label for label, _ in told} - {*labels})
    found: Found = {}
    for label in labels:
        count = sum(one == label for one, _ in told)
        found[name, label, "Count"] = (count, len(told)) if told else NOTHING
        found[name, label, "Proportion"] = percent(one == label for one, _ in told)
    mixed = [scripts for label, scripts in told if label == "Mixed"]
    for scripts, count in Counter(mixed).items():
        found[name, scripts, "Count"] = (count, len(mixed))
        found[name, scripts, "Proportion"] = (100 * count / len(mixed), len(mixed))
    return found
