"""A finished run of made-up records on disk: all settings of both papers, small and seeded.

Its records are written as plain JSON; what a table reads is looked up by the rules' own functions.
The model `rel` stands for released records: they have gaps. `t1` and `t2` are trained models, t2 of
one that is never asked itself.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babelmath.catalogue import Item, items
from babelmath.config import Config, benchmarks, imported
from babelmath.scorers import scorer_of
from babelmath.sources import SUBDOMAINS
from babelmath.tables.data import Data, load_data
from babelmath.tables.frame import Table
from babelmath.tables.registry import make_table
from stand_ins import LANGUAGES, REPOSITORY

Row = dict[str, Any]
Key = tuple[str, str, str]  # benchmark, setting, model

DISPLAYS = {"m1": "Ada", "m2": "Bo", "rel": "Released", "base": "Base", "t1": "Ada-SFT",
            "t2": "Base-SFT", "t3": "Ada-Think"}  # fmt: skip
RULES, LETTERS = ["rules-paper", "rules-strict"], ["letter-paper", "letter-strict"]
JUDGES = ["judge-stern", "judge-stern-strict", "rules-strict"]
STATUSES = ("correct", "correct", "wrong", "wrong", "truncated", "blocked", "no_answer",
            "unparsed_gold", "timeout", "unresolved")  # fmt: skip
# Texts of solutions, with what their scripts make of them.
TEXTS = {
    "সুতরাং উত্তর হলো $9$।": ("Bangla", "Bangla"),
    "Therefore the answer is $9$.": ("English", "English"),
    "因此答案是 $9$。": ("Chinese", "Chinese"),
    "সুতরাং উত্তর therefore": ("Mixed", "Bangla + English"),
    "So সুতরাং 因此": ("Mixed", "Bangla + Chinese + English"),
    "Поэтому ответ": ("Cyrillic", "Cyrillic"),
    "$9$": ("No words", ""),
}
WITHOUT_TEXT = "text not released"


def _setting(models: Sequence[str], scorers: list[str], langs: str, **more: Any) -> Row:
    sampling = {"temperature": 0.0, "max_tokens": 8}
    return {"task": "solve", "prompt": "p", "question_languages": langs.split(), "labels": True,
            "models": [*models], "scorers": scorers, "sampling": sampling} | more  # fmt: skip


def configuration(seed: int, displays: Mapping[str, str] = DISPLAYS) -> Config:
    """The run's configuration; odd seeds are of the strict protocol and other CoT columns."""
    asked = ["m1", "m2", "rel"]
    role = {"model": "m1", "sampling": {"temperature": 0.0, "max_tokens": 8}}
    switched = {
        f"cs-{question}-{reasoning}": _setting(
            asked, JUDGES, question, reasoning_language=reasoning, labels=question == "bn"
        )
        for question in ("bn", "en")
        for reasoning in ("bn", "en")
    }
    mathmist = {
        "zero-shot": _setting(asked, JUDGES, "bn en", samples=3),
        "cot": _setting(["m1", "m2"], JUDGES, "bn en"),
        **switched,
        "mcq": _setting(asked, LETTERS, "bn en", task="choose", labels=False),
        "detect": _setting(asked, LETTERS, "bn en", task="detect", labels=False),
        "identify": _setting(asked, JUDGES[:2], "bn en", task="identify", samples=2, labels=False),
        "cross-lingual": _setting(asked, JUDGES[:1], "bn en fr", labels=False),
    }
    mmath = {
        "native": _setting([*asked, "t1", "t2", "t3"], RULES, "en zh fr", samples=2),
        "atp": _setting(["m2", "rel"], RULES, "en zh fr", reasoning_language=None),
        "dit": _setting(["m2"], RULES, "en zh fr", samples=4),
        "qrt": _setting(["m1", "m2"], RULES, "zh fr"),
    }
    odd = bool(seed % 2)
    columns = {"bn": "cs-bn-en", "en": "cs-en-en"} if odd else {"bn": "cot", "en": "cot"}
    trained = {"t1": "m1", "t2": "base", "t3": "m1"}
    return Config.model_validate({
        "scale": "demonstration",
        "statement": "A test.",
        "seed": seed,
        "protocol": "strict" if odd else "paper",
        "paths": {"claims": str(REPOSITORY / "config" / "printed" / "claims.csv")},
        "models": {
            name: {"display": display, "engine": "released" if name == "rel" else "llamacpp",
                   "parameters": "7B" if name == "m1" else None,
                   "trained_from": trained.get(name)}
            for name, display in displays.items()
        },
        "judges": {
            "stern": {"model": "m1", "sampling": role["sampling"]},
            "stern-strict": {"model": "m1", "sampling": role["sampling"], "reading": "strict"},
        },
        "benchmarks": {
            "mathmist": {
                "source": {"format": "bundled"}, "source_languages": ["bn", "en"],
                "languages": ["bn", "en", "fr"], "cot_columns": columns, "settings": mathmist,
                "choices": {"model": role, "mixture": {"calc": 1.0}, "tau": 0.0},
                "perturbation": {"model": role, "checker": role, "strategies": [1, 3]},
            },
            "mmath": {"source": {"format": "bundled"}, "source_languages": ["en"],
                      "languages": ["en", "zh", "fr"], "settings": mmath},
        },
    })  # fmt: skip


