"""Every table of both papers against a second way to its numbers: plain Python over the JSON lines.

Nothing of the library counts here: no frame, no estimator, no interval of its own.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import NormalDist, fmean, pstdev, stdev
from typing import Any

import pytest

from babelmath.tables.render import csv as as_csv
from small_run import DISPLAYS, RULES, TEXTS, WITHOUT_TEXT, SmallRun, small_run
from stand_ins import REPOSITORY

Row = dict[str, Any]
Place = tuple[str, str, str]  # block, row, column
Number = tuple[float | str | None, int | None]  # value or words, n
Found = dict[Place, Number]

NAMES = {"bn": "Bangla", "en": "English", "fr": "French", "zh": "Chinese"}
NOTHING: Number = (None, 0)
KINDS = {"Numerical": "numerical", "Symbolic": "symbolic", "Proof": "proof", "Overall": None}
SUBDOMAINS = {
    "numerical": ["Algebra", "Arithmetic", "Measurements", "Trigonometry", "Word Problem",
                  "Probability", "Series"],
    "symbolic": ["Algebra", "Measurements"],
    "proof": ["Algebra", "Measurements", "Combinatorics", "Number Theory", "Others"],
}  # fmt: skip
SUBSETS = ("AIME2024", "AIME2025", "CNMO", "MATH500")
Z = NormalDist().inv_cdf(0.975)
POWER = NormalDist().inv_cdf(0.8)


class Records:
    """A run's records as lists of dictionaries, and what its configuration says."""

    def __init__(self, run: SmallRun) -> None:
        self.folder = run.folder
        self.config: Row = run.config.model_dump(mode="json")
        self.strict = self.config["protocol"] == "strict"
        self.kept: dict[Path, list[Row]] = {}

    def lines(self, name: str) -> list[Row]:
        path = self.folder / name
        if path not in self.kept:
            text = path.read_text(encoding="utf-8")
            self.kept[path] = [json.loads(line) for line in text.split("\n") if line]
        return self.kept[path]

    def sheet(self, name: str) -> list[Row]:
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text(encoding="utf-8"))))

    def settings(self, paper: str) -> Row:
        found: Row = self.config["benchmarks"][paper]["settings"]
        return found

    def languages(self, paper: str) -> list[str]:
        return list(self.config["benchmarks"][paper]["languages"])

    def problems(self, paper: str, lang: str) -> dict[str, Row]:
        return {one["id"]: one for one in self.lines(f"{paper}/problems/{lang}.jsonl")}

    def scorer(self, paper: str, setting: str, strict: bool | None = None) -> str:
        """The scorer of a protocol: its own rule or letter, else the judge of its reading."""
        named = self.settings(paper)[setting]["scorers"]
        strict = self.strict if strict is None else strict
        rules = [one for one in named if one.endswith("-strict" if strict else "-paper")
                 and not one.startswith("judge-")]  # fmt: skip
        if strict:
            rules += [one for one in named if one.startswith("judge-") and one.endswith("-strict")]
        judges = [one for one in named if one.startswith("judge-") and not one.endswith("-strict")]
        return str([*rules, *judges][0])

    def verdicts(
        self, paper: str, setting: str, model: str, lang: str | None = None,
        strict: bool | None = None,
    ) -> list[Row]:  # fmt: skip
        scorer = self.scorer(paper, setting, strict)
        path = f"{paper}/verdicts/{setting}/{model}/{scorer}.jsonl"
        if model not in self.settings(paper)[setting]["models"]:
            return []
        return [one for one in self.lines(path) if lang in (None, one["lang"])]

    def labels(self, paper: str, setting: str, model: str) -> list[Row]:
        named = self.settings(paper).get(setting)
        if named is None or not named["labels"] or model not in named["models"]:
            return []
        return self.lines(f"{paper}/languages/{setting}/{model}.jsonl")

    def models(self, paper: str, settings: Iterable[str]) -> list[str]:
        """Models that one of the settings asks, in the order of the configuration."""
        asked = {model for one in settings for model in self.settings(paper)[one]["models"]}
        return [model for model in self.config["models"] if model in asked]

    def evaluated(self, settings: Iterable[str]) -> list[str]:
        """Of MMATH, those that no training study is about."""
        return [one for one in self.models("mmath", settings) if not self.trained(one)]

    def trained(self, model: str) -> str | None:
        base: str | None = self.config["models"][model]["trained_from"]
        return base

    def row(self, model: str) -> str:
        one = self.config["models"][model]
        return f"{one['display']} ({one['parameters']})" if one["parameters"] else one["display"]


