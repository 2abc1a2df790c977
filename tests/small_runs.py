"""Small made-up runs for tests of the comparison: folders as a run leaves them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from babelmath.files import write_json
from babelmath.records import WITHOUT_TEXT, ChoiceItem, Problem, Record, Verdict, save_records
from stand_ins import generation

STATUSES = {"c": "correct", "w": "wrong", "t": "truncated", "u": "unresolved", "n": "no_answer"}
Marks = dict[tuple[str, ...], dict[str, str]]


def small_run(
    root: Path,
    marks: Marks,
    *,
    texts: dict[tuple[str, str], str] | None = None,
    answers: dict[tuple[str, str, int], str] | None = None,
    raw: dict[tuple[str, str, int], str] | None = None,
    parts: dict[str, str] | None = None,
    tasks: dict[str, str] | None = None,
    config: dict[str, Any] | None = None,
    versions: str = "environment,name,version\nmain,babelmath,0.1.0\n",
    generations: bool = True,
) -> Path:
    """Write a run's results.

    Args:
        marks: by (benchmark, setting, model, scorer, lang), the statuses of each problem: a letter
            a sample.
        texts: questions by (id, lang), where they are not "What is ID?".
        answers: what the scorer read by (id, lang, sample); else the status.
        raw: responses by (id, lang, sample); else one text for all.
        parts: the subset (MMATH) or kind (MathMist) of problems.
        tasks: what settings ask, where it is not solve.
    """
    places: dict[tuple[str, ...], dict[tuple[str, str, int], str]] = {}
    for (benchmark, setting, model, scorer, lang), problems in marks.items():
        rows = places.setdefault((benchmark, setting, model, scorer), {})
        for identity, letters in problems.items():
            rows |= {(identity, lang, at): letter for at, letter in enumerate(letters)}
    asked: dict[tuple[str, str], set[str]] = {}
    settings: dict[str, dict[str, Any]] = {}
    for (benchmark, setting, model, scorer), rows in places.items():
        one = settings.setdefault(benchmark, {}).setdefault(
            setting, {"task": (tasks or {}).get(setting, "solve"), "models": [], "scorers": []}
        )
        one["models"] += [model] * (model not in one["models"])
        one["scorers"] += [scorer] * (scorer not in one["scorers"])
        home = root / benchmark
        save_records(
            home / "verdicts" / setting / model / f"{scorer}.jsonl",
            [_verdict(key, scorer, letter, answers or {}) for key, letter in rows.items()],
        )
        if generations:
            save_records(home / "generations" / setting / f"{model}.jsonl", [
                generation(id=key[0], lang=key[1], sample=key[2], model=model,
                           raw=(raw or {}).get(key, "the response"),
                           flags=[WITHOUT_TEXT] if (raw or {}).get(key) == "" else [])
                for key in rows
            ])  # fmt: skip
        for identity, lang, _ in rows:
            asked.setdefault((benchmark, lang), set()).add(identity)
    for (benchmark, lang), ids in asked.items():
        rows_of = [_problem(one, lang, benchmark, texts or {}, parts or {}) for one in sorted(ids)]
        save_records(root / benchmark / "problems" / f"{lang}.jsonl", rows_of)
    whole = {
        "statement": "A test.", "scale": "test", "protocol": "strict", "seed": 1,
        "paths": {"results": str(root)},
        "benchmarks": {name: {"settings": found} for name, found in settings.items()},
    } | (config or {})  # fmt: skip
    (root / "run").mkdir(parents=True, exist_ok=True)
    (root / "run/config.yaml").write_text(yaml.safe_dump(whole, sort_keys=False))
    (root / "run/versions.csv").write_text(versions)
    write_json(root / "run/inputs.json", {"mathmist": {f"{root}/en.jsonl": "0f"}})
    return root


def choice_items(root: Path, lang: str, options: dict[str, list[str]]) -> None:
    """Multiple-choice items of a run."""
    items: list[Record] = [
        ChoiceItem(id=one, lang=lang, question=f"What is {one}?", options=four, key="A",
                   sources=["answer"] * 4, provenance={})
        for one, four in options.items()
    ]  # fmt: skip
    save_records(root / "mathmist" / "choices" / f"{lang}.jsonl", items)


def _verdict(
    key: tuple[str, str, int], scorer: str, letter: str, answers: dict[tuple[str, str, int], str]
) -> Verdict:
    status = STATUSES[letter]
    return Verdict.model_validate({
        "id": key[0], "lang": key[1], "sample": key[2], "scorer": scorer, "status": status,
        "correct": letter == "c", "extracted": answers.get(key, letter), "gold": "c",
        "rewrites": [], "judge": None, "provenance": {},
    })  # fmt: skip


def _problem(
    identity: str,
    lang: str,
    benchmark: str,
    texts: dict[tuple[str, str], str],
    parts: dict[str, str],
) -> Problem:
    mist = benchmark == "mathmist"
    return Problem.model_validate({
        "id": identity, "lang": lang,
        "subset": "corpus" if mist else parts.get(identity, "MATH500"),
        "kind": parts.get(identity, "numerical") if mist else None, "subdomain": None,
        "question": texts.get((identity, lang), f"What is {identity}?"), "solution": None,
        "answer": "c", "provenance": {},
    })  # fmt: skip
