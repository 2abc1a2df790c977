"""Verdicts by letter: chosen options, YES and NO (MathMist sections 3.2, 4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from babelmath.languages import Language
from babelmath.records import ChoiceItem, Generation, Status, Verdict
from babelmath.scoring.equivalence import Comparer
from babelmath.scoring.flags import flag_strict
from babelmath.scoring.letters import ENGLISH, option_strict
from babelmath.scoring.letters_paper import flag_paper, option_paper
from babelmath.scoring.options import Equal, same_letters
from babelmath.scoring.statements import Wording, wording
from babelmath.verdicts import Gold, status_without_text, verdict

Options = Mapping[tuple[str, str], Sequence[str]]


def options_of(choices: Iterable[ChoiceItem]) -> dict[tuple[str, str], tuple[str, ...]]:
    """The four options by item and language."""
    return {item.identity: tuple(item.options) for item in choices}


def by_letters(
    generations: Iterable[Generation],
    gold: Gold,
    scorer: str,
    task: str,
    options: Options | None = None,
    languages: Mapping[str, Language] | None = None,
    comparer: Comparer | None = None,
) -> Iterator[Verdict]:
    """Chosen option against the key, or YES/NO against the truth, which is always YES.

    Strict: only the answer part is read, a response that was cut off has none, and a letter whose
    option reads like the key's counts as the key. `rewrites` says how the letter was found.

    Args:
        options: the items' options, for answers that give an option's text.
        languages: their final-answer phrases are known besides the English ones.
        comparer: for values that read like no option but may equal one.
    """
    words = {lang: wording([one]) for lang, one in (languages or {}).items()}
    equal = None if comparer is None else _comparison(comparer)
    for item in generations:
        truth = gold[item.id, item.lang] if task == "choose" else "YES"
        shown = (options or {}).get((item.id, item.lang), ())
        if scorer == "letter-strict":
            yield _strict(item, truth, task, shown, words.get(item.lang, ENGLISH), equal)
        else:
            yield _paper(item, truth, task, shown)


def _paper(item: Generation, truth: str, task: str, shown: Sequence[str]) -> Verdict:
    """The released evaluation's reading of whatever text there is."""
    text = item.answer if item.answer.strip() else item.raw
    status: Status
    letter = None
    if item.finish == "blocked":
        status = "blocked"
    else:
        letter = option_paper(text, shown) if task == "choose" else flag_paper(text)
        if letter is not None:
            status = "correct" if letter == truth else "wrong"
        else:
            cut = item.finish == "length" and not text.strip()
            status = "truncated" if cut else "no_answer"
    return verdict(item, "letter-paper", status, letter, truth, [])


def _strict(
    item: Generation,
    truth: str,
    task: str,
    shown: Sequence[str],
    words: Wording,
    equal: Equal | None,
) -> Verdict:
    status = status_without_text(item, True)
    letter = None
    rewrites: list[str] = []
    if status is None:
        found = (
            option_strict(item.answer, shown, words, equal)
            if task == "choose"
            else flag_strict(item.answer, words)
        )
        if found is None:
            status = "no_answer"
        else:
            letter = found.letter
            rewrites.append(found.how)
            right = letter == truth
            if not right and shown and letter in same_letters(truth, shown):
                rewrites.append(f"option {letter} reads like the key")
                right = True
            status = "correct" if right else "wrong"
    return verdict(item, "letter-strict", status, letter, truth, rewrites)


def _comparison(comparer: Comparer) -> Equal:
    def equal(option: str, value: str) -> bool:
        return comparer.compare(option, value, True).equal

    return equal