def percent(flags: Iterable[bool]) -> Number:
    held = list(flags)
    return (100 * sum(held) / len(held), len(held)) if held else NOTHING


def less(one: Number, two: Number, n: int) -> Number:
    if one[0] is None or two[0] is None:
        return NOTHING
    return float(one[0]) - float(two[0]), n


# MathMist


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


def composition(setting: str, model: str) -> Callable[[Records], Found]:
    def recomputed(run: Records) -> Found:
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

    return recomputed


# MMATH


def held_subsets(run: Records) -> list[str]:
    held = {one["subset"] for one in run.problems("mmath", "en").values()}
    return [one for one in SUBSETS if one in held]


def of_subset(run: Records, setting: str, model: str, lang: str, subset: str,
              strict: bool | None = None) -> list[Row]:  # fmt: skip
    subsets = {one: row["subset"] for one, row in run.problems("mmath", lang).items()}
    return [one for one in run.verdicts("mmath", setting, model, lang, strict)
            if subsets[one["id"]] == subset]  # fmt: skip


def over(numbers: Sequence[Number]) -> Number:
    """The mean of numbers, which must all be there."""
    if any(value is None for value, _ in numbers):
        return NOTHING
    return fmean(float(value) for value, _ in numbers), sum(n or 0 for _, n in numbers)  # type: ignore[arg-type]


def subset(run: Records, setting: str, model: str, lang: str, name: str) -> Number:
    return percent(one["correct"] for one in of_subset(run, setting, model, lang, name))


def macro(run: Records, setting: str, model: str, lang: str) -> Number:
    return over([subset(run, setting, model, lang, one) for one in held_subsets(run)])


def by_language(run: Records, one: Callable[[str], Number]) -> dict[str, Number]:
    each = {lang.upper(): one(lang) for lang in run.languages("mmath")}
    return each | {"AVG": over(list(each.values()))}


def macros(run: Records, block: str, row: str, setting: str, model: str) -> Found:
    each = by_language(run, lambda lang: macro(run, setting, model, lang))
    return {(block, row, column): number for column, number in each.items()}


def ratios(run: Records, block: str, row: str, setting: str, model: str) -> Found:
    reading = "strict" if run.strict else "paper"
    labels = run.labels("mmath", setting, model)
    return {
        (block, row, f"{part.capitalize()} LCR"): percent(
            one[part][reading] == one["lang"] for one in labels
        )
        for part in ("thinking", "answering")
    }


def joined(parts: Iterable[Found]) -> Found:
    found: Found = {}
    for part in parts:
        assert not found.keys() & part.keys()
        found |= part
    return found


def problem_counts(run: Records) -> Found:
    found: Found = {}
    for lang in run.languages("mmath"):
        rows = run.problems("mmath", lang).values()
        for name in SUBSETS:
            count = sum(one["subset"] == name for one in rows)
            found["", name, lang.upper()] = (count, count)
        found["", "MMATH", lang.upper()] = (len(rows), len(rows))
    return found


def table1(run: Records) -> Found:
    found = comparison(run, "mmath", "table1")
    problems = len(run.problems("mmath", "en"))
    mine: dict[str, Number] = {"#Languages": (3, 3), "#Problems": (problems, problems),
                               "Difficulty": ("Mixed", 0)}  # fmt: skip
    return found | {("", "MMATH (this run)", column): one for column, one in mine.items()}


def table2(run: Records) -> Found:
    return joined(macros(run, "", DISPLAYS[one], "native", one)
                  for one in run.evaluated(["native"]))  # fmt: skip


def table3(run: Records) -> Found:
    return joined(ratios(run, "", DISPLAYS[one], "native", one)
                  for one in run.evaluated(["native"]))  # fmt: skip


