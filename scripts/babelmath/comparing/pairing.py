"""Which verdicts of one run are held against which of the other, and what has no counterpart."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from babelmath.comparing.runs import Place, Run
from babelmath.errors import InputError


class Pair(NamedTuple):
    """The same question asked twice: the same benchmark and scorer, paired settings and models."""

    a: Place
    b: Place


class Alone(NamedTuple):
    """Verdicts that are not compared, and why."""

    run: str
    place: Place
    reason: str


NO_FILE = "configured, but there is no file"
STRANGE = "a file that this run's configuration does not name"
OTHER_TASK = "the other run asks for something else in this setting"


def names(texts: Sequence[str], field: str) -> dict[str, str]:
    """Pairs of names, of A and of B, from texts `one=other`.

    Raises:
        InputError: not of that form, or a name stands twice on one side.
    """
    found: dict[str, str] = {}
    for text in texts:
        one, mark, other = text.partition("=")
        if not (mark and one and other) or "=" in other:
            raise InputError("is no pair of names", field=field, value=text,
                             remedy="Write A's name, =, and B's name.")  # fmt: skip
        if one in found or other in found.values():
            raise InputError("a name stands twice", field=field, value=text,
                             remedy="Pair each name once.")  # fmt: skip
        found[one] = other
    return found


def paired(
    a: Run, b: Run, models: Mapping[str, str], settings: Mapping[str, str]
) -> tuple[list[Pair], list[Alone]]:
    """Pairs of files in A's order, and what stands alone in either run.

    Args:
        models: B's names by A's, where they differ; all other models are paired by their own name,
            but for those that are named here.
        settings: likewise.

    Raises:
        InputError: a name that a run does not have, or no pair at all.
    """
    for run, at in ((a, 0), (b, 1)):
        places = list(run.configured())
        _known(run, "--model", [pair[at] for pair in models.items()], {p.model for p in places})
        _known(run, "--setting", [p[at] for p in settings.items()], {p.setting for p in places})
    there = {place: place for place in _there(b)}
    pairs: list[Pair] = []
    alone: list[Alone] = [*_missing(a), *_missing(b)]
    for place in _there(a):
        other = _counterpart(place, models, settings)
        if other is None or other not in there:
            alone.append(Alone("A", place, "only in A"))
        elif a.task(place) != b.task(other):
            del there[other]
            alone += [Alone("A", place, OTHER_TASK), Alone("B", other, OTHER_TASK)]
        else:
            pairs.append(Pair(place, there.pop(other)))
    alone += [Alone("B", place, "only in B") for place in there]
    if not pairs:
        raise InputError(
            f"the runs have no benchmark, setting, model and scorer in common "
            f"({len(list(_there(a)))} files of verdicts in A, {len(list(_there(b)))} in B)",
            file=b.root,
            remedy="Pair models or settings of other names: --model ONE=OTHER, "
            "--setting ONE=OTHER.",
        )
    return pairs, sorted(alone)


def _counterpart(
    place: Place, models: Mapping[str, str], settings: Mapping[str, str]
) -> Place | None:
    """Where B has what A has here; None where that name of B is paired with another of A's."""
    model, setting = models.get(place.model), settings.get(place.setting)
    if model is None:
        model = place.model if place.model not in models.values() else None
    if setting is None:
        setting = place.setting if place.setting not in settings.values() else None
    if model is None or setting is None:
        return None
    return place._replace(model=model, setting=setting)


def _there(run: Run) -> Iterator[Place]:
    """Configured verdicts that are there."""
    held = set(run.held())
    return (place for place in run.configured() if place in held)


def _missing(run: Run) -> Iterator[Alone]:
    held, configured = set(run.held()), set(run.configured())
    yield from (Alone(run.name, place, NO_FILE) for place in configured - held)
    yield from (Alone(run.name, place, STRANGE) for place in held - configured)


def _known(run: Run, field: str, wanted: Sequence[str], known: set[str]) -> None:
    for name in wanted:
        if name not in known:
            near = difflib.get_close_matches(name, sorted(known), 1)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise InputError(
                f"run {run.name} has no such name", file=run.root, field=field, value=name,
                remedy=f"{hint}It has: {', '.join(sorted(known))}.",
            )  # fmt: skip
