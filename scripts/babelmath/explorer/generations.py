"""The generations of one source: their chunks, and what the index says of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babelmath.explorer.packing import json_bytes, write_packet
from babelmath.explorer.sources import Key, Read, Source, complain, read
from babelmath.explorer.texts import Texts

MOST_CHARACTERS = 1_000_000  # of a chunk's texts and formulas; one generation may be longer
MOST_ROWS = 500

RULE = "rules-strict"
RIGHT = ("YES", "TP")
_PASSED = ("model", "generation")  # of a verdict's provenance: the generation's own


@dataclass(frozen=True)
class Row:
    """What the index holds of a generation; `chunk` and `place` say where its texts are.

    `labels`: thinking and answering by the paper's reading, then by the strict one; None where they
    are not told. `differ`: whether a judge and the strict rule decided differently; None where not
    both decided.
    """

    key: Key
    finish: str
    prompt_tokens: int
    completion_tokens: int
    flags: tuple[str, ...]
    statuses: tuple[str, ...]
    labels: tuple[str, str, str, str] | None
    differ: bool | None
    chunk: str
    place: int


def write_generations(source: Source, chosen: frozenset[Key] | None, folder: Path) -> list[Row]:
    """Write the chunks of a source's generations, all or the chosen ones, and list them.

    Raises:
        InputError: a damaged record, or records that do not fit each other.
    """
    rows: list[Row] = []
    number, texts = 0, Texts()
    entries: list[dict[str, Any]] = []

    def flush() -> None:
        chunk = {"texts": texts.texts, "formulas": texts.formulas, "rows": entries}
        write_packet(folder, _chunk(source, number), json_bytes(chunk))

    for one in read(source):
        if chosen is not None and one.key not in chosen:
            continue
        if len(entries) == MOST_ROWS or texts.size > MOST_CHARACTERS:
            flush()
            number, texts, entries = number + 1, Texts(), []
        try:
            rows.append(_row(one, _chunk(source, number), len(entries)))
            entries.append(_entry(one, texts))
        except (KeyError, TypeError, AttributeError):
            complain(source)  # the schema says which field is not as it must be
            raise
    if entries:
        flush()
    return rows


def differ(verdicts: Mapping[str, Mapping[str, Any]]) -> bool | None:
    """Whether a judge and the strict rule decided differently, each by itself (as in the table of
    agreement); None where not both decided."""
    rule = verdicts.get(RULE)
    if rule is None or rule["status"] not in ("correct", "wrong") or _decision(rule) is not None:
        return None
    found = [
        (_decision(one) in RIGHT) != rule["correct"]
        for scorer, one in verdicts.items()
        if scorer.startswith("judge-") and _decision(one) is not None
    ]
    return any(found) if found else None


def _chunk(source: Source, number: int) -> str:
    return f"{source.name}.{number}"


def _decision(verdict: Mapping[str, Any]) -> str | None:
    decision = (verdict["judge"] or {}).get("decision")
    return None if decision is None else str(decision)


def _row(one: Read, chunk: str, place: int) -> Row:
    own, labels = one.generation, one.labels
    return Row(
        key=one.key,
        finish=own["finish"],
        prompt_tokens=own["prompt_tokens"],
        completion_tokens=own["completion_tokens"],
        flags=tuple(own["flags"]),
        statuses=tuple(verdict["status"] for verdict in one.verdicts.values()),
        labels=None
        if labels is None
        else (
            labels["thinking"]["paper"],
            labels["answering"]["paper"],
            labels["thinking"]["strict"],
            labels["answering"]["strict"],
        ),
        differ=differ(one.verdicts),
        chunk=chunk,
        place=place,
    )


def _entry(one: Read, texts: Texts) -> dict[str, Any]:
    own = one.generation
    return {
        "thinking": texts.prose(own["thinking"] or None),
        "answer": texts.prose(own["answer"]),
        "received": _received(own, texts),
        "seed": own["seed"],
        "engine": own["engine"],
        "sent": own["sent"],
        "flags": own["flags"],
        "provenance": own["provenance"],
        "verdicts": [_verdict(verdict, texts) for verdict in one.verdicts.values()],
        "labels": one.labels
        and {key: one.labels.get(key) for key in ("thinking", "answering", "flags")},
    }


def _received(own: Mapping[str, Any], texts: Texts) -> int | list[str] | None:
    """The text as received: None where it is the answer or was not kept; where thinking and answer
    stand in it as they are, what is before, between and behind them; else its place."""
    raw, thinking, answer = own["raw"], own["thinking"], own["answer"]
    if not raw or raw == answer:
        return None
    start = raw.find(thinking)
    middle = raw.find(answer, start + len(thinking)) if start >= 0 else -1
    if middle < 0:
        return texts.plain(raw)
    parts = raw[:start], raw[start + len(thinking) : middle], raw[middle + len(answer) :]
    return list(parts)


def _verdict(verdict: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    provenance = {key: value for key, value in verdict["provenance"].items() if key not in _PASSED}
    return {
        "scorer": verdict["scorer"],
        "status": verdict["status"],
        "extracted": texts.value(verdict["extracted"]),
        "gold": texts.value(verdict["gold"]),
        "rewrites": verdict["rewrites"],
        "judge": verdict["judge"] and _judge(verdict["judge"], texts),
        "provenance": provenance,
    }


def _judge(judge: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    return {key: value for key, value in _judged(judge, texts)}


def _judged(judge: Mapping[str, Any], texts: Texts) -> Iterator[tuple[str, Any]]:
    for key, value in judge.items():
        if key == "reason" and isinstance(value, str):
            yield key, texts.prose(value)
        elif key == "raw" and isinstance(value, str):
            yield key, texts.plain(value)
        elif value is not None:
            yield key, value
