"""Small frames of records, as tables and the audit take them, for tests that count by hand."""

from __future__ import annotations

from typing import Any

import polars as pl

from babelmath.statistics.frames import Measured
from babelmath.tables.data import Data, ModelName
from babelmath.tables.label_frames import LABEL_COLUMNS, confusion_frame, review_frame
from babelmath.tables.scores import SCORES

PROBLEMS = {"id": pl.String, "lang": pl.String, "subset": pl.String, "kind": pl.String,
            "subdomain": pl.String}  # fmt: skip
VERDICTS = {"setting": pl.String, "model": pl.String, "id": pl.String, "lang": pl.String,
            "sample": pl.Int64, "status": pl.String, "correct": pl.Boolean, "scorer": pl.String,
            "decision": pl.String, "judge": pl.String, "file": pl.String,
            "extracted": pl.String}  # fmt: skip
COMPOSITIONS = {"setting": pl.String, "model": pl.String, "id": pl.String, "lang": pl.String,
                "sample": pl.Int64, "label": pl.String, "scripts": pl.String}  # fmt: skip
CONSTRUCTIONS = {"stage": pl.String, "lang": pl.String, "field": pl.String, "id": pl.String,
                 "outcome": pl.String, "rounds": pl.Int64, "replaced": pl.Boolean}  # fmt: skip
GOLDS = {"id": pl.String, "lang": pl.String, "parsed": pl.Boolean, "equals_itself": pl.Boolean}
SETTINGS = ("zero-shot", "cot", "mcq", "detect", "identify", "cross-lingual", "native", "atp",
            "dit", "qrt", "cs-bn-bn", "cs-bn-en", "cs-en-en", "cs-en-bn")  # fmt: skip
SCORERS = ("judge-stern", "rules-strict")
NAMES = {"bn": "Bangla", "en": "English", "fr": "French", "zh": "Chinese"}

Row = dict[str, Any]


def held(*ids: str, lang: str = "en", kind: str | None = "numerical", **fields: Any) -> list[Row]:
    row = {"lang": lang, "subset": "corpus", "kind": kind, "subdomain": "Algebra"} | fields
    return [{"id": one} | row for one in ids]


def subsets(lang: str = "en", **ids: str) -> list[Row]:
    """MMATH problems of one letter each, by subset."""
    return [
        row
        for subset, letters in ids.items()
        for row in held(*letters, lang=lang, subset=subset, kind=None, subdomain=None)
    ]


def verdicts(setting: str, right: str, wrong: str = "", **fields: Any) -> list[Row]:
    """Verdicts on problems named by one letter each, for instance right="ab", wrong="c"."""
    row = {"setting": setting, "model": "m", "lang": "en", "sample": 0, "scorer": "s",
           "decision": None, "judge": None, "file": None, "extracted": None}  # fmt: skip
    return [
        row | {"id": one, "correct": one in right, "status": "correct" if one in right else "wrong"}
        | fields
        for one in right + wrong
    ]  # fmt: skip


def scores(setting: str, scorer: str, model: str = "m", **marks: str) -> list[Row]:
    """One scorer's verdicts, a letter a response: c(orrect), w(rong), t(runcated), u(nresolved).

    `marks` by problem; several letters are samples. A judge's c and w are its YES and NO.
    """
    statuses = {"c": "correct", "w": "wrong", "t": "truncated", "u": "unresolved"}
    decisions = {"c": "YES", "w": "NO"} if scorer.startswith("judge-") else {}
    return [
        {"setting": setting, "model": model, "scorer": scorer, "id": one, "lang": "en",
         "sample": sample, "status": statuses[letter], "correct": letter == "c",
         "decision": decisions.get(letter)}
        for one, letters in marks.items()
        for sample, letter in enumerate(letters)
    ]  # fmt: skip


def labels(
    lang: str, thinking: list[str], answering: list[str] | None = None, **fields: Any
) -> list[Row]:
    """Labels of responses to the problems 0, 1, ...; both readings give the same."""
    pairs = zip(thinking, answering or thinking, strict=True)
    return [
        {"setting": "native", "model": "m", "id": str(number), "lang": lang, "sample": 0,
         "thinking": one, "answering": two, "paper_thinking": one, "paper_answering": two,
         "strict_thinking": one, "strict_answering": two, "truncated": False, "empty": False}
        | fields
        for number, (one, two) in enumerate(pairs)
    ]  # fmt: skip


def pair(found: Measured | None) -> tuple[float, int] | None:
    """The value and n of a number."""
    return None if found is None else (found.value, found.n)


def data(
    problems: list[Row] | None = None,
    found: list[Row] | None = None,
    detected: list[Row] | None = None,
    made: list[Row] | None = None,
    **fields: Any,
) -> Data:
    pairs = tuple(
        dict.fromkeys((row["setting"], row["model"]) for row in (found or []) + (detected or []))
    )
    values: dict[str, Any] = {
        "protocol": "paper",
        "models": {"m": ModelName("Model", "7B"), "silent": ModelName("Silent", None)},
        "language_names": NAMES,
        "languages": ("bn", "en"),
        "source_languages": ("bn", "en"),
        "scorers": dict.fromkeys(SETTINGS, "judge-stern"),
        "samples": dict.fromkeys(SETTINGS, 1),
        "pairs": pairs,
        "scored": tuple((*one, scorer) for one in pairs for scorer in SCORERS),
        "scores": pl.DataFrame(
            [
                {key: row[key] for key in SCORES if key in row} | {"scorer": scorer}
                for row in found or []
                for scorer in SCORERS
            ],
            schema=SCORES,
        ),
        "cot_columns": {"bn": "cot", "en": "cot"},
        "problems": pl.DataFrame(problems or [], schema=PROBLEMS),
        "verdicts": pl.DataFrame(found or [], schema=VERDICTS),
        "labels": pl.DataFrame(detected or [], schema=LABEL_COLUMNS),
        "compositions": pl.DataFrame([], schema=COMPOSITIONS),
        "constructions": pl.DataFrame(made or [], schema=CONSTRUCTIONS),
        "golds": pl.DataFrame([], schema=GOLDS),
        "label_reviews": review_frame([], [], [])[0],
        "confusion": confusion_frame([]).extend(
            pl.DataFrame(
                [("m.ftz", "question", "strict", "en", "en", 1)],
                schema=confusion_frame([]).schema,
                orient="row",
            )
        ),
    }
    return Data(**(values | fields))
