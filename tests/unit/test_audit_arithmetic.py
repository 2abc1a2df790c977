"""The arithmetic audit: each verdict by hand, and GRIM against brute force."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.audit.arithmetic import (
    FAILED,
    VERDICTS,
    Finding,
    Inference,
    attainable,
    audit_arithmetic,
    inferred,
    rounded,
    verdict_of,
)
from babelmath.audit.claims import Claim
from babelmath.errors import InputError


def claim(id: str, printed: str, *checks: str, unit: str = "percent", n=None, where="table1"):
    """A claim as the ledger gives it; decimals are those printed."""
    text = unit in ("name", "sentence") or printed == "N/A"
    decimals = None if text else len(printed.partition(".")[2])
    exact = text or unit == "count"
    return Claim(
        id=id, paper="mmath", where=where, row="", column="", printed=printed, unit=unit,
        decimals=decimals, population="", formula="arithmetic", records=(), checks=checks,
        source="paper", value=None if text else Fraction(printed),
        half=Fraction(0) if exact else Fraction(1, 2 * 10**decimals), n=n, line=2,
    )  # fmt: skip


def audited(*claims) -> list[Finding]:
    return audit_arithmetic({one.id: one for one in claims})


def only(*claims) -> Finding:
    """The single finding of these claims."""
    (finding,) = audited(*claims)
    return finding


OTHERS = [
    claim("t.a", "60.9"),
    claim("t.b", "61.0"),
    claim("t.c", "-0.68", unit="points"),
    claim("t.n", "843", unit="count"),
    claim("t.na", "N/A"),
]


@pytest.mark.parametrize(
    ("printed", "unit", "check", "verdict"),
    [
        ("60.9", "percent", "t.a", "consistent"),
        ("60.90", "percent", "t.a", "consistent"),
        ("60.94", "percent", "t.a", "within rounding"),
        ("60.95", "percent", "t.a", "within rounding"),
        ("60.96", "percent", "t.a", "contradicts"),
        ("61", "percent", "t.a", "consistent"),
        ("60", "percent", "t.a", "contradicts"),
        ("60.95", "percent", "mean(t.{a,b})", "consistent"),
        ("60.9", "percent", "mean(t.{a,b})", "consistent"),  # a tie, to the even digit
        ("61.0", "percent", "mean(t.{a,b})", "consistent"),  # a tie, up
        ("60.99", "percent", "mean(t.{a,b})", "within rounding"),
        ("61.2", "percent", "mean(t.{a,b})", "contradicts"),
        ("60.95", "percent", "mean(t.{a,na,b})", "consistent"),
        ("0.1", "points", "t.b - t.a", "consistent"),
        ("0.2", "points", "t.b - t.a", "within rounding"),
        ("0.0", "points", "t.b - t.a", "within rounding"),
        ("-0.1", "points", "t.b - t.a", "contradicts"),
        ("0.26", "points", "t.b - t.a", "contradicts"),
        ("843", "count", "t.n", "consistent"),
        ("844", "count", "t.n", "contradicts"),
        ("1133", "count", "t.n + 290", "consistent"),
        ("61", "count", "t.a", "contradicts"),
        ("61", "count", "t.b", "consistent"),
        ("58.34", "percent", "100*t.n/1445", "consistent"),
        ("58.35", "percent", "100*t.n/1445", "contradicts"),
        ("60.9", "percent", "one_of(t.{a,b})", "consistent"),
        ("60.95", "percent", "one_of(t.{na,b,a})", "within rounding"),
        ("59", "percent", "one_of(t.{a,b})", "contradicts"),
        ("yes", "sentence", "t.b > t.a", "consistent"),
        ("yes", "sentence", "t.a > t.b", "contradicts"),  # both can be 60.95, and no more
        ("yes", "sentence", "t.a >= t.b", "within rounding"),
        ("yes", "sentence", "t.a == t.b", "within rounding"),
        ("yes", "sentence", "t.a == t.a", "consistent"),
        ("yes", "sentence", "t.a >= t.a", "consistent"),
        ("yes", "sentence", "t.n > 843", "contradicts"),
        ("yes", "sentence", "t.n >= 843", "consistent"),
        ("yes", "sentence", "843 < t.n", "contradicts"),
        ("yes", "sentence", "t.a > 60.95", "contradicts"),  # the end itself is not above itself
        ("yes", "sentence", "t.a >= 60.95", "within rounding"),
        ("yes", "sentence", "60.85 > t.a", "contradicts"),
        ("yes", "sentence", "t.a < 60.85", "contradicts"),
        ("yes", "sentence", "t.a <= 60.85", "within rounding"),
        ("yes", "sentence", "t.a <= 60.8", "contradicts"),
        ("yes", "sentence", "t.a == 60.85", "within rounding"),
        ("yes", "sentence", "t.a == 61", "contradicts"),
        ("yes", "sentence", "max(t.{a,na}) < min(t.{b,na})", "consistent"),
        ("N/A", "percent", "t.b > t.a", "consistent"),
    ],
)
def test_verdicts(printed, unit, check, verdict):
    finding = only(claim("t.x", printed, check, unit=unit), *OTHERS)
    assert (finding.claim, finding.check, finding.verdict) == ("t.x", check, verdict)
    assert finding.failed is (verdict == "contradicts")


@pytest.mark.parametrize(
    ("printed", "verdict"), [("0.1", "contradicts"), ("0.2", "consistent"), ("0.3", "consistent")]
)
def test_a_tie_may_be_rounded_up_or_to_the_even_digit(printed, verdict):
    """1 of 400 is 0.25 percent: 0.3 rounded up, 0.2 to the even digit."""
    assert only(claim("t.x", printed, "100*1/400")).verdict == verdict
    share = only(claim("t.x", printed, "k/n", n=400))
    assert share.note == ("k = 1 of 400" if printed != "0.1" else "0/400 = 0.0, 1/400 = 0.3")


def test_the_expected_value_and_its_bounds_are_told():
    finding = only(claim("t.x", "61.2", "mean(t.{a,b})"), *OTHERS)
    assert finding.expected == Fraction("60.95")
    assert (finding.low, finding.high) == (Fraction("60.9"), Fraction("61"))
    assert finding.note == ""


@pytest.mark.parametrize(
    ("printed", "check", "note"),
    [
        ("-0.64", "0.64", "sign differs"),
        ("0.68", "t.c", "sign differs"),
        ("-5", "t.a", "sign differs"),
        ("0.68", "-t.c", ""),
        ("0.5", "0.64", ""),
        ("0", "t.a", ""),
        ("-0.00", "t.c", ""),
    ],
)
def test_a_sign_slip_is_named(printed, check, note):
    finding = only(claim("t.x", printed, check, unit="points"), *OTHERS)
    assert finding.note == note


def test_a_sign_that_rounding_turns_is_no_slip():
    finding = only(claim("t.x", "-0.04", "t.b - t.a - 0.05", unit="points"), *OTHERS)
    assert (finding.verdict, finding.note) == ("within rounding", "")


@pytest.mark.parametrize(
    ("printed", "n", "verdict", "note"),
    [
        ("71.35", 1445, "consistent", "k = 1031 of 1445"),
        ("71.38", 1445, "unattainable", "1031/1445 = 71.35, 1032/1445 = 71.42"),
        ("71", 1445, "consistent", "k = 1019 to 1033 of 1445"),
        ("0", 60, "consistent", "k = 0 of 60"),
        ("100", 60, "consistent", "k = 60 of 60"),
        ("38.33", 60, "consistent", "k = 23 of 60"),
        ("38.34", 60, "unattainable", "23/60 = 38.33, 24/60 = 40.00"),
        ("100.01", 60, "unattainable", "60/60 = 100.00"),
        ("101.67", 60, "unattainable", "no share of 60 is near"),
        ("-0.01", 60, "unattainable", "0/60 = 0.00"),
        ("-1.67", 60, "unattainable", "no share of 60 is near"),
        ("33.3", 3, "consistent", "k = 1 of 3"),
        ("50", 10**11, "consistent", "k = 49500000000 to 50500000000 of 100000000000"),
    ],
)
def test_shares_of_whole_items(printed, n, verdict, note):
    finding = only(claim("t.x", printed, "k/n", n=n))
    assert (finding.verdict, finding.note) == (verdict, note)


def test_an_attainable_share_is_told_exactly():
    finding = only(claim("t.x", "71", "k/n", n=1445))
    assert finding.expected == Fraction(100 * 1026, 1445)
    assert (finding.low, finding.high) == (Fraction(101900, 1445), Fraction(103300, 1445))


def test_an_unattainable_share_has_neighbours_and_nothing_expected():
    finding = only(claim("t.x", "71.38", "k/n", n=1445))
    assert finding.expected is None
    assert (finding.low, finding.high) == (Fraction(103100, 1445), Fraction(103200, 1445))
    finding = only(claim("t.x", "100.01", "k/n", n=60))
    assert (finding.low, finding.high) == (Fraction(100), None)


def test_a_difference_of_shares_may_be_negative():
    assert only(claim("t.x", "-1.67", "k/n", unit="points", n=60)).verdict == "consistent"
    assert only(claim("t.x", "-1.70", "k/n", unit="points", n=60)).verdict == "unattainable"


@given(
    st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.integers(0, 3),
    st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]),
)
def test_every_share_of_whole_items_passes(share, decimals, rounding):
    k, n = share
    exact = Decimal(100 * k) / n
    printed = str(exact.quantize(Decimal(1).scaleb(-decimals), rounding))
    assert only(claim("t.x", printed, "k/n", n=n)).verdict == "consistent"


@given(st.integers(1, 150), st.integers(-500, 10_500), st.integers(0, 2))
def test_a_share_is_refused_where_no_whole_number_gives_it(n, digits, decimals):
    value = Fraction(digits, 100)
    half = Fraction(1, 2 * 10**decimals)
    fitting = [k for k in range(n + 1) if abs(Fraction(100 * k, n) - value) <= half]
    assert list(attainable(value, half, n)) == fitting


@given(st.integers(1, 400), st.integers(0, 10_000))
def test_a_refused_share_lies_between_its_neighbours(n, digits):
    finding = only(claim("t.x", f"{digits // 100}.{digits % 100:02}", "k/n", n=n))
    brute = any(
        abs(Fraction(100 * k, n) - Fraction(digits, 100)) <= Fraction(1, 200) for k in range(n + 1)
    )
    assert (finding.verdict == "consistent") is brute
    if not brute:
        assert finding.low < Fraction(digits, 100) < finding.high
        assert finding.high - finding.low == Fraction(100, n)


@pytest.mark.parametrize(
    ("printed", "fits", "note"),
    [
        ("61", ("a", "b"), "fits a, b"),
        ("61.0", ("a", "b"), "fits a, b"),  # both can be 60.95
        ("61.1", ("b",), "fits b"),
        ("60.95", ("a", "b"), "fits a, b"),
        ("57", (), "fits none of 2; nearest is a"),
    ],
)
def test_the_candidates_that_fit_are_named(printed, fits, note):
    finding = only(claim("t.x", printed, "one_of(t.{a,b,na})"), *OTHERS)
    assert finding.candidates == ("a", "b", "na")
    assert (finding.fits, finding.note) == (fits, note)


def test_the_best_candidate_is_what_was_expected():
    finding = only(claim("t.x", "57", "one_of(t.{b,a})"), *OTHERS)
    assert finding.expected == Fraction("60.9")
    finding = only(claim("t.x", "60.95", "one_of(60.95, t.a)"), *OTHERS)
    assert (finding.expected, finding.verdict) == (Fraction("60.95"), "consistent")


def test_sides_of_a_comparison_that_fails_are_told():
    finding = only(claim("t.x", "yes", "mean(t.{a,b}) > 100*2/3", unit="sentence"), *OTHERS)
    assert finding.note == "left 60.95, right 66.6667"
    assert (finding.expected, finding.low, finding.high) == (None, None, None)


def test_findings_keep_the_order_of_claims_and_checks():
    claims = [claim("t.y", "1.0", "1", "k/n", "2", n=100), claim("t.x", "2", "1 + 1")]
    assert [(one.claim, one.check) for one in audited(*claims)] == [
        ("t.y", "1"), ("t.y", "k/n"), ("t.y", "2"), ("t.x", "1 + 1"),
    ]  # fmt: skip


def test_a_claims_verdict_is_the_worst_of_its_checks():
    assert VERDICTS == ("consistent", "within rounding", "contradicts", "unattainable")
    assert FAILED == ("contradicts", "unattainable")
    x = claim("t.x", "71.38", "71.38", "71.2 + 0.19 * t.one", "70", "k/n", n=1445)
    findings = audited(x, claim("t.one", "1.0"))
    assert [one.verdict for one in findings] == [
        "consistent", "within rounding", "contradicts", "unattainable",
    ]  # fmt: skip
    for last, verdict in enumerate(VERDICTS, start=1):
        assert verdict_of(findings[:last]) == verdict
        assert verdict_of(reversed(findings[:last])) == verdict
    assert verdict_of([]) is None


def test_what_all_one_of_checks_of_a_table_share_is_inferred():
    cells = [
        claim("s.one.x", "10.0"), claim("s.two.x", "10.4"), claim("s.three.x", "30.0"),
        claim("s.one.y", "20.0"), claim("s.two.y", "25.0"), claim("s.three.y", "20.2"),
    ]  # fmt: skip
    claims = [
        claim("t.x", "10", "one_of(s.{one,two,three}.x)", where="table4"),
        claim("t.y", "20", "one_of(s.{one,two,three}.y)", "20", where="table4"),
        claim("t.z", "10", "one_of(s.{one,two,three}.x)", where="table5"),
        claim("t.w", "10", "one_of(s.{one,two}.x)", where="table4"),
        claim("t.v", "99", "one_of(s.{one,two}.x)", where="table4"),
    ]
    names = ("one", "two", "three")
    assert inferred(audited(*claims, *cells)) == [
        Inference("table4", names, ("one",), 2),
        Inference("table5", names, ("one", "two"), 1),
        Inference("table4", ("one", "two"), (), 2),
    ]
    assert inferred([]) == []


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        ("71.346", 2, "71.35"),
        ("71.345", 2, "71.35"),
        ("0.005", 2, "0.01"),
        ("-0.005", 2, "-0.01"),
        ("-0.004", 2, "0.00"),
        ("-3.71", 1, "-3.7"),
        ("40", 2, "40.00"),
        ("0.5", 0, "1"),
        ("21499", -3, "21000"),
        ("21500", -3, "22000"),
        ("-3", -1, "0"),
    ],
)
def test_numbers_are_rounded_half_up(value, decimals, text):
    assert rounded(Fraction(value), decimals) == text


@given(st.decimals(-1000, 1000, places=4), st.integers(0, 3))
def test_rounding_is_that_of_decimal(value, decimals):
    expected = value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    assert Fraction(rounded(Fraction(value), decimals)) == Fraction(expected)


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (claim("t.x", "N/A", "k/n", n=3), "no number"),
        (claim("t.x", "N/A", "t.a"), "no number"),
        (claim("t.x", "yes", "one_of(t.a)", unit="sentence"), "no number"),
        (claim("t.x", "50", "k/n"), "k/n without n"),
        (claim("t.x", "50", "one_of(t.na)"), "no candidate"),
        (claim("t.x", "50", "t.na"), "N/A"),
        (claim("t.x", "50", "1/(t.n - 843)"), "holds 0"),
        (claim("t.x", "50", "eval(1)"), "no function"),
    ],
)
def test_a_check_that_no_ledger_would_hold_is_refused(bad, problem):
    with pytest.raises(InputError, match=problem):
        audited(bad, *OTHERS)
