"""From a rule's facts and files to what the explorer is built from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from babelmath.explorer.problems import Files
from babelmath.explorer.sources import Source

HEAD = ("statement", "scale", "protocol", "seed", "most", "benchmarks", "models", "languages",
        "settings")  # fmt: skip
Paths = Mapping[str, Sequence[str]]


def head_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What the page says of the run."""
    return {key: facts[key] for key in HEAD}


def sources_of(facts: Mapping[str, Any], files: Paths) -> list[Source]:
    """The sources, in the order of `facts.sources`: (benchmark, setting, model).

    `files` has `generations`, one a source; `verdicts`, one for each of its setting's scorers;
    `labels`, one where its setting is labelled.
    """
    verdicts, labels = iter(files["verdicts"]), iter(files["labels"])
    found = []
    for (benchmark, setting, model), path in zip(
        facts["sources"], files["generations"], strict=True
    ):
        how = facts["settings"][benchmark][setting]
        scored = zip(how["scorers"], islice(verdicts, len(how["scorers"])), strict=True)
        found.append(
            Source(
                benchmark,
                setting,
                model,
                generations=Path(path),
                verdicts={scorer: Path(one) for scorer, one in scored},
                strict=how["strict"],
                labels=Path(next(labels)) if how["labels"] else None,
                expected=how["expected"],
            )
        )
    return found


def problems_of(facts: Mapping[str, Any], files: Paths) -> dict[str, Files]:
    """The files of problems by benchmark: of each its languages, in their order. Options and
    flawed solutions are MathMist's."""
    problems = iter(files["problems"])
    built = {
        "choices": [Path(one) for one in files.get("choices", ())],
        "perturbed": [Path(one) for one in files.get("perturbed", ())],
    }
    return {
        name: Files([Path(one) for one in islice(problems, len(languages))],
                    **(built if name == "mathmist" else {}))
        for name, languages in facts["benchmarks"].items()
    }  # fmt: skip


def page_of(files: Paths) -> dict[str, Path]:
    """The page's own files by their place in the folder of its index.html."""
    paths = [Path(one) for one in files["page"]]
    folder = next(one.parent for one in paths if one.name == "index.html")
    return {one.relative_to(folder).as_posix(): one for one in paths}
