"""What a model's journal adds up to: requests, tokens, and what may be charged twice."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from babelmath.appended import whole_lines
from babelmath.engines.base import Request
from babelmath.files import parse_line

Row = tuple[str, str]  # purpose, lang
MESSAGE_TOKENS = 16  # most tokens that a chat format puts around one message
IMAGE_TOKENS = 2000  # most tokens that a service counts for one picture


@dataclass
class Account:
    """Sums of one row.

    `batch_...` are those of the tokens that came by batches, `possible_...` the most tokens of
    attempts whose fate is unknown and of answers that came without a count.
    """

    asked: int = 0
    responses: int = 0
    failures: int = 0
    unanswered: int = 0
    unknown_fate: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    thinking_tokens: int = 0
    asked_again: int = 0
    batch_prompt: int = 0
    batch_new: int = 0
    possible_prompt: int = 0
    possible_new: int = 0

    def add(self, other: Mapping[str, int]) -> None:
        """Add sums by name; names that are none of this account's are left out."""
        for name in vars(self):
            setattr(self, name, getattr(self, name) + other.get(name, 0))

    def possible(self, times: int, most: Iterable[int]) -> None:
        """Count attempts of unknown fate with the most that each may have taken."""
        prompt, new = most
        self.unknown_fate += times
        self.possible_prompt += times * prompt
        self.possible_new += times * new


@dataclass
class _Pending:
    """A request that was sent and is not settled: how often, for which row, at most what."""

    row: Row
    most: tuple[int, int]
    times: int = 0


@dataclass
class Books:
    """Adds up the files of one model's journal, in any order."""

    rows: dict[Row, Account] = field(default_factory=lambda: defaultdict(Account))

    def __post_init__(self) -> None:
        self._keys: dict[str, int] = {}
        self._answered = array("d")  # by key: when its first response came
        self._sent = array("Q"), array("d"), array("L")  # key, when, row
        self._order: list[Row] = []
        self._row_numbers: dict[Row, int] = {}

    def file(self, path: Path) -> None:
        """Add a journal file; a line without an end is being written, or was cut by a kill.

        Raises:
            InputError: a line that is no strict JSON, or a damaged packed file.
        """
        self.lines(parse_line(line, path, number) for number, line in whole_lines(path))

    def lines(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Add the lines of one file, in their order."""
        pending: dict[int, _Pending] = {}
        for line in lines:
            if line["kind"] == "dropped":
                for one in line["rows"]:
                    self.rows[one["purpose"], one["lang"]].add(one)
                continue
            row = line["purpose"], line["lang"]
            account, key = self.rows[row], self._key(line["key"])
            asked = self._key(line["of"]) if "of" in line else key
            if line["kind"] == "asked":
                account.asked += 1
                most = line.get("most") or (0, 0)
                pending.setdefault(key, _Pending(row, (most[0], most[1]))).times += 1
                self._note(key, line["time"], row)
            else:
                self._came(account, key, line, pending, asked)
        for one in pending.values():
            account = self.rows[one.row]
            account.unanswered += max(one.times, 0)
            account.possible(max(one.times, 0), one.most)

    def _came(
        self,
        account: Account,
        key: int,
        line: Mapping[str, Any],
        pending: dict[int, _Pending],
        asked: int,
    ) -> None:
        used = took(line["response"])
        account.prompt_tokens += used.prompt
        account.completion_tokens += used.new
        account.thinking_tokens += used.thinking
        account.batch_prompt += used.prompt if used.batch else 0
        account.batch_new += used.new if used.batch else 0
        most = most_tokens_of(line["request"])
        account.possible(line["response"].get("unknown", 0), most)
        if used.uncounted:
            account.possible_prompt += most[0]
            account.possible_new += most[1]
        settled = line["settles"]
        if line["kind"] == "response":
            account.responses += 1
            self._answered[key] = min(self._answered[key], line["time"])
            settled = settled or 1  # handed in by an earlier run as a part of a batch
        else:
            account.failures += 1
        if asked in pending:
            pending[asked].times -= settled
            if pending[asked].times <= 0:
                del pending[asked]

    def balance(self) -> dict[Row, Account]:
        """The rows, with what was asked although it was journalled (`asked_again`)."""
        again: Counter[Row] = Counter()
        for key, when, row in zip(*self._sent, strict=True):
            again[self._order[row]] += when > self._answered[key]
        for one, times in again.items():
            self.rows[one].asked_again += times
        self._sent = array("Q"), array("d"), array("L")
        return dict(self.rows)

    def _key(self, key: str) -> int:
        number = self._keys.setdefault(key, len(self._keys))
        if number == len(self._answered):
            self._answered.append(float("inf"))
        return number

    def _note(self, key: int, when: float, row: Row) -> None:
        number = self._row_numbers.setdefault(row, len(self._order))
        if number == len(self._order):
            self._order.append(row)
        keys, times, rows = self._sent
        keys.append(key)
        times.append(when)
        rows.append(number)


class Took(NamedTuple):
    """The tokens that came with a response, those of earlier attempts that it pays for included.

    `batch`: it came by a batch; `uncounted`: a text came, and no word of its tokens.
    """

    prompt: int
    new: int
    thinking: int
    batch: bool
    uncounted: bool


def took(response: Mapping[str, Any]) -> Took:
    """What a response took, from its fields."""
    paid = response.get("paid") or (0, 0, 0)
    counted = response["prompt_tokens"], response["completion_tokens"]
    return Took(
        counted[0] + paid[0],
        counted[1] + paid[1],
        response.get("thinking_tokens", 0) + paid[2],
        "batch" in (response.get("sent") or {}),
        bool(response.get("text")) and counted == (0, 0),
    )


def most_tokens(request: Request) -> tuple[int, int]:
    """The most prompt and new tokens of a request: no tokenizer makes more tokens than bytes."""
    return most_tokens_of(
        {
            "messages": request.messages,
            "images": request.images,
            "schema": request.schema,
            "max_tokens": request.max_tokens,
        }
    )


def most_tokens_of(request: Mapping[str, Any]) -> tuple[int, int]:
    """The same of a request as the journal holds it."""
    texts = [content for _, content in request["messages"]] + [request.get("schema") or ""]
    prompt = sum(len(text.encode("utf-8", "replace")) + MESSAGE_TOKENS for text in texts)
    return prompt + IMAGE_TOKENS * len(request.get("images") or ()), request["max_tokens"]
