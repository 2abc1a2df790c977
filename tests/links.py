"""The generations that a table's number links to, counted from the records themselves."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from babelmath.outcomes import outcome
from babelmath.scorers import scorer_of
from babelmath.selection import Records, parse

Row = dict[str, Any]


def generations(results: Path, config: Mapping[str, Any]) -> list[Row]:
    """Every generation of a run, with the values that a link can name.

    `config` is the run's resolved configuration.
    """
    found: list[Row] = []
    for benchmark, one in config["benchmarks"].items():
        problems = {
            (row["id"], row["lang"]): row
            for path in (results / benchmark / "problems").glob("*.jsonl")
            for row in _records(path)
        }
        for name, setting in (one or {}).get("settings", {}).items():
            for model in setting["models"]:
                found += _of_model(results / benchmark, benchmark, name, setting, model, problems,
                                   config["protocol"])  # fmt: skip
    return found


def _of_model(
    root: Path,
    benchmark: str,
    name: str,
    setting: Mapping[str, Any],
    model: str,
    problems: Mapping[Any, Row],
    protocol: str,
) -> Iterator[Row]:
    scorers = setting["scorers"]
    statuses = {
        scorer: {_key(row): row["status"]
                 for row in _records(root / "verdicts" / name / model / f"{scorer}.jsonl")}
        for scorer in scorers
    }  # fmt: skip
    labels = {}
    if setting["labels"]:
        path = root / "languages" / name / f"{model}.jsonl"
        labels = {_key(row): row for row in _records(path)}
    for row in _records(root / "generations" / name / f"{model}.jsonl"):
        key = _key(row)
        problem, label = problems[row["id"], row["lang"]], labels.get(key)
        strict = statuses[scorer_of(list(scorers), "strict")].get(key)
        expected = setting["reasoning_language"] or row["lang"]
        answering = label["answering"]["strict"] if label else None
        yield {
            "benchmark": benchmark, "setting": name, "model": model, "lang": row["lang"],
            "id": row["id"], "sample": str(row["sample"]), "kind": problem["kind"],
            "subset": problem["subset"], "finish": row["finish"],
            "statuses": {scorer: held.get(key) for scorer, held in statuses.items()},
            "scorer": scorer_of(list(scorers), protocol), "label": label, "protocol": protocol,
            "state": outcome(strict, answering, expected) if strict else None,
        }  # fmt: skip


def selects(records: Records, row: Row) -> bool:
    """Whether a link takes a generation."""
    for key in ("benchmark", "setting", "model", "lang", "id", "sample", "kind", "subset",
                "finish", "state"):  # fmt: skip
        if getattr(records, key) and row[key] not in getattr(records, key):
            return False
    scorer = records.scorer[0] if records.scorer else row["scorer"]
    if records.status and row["statuses"].get(scorer) not in records.status:
        return False
    reading = records.reading[0] if records.reading else row["protocol"]
    for part, key in (("thinking", "target"), ("answering", "answers")):
        label = row["label"][part][reading] if row["label"] else None
        if getattr(records, part) and label not in getattr(records, part):
            return False
        same = "on" if label == row["lang"] else "off"
        if getattr(records, key) and (label is None or same not in getattr(records, key)):
            return False
    return True


def linked(results: Path) -> Iterator[tuple[str, Row, Records]]:
    """Every cell with a link: its table, its line, and what the link takes."""
    for path in sorted((results / "tables").glob("*/*.csv")):
        with open(path, encoding="utf-8", newline="") as stream:
            for line in csv.DictReader(stream):
                if line["records"]:
                    yield f"{path.parent.name}/{path.stem}", line, parse(line["records"])


def _key(row: Row) -> tuple[str, str, int]:
    return row["id"], row["lang"], row["sample"]


def _records(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
