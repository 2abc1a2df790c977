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
from pathlib import Path
from typing import Any

from babelmath.records import ChoiceItem, Problem
from babelmath.released.oddities import Oddities
from babelmath.released.reading import Document, Entry
from babelmath.sources import problem_id

MISMATCHES = 0.05  # share of a file's entries that may differ from the corpus altogether
STRANGERS = 0.5  # share of a sample file's questions that may stand in no corpus
FEW = 3  # entries that may do so in any file
OTHER_DATA = "The file belongs to other data, or its numbers were changed."
AGAIN = "Two records of one problem would count double: keep one."


@dataclass(frozen=True)
class Corpus:
    """The problems of one language, in order, and the multiple-choice items made of them."""

    problems: Mapping[str, Problem]
    choices: Sequence[ChoiceItem] = ()

    @cached_property
    def _items(self) -> dict[str, ChoiceItem]:
        return {item.id: item for item in self.choices}

    @cached_property
    def _texts(self) -> dict[tuple[str, str], str]:
        return {(squashed(one.question), squashed(one.answer)): one.id
                for one in self.problems.values()}  # fmt: skip

    def problem_of(self, entry: Entry) -> str | None:
        """The problem with an entry's question and answer, where both are there."""
        if "question" not in entry or "exact_answer" not in entry:
            return None
        return self._texts.get((squashed(entry["question"]), squashed(entry["exact_answer"])))

    def item(self, problem: str) -> ChoiceItem | None:
        """The multiple-choice item of a problem."""
        return self._items.get(problem)


def by_index(document: Document, corpus: Corpus, whole: bool, oddities: Oddities) -> list[str]:
    """Problem ids of entries that count problems from 0 in corpus order.

    Args:
        whole: whether the corpus is whole; entries of other problems are then an error.
    """
    numbers = [_number(document, at, "problem_index") for at in range(len(document.entries))]
    ids = [problem_id("mathmist", number + 1) for number in numbers]
    return _confirmed(document, ids, corpus, whole, oddities, "problem_index")


def by_example(document: Document, corpus: Corpus, whole: bool, oddities: Oddities) -> list[str]:
    """Problem ids of entries that name their example number."""
    numbers = [_number(document, at, "example_number") for at in range(len(document.entries))]
    ids = [problem_id("mathmist", number) for number in numbers]
    return _confirmed(document, ids, corpus, whole, oddities, "example_number")


def by_choice(document: Document, corpus: Corpus, whole: bool, oddities: Oddities) -> list[str]:
    """Problem ids of entries that count multiple-choice items from 0: the problems but proofs.

    Of a corpus that is not whole, the items tell their numbers.
    """
    if whole:
        order = dict(enumerate(one.id for one in corpus.problems.values() if one.kind != "proof"))
    else:
        order = {int(one.provenance["number"]) - 1: one.id for one in corpus.choices}
        if not order and document.entries:
            oddities.add(document.path, "no multiple-choice items tell its problems", None,
                         len(document.entries), "its records are left out")  # fmt: skip
    found = []
    for at in range(len(document.entries)):
        number = _number(document, at, "problem_index")
        if number not in order and whole:
            raise document.error(
                "no multiple-choice item has this number", at, "problem_index", number,
                f"Items are numbered from 0 to {max(order, default=-1)}.",
            )  # fmt: skip
        found.append(order.get(number, f"left out {number}"))
    return _confirmed(document, found, corpus, whole, oddities, "problem_index")


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
            found = []
            for at, entry in enumerate(document.entries):
                if "question" not in entry:
                    raise document.error("no question", at, "question", None, "Add it.")
                found.append(_candidates(document, at, known, corpora[lang], whole, oddities))
            places = _places(document)
            for position, having in zip(places, found, strict=True):
                if len(having) == 1:
                    votes.setdefault(position, Counter())[having[0]] += 1
            candidates[id(document)] = found
    ranks = {
        position: [one for one, _ in sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))]
        for position, count in votes.items()
    }
    return {
        id(document): _placed(document, candidates[id(document)], ranks, corpora[lang], whole,
                              oddities)
        for lang, files in documents.items()
        for document in files
    }  # fmt: skip


def _placed(
    document: Document, candidates: list[list[str]], ranks: Mapping[int, list[str]],
    corpus: Corpus, whole: bool, oddities: Oddities,
) -> list[str]:  # fmt: skip
    """Problem ids of one sample file.

    Args:
        candidates: the problems that have an entry's question, by entry.
        ranks: the problems that files agree on for a position, the most named first.
    """
    ranked = [ranks.get(position, []) for position in _places(document)]
    chosen = [
        next((one for one in named if one in having), None)
        for named, having in zip(ranked, candidates, strict=True)
    ]
    taken = set(chosen)
    strangers = []
    for at, having in enumerate(candidates):
        handling = "told by order"
        question = document.entries[at]["question"]
        if chosen[at] is None:
            free = [one for one in having or ranked[at] if one not in taken]
            chosen[at] = next(iter(free or having), None)
            handling = "the first one taken"
            taken.add(chosen[at])
        if chosen[at] is None and whole:
            raise document.error("the question stands in no corpus", at, "question", question,
                                 OTHER_DATA)  # fmt: skip
        if len(having) > 1:
            oddities.add(document.path, "question of several problems", at + 1, question, handling)
        elif not having and chosen[at] in corpus.problems:
            strangers.append(at)
            oddities.add(document.path, "question not in the corpus", at + 1, question,
                         "placed by the other files' order")  # fmt: skip
        problem = corpus.problems.get(chosen[at] or "")
        if problem is not None:
            check_kind(document.path, at + 1, document.entries[at], problem, oddities)
    ids = [one or f"left out {at}" for at, one in enumerate(chosen)]
    _unique(document, ids, "question")
    _refuse_others(document, strangers, sum(one in corpus.problems for one in ids), STRANGERS)
    return ids


