r"""The size guard for what is not compared here: would evaluating this text ever end?

math-verify evaluates whatever it reads. What this guard calls too large is not given to it.
"""

from __future__ import annotations

import functools
import re

from babelmath.scoring.same.exact import exact
from babelmath.scoring.same.grammar import tree_of
from babelmath.scoring.same.polynomials import MOST_BITS, fresh_budget
from babelmath.scoring.same.quotients import UndefinedError
from babelmath.scoring.same.tree import Node, TooLargeError, UndecidedError, UnreadableError, walk

GROWING = ("power", "factorial", "call")
TOWER = re.compile(r"\^\s*\{?\s*\(?\s*\d+\s*\^\s*\{?\s*\(?\s*\d+")  # 10^{10^{10}} in other notation
LARGE_FACTORIAL = re.compile(r"\d{5,}\s*!|[!)}]\s*[)}]?\s*!")


@functools.lru_cache(maxsize=4096)
def is_too_large(text: str, bits: int = MOST_BITS) -> bool:
    """Whether a text holds a power or factorial of more bits; never raises."""
    if "^" not in text and "!" not in text and "\\binom" not in text:
        return False
    try:
        node, _ = tree_of(text)
    except UnreadableError:
        return bool(TOWER.search(text) or LARGE_FACTORIAL.search(text))
    except (TooLargeError, RecursionError):
        return True
    with fresh_budget():
        return any(_grows(part, bits) for part in walk(node) if part.kind in GROWING)


def _grows(node: Node, bits: int) -> bool:
    try:
        value = exact(node).rational
    except TooLargeError:
        return True
    except (UndecidedError, UndefinedError):
        return False
    return value is not None and max(value.numerator, value.denominator).bit_length() > bits
