"""What a multiple-choice item must not show or hide (MathMist section 3.2).

Released items show what goes wrong: options that are the same value, a key that is the only option
in mathematics mode, a key that is not the exact answer.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from babelmath.scoring.equivalence import Comparer

LETTERS = "ABCD"
DOLLAR = re.compile(r"(?<!\\)\$")
FORMS = {
    "a whole number": re.compile(r"[-+]?\d+"),
    "a decimal": re.compile(r"[-+]?\d*\.\d+"),
    "a fraction": re.compile(r"[-+]?(?:\\[dt]?frac\{\d+\}\{\d+\}|\d+/\d+)"),
}


def item_faults(
    options: Sequence[str], key: str, exact: Mapping[str, Sequence[str]], comparer: Comparer
) -> list[str]:
    """Why an item cannot be used; nothing where it can.

    Args:
        options: the four options as shown.
        exact: by language the readings of the exact answer in plain notation.
    """
    return [
        *_coinciding(options, comparer),
        *_telling(options, key),
        *_key_against_answers(options[LETTERS.index(key)], exact, comparer),
    ]


def bare(text: str) -> str:
    """A text without its dollar signs."""
    return DOLLAR.sub("", text).strip()


def form_of(text: str) -> str:
    """How a value is written: as a whole number, a decimal, a fraction, or an expression."""
    return next((name for name, form in FORMS.items() if form.fullmatch(text)), "an expression")


def _coinciding(options: Sequence[str], comparer: Comparer) -> list[str]:
    faults = []
    for (one, text), (two, other) in itertools.combinations(
        zip(LETTERS, map(bare, options), strict=True), 2
    ):
        comparison = comparer.compare(text, other, True)
        if text == other or comparison.equal:
            faults.append(f"options {one} and {two} are the same")
        elif comparison.failed is not None:
            faults.append(f"options {one} and {two} are not comparable: {comparison.failed}")
    return faults


def _telling(options: Sequence[str], key: str) -> list[str]:
    """What makes the key look unlike all the others."""
    at = LETTERS.index(key)
    faults = []
    in_mathematics = [DOLLAR.search(text) is not None for text in options]
    if in_mathematics.count(in_mathematics[at]) == 1:
        only = "in" if in_mathematics[at] else "outside of"
        faults.append(f"the key is the only option {only} mathematics mode")
    forms = [form_of(bare(text)) for text in options]
    others = {form for place, form in enumerate(forms) if place != at}
    if len(others) == 1 and forms[at] not in others:
        faults.append(f"the key is {forms[at]} and every other option {others.pop()}")
    return faults


def _key_against_answers(
    option: str, exact: Mapping[str, Sequence[str]], comparer: Comparer
) -> list[str]:
    faults = []
    for lang, readings in exact.items():
        found = [comparer.compare(one, bare(option), True) for one in readings]
        if any(one.equal for one in found):
            continue
        failed = next((one.failed for one in found if one.failed is not None), None)
        if failed is not None:
            faults.append(f"the key is not comparable to the exact answer ({lang}): {failed}")
        else:
            faults.append(f"the key is not the exact answer ({lang})")
    return faults