def squashed(text: Any) -> str:
    """A text without differences of white space."""
    return " ".join(str(text).split())


def _by_text(corpus: Corpus) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for problem in corpus.problems.values():
        found.setdefault(squashed(problem.question), []).append(problem.id)
    return found


def _candidates(
    document: Document, at: int, known: Mapping[str, list[str]], corpus: Corpus, whole: bool,
    oddities: Oddities,
) -> list[str]:  # fmt: skip
    """The problems that an entry may be about; where others are left out, one of them too."""
    entry = document.entries[at]
    same = known.get(squashed(entry["question"]), [])
    if "exact_answer" not in entry or not same or (whole and len(same) == 1):
        return same
    answer = squashed(entry["exact_answer"])
    fitting = [one for one in same if squashed(corpus.problems[one].answer) == answer]
    if not fitting and not whole:
        oddities.add(document.path, "question of the corpus with another answer", at + 1,
                     entry["exact_answer"], "taken for another problem's")  # fmt: skip
        return []
    return fitting or same


def whole_number(value: object) -> int | None:
    """A number of at most nine digits of any script, or a text of one; None for all else."""
    text = str(value).strip()
    if isinstance(value, bool) or not text.isdecimal() or len(text) > 9:
        return None
    return int(text)


def compare(path: Path, number: int, entry: Entry, problem: Problem, oddities: Oddities) -> bool:
    """Count what of a released entry differs from the corpus.

    Returns:
        Whether all differs that tells which problem it is: then it may be another's.
    """
    present = [name for name in ("question", "exact_answer") if name in entry]
    differing = 0
    for name in present:
        if squashed(entry[name]) != squashed(
            problem.question if name == "question" else problem.answer
        ):
            differing += 1
            oddities.add(path, f"{name} differs from the corpus", number, entry[name],
                         "joined by its number")  # fmt: skip
    check_kind(path, number, entry, problem, oddities)
    return bool(present) and differing == len(present)


def too_many(wrong: int, compared: int, share: float = MISMATCHES) -> bool:
    """Whether so many entries differ from the corpus that a file must belong to other data."""
    return wrong > max(FEW, share * compared)


def check_kind(path: Path, number: int, entry: Entry, problem: Problem, oddities: Oddities) -> None:
    """Count stray blanks in a record's kind label, and labels that are not the corpus's."""
    label = entry.get("answer_type")
    if not isinstance(label, str):
        return
    if label != label.strip():
        oddities.add(path, "kind label with stray blanks", number, label, "stripped")
    if label.strip().lower() != problem.kind:
        oddities.add(path, "kind differs from the corpus", number, label,
                     "the corpus's kind counts")  # fmt: skip


def _places(document: Document) -> list[int]:
    """The places that a file gives its entries."""
    places = [_number(document, at, "problem_index") for at in range(len(document.entries))]
    _unique(document, places, "problem_index")
    return places


def _number(document: Document, at: int, field: str) -> int:
    value = document.entries[at].get(field)
    number = whole_number(value)
    if number is None:
        raise document.error(
            "not a whole number", at, field, value, "It names the problem of the record."
        )
    return number


def _unique(document: Document, ids: Sequence[str | int], field: str) -> None:
    seen: dict[str | int, int] = {}
    for at, one in enumerate(ids):
        if one in seen:
            raise document.error(f"the problem of entry {seen[one] + 1} again", at, field,
                                 document.entries[at].get(field), AGAIN)  # fmt: skip
        seen[one] = at


def _confirmed(
    document: Document, ids: list[str], corpus: Corpus, whole: bool, oddities: Oddities, field: str
) -> list[str]:
    """Compare question, answer and kind with the corpus; a file of other data is refused."""
    _unique(document, ids, field)
    wrong: list[int] = []
    swapped: list[tuple[int, str]] = []
    compared = 0
    for at, (one, entry) in enumerate(zip(ids, document.entries, strict=True)):
        problem = corpus.problems.get(one)
        if problem is not None:
            compared += 1
            if compare(document.path, at + 1, entry, problem, oddities):
                wrong.append(at)
                if (other := corpus.problem_of(entry)) is not None:
                    swapped.append((at, other))
        elif whole:
            raise document.error("no problem of the corpus", at, field, entry.get(field),
                                 f"The corpus has {len(corpus.problems)}.")  # fmt: skip
    _refuse_others(document, wrong, compared)
    for at, other in swapped:
        raise document.error(
            f"the question and answer of {other} under another number", at, field,
            document.entries[at].get(field), "Numbers were exchanged: take the file again.",
        )  # fmt: skip
    return ids


def _refuse_others(
    document: Document, wrong: list[int], compared: int, share: float = MISMATCHES
) -> None:
    if too_many(len(wrong), compared, share):
        raise document.error(
            f"{len(wrong)} of {compared} records do not match the corpus, the first", wrong[0],
            "question", document.entries[wrong[0]].get("question"), OTHER_DATA,
        )  # fmt: skip
