"""What stands behind MMATH's language consistency: labels, denominators, errors."""

from __future__ import annotations

import polars as pl

from babelmath.language_codes import MIXED, UNDETERMINED
from babelmath.selection import Records
from babelmath.statistics.frames import measured
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, number, share
from babelmath.tables.scored import about

PAPER = "mmath"
OTHER = "other"
RIGHT = {"Paper's label": ("right", "paper"), "Strict label": ("right", "strict")}


def label_shares(paper: str, data: Data) -> Table:
    """Language consistency under the paper's labels and under the strict ones, of all responses and
    of those whose language is decided, and the shares of the rest (MMATH section 3.1)."""
    cells: list[Cell] = []
    for setting, model in data.pairs:
        rows = data.labels.filter((pl.col("setting") == setting) & (pl.col("model") == model))
        name = f"{data.models[model].display}, {setting}"
        asked = data.answers_in.get(setting)
        wanted = pl.col("lang") if asked is None else pl.lit(asked)
        of = about(paper, setting, model, ())
        left = "none left" if rows.height else "no records"
        for part in ("thinking", "answering"):
            label = pl.col(f"strict_{part}")
            decided = rows.filter(label != UNDETERMINED)
            if part == "thinking":
                decided = decided.filter(~pl.col("empty"))
            finished = decided.filter(~pl.col("truncated"))
            head = part.capitalize()
            cells += [
                _share(name, f"{head} | Paper", rows, pl.col(f"paper_{part}") == wanted, of),
                _share(name, f"{head} | Strict", rows, label == wanted, of),
                _share(name, f"{head} | decided", decided, label == wanted, absent=left),
                _share(name, f"{head} | finished", finished, label == wanted, absent=left),
                _share(name, f"{head} | und", rows, label == UNDETERMINED, of),
                _share(name, f"{head} | mixed", rows, label == MIXED, of),
            ]
        cells += [
            _share(name, "Response | truncated", rows, pl.col("truncated"), of),
            _share(name, "Response | empty thinking", rows, pl.col("empty"), of),
        ]
    notes = [
        "Share of responses whose label is the language asked for (the question's, or the one to "
        "reason in); all languages, questions and samples are pooled. Paper: fastText's first "
        "label of the whole part. Strict: the label of its words; und (undetermined) and mixed "
        "count as off.",
        "Decided: without und and, of thinking, empty thinking parts; finished: without truncated "
        "responses besides. n says how many are left.",
    ]
    title = "Language consistency in both readings"
    return Table(paper, "label_shares", title, "paper and strict", cells, notes, "Model, setting")


def label_review(data: Data) -> Table:
    """How many of the sampled labels a person found right, all and by language (section 3.1)."""
    cells: list[Cell] = []
    rows = data.label_reviews
    for block, right in RIGHT.items():
        for lang in ("", *data.languages):
            held = rows.filter(pl.col("lang") == lang) if lang else rows
            right_ones = pl.col("verdict").is_in(right)
            count = held.filter(right_ones).height
            n, name = held.height, data.language_names[lang] if lang else "All"
            one_by_one = pl.int_range(pl.len()).cast(pl.String)
            found = measured(held.select(id=one_by_one, score=right_ones))
            absent = "not reviewed"
            cells += [
                Cell(block, name, "Reviewed", n, n, "count"),
                Cell(block, name, "Right", count if n else None, n, "count", absent=absent),
                number(block, name, "Share", found, decimals=1, absent=absent),
            ]
    notes = [
        "Labels drawn by the run's seed, over languages and parts in turn; a person's verdict on "
        "the first 500 characters.",
    ]
    if not rows.height:
        notes.insert(0, "Not reviewed: no person has filled in review/labels.csv yet.")
    if data.passed_over:
        notes.append(f"Passed over: {data.passed_over} verdicts on labels that this run's sample "
                     "does not hold.")  # fmt: skip
    title = "A person's check of language labels"
    return Table(PAPER, "label_review", title, "paper and strict", cells, notes, "Language")


def label_confusion(data: Data) -> Table:
    """Labels of the benchmarks' own questions, whose language is known, and of their beginnings."""
    cells: list[Cell] = []
    order = ["identifier", "text", "labelling"]
    for key in sorted(data.confusion.select(order).unique().rows()):
        identifier, text, labelling = key
        rows = data.confusion.join(pl.DataFrame([key], schema=order, orient="row"), on=order)
        known = sorted(set(rows["lang"].to_list()))
        heads = [*known, UNDETERMINED, MIXED]
        for lang in known:
            held = rows.filter(pl.col("lang") == lang)
            n = int(held["count"].sum())
            counts = dict(zip(held["label"].to_list(), held["count"].to_list(), strict=True))
            shown = [(head, counts.pop(head, 0)) for head in heads]
            block = f"{identifier}, {text}, {labelling}"
            cells += [
                Cell(block, data.language_names.get(lang, lang), head, share(count, n), n,
                     "percent", 1)
                for head, count in [*shown, (OTHER, sum(counts.values()))]
            ]  # fmt: skip
    notes = [
        "Percent of the texts of a language (rows) that got a label (columns). Texts: the "
        "questions of this run's benchmarks with labelled responses, whole and their first "
        "three words.",
        "A question without words has no language to find: und is right there, and the paper's "
        "label is English.",
    ]
    title = "Labels of texts whose language is known"
    return Table(PAPER, "label_confusion", title, "paper and strict", cells, notes, "Language")


def _share(
    row: str,
    column: str,
    rows: pl.DataFrame,
    condition: pl.Expr,
    of: Records | None = None,
    absent: str = "no records",
) -> Cell:
    return number("", row, column, measured(rows.select("id", score=condition)), of, absent=absent)
