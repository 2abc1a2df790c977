"""Checks: what the grammar takes, what it means, and what it refuses."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.audit import evaluation, syntax
from babelmath.audit.evaluation import evaluate
from babelmath.audit.intervals import Interval
from babelmath.audit.syntax import (
    Attainable,
    Call,
    Chain,
    Comparison,
    Equation,
    Negation,
    Number,
    OneOf,
    Reference,
    expanded,
    format_check,
    labels,
    parse_check,
    references,
    split_checks,
)
from babelmath.errors import InputError

A, B, C = Reference("t.a"), Reference("t.b"), Reference("t.c")
VALUES = {
    "t.a": Interval.point(Fraction(2)),
    "t.b": Interval.point(Fraction(5)),
    "t.c": Interval.point(Fraction(-3)),
    "t.na": None,
}

NUMBERS = st.decimals(0, 1000, places=2).map(lambda value: Number(Fraction(value)))
IDS = st.sampled_from([A, B, C])
LEAVES = NUMBERS | IDS


def chains(inner, signs):
    rest = st.lists(st.tuples(st.sampled_from(signs), inner), min_size=1, max_size=3)
    return st.builds(lambda first, more: Chain(first, tuple(more)), inner, rest)


def grown(inner):
    several = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return (
        st.builds(Negation, inner)
        | chains(inner, "+-")
        | chains(inner, "*/")
        | st.builds(Call, st.sampled_from(["mean", "sum", "min", "max"]), several)
        | st.builds(lambda one: Call("abs", (one,)), inner)
    )


NODES = st.recursive(LEAVES, grown, max_leaves=12)
CHECKS = (
    st.just(Attainable())
    | st.builds(Equation, NODES)
    | st.builds(Comparison, NODES, st.sampled_from(["<", "<=", ">", ">=", "=="]), NODES)
    | st.lists(NODES, min_size=1, max_size=4).map(lambda many: OneOf(tuple(many)))
)


def refusal(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        parse_check(text)
    assert caught.value.field == "checks"
    assert caught.value.value == text
    assert caught.value.remedy
    return caught.value


def value(text: str) -> Fraction:
    check = parse_check(text)
    assert isinstance(check, Equation)
    result = evaluate(check.expression, VALUES)
    assert result.low == result.high
    return result.low


def in_python(node) -> Fraction:
    """The value by Python's own operators, of the tree written with all its parentheses."""
    match node:
        case Number(number):
            return number
        case Reference(id):
            return VALUES[id].low
        case Negation(operand):
            return -in_python(operand)
        case Chain(first, rest):
            result = in_python(first)
            for sign, part in rest:
                other = in_python(part)
                match sign:
                    case "+":
                        result += other
                    case "-":
                        result -= other
                    case "*":
                        result *= other
                    case "/":
                        result /= other
            return result
        case Call(function, arguments):
            given = [in_python(argument) for argument in arguments]
            match function:
                case "mean":
                    return sum(given, Fraction(0)) / len(given)
                case "sum":
                    return sum(given, Fraction(0))
                case "abs":
                    return abs(given[0])
                case "min":
                    return min(given)
                case _:
                    return max(given)


def test_what_the_grammar_names_has_a_value():
    assert tuple(evaluation.FUNCTIONS) == syntax.FUNCTIONS
    assert tuple(evaluation.COMPARISONS) == syntax.COMPARISONS


@given(CHECKS)
def test_a_formatted_check_parses_into_the_same_tree(check):
    assert parse_check(format_check(check)) == check


@given(NODES)
def test_a_value_is_that_of_python_fractions(node):
    try:
        expected = in_python(node)
    except ZeroDivisionError:
        with pytest.raises(InputError, match="holds 0"):
            evaluate(node, VALUES)
    else:
        assert evaluate(node, VALUES) == Interval.point(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("24 / 4 / 2", 3),
        ("2 * 3 / 4", Fraction(3, 2)),
        ("-2 * 3", -6),
        ("2 - -3", 5),
        ("--3", 3),
        ("-(1 + 2)", -3),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("100*t.a/t.b", 40),
        ("(843*t.a + 290*t.b + 312*t.c)/1445", Fraction(843 * 2 + 290 * 5 - 312 * 3, 1445)),
        ("200*t.a/(100+t.a)", Fraction(400, 102)),
        ("mean(t.{a,b,c})", Fraction(4, 3)),
        ("mean(t.{a,b}, 11)", 6),
        ("sum(t.{ a , b })", 7),
        ("min(t.a, t.b, t.c) + max(t.{a,b})", 2),
        ("abs(t.c)", 3),
        ("abs(t.a - t.b)", 3),
        ("t.a*t.a", 4),
        ("mean(t.{a,na,b})", Fraction(7, 2)),
        ("sum(t.na, t.a)", 2),
        ("min(t.{na,a,b})", 2),
        ("max(t.na, t.a)", 2),
        ("\n mean ( t.a ,\tt.b ) ", Fraction(7, 2)),
    ],
)
def test_values(text, expected):
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("k/n", Attainable()),
        (" k/n ", Attainable()),
        ("t.a", Equation(A)),
        ("t.a>=t.b", Comparison(A, ">=", B)),
        ("t.a == -t.b", Comparison(A, "==", Negation(B))),
        ("one_of(t.{a,b}, t.c)", OneOf((A, B, C))),
        ("min(t.{a,b}) < t.c", Comparison(Call("min", (A, B)), "<", C)),
    ],
)
def test_trees(text, tree):
    assert parse_check(text) == tree


