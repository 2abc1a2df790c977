"""Reading answers, exact arithmetic, sizes, bounds and units, by which comparisons are decided."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from babelmath.scoring.same.bounds import bounds, sign
from babelmath.scoring.same.exact import exact
from babelmath.scoring.same.grammar import tree_of
from babelmath.scoring.same.guard import is_too_large
from babelmath.scoring.same.literals import literal, repeating
from babelmath.scoring.same.magnitude import differ, of_number, size
from babelmath.scoring.same.numbers import Judging
from babelmath.scoring.same.numeric import ENOUGH, points, same
from babelmath.scoring.same.pairing import pairs_off
from babelmath.scoring.same.quotients import UndefinedError, same_exact
from babelmath.scoring.same.reading import judge, read
from babelmath.scoring.same.tree import Node, TooLargeError, UndecidedError
from babelmath.scoring.same.units import unit_of
from stand_ins import UNTIMED, each_case

FRACTIONS = st.fractions(max_denominator=10**6)


def tree(text: str) -> Node:
    return tree_of(text)[0]


def written(value: Fraction) -> str:
    minus = "-" if value < 0 else ""
    return rf"{minus}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


@each_case("exact_values.jsonl")
def test_value_is_exact(case: dict[str, Any]) -> None:
    try:
        value = exact(tree(case["text"])).rational
    except UndecidedError:
        value = None
    assert value == (None if case["value"] is None else Fraction(case["value"]))


@each_case("gold_forms.jsonl")
def test_form_of_an_answer(case: dict[str, Any]) -> None:
    reading = read(case["text"])
    assert reading.kind == case["form"]
    assert (reading.form is None) == (case["form"] == "text")
    assert bool(reading.reason) == (case["form"] == "text")


@each_case("units.jsonl")
def test_words_of_a_unit(case: dict[str, Any]) -> None:
    found = unit_of(case["words"])
    if case.get("none"):
        assert found is None
        return
    assert found is not None
    scale, unit = found
    assert scale == Fraction(case.get("scale", 1))
    if not case.get("unit", True):
        assert unit is None
        return
    assert unit is not None
    assert unit.factor == Fraction(case["factor"])
    dimensions = case["dimensions"]
    assert unit.dimensions == (None if dimensions is None else tuple(sorted(dimensions.items())))


@UNTIMED
@given(FRACTIONS, FRACTIONS)
def test_arithmetic_is_that_of_fractions(one: Fraction, other: Fraction) -> None:
    first, second = written(one), written(other)
    assert exact(tree(f"({first})+({second})")).rational == one + other
    assert exact(tree(f"({first})({second})")).rational == one * other
    if other:
        assert exact(tree(rf"\frac{{{first}}}{{{second}}}")).rational == one / other


@UNTIMED
@given(st.integers(1, 400), st.integers(1, 400))
def test_roots_are_equal_when_their_squares_are(one: int, other: int) -> None:
    values = [exact(tree(rf"{k}\sqrt{{{n}}}")) for k, n in [(1, one * other * other), (other, one)]]
    assert same_exact(*values)
    assert not same_exact(values[0], exact(tree(rf"\sqrt{{{one * other * other + 1}}}")))


@UNTIMED
@given(st.integers(-99, 99), st.integers(1, 60), st.integers(1, 60))
def test_bounds_hold_the_value(whole: int, one: int, other: int) -> None:
    text = rf"\frac{{{whole}+\sqrt{{{one}}}}}{{\sqrt[3]{{{other}}}+\pi}}"
    low, high = bounds(exact(tree(text)), 40)
    value = (whole + math.sqrt(one)) / (other ** (1 / 3) + math.pi)
    assert low <= high
    assert float(low) == pytest.approx(value, rel=1e-12)
    assert high - low < Fraction(1, 10**36)
    assert sign(exact(tree(text))) == (value > 0) - (value < 0)


def test_division_by_nothing_has_no_value() -> None:
    for text in ["1/0", "\\frac{1}{x-x}", "0^{-1}", "0^0"]:
        with pytest.raises(UndefinedError):
            exact(tree(text))
        assert not judge(text, "0", Judging()).equal


@pytest.mark.parametrize("text", ["10^{10^{10}}", "(100!)!", "1000000!", "2^{2^{2^{2^{2^{2}}}}}"])
def test_size_guard_stops_before_evaluation(text: str) -> None:
    with pytest.raises(TooLargeError):
        exact(tree(text))
    assert is_too_large(text)
    assert is_too_large(f"\\operatorname{{foo}} x + {text}")


@pytest.mark.parametrize("text", ["2^{100}", "1000!", "x^{20}", "\\frac{1}{2006!}", "5", "a^b^c"])
def test_size_guard_lets_through_what_can_be_written(text: str) -> None:
    assert not is_too_large(text)


@UNTIMED
@given(FRACTIONS, FRACTIONS)
def test_sizes_tell_no_number_from_itself(one: Fraction, other: Fraction) -> None:
    assert not differ(of_number(one), of_number(one))
    if differ(of_number(one), of_number(other)):
        assert one != other


@UNTIMED
@given(st.integers(2, 50), st.integers(2, 50), st.integers(10**6, 10**9))
def test_sizes_order_towers_as_their_exponents(one: int, other: int, exponent: int) -> None:
    assume(one != other)
    assert differ(size(tree(f"{one}^{{{exponent}}}")), size(tree(f"{other}^{{{exponent}}}")))
    tower = tree(f"{one}^{{{other}^{{{exponent}}}}}")
    assert not differ(size(tower), size(tower))


def test_sizes_that_nearly_cancel_are_not_told_apart() -> None:
    with pytest.raises(TooLargeError):
        size(tree("10^{10^{10}}-10^{10^{10}}"))


@UNTIMED
@given(st.integers(0, 999), st.text("0123456789", max_size=5), st.text("0123456789", min_size=1,
                                                                       max_size=5))  # fmt: skip
def test_repeating_decimal_is_its_fraction(whole: int, once: str, again: str) -> None:
    value = repeating(f"{whole}.{once}\\overline{{{again}}}").value
    assert value is not None
    shift = 10 ** len(once)
    tail = value * shift - int(f"{whole}{once}")
    assert tail * (10 ** len(again) - 1) == int(again)


@UNTIMED
@given(st.integers(0, 10**9), st.integers(0, 12))
def test_decimal_keeps_its_value_and_places(digits: int, places: int) -> None:
    text = f"{digits:0{places + 1}d}"
    text = f"{text[:-places]}.{text[-places:]}" if places else text
    node = literal(text)
    assert node.value == Fraction(digits, 10**places)
    assert node.places == (places or None)


@UNTIMED
@given(st.fractions(min_value=0, max_value=1000, max_denominator=999), st.integers(1, 12))
def test_decimal_stands_for_a_fraction_from_six_digits_on(value: Fraction, places: int) -> None:
    shown = math.floor(value * 10**places)
    assume(Fraction(shown, 10**places) != value)
    text = f"{shown // 10**places}.{shown % 10**places:0{places}d}"
    counted = len(str(shown)) >= 6 and shown > 0 and value.denominator != 1
    assert judge(written(value), text, Judging()).equal is counted


def test_points_have_both_signs_and_never_change() -> None:
    names = frozenset(("x", "y"))
    first, again = list(points(names)), list(points(names))
    assert first == again
    for name in names:
        assert sum(point[name] < 0 for point in first) > ENOUGH
        assert sum(point[name] > 0 for point in first) > ENOUGH


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("\\sin 2x", "2\\sin x\\cos x", True),
        ("\\sqrt{x^2}", "x", False),
        ("\\sqrt[3]{x^3}", "x", True),
        ("\\ln(xy)", "\\ln x+\\ln y", True),
        ("\\sqrt{1-x^2}", "\\cos(\\arcsin x)", True),
        ("\\arctan x+\\arctan\\frac1x", "\\frac{\\pi}{2}", False),
        ("\\sum_{k=1}^{n}k^2", "\\frac{n(n+1)(2n+1)}{6}", True),
        ("(-1)^{2n}", "1", True),
        ("\\sin(10^{-30})", "0", False),
        ("\\sin\\pi", "0", True),
        ("\\sin\\pi", "\\cos\\frac{\\pi}{2}", True),
        ("e^{\\pi\\sqrt{163}}", "262537412640768744", False),
    ],
)
def test_evaluation_tells_functions_apart(one: str, other: str, equal: bool) -> None:
    assert same(tree(one), tree(other)) is equal
    assert same(tree(other), tree(one)) is equal


def test_evaluation_stops_at_sizes() -> None:
    for text in ["\\sin(10^{10^{5}})", "e^{e^{e^{10}}}", "2^{10^{9}x}"]:
        with pytest.raises(TooLargeError):
            same(tree(text), tree("x"))


HOSTILE = [
    "+".join(f"7^{{{19000 + at}}}" for at in range(300)),
    "".join(f"(x+{at})" for at in range(250)),
    "+".join(rf"\\frac{{1}}{{x+{at}}}" for at in range(200)),
    "+".join(rf"\\sqrt{{{10**9 + 7 * at}}}" for at in range(180)),
    "\\{" + ",".join(map(str, range(900))) + "\\}",
    "\\{a:" * 40 + "1" + "\\}" * 40,
    "3\\frac{" * 40 + "1" + "}{2}" * 40,
    "\\sqrt{" * 45 + "2" + "}" * 45,
    "2^" * 1900 + "2",
    "-" * 3900 + "1",
    "(" * 3900,
    "|" * 300 + "x" + "|" * 300,
    "x" + "'" * 3900,
    "!" * 3000,
    "5 " + "km/" * 1000,
    "word " * 700,
    "\\quad" * 600 + "1",
    "1:2:" * 900 + "3",
    "1e9999",
    "1.5e9999",
    "x^{10^{5000}}",
    "1e9999_5",
    "\\sqrt{1e9999}",
    "9" * 3999,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("other", ["1.234567", "{}+0"])
def test_hostile_text_is_decided_or_left_to_evaluation(text: str, other: str) -> None:
    for pair in [(text, other.replace("{}", text)), (other.replace("{}", text), text)]:
        try:
            outcome = judge(*pair, Judging())
        except UndecidedError:
            continue
        assert outcome.failed in (None, "too large")
        assert not outcome.equal or other == "{}+0"


def test_long_work_is_left_to_evaluation() -> None:
    with pytest.raises(UndecidedError):
        judge("(a+b+c+d+e+f+g+h)^{40}", "x", Judging())


@pytest.mark.parametrize(
    ("count", "fitting", "whole"),
    [
        (0, set(), True),
        (2, {(0, 0), (0, 1), (1, 0)}, True),
        (2, {(0, 0), (1, 0)}, False),
        (3, {(0, 0), (0, 1), (1, 0), (2, 1), (2, 2)}, True),
        (3, {(0, 0), (1, 0), (2, 1), (2, 2)}, False),
    ],
)
def test_things_pair_off_when_each_has_its_own(
    count: int, fitting: set[tuple[int, int]], whole: bool
) -> None:
    assert pairs_off(count, lambda left, right: (left, right) in fitting) is whole


def test_undecided_part_of_a_list_counts_only_where_it_matters() -> None:
    tower, other = "10^{10^{10}}", "10^{10^{10}}+1"
    for pair in [(f"{tower},5", f"6,{other}"), (f"6,{other}", f"{tower},5")]:
        outcome = judge(*pair, Judging())
        assert (outcome.equal, outcome.failed) == (False, None)
    for pair in [(f"{tower},5", f"5,{other}"), (f"5,{other}", f"{tower},5")]:
        assert judge(*pair, Judging()).failed == "too large"
