"""What makes a multiple-choice item unusable: options that coincide, a key that tells itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from babelmath.choice_checks import bare, form_of, item_faults
from babelmath.config import Equivalence
from babelmath.scoring.equivalence import Comparer

GOOD = ["$5$", "$6$", "$4$", "$50$"]


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


def faults(
    comparer: Comparer,
    options: list[str],
    key: str = "A",
    exact: dict[str, list[str]] | None = None,
) -> list[str]:
    truth = {"en": [bare(options["ABCD".index(key)])]} if exact is None else exact
    return item_faults(options, key, truth, comparer)


def test_good_item_has_no_fault(comparer: Comparer) -> None:
    assert faults(comparer, GOOD) == []


@pytest.mark.parametrize(
    ("one", "two"), [("$7$", "$7$"), ("$0.5$", "$\\frac{1}{2}$"), ("$x+1$", "$1+x$")]
)
def test_options_that_are_the_same_mathematics(one: str, two: str, comparer: Comparer) -> None:
    options = ["$9$", one, "$4$", two]
    assert "options B and D are the same" in faults(comparer, options)


@pytest.mark.parametrize(
    ("options", "key", "fault"),
    [
        (["$5$", "6", "4", "50"], "A", "in mathematics mode"),
        (["5", "$6$", "$4$", "$50$"], "A", "outside of mathematics mode"),
        (["6", "4", "50", "$5$"], "D", "in mathematics mode"),
    ],
)
def test_key_that_alone_is_in_mathematics_mode(
    options: list[str], key: str, fault: str, comparer: Comparer
) -> None:
    assert faults(comparer, options, key) == [f"the key is the only option {fault}"]


def test_escaped_dollar_is_no_mathematics_mode(comparer: Comparer) -> None:
    assert faults(comparer, ["\\$5", "\\$6", "\\$4", "\\$50"]) == []


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["$0.5$", "$6$", "$4$", "$50$"], "a decimal and every other option a whole number"),
        (["$\\frac{1}{3}$", "$0.5$", "$1.5$", "$2.5$"], "a fraction and every other option a dec"),
        (["$2$", "$\\sqrt{2}$", "$x$", "$2x$"], "a whole number and every other option an expr"),
    ],
)
def test_key_that_alone_is_written_in_its_form(
    options: list[str], fault: str, comparer: Comparer
) -> None:
    (found,) = faults(comparer, options)
    assert found.startswith(f"the key is {fault}")


def test_forms_that_two_options_share_tell_nothing(comparer: Comparer) -> None:
    assert faults(comparer, ["$0.5$", "$1.5$", "$4$", "$50$"]) == []
    assert faults(comparer, ["$0.5$", "$\\frac{1}{3}$", "$4$", "$50$"]) == []


def test_key_must_be_the_exact_answer_of_every_language(comparer: Comparer) -> None:
    exact = {"en": ["5"], "bn": ["6"], "fi": ["5.0", "50"]}
    assert faults(comparer, GOOD, exact=exact) == ["the key is not the exact answer (bn)"]


def test_options_and_answers_that_cannot_be_compared_are_faults(comparer: Comparer) -> None:
    found = faults(comparer, ["$5$", "$\\sin(10^{10^{10}})$", "$4$", "$x$"])
    assert [fault.partition(":")[0] for fault in found] == [
        "options A and B are not comparable",
        "options B and C are not comparable",
        "options B and D are not comparable",
    ]
    (fault,) = faults(comparer, GOOD, exact={"en": ["\\sin(10^{10^{10}})"]})
    assert fault.startswith("the key is not comparable to the exact answer (en): ")


def test_one_reading_of_an_exact_answer_is_enough(comparer: Comparer) -> None:
    assert faults(comparer, GOOD, exact={"tr": ["50000", "5"]}) == []


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("-12", "a whole number"),
        ("0.50", "a decimal"),
        ("-\\dfrac{3}{4}", "a fraction"),
        ("3/4", "a fraction"),
        ("2\\sqrt{3}", "an expression"),
        ("", "an expression"),
    ],
)
def test_form_of_a_value(text: str, form: str) -> None:
    assert form_of(text) == form


@pytest.mark.parametrize(
    ("text", "plain"),
    [(" $x+1$ ", "x+1"), ("$5$ and $7$", "5 and 7"), ("\\$5", "\\$5"), ("$$5$$", "5")],
)
def test_dollar_signs_are_taken_off(text: str, plain: str) -> None:
    assert bare(text) == plain
