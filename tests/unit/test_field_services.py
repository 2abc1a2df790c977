"""Cases from the field about services: each test bears the name of its case.

They run through the real client against a service on the loopback.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from babelmath.asking import Models
from babelmath.config import Model, Sampling, Setting
from babelmath.errors import InputError, UnansweredError
from babelmath.generation import generate
from babelmath.journal.store import Journal
from babelmath.ledger import ledger
from babelmath.questions import Question, complete
from babelmath.records import Generation, Verdict, iter_records, load_records, save_records
from babelmath.tables.data import load_data
from stand_ins import LANGUAGES, generation
from unit.loopback import Call, Reply, Service, echo, refused, said
from unit.loopback_batches import Batch, GeminiService, OpenAIService
from unit.loopback_batches import Service as BatchService
from unit.waits import install


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch) -> None:
    """Between attempts nobody waits."""
    install(monkeypatch)


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as running:
        yield running


def run(
    folder: Path, service: Any, numbers: Any = (1,), temperature: float = 0.6, **model: Any
) -> list[Generation]:
    """The job that asks questions of MMATH, word for word `q1`, `q2`, ..."""
    prompts = folder / "prompts"
    (prompts / "mmath").mkdir(parents=True, exist_ok=True)
    (prompts / "mmath" / "native.txt").write_text("[user]\n{{question}}\n")
    given = {"engine": "openai", "concurrency": 1, "timeout_s": 30, "batch_poll_s": 0.01}
    served = Model(display="Served", service="served-1", base_url=service.url, **(given | model))
    setting = Setting(task="solve", prompt="mmath/native", question_languages=["en"], models=["m"],
                      sampling=Sampling(temperature=temperature, top_p=0.95, max_tokens=3000),
                      scorers=["rules-strict"])  # fmt: skip
    asked = [
        Question(f"mmath-{number:04d}", "en", {"question": f"q{number}"}) for number in numbers
    ]
    with Models({"m": served}, folder, "job", None) as models:
        return generate(
            asked, setting, "mmath", "m", "tags", "openai", LANGUAGES, models, prompts, 42, "test"
        )


def in_turn(*replies: Reply) -> Any:
    """These replies to the first, second, ... call; the last one to all further calls."""
    return lambda call: replies[min(call.number, len(replies)) - 1]


def lines(folder: Path) -> list[str]:
    """The kinds of the journal's lines."""
    text = (folder / "m" / "job.jsonl").read_text(encoding="utf-8")
    return [line.split('"')[3] for line in text.splitlines()]


def test_d_stream_retry(tmp_path, service):
    service.answer = in_turn(refused(429), said("\\boxed{5}"))
    (found,) = run(tmp_path, service)
    assert found.answer == "\\boxed{5}"
    assert found.provenance["attempts"] == ["HTTP 429"]


def test_d_503(tmp_path, service):
    service.answer = in_turn(refused(503, "overloaded"), refused(503, "overloaded"), said("5"))
    (found,) = run(tmp_path, service)
    assert found.answer == "5"
    assert found.provenance["attempts"] == ["HTTP 503: overloaded"] * 2
    assert lines(tmp_path) == ["asked"] * 3 + ["response"]


def test_d_max_tokens_empty(tmp_path, service):
    empty = said("", "length")
    empty.body["usage"]["completion_tokens"] = 2999  # type: ignore[index]
    service.answer = in_turn(empty)
    (found,) = run(tmp_path, service)
    assert (found.finish, found.answer, found.completion_tokens) == ("length", "", 2999)
    assert status(found) == ("truncated", None)
    assert ledger(tmp_path, ["m"], None)["completion_tokens"].to_list() == [2999, 2999]


@pytest.mark.parametrize(
    "reply",
    [
        said(None, "content_filter"),
        Reply({"error": {"message": "filtered", "code": "content_filter"}}, 400),
    ],
    ids=["of the reply", "of the prompt"],
)
def test_d_safety(tmp_path, service, reply):
    service.answer = in_turn(reply)
    for _ in range(2):
        (found,) = run(tmp_path, service)
        assert (found.finish, found.answer) == ("blocked", "")
        assert status(found) == ("blocked", None)
    assert len(service.calls) == 1


@pytest.mark.parametrize(
    ("word", "finish"),
    [("stop", "stop"), ("length", "length"), ("content_filter", "blocked"), ("2", "error")],
)
def test_d_finish_enum(tmp_path, service, word, finish):
    service.answer = in_turn(said("5", word))
    (found,) = run(tmp_path, service)
    assert found.finish == finish
    assert (f"finish {word}" in found.provenance["attempts"]) is (finish == "error")


def test_d_vllm_gen_config(tmp_path, service):
    (found,) = run(tmp_path, service, temperature=0.0)
    sampling = {"temperature": 0.0, "top_p": 0.95, "max_tokens": 3000, "seed": found.seed}
    assert sampling.items() <= service.calls[0].body.items()
    assert sampling.items() <= found.sent.items()


def test_c_stop_in_think(tmp_path, service):
    """No stop words are ever sent, so none can end the thinking."""
    run(tmp_path, service)
    assert "stop" not in service.calls[0].body


def test_d_crash_resume(tmp_path, service, monkeypatch):
    """A job that dies after 7 of 15 responses; killed processes are in test_asking."""
    add, left = Journal.add, iter(range(7))

    def dying(self: Journal, *response: Any) -> None:
        add(self, *response)
        if next(left) == 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "add", dying)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, service, range(15))
    monkeypatch.setattr(Journal, "add", add)
    assert len(service.calls) == 7
    found = run(tmp_path, service, range(15))
    assert len(service.calls) == 15
    assert set(service.sent.values()) == {1}
    assert [one.answer for one in found] == [f"answer to q{n}" for n in range(15)]


