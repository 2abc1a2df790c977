"""Which of a setting's scorers a protocol takes, which are compared, and which judge decides."""

from __future__ import annotations

import itertools
from collections.abc import Sequence


def scorer_of(scorers: list[str], protocol: str) -> str:
    """The scorer that a table takes: the protocol's rule or letter scorer, else the first judge.

    A judge named ...-strict (released replies, read again) is the strict protocol's.
    """
    judges = [one for one in scorers if one.startswith("judge-")]
    own = [one for one in scorers if one.endswith(f"-{protocol}") and one not in judges]
    if protocol == "strict":
        own += [one for one in judges if one.endswith("-strict")]
    first_hand = [one for one in judges if not one.endswith("-strict")]
    return (own or first_hand or judges or scorers)[0]


def protocol_scorers(scorers: Sequence[str]) -> tuple[str, str] | None:
    """The scorers of the paper's and of the strict protocol; None without one of each."""
    paper, strict = scorer_of(list(scorers), "paper"), scorer_of(list(scorers), "strict")
    return (paper, strict) if strict.endswith("-strict") and paper != strict else None


def compared_scorers(scorers: Sequence[str]) -> list[tuple[str, str]]:
    """Each judge with the strict rule, and every two judges."""
    judges = [one for one in scorers if one.startswith("judge-")]
    rules = [(one, "rules-strict") for one in judges if "rules-strict" in scorers]
    return rules + list(itertools.combinations(judges, 2))


def deciding_judge(scorers: list[str]) -> str | None:
    """The judge that decides where the strict rule cannot read an exact answer: the first one.

    Its strict reading counts where the setting has it.
    """
    judges = [one for one in scorers if one.startswith("judge-")]
    if not judges:
        return None
    strict = f"{judges[0].removesuffix('-strict')}-strict"
    return strict if strict in judges else judges[0]