def test_several_brace_lists_give_their_product():
    assert list(expanded("t{1,2}.x.{a,b,c}")) == [
        "t1.x.a", "t1.x.b", "t1.x.c", "t2.x.a", "t2.x.b", "t2.x.c",
    ]  # fmt: skip
    check = parse_check("mean(t.{x,y}.{a,b}, t.c) >= t.x.a")
    assert references(check) == ("t.x.a", "t.x.b", "t.y.a", "t.y.b", "t.c")


@pytest.mark.parametrize(
    ("check", "names"),
    [
        ("one_of(t13.{aime2024,cnmo}.qwq.en)", ("aime2024", "cnmo")),
        ("one_of(t13.aime2024.qwq.en, t13.cnmo.qwq.en)", ("aime2024", "cnmo")),
        ("one_of(t.{a,b}.m.{en,fr})", ("a.en", "a.fr", "b.en", "b.fr")),
        ("one_of(t.a)", ("t.a",)),
        ("one_of(t.a, t.b.c)", ("t.a", "t.b.c")),
        ("one_of(t.a, 2*t.b)", ("t.a", "2 * t.b")),
    ],
)
def test_candidates_are_named_by_what_sets_them_apart(check, names):
    assert labels(parse_check(check).candidates) == names


@pytest.mark.parametrize("text", ["t.na", "1 + t.na", "-t.na", "abs(t.na)", "mean(2*t.na, 1)"])
def test_a_number_that_is_not_there_is_refused(text):
    with pytest.raises(InputError, match=r"t\.na is N/A"):
        value(text)


@pytest.mark.parametrize("text", ["mean(t.na)", "sum(t.na)", "min(t.{na,na})", "max(t.na)"])
def test_nothing_left_of_a_list_is_refused(text):
    with pytest.raises(InputError, match="no numbers left"):
        value(text)


@pytest.mark.parametrize("text", ["1/0", "t.a/(t.a - 2)", "1/(t.b + t.c - t.a)"])
def test_a_division_by_zero_is_refused(text):
    with pytest.raises(InputError, match="holds 0"):
        value(text)


def test_a_division_by_what_may_be_zero_is_refused():
    wide = {"t.a": Interval.around(Fraction("0.3"), Fraction("0.5"))}
    with pytest.raises(InputError, match="holds 0"):
        evaluate(parse_check("1/t.a").expression, wide)


