"""Records as frames: what table functions compute from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import polars as pl

from babelmath.composition import composition
from babelmath.records import (
    WITHOUT_TEXT,
    ChoiceItem,
    Construction,
    Generation,
    Perturbed,
    Problem,
    load_records,
)
from babelmath.tables.completeness import Held, Wanted, check_complete
from babelmath.tables.facts import claim_frame
from babelmath.tables.label_frames import confusion_frame, label_frame, review_frame
from babelmath.tables.reading import Schema, columns_of
from babelmath.tables.scores import SCORES, score_frame, verdict_frame

PROBLEMS: Schema = {"id": pl.String, "lang": pl.String, "subset": pl.String, "kind": pl.String,
                    "subdomain": pl.String}  # fmt: skip


@dataclass(frozen=True)
class ModelName:
    """How a model appears in a table."""

    display: str
    parameters: str | None


@dataclass(frozen=True)
class Data:
    """The records behind a table.

    Frames: `problems` (id, lang, subset, kind, subdomain), `verdicts` (setting, model, id, lang,
    sample, status, correct, scorer, decision, judge, file, extracted), `labels` (setting, model,
    id, lang, sample, thinking, answering by the protocol, paper_thinking, paper_answering,
    strict_thinking, strict_answering, truncated, empty), `label_reviews` (lang, verdict) of a
    person, `confusion` (identifier, text, labelling, lang, label, count), `compositions` (setting,
    model, id, lang, sample, label, scripts) of solutions whose text is there, `constructions`
    (stage, lang, field, id, outcome, rounds, replaced), `golds` (id, lang, parsed, equals_itself).
    `judge` is the judge's name and `file` the released file, where records tell them; `extracted`
    is the answer that a rule or letter scorer found.
    `scores`, with the columns of `verdicts`: those of all scorers; a judge's decision stands in a
    rule's verdict too where the rule left it to a judge.
    `scored`: the (setting, model, scorer) that were configured.
    `passed_over`: verdicts of a person that are about no label of this run's sample.
    `pairs`: the (setting, model) pairs that were run or imported, whether or not they gave records;
    `cot_columns`: the setting behind the CoT columns by language. `trained`: by model the one that
    it was trained from. `answers_in`: by setting the language to answer in, None for the
    question's. `configured`: all settings of the benchmark. `claims` (paper, where, row, column,
    printed, unit): the ledger. Settings, models and languages in the order of the configuration.
    """

    protocol: str
    models: Mapping[str, ModelName]
    language_names: Mapping[str, str]
    languages: tuple[str, ...]
    source_languages: tuple[str, ...]
    scorers: Mapping[str, str] = field(default_factory=dict)
    samples: Mapping[str, int] = field(default_factory=dict)
    pairs: tuple[tuple[str, str], ...] = ()
    cot_columns: Mapping[str, str] = field(default_factory=dict)
    trained: Mapping[str, str] = field(default_factory=dict)
    answers_in: Mapping[str, str | None] = field(default_factory=dict)
    configured: tuple[str, ...] = ()
    scored: tuple[tuple[str, str, str], ...] = ()
    problems: pl.DataFrame = field(default_factory=pl.DataFrame)
    verdicts: pl.DataFrame = field(default_factory=pl.DataFrame)
    scores: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=SCORES))
    labels: pl.DataFrame = field(default_factory=pl.DataFrame)
    compositions: pl.DataFrame = field(default_factory=pl.DataFrame)
    constructions: pl.DataFrame = field(default_factory=pl.DataFrame)
    golds: pl.DataFrame = field(default_factory=pl.DataFrame)
    label_reviews: pl.DataFrame = field(default_factory=pl.DataFrame)
    passed_over: int = 0
    confusion: pl.DataFrame = field(default_factory=pl.DataFrame)
    claims: pl.DataFrame = field(default_factory=lambda: claim_frame([]))
    choices: int | None = None
    perturbed: int | None = None

    def of_pair(self, setting: str, model: str) -> pl.DataFrame:
        """The verdicts of a model in a setting."""
        return self._by_pair.get((setting, model), self.verdicts.clear())

    @cached_property
    def _by_pair(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        # Hundreds of numbers each take a few hundred of many thousand rows.
        keys = ["setting", "model"]
        return self.verdicts.partition_by(keys, as_dict=True) if self.verdicts.height else {}


def problem_frame(paths: Iterable[Path]) -> pl.DataFrame:
    """Problems of several files.

    Raises:
        InputError: a bad record, with file and line.
    """
    sound = pl.col("subset").is_not_null()
    frames = [
        columns_of(path, PROBLEMS, ("id", "lang"), sound, _problem_row, partial(_problems, path))
        for path in paths
    ]
    return pl.concat([pl.DataFrame(schema=PROBLEMS), *frames])


def _problem_row(raw: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(raw[name] for name in PROBLEMS)


def _problems(path: Path) -> pl.DataFrame:
    rows = [_problem_row(one.model_dump()) for one in load_records(path, Problem)]
    return pl.DataFrame(rows, schema=PROBLEMS, orient="row")


def composition_frame(files: Mapping[tuple[str, str], Path]) -> pl.DataFrame:
    """Languages of solutions by (setting, model), where the model's own text is there."""
    schema = {"setting": pl.String, "model": pl.String, "id": pl.String, "lang": pl.String,
              "sample": pl.Int64, "label": pl.String, "scripts": pl.String}  # fmt: skip
    rows = [
        (setting, model, one.id, one.lang, one.sample, *composition(one.answer))
        for (setting, model), path in files.items()
        for one in load_records(path, Generation)
        if WITHOUT_TEXT not in one.flags
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")


def construction_frame(
    paths: Iterable[Path], problems: Iterable[Path], perturbed: Iterable[Path]
) -> pl.DataFrame:
    """Construction outcomes; `replaced` says whether a person's correction stands instead."""
    schema = {"stage": pl.String, "lang": pl.String, "field": pl.String, "id": pl.String,
              "outcome": pl.String, "rounds": pl.Int64, "replaced": pl.Boolean}  # fmt: skip
    reviewed: set[tuple[str, str, str]] = set()
    for path in problems:
        for one in load_records(path, Problem):
            for check in one.provenance["checks"]:
                name, _, origin = str(check).partition(": ")
                if origin == "review":
                    reviewed.add((one.id, one.lang, name))
    for path in perturbed:
        for flawed in load_records(path, Perturbed):
            if flawed.provenance["source"] == "review":
                reviewed.add((flawed.id, flawed.lang, str(flawed.strategy)))
    rows = [
        (one.stage, one.lang, one.field, one.id, one.outcome, one.rounds,
         (one.id, one.lang, one.field) in reviewed)
        for path in paths
        for one in load_records(path, Construction)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def gold_frame(paths: Sequence[Path]) -> pl.DataFrame:
    """What the check of the exact answers found."""
    schema = {"id": pl.String, "lang": pl.String, "parsed": pl.Boolean,
              "equals_itself": pl.Boolean}  # fmt: skip
    frames = [pl.read_csv(path, columns=list(schema), schema_overrides=schema) for path in paths]
    return pl.concat(frames) if frames else pl.DataFrame(schema=schema)


def count_records(paths: Sequence[Path], model: type[ChoiceItem] | type[Perturbed]) -> int | None:
    """Number of records in files; None where a run makes no such files, or a release has none."""
    return sum(len(load_records(path, model)) for path in paths) or None


def load_data(facts: Mapping[str, Any], files: Mapping[str, Sequence[str]]) -> Data:
    """The records behind a table or figure.

    Args:
        facts: protocol, models (display, parameters), language_names, languages,
            source_languages, scorers, wanted (by setting: responses to a question, and question
            languages), cot_columns, trained, answers_in, configured, released (models of released
            records), pairs: the (setting, model) of each file of verdicts and generations,
            labelled: those of labels, and scored: the (setting, model, scorer) of each file of
            scores.
        files: paths by kind of record: problems, verdicts, scores, labels, generations,
            constructions, choices, perturbed, golds, sampled and reviewed (labels for a person to
            check, and the filled-in file), confusion, claims (the ledger).

    Raises:
        InputError: a bad record or review, another scorer's verdicts, or verdicts or labels that
            are not all that were asked for.
    """

    def paths(kind: str) -> list[Path]:
        return [Path(path) for path in files.get(kind, ())]

    def paired(kind: str, pairs: str = "pairs") -> dict[tuple[str, str], Path]:
        found = paths(kind)
        return dict(zip(map(tuple, facts[pairs]), found, strict=True)) if found else {}

    scored = tuple((setting, model, scorer) for setting, model, scorer in facts["scored"])
    scores_of = dict(zip(scored, paths("scores"), strict=True)) if paths("scores") else {}
    verdicts = verdict_frame(paired("verdicts"), facts["scorers"])
    labelled = paired("labels", "labelled")
    scores, labels = score_frame(scores_of), label_frame(labelled, facts["protocol"])
    about = pl.col("setting"), pl.col("model")
    check_complete(
        [
            Held(setting, model, frame.filter(about[0] == setting, about[1] == model), path)
            for frame, found in ((verdicts, paired("verdicts")), (labels, labelled))
            for (setting, model), path in found.items()
        ]
        + [
            Held(one[0], one[1],
                 scores.filter(about[0] == one[0], about[1] == one[1], pl.col("scorer") == one[2]),
                 path)
            for one, path in scores_of.items()
        ],
        {name: Wanted(*one) for name, one in facts["wanted"].items()},
        facts["released"],
    )  # fmt: skip
    problems = problem_frame(paths("problems"))
    reviews, passed_over = review_frame(paths("sampled"), paths("reviewed"), set(problems["id"]))
    return Data(
        protocol=facts["protocol"],
        models={name: ModelName(*one) for name, one in facts["models"].items()},
        language_names=facts["language_names"],
        languages=tuple(facts["languages"]),
        source_languages=tuple(facts["source_languages"]),
        scorers=facts["scorers"],
        samples={name: samples for name, (samples, _) in facts["wanted"].items()},
        pairs=tuple((setting, model) for setting, model in facts["pairs"]),
        cot_columns=facts["cot_columns"],
        trained=facts["trained"],
        answers_in=facts["answers_in"],
        configured=tuple(facts["configured"]),
        scored=scored,
        problems=problems,
        verdicts=verdicts,
        scores=scores,
        labels=labels,
        compositions=composition_frame(paired("generations")),
        constructions=construction_frame(
            paths("constructions"), paths("problems"), paths("perturbed")
        ),
        golds=gold_frame(paths("golds")),
        label_reviews=reviews,
        passed_over=passed_over,
        confusion=confusion_frame(paths("confusion")),
        claims=claim_frame(paths("claims")),
        choices=count_records(paths("choices"), ChoiceItem),
        perturbed=count_records(paths("perturbed"), Perturbed),
    )
