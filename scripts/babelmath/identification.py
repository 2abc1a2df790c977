"""Language labels of texts, in the paper's way and in a strict one (MMATH section 3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from babelmath.alphabets import script_of, scripts_of
from babelmath.config import Identification
from babelmath.errors import InputError
from babelmath.language_codes import MIXED, UNDETERMINED, canonical, written_in
from babelmath.languages import Language
from babelmath.packages import fasttext_path
from babelmath.prose import LIMIT, excerpt, words
from babelmath.records import PartLabel
from babelmath.vocabulary import Vocabulary

GROUPS = {"HIRAGANA": "HAN", "KATAKANA": "HAN", "BOPOMOFO": "HAN"}  # scripts of one text
OWN = {"BENGALI": "bn", "THAI": "th", "HANGUL": "ko"}  # scripts of one of the papers' languages
ASSAMESE = frozenset("ৰৱ")
SHARED = ("LATIN", "CYRILLIC", "ARABIC")  # scripts of many languages: few letters tell nothing
# How much of a text a letter is: an ideograph is a word, a consonant stands for a syllable.
WEIGHTS = {"HAN": 3.0, "HIRAGANA": 2.0, "KATAKANA": 2.0, "HANGUL": 2.5} | dict.fromkeys(
    ("BENGALI", "THAI", "DEVANAGARI", "TAMIL", "TELUGU", "GUJARATI", "KHMER", "LAO", "MYANMAR"), 1.5
)
KANA = 0.1  # least share of kana among kana and ideographs that makes a text Japanese
PART = 0.25  # least share of a text that counts as a part of its own
PART_SIZE = 7.0  # and its least size: three ideographs, five consonants, seven letters
SURE_LETTERS, SURE_P = 60, 0.9  # where fastText alone decides
WORD = 5  # letters that suffice where fastText is as sure as that
FEW = 60  # letters of an excerpt below which more of a long text is read
MORE = 20_000  # characters
WHOLE = 400_000  # characters of a long text in several scripts that are read
REPEATED = 5  # times that each word stands in a text that goes round in circles


class Identifier:
    """A loaded fastText model and the languages' common words.

    Raises:
        InputError: no such file, or no fastText model.
    """

    def __init__(self, how: Identification, languages: Iterable[Language]) -> None:
        import fasttext

        path = fasttext_path(how.weights)
        self._how = how
        self._vocabulary = Vocabulary(languages)
        try:
            self._model: Any = fasttext.load_model(str(path))
        except ValueError as error:
            raise InputError(
                f"not a fastText model: {error}", file=path, field="identification.weights"
            ) from None

    def label(self, text: str, own: str | None = None) -> PartLabel:
        """Both labels of one part of a response.

        Args:
            text: the part as the paper's code takes it.
            own: the part as this project takes it, where that is another text.
        """
        return self.labels([(text, own)])[0]

    def labels(self, parts: Sequence[tuple[str, str | None]]) -> list[PartLabel]:
        """Labels of several parts."""
        # One after the other, fastText's model stays in the processor's cache.
        papers = [self.paper(text) for text, _ in parts]
        stricts = [self.strict(text if own is None else own) for text, own in parts]
        return [
            PartLabel(paper=paper, strict=label, p=p, scripts=dict(scripts))
            for paper, (label, p, scripts) in zip(papers, stricts, strict=True)
        ]

    def paper(self, text: str) -> str:
        """fastText's first label of the whole text, as it is; English for an empty one."""
        return self._predict(text, 1)[0][0]

    def strict(self, text: str) -> tuple[str, float, Counter[str]]:
        """The label of a text's words, how sure it is, and their letters by script.

        The label is a language, `mixed` or `und`. Of a long text an excerpt is read.
        """
        found = self._words(text)
        scripts, sizes = _sizes(found)
        if not sizes:
            return UNDETERMINED, 0.0, scripts
        parts = self._parts(sizes, found)
        if len(parts) > 1 and len(text) > LIMIT:  # an end piece is a fifth of the excerpt alone
            found = words(excerpt(text, WHOLE, WHOLE // 2000))
            scripts, sizes = _sizes(found)
            parts = self._parts(sizes, found)
        share = max(parts.values()) / sum(sizes.values())
        if len(parts) > 1:
            return MIXED, round(share, 6), scripts
        (group,) = parts
        if group == "HAN":
            kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
            japanese = kana >= KANA * (kana + scripts["HAN"] + scripts["BOPOMOFO"])
            return "ja" if japanese else "zh", round(share, 6), scripts
        if group in OWN and not (group == "BENGALI" and ASSAMESE & set(text)):
            return OWN[group], round(share, 6), scripts
        if len(sizes) > 1:
            found = [word for word in found if script_of(word[0]) == group]
        label, p = self._decide(found, group)
        return label, round(p, 6), scripts

    def _words(self, text: str) -> list[str]:
        found = words(excerpt(text))
        if len(text) > LIMIT and sum(map(len, found)) < FEW:
            found = words(text[:MORE])
        if all(word.isupper() for word in found):
            found = words(excerpt(text), capitals=True)
        return found

    def _parts(self, sizes: Counter[str], found: list[str]) -> dict[str, float]:
        """The groups of scripts that a text is written in, with their sizes.

        Latin letters among others are terms and names, unless they read as text: two common words
        at least, and one in seven.
        """
        left = dict(sizes)
        if len(left) > 1 and "LATIN" in left:
            others = sum(left.values()) - left["LATIN"]
            latin = [word for word in found if script_of(word[0]) == "LATIN"]
            known = self._vocabulary.known(latin)
            enough = others >= max(3.0, PART * (others + left["LATIN"]))
            if enough and (known < 2 or 7 * known < len(latin)):
                del left["LATIN"]
        largest = max(left, key=lambda group: (left[group], group))
        least = PART * sum(left.values())
        return {
            group: size
            for group, size in left.items()
            if group == largest or (size >= least and size >= PART_SIZE)
        }

    def _decide(self, found: list[str], group: str) -> tuple[str, float]:
        """The language of words in one script, by fastText, common words and letters."""
        if len(distinct := dict.fromkeys(word.lower() for word in found)) * REPEATED < len(found):
            found = list(distinct)  # a model that repeats itself says no more than once
        text = " ".join(found)
        letters = len(text) - len(found) + 1
        if letters >= SURE_LETTERS:
            ((label, p),) = self._predict(text, 1)
            if p >= SURE_P and written_in(canonical(label), group):
                return canonical(label), p
        chances: dict[str, float] = {}
        for label, p in self._predict(text, 5):
            name = canonical(label)
            if written_in(name, group):
                chances[name] = min(1.0, chances.get(name, 0.0) + p)
        evidence = self._vocabulary.evidence(found, group)
        weight = min(letters / 20, 3.0)
        scores = {
            one: weight * chances.get(one, 0.0) + evidence.get(one, 0.0)
            for one in chances.keys() | evidence.keys()
        }
        if not scores:
            return UNDETERMINED, 0.0
        best, second = sorted([*scores, ""], key=lambda one: (-scores.get(one, 0.0), one))[:2]
        p = scores[best] / (scores[best] + scores.get(second, 0.0))
        chance = chances.get(best, 0.0)
        enough = letters >= self._how.least_letters or group not in SHARED
        told = (
            evidence.get(best, 0.0) >= 1
            or (enough and chance >= self._how.least_p)
            or (letters >= WORD and chance >= SURE_P)
        )
        return (best if told and p >= self._how.least_p else UNDETERMINED), p

    def _predict(self, text: str, k: int) -> list[tuple[str, float]]:
        line = text.replace("\n", " ")
        try:
            labels, chances = self._model.predict(line, k=k)
        except TypeError:  # half a surrogate pair
            labels, chances = self._model.predict(line.encode("utf-8", "replace").decode(), k=k)
        # fastText answers an empty text with English; the papers' code counts it so.
        found = zip(labels, chances, strict=True) if labels else [("en", 0.0)]
        return [(label.removeprefix("__label__"), min(float(p), 1.0)) for label, p in found]


def _sizes(found: list[str]) -> tuple[Counter[str], Counter[str]]:
    """Letters by script, and how much of the text each group of scripts is."""
    scripts = scripts_of(" ".join(found))
    sizes: Counter[str] = Counter()
    for script, count in scripts.items():
        sizes[GROUPS.get(script, script)] += count * WEIGHTS.get(script, 1.0)  # type: ignore[assignment]
    return scripts, sizes