def table4(run: Records) -> Found:
    found: Found = {}
    reading = "strict" if run.strict else "paper"
    for model in run.evaluated(["native"]):
        thinks = {(one["id"], one["lang"], one["sample"]): one["thinking"][reading]
                  for one in run.labels("mmath", "native", model)}  # fmt: skip
        for row, wanted in (("Target", True), ("Off-target", False)):
            each = {
                lang.upper(): percent(
                    one["correct"] for one in of_subset(run, "native", model, lang, "AIME2024")
                    if (thinks[one["id"], lang, one["sample"]] == lang) == wanted
                )
                for lang in run.languages("mmath")
            }  # fmt: skip
            there = [number for number in each.values() if number[0] is not None]
            each["AVG"] = over(there) if there else NOTHING
            for column, number in each.items():
                found[DISPLAYS[model], row, column] = number
    return found


def elicited(run: Records) -> Iterator[tuple[str, str, str]]:
    settings = run.settings("mmath")
    for model in run.evaluated(["atp", "dit", "qrt"]):
        for setting in ("native", "atp", "dit", "qrt"):
            if model in settings[setting]["models"]:
                name = "Native" if setting == "native" else setting.upper()
                yield model, setting, name


def table5(run: Records) -> Found:
    return joined(macros(run, DISPLAYS[model], name, setting, model)
                  for model, setting, name in elicited(run))  # fmt: skip


def table6(run: Records) -> Found:
    return joined(ratios(run, DISPLAYS[model], name, setting, model)
                  for model, setting, name in elicited(run))  # fmt: skip


FAMILIES = {"m1": ["t1", "t3"], "base": ["t2"]}


def table7(run: Records) -> Found:
    return joined(
        macros(run, DISPLAYS[base], "Base" if one == base else DISPLAYS[one], "native", one)
        for base, made in FAMILIES.items()
        for one in [base, *made]
    )


def table8(run: Records) -> Found:
    return joined(ratios(run, DISPLAYS[base], DISPLAYS[one], "native", one)
                  for base, made in FAMILIES.items() for one in made)  # fmt: skip


def by_subset(run: Records, models: Sequence[str]) -> Found:
    parts = [macros(run, "MMATH", DISPLAYS[model], "native", model) for model in models]
    for name in held_subsets(run):
        for model in models:
            each = by_language(
                run, lambda lang, name=name, model=model: subset(run, "native", model, lang, name)
            )  # type: ignore[misc]
            parts.append({(name, DISPLAYS[model], column): one for column, one in each.items()})
    return joined(parts)


def table13(run: Records) -> Found:
    return by_subset(run, run.evaluated(["native"]))


def table14(run: Records) -> Found:
    return by_subset(run, [one for made in FAMILIES.values() for one in made])


def label_review(run: Records) -> Found:
    same = run.sheet("mmath/review/labels.csv")
    texts = {(one["id"], one["lang"]): one["text"] for one in same}
    filled = [one for one in run.sheet("reviewed/bundled/mmath/labels.csv")
              if one["verdict"] and one["text"] == texts[one["id"], one["lang"]]]  # fmt: skip
    found: Found = {}
    for block, word in (("Paper's label", "paper"), ("Strict label", "strict")):
        for lang in (None, *run.languages("mmath")):
            rows = [one["verdict"] in ("right", word) for one in filled
                    if lang in (None, one["lang"])]  # fmt: skip
            place = block, NAMES[lang] if lang else "All"
            found[*place, "Reviewed"] = (len(rows), len(rows))
            found[*place, "Right"] = (sum(rows), len(rows)) if rows else NOTHING
            found[*place, "Share"] = percent(rows)
    return found


def label_confusion(run: Records) -> Found:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in run.sheet("run/identification.csv"):
        block = f"{one['identifier']}, {one['text']}, {one['labelling']}"
        counts[block, one["lang"]][one["label"]] += int(one["count"])
    found: Found = {}
    for (block, lang), held in counts.items():
        known = sorted({other for one, other in counts if one == block})
        n = held.total()
        name = NAMES[lang] if lang in run.languages("mmath") else lang
        heads = [*known, "und", "mixed"]
        for head in heads:
            found[block, name, head] = (100 * held[head] / n, n)
        rest = sum(count for label, count in held.items() if label not in heads)
        found[block, name, "other"] = (100 * rest / n, n)
    return found


# Of both papers


