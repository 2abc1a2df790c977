"""Released evaluation records of a setting as generations and verdicts.

The judged files hold the judge's words, not the model's solution: where no generation file stands
beside them, such generations carry the flag `text not released`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from babelmath.records import Generation, Verdict
from babelmath.released.joining import Corpus, by_choice, by_example, by_index, by_question
from babelmath.released.layout import Family, Part
from babelmath.released.oddities import Oddities
from babelmath.released.readers import (
    SECONDARY,
    Chosen,
    Detected,
    Identified,
    Judged,
    Reader,
    secondary,
    string,
)
from babelmath.released.reading import Document, read_document

SHARED = {"problem_index", "question", "exact_answer", "answer_type", "evaluation_method"}
SOLVED = SHARED | {"language", "chapter_number", "example_number"}
FLAWED = SOLVED | {
    "solution", "wrong_solution_version_3", "error_description", "erroneous_part", "decision",
    "llm_generated_error_desc", "llm_no_error_justification",
}  # fmt: skip
KNOWN: dict[Family, set[str]] = {
    "judged": SHARED | {"extracted_final_answers", "decision", "confidence", "short_reason",
                        "thinking", "final_text"},
    "choices": SHARED | {"choices", "raw_output", "extracted_raw", "predicted_letter",
                         "correct_letter", "is_correct", "eval_method"},
    "identified": FLAWED | {"secondary_decision", "gemini_evaluation"},
    "generations": FLAWED | {"generated_answer", "thinking_content", "final_tag_output",
                             "extracted_final_answer", "extracted_final_answers",
                             "raw_answer_type", "canonical_answer_type"},
}  # fmt: skip
SAMPLED = ("cross-lingual", "detect", "identify")
EVALUATED: tuple[Family, ...] = ("judged", "choices", "identified")
JOINS: dict[str, Callable[[Document, Corpus, bool, Oddities], list[str]]] = {
    "mcq": by_choice,
    "detect": by_example,
    "identify": by_example,
}


@dataclass(frozen=True)
class Imported:
    """What one model's files of a setting gave: generations, and verdicts by scorer."""

    generations: list[Generation] = field(default_factory=list)
    verdicts: dict[str, list[Verdict]] = field(default_factory=dict)


def import_setting(
    setting: str,
    parts: Mapping[tuple[Family, str, str], Part],
    scorers: Mapping[str, Sequence[str]],
    corpora: Mapping[str, Corpus],
    whole: bool,
    oddities: Oddities,
) -> dict[str, Imported]:
    """Read the files of one setting.

    Args:
        parts: the file of each (family, model, language).
        scorers: the scorers to write by model; a model without a file gets no records.
        corpora: problems and choices by language.
        whole: whether the corpora are whole (records of other problems are left out otherwise).

    Raises:
        InputError: a damaged file, a repeated problem, or one that the corpus does not have.
    """
    documents = {key: read_document(part.path, KNOWN[part.family], oddities)
                 for key, part in parts.items()}  # fmt: skip
    ids = _joined(setting, documents, corpora, whole, oddities)
    found = {model: Imported([], {one: [] for one in wanted}) for model, wanted in scorers.items()}
    held = {}
    for (_, _, lang), document in documents.items():
        places = range(len(document.entries))
        triples = zip(ids[id(document)], document.entries, places, strict=True)
        held[id(document)] = [one for one in triples if one[0] in corpora[lang].problems]
    sample = {one for triples in held.values() for one, _, _ in triples}
    for (family, model, lang), document in documents.items():
        if model not in found:
            continue
        mine = held[id(document)]
        _check_totals(setting, document, len(mine), corpora[lang], len(sample), oddities)
        evaluated = any((one, model, lang) in documents for one in EVALUATED)
        if family == "generations" and evaluated:
            continue  # an evaluated file takes its texts from the generations beside it
        texts = documents.get(("generations", model, lang))
        reader = _reader(setting, family)(
            model, lang, document, corpora[lang], oddities,
            {one: entry for one, entry, _ in held[id(texts)]} if texts else {},
        )  # fmt: skip
        found[model].generations.extend(reader.generations(mine))
        if family == "generations" and setting != "detect":
            continue  # the model's own YES or NO needs no judge
        reader.count(mine)
        for scorer in scorers[model]:
            found[model].verdicts[scorer] += reader.verdicts(scorer, mine)
    return found


def _reader(setting: str, family: Family) -> type[Reader]:
    if family == "generations" and setting not in ("detect", "identify"):
        return Reader
    return {"mcq": Chosen, "detect": Detected, "identify": Identified}.get(setting, Judged)


def _joined(
    setting: str,
    documents: Mapping[tuple[Family, str, str], Document],
    corpora: Mapping[str, Corpus],
    whole: bool,
    oddities: Oddities,
) -> dict[int, list[str]]:
    """Problem ids of every document's entries, by the document's `id()`."""
    if setting == "cross-lingual":
        by_lang: dict[str, list[Document]] = {}
        for (_, _, lang), document in documents.items():
            by_lang.setdefault(lang, []).append(document)
        return by_question(by_lang, corpora, whole, oddities)
    join = JOINS.get(setting, by_index)
    return {
        id(document): join(document, corpora[lang], whole, oddities)
        for (_, _, lang), document in documents.items()
    }


def _check_totals(
    setting: str, document: Document, held: int, corpus: Corpus, sample: int, oddities: Oddities
) -> None:
    """Compare a file's own totals, and its number of records, with what it holds.

    Args:
        held: how many problems of the corpus it holds.
        sample: how many all files of the setting hold, where it asks a sample.
    """
    meta, entries = document.metadata, document.entries
    if not entries:
        oddities.add(document.path, "no entries", None, "", "its cells have no records")
        return
    whole = len(corpus.problems)
    if setting in SAMPLED:
        whole = sample
    elif setting == "mcq":
        whole = sum(one.kind != "proof" for one in corpus.problems.values())
    if held < whole:
        oddities.add(document.path, "problems without a record", None, whole - held, "n is smaller")
    yes = sum(string(one.get("decision")).strip().lower() == "yes" for one in entries)
    totals = [("number of records", meta.get("total_problems"), len(entries))]
    if setting == "detect":
        totals.append(("total of detections", _inner(meta, "primary", "correct_detections"), yes))
    elif setting == "identify":
        words = Counter(secondary(one) for one in entries)
        totals += [(f"total of {name}s", _inner(meta, "secondary", f"{name}s".replace(" ", "_")),
                    words[short]) for name, short in SECONDARY.items()]  # fmt: skip
    else:
        totals.append(("total of correct answers", meta.get("correct_answers"), yes))
    for name, own, counted in totals:
        if own not in (None, counted):
            oddities.add(document.path, f"its own {name} differs", None, own, "the records count")
    own = meta.get("overall_accuracy_percentage")
    if isinstance(own, int | float) and abs(own - 100 * yes / len(entries)) > 0.0051:
        oddities.add(document.path, "its own accuracy is not yes-decisions over all records", None,
                     own, "the records count")  # fmt: skip


def _inner(meta: Mapping[str, Any], which: str, name: str) -> object:
    """A total of perturbation files, which stands one level deeper."""
    inner = meta.get(f"{which}_accuracy")
    return inner.get(name) if isinstance(inner, dict) else None
