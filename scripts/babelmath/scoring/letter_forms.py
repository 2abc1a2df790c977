"""Option letters as schoolbooks and typography write them, turned into A-D.

Native letters stand for A-D by their order in the schoolbooks of the language: ক খ গ ঘ, ก ข ค ง,
أ ب ج د, 가 나 다 라 and ㄱ ㄴ ㄷ ㄹ, ア イ ウ エ, 甲 乙 丙 丁, ① ② ③ ④. Cyrillic А, Б, Г are the
first, second and fourth letter, and С is taken for the Latin letter that it looks like; В is no
letter, since it is the third of its own alphabet and looks like the second of ours.
"""

from __future__ import annotations

import re
import unicodedata

LETTERS = "ABCD"
# Safe wherever they stand alone: no word of the language is one of these letters.
ALONE = ("কখগঘ", "กขคง")
# Only in brackets, alone on a line, or right after a final-answer phrase: words are spelt so too.
IN_PLACE = (
    "أبجد", "ابجد", "가나다라", "ㄱㄴㄷㄹ", "アイウエ", "甲乙丙丁", "①②③④", "АБ\0Г", "\0\0С",
)  # fmt: skip
NATIVE = {
    letter: LETTERS[at]
    for row in (*ALONE, *IN_PLACE)
    for at, letter in enumerate(row)
    if letter != "\0"
}
BLOCKS = "\u0980-\u09ff", "\u0e00-\u0e7f"
ALONE_PLACE = re.compile(
    "|".join(
        f"(?<![{block}])[{row}](?![{block}])" for row, block in zip(ALONE, BLOCKS, strict=True)
    )
)
PLACED = "".join(letter for row in IN_PLACE for letter in row if letter != "\0")
# What may follow such a letter: a mark, a blank, or the words that close a sentence.
AFTER_PLACED = r"(?=[^\w]|$|입니다|이다|이에요|예요|번|です|である|。)"
BRACKETED = re.compile(rf"(?<=[(\[{{【「])\s*([{PLACED}])\s*(?=[)\]}}】」])")
ON_A_LINE = re.compile(rf"^([\s*_#>$]*)([{PLACED}])(?=[\s*_$.):。]*$)", re.MULTILINE)
PLACED_LETTER = re.compile(rf"([{PLACED}]){AFTER_PLACED}")


def _shapes() -> dict[int, str]:
    """Full-width, circled, bracketed, squared and mathematical letters and full-width marks."""
    table: dict[int, str] = {}
    for code in [*range(0xFF01, 0xFF5F), *range(0x1D400, 0x1D6A4)]:
        plain = unicodedata.normalize("NFKC", chr(code))
        if plain != chr(code):
            table[code] = plain
    for first, small in (  # circled, bracketed, squared, filled
        (0x24B6, 0), (0x24D0, 1), (0x249C, 1), (0x1F110, 0), (0x1F130, 0), (0x1F150, 0),
        (0x1F170, 0),
    ):  # fmt: skip
        for at, letter in enumerate("abcd" if small else LETTERS):
            table[first + at] = f"({letter})"
    return table


# Invisible marks go: soft hyphen, joiners, direction marks, byte order mark.
INVISIBLE = [0xAD, 0x61C, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F)]
SHAPES: dict[int, str | None] = {
    **_shapes(),
    **dict.fromkeys([*INVISIBLE, *range(0x2060, 0x2070)]),
}


def plain_letters(text: str) -> str:
    """A text with letters of all shapes as A-D, composed, and without invisible marks."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text).translate(SHAPES)
    text = ALONE_PLACE.sub(lambda match: NATIVE[match.group()], text)
    text = BRACKETED.sub(lambda match: NATIVE[match.group(1)], text)
    return ON_A_LINE.sub(lambda match: match.group(1) + NATIVE[match.group(2)], text)