def construction_outcomes(paper: str) -> Callable[[Records], Found]:
    def recomputed(run: Records) -> Found:
        reviewed = {
            (one["id"], lang, check.split(": ")[0])
            for lang in run.languages(paper)
            for one in run.problems(paper, lang).values()
            for check in one["provenance"]["checks"]
            if check.split(": ")[1] == "review"
        }
        made = {"mathmist": ["fr"], "mmath": ["zh", "fr"]}[paper]
        rows = [one for lang in made
                for one in run.lines(f"{paper}/construction/translation/{lang}.jsonl")]  # fmt: skip
        if paper == "mathmist":
            rows += run.lines("mathmist/construction/choices.jsonl")
            rows += run.lines("mathmist/construction/perturbation.jsonl")
            reviewed |= {
                (one["id"], lang, str(one["strategy"]))
                for lang in ("bn", "en")
                for one in run.lines(f"mathmist/perturbed/{lang}.jsonl")
                if one["provenance"]["source"] == "review"
            }
        words = {"Accepted": "accepted", "Corrected by the verifier": "corrected",
                 "Carried over": "carried", "Unresolved": "unresolved"}  # fmt: skip
        found: Found = {}
        groups: dict[tuple[str, str, str | None], list[Row]] = defaultdict(list)
        for one in rows:
            groups[one["stage"], one["lang"], one["field"]].append(one)
        for (stage, lang, part), group in groups.items():
            told = {"perturbation": f", strategy {part}", "choices": ""}.get(stage, f", {part}")
            place = stage.capitalize(), NAMES[lang] + told
            n = len(group)
            found[*place, "Items"] = (n, n)
            for head, word in words.items():
                found[*place, head] = (sum(one["outcome"] == word for one in group), n)
            replaced = sum((one["id"], lang, one["field"]) in reviewed for one in group)
            found[*place, "Replaced by a correction"] = (replaced, n)
        return found

    return recomputed


def golds(paper: str) -> Callable[[Records], Found]:
    def recomputed(run: Records) -> Found:
        found: Found = {}
        for lang in run.languages(paper):
            rows = [
                (one["parsed"] == "true", one["equals_itself"] == "true")
                for one in run.sheet(f"{paper}/golds.csv")
                if one["lang"] == lang
            ]
            n = len(rows)
            numbers = {
                "Exact answers": n,
                "Read by rule": sum(parsed for parsed, _ in rows),
                "Equal to itself": sum(equal for _, equal in rows),
                "Left to the judge": sum(not (parsed and equal) for parsed, equal in rows),
            }
            found |= {("", NAMES[lang], head): (count, n) for head, count in numbers.items()}
        return found

    return recomputed


STATUSES = {"Correct": "correct", "Wrong": "wrong", "No answer": "no_answer",
            "Truncated": "truncated", "Blocked": "blocked", "Unresolved": "unresolved",
            "Time-out": "timeout", "Unreadable truth": "unparsed_gold"}  # fmt: skip


def protocols(paper: str) -> Callable[[Records], Found]:
    def recomputed(run: Records) -> Found:
        found: Found = {}
        for setting, one in run.settings(paper).items():
            names = [run.scorer(paper, setting, strict) for strict in (False, True)]
            if names[0] == names[1] or not names[1].endswith("-strict"):
                continue
            for model in one["models"]:
                first, second = (run.verdicts(paper, setting, model, None, strict)
                                 for strict in (False, True))  # fmt: skip
                if not first and not second:
                    continue
                place = setting, DISPLAYS[model]
                n = len(second)
                loose, sharp = (percent(v["correct"] for v in rows) for rows in (first, second))
                found[*place, "n"] = (n, n)
                found[*place, "Paper"] = loose
                found[*place, "Strict"] = sharp
                ids = {v["id"] for v in first} & {v["id"] for v in second}
                found[*place, "Change"] = less(sharp, loose, len(ids))
                for head, status in STATUSES.items():
                    found[*place, head] = (sum(v["status"] == status for v in second), n)
        return found

    return recomputed


SQUARE = {"Both": (True, True), "First": (True, False), "Second": (False, True),
          "Neither": (False, False)}  # fmt: skip