def test_d_key_params(tmp_path, service):
    cold, warm = (run(tmp_path, service, temperature=one)[0] for one in (0.0, 0.6))
    assert [call.body["temperature"] for call in service.calls] == [0.0, 0.6]
    assert cold.provenance["journal"] != warm.provenance["journal"]


def test_d_null_cached(tmp_path, service):
    service.answer = lambda call: refused(500) if call.question == "q2" else echo(call)
    with pytest.raises(UnansweredError, match="1 of 3"):
        run(tmp_path, service, (1, 2, 3), attempts=1)
    service.answer = echo
    assert len(run(tmp_path, service, (1, 2, 3))) == 3
    assert service.sent == {"q1": 1, "q2": 2, "q3": 1}


def test_d_timeout_dup(tmp_path, service):
    """The service has accepted the first request and may charge it; the client gives up on it."""
    late = threading.Event()

    def answer(call: Call) -> Reply:
        if call.number == 1:
            late.wait(30)
        return said("5")

    service.answer = answer
    (found,) = run(tmp_path, service, timeout_s=0.3, attempts=50)
    late.set()
    assert found.answer == "5"
    sent = len(found.provenance["attempts"]) + 1
    assert sent > 1 and set(found.provenance["attempts"]) == {"APITimeoutError"}
    counted = ledger(tmp_path, ["m"], None).row(0, named=True)
    assert (counted["asked"], counted["responses"]) == (sent, 1)


def test_d_len_mismatch(tmp_path):
    asked = [Question(f"mmath-{number:04d}", "en", {}) for number in range(146)]
    path = tmp_path / "shard.jsonl"
    save_records(path, [generation("5", id=one.id) for one in asked[:37]])
    with pytest.raises(InputError, match="holds 37 responses where 146 were asked") as caught:
        list(complete(iter_records(path, Generation), asked, 1, path))
    assert caught.value.file == str(path)


def test_d_len_mismatch_of_verdicts(tmp_path):
    """A table does not count a part either."""
    files = []
    for name, held in (("whole", 146), ("shard", 37)):
        files.append(str(tmp_path / f"{name}.jsonl"))
        save_records(files[-1], [scored(f"mmath-{number:04d}") for number in range(held)])
    facts = {
        "protocol": "strict", "models": {"a": ["A", None], "b": ["B", None]}, "language_names": {},
        "languages": ["en"], "source_languages": ["en"], "scorers": {"native": "rules-strict"},
        "wanted": {"native": [1, ["en"]]}, "pairs": [["native", "a"], ["native", "b"]],
        "cot_columns": {}, "released": [], "scored": [],
    }  # fmt: skip
    with pytest.raises(InputError, match=r"holds 37 questions, .*whole\.jsonl 146") as caught:
        load_data(facts, {"verdicts": files})
    assert caught.value.file == files[1]


@pytest.mark.parametrize("kind", [OpenAIService, GeminiService])
def test_d_batch_order(tmp_path, kind):
    with kind() as batches:

        def settle(batch: Batch) -> None:
            results = [batches.answer(line) for line in batch.lines]
            batches.end(batch, [results[place] for place in (3, 0, 4, 2, 1)])

        batches.settle = settle
        found = run(tmp_path, batches, range(5), engine=batched(kind), batch=True)
    assert [one.answer for one in found] == [f"answer to q{n}" for n in range(5)]


def test_d_batch_errorfile(tmp_path):
    """Every item is marked as failed, and the next run hands it in again."""
    with OpenAIService() as batches:
        batches.settle = lambda batch: batches.end(
            batch, None, [batches.failed(line, 500, "sorry") for line in batch.lines]
        )
        with pytest.raises(UnansweredError, match=r"3 of 3 .*sorry"):
            run(tmp_path, batches, range(3), batch=True, attempts=1)
        assert lines(tmp_path) == ["asked"] * 3 + ["failure"] * 3
        batches.settle = batches.complete
        found = run(tmp_path, batches, range(3), batch=True, attempts=1)
        assert [one.answer for one in found] == [f"answer to q{n}" for n in range(3)]
        assert batches.handed_in == {f"q{n}": 2 for n in range(3)}


def batched(kind: type[BatchService]) -> str:
    """The engine that speaks a service's protocol."""
    return "gemini" if kind is GeminiService else "openai"


@pytest.mark.parametrize("place", [7, 9])
def test_d_dup_ids(tmp_path, place):
    """Refused, where one might count the item once: the two lines may differ."""
    path = tmp_path / "resumed.jsonl"
    save_records(path, [generation("5", id=f"mmath-{number:04d}") for number in range(1, 10)])
    held = path.read_bytes().splitlines(keepends=True)
    held.insert(place, held[6])
    path.write_bytes(b"".join(held))
    for read in (load_records, iter_records):
        with pytest.raises(InputError, match="stands") as caught:
            list(read(path, Generation))
        assert (caught.value.line, "mmath-0007" in caught.value.problem) == (place + 1, True)


def scored(identity: str) -> Verdict:
    return Verdict(id=identity, lang="en", sample=0, scorer="rules-strict", status="wrong",
                   correct=False, extracted="4", gold="5", rewrites=[], judge=None,
                   provenance={})  # fmt: skip


def status(item: Generation) -> tuple[str, str | None]:
    """What the strict rules say of a response, and the answer they found in it."""
    from babelmath.config import Equivalence
    from babelmath.scoring.by_rules import by_rules
    from babelmath.scoring.equivalence import Comparer

    with Comparer(Equivalence()) as comparer:
        found = by_rules([item], {(item.id, item.lang): "5"}, "rules-strict", LANGUAGES, comparer)
        (verdict,) = found
    return verdict.status, verdict.extracted
