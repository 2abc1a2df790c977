"""Where a text states its answer: behind a final-answer phrase of its language or of English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from babelmath.languages import Language
from babelmath.scoring.letter_words import ANSWER_WORDS, COPULAS, OPTION_WORDS

FIRST_UNSPACED = "\u0530"  # scripts behind Cyrillic join suffixes or write no blanks
# Marks and commands between a phrase and what it states; no full stop: that ends a sentence.
BETWEEN = (
    r"[\s*_:：=~>→⇒➡|—–\-`'\"“”«»‘’()\[\]{}$（）【】《》「」『』]"
    r"|\\(?:boxed|fbox|displaystyle|quad|qquad|left|right|[,;!: ()\[\]])"
    r"|\\(?:text|math|operatorname)(?:bf|it|rm|sf|tt)?"
)
CLAUSE_END = re.compile(r"[\n!?。！？।;；]|(?<!\d)\.|\.(?!\d)")
LONGEST_CLAUSE = 160


@dataclass(frozen=True)
class Wording:
    """The phrases that state an answer; `gap` matches what may stand between one and the answer."""

    roots: tuple[str, ...]
    marked: tuple[str, ...]
    gap: re.Pattern[str]
    joins: tuple[str, ...]

    def ends(self, text: str) -> list[int]:
        """Places right behind each phrase, in order."""
        lowered = _lower(text)
        found = {end for root in self.roots for end in _ends(lowered, root)}
        for root in self.marked:
            found |= {
                match.end()
                for end in _ends(lowered, root)
                if (match := MARK.match(text, end)) is not None
            }
        return sorted(found)


MARK = re.compile(r"[\s*_]{0,4}[:：]")


def wording(languages: Iterable[Language]) -> Wording:
    """The wording of some languages and of the prompts' own English."""
    languages = list(languages)
    phrases = [*ANSWER_WORDS, *(composed(one) for item in languages for one in item.final_answer)]
    plain = sorted({one for one in phrases if not one.endswith(":")}, key=len)
    roots: list[str] = []
    words = {*COPULAS, *OPTION_WORDS}
    for phrase in plain:  # the shortest first: a longer one is found through what it holds
        inner = [root for root in roots if _ends(phrase, root)]
        if inner:
            words.update(phrase[_ends(phrase, inner[-1])[-1] :].split())
        else:
            roots.append(phrase)
    marked = {one.rstrip(":") for one in phrases if one.endswith(":")}
    for item in languages:
        words.update(word for one in item.copulas for word in one.split())
    joins = [
        composed(word) for item in languages for word in (*item.conjunctions, *item.alternatives)
    ]
    return Wording(
        tuple(roots),
        tuple(sorted(one for one in marked if not any(_ends(one, root) for root in roots))),
        re.compile(f"(?:{BETWEEN}|{alternatives(words)})*+", re.IGNORECASE),
        tuple(sorted({"and", "or", *joins})),
    )


def alternatives(words: Iterable[str]) -> str:
    """Words as a pattern, the longest first; those of spaced scripts must be whole."""
    parts = []
    for word in sorted(set(words), key=lambda one: (-len(one), one)):
        body = r"\s+".join(re.escape(part) for part in composed(word).split())
        before = r"(?<!\w)" if word[0].isalpha() and word[0] < FIRST_UNSPACED else ""
        after = r"(?!\w)" if word[-1].isalpha() and word[-1] < FIRST_UNSPACED else ""
        parts.append(before + body + after)
    return "(?:" + "|".join(parts) + ")"


def composed(word: str) -> str:
    """A word as it is looked for: small, and with marks composed as in the text."""
    return unicodedata.normalize("NFC", word).lower()


def folded(word: str) -> str:
    """A word without what patterns that take no notice of case pass over: dots of i, the long s."""
    return composed(word).casefold().replace("\u0307", "").replace("ı", "i")


def clause(text: str, start: int) -> str:
    """The rest of a sentence from a place on."""
    found = CLAUSE_END.search(text, start, start + LONGEST_CLAUSE)
    return text[start : found.start() if found else start + LONGEST_CLAUSE]


def _ends(text: str, root: str) -> list[int]:
    spaced = root[0] < FIRST_UNSPACED
    whole = spaced and root[-1].isalpha()
    found = []
    at = text.find(root)
    while at >= 0:
        end = at + len(root)
        inside_word = spaced and at > 0 and text[at - 1].isalnum()
        if not inside_word and not (whole and text[end : end + 1].isalnum()):
            found.append(end)
        at = text.find(root, end)
    return found


def _lower(text: str) -> str:
    """Small letters, each in its place: some capitals become two characters."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := char.lower()) == 1 else char for char in text)
