"""What single words and letters say of a text's language, for texts too short for fastText.

The words are those of the language files (`common_words`); the letters are those that one of the
papers' languages has and its neighbours lack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from babelmath.languages import Language

# By script: (language, its letters, letters that show another language with the same ones).
LETTERS = {
    script: tuple((lang, re.compile(own), re.compile(foreign)) for lang, own, foreign in rows)
    for script, rows in {
        "LATIN": (
            ("vi", "[ơưạ-ỹ]", "(?!)"),
            ("tr", "[ğı]", "[əñ]"),
            ("lt", "[ėųį]", "(?!)"),
        ),
        "CYRILLIC": (
            ("kk", "[әғқұһ]|[іңөү].*[ңөү]|[ңөү].*і", "[їєґўҗҙҫҡӣӯҳҷӱӧӑӗҥ]"),
        ),
        "ARABIC": (
            ("ar", "[ةأإى]|^و?ال", "[پچژگکیٹڈڑںےېۍێۆڕڵ]"),
            ("fa", "[پچژگکی]", "[ةٹڈڑںےېۍێۆڕڵځڅښړږۇۈ]"),
        ),
    }.items()
}  # fmt: skip
MOST = 4.0  # evidence that more words do not add to: shares count from there on


class Vocabulary:
    """Known words by language."""

    def __init__(self, languages: Iterable[Language]) -> None:
        self._known: dict[str, tuple[str, ...]] = {}
        for language in sorted(languages, key=lambda one: one.code):
            for word in dict.fromkeys(folded(language.common_words)):
                self._known[word] = (*self._known.get(word, ()), language.code)

    def known(self, words: Sequence[str]) -> int:
        """How many words are common ones of any language."""
        return sum(word in self._known for word in folded(words))

    def evidence(self, words: Sequence[str], script: str) -> dict[str, float]:
        """Evidence by language: 1 for a common word, shared by all languages that have it, and 1
        for a word with a letter of its own, up to two of them; at most `MOST`.

        Args:
            words: composed (NFC) words without blanks.
            script: the one they are written in.
        """
        found: dict[str, float] = {}
        text = folded(words)
        for word in text:
            for lang in (langs := self._known.get(word, ())):
                found[lang] = found.get(lang, 0.0) + 1 / len(langs)
        for lang, own, foreign in LETTERS.get(script, ()):
            lettered = [word for word in text if own.search(word)]
            if lettered and not any(map(foreign.search, text)):
                found[lang] = found.get(lang, 0.0) + min(2, len(lettered))
        largest = max(found.values(), default=0.0)
        scale = MOST / largest if largest > MOST else 1.0
        return {lang: found[lang] * scale for lang in sorted(found)}


def folded(words: Sequence[str]) -> list[str]:
    """Words as they are looked up: without capitals, Turkish İ as i."""
    return " ".join(words).replace("İ", "i").replace("’", "'").casefold().split(" ")