def judge_agreement(paper: str) -> Callable[[Records], Found]:
    def decided(run: Records, setting: str, model: str, scorer: str) -> dict[Any, bool | None]:
        found: dict[Any, bool | None] = {}
        for one in run.lines(f"{paper}/verdicts/{setting}/{model}/{scorer}.jsonl"):
            word = (one["judge"] or {}).get("decision")
            if scorer.startswith("judge-"):
                right = None if word is None else word in ("YES", "TP")
            else:
                sure = one["status"] in ("correct", "wrong") and word is None
                right = one["status"] == "correct" if sure else None
            found[one["id"], one["lang"], one["sample"]] = right
        return found

    def recomputed(run: Records) -> Found:
        found: Found = {}
        for setting, one in run.settings(paper).items():
            judges = [name for name in one["scorers"] if name.startswith("judge-")]
            pairs = [(name, "rules-strict") for name in judges if "rules-strict" in one["scorers"]]
            for pair in [*pairs, *itertools.combinations(judges, 2)]:
                for model in one["models"]:
                    if not any(run.lines(f"{paper}/verdicts/{setting}/{model}/{name}.jsonl")
                               for name in pair):  # fmt: skip
                        continue
                    one_, two = (decided(run, setting, model, name) for name in pair)
                    both = [(one_[key], two[key]) for key in one_.keys() & two.keys()]
                    held = [pair_ for pair_ in both if None not in pair_]
                    n, counts = len(held), Counter(held)
                    place = f"{pair[0]} and {pair[1]}", f"{DISPLAYS[model]}, {setting}"
                    found[*place, "n"] = (n, n)
                    found[*place, "Left out"] = (len(both) - n, n)
                    for head, key in SQUARE.items():
                        found[*place, head] = (counts[key], n)
                    equal = counts[True, True] + counts[False, False]
                    found[*place, "Agreement"] = (100 * equal / n if n else None, n)
                    kappa = None
                    if len(counts) > 1 or (n and not equal):
                        p = sum(a for a, _ in held) / n  # type: ignore[misc]
                        q = sum(b for _, b in held) / n  # type: ignore[misc]
                        chance = p * q + (1 - p) * (1 - q)
                        kappa = (equal / n - chance) / (1 - chance)
                    found[*place, "Kappa"] = (kappa, n)
        return found

    return recomputed


def label_shares(paper: str) -> Callable[[Records], Found]:
    def recomputed(run: Records) -> Found:
        found: Found = {}
        for setting, one in run.settings(paper).items():
            for model in one["models"] if one["labels"] else ():
                rows = run.labels(paper, setting, model)
                place = "", f"{DISPLAYS[model]}, {setting}"
                asked = one["reasoning_language"]
                for part in ("thinking", "answering"):

                    def on(row: Row, reading: str, part: str = part, to: Any = asked) -> bool:
                        return bool(row[part][reading] == (to or row["lang"]))

                    decided = [row for row in rows if row[part]["strict"] != "und" and not (
                        part == "thinking" and "empty thinking" in row["flags"])]  # fmt: skip
                    whole = [row for row in decided if "truncated" not in row["flags"]]
                    numbers = {
                        "Paper": percent(on(row, "paper") for row in rows),
                        "Strict": percent(on(row, "strict") for row in rows),
                        "decided": percent(on(row, "strict") for row in decided),
                        "finished": percent(on(row, "strict") for row in whole),
                        "und": percent(row[part]["strict"] == "und" for row in rows),
                        "mixed": percent(row[part]["strict"] == "mixed" for row in rows),
                    }
                    for head, number in numbers.items():
                        found[*place, f"{part.capitalize()} | {head}"] = number
                for flag in ("truncated", "empty thinking"):
                    found[*place, f"Response | {flag}"] = percent(
                        flag in row["flags"] for row in rows
                    )
        return found

    return recomputed


