"""Reading an answer as a set of real numbers: intervals, unions, builders, inequalities."""

from __future__ import annotations

from babelmath.scoring.same.forms import NUMBER_SETS, Form, Labelled, Many, Value, form_of
from babelmath.scoring.same.inequalities import inequality
from babelmath.scoring.same.numbers import Judging, sign_between
from babelmath.scoring.same.regions import ALL, REALS, Region, infinite, joined, named, point
from babelmath.scoring.same.tree import Node, TooLargeError, UndecidedError, letters, number


def region_of(form: Form) -> Region | None:
    """The region that a form stands for, or None."""
    if isinstance(form, Labelled):
        if form.label.kind != "symbol":
            return None
        inner = region_of(form.form)
        if inner is None or not (form.member or isinstance(form.form, Value)):
            return None
        return named(inner, form.label.name, sure=inner.sure and form.member)
    if isinstance(form, Value):
        if form.node.name in REALS and form.node.kind == "symbol":
            return Region(ALL, sure=form.node.name != "R")
        taken = _taken_away(form.node)
        if taken is not None:
            return taken
        return None if letters(form.node) else point(form.node)
    if isinstance(form, Many):
        return _several(form)
    return _of_node(form.node)


def _several(form: Many) -> Region | None:
    if form.kind == "tuple":
        return _interval(form.node) if form.node is not None else None
    if not form.parts:
        return Region("or", sure=False)
    parts = [region_of(part) for part in form.parts]
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return None
    if form.kind == "list" and form.join == ",":
        if any(part.sure for part in found):
            return _between(found)
        return joined("or", found, sure=False)
    if form.kind == "list" and form.join == "and":
        return joined("and", found) if all(part.sure for part in found) else None
    return joined("or", found, sure=any(part.sure for part in found))


def _between(parts: list[Region]) -> Region | None:
    """x > 1, x < 2 as both; None where parts do not meet: whether all or one holds is not said."""
    if len(parts) != 2 or not all(part.sure and part.kind == "interval" for part in parts):
        return None
    low, high = sorted(parts, key=lambda part: part.low is None)
    if low.low is None or low.high is not None or high.low is not None or high.high is None:
        return None
    try:
        meeting = sign_between(low.low, high.high, Judging()) < 0
    except (UndecidedError, TooLargeError):
        return None
    return joined("and", parts) if meeting else None


def _interval(node: Node) -> Region | None:
    if len(node.parts) != 2:
        return None
    low, high = node.parts
    closed = (node.name[0] == "[", node.name[1] == "]")
    if infinite(low) not in (0, -1) or infinite(high) not in (0, 1):
        return None
    if any(part.kind in ("relation", "fence", "list", "set") for part in node.parts):
        return None
    return Region(
        "interval", (), None if infinite(low) else low, None if infinite(high) else high,
        (closed[0] and not infinite(low), closed[1] and not infinite(high)),
        sure=node.name != "()" or bool(infinite(low) or infinite(high)),
    )  # fmt: skip


def _taken_away(node: Node) -> Region | None:
    r"""R-\{4\}, written with a minus sign."""
    if node.kind != "sum" or node.parts[0].name not in REALS:
        return None
    away: list[Region] = []
    for part in node.parts[1:]:
        if part.kind != "product" or part.parts[0] != number(-1) or part.parts[1].kind != "set":
            return None
        inner = region_of(form_of(part.parts[1]))
        if inner is None:
            return None
        away.append(inner)
    return Region("minus", (Region(ALL), Region("or", tuple(away))))


def _of_node(node: Node) -> Region | None:
    match node.kind:
        case "word":
            return Region(ALL) if node.name == "reals" else None
        case "union" | "intersection" | "difference":
            parts = [region_of(form_of(part)) for part in node.parts]
            found = [part for part in parts if part is not None]
            if len(found) < len(parts):
                return None
            kinds = {"union": "or", "intersection": "and", "difference": "minus"}
            return joined(kinds[node.kind], found)
        case "relation":
            return inequality(node)
        case "builder":
            return _built(node)
    return None


def _built(node: Node) -> Region | None:
    bound, condition = node.parts
    if (
        bound.kind == "relation"
        and bound.name == "in"
        and bound.parts[1].name in ("R", "\\mathbb{R}")
    ):
        bound = bound.parts[0]
    if bound.kind != "symbol":
        return None
    conditions = [condition]
    if condition.kind == "list" and condition.name in (",", "and"):
        conditions = list(condition.parts)
    parts: list[Region] = []
    for one in conditions:
        domain = one.kind == "relation" and one.name == "in" and one.parts[1].name in NUMBER_SETS
        if domain and one.parts[1].name in REALS:
            continue
        part = None if domain else region_of(form_of(one))
        if part is None or part.variable != bound.name:
            return None
        parts.append(part)
    return named(Region("and", tuple(parts)), "") if parts else None
