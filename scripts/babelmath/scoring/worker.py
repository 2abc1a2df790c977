"""The process that compares answers; `equivalence` starts, limits and kills it.

Says `ready` when its imports are done, then reads one JSON object a line on standard input (gold,
answer, precise) and answers each with one (equal, gold_parsed, answer_parsed). Run as
`python worker.py MEMORY_MB`.
"""

from __future__ import annotations

import json
import logging
import resource
import sys
from typing import Any


def compare(gold: str, answer: str, precise: bool) -> dict[str, Any]:
    """Compare two answers with math-verify, both wrapped as mathematics.

    Args:
        precise: 50 digits and interval against inequality in either order (strict protocol);
            otherwise math-verify's own defaults (paper protocol).
    """
    from math_verify import parse, verify

    parsed_gold = parse(f"${gold}$", parsing_timeout=None)
    parsed_answer = parse(f"${answer}$", parsing_timeout=None)
    options: dict[str, Any] = (
        {"numeric_precision": 50, "allow_set_relation_comp": True} if precise else {}
    )
    equal = bool(parsed_gold and parsed_answer) and verify(
        parsed_gold, parsed_answer, timeout_seconds=None, **options
    )
    return {
        "equal": bool(equal),
        "gold_parsed": bool(parsed_gold),
        "answer_parsed": bool(parsed_answer),
    }


def main() -> None:
    """Serve comparisons until standard input ends."""
    limit = int(sys.argv[1]) * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    logging.disable(logging.CRITICAL)
    import math_verify  # noqa: F401

    print("ready", flush=True)
    for line in sys.stdin:
        task = json.loads(line)
        try:
            answer = compare(task["gold"], task["answer"], task["precise"])
        except (MemoryError, RecursionError) as error:
            answer = {"failed": type(error).__name__}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
