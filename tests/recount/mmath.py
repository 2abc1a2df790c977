"""MMATH's tables, counted by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import fmean

from recount.mathmist import comparison
from recount.reading import NAMES, NOTHING, Found, Number, Records, Row, percent
from small_run import DISPLAYS

SUBSETS = ("AIME2024", "AIME2025", "CNMO", "MATH500")


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
