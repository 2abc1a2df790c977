"""How an option letter and what stands around it look in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from babelmath.scoring.letter_words import (
    AFFIRMED_AFTER,
    CHOOSING,
    DENIED_AFTER,
    DENIED_LAST,
    OPTION_WORDS,
)
from babelmath.scoring.statements import alternatives

# A letter is no option inside a word or a formula.
OPERATOR = (
    r"\s*(?:\\(?:cap|cup|setminus|times|cdot|in|sub|sup|to|perp|parallel|cong|sim)|[∩∪×·⊂∈=<>+^÷]"
    r"|/|[-–]\s*[A-Z](?![A-Za-z])|['′](?![a-zäöüğışç]))"
)
NO_MORE = rf"(?![A-Za-z0-9À-ɏ_^])(?!{OPERATOR})"
NOTHING_BEFORE = r"(?<![A-Za-z0-9À-ɏ\\_^'′/+=×·∩∪])(?<![+=×·∩∪]\s)"
CAPITAL = re.compile(rf"([A-D]){NO_MORE}")
# "a" is an article or a preposition unless a mark or the end follows.
SMALL = re.compile(rf"([a-d]){NO_MORE}(?!\s*[-*(\\])(?:(?<!a)|(?=[)\]}}.,:;*_$\"'”]|\s*$|\s*\n))")
ALONE = re.compile(rf"{NOTHING_BEFORE}([A-D]){NO_MORE}")
ARTICLE = re.compile(r"\s+(?!(?:and|as|because|is|or|since|for|with|by|was|but|are)\b)[a-zà-ÿ]")

OPENING = r"[(\[{*_$\"'“«]*(?:\\(?:text|math)(?:bf|it|rm|sf)?\{)?[(\[{*_$]*"
CLOSING = r"[)\]}*_$\"'”»]*"
OPTION = alternatives(OPTION_WORDS)
IS = r"(?:\s*(?:is|are|was|be|would\s+be|seems|হলো|হল)(?!\w))"
DENIAL = re.compile(
    rf"{CLOSING}\s*(?:{IS}\s*(?:also|clearly|definitely|therefore|thus)?|[:(→–—-])?\s*"
    + alternatives(DENIED_AFTER)
    + rf"|{CLOSING}{IS}\s*(?:not|out)(?!\w)"
    + rf"|{CLOSING}(?:\s+[^\s.।,;]+){{0,3}}\s*{alternatives(DENIED_LAST)}",
    re.IGNORECASE,
)
# Right before a letter or a list of letters: it is the last of those that are all denied.
NONE_OF = re.compile(
    r"\b(?:none|neither|no\s+one|not\s+(?:one|any))\s+of\b[^.!?\n]{0,40}\Z", re.IGNORECASE
)
TENTATIVE = re.compile(rf"{CLOSING}\s*[?？]")
AFFIRMED = re.compile(
    rf"{CLOSING}{IS}?\s*(?:also|clearly|therefore|thus)?\s*{alternatives(AFFIRMED_AFTER)}",
    re.IGNORECASE,
)
OPTIONED = re.compile(rf"{OPTION}\s*:?\s*{OPENING}([A-Da-d]){NO_MORE}", re.IGNORECASE)
OPTION_IS = re.compile(
    rf"{OPTION}\s*[*_]*\s*(?:[:：]|(?:is|হলো|হল)(?!\w)|是|は|为)\s*{OPENING}(?-i:([A-D])){NO_MORE}",
    re.IGNORECASE,
)
CHOSEN = re.compile(
    rf"{alternatives(CHOOSING)}\s*(?:the|{OPTION}|\s)*{OPENING}(?-i:([A-D])){NO_MORE}",
    re.IGNORECASE,
)
# Where a letter is named as an option: first in a line, in marks, at the end of a clause.
AT_LINE = re.compile(rf"^[ \t>#*_(\[{{$-]*([A-Da-d]){CLOSING}[.:]?(?:[)\]}}.:]|\s*$)", re.MULTILINE)
IN_MARKS = re.compile(r"(?<![A-Za-z0-9\\])(?:[(\[]\s*([A-D])\s*[)\]]|\*\*[(\[]?([A-D])[)\]]?\*\*)")
AT_END = re.compile(rf"{NOTHING_BEFORE}([A-D]){CLOSING}\s*(?:[.,;:!?。।！？—–]|\Z|\n|-\s)")
LABEL = re.compile(r"(?:^|(?<=[\s(*\[]))([A-D])[*_]*\s*[.):\]]", re.MULTILINE)

# What stands before a final-answer phrase that supposes or doubts; it ends in the phrase's word.
SUPPOSED = re.compile(
    r"(?:(?:\b(?:if|suppose|assum\w+|whether|were)|(?:not|n't|never)\s+"
    r"(?:think|believe|say|mean|true|clear|sure))\s+(?:that\s+)?(?:the\s+)?(?:\w+\s+){0,3}"
    r"|(?<![\w-])s[ie]\s+(?:l[ae]|[ao])\s+(?:\w+\s+){0,2}"
    r"|(?<!\w)(?:eğer|jos|jei|jeigu|егер|nếu|giả\s+sử|إذا|لو|যদি)\s+(?:\S+\s+){0,3}"
    r"|(?:如果|假如|假设|假設|もし|仮に|만약|ถ้า|หาก|สมมติว่า)[^\n,，、.。;；]{0,12}?)"
    r"(?:[^\s\d,，、.。:;：；]+[.:：]?\s*)?\Z",
    re.IGNORECASE,
)
MATH = re.compile(
    r"\$[^$\n]*\$|\\\((?:[^\\]|\\\\|\\(?![\\()]))*+\\\)|\\\[(?:[^\\]|\\\\|\\(?![\\\[\]]))*+\\\]"
)
FONT = re.compile(
    r"\\(?:text|math|operatorname)(?:bf|it|rm|sf|tt)?|\\(?:left|right|[,;!: ()])|[{}$*_~]"
)
# A box's content that is a letter, its fonts taken off; the option's text may follow.
IN_BOX = re.compile(
    rf"(?:(?:the\s+)?(?:correct\s+)?(?:final\s+)?(?:answer|{OPTION})\s*(?:is|:)?\s*)?"
    r"(?-i:(?P<letter>[A-Da-d]))?(?:[(\[]\s*(?-i:(?P<inner>[A-Da-d]))\s*[)\]])?"
    r"(?P<rest>\s*\Z|\s*[.):,–—-]\s*\S.*|(?<=[)\]])\s*\S.*)",
    re.IGNORECASE | re.DOTALL,
)
ANSWER_TAG = re.compile(r"<(/?)(?:(?:final[_ ]?)?answer|final)>", re.IGNORECASE)


@cache
def joined(joins: tuple[str, ...]) -> re.Pattern[str]:
    """What joins another letter to one before, given the words for "and" and "or"."""
    letter = rf"\s*(?:both|either|{OPTION})?\s*{OPENING}(?-i:[A-D]){NO_MORE}"
    return re.compile(
        rf"{CLOSING}\s*(?:[,،、;/]\s*)?(?:{alternatives(joins)}|[&+/]){letter}"
        rf"|{CLOSING}\s*[,،、;]{letter}(?={CLOSING}\s*(?:[.,;:!?。।]|\Z|\n|{alternatives(joins)}))",
        re.IGNORECASE,
    )


def with_word(pattern: re.Pattern[str], words: Sequence[str], text: str) -> Iterator[re.Match[str]]:
    """Matches of a pattern that begins with one of these words; a text without them is passed."""
    lowered = text.lower()
    return pattern.finditer(text) if any(word in lowered for word in words) else iter(())


def open_tags(text: str) -> str:
    """A text whose <answer> and <final> tags are a statement's words."""
    return ANSWER_TAG.sub(lambda match: "\n" if match.group(1) else " Answer: ", text)