def test_an_unknown_id_is_the_callers_to_tell():
    with pytest.raises(KeyError):
        evaluate(Reference("t.unknown"), VALUES)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "ends too early"),
        ("   ", "ends too early"),
        ("1 +", "ends too early"),
        ("-", "ends too early"),
        ("(1", "lacks ')'"),
        ("1)", "does not go on"),
        ("()", "neither a number nor an id"),
        ("mean()", "neither a number nor an id"),
        ("one_of()", "neither a number nor an id"),
        ("mean(1,)", "neither a number nor an id"),
        ("mean(1 2)", "lacks ')'"),
        ("1 2", "does not go on"),
        ("t.a t.b", "does not go on"),
        ("2(3)", "no function '2'"),
        ("(1)(2)", "does not go on"),
        ("1 < 2 < 3", "does not go on"),
        ("(1 < 2)", "lacks ')'"),
        ("1 != 2", "cannot have '!'"),
        ("1 = 2", "cannot have '='"),
        ("2 ** 3", "neither a number nor an id"),
        ("7 // 2", "neither a number nor an id"),
        ("7 % 2", "cannot have '%'"),
        ("+1", "neither a number nor an id"),
        ("1e5", "neither a number nor an id"),
        ("1_000", "neither a number nor an id"),
        ("0x10", "neither a number nor an id"),
        (".5", "neither a number nor an id"),
        ("5.", "neither a number nor an id"),
        ("1.2.3 + a", "neither a number nor an id"),
        ("\u0663", "cannot have"),
        ("\u00b2", "cannot have"),
        ("k / n", "neither a number nor an id"),
        ("k/n + 1", "neither a number nor an id"),
        ("mean", "neither a number nor an id"),
        ("t.A", "cannot have 'A'"),
        ("t.a-b.c-x", "neither a number nor an id"),
        ("t..a", "neither a number nor an id"),
        ("t.a.", "neither a number nor an id"),
        ("nan", "neither a number nor an id"),
        ("inf", "neither a number nor an id"),
        ("__import__('os')", "cannot have"),
        ("__import__(t.a)", "no function '__import__'"),
        ("t.__class__.__bases__()", "no function"),
        ("eval(t.a)", "no function 'eval'"),
        ("lambda: 1", "cannot have ':'"),
        ("[1, 2]", "cannot have '['"),
        ("'a'", "cannot have"),
        ("1; 2", "cannot have ';'"),
        ("median(1, 2)", "no function 'median'"),
        ("abs(1, 2)", "abs more than one"),
        ("abs(t.{a,b})", "abs more than one"),
        ("one_of(1) + 1", "does not go on"),
        ("1 + one_of(1)", "no function 'one_of'"),
        ("one_of(1) < 2", "does not go on"),
        ("mean(one_of(1, 2))", "no function 'one_of'"),
        ("one_of(one_of(1))", "no function 'one_of'"),
        ("t.{a,b}", "brace list where one number"),
        ("t.{a}", "brace list where one number"),
        ("t.{a,b} + 1", "brace list where one number"),
        ("mean(2*t.{a,b})", "brace list where one number"),
        ("mean(t.{a,b}/2)", "brace list where one number"),
        ("mean(-t.{a,b})", "brace list where one number"),
        ("t.{a,b} < 2", "brace list where one number"),
        ("mean(t.{a,b)", "braces that do not match"),
        ("mean(t.a,b})", "braces that do not match"),
        ("mean(t.{a,{b,c}})", "braces that do not match"),
        ("mean(t.{})", "neither a number nor an id"),
        ("mean(t.{a,})", "neither a number nor an id"),
        ("mean(t.{a b})", "neither a number nor an id"),
        ("mean(t.{a,B})", "neither a number nor an id"),
        ("mean(1.{2,3})", "neither a number nor an id"),
        ("9" * 31, "too many digits"),
        ("0." + "1" * 30, "too many digits"),
    ],
)
def test_what_is_not_of_the_grammar_is_refused(text, problem):
    assert problem in refusal(text).problem


@pytest.mark.parametrize(
    "nested",
    [
        lambda depth: "(" * depth + "1" + ")" * depth,
        lambda depth: "-" * depth + "1",
        lambda depth: "mean(" * depth + "1" + ")" * depth,
        lambda depth: "-(" * (depth // 2) + "1" + ")" * (depth // 2),
        lambda depth: "2*(1+" * depth + "1" + ")" * depth,
    ],
)
def test_nesting_has_a_bound(nested):
    assert isinstance(parse_check(nested(48)), Equation)
    for depth in (52, 3000):
        assert "nested deeper than 50" in refusal(nested(depth)).problem


def test_a_long_flat_check_is_no_nesting():
    assert value("1" + " + 1" * 4000) == 4001
    assert "characters" in refusal("1" + "+1" * 10_000).problem


@pytest.mark.parametrize(
    "text",
    [
        f"mean(t.{{{','.join('a' * 1001)}}})",
        f"mean(t.{'{a,b}.' * 10}c)",
        f"mean(t.{'{a,b,c,d,e,f,g,h}' * 500})",
        f"mean({', '.join(['t.{a,b}'] * 501)})",
        f"mean(t.{{{','.join('a' * 600)}}}) < mean(t.{{{','.join('a' * 600)}}})",
    ],
)
def test_brace_lists_of_many_arguments_are_refused_at_once(text):
    begin = time.perf_counter()
    assert "more than 1,000 arguments" in refusal(text).problem
    assert time.perf_counter() - begin < 1


def test_a_thousand_arguments_are_taken():
    assert len(parse_check(f"mean(t.{{{','.join('a' * 1000)}}})").expression.arguments) == 1000


def test_a_result_of_many_digits_is_refused():
    for text in ("*".join(["9" * 30] * 600), f"{'9' * 30} + 1"):
        with pytest.raises(InputError, match="too large"):
            value(text)


@pytest.mark.parametrize(
    ("cell", "checks"),
    [
        ("", ()),
        ("  ", ()),
        ("k/n", ("k/n",)),
        ("k/n; t.a; t.a < 2", ("k/n", "t.a", "t.a < 2")),
        ("k/n;t.a", ("k/n", "t.a")),
    ],
)
def test_checks_are_separated_by_semicolons(cell, checks):
    assert split_checks(cell) == checks


@pytest.mark.parametrize("cell", [";", "k/n;", "; k/n", "k/n; ; t.a"])
def test_an_empty_check_is_refused(cell):
    with pytest.raises(InputError, match="an empty check"):
        split_checks(cell)


@given(st.text(max_size=40) | st.text("ta.{},()+-*/<>=12 mean_of", max_size=40))
def test_any_text_is_parsed_or_refused(text):
    try:
        check = parse_check(text)
    except InputError:
        return
    assert parse_check(format_check(check)) == check
