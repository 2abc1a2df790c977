"""Records as lists of dictionaries, and what a run's configuration says."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from small_run import SmallRun

Row = dict[str, Any]
Place = tuple[str, str, str]  # block, row, column
Number = tuple[float | str | None, int | None]  # value or words, n
Found = dict[Place, Number]

NAMES = {"bn": "Bangla", "en": "English", "fr": "French", "zh": "Chinese"}
NOTHING: Number = (None, 0)


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