def samples(paper: str) -> Callable[[Records], Found]:
    def at(k: int, answers: Sequence[str | None], vote: bool) -> float:
        """The mean over all choices of k of a question's responses."""
        draws = list(itertools.combinations(answers, k))
        if not vote:
            return fmean("right" in draw for draw in draws)
        total = 0.0
        for draw in draws:
            counts = Counter(answer for answer in draw if answer is not None)
            if counts and counts["right"] == max(counts.values()):
                total += 1 / sum(count == counts["right"] for count in counts.values())
        return total / len(draws)

    def recomputed(run: Records) -> Found:
        found: Found = {}
        languages = run.languages(paper)
        blocks = [("All languages", languages), *((NAMES[one], [one]) for one in languages)]
        for setting, asked in run.settings(paper).items():
            if asked["samples"] == 1:
                continue
            judged = run.scorer(paper, setting).startswith("judge-")
            for model in asked["models"]:
                for block, langs in blocks:
                    questions: dict[Any, list[str | None]] = defaultdict(list)
                    for one in run.verdicts(paper, setting, model):
                        if one["lang"] in langs:
                            silent = one["status"] in ("truncated", "blocked", "no_answer")
                            answer = None if silent or judged else one["extracted"]
                            told = "right" if one["correct"] else answer
                            questions[one["id"], one["lang"]].append(told)
                    spoken = {lang for _, lang in questions}
                    if not questions or (len(langs) > 1 and len(spoken) == 1):
                        continue
                    most = min(map(len, questions.values()))
                    place = block, f"{DISPLAYS[model]}, {setting}"
                    n = len(questions)
                    for k in range(1, most + 1):
                        value = fmean(at(k, one, False) for one in questions.values())
                        found[*place, f"pass@{k}"] = (100 * value, n)
                    if not judged:
                        value = fmean(at(most, one, True) for one in questions.values())
                        found[*place, f"maj@{most}"] = (100 * value, n)
        return found

    return recomputed


def state(status: str, label: str | None, expected: str) -> str:
    if status in ("truncated", "no_answer"):
        return {"truncated": "Truncated", "no_answer": "No answer"}[status]
    if status not in ("correct", "wrong"):
        return "Other"
    other = label not in (None, "und", "mixed", expected)
    return status.capitalize() + (", other language" if other else "")


STATES = ("Correct", "Correct, other language", "Wrong", "Wrong, other language", "No answer",
          "Truncated", "Other")  # fmt: skip


def outcomes(paper: str) -> Callable[[Records], Found]:
    def recomputed(run: Records) -> Found:
        found: Found = {}
        for setting, asked in run.settings(paper).items():
            for model in asked["models"]:
                told = {(one["id"], one["lang"], one["sample"]): one["answering"]["strict"]
                        for one in run.labels(paper, setting, model)}  # fmt: skip
                counts: dict[str, Counter[str]] = defaultdict(Counter)
                for one in run.verdicts(paper, setting, model, strict=True):
                    label = told.get((one["id"], one["lang"], one["sample"]))
                    expected = asked["reasoning_language"] or one["lang"]
                    for name in (NAMES[one["lang"]], "all languages"):
                        counts[name][state(one["status"], label, expected)] += 1
                if len(counts) == 2:
                    del counts["all languages"]
                for name, held in counts.items():
                    place = setting, f"{DISPLAYS[model]}, {name}"
                    n = held.total()
                    found[*place, "n"] = (n, n)
                    for one_ in STATES:
                        hidden = "other language" in one_ and not asked["labels"]
                        found[*place, one_] = (None if hidden else held[one_], n)
        return found

    return recomputed


# Paired tests


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


def contrast(after: Scores, before: Scores, step: float) -> dict[str, Any] | None:
    """The difference, its n, p by all sign flips, and what could have been found."""
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
        least = max(100 * (Z + POWER) * error, 6 * step / n)
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


OF_BOTH = {
    "construction_outcomes": construction_outcomes, "golds": golds, "protocols": protocols,
    "judge_agreement": judge_agreement, "label_shares": label_shares, "samples": samples,
    "outcomes": outcomes, "tests_settings": setting_tests, "tests_languages": language_tests,
}  # fmt: skip
RECOMPUTED: dict[tuple[str, str], Callable[[Records], Found]] = {
    **{("mathmist", one.__name__): one for one in (
        data_comparison, corpus_stat, zero_cot, zero_shot_mcq, perturbation_eval,
        code_switch_breakdown, cross_ling_accuracy)},
    ("mathmist", "zero_cot_en_bn_category_wise"): zero_cot_by_kind,
    **{("mathmist", f"lang_stats_{lang}_bn_{model}"): composition(f"cs-{lang}-bn", model)
       for lang in ("bn", "en") for model in ("m1", "m2", "rel")},
    ("mmath", "problems"): problem_counts,
    **{("mmath", one.__name__): one for one in (
        table1, table2, table3, table4, table5, table6, table7, table8, table13, table14,
        label_review, label_confusion)},
    **{(paper, name): made(paper) for paper in ("mathmist", "mmath")
       for name, made in OF_BOTH.items()},
}  # fmt: skip