@dataclass(frozen=True)
class SmallRun:
    """The run: where its records are, and how it was configured."""

    folder: Path
    config: Config

    def items(self, kind: str = "table") -> list[Item]:
        return items(self.config, kind)  # type: ignore[arg-type]

    def facts(self, item: Item) -> dict[str, Any]:
        """What a table or figure says besides its records, as its rule hands it over."""
        found: dict[str, Any] = _look_ups(self.config, self.folder)["facts_of"](item)
        return found

    def data(self, item: Item) -> Data:
        """The records of a table or figure, likewise."""
        files = _look_ups(self.config, self.folder)["records_of"](item)
        return load_data(self.facts(item), files)

    def table(self, item: Item) -> Table:
        return make_table(item.paper, item.name, item.base, self.data(item))


def _look_ups(config: Config, folder: Path) -> dict[str, Any]:
    """The functions of the rules that name a table's files and facts."""
    both = benchmarks(config)
    names: dict[str, Any] = {
        "CONFIG": config, "LANGUAGES": LANGUAGES, "BENCHMARKS": both, "R": str(folder),
        "REVIEW": str(folder / "reviewed"), "MATHMIST": both["mathmist"], "MMATH": both["mmath"],
        "Path": Path, "imported": imported, "scorer_of": scorer_of,
    }  # fmt: skip
    for file in ("common", "inputs", "records"):
        text = (REPOSITORY / "rules" / f"{file}.smk").read_text(encoding="utf-8")
        for part in re.split(r"\n{3,}", text):
            if part.startswith("def "):
                exec(compile(part, file, "exec"), names)
    return names


def small_run(folder: Path, seed: int, displays: Mapping[str, str] = DISPLAYS) -> SmallRun:
    """Write a run's records into a folder."""
    run = SmallRun(folder, configuration(seed, displays))
    _Writer(run, random.Random(seed)).write()
    return run


