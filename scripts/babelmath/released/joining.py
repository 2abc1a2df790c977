"""Which problem a released entry is about.

Whole-corpus files count problems from 0 in corpus order (`problem_index`), perturbation files
name the example number (index + 1). The cross-lingual sample has numbers of its own: there the
question tells, and where two problems share it, the answer, else the order of other languages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from babelmath.records import ChoiceItem, Problem
from babelmath.released.oddities import Oddities
from babelmath.released.reading import Document, Entry
from babelmath.sources import problem_id

MISMATCHES = 0.05  # share of a file's entries that may differ from the corpus altogether
AGAIN = "Two records of one problem would count double: keep one."


@dataclass(frozen=True)
class Corpus:
    """The problems of one language, in order, and the multiple-choice items made of them."""

    problems: Mapping[str, Problem]
    choices: Sequence[ChoiceItem] = ()

    @cached_property
    def _items(self) -> dict[str, ChoiceItem]:
        return {item.id: item for item in self.choices}

    def item(self, problem: str) -> ChoiceItem | None:
        """The multiple-choice item of a problem."""
        return self._items.get(problem)


def by_index(document: Document, corpus: Corpus, whole: bool, oddities: Oddities) -> list[str]:
    """Problem ids of entries that count problems from 0 in corpus order.

    Args:
        whole: whether the corpus is whole; entries of other problems are then an error.
    """
    numbers = [_number(document, at, "problem_index") for at in range(len(document.entries))]
    ids = _unique(document, [problem_id("mathmist", number + 1) for number in numbers])
    return _confirmed(document, ids, corpus, whole, oddities, "problem_index")


def by_example(document: Document, corpus: Corpus, whole: bool, oddities: Oddities) -> list[str]:
    """Problem ids of entries that name their example number."""
    numbers = [_number(document, at, "example_number") for at in range(len(document.entries))]
    ids = _unique(document, [problem_id("mathmist", number) for number in numbers])
    return _confirmed(document, ids, corpus, whole, oddities, "example_number")


def by_choice(document: Document, corpus: Corpus, whole: bool, oddities: Oddities) -> list[str]:
    """Problem ids of entries that count multiple-choice items from 0.

    Without the items, the order is that of the problems that are no proofs.
    """
    order = {int(one.provenance["line"]) - 1: one.id for one in corpus.choices}
    if not order and whole:
        kinds = [one.id for one in corpus.problems.values() if one.kind != "proof"]
        order = dict(enumerate(kinds))
    found = []
    for at in range(len(document.entries)):
        number = _number(document, at, "problem_index")
        if number not in order and whole:
            raise document.error(
                "no multiple-choice item has this number", at, "problem_index", number,
                f"Items are numbered from 0 to {max(order, default=-1)}.",
            )  # fmt: skip
        found.append(order.get(number, f"left out {number}"))
    return _confirmed(document, _unique(document, found), corpus, whole, oddities, "problem_index")


def by_question(
    documents: Mapping[str, Sequence[Document]], corpora: Mapping[str, Corpus], whole: bool,
    oddities: Oddities,
) -> dict[int, list[str]]:  # fmt: skip
    """Problem ids of sample files, by `id()` of the document.

    Args:
        documents: the files by language; all hold the same problems in the same order.
    """
    candidates: dict[int, list[list[str]]] = {}
    votes: dict[int, Counter[str]] = {}
    for lang, files in documents.items():
        known = _by_text(corpora[lang])
        for document in files:
            found = [_candidates(one, known, corpora[lang]) for one in document.entries]
            candidates[id(document)] = found
            for at, entry in enumerate(document.entries):
                position = _number(document, at, "problem_index")
                if len(found[at]) == 1:
                    votes.setdefault(position, Counter())[found[at][0]] += 1
                if "question" not in entry:
                    raise document.error("no question", at, "question", None, "Add it.")
    ids: dict[int, list[str]] = {}
    for files in documents.values():
        for document in files:
            chosen = []
            for at, found_here in enumerate(candidates[id(document)]):
                position = _number(document, at, "problem_index")
                ranked = [one for one, _ in votes.get(position, Counter()).most_common()]
                pick = next((one for one in ranked if one in found_here), None)
                if pick is None and found_here:
                    pick = found_here[0]
                if pick is None and ranked:
                    pick = ranked[0]
                    oddities.add(
                        document.path, "question not in the corpus", at + 1,
                        document.entries[at]["question"], "placed by the other files' order",
                    )  # fmt: skip
                if pick is None and whole:
                    raise document.error(
                        "the question stands in no corpus", at, "question",
                        document.entries[at]["question"], "The file belongs to other data.",
                    )  # fmt: skip
                if len(found_here) > 1:
                    oddities.add(document.path, "question of several problems", at + 1,
                                 pick, "told apart by answer or order")  # fmt: skip
                chosen.append(pick or f"left out {at}")
            ids[id(document)] = _unique(document, chosen)
    return ids


def squashed(text: Any) -> str:
    """A text without differences of white space."""
    return " ".join(str(text).split())


def _by_text(corpus: Corpus) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for problem in corpus.problems.values():
        found.setdefault(squashed(problem.question), []).append(problem.id)
    return found


def _candidates(entry: Entry, known: Mapping[str, list[str]], corpus: Corpus) -> list[str]:
    same = known.get(squashed(entry.get("question", "")), [])
    if len(same) > 1 and "exact_answer" in entry:
        answer = squashed(entry["exact_answer"])
        fitting = [one for one in same if squashed(corpus.problems[one].answer) == answer]
        return fitting or same
    return list(same)


def _number(document: Document, at: int, field: str) -> int:
    value = document.entries[at].get(field)
    text = str(value).strip()
    if isinstance(value, bool) or not text.isdigit() or len(text) > 9:
        raise document.error(
            "not a whole number", at, field, value, "It names the problem of the record."
        )
    return int(text)


def _unique(document: Document, ids: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    for at, one in enumerate(ids):
        if one in seen:
            raise document.error(f"problem stands already in entry {seen[one] + 1}", at,
                                 "problem_index", one, AGAIN)  # fmt: skip
        seen[one] = at
    return ids


def _confirmed(
    document: Document, ids: list[str], corpus: Corpus, whole: bool, oddities: Oddities, field: str
) -> list[str]:
    """Compare question, answer and kind with the corpus; a file of other data is refused."""
    wrong: list[int] = []
    for at, (one, entry) in enumerate(zip(ids, document.entries, strict=True)):
        problem = corpus.problems.get(one)
        if problem is None:
            if whole:
                raise document.error("no problem of the corpus", at, field, entry.get(field),
                                     f"The corpus has {len(corpus.problems)}.")  # fmt: skip
            continue
        differing = []
        for name, held in (("question", problem.question), ("exact_answer", problem.answer)):
            if name in entry and squashed(entry[name]) != squashed(held):
                differing.append(name)
                oddities.add(document.path, f"{name} differs from the corpus", at + 1,
                             entry[name], "joined by its number")  # fmt: skip
        present = [name for name in ("question", "exact_answer") if name in entry]
        if present and differing == present:
            wrong.append(at)
        check_kind(document, at, entry, problem, oddities)
    if len(wrong) > max(3, MISMATCHES * len(ids)):
        raise document.error(
            f"{len(wrong)} of {len(ids)} records do not match the corpus, the first", wrong[0],
            "question", document.entries[wrong[0]].get("question"),
            "The file belongs to other data, or its numbers were changed.",
        )  # fmt: skip
    return ids


def check_kind(
    document: Document, at: int, entry: Entry, problem: Problem, oddities: Oddities
) -> None:
    """Count stray blanks in a record's kind label, and labels that are not the corpus's."""
    label = entry.get("answer_type")
    if not isinstance(label, str):
        return
    if label != label.strip():
        oddities.add(document.path, "kind label with stray blanks", at + 1, label, "stripped")
    if label.strip().lower() != problem.kind:
        oddities.add(document.path, "kind differs from the corpus", at + 1, label,
                     "the corpus's kind counts")  # fmt: skip
