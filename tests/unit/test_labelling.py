"""Labels of responses: which text counts as which part, in a stream, over processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from babelmath import labelling
from babelmath.config import Identification
from babelmath.errors import InputError
from babelmath.identification import Identifier
from babelmath.labelling import Labeller, label_generation
from babelmath.records import Generation
from babelmath.thinking import part
from stand_ins import LANGUAGES, REPOSITORY, generation, read_cases

ENGLISH = "We add the two numbers and divide the sum by three to get the answer."
FRENCH = "On additionne les deux nombres et on divise la somme par trois pour conclure."
HOW = Identification()
EVERY = list(LANGUAGES.values())
MODEL = Identifier(HOW, EVERY)


def response(text: str, style: str = "tags", **fields: object) -> Generation:
    parts = part(text, "", style, str(fields.get("finish", "stop")))
    values = {"thinking": parts.thinking, "raw": text, "flags": list(parts.flags)}
    return generation(parts.answer, **values, **fields)


def told(item: Generation) -> tuple[str, str, str, str, list[str]]:
    """Paper's labels of thinking and answer, strict ones, flags."""
    record = label_generation(item, MODEL)
    assert record.identity == item.identity
    first, second = record.thinking, record.answering
    return first.paper, second.paper, first.strict, second.strict, record.flags


@pytest.mark.parametrize("style", ["tags", "opened"])
def test_thinking_and_answer_are_labelled_apart(style: str) -> None:
    opening = "<think>" if style == "tags" else ""
    item = response(f"{opening}{ENGLISH}</think>{FRENCH}", style)
    assert told(item) == ("en", "fr", "en", "fr", [])


def test_channels_are_labelled_apart() -> None:
    text = (
        f"<|channel|>analysis<|message|>{ENGLISH}<|end|>"
        f"<|start|>assistant<|channel|>final<|message|>{FRENCH}"
    )
    assert told(response(text, "channels")) == ("en", "fr", "en", "fr", [])


@pytest.mark.parametrize("style", ["none", "tags"])
def test_without_a_thinking_part_the_whole_response_counts_as_both(style: str) -> None:
    item = response(FRENCH, style)
    record = label_generation(item, MODEL)
    assert record.thinking == record.answering
    assert told(item) == ("fr", "fr", "fr", "fr", [])


def test_an_empty_thinking_part_is_english_to_the_paper_and_undetermined_else() -> None:
    item = response(f"<think>\n\n</think>\n{FRENCH}")
    assert told(item) == ("en", "fr", "und", "fr", ["empty thinking"])


def test_thinking_that_never_closed_is_both_parts_to_the_paper() -> None:
    item = response(f"<think>{FRENCH}", finish="length")
    assert told(item) == ("fr", "fr", "fr", "und", ["truncated"])


def test_an_answer_that_was_cut_off_is_truncated() -> None:
    assert told(response(f"<think>{ENGLISH}</think>{FRENCH}", finish="length"))[4] == ["truncated"]


def test_the_paper_parts_at_the_last_closing_tag() -> None:
    text = f"<think>{ENGLISH}</think>{ENGLISH} `</think>` {FRENCH}"
    record = label_generation(response(text), MODEL)
    assert record.thinking.paper == "en" and record.answering.paper == "fr"


def test_a_blocked_response_is_undetermined() -> None:
    item = generation("", finish="blocked")
    assert told(item) == ("en", "en", "und", "und", [])


# Streams


def many(number: int) -> list[Generation]:
    """Responses in all languages, longer and shorter ones."""
    texts = [case["text"] for case in read_cases("prose.jsonl")]
    return [
        response(
            f"<think>{(texts[one % 15] + chr(10)) * (1 + one % 4)}</think>{texts[-one % 15]}",
            id=f"p{one:05d}",
        )
        for one in range(number)
    ]


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_stream_has_the_labels_of_each_response_in_order(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelling, "BATCH", 3000)
    items = many(90)
    with Labeller(HOW, EVERY, workers) as labeller:
        found = list(labeller.stream(items))
    assert found == [label_generation(item, MODEL) for item in items]


def test_a_labeller_takes_one_stream_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling, "BATCH", 3000)
    with Labeller(HOW, EVERY, 2) as labeller:
        first, second = (list(labeller.stream(many(20))) for _ in range(2))
    assert first == second and len(first) == 20


def test_a_stream_that_is_left_early_spoils_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling, "BATCH", 3000)
    items = many(60)
    with Labeller(HOW, EVERY, 2) as labeller:
        left = labeller.stream(items)
        first = next(left)
        left.close()  # type: ignore[attr-defined]
        again = list(labeller.stream(items))
    assert again[0] == first
    assert [one.id for one in again] == [one.id for one in items]


def test_an_empty_stream_has_no_labels() -> None:
    with Labeller(HOW, EVERY, 2) as labeller:
        assert list(labeller.stream([])) == []


def test_a_stream_is_read_no_further_than_a_bounded_number_of_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(labelling, "BATCH", 1)  # one response each
    read = 0

    def source() -> Iterator[Generation]:
        nonlocal read
        for item in many(120):
            read += 1
            yield item

    ahead = 0
    with Labeller(HOW, EVERY, 2) as labeller:
        for out, _ in enumerate(labeller.stream(source())):
            ahead = max(ahead, read - out)
    assert read == 120
    assert ahead <= 2 * labelling.AHEAD + 2


def test_a_missing_model_is_told_by_the_workers_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(labelling, "BATCH", 3000)
    how = Identification(weights=str(tmp_path / "lid.176.bin"))
    for workers in (1, 2):
        with (
            pytest.raises(InputError, match=r"identification\.weights"),
            Labeller(how, EVERY, workers) as labeller,
        ):
            list(labeller.stream(many(40)))


def test_a_worker_that_dies_stops_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelling, "BATCH", 3000)
    with pytest.raises(RuntimeError, match="died"), Labeller(HOW, EVERY, 2) as labeller:
        for _ in labeller.stream(many(400)):
            os.kill(labeller.pids[0], signal.SIGKILL)


PARENT = """
import os, signal, sys
from babelmath import labelling
from babelmath.config import Identification
from stand_ins import LANGUAGES
from test_labelling import many

labelling.BATCH = 3000
with labelling.Labeller(Identification(), list(LANGUAGES.values()), 2) as labeller:
    for _ in labeller.stream(many(100)):
        print(*labeller.pids, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_with_a_process_that_is_killed() -> None:
    paths = [REPOSITORY / one for one in ("scripts", "tests", "tests/unit")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    parent = subprocess.run(
        [sys.executable, "-c", PARENT], env=env, capture_output=True, text=True, check=False
    )
    assert parent.returncode == -signal.SIGKILL, parent.stderr
    workers = [Path("/proc", pid) for pid in parent.stdout.split()]
    assert len(workers) == 2
    for _ in range(600):
        if not any(map(running, workers)):
            return
        time.sleep(0.1)
    pytest.fail("a worker outlived the process that started it")


def running(place: Path) -> bool:
    try:
        return " Z " not in (place / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
