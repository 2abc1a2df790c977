"""Released entries as generations and verdicts, one reader for each family of files.

Decisions count as stored; the scorers named ...-strict read the judge's reply, or the model's own
text, again. What the two readings disagree about is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from babelmath.records import WITHOUT_TEXT, ChoiceItem, Generation, Status, Verdict
from babelmath.released.building import LABEL
from babelmath.released.joining import Corpus
from babelmath.released.oddities import Oddities
from babelmath.released.reading import Document, Entry
from babelmath.scoring.by_letters import by_letters, options_of
from babelmath.scoring.judge_replies import read_reply
from babelmath.sources import EATEN
from babelmath.verdicts import gold_letters

UNTOLD = "finish and tokens not released"
SECONDARY = {"true positive": "TP", "false positive": "FP", "false negative": "FN"}
Held = tuple[str, Entry, int]  # problem id, entry, its 0-based place


@dataclass(frozen=True)
class Reader:
    """Base: the entries of one document, of one model and language.

    `texts`: entries of the model's own generation file by problem id, where there is one.
    """

    model: str
    lang: str
    document: Document
    corpus: Corpus
    oddities: Oddities
    texts: Mapping[str, Entry] = field(default_factory=dict)

    def generations(self, held: Sequence[Held]) -> list[Generation]:
        """The model's responses: their text where released, else the answers taken from them."""
        made = []
        for one, entry, at in held:
            text = self.text(one, entry)
            thinking, raw = text or ("", "")
            answer = raw if text is not None else self.answer(entry)
            if not answer.strip():
                self.odd("blank response", at, "", "kept as it is")
            flags = [UNTOLD] if text is not None else [UNTOLD, WITHOUT_TEXT]
            made.append(
                Generation(
                    id=one, lang=self.lang, sample=0, thinking=thinking, answer=answer, raw=raw,
                    finish="stop", prompt_tokens=0, completion_tokens=0, seed=None,
                    model=self.model, engine="released", sent={}, flags=flags,
                    provenance=self.provenance(at),
                )
            )  # fmt: skip
        return made

    def verdicts(self, scorer: str, held: Sequence[Held]) -> list[Verdict]:
        """Verdicts of one scorer, in the order of the entries; none where nothing was judged."""
        return []

    def count(self, held: Sequence[Held]) -> None:
        """Count what is odd about the decisions."""

    def text(self, one: str, entry: Entry) -> tuple[str, str] | None:
        """Thinking and response as the model wrote them, or None where that is not released."""
        return string(entry.get("thinking_content")), string(entry.get("generated_answer"))

    def answer(self, entry: Entry) -> str:
        """The answers that the authors took from a response."""
        value = entry.get("extracted_final_answers")
        return "\n".join(map(string, value)) if isinstance(value, list) else string(value)

    def odd(self, kind: str, at: int, example: object, handling: str) -> None:
        self.oddities.add(self.document.path, kind, at + 1, example, handling)

    def provenance(self, at: int) -> dict[str, Any]:
        name = self.oddities.name(self.document.path)
        return {"source": "release", "file": name, "entry": at + 1}

    def verdict(
        self, scorer: str, one: str, at: int, status: Status, extracted: str | None, gold: str,
        note: dict[str, Any] | None = None,
    ) -> Verdict:  # fmt: skip
        return Verdict(
            id=one, lang=self.lang, sample=0, scorer=scorer, status=status,
            correct=status == "correct", extracted=extracted, gold=gold, rewrites=[], judge=note,
            provenance={"model": self.model, "generation": None, **self.provenance(at)},
        )  # fmt: skip