def printed(text: str) -> tuple[Found, dict[Place, tuple[float, float]]]:
    """The numbers of a table's CSV, and their intervals."""
    found: Found = {}
    spans = {}
    for one in csv.DictReader(io.StringIO(text)):
        place = one["block"], one["row"], one["column"]
        assert place not in found, place
        value = float(one["value"]) if one["value"] else one["words"] or None
        found[place] = (value, int(one["n"]))
        if one["low"]:
            spans[place] = float(one["low"]), float(one["high"])
    return found, spans


def compare(run: SmallRun, records: Records) -> None:
    made = {(one.paper, one.name) for one in run.items()}
    assert made == {*RECOMPUTED} - missing(made)
    for item in run.items():
        found, spans = printed(as_csv(run.table(item)))
        expected = RECOMPUTED[item.paper, item.name](records)
        name = f"{item.paper}/{item.name}"
        assert found.keys() == expected.keys(), name
        for place, (value, n) in expected.items():
            if isinstance(value, str) or value is None:
                assert found[place] == (value, n), (name, place)
            else:
                near = pytest.approx(value, abs=1e-9), n
                assert found[place] == near, (name, place, found[place], (value, n))
        for place, (low, high) in spans.items():
            number = found[place][0]
            assert isinstance(number, float)
            assert low <= number <= high, (name, place)
        check_spans(item.paper, item.name, found, spans)


def missing(made: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """What is only there with what this run does not have: a judge of MMATH."""
    return {("mmath", "judge_agreement")} - made


SINGLE = {  # tables of numbers with one response to a problem, or one count of it
    ("mathmist", "zero_cot"): ("Zero-Shot", "CoT"),
    ("mathmist", "zero_shot_mcq"): ("Numerical", "Symbolic", "Overall"),
    ("mathmist", "perturbation_eval"): ("Error Detection", "Identification | TP rate"),
    ("mathmist", "cross_ling_accuracy"): ("Bangla", "English", "French"),
}


def check_spans(
    paper: str, name: str, found: Found, spans: dict[Place, tuple[float, float]]
) -> None:
    """Wilson's interval where each problem counts once: the roots of its quadratic."""
    for place, (value, n) in found.items():
        if place[2] in SINGLE.get((paper, name), ()) and isinstance(value, float) and n:
            share, square = value / 100, Z * Z / n
            a, b, c = 1 + square, -(2 * share + square), share * share
            root = math.sqrt(max(0.0, b * b - 4 * a * c))
            roots = ((-b - root) / (2 * a), (-b + root) / (2 * a))
            assert spans[place] == pytest.approx([100 * one for one in roots], abs=1e-6), place
        if place[2] == "Identification | F1" and isinstance(value, float):
            ends = spans[*place[:2], "Identification | TP rate"]
            mapped = [100 * 2 * end / (end + 100) for end in ends]
            assert spans[place] == pytest.approx(mapped), place


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.heavy)
                                       for n in range(1, 12))])  # fmt: skip
def test_every_table_is_what_plain_counting_gives(seed: int, tmp_path: Path) -> None:
    run = small_run(tmp_path, seed)
    compare(run, Records(run))


def test_the_counting_itself_sees_what_is_wrong(tmp_path: Path) -> None:
    """One verdict turned over after the tables were made changes its cells, and no others."""
    run = small_run(tmp_path, 0)
    before = table2(Records(run))
    path = tmp_path / "mmath" / "verdicts" / "native" / "m1" / f"{RULES[0]}.jsonl"
    first, rest = path.read_text(encoding="utf-8").split("\n", 1)
    row = json.loads(first)
    row |= {"correct": not row["correct"], "status": "wrong" if row["correct"] else "correct"}
    path.write_text(json.dumps(row) + "\n" + rest, encoding="utf-8")
    after = table2(Records(run))
    changed = {place for place in before if before[place] != after[place]}
    assert changed == {("", "Ada", row["lang"].upper()), ("", "Ada", "AVG")}
