"""A small MathMist release: eight problems in three languages, and records in its own key names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from babelmath.records import ChoiceItem, Problem, save_records
from babelmath.released.importing import Imported, import_setting
from babelmath.released.joining import Corpus
from babelmath.released.layout import chosen, sort_files
from babelmath.released.oddities import Oddities, Tally

MODELS = {"gpt-oss-20b": "GPT", "qwen3-8b": "Qwen", "deepseek-r1-7b": "DeepSeek",
          "mathstral-7b": "Mathstral", "phi-4": "Phi"}  # fmt: skip
NAMES = {"Bangla": "bn", "English": "en", "French": "fr"}
LANGUAGES = {code: name for name, code in NAMES.items()}
KINDS = ("numerical", "symbolic", "proof", "numerical") * 2
ITEMS = tuple(number for number, kind in enumerate(KINDS, start=1) if kind != "proof")
SCORERS = {"mcq": ("letter-paper", "letter-strict"), "detect": ("letter-paper",)}
JUDGES = ("judge-a", "judge-a-strict")
NO_FILE = "no file of "

ZERO_SHOT = "Evaluation Results/Zero Shot/Accuracy Check"
CROSS = "Evaluation Results/Corss Lingual Zero-Shot Evaluation"
MCQ = "Evaluation Results/MCQ/English/Zero Shot MCQ English Evaluation(GPT-OSS 20B).json"
FLAWED = "Evaluation Results/Perturbation/English/Perturbation Identification"
JUDGED_FLAWS = f"{FLAWED}/Accuracy Check/justification_evaluation_results_GPT_English.json"
PLAIN = f"{ZERO_SHOT}/English/evaluation_results_Zero_Shot_GPT_OSS_20B(English).json"
TYPED = f"{ZERO_SHOT}/English/with Answer Type/evaluation_results_Zero_Shot_GPT(English).json"


def name(number: int) -> str:
    return f"mathmist-{number:04d}"


def question(lang: str, number: int) -> str:
    return f"Find ${number}x$ ({lang})."


def answer(lang: str, number: int) -> str:
    return f"shown ({lang}) {number}" if KINDS[number - 1] == "proof" else f"${number}$"


def problems(lang: str = "en", numbers: Sequence[int] = range(1, 9)) -> list[Problem]:
    return [
        Problem(id=name(number), lang=lang, subset="corpus", kind=KINDS[number - 1],  # type: ignore[arg-type]
                subdomain=None, question=question(lang, number), solution="",
                answer=answer(lang, number), provenance={"line": number})
        for number in numbers
    ]  # fmt: skip


def options(number: int) -> list[str]:
    return [
        f"{letter}. {value}"
        for letter, value in zip("ABCD", ("7", number + 10, "8", "9"), strict=True)
    ]


def corpus(lang: str = "en", numbers: Sequence[int] = range(1, 9)) -> Corpus:
    items = [
        ChoiceItem(id=name(number), lang=lang, question=question(lang, number), key="B", sources=[],
                   options=[one[3:] for one in options(number)],
                   provenance={"line": at, "number": at})
        for at, number in enumerate(ITEMS, start=1)
        if number in numbers
    ]  # fmt: skip
    found = {one.id: one for one in problems(lang, numbers)}
    return Corpus(found, items if lang != "fr" else [])


def judged(number: int, lang: str = "en", **changes: Any) -> dict[str, Any]:
    """An entry of a judged file; a change to `...` removes a field."""
    return changed(
        {"problem_index": number - 1, "question": question(lang, number),
         "answer_type": KINDS[number - 1].title(), "extracted_final_answers": [f"{number}"],
         "exact_answer": answer(lang, number), "decision": "yes", "confidence": 0.9,
         "short_reason": "Same.", "thinking": "", "final_text": "They agree.\nDECISION: YES"},
        changes,
    )  # fmt: skip


def solved(number: int, lang: str = "en", **changes: Any) -> dict[str, Any]:
    """An entry of a generation file."""
    return changed(
        {"problem_index": number - 1, "language": LANGUAGES[lang], "chapter_number": "1",
         "example_number": str(number), "question": question(lang, number),
         "generated_answer": f"It is {number}.", "thinking_content": f"Thought {number}.",
         "final_tag_output": f"{number}", "extracted_final_answer": f"{number}",
         "extracted_final_answers": [f"{number}"], "exact_answer": answer(lang, number),
         "raw_answer_type": KINDS[number - 1].title(), "canonical_answer_type": "numerical",
         "evaluation_method": "LLM as a Judge"},
        changes,
    )  # fmt: skip


def chosen_option(at: int, **changes: Any) -> dict[str, Any]:
    """An entry of a multiple-choice file: the item with this number, from 1."""
    number = ITEMS[at - 1]
    return changed(
        {"problem_index": at - 1, "question": question("en", number), "choices": options(number),
         "raw_output": "Final Answer: B", "extracted_raw": "B", "predicted_letter": "B",
         "correct_letter": "B", "is_correct": True, "answer_type": KINDS[number - 1].title(),
         "eval_method": "Numerical Match"},
        changes,
    )  # fmt: skip


def explained(number: int, **changes: Any) -> dict[str, Any]:
    """An entry of a judged perturbation file."""
    return changed(
        {"Language": "English", "Chapter Number": "1", "Example Number": str(number),
         "Question": question("en", number), "Solution": "s", "Exact Answer": answer("en", number),
         "Answer Type": KINDS[number - 1].title(), "Wrong_Solution_Version_3": "w",
         "error_description": "step left out", "erroneous_part": "2", "Decision": "YES",
         "llm_generated_error_desc": "A step is left out.", "llm_no_error_justification": "",
         "Secondary_Decision": "True Positive",
         "gemini_evaluation": {"secondary_decision": "True Positive", "confidence": 0.9,
                               "short_reason": "Right.", "thinking": "",
                               "final_text": "SECONDARY_DECISION: True Positive"}},
        changes,
    )  # fmt: skip


def changed(entry: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in (entry | changes).items() if value is not ...}


def write(path: Path, entries: Sequence[Any], metadata: Any = ..., **top: Any) -> Path:
    """A result file, one line an entry: the first begins in line 2, with metadata in line 3."""
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in entries)
    text = f"[\n{lines}\n]\n"
    if metadata is not ... or top:
        known = {} if metadata is ... else {"evaluation_metadata": metadata}
        head = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}"
                         for key, value in {**top, **known}.items())  # fmt: skip
        text = f'{{{head},\n"problem_evaluations": {text}}}\n'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_lines(path: Path, entries: Sequence[Any]) -> Path:
    """A JSONL file of the release."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in entries), encoding="utf-8")
    return path