class Judged(Reader):
    """Answers judged YES or NO; the file holds the judge's words, not the model's solution."""

    right = "YES"
    said_by = "decision"
    allowed = frozenset({"YES", "NO"})

    def text(self, one: str, entry: Entry) -> tuple[str, str] | None:
        source = self.texts.get(one)
        return super().text(one, source) if source is not None else None

    def verdicts(self, scorer: str, held: Sequence[Held]) -> list[Verdict]:
        found = []
        for one, entry, at in held:
            word = self.reread(entry) if scorer.endswith("-strict") else self.word(entry)
            status: Status = "wrong" if word else "unresolved"
            if word == self.right:
                status = "correct"
            said, gold = self.said(entry)
            found.append(self.verdict(scorer, one, at, status, said, gold, self.note(entry, word)))
        return found

    def count(self, held: Sequence[Held]) -> None:
        for _, entry, at in held:
            word, reread = self.word(entry), self.reread(entry)
            if word is None:
                self.odd(f"{self.said_by} that is none of the known words", at,
                         self.stored(entry), "unresolved: never counts as correct")  # fmt: skip
            elif reread is None:
                self.odd(f"no decision in the judge's reply, stored {word}", at, "",
                         "as stored; unresolved in strict")  # fmt: skip
            elif reread != word:
                self.odd(f"the judge's reply says {reread}, stored {word}", at, word,
                         "as stored; the reply's in strict")  # fmt: skip
            given = self.evaluation(entry).get("confidence")
            if given is None and word == self.right:
                self.odd(f"{word} without a confidence", at, "", f"counts as {word}")
            elif given is not None and confidence(given) is None:
                self.odd("confidence that is no number from 0 to 1", at, given, "left out")

    def stored(self, entry: Entry) -> str:
        return string(entry.get("decision"))

    def reread(self, entry: Entry) -> str | None:
        """The decision in the judge's own reply, None where it cannot be told."""
        reply = string(self.evaluation(entry).get("final_text"))
        return read_reply(reply, self.allowed, "\n".join(self.said(entry))).word

    def word(self, entry: Entry) -> str | None:
        """The stored decision, None where it is none of the known words."""
        return {"yes": "YES", "no": "NO"}.get(self.stored(entry).strip().lower())

    def said(self, entry: Entry) -> tuple[str, str]:
        """What was judged, and the truth."""
        return self.answer(entry), string(entry.get("exact_answer"))

    def evaluation(self, entry: Entry) -> Entry:
        """Where the judge's words stand."""
        return entry

    def note(self, entry: Entry, decision: str | None) -> dict[str, Any]:
        judged = self.evaluation(entry)
        return {
            "decision": decision,
            "confidence": confidence(judged.get("confidence")),
            "reason": string(judged.get("short_reason")),
            "raw": string(judged.get("final_text")),
            "model": string(self.document.metadata.get("model_used")) or None,
            "journal": None,
        }


class Identified(Judged):
    """Explanations of errors, judged true positive, false positive or false negative."""

    right = "TP"
    said_by = "secondary decision"
    allowed = frozenset({"TP", "FP", "FN"})

    def text(self, one: str, entry: Entry) -> tuple[str, str] | None:
        told = string(entry.get("llm_generated_error_desc"))
        return "", told or string(entry.get("llm_no_error_justification"))

    def stored(self, entry: Entry) -> str:
        return string(entry.get("secondary_decision"))

    def word(self, entry: Entry) -> str | None:
        return secondary(entry)

    def said(self, entry: Entry) -> tuple[str, str]:
        return self.text("", entry)[1], string(entry.get("error_description"))  # type: ignore[index]

    def evaluation(self, entry: Entry) -> Entry:
        judged = entry.get("gemini_evaluation")
        return judged if isinstance(judged, dict) else {}

    def count(self, held: Sequence[Held]) -> None:
        super().count(held)
        for _, entry, at in held:
            told = string(entry.get("decision")).strip().upper()
            if self.word(entry) == "TP" and told == "NO":
                self.odd("true positive where no error was detected", at, told, "kept")
            if EATEN.search(string(entry.get("wrong_solution_version_3"))):
                self.odd("LaTeX commands eaten by JSON escapes", at, "", "not used")


