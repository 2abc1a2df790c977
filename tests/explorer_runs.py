"""Made-up runs for the explorer, written through the schema and built as the rule builds them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babelmath.explorer.building import build
from babelmath.explorer.inputs import head_of, page_of, problems_of, sources_of
from babelmath.records import (
    ChoiceItem,
    EmbeddedError,
    Generation,
    LanguageRecord,
    PartLabel,
    Perturbed,
    Problem,
    Verdict,
    write_records,
)
from babelmath.scorers import scorer_of

PAGE = Path(__file__).resolve().parent.parent / "resources" / "explorer"
NAMES = {"en": ("English", "English"), "fr": ("French", "français"), "ar": ("Arabic", "العربية"),
         "bn": ("Bangla", "বাংলা"), "th": ("Thai", "ไทย"), "zh": ("Chinese", "中文")}  # fmt: skip
SCORERS = {"solve": ["judge-stern", "rules-paper", "rules-strict"],
           "choose": ["letter-paper", "letter-strict"], "identify": ["judge-stern"]}  # fmt: skip


@dataclass
class Made:
    """One generation: its texts, and what became of it. Thinking and answering are labels."""

    id: str
    lang: str
    answer: str = "The answer is $\\boxed{5}$."
    thinking: str = ""
    sample: int = 0
    setting: str = "native"
    model: str = "m-one"
    status: str = "correct"
    judge: str | None = "YES"
    finish: str = "stop"
    labels: tuple[str, str] = ("en", "en")
    flags: tuple[str, ...] = ()
    raw: str | None = None
    extracted: str | None = "5"
    reason: str = "Both give $5$."
    question: str = "What is $2+3$?"


@dataclass(frozen=True)
class Run:
    """What a rule would hand over."""

    facts: dict[str, Any]
    files: dict[str, list[str]]

    def build(self, folder: Path, processes: int = 1) -> None:
        facts, files = self.facts, self.files
        build(folder, head_of(facts), sources_of(facts, files), problems_of(facts, files),
              page_of(files), processes)  # fmt: skip


def write_run(
    root: Path,
    made: Sequence[Made],
    tasks: dict[str, str] | None = None,
    benchmark: str = "mathmist",
    expected: str | None = None,
    most: int = 100_000,
) -> Run:
    """A run of one benchmark; `tasks` by setting, where these are not to solve. `native` alone has
    labels."""
    tasks = tasks or {}
    pairs = list(dict.fromkeys((one.setting, one.model) for one in made))
    settings = list(dict.fromkeys(setting for setting, _ in pairs))
    langs = [one for one in NAMES if any(one == each.lang for each in made)]
    kinds = ("problems", "generations", "verdicts", "labels", "choices", "perturbed")
    files: dict[str, list[str]] = {kind: [] for kind in kinds}
    base = root / benchmark
    for lang in langs:
        held = {one.id: one for one in made if one.lang == lang}
        path = base / "problems" / f"{lang}.jsonl"
        write_records(path, [_problem(held[key], benchmark) for key in sorted(held)])
        files["problems"].append(str(path))
        path = base / "choices" / f"{lang}.jsonl"
        write_records(path, [_choice(held[key]) for key in sorted(held)])
        files["choices"].append(str(path))
        path = base / "perturbed" / f"{lang}.jsonl"
        write_records(path, [_flawed(held[key]) for key in sorted(held)])
        files["perturbed"].append(str(path))
    how = {}
    for setting in settings:
        task = tasks.get(setting, "solve")
        how[setting] = {"task": task, "expected": expected, "labels": setting == "native",
                        "scorers": SCORERS[task], "shown": scorer_of(SCORERS[task], "paper"),
                        "strict": scorer_of(SCORERS[task], "strict")}  # fmt: skip
    for setting, model in pairs:
        rows = sorted(
            (one for one in made if (one.setting, one.model) == (setting, model)),
            key=lambda one: (one.id, one.lang, one.sample),
        )
        path = base / "generations" / setting / f"{model}.jsonl"
        write_records(path, map(_generation, rows))
        files["generations"].append(str(path))
        for scorer in how[setting]["scorers"]:
            path = base / "verdicts" / setting / model / f"{scorer}.jsonl"
            write_records(path, _verdicts(rows, scorer))
            files["verdicts"].append(str(path))
        if how[setting]["labels"]:
            path = base / "languages" / setting / f"{model}.jsonl"
            write_records(path, map(_label, rows))
            files["labels"].append(str(path))
    files["page"] = sorted(str(one) for one in PAGE.rglob("*") if one.is_file())
    facts = {
        "statement": "A test <b>run</b>.", "scale": "demonstration", "protocol": "paper", "seed": 7,
        "most": most, "sources": [(benchmark, *one) for one in pairs],
        "benchmarks": {benchmark: langs},
        "models": {model: model.upper() for _, model in pairs},
        "languages": {lang: NAMES[lang] for lang in langs},
        "settings": {benchmark: how},
    }  # fmt: skip
    return Run(facts, files)


def many(count: int, seed: int = 1) -> Iterator[Made]:
    """So many generations of four models over four languages, with thinking of some length."""
    draw = random.Random(seed)
    models, langs = ("m-one", "m-two", "m-three", "m-four"), ("en", "fr", "ar", "zh")
    for number in range(count):
        problem, rest = divmod(number, 16)
        a, b = draw.randrange(100), draw.randrange(100)
        formula = f"$x_{{{a}}}=\\frac{{{b}}}{{{a}}}$"
        yield Made(
            id=f"p-{problem:05}",
            lang=langs[rest % 4],
            model=models[rest // 4],
            thinking=" ".join(f"We look at step {step} of {formula}." for step in range(8)),
            answer=f"So {formula} and $\\boxed{{{a + b}}}$.",
            status=draw.choice(("correct", "wrong", "truncated")),
            judge=draw.choice(("YES", "NO")),
            labels=(draw.choice(langs), draw.choice(langs)),
            question=f"What is ${a}+{b}$?",
        )


def _problem(one: Made, benchmark: str) -> Problem:
    mathmist = benchmark == "mathmist"
    return Problem(
        id=one.id, lang=one.lang, subset="corpus" if mathmist else "AIME2024",
        kind="numerical" if mathmist else None, subdomain="Algebra" if mathmist else None,
        question=one.question, solution="Add them: $2+3=5$.", answer="$5$",
        provenance={"source": "made", "file": f"{one.lang}.jsonl", "line": 1, "checks": []},
    )  # fmt: skip


def _choice(one: Made) -> ChoiceItem:
    return ChoiceItem(
        id=one.id, lang=one.lang, question="Which is $2+3$?", options=["$4$", "$5$", "$6$", "$7$"],
        key="B", sources=["A-1", "answer", "A+1", "A+2"], provenance={"source": "made"},
    )  # fmt: skip


def _flawed(one: Made) -> Perturbed:
    error = EmbeddedError(type="incorrect_rule", step=1, text="$2+3=6$")
    return Perturbed(id=one.id, lang=one.lang, strategy=3, solution="Plainly $2+3=6$.",
                     errors=[error], checks={}, provenance={"source": "made"})  # fmt: skip


def _generation(one: Made) -> Generation:
    raw = one.raw
    if raw is None:
        raw = f"<think>{one.thinking}</think>\n{one.answer}" if one.thinking else one.answer
    return Generation(
        id=one.id, lang=one.lang, sample=one.sample, thinking=one.thinking, answer=one.answer,
        raw=raw, finish=one.finish, prompt_tokens=17,  # type: ignore[arg-type]
        completion_tokens=max(1, len(raw) // 4), seed=11, model=one.model, engine="made",
        sent={"temperature": 0.6}, flags=list(one.flags),
        provenance={"journal": "ab" * 32, "attempts": []},
    )  # fmt: skip


def _verdicts(rows: Iterable[Made], scorer: str) -> Iterator[Verdict]:
    for one in rows:
        judged = scorer.startswith("judge-")
        status = one.status
        if judged and one.status in ("correct", "wrong"):
            said = {"YES": "correct", "TP": "correct", None: "unresolved"}
            status = said.get(one.judge, "wrong")
        judge = {"decision": one.judge, "confidence": 0.9, "reason": one.reason,
                 "raw": f'{{"decision": "{one.judge}"}}', "journal": "cd" * 32}  # fmt: skip
        yield Verdict(
            id=one.id, lang=one.lang, sample=one.sample, scorer=scorer, status=status,  # type: ignore[arg-type]
            correct=status == "correct", extracted=one.extracted, gold="5",
            rewrites=["$5$ to 5"] if scorer == "rules-strict" else [],
            judge=judge if judged else None,
            provenance={"model": one.model, "generation": "ab" * 32},
        )  # fmt: skip


def _label(one: Made) -> LanguageRecord:
    thinking, answering = (
        PartLabel(paper=label, strict=label, p=0.9, scripts={"LATIN": 12}) for label in one.labels
    )
    return LanguageRecord(id=one.id, lang=one.lang, sample=one.sample, thinking=thinking,
                          answering=answering, flags=[])  # fmt: skip
