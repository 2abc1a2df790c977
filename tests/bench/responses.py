r"""Synthetic responses to MMATH's problems, as a seeded generator makes them.

374 problems in 10 languages with 4 samples each are 14,960 responses. Half are right. A wrong one
is plausible: a slip of the exact answer, and in half of the cases one of the few slips that
responses to this problem share, as models repeat each other's mistakes. All end in a sentence of
their language with a box, as models write them; a tenth of the values in other notation: native or
full-width digits, the language's grouping, \dfrac, an equation, a unit.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("en", "zh", "ar", "es", "fr", "ja", "ko", "pt", "th", "vi")
SENTENCES = {
    "en": "Therefore, the final answer is {}.",
    "zh": "因此，最终答案是 {}。",
    "ar": "وبالتالي فإن الإجابة النهائية هي {}.",
    "es": "Por lo tanto, la respuesta final es {}.",
    "fr": "Par conséquent, la réponse finale est {}.",
    "ja": "したがって、最終的な答えは {} です。",
    "ko": "따라서 최종 답은 {} 입니다.",
    "pt": "Portanto, a resposta final é {}.",
    "th": "ดังนั้นคำตอบสุดท้ายคือ {}",
    "vi": "Vì vậy, đáp án cuối cùng là {}.",
}
DIGITS = {"ar": "٠١٢٣٤٥٦٧٨٩", "th": "๐๑๒๓๔๕๖๗๘๙", "zh": "０１２３４５６７８９",
          "ja": "０１２３４５６７８９", "ko": "０１２３４５６７８９"}  # fmt: skip
GROUPS = {"en": ",", "fr": r"\,", "es": ".", "pt": ".", "vi": "."}
TOWERS = ("10^{10^{10}}", "9^{9^{9^{9}}}", "1000000!", "(100!)!", "2^{2^{2^{2^{2^{2}}}}}",
          "3^{7^{100}}!", "10^{10^{10^{10}}}-1")  # fmt: skip
OTHER = ("[-\\frac{1}{4}, 0) \\cup (0, 2)", "\\frac{3}{4}", "\\frac{4}{21}", "\\frac{\\sqrt{6}}{4}",
         "2\\sqrt{2}", "8\\sqrt{5} - 16", "(-\\infty,-1)\\cup(6,+\\infty)", "10^{2^n-n-1}",
         "\\frac{\\sqrt{7}}{4}", "2\\sqrt{2}-2", "\\frac{1}{2}")  # fmt: skip


@dataclass(frozen=True)
class Made:
    """One response: the value it gives, the text that a model would end with, how it was made.

    `plain`: the value stands in plain Western notation, as the exact answer is written.
    """

    id: str
    lang: str
    sample: int
    value: str
    text: str
    right: bool
    plain: bool


def exact_answers(seed: int) -> tuple[dict[str, str], str]:
    """The exact answers by id, and where they come from.

    BABELMATH_BENCHMARKS names the released ones. Without it: as many numbers and expressions of the
    same kinds.
    """
    if folder := os.environ.get("BABELMATH_BENCHMARKS"):
        rows = json.loads(Path(folder, "mmath", "en.json").read_text(encoding="utf-8"))
        found = {f"mmath-{row['gid']:04d}": str(row["answer"]) for row in rows}
        return found, "the released benchmark"
    draw = random.Random(f"{seed}/exact")
    values = [str(draw.choice((draw.randint(0, 99), draw.randint(0, 999), draw.randint(0, 99999))))
              for _ in range(374 - len(OTHER))]  # fmt: skip
    return {f"mmath-{n:04d}": one for n, one in enumerate([*values, *OTHER])}, "seeded stand-ins"


def responses(
    exact: Mapping[str, str], seed: int, samples: int = 4, towers: float = 0.0
) -> Iterator[Made]:
    """Responses to all problems in all languages, in the order of their keys.

    Args:
        towers: share of responses that give a number too large for any computer.
    """
    values = {key: answer.strip("$ ") for key, answer in exact.items()}
    for key in sorted(values):
        draw = random.Random(f"{seed}/{key}")
        shared = [slip(values[key], draw) for _ in range(3)]
        for lang in sorted(LANGUAGES):
            for sample in range(samples):
                right = draw.random() < 0.5
                if right:
                    value = values[key]
                else:
                    value = draw.choice(shared) if draw.random() < 0.5 else slip(values[key], draw)
                value, plain = spelt(value, lang, draw) if draw.random() < 0.1 else (value, True)
                if draw.random() < towers:
                    value, right, plain = draw.choice(TOWERS), False, False
                box = f"$\\boxed{{{value}}}$"
                text = SENTENCES[lang].format(box)
                yield Made(key, lang, sample, value, text, right, plain)


def slip(value: str, draw: random.Random) -> str:
    """Another value that a model might give: a number off, a digit exchanged, a sign turned."""
    if re.fullmatch(r"-?\d+", value):
        number = int(value)
        other = draw.choice((
            number + draw.choice((-2, -1, 1, 2, 10, -10)), 2 * number, number // 2, 10 * number,
            -number, int(str(abs(number))[::-1]), draw.randint(0, 2 * abs(number) + 9),
        ))  # fmt: skip
        return str(other if other != number else number + 1)
    places = [match.span() for match in re.finditer(r"\d+", value)]
    if not places or draw.random() < 0.2:
        return str(draw.randint(-20, 999))
    start, end = draw.choice(places)
    return value[:start] + str(int(value[start:end]) + draw.choice((1, 2, 3))) + value[end:]


def spelt(value: str, lang: str, draw: random.Random) -> tuple[str, bool]:
    """The same value in another notation, and whether that is still plain Western notation."""
    if not re.fullmatch(r"-?\d+", value):
        return value.replace("\\frac", "\\dfrac").replace(",", ", "), True
    if lang in DIGITS:
        return value.translate(str.maketrans("0123456789", DIGITS[lang])), False
    if abs(int(value)) > 999:
        return f"{int(value):,}".replace(",", GROUPS[lang]), False
    return draw.choice((f"x = {value}", f"{value}\\text{{ cm}}", f"{value}.0")), False
