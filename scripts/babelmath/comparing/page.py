"""README.md of a comparison: what was compared, what changed, what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from babelmath.comparing import facts
from babelmath.comparing.cells import ALL, NAMES, STATUSES
from babelmath.comparing.markup import chance, change, line, name, number, told
from babelmath.comparing.runs import Run

MOST = 15  # lines of a list that goes on in a file
ABOUT = ("statement", "scale", "protocol", "seed")


def page(
    a: Run,
    b: Run,
    renamed: Mapping[str, Mapping[str, str]],
    table: pl.DataFrame,
    responses: Mapping[tuple[str, ...], Mapping[str, int]],
    examples: Sequence[Mapping[str, Any]],
    left_out: pl.DataFrame,
) -> str:
    """Markdown of the page.

    Args:
        renamed: pairs of `models` and `settings` that were asked for.
        table: comparison.csv.
        responses: by pair of files, the flips by what became of the response.
        examples: some rows of flips.csv.
        left_out: left_out.csv.
    """
    whole = table.filter(pl.col("part") == ALL, (pl.col("lang") == ALL) | _only_language(table))
    up, down = int(whole["to_correct"].sum()), int(whole["to_wrong"].sum())
    lines = [
        "# Two runs compared",
        "",
        f"{int(whole['common'].sum())} verdicts that both runs have, {up + down} of them changed: "
        f"{up} from wrong to correct, {down} from correct to wrong. Differences are B minus A, in "
        "points.",
        "",
        "- `comparison.csv`: every cell, by language and by kind or subset, with all digits.",
        "- `flips.csv`: every response whose correctness changed.",
        "- `left_out.csv`: everything that is not compared, and why.",
        "",
        *_runs(a, b, renamed),
        *_whole(whole, responses),
        *_statuses(whole),
        *_largest(table),
        *_examples(examples),
        *_left_out(left_out),
        *NOTES,
    ]
    return "\n".join(lines) + "\n"


NOTES = (
    "## How to read it",
    "",
    "- A response is common where both runs have a verdict of the same scorer on the same problem, "
    "language and sample, and both asked the problem in the same words (options and flawed "
    "solutions included). Values, differences and tests are over common responses alone. The "
    "prompts may differ: they are what is compared.",
    "- Different scorers are never held against each other.",
    "- All responses to one problem count as one cluster: problems, not responses, are the "
    "sample. `all` languages weigh each language alike; `all` subsets of MMATH weigh each subset "
    "alike.",
    "- p: had both runs the same chance at each problem, a difference as large would come by "
    "chance that often (sign-flip test over problems; with one response to a problem McNemar's "
    "exact test). p (Holm) corrects for all tests of the same benchmark and setting: below 0.05 is "
    "a finding. Above it is none, not evidence that the runs are alike. Of fewer than six problems "
    "that changed nothing can be found.",
    "- A run that only draws its samples anew flips responses too. The test allows for that as far "
    "as problems show it; it does not tell *why* runs differ.",
    "- Responses: `same` text with another verdict points to the scorer, its judge or the exact "
    "answer; `changed` to the model, its prompt or its sampling.",
)


def _runs(a: Run, b: Run, renamed: Mapping[str, Mapping[str, str]]) -> list[str]:
    lines = ["## The runs", "", "| | A | B |", "|---|---|---|"]
    for key in ABOUT:
        values = (told(run.config.get(key, ""), 200) for run in (a, b))
        lines.append(line([key, *values]))
    lines.append("")
    for what, pairs in renamed.items():
        for one, other in pairs.items():
            lines.append(f"- Paired {what}: A's `{told(one)}` with B's `{told(other)}`.")
    lines += [f"- {facts.raw_files(a, b)}", ""]
    changed = [one for one in facts.keys(a.config, b.config) if one[0] not in ABOUT]
    lines += _changes("Keys of the configuration that differ", changed)
    versions = facts.versions(a, b)
    if versions is None:
        return [*lines, "A run has not recorded its versions (`run/versions.csv`).", ""]
    return lines + _changes("Versions that differ", versions)


def _changes(title: str, changes: Sequence[facts.Change]) -> list[str]:
    if not changes:
        return [f"**{title}**: none.", ""]
    return [f"**{title}** ({len(changes)})", "", "| | A | B |", "|---|---|---|",
            *(line(map(told, one)) for one in changes), ""]  # fmt: skip


def _whole(
    whole: pl.DataFrame, responses: Mapping[tuple[str, ...], Mapping[str, int]]
) -> list[str]:
    lines = [
        "## Every setting and model",
        "",
        "| Setting, model, scorer | Common | A | B | B minus A | p (Holm) | To correct | To wrong "
        "| Responses of flips |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for row in whole.filter(pl.col("common") > 0).iter_rows(named=True):
        became = responses.get(tuple(row[one] for one in NAMES), {})
        said = ", ".join(f"{n} {word}" for word, n in sorted(became.items()))
        lines.append(line([name(row), row["common"], number(row["value_a"]),
                           number(row["value_b"]), change(row), chance(row["p_holm"]),
                           row["to_correct"], row["to_wrong"], said]))  # fmt: skip
    return [*lines, ""]


def _statuses(whole: pl.DataFrame) -> list[str]:
    """Counts of statuses that are not the same in both runs."""
    lines = ["## Statuses", "", "Counts of common responses, from A to B, where they differ.", ""]
    head = len(lines)
    for row in whole.iter_rows(named=True):
        changed = [
            f"{status.replace('_', ' ')} {row[f'{status}_a']} → {row[f'{status}_b']}"
            for status in STATUSES
            if row[f"{status}_a"] != row[f"{status}_b"]
        ]
        if changed:
            lines.append(f"- {name(row)}: {', '.join(changed)}")
    return [*lines, *([] if len(lines) > head else ["None differs."]), ""]


def _largest(table: pl.DataFrame) -> list[str]:
    changed = table.filter(pl.col("difference") != 0).with_columns(
        size=pl.col("difference").abs().round(9)
    )
    found = changed.sort("size", descending=True, maintain_order=True).head(MOST)
    sure = table.filter(pl.col("p_holm") < 0.05).height
    lines = [
        "## What changed most",
        "",
        f"{changed.height} of {table.filter(pl.col('difference').is_not_null()).height} cells "
        f"differ, {sure} of them below 0.05 after Holm's correction.",
        "",
    ]
    if found.is_empty():
        return lines
    lines += [
        "| Setting, model, scorer | Language | Part | Problems | A | B | B minus A | p (Holm) |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for row in found.iter_rows(named=True):
        lines.append(line([name(row), row["lang"], row["part"], row["problems"],
                           number(row["value_a"]), number(row["value_b"]), change(row),
                           chance(row["p_holm"])]))  # fmt: skip
    return [*lines, ""]


def _examples(examples: Sequence[Mapping[str, Any]]) -> list[str]:
    if not examples:
        return []
    lines = [
        "## Some flips",
        "",
        "The first of each setting, model and scorer; all are in `flips.csv`.",
        "",
        "| Setting, model, scorer | Response | A | B | Exact answer | Response's text |",
        "|---|---|---|---|---|---|",
    ]
    for row in examples:
        sides = [
            told(row[f"status_{one}"]) + (f": {told(row[f'extracted_{one}'])}"
                                          if row[f"extracted_{one}"] is not None else "")
            for one in ("a", "b")
        ]  # fmt: skip
        gold = told(row["gold_a"])
        if row["gold_a"] != row["gold_b"]:
            gold += f"; in B {told(row['gold_b'])}"
        where = f"{told(row['id'])}, {row['lang']}, {row['sample']}"
        lines.append(line([name(row), where, *sides, gold, row["response"]]))
    return [*lines, ""]


def _left_out(rows: pl.DataFrame) -> list[str]:
    lines = ["## What is not compared", ""]
    if rows.is_empty():
        return [*lines, "Nothing: both runs have the same questions, settings and models.", ""]
    groups = rows.group_by("what", "run", "reason", maintain_order=True).agg(
        pl.len().alias("lines"), pl.col("responses").sum()
    )
    lines += ["| What | Of run | Why | How many | Responses |", "|---|---|---|---:|---:|"]
    for what, run, reason, count, responses in groups.iter_rows():
        many = "" if what == "responses" else count
        lines.append(line([what, run, reason, many, "" if what == "verdicts" else responses]))
    files = rows.filter(pl.col("what") == "verdicts")
    problems = rows.filter(pl.col("what") == "problem")
    lines += ["", *_listed("Files of verdicts", [
        f"{run}: `{'/'.join(map(told, names))}` ({reason})"
        for run, *names, reason in files.select(
            "run", "benchmark", "setting", "model", "scorer", "reason").iter_rows()
    ])]  # fmt: skip
    return [*lines, *_listed("Problems in other words", [
        f"{told(identity)}, {lang}" for identity, lang in problems.select("id", "lang").iter_rows()
    ])]  # fmt: skip


def _listed(title: str, items: Sequence[str]) -> list[str]:
    if not items:
        return []
    rest = len(items) - MOST
    more = [f"- ... and {rest} more: `left_out.csv`"] if rest > 0 else []
    return [f"**{title}**", "", *(f"- {one}" for one in items[:MOST]), *more, ""]


def _only_language(table: pl.DataFrame) -> pl.Expr:
    """Rows of files that hold one language, and so have no row of all."""
    return (pl.col("lang") != ALL).all().over(NAMES)
