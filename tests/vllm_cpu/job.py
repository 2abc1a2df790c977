"""A job that asks the vLLM engine through the journal, to be killed.

Arguments: a folder (journal/ and, at the end, out), the weights, the number of requests.
"""

from __future__ import annotations

import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "scripts"), str(HOME / "tests")]

from babelmath.asking import Models  # noqa: E402
from babelmath.engines import Request  # noqa: E402
from vllm_cpu.asked import model, question  # noqa: E402


def requests(count: int) -> list[Request]:
    """Four samples of each question, with seeds and lengths of their own."""
    return [
        question(f"Tell me about the number {n // 4}.", seed=n, tokens=4 + n % 9, sample=n % 4)
        for n in range(count)
    ]


def main(folder: str, weights: str, count: str) -> None:
    asked = requests(int(count))
    with Models({"m": model(Path(weights))}, Path(folder, "journal"), "job", None) as models:
        answers = models.ask("m", asked, "job")
    told = [
        f"{answered.key} {one.sample} {answered.response.finish}\n"
        for one, answered in zip(asked, answers, strict=True)
    ]
    Path(folder, "out").write_text("".join(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
