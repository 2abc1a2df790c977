r"""Which commas part the members of a bracket, and which belong to a number.

(3,14) is a pair in every language, 2(3,14+x) a product in those that write 3,14.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\{[.,]\}|[()\[\]{},;]", re.DOTALL)
_OPENERS = {"(": "(", "[": "[", "{": "{", "\\{": "\\{", "\\lbrace": "\\{"}
_CLOSERS = {")": "(", "]": "[", "}": "{", "\\}": "\\{", "\\rbrace": "\\{"}
# Before a parenthesis that encloses a factor or an argument, not the members of a pair.
_FACTOR = re.compile(
    r"(?:[\d}+*/)!]|(?:^|[^=,;(\[{])-|\\(?:times|cdot|div|sin|cos|tan|cot|sec|csc|arcsin|arccos"
    r"|arctan|ln|log|lg|exp|sqrt)(?:_\S+)?)\s*$"
)
_POINT = re.compile(r"[A-Za-z](?:_?\{?\d{1,2}\}?|')\s*$")  # P_1(1,2), A'(1,2)
_TEXT = re.compile(r"\\(?:text|mathrm|textrm|mbox|quad|qquad)\s*\{[^{}]*\}\s*$")
_OPERATED = re.compile(r"\s*(?:[\^!*/+]|-\s*[\d\\a-zA-Z(]|\\(?:times|cdot|div)(?![a-zA-Z]))")
_REVERSED_END = re.compile(r"\s*(?:$|[,;)}.$]|\\cup|\\cap|\\text|\\setminus|\\\})")


@dataclass
class _Scope:
    opener: str
    parts: bool  # may its commas part members
    index: bool = False  # a subscript: x_{1,2}
    tight: list[int] = field(default_factory=list)  # commas between two digits
    loose: int = 0  # other commas
    semicolons: int = 0


def parting_commas(text: str) -> frozenset[int]:
    """Places of the commas between two digits that part members of a bracket.

    Where a bracket has semicolons, or loose commas that part its members already, tight commas
    belong to numbers; a bracket with tight commas alone is a list of them. Linear in the text.
    """
    stack: list[_Scope] = []
    parting: list[int] = []
    for match in _TOKEN.finditer(text):
        token, at = match[0], match.start()
        if token in (",", ";"):
            if stack:
                _count(stack[-1], text, token, at)
            continue
        reverse = token in "[]" and _reversed(text, token, match.end(), stack)
        if reverse is (token == "[") and (token in _CLOSERS or reverse):
            _close(stack, token, parting, text, match.end())
        elif token in _OPENERS or reverse:
            stack.append(_opened(text, token, at))
    return frozenset(parting)


def _count(scope: _Scope, text: str, token: str, at: int) -> None:
    if token == ";":
        scope.semicolons += 1
    elif text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit():
        scope.tight.append(at)
    else:
        scope.loose += 1


def _reversed(text: str, token: str, end: int, stack: list[_Scope]) -> bool:
    """Whether the bracket is one of ]1;2[ turned outwards."""
    if token == "]":
        return not any(scope.opener in "([]" for scope in stack[-1:])
    inside = bool(stack) and stack[-1].opener in "([]"
    told = inside and bool(stack[-1].tight or stack[-1].loose or stack[-1].semicolons)
    return told and bool(_REVERSED_END.match(text, end))


def _opened(text: str, token: str, at: int) -> _Scope:
    before = text[max(0, at - 40) : at]
    opener = _OPENERS.get(token, token)
    if opener == "{":
        index = before.endswith("_")
        bare = not re.search(r"(?:\\[a-zA-Z]+\*?|[\^_}\]])\s*$", before)
        return _Scope(opener, bare, index)
    if opener == "[" and before.endswith("\\sqrt"):
        return _Scope(opener, False)
    if opener == "(" and _FACTOR.search(before):
        return _Scope(opener, bool(_POINT.search(before) or _TEXT.search(before)))
    return _Scope(opener, True)


def _close(stack: list[_Scope], token: str, parting: list[int], text: str, end: int) -> None:
    wanted = _CLOSERS.get(token, "")
    fits = bool(stack) and (
        stack[-1].opener == wanted or (token in "()[]" and stack[-1].opener in "([]")
    )
    if not fits:
        return
    scope = stack.pop()
    if scope.index:
        parting.extend(scope.tight)
    if not scope.parts or scope.semicolons or not scope.tight:
        return
    if token == ")" and scope.opener == "(" and _OPERATED.match(text, end):
        return
    if scope.loose == 0 or len(scope.tight) < scope.loose:
        parting.extend(scope.tight)
