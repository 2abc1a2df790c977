"""The journal: on disk before it counts, whole after a kill, and keyed by all that matters."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.config import Model
from babelmath.engines import identity
from babelmath.engines.base import Request, Response
from babelmath.errors import InputError
from babelmath.journal import store as module
from babelmath.journal.store import Journal

REPOSITORY = Path(__file__).resolve().parents[2]
REQUEST = Request(
    purpose="generation", lang="en", messages=(("system", "Be brief."), ("user", "What is $1+1$?")),
    temperature=0.6, top_p=0.95, max_tokens=16, sample=0, seed=7, schema=None,
)  # fmt: skip
SERVED = Model(display="Served", engine="openai", service="served-1", revision="r1")
KEYS = [f"{number:064x}" for number in range(20)]


def response(text: str = "2", **changes: Any) -> Response:
    values: dict[str, Any] = {
        "text": text, "finish": "stop", "prompt_tokens": 7, "completion_tokens": 3, "seconds": 0.5,
        "sent": {"model": "served-1"}, "attempts": ["HTTP 503"],
    }  # fmt: skip
    return Response(**(values | changes))


FAILURE = Response(attempts=["HTTP 500"], failure="HTTP 500")


def answered(folder: Path, job: str, *keys: str) -> None:
    """A job that asks and gets an answer to each key, then ends."""
    journal = Journal(folder, job)
    for key in keys:
        journal.asked(key, REQUEST)
        journal.add(key, REQUEST, response(f"answer to {key}"))
    journal.close()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


# What is kept


@pytest.mark.parametrize(
    "text", ["2", "", "one\u2028two\x85three\nfour", "ক্ষ 方程 🧮", "\x00\ufeff", "x" * 200_000]
)
def test_a_response_is_returned_word_by_word_now_and_later(tmp_path, text):
    journal = Journal(tmp_path, "job")
    kept = response(text, thinking=text)
    journal.add(KEYS[0], REQUEST, kept)
    assert KEYS[0] in journal and journal.get(KEYS[0]) == kept
    journal.close()
    assert Journal(tmp_path, "other").get(KEYS[0]) == kept


@settings(deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_kept(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("journal")
    answered(folder, "before", KEYS[1])
    journal = Journal(folder, "job")
    journal.add(KEYS[0], REQUEST, response(text))
    journal.close()
    again = Journal(folder, "job")
    assert again.get(KEYS[0]).text == text
    assert again.get(KEYS[1]).text == f"answer to {KEYS[1]}"
    again.close()


def test_a_response_is_synced_to_disk_before_it_counts(tmp_path, monkeypatch):
    journal = Journal(tmp_path, "job")
    synced = []

    def fsync(number: int) -> None:
        synced.append((tmp_path / "job.jsonl").read_bytes().count(b'"kind": "response"'))
        assert KEYS[0] not in journal

    monkeypatch.setattr(module.os, "fsync", fsync)
    journal.add(KEYS[0], REQUEST, response())
    assert synced == [1]
    assert KEYS[0] in journal


def test_a_line_tells_who_asked_what_and_what_came_back(tmp_path):
    journal = Journal(tmp_path, "job")
    journal.asked(KEYS[0], REQUEST)
    journal.asked(KEYS[0], REQUEST)
    journal.add(KEYS[0], REQUEST, response())
    journal.close()
    first, second, kept = lines(tmp_path / "job.jsonl")
    assert first.pop("time") <= second.pop("time") <= kept["time"]
    assert first == second
    assert first == {"kind": "asked", "key": KEYS[0], "purpose": "generation", "lang": "en"}
    assert (kept["kind"], kept["key"], kept["settles"]) == ("response", KEYS[0], 2)
    assert kept["request"]["messages"] == [["system", "Be brief."], ["user", "What is $1+1$?"]]
    assert kept["response"]["text"] == "2"


def test_every_job_of_a_model_reads_what_the_others_were_answered(tmp_path):
    answered(tmp_path, "mathmist.zero-shot", KEYS[0])
    answered(tmp_path, "mathmist.cot", KEYS[1])
    journal = Journal(tmp_path, "mathmist.mcq")
    assert KEYS[0] in journal and KEYS[1] in journal and KEYS[2] not in journal


def test_a_journal_only_grows(tmp_path):
    answered(tmp_path, "job", KEYS[0])
    before = (tmp_path / "job.jsonl").read_bytes()
    answered(tmp_path, "job", KEYS[1])
    assert (tmp_path / "job.jsonl").read_bytes().startswith(before)


def test_a_failure_is_kept_apart_and_never_returned(tmp_path):
    journal = Journal(tmp_path, "job")
    journal.asked(KEYS[0], REQUEST)
    journal.add(KEYS[0], REQUEST, FAILURE)
    assert KEYS[0] not in journal
    journal.close()
    again = Journal(tmp_path, "job")
    assert KEYS[0] not in again
    with pytest.raises(KeyError):
        again.get(KEYS[0])
    assert [one["kind"] for one in lines(tmp_path / "job.jsonl")] == ["asked", "failure"]


def test_a_response_after_a_failure_is_returned(tmp_path):
    journal = Journal(tmp_path, "job")
    journal.add(KEYS[0], REQUEST, FAILURE)
    journal.add(KEYS[0], REQUEST, response())
    journal.close()
    assert Journal(tmp_path, "job").get(KEYS[0]) == response()


# Cut short


@pytest.mark.parametrize("left", [1, 30, 200, -1])
def test_a_torn_last_line_is_dropped_and_the_rest_kept(tmp_path, left):
    answered(tmp_path, "job", KEYS[0], KEYS[1])
    path = tmp_path / "job.jsonl"
    *whole, last, _ = path.read_bytes().split(b"\n")
    kept = b"\n".join(whole) + b"\n"
    path.write_bytes(kept + last[:left])
    journal = Journal(tmp_path, "job")
    assert KEYS[0] in journal and KEYS[1] not in journal
    assert path.read_bytes() == kept
    journal.add(KEYS[1], REQUEST, response("again"))
    journal.close()
    assert Journal(tmp_path, "job").get(KEYS[1]).text == "again"


@settings(deadline=None)
@given(share=st.floats(0, 1))
def test_cut_anywhere_whole_lines_stand_and_writing_goes_on(tmp_path_factory, share):
    folder = tmp_path_factory.mktemp("journal")
    answered(folder, "job", *KEYS[:3])
    path = folder / "job.jsonl"
    data = path.read_bytes()
    path.write_bytes(data[: round(share * len(data))])
    whole = path.read_bytes()
    whole = whole[: whole.rfind(b"\n") + 1]
    journal = Journal(folder, "job")
    assert path.read_bytes() == whole
    for key in KEYS[:3]:
        assert (key in journal) == (f'"response", "key": "{key}'.encode() in whole)
    journal.add(KEYS[3], REQUEST, response("after"))
    journal.close()
    again = Journal(folder, "job")
    assert again.get(KEYS[3]).text == "after"
    again.close()


def test_a_torn_line_longer_than_a_block_is_dropped(tmp_path):
    answered(tmp_path, "job", KEYS[0])
    path = tmp_path / "job.jsonl"
    kept = path.read_bytes()
    path.write_bytes(kept + b'{"kind": "response", "key": "' + b"x" * 300_000)
    Journal(tmp_path, "job").close()
    assert path.read_bytes() == kept


def test_a_file_that_is_one_torn_line_is_emptied(tmp_path):
    (tmp_path / "job.jsonl").write_bytes(b'{"kind": "asked"')
    Journal(tmp_path, "job").close()
    assert (tmp_path / "job.jsonl").read_bytes() == b""


def test_a_line_that_another_job_is_writing_is_left_alone(tmp_path):
    answered(tmp_path, "other", KEYS[0], KEYS[1])
    path = tmp_path / "other.jsonl"
    torn = path.read_bytes()[:-20]
    path.write_bytes(torn)
    journal = Journal(tmp_path, "job")
    assert KEYS[0] in journal and KEYS[1] not in journal
    assert path.read_bytes() == torn


@pytest.mark.parametrize(
    "line",
    [
        b'{"kind": "asked", "key":',
        b"",
        b"[1]",
        b"\xff\xfe",
        b'{"kind": "answer", "key": "x"}',
        b'{"key": "x"}',
        b'{"kind": "failure", "key": "x"}',
    ],
)
def test_a_damaged_line_is_refused_by_file_and_line(tmp_path, line):
    answered(tmp_path, "job", KEYS[0])
    path = tmp_path / "job.jsonl"
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(first + b"\n" + line + b"\n" + rest)
    with pytest.raises(InputError) as caught:
        Journal(tmp_path, "new")
    assert (caught.value.file, caught.value.line) == (str(path), 2)


# Unknown fates


def killed(folder: Path, key: str, times: int = 1) -> None:
    """A run that sends a request so often and ends before anything comes back."""
    journal = Journal(folder, "job")
    for _ in range(times):
        journal.asked(key, REQUEST)
    journal.close()


def test_what_was_sent_without_an_answer_is_counted_over_runs(tmp_path):
    counts = []
    for _ in range(4):
        journal = Journal(tmp_path, "job")
        counts.append(journal.unknown_fate(KEYS[0]))
        journal.close()
        killed(tmp_path, KEYS[0])
    assert counts == [0, 1, 2, 3]


def test_what_this_run_sends_is_not_of_unknown_fate(tmp_path):
    journal = Journal(tmp_path, "job")
    journal.asked(KEYS[0], REQUEST)
    assert journal.unknown_fate(KEYS[0]) == 0


def test_a_failure_settles_the_times_it_was_sent_and_no_others(tmp_path):
    killed(tmp_path, KEYS[0], times=2)
    journal = Journal(tmp_path, "job")
    for _ in range(3):
        journal.asked(KEYS[0], REQUEST)
    journal.add(KEYS[0], REQUEST, FAILURE)
    journal.close()
    assert Journal(tmp_path, "job").unknown_fate(KEYS[0]) == 2


def test_fates_are_counted_by_request(tmp_path):
    killed(tmp_path, KEYS[0])
    killed(tmp_path, KEYS[1], times=2)
    journal = Journal(tmp_path, "job")
    assert [journal.unknown_fate(key) for key in KEYS[:3]] == [1, 2, 0]


def test_fates_of_other_jobs_count_too(tmp_path):
    killed(tmp_path, KEYS[0])
    assert Journal(tmp_path, "other").unknown_fate(KEYS[0]) == 1


# Two writers

HOLDER = """
import sys
from pathlib import Path
from babelmath.engines.base import Request, Response
from babelmath.journal.store import Journal
request = Request("p", "en", (("user", "q"),), 0.0, 1.0, 8, 0, 1)
journal = Journal(Path(sys.argv[1]), "job")
print("open", flush=True)
for key in sys.stdin:
    journal.add(key.strip(), request, Response(text="theirs", finish="stop"))
    print("added", flush=True)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the job's journal and adds the keys it is told."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], text=True,
        env={"PYTHONPATH": str(REPOSITORY / "scripts")},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout.readline() == "open\n"
    yield process
    process.kill()
    process.communicate()