class _Writer:
    def __init__(self, run: SmallRun, draw: random.Random) -> None:
        self.run = run
        self.draw = draw
        self.problems: dict[str, list[Row]] = {}

    def write(self) -> None:
        self._problems()
        for name, benchmark in benchmarks(self.run.config).items():
            self._built(name)
            self._golds(name)
            for setting, asked in benchmark.settings.items():
                ids = self._asked(name, asked.task, setting)
                for model in asked.models:
                    keys = self._keys(ids, asked, model)
                    self._verdicts((name, setting, model), keys, asked)
                    if asked.labels:
                        self._labels((name, setting, model), keys, asked.question_languages)
                    if setting in ("cs-bn-bn", "cs-en-bn"):
                        self._generations((name, setting, model), keys)
        self._reviews()
        self._confusion()

    def _problems(self) -> None:
        odd = bool(self.run.config.seed % 2)
        kinds = ["numerical"] * 5 + ["symbolic"] * 4 + ["proof"] * 3
        sizes = {"AIME2024": 4, "AIME2025": 0 if odd else 1, "CNMO": 2, "MATH500": 5}
        for lang in ("bn", "en", "fr"):
            self.problems[f"mathmist {lang}"] = [
                {"id": f"mathmist-{number:04d}", "subset": "corpus", "kind": kind,
                 "subdomain": self._subdomain(kind, odd)}
                for number, kind in enumerate(kinds, 1)
            ]  # fmt: skip
        for lang in ("en", "zh", "fr"):
            subsets = [subset for subset, size in sizes.items() for _ in range(size)]
            self.problems[f"mmath {lang}"] = [
                {"id": f"mmath-{number:03d}", "subset": subset, "kind": None, "subdomain": None}
                for number, subset in enumerate(subsets, 1)
            ]
        for name, rows in self.problems.items():
            benchmark, lang = name.split()
            for row in rows:
                origin = self.draw.choice(["accepted", "review"])
                checks = [f"question: {origin}"]
                row |= {"lang": lang, "question": "q", "solution": None, "answer": "5",
                        "provenance": {"source": "s", "checks": checks}}  # fmt: skip
            self._save(f"{benchmark}/problems/{lang}.jsonl", rows)

    def _subdomain(self, kind: str, odd: bool) -> str | None:
        if odd and kind == "proof" and self.draw.random() < 0.5:
            return None
        return self.draw.choice(SUBDOMAINS[kind])

    def _asked(self, benchmark: str, task: str, setting: str) -> list[str]:
        """The ids of a setting's problems."""
        rows = self.problems["mathmist en" if benchmark == "mathmist" else "mmath en"]
        if task == "choose":
            return [row["id"] for row in rows if row["kind"] != "proof"]
        if task != "solve" or setting == "cross-lingual":
            return [row["id"] for row in rows[::2]]
        return [row["id"] for row in rows]

    def _keys(self, ids: Iterable[str], asked: Any, model: str) -> list[tuple[str, str, int]]:
        """What was answered: all, but of a release what there is."""
        keys = [(one, lang, sample) for one in ids for lang in asked.question_languages
                for sample in range(asked.samples)]  # fmt: skip
        if model != "rel":
            return sorted(keys)
        gone = self.draw.choice([(), (), ("bn",), ("zh",), ("bn", "en", "zh", "fr")])
        return sorted(key for key in keys if key[1] not in gone and self.draw.random() < 0.8)

    def _verdicts(self, place: Key, keys: Sequence[tuple[str, str, int]], asked: Any) -> None:
        benchmark, setting, model = place
        luck = self.draw.random()
        for scorer in asked.scorers:
            rows = []
            for identity, lang, sample in keys:
                status = "correct" if self.draw.random() < luck else self.draw.choice(STATUSES)
                judged = scorer.startswith("judge-") or self.draw.random() < 0.1
                yes, no = ("TP", self.draw.choice(["FP", "FN"])) if setting == "identify" else (
                    "YES", "NO")  # fmt: skip
                decision = {"correct": yes, "wrong": no}.get(status) if judged else None
                rows.append({
                    "id": identity, "lang": lang, "sample": sample, "scorer": scorer,
                    "status": status, "correct": status == "correct",
                    "extracted": self.draw.choice(["5", "6", "7", None]), "gold": "5",
                    "rewrites": [], "provenance": {"file": "a.json"} if model == "rel" else {},
                    "judge": {"decision": decision, "model": "J"} if judged else None,
                })  # fmt: skip
            self._save(f"{benchmark}/verdicts/{setting}/{model}/{scorer}.jsonl", rows)

    def _labels(
        self, place: Key, keys: Sequence[tuple[str, str, int]], langs: Sequence[str]
    ) -> None:
        benchmark, setting, model = place
        loyal = self.draw.random()

        def part(lang: str) -> Row:
            one, two = (
                lang if self.draw.random() < loyal else self.draw.choice([*langs, "en", "und"])
                for _ in range(2)
            )
            if self.draw.random() < 0.1:
                two = "mixed"
            return {"paper": one, "strict": two, "p": 0.5, "scripts": {}}

        flags = ([], [], ["truncated"], ["empty thinking"], ["truncated", "empty thinking"])
        rows = [
            {"id": identity, "lang": lang, "sample": sample, "thinking": part(lang),
             "answering": part(lang), "flags": self.draw.choice(flags)}
            for identity, lang, sample in keys
        ]  # fmt: skip
        self._save(f"{benchmark}/languages/{setting}/{model}.jsonl", rows)

    def _generations(self, place: Key, keys: Sequence[tuple[str, str, int]]) -> None:
        benchmark, setting, model = place
        texts = self.draw.choices([*TEXTS], k=4)
        rows = []
        for identity, lang, sample in keys:
            gone = self.draw.random() < (1.0 if place[1:] == ("cs-en-bn", "m2") else 0.2)
            answer = "" if gone else self.draw.choice(texts)
            rows.append({
                "id": identity, "lang": lang, "sample": sample, "thinking": "因此",
                "answer": answer, "raw": answer, "finish": "stop", "prompt_tokens": 1,
                "completion_tokens": 1, "seed": 1, "model": model, "engine": "llamacpp", "sent": {},
                "flags": [WITHOUT_TEXT] if gone else [], "provenance": {},
            })  # fmt: skip
        self._save(f"{benchmark}/generations/{setting}/{model}.jsonl", rows)

    def _built(self, benchmark: str) -> None:
        made = {"mathmist": ["fr"], "mmath": ["zh", "fr"]}[benchmark]
        ids = [row["id"] for row in self.problems[f"{benchmark} en"]]
        for lang in made:
            rows = [self._construction("translation", one, lang, part)
                    for one in ids for part in ("answer", "question")]  # fmt: skip
            self._save(f"{benchmark}/construction/translation/{lang}.jsonl", rows)
        if benchmark == "mmath":
            return
        pairs = [(one, lang) for one in ids for lang in ("bn", "en")]
        rows = [self._construction("choices", one, lang, None) for one, lang in pairs]
        self._save("mathmist/construction/choices.jsonl", rows)
        rows = [self._construction("perturbation", one, lang, part)
                for one, lang in pairs for part in ("1", "3")]  # fmt: skip
        self._save("mathmist/construction/perturbation.jsonl", rows)
        for lang in ("bn", "en"):
            kept = [one for one in ids if self.draw.random() < 0.7]
            self._save(f"mathmist/choices/{lang}.jsonl", [
                {"id": one, "lang": lang, "question": "q", "options": ["1", "2", "3", "4"],
                 "key": "A", "sources": [], "provenance": {}} for one in kept
            ])  # fmt: skip
            self._save(f"mathmist/perturbed/{lang}.jsonl", [
                {"id": one, "lang": lang, "strategy": strategy, "solution": "s", "errors": [],
                 "checks": {}, "provenance": {"source": self.draw.choice(["model", "review"])}}
                for one in kept for strategy in (1, 3)
            ])  # fmt: skip

    def _construction(self, stage: str, identity: str, lang: str, part: str | None) -> Row:
        outcome = self.draw.choice(["accepted", "corrected", "carried", "unresolved"])
        return {"id": identity, "lang": lang, "stage": stage, "field": part, "outcome": outcome,
                "rounds": 0, "text": "t", "reason": "", "history": [], "detail": {}}  # fmt: skip

    def _golds(self, benchmark: str) -> None:
        langs = benchmarks(self.run.config)[benchmark].languages
        rows = [
            [row["id"], lang, "5", str(self.draw.random() < 0.8).lower(),
             str(self.draw.random() < 0.8).lower(), "why"]
            for lang in langs for row in self.problems[f"{benchmark} {lang}"]
        ]  # fmt: skip
        head = ["id", "lang", "answer", "parsed", "equals_itself", "reason"]
        self._csv(f"{benchmark}/golds.csv", [head, *rows])

    def _reviews(self) -> None:
        head = ["id", "lang", "setting", "model", "sample", "part", "text", "paper", "strict"]
        sampled = [
            [row["id"], lang, "native", "m1", "0", "thinking", f"text {row['id']}", "en", "fr"]
            for lang in ("en", "zh") for row in self.problems[f"mmath {lang}"]
        ]  # fmt: skip
        filled = [[*row, self.draw.choice(["right", "wrong", "paper", "strict", ""]), ""]
                  for row in sampled]  # fmt: skip
        filled[0][6] = "another text"  # of another sample: passed over
        filled[0][-2] = "right"
        self._csv("mmath/review/labels.csv", [[*head, "verdict", "note"],
                                              *([*row, "", ""] for row in sampled)])  # fmt: skip
        self._csv("reviewed/bundled/mmath/labels.csv", [[*head, "verdict", "note"], *filled])

    def _confusion(self) -> None:
        head = ["identifier", "sha256", "text", "labelling", "lang", "label", "count"]
        rows = [
            ["lid.ftz", "0", text, labelling, lang, label, str(self.draw.randrange(1, 9))]
            for text in ("first words", "question") for labelling in ("paper", "strict")
            for lang in ("bn", "en", "zh") for label in ("bn", "en", "und", "mixed", "de", "nl")
            if self.draw.random() < 0.6 or label == lang
        ]  # fmt: skip
        self._csv("run/identification.csv", [head, *rows])

    def _save(self, name: str, rows: Iterable[Row]) -> None:
        path = self.run.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path.write_text(text, encoding="utf-8")

    def _csv(self, name: str, rows: Iterable[Sequence[str]]) -> None:
        path = self.run.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as handle:
            csv.writer(handle, lineterminator="\n").writerows(rows)
