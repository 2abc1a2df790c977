"""Whether two answers are the same: forms against forms, values against values.

Every rule reads both sides alike, so that the verdict does not depend on which is the gold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from babelmath.scoring.same.applications import VARIABLES
from babelmath.scoring.same.equations import same_equation, same_inequality
from babelmath.scoring.same.forms import (
    Form,
    Labelled,
    Many,
    Other,
    Value,
    form_of,
    parts_of,
)
from babelmath.scoring.same.intervals import as_regions
from babelmath.scoring.same.numbers import Judging, same_number, same_tree
from babelmath.scoring.same.opposites import contradict
from babelmath.scoring.same.pairing import (
    MOST_PARTS,
    are_of_one,
    are_statements,
    labels_of,
    matched,
)
from babelmath.scoring.same.regions import REALS
from babelmath.scoring.same.tree import (
    AmbiguousError,
    Node,
    TooLargeError,
    UndecidedError,
    holds,
    letters,
    negative,
)
from babelmath.scoring.same.values import same_value

SETS = frozenset(("set", "union", "intersection", "difference"))
TURNED = {  # relations as they read from the other side; what is missing cannot be turned
    "lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "subset": "supset", "supset": "subset",
    "subseteq": "supseteq", "supseteq": "subseteq", "in": "ni", "ni": "in",
    **{name: name for name in ("=", "ne", "equiv", "approx", "sim", "cong", "parallel", "perp",
                               "Leftrightarrow")},
}  # fmt: skip


def same(one: Form, other: Form, judging: Judging) -> bool:
    """Whether two forms are the same answer.

    Raises:
        UndecidedError: evaluation is needed and `judging` has none, or nothing here can tell.
        TooLargeError: the size guard.
    """
    if one == other:
        return True
    if isinstance(one, Value) and isinstance(other, Value):
        numbers = not (holds(one.node, SETS) or holds(other.node, SETS))
        if numbers and one.node.name not in REALS and other.node.name not in REALS:
            return same_value(one.node, other.node, judging)
    for first, second in ((one, other), (other, one)):
        if isinstance(first, Other) and first.node.kind == "rounded":  # its value or its decimal
            return any(same(form_of(part), second, judging) for part in first.node.parts)
    by_region = as_regions(one, other, judging)
    if by_region is not None:
        return by_region
    if isinstance(one, Labelled) or isinstance(other, Labelled):
        return _labelled(one, other, judging)
    if isinstance(one, Other) or isinstance(other, Other):
        return _other(one, other, judging)
    if isinstance(one, Value) and isinstance(other, Value):
        return same_value(one.node, other.node, judging)
    if isinstance(one, Many) and isinstance(other, Many):
        return _many(one, other, judging)
    many, single = (one, other) if isinstance(one, Many) else (other, one)
    assert isinstance(many, Many)
    return many.kind != "tuple" and len(many.parts) == 1 and same(many.parts[0], single, judging)


def _labelled(one: Form, other: Form, judging: Judging) -> bool:
    if isinstance(one, Labelled) and isinstance(other, Labelled):
        if contradict(_spelled(one.label), _spelled(other.label)):
            return False
        alike = same_tree(one.label, other.label) or _loose(one.label, other.label)
        if alike and same(one.form, other.form, judging):
            return True
        if one.equation is None or other.equation is None:
            return False
        return same_equation(one.equation, other.equation, judging)
    labelled, bare = (one, other) if isinstance(one, Labelled) else (other, one)
    assert isinstance(labelled, Labelled)
    if isinstance(bare, Other) and bare.node.kind == "relation":
        if labelled.equation is None or bare.node.name != "=":
            return False
        return same_equation(labelled.equation, _difference(bare.node), judging)
    names = labels_of(parts_of(bare))
    in_words = any(name.startswith("label ") for name in (labelled.label.name, *names))
    point = isinstance(labelled.form, Many) and labelled.form.kind == "tuple"
    if names and not (point or in_words or are_of_one(names)):
        return False  # several values of one letter, and one value of each of several
    if not same(labelled.form, bare, judging):
        return False
    judging.set_aside(f"name {_written(labelled.label)}")
    return True


def _loose(one: Node, other: Node) -> bool:
    """Names that two answers may choose freely: words, y for f(x)."""
    words = any(node.name.startswith("label ") for node in (one, other))
    y = any(node.kind == "symbol" and node.name == "y" for node in (one, other))
    return words or (y and any(map(_is_application, (one, other))))


def _is_application(node: Node) -> bool:
    """Whether a label is f(x), of a letter."""
    head = node.parts[0] if node.kind == "product" else node
    if node.kind == "apply":
        return node.parts[0].kind == "symbol" and node.name[0] not in VARIABLES - {"y"}
    return node.kind == "product" and len(node.parts) == 2 and head.name not in VARIABLES


def _written(label: Node) -> str:
    if label.kind == "symbol":
        return label.name.removeprefix("label ")
    return " ".join(sorted(letters(label))) or label.kind


def _spelled(label: Node) -> str:
    """The words of a label; short ones were read as letters side by side."""
    if label.kind == "product" and all(part.kind == "symbol" for part in label.parts):
        return "".join(part.name for part in label.parts)
    return label.name.removeprefix("label ")


def _difference(relation: Node) -> Node:
    return Node("sum", (relation.parts[0], negative(relation.parts[-1])))


def _many(one: Many, other: Many, judging: Judging) -> bool:
    joins = {one.join, other.join}
    if joins == {"and", "or"}:  # of relations; of values it is a list
        if not all(isinstance(part, Value) for part in one.parts):
            return False
        unclear = are_statements(one.parts) and are_statements(other.parts)
    else:
        named = _named(one.parts) and _named(other.parts)
        labels = labels_of((*one.parts, *other.parts))
        unclear = joins == {",", "or"} and named and not are_of_one(labels)
    equal = _same_parts(one, other, judging)
    if equal and unclear:
        raise AmbiguousError("and, or")
    return equal


def _same_parts(one: Many, other: Many, judging: Judging) -> bool:
    if one.kind == other.kind == "tuple" and len(one.parts) == 2:
        assert one.node is not None and other.node is not None
        if one.node.name != other.node.name:
            return False
    if {one.kind, other.kind} == {"tuple", "set"}:
        return False
    first, second = one.parts, other.parts
    if _named(first) != _named(second):
        return _record(first, second, judging)
    if "set" in (one.kind, other.kind):
        first, second = _distinct(first, judging), _distinct(second, judging)
    if len(first) != len(second):
        return False
    ordered = "tuple" in (one.kind, other.kind) or any(map(_in_order, (first, second)))
    if ordered:
        return all(same(a, b, judging) for a, b in zip(first, second, strict=True))
    return matched(first, second, _judged(judging))


def _named(parts: Sequence[Form]) -> bool:
    """Whether all parts are values with names: x=1, y=2."""
    return bool(parts) and all(isinstance(part, Labelled) and not part.member for part in parts)


def _record(one: Sequence[Form], other: Sequence[Form], judging: Judging) -> bool:
    """Named values against bare ones, in the order of the names; x_1 and x_2 in any order."""
    named, bare = (one, other) if _named(one) else (other, one)
    if any(isinstance(part, Labelled) for part in bare):
        return False
    if len(named) != len(bare):  # several values under one name, one after the other
        values: list[Form] = []
        for part in named:
            assert isinstance(part, Labelled)
            values += parts_of(part.form) if _is_list(part.form) else (part.form,)
        return len(values) == len(bare) and all(map(_judged(judging), values, bare))
    pairs = [(part.label, part.form) for part in named if isinstance(part, Labelled)]
    heads = {label.name.split("_")[0] for label, _ in pairs}
    indexed = all("_" in label.name for label, _ in pairs) and len(heads) == 1
    judging.set_aside("names " + ", ".join(_written(label) for label, _ in pairs))
    if indexed:
        return matched([form for _, form in pairs], bare, _judged(judging))
    in_order = sorted(pairs, key=lambda pair: (pair[0].kind, pair[0].name))
    return all(same(form, part, judging) for (_, form), part in zip(in_order, bare, strict=True))


def _is_list(form: Form) -> bool:
    return isinstance(form, Many) and form.kind == "list"


def _judged(judging: Judging) -> Callable[[Form, Form], bool]:
    return lambda one, other: same(one, other, judging)


def _in_order(parts: Sequence[Form]) -> bool:
    """Whether the order of parts counts: a sequence that goes on, names in words."""
    return any(
        part.node.kind == "dots"
        if isinstance(part, Value)
        else isinstance(part, Labelled) and part.label.name.startswith("label ")
        for part in parts
    )


def _distinct(parts: Sequence[Form], judging: Judging) -> tuple[Form, ...]:
    if len(parts) > MOST_PARTS:
        raise TooLargeError("elements of a set")
    kept: list[Form] = []
    for part in parts:
        if not any(same(part, one, judging) for one in kept):
            kept.append(part)
    return tuple(kept)


def _other(one: Form, other: Form, judging: Judging) -> bool:
    first = one.node if isinstance(one, Other) else None
    second = other.node if isinstance(other, Other) else None
    if first is not None and second is not None and first.kind == second.kind:
        if same_tree(first, second):
            return True
        return _same_kind(first, second, judging)
    node, form = (first, other) if first is not None else (second, one)
    assert node is not None
    if node.kind == "word":
        return node.name == "none" and isinstance(form, Many) and not form.parts
    if node.kind == "ratio" and len(node.parts) == 2 and isinstance(form, Value):
        return not node.name and same_value(Node("quotient", node.parts), form.node, judging)
    if node.kind == "congruence":  # 7 (mod 9)
        if node.parts[0].kind == "relation" or not same(form_of(node.parts[0]), form, judging):
            return False
        judging.set_aside("modulus")
        return True
    if node.kind == "matrix" and isinstance(form, Many) and form.kind != "set":
        entries = [entry for row in node.parts for entry in row.parts]
        if 1 not in (len(node.parts), len(node.parts[0].parts)) or len(entries) != len(form.parts):
            return False
        pairs = zip(entries, form.parts, strict=True)
        return all(same(form_of(entry), part, judging) for entry, part in pairs)
    if node.kind == "relation" and node.name == "=" and isinstance(form, Value):
        return False
    if node.kind == "builder":
        raise UndecidedError(node.kind)
    return False


def _same_kind(one: Node, other: Node, judging: Judging) -> bool:
    match one.kind:
        case "word":
            return one.name == other.name
        case "based":
            return one.value == other.value
        case "ratio":
            return _ratios(one, other, judging)
        case "matrix":
            rows = [[row.parts for row in node.parts] for node in (one, other)]
            shape = [(len(part), len(part[0])) for part in rows]
            entries = [[entry for row in part for entry in row] for part in rows]
            return shape[0] == shape[1] and all(
                same(form_of(a), form_of(b), judging) for a, b in zip(*entries, strict=True)
            )
        case "relation":
            return _relations(one, other, judging)
        case "builder":
            raise UndecidedError("builder")
    alike = len(one.parts) == len(other.parts)
    return alike and all(
        same(form_of(a), form_of(b), judging) for a, b in zip(one.parts, other.parts, strict=True)
    )


def _ratios(one: Node, other: Node, judging: Judging) -> bool:
    if len(one.parts) != len(other.parts):
        return False
    zeros = any(part.value == 0 for node in (one, other) for part in node.parts)
    if one.name or other.name or zeros:  # a time of day
        return all(same_number(a, b, judging) for a, b in zip(one.parts, other.parts, strict=True))
    return all(
        same_number(
            Node("product", (a, other.parts[0])), Node("product", (b, one.parts[0])), judging
        )
        for a, b in zip(one.parts[1:], other.parts[1:], strict=True)
    )


def _relations(one: Node, other: Node, judging: Judging) -> bool:
    operators = one.name.split()
    if operators == ["="] == other.name.split():
        return same_equation(_difference(one), _difference(other), judging)
    if len(operators) == 1 and operators[0] in ("lt", "gt", "le", "ge", "ne"):
        return same_inequality(one, other, judging)
    backwards = [TURNED.get(name, "") for name in reversed(other.name.split())]
    for parts, name in ((other.parts, other.name.split()), (other.parts[::-1], backwards)):
        if name == operators and len(parts) == len(one.parts):
            pairs = zip(one.parts, parts, strict=True)
            if all(same(form_of(a), form_of(b), judging) for a, b in pairs):
                return True
    return False