class Detected(Reader):
    """YES or NO to whether a solution is flawed; the truth is always YES."""

    def text(self, one: str, entry: Entry) -> tuple[str, str] | None:
        return "", string(entry.get("decision"))

    def verdicts(self, scorer: str, held: Sequence[Held]) -> list[Verdict]:
        found = []
        for one, entry, at in held:
            word = self.word(entry)
            status: Status = "wrong" if word else "unresolved"
            if word == "YES":
                status = "correct"
            found.append(self.verdict(scorer, one, at, status, word, "YES"))
        return found

    def count(self, held: Sequence[Held]) -> None:
        for _, entry, at in held:
            if self.word(entry) is None:
                self.odd("decision that is none of the known words", at, entry.get("decision"),
                         "unresolved: never counts as correct")  # fmt: skip

    def word(self, entry: Entry) -> str | None:
        word = string(entry.get("decision")).strip().upper()
        return word if word in ("YES", "NO") else None


class Chosen(Reader):
    """Option letters against keys. Strict: read again, and options that coincide count alike."""

    def text(self, one: str, entry: Entry) -> tuple[str, str] | None:
        return "", string(entry.get("raw_output"))

    def verdicts(self, scorer: str, held: Sequence[Held]) -> list[Verdict]:
        if scorer == "letter-strict":
            shown = {one[0]: self.shown(*one) for one in held}
            items = [item for item in shown.values() if item is not None]
            made = self.generations([one for one in held if shown[one[0]] is not None])
            read = by_letters(made, gold_letters(items), scorer, "choose", options_of(items))
            by_id = {one.id: one for one in read}
            return [
                by_id.get(one)
                or self.verdict(scorer, one, at, "unparsed_gold", None, self.letters(entry)[0])
                for one, entry, at in held
            ]
        found = []
        for one, entry, at in held:
            key, letter = self.letters(entry)
            status: Status = "wrong" if letter else "no_answer"
            if letter == key and self.shown(one, entry, at) is not None:
                status = "correct"
            found.append(self.verdict(scorer, one, at, status, letter or None, key))
        return found

    def count(self, held: Sequence[Held]) -> None:
        for one, entry, at in held:
            key, letter = self.letters(entry)
            item = self.corpus.item(one)
            if item is not None and item.key != key:
                self.odd("key differs from the choices file", at, key, "the record's key counts")
            if key not in tuple("ABCD"):
                self.odd("key outside A-D", at, key, "wrong whatever the letter")
            if len(self.options(entry)) != 4:
                self.odd("not four options", at, entry.get("choices"), "wrong whatever the letter")
            shown = self.shown(one, entry, at)
            if item is not None and shown is not None and shown.options != item.options:
                self.odd("options differ from the choices file", at, shown.options,
                         "the record's letters count")  # fmt: skip
            if not letter:
                self.odd("no letter stored", at, "", "no answer")
            elif letter not in tuple("ABCD"):
                self.odd("letter outside A-D", at, letter, "wrong")
            stored = entry.get("is_correct")
            if isinstance(stored, bool) and stored != (letter == key):
                self.odd("is_correct contradicts the letters", at, stored, "the letters count")

    def letters(self, entry: Entry) -> tuple[str, str]:
        """The stored key and the stored letter."""
        return string(entry.get("correct_letter")), string(entry.get("predicted_letter"))

    def options(self, entry: Entry) -> list[str]:
        """The stored options without their letters; none where they are no list."""
        listed = entry.get("choices")
        return [LABEL.sub("", str(text)) for text in listed] if isinstance(listed, list) else []

    def shown(self, one: str, entry: Entry, at: int) -> ChoiceItem | None:
        """The item as the record says it was shown; None without four options and a key A-D."""
        options = self.options(entry)
        key, _ = self.letters(entry)
        if len(options) != 4 or key not in tuple("ABCD"):
            return None
        return ChoiceItem(
            id=one, lang=self.lang, question="", options=options, key=key,  # type: ignore[arg-type]
            sources=[], provenance=self.provenance(at),
        )  # fmt: skip


def secondary(entry: Entry) -> str | None:
    """The stored judgement of an explanation, None where it is none of the known words."""
    stored = string(entry.get("secondary_decision"))
    return SECONDARY.get(" ".join(stored.lower().split()))


def confidence(value: object) -> float | None:
    """A confidence from 0 to 1; None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return float(value)


def string(value: object) -> str:
    """A field's text; other values as they print, None as nothing."""
    return value if isinstance(value, str) else "" if value is None else str(value)