def import_release(
    root: Path,
    setting: str,
    subset: Sequence[int] | None = None,
    oddities: Oddities | None = None,
) -> tuple[dict[str, Imported], Oddities]:
    """All files of a setting as the job imports them; what it gives can be saved."""
    oddities = oddities or Oddities(root)
    corpora = {lang: corpus(lang, subset or range(1, 9)) for lang in LANGUAGES}
    parts = sort_files(root, MODELS, NAMES, corpora, oddities)
    scorers = dict.fromkeys(MODELS, SCORERS.get(setting, JUDGES))
    read = chosen(parts.get(setting, []), oddities)
    found = import_setting(setting, read, scorers, corpora, subset is None, oddities)
    for imported in found.values():
        save_records(root / "saved.jsonl", imported.generations)
        for verdicts in imported.verdicts.values():
            save_records(root / "saved.jsonl", verdicts)
    return found, oddities


def within(oddities: Oddities) -> dict[tuple[str, str], Tally]:
    """What is odd in files that are there, by file and kind."""
    return {key: one for key, one in oddities.found.items() if not key[1].startswith(NO_FILE)}


def without_files(oddities: Oddities) -> set[str]:
    """The models of which no file was found."""
    return {kind.removeprefix(NO_FILE) for _, kind in oddities.found.keys() - within(oddities)}


def counts(oddities: Oddities) -> dict[str, int]:
    """How often each kind was counted, in all files that are there."""
    found: dict[str, int] = {}
    for (_, kind), tally in within(oddities).items():
        found[kind] = found.get(kind, 0) + tally.count
    return found


def statuses(
    found: dict[str, Imported], scorer: str = "judge-a", model: str = "gpt-oss-20b"
) -> dict[str, str]:
    """Status by problem number, of languages with more than one marked by the language."""
    return {f"{one.lang} {int(one.id[-4:])}": one.status
            for one in found[model].verdicts[scorer]}  # fmt: skip
