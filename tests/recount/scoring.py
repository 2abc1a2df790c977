"""The tables of both papers on data, scoring and samples, counted by hand."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from recount.reading import NAMES, Found, Records, Row, less, percent
from small_run import DISPLAYS


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
