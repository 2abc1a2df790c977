"""How a service fails, whatever protocol it speaks: a seeded schedule of faults by question.

A server asks `fault(question, turn)` what to do with the nth request of a question, so the
schedule is the same however many requests are in flight and wherever a run was killed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

# What a service does instead of answering. Each protocol has its own form of these.
FAULTS = (
    "throttled",  # 429 without a word about when to come back
    "throttled with a delay",  # 429 with Retry-After or RetryInfo
    "broken",  # 500
    "overloaded",  # 503
    "reset",  # the connection is reset after the request was taken
    "late",  # the request is taken and answered after the client's time-out
    "truncated",  # the body ends in the middle
    "garbage",  # 200, and a body that is no JSON
    "empty",  # 200, and no choice or candidate
    "blocked",  # the safety filter: an answer of its kind, no failure
)
# Nobody knows whether the service computed and charged these.
UNKNOWN = frozenset({"reset", "late", "truncated", "garbage"})


class Faults:
    """Which requests fail, and how.

    Every request, a repeated one too, fails with a chance of `share`; the kinds come in turn. No
    question fails more than `most` times, so `most` + 1 attempts bring every answer.
    """

    def __init__(
        self,
        questions: Iterable[str],
        seed: int,
        share: float = 0.3,
        most: int = 4,
        kinds: Sequence[str] = FAULTS,
    ) -> None:
        draw = random.Random(seed)
        self.of: dict[str, list[str]] = {}
        turn = 0
        for question in questions:
            planned = self.of.setdefault(question, [])
            while len(planned) < most and draw.random() < share:
                planned.append(kinds[turn % len(kinds)])
                turn += 1
                if planned[-1] == "blocked":
                    break

    def fault(self, question: str, turn: int) -> str | None:
        """The fault of the nth request (from 1) of a question; none: it is answered."""
        planned = self.of[question]
        if turn <= len(planned):
            return planned[turn - 1]
        return "blocked" if "blocked" in planned else None

    def finish(self, question: str) -> str:
        """The one right end of a question: stop or blocked."""
        return "blocked" if "blocked" in self.of[question] else "stop"

    def requests(self, question: str) -> int:
        """How often a question is sent until it has its end, where nothing else goes wrong."""
        planned = self.of[question]
        return len(planned) + (0 if "blocked" in planned else 1)

    def unknown(self, question: str) -> int:
        """How many of these requests have a fate that nobody knows."""
        return sum(one in UNKNOWN for one in self.of[question])