def told(holder: subprocess.Popen[str], key: str) -> None:
    holder.stdin.write(key + "\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "added\n"


WAITER = """
import sys
from pathlib import Path
from babelmath.journal.store import Journal
journal = Journal(Path(sys.argv[1]), "job")
print(sys.argv[2] in journal)
"""


def test_a_second_writer_of_a_job_waits_and_then_knows_what_the_first_was_answered(
    tmp_path, holder
):
    second = subprocess.Popen(
        [sys.executable, "-c", WAITER, str(tmp_path), KEYS[0]], text=True,
        env={"PYTHONPATH": str(REPOSITORY / "scripts")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert "another process is writing" in second.stderr.readline()
    told(holder, KEYS[0])
    holder.kill()
    out, _ = second.communicate()
    assert out == "True\n"
    assert [path.name for path in tmp_path.glob("[!.]*")] == ["job.jsonl"]


def test_the_file_is_free_again_when_its_writer_is_killed(tmp_path, holder):
    told(holder, KEYS[0])
    holder.kill()
    holder.wait()
    journal = Journal(tmp_path, "job")
    journal.add(KEYS[1], REQUEST, response())
    journal.close()
    assert [one["key"] for one in lines(tmp_path / "job.jsonl")] == KEYS[:2]


def test_another_jobs_responses_are_read_while_it_writes(tmp_path, holder):
    told(holder, KEYS[0])
    journal = Journal(tmp_path, "next")
    assert journal.get(KEYS[0]).text == "theirs"


# Keys


def key(model: Model = SERVED, **changes: Any) -> str:
    return dataclasses.replace(REQUEST, **changes).key(identity(model))


def gguf(path: Path, content: bytes) -> Model:
    path.write_bytes(b"GGUF" + content)
    return Model(display="Local", engine="llamacpp", weights=str(path))


def test_a_key_is_64_hexadecimal_digits_and_stays_the_same():
    assert key() == key()
    assert len(key()) == 64 and int(key(), 16)


@pytest.mark.parametrize(
    "changes",
    [
        {"messages": (("system", "Be brief."), ("user", "What is $1+2$?"))},
        {"messages": (("system", "Be brief. "), ("user", "What is $1+1$?"))},
        {"messages": (("user", "What is $1+1$?"),)},
        {"messages": (("user", "Be brief."), ("user", "What is $1+1$?"))},
        {"messages": (*REQUEST.messages, ("assistant", "<think>"))},
        {"temperature": 0.7},
        {"top_p": 1.0},
        {"max_tokens": 17},
        {"sample": 1},
        {"seed": 8},
        {"schema": "{}"},
    ],
    ids=str,
)
def test_all_that_determines_a_response_is_in_its_key(changes):
    assert key(**changes) != key()


OPEN = Model(display="Open", engine="vllm", weights="owner/name", revision="0" * 40)


def vllm_key(**options: Any) -> str:
    return key(OPEN.model_copy(update={"options": options}))


def test_a_chat_template_in_a_file_is_named_by_its_content(tmp_path):
    file = tmp_path / "chat.jinja"
    file.write_text("one")
    first = vllm_key(chat_template=str(file))
    other = tmp_path / "copy.jinja"
    other.write_text("one")
    assert vllm_key(chat_template=str(other)) == first
    file.write_text("two")
    assert vllm_key(chat_template=str(file)) != first
    assert vllm_key(chat_template="{{ messages }}" * 500) != first  # the template itself


def test_where_vllm_finds_its_memory_is_not_in_the_key_and_how_it_computes_is():
    """A job that ran out of memory goes on with what it has journalled."""
    plain = vllm_key()
    assert vllm_key(gpu_memory_utilization=0.8) == vllm_key(kv_cache_memory_bytes=1 << 29) == plain
    assert len({plain, vllm_key(dtype="half"), vllm_key(quantization="fp8")}) == 3


@pytest.mark.parametrize("changes", [{"purpose": "judging"}, {"lang": "fr"}], ids=str)
def test_for_whom_a_request_is_asked_is_not_in_its_key(changes):
    assert key(**changes) == key()


@pytest.mark.parametrize(
    "changes",
    [
        {"service": "served-2"},
        {"revision": "r2"},
        {"revision": None},
        {"base_url": "http://127.0.0.1:1/v1"},
        {"engine": "gemini"},
    ],
    ids=str,
)
def test_which_model_answers_is_in_the_key(changes):
    assert key(SERVED.model_copy(update=changes)) != key()


def test_fields_that_are_never_sent_are_in_the_key():
    """A text drawn without a temperature is no answer to a request with one."""
    model = Model(display="S", engine="openai", service="s")
    without = model.model_copy(update={"refused": ["top_p", "temperature"]})
    other_order = model.model_copy(update={"refused": ["temperature", "top_p"]})
    assert identity(model) == identity(model.model_copy(update={"refused": []}))
    assert identity(model) != identity(without) == identity(other_order)


@pytest.mark.parametrize(
    "changes",
    [
        {"display": "Another name"},
        {"parameters": "7B"},
        {"concurrency": 1},
        {"attempts": 9},
        {"timeout_s": 1.0},
        {"memory_mb": 9000},
        {"key_variable": "MY_KEY"},
        {"thinking": "tags"},
    ],
    ids=str,
)
def test_how_a_model_is_run_is_not_in_the_key(changes):
    assert key(SERVED.model_copy(update=changes)) == key()


def test_weights_are_known_by_their_content(tmp_path):
    first = gguf(tmp_path / "a.gguf", b"first")
    copy = gguf(tmp_path / "b.gguf", b"first")
    other = gguf(tmp_path / "c.gguf", b"other")
    assert key(first) == key(copy) != key(other)


def test_a_revision_of_the_weights_is_in_the_key():
    model = Model(display="V", engine="vllm", weights="a/b", revision="r1")
    assert key(model) != key(model.model_copy(update={"revision": "r2"}))
    assert key(model) != key(model.model_copy(update={"weights": "a/c"}))


MESSAGES = st.lists(st.tuples(st.sampled_from(["system", "user"]), st.text(max_size=5)), max_size=4)


@settings(deadline=None)
@given(MESSAGES, MESSAGES)
def test_other_messages_have_another_key(one, other):
    same = key(messages=tuple(one)) == key(messages=tuple(other))
    assert same == (one == other)
