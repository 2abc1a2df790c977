"""Two texts in plain notation to one verdict: read both, compare their forms, say how."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace

from babelmath.scoring.same.applications import DERIVATIVE
from babelmath.scoring.same.decide import same
from babelmath.scoring.same.forms import Form, Labelled, Many, Other, Value, form_of
from babelmath.scoring.same.grammar import tree_of
from babelmath.scoring.same.numbers import Judging
from babelmath.scoring.same.polynomials import fresh_budget
from babelmath.scoring.same.quotients import UndefinedError
from babelmath.scoring.same.tree import (
    AmbiguousError,
    TooLargeError,
    UndecidedError,
    UnreadableError,
    letters,
    walk,
)

WRAPPER = re.compile(r"\\(?:text|textbf|textit|mathrm|mbox|textrm|operatorname|emph)\s*(?=\{)")
NEEDLESS = re.compile(r" (?=[-+=<>,;{}^_|)\]])|(?<=[-+=<>,;{}^_|(\[]) ")
MARKS = str.maketrans("", "", "{}$")
KINDS = {
    "word": "word", "ratio": "ratio", "matrix": "matrix", "based": "numeral", "union": "set",
    "intersection": "set", "difference": "set", "builder": "set", "relation": "relation",
    "congruence": "relation", "rounded": "number",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text was read as.

    Attributes:
        form: with units read as units; None where the text is not mathematics or a known word.
        variables: the form with letters that might be units (`bare`) read as variables.
        reason: why there is no form.
        too_large: the text is longer or deeper than any answer.
        products: the form with functions (f(x), A \times B) read as products, where there are any.
        used: letters used as variables beside the units.
    """

    text: str
    form: Form | None = None
    variables: Form | None = None
    bare: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    products: Form | None = None
    reason: str = ""
    too_large: bool = False

    @property
    def kind(self) -> str:
        """The form in a word: number, list, set, tuple, equation, word ..."""
        match self.form:
            case None:
                return "too large" if self.too_large else "text"
            case Value(node):
                return "expression" if letters(node) else "number"
            case Many(kind):
                return kind
            case Labelled(label, _, _, member):
                return "set" if member else "named value" if label.kind == "symbol" else "equation"
            case Other(node):
                return KINDS.get(node.kind, node.kind)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict with its reasons; `failed` is "too large" where the size guard stopped it and
    "undecided" where the texts are the same in one reading only."""

    equal: bool
    gold_parsed: bool
    answer_parsed: bool
    failed: str | None = None
    how: str = ""
    set_aside: tuple[str, ...] = ()


@functools.lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    """Read a text; never raises."""
    with fresh_budget():
        return _read(text)


def _read(text: str) -> Reading:
    try:
        node, bare = tree_of(text)
        form = variables = form_of(node)
        if bare:
            try:
                variables = form_of(tree_of(text, with_units=False)[0])
            except UnreadableError:  # letters of a word are no variables
                bare = frozenset()
        products = None
        if any(one.kind == "apply" and not one.name.startswith(DERIVATIVE) for one in walk(node)):
            products = form_of(tree_of(text, applying=False)[0])
        return Reading(text, form, variables, bare, letters(node), products)
    except UnreadableError as error:
        return Reading(text, reason=str(error))
    except (TooLargeError, RecursionError):
        return Reading(text, too_large=True, reason="too large")
    except (UndecidedError, UndefinedError):
        return Reading(text, reason="no value")


def judge(gold: str, answer: str, judging: Judging) -> Outcome:
    """Whether two texts are the same answer.

    Raises:
        UndecidedError: evaluation is needed and `judging` has none, or nothing here can tell.
    """
    first, second = read(gold), read(answer)
    parsed = (first.form is not None, second.form is not None)
    if spelt(gold) == spelt(answer):
        same_text = bool(gold.strip())
        return Outcome(same_text, *parsed, how="same text" if same_text else "nothing")
    if first.too_large or second.too_large:
        return Outcome(False, *parsed, failed="too large")
    if first.form is None or second.form is None:
        if bare_words(gold) == bare_words(answer) != "":
            return Outcome(True, *parsed, how="same words")
        if _other_notation(first) or _other_notation(second):
            raise UndecidedError("notation")
        return Outcome(False, *parsed, how="text")
    left = first.variables if first.bare & second.used else first.form
    right = second.variables if second.bare & first.used else second.form
    assert left is not None and right is not None
    try:
        with fresh_budget():
            equal = same(left, right, judging)
        if not equal and _same_as_products(first, second, judging):
            raise AmbiguousError("function or product")
    except (TooLargeError, RecursionError):
        return Outcome(False, *parsed, failed="too large")
    except AmbiguousError as error:
        return Outcome(False, *parsed, failed="undecided", how=str(error))
    except UndecidedError:
        if judging.numeric is None or (first.products or second.products) is None:
            raise
        return Outcome(False, *parsed, failed="undecided", how="function or product")
    except UndefinedError:
        return Outcome(False, *parsed, how="undefined")
    how = ", ".join(judging.rules) or "forms"
    return Outcome(equal, *parsed, how=how, set_aside=tuple(judging.aside) if equal else ())


def _same_as_products(one: Reading, other: Reading, judging: Judging) -> bool:
    """Whether two texts are the same where letters before brackets are factors.

    Raises:
        UndecidedError: evaluation is needed and `judging` has none.
    """
    left, right = one.products or one.form, other.products or other.form
    if (one.products or other.products) is None or left is None or right is None:
        return False
    try:
        return same(left, right, replace(judging, rules={}, aside={}))
    except (UndecidedError, TooLargeError, UndefinedError):
        if judging.numeric is None:
            raise
        return True


def _other_notation(reading: Reading) -> bool:
    """Whether a text is LaTeX that only another parser may know, not words."""
    return reading.form is None and "command" in reading.reason


def spelt(text: str) -> str:
    """A text without the blanks that mean nothing: those beside a sign; 3 1/2 is not 31/2."""
    return NEEDLESS.sub("", " ".join(text.split()))


def bare_words(text: str) -> str:
    """A text in words: no LaTeX around them, no case, no blanks but one, no end mark."""
    plain = WRAPPER.sub("", text).replace("\\ ", " ").translate(MARKS)
    return " ".join(plain.split()).rstrip(".。।").casefold()
