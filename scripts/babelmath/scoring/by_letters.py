"""Verdicts by letter: chosen options, YES and NO (MathMist sections 3.2, 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from babelmath.records import ChoiceItem, Generation, Verdict
from babelmath.scoring.letters import flag_paper, flag_strict, option_paper, option_strict
from babelmath.verdicts import Gold, status_without_text, verdict


def same_options(choices: Sequence[ChoiceItem]) -> dict[tuple[str, str], frozenset[str]]:
    """Letters whose option reads the same as the key's: either of them states the answer."""
    return {
        item.identity: frozenset(
            letter
            for letter, text in zip("ABCD", item.options, strict=True)
            if text.strip() == item.options["ABCD".index(item.key)].strip()
        )
        for item in choices
    }


def by_letters(
    generations: Sequence[Generation],
    gold: Gold,
    scorer: str,
    task: str,
    same: Mapping[tuple[str, str], frozenset[str]] | None = None,
) -> list[Verdict]:
    """Chosen option against the key, or YES/NO against the truth, which is always YES.

    Args:
        same: letters that state the key's option (`same_options`); the strict reading takes them.
    """
    readers: dict[tuple[str, str], Callable[[str], str | None]] = {
        ("choose", "letter-paper"): option_paper,
        ("choose", "letter-strict"): option_strict,
        ("detect", "letter-paper"): flag_paper,
        ("detect", "letter-strict"): flag_strict,
    }
    read, strict = readers[task, scorer], scorer == "letter-strict"
    verdicts = []
    for item in generations:
        truth = gold[item.id, item.lang] if task == "choose" else "YES"
        status = status_without_text(item, False)
        letter = None
        if status is None:
            letter = read(item.answer if strict else item.answer or item.raw)
            if letter is None:
                status = "truncated" if strict and item.finish == "length" else "no_answer"
            elif strict and same is not None:
                status = "correct" if letter in same[item.id, item.lang] else "wrong"
            else:
                status = "correct" if letter == truth else "wrong"
        verdicts.append(verdict(item, scorer, status, letter, truth, []))
    return verdicts
