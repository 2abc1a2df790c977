"""Cases from the field that were seen with Gemini: each test bears the name of its case."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from babelmath.asking import Models
from babelmath.config import Model, Sampling, Setting
from babelmath.errors import UnansweredError
from babelmath.generation import generate
from babelmath.ledger import ledger
from babelmath.questions import Question
from babelmath.records import Generation
from stand_ins import LANGUAGES
from unit.loopback_gemini import Call, Reply, Service, blocked, echo, refused, retry_info, said
from unit.test_field_services import status
from unit.test_gemini import clock, no_key  # noqa: F401 - fixtures


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as running:
        yield running


def run(
    folder: Path, service: Service, numbers: Any = (1,), temperature: float = 0.6, **model: Any
) -> list[Generation]:
    """The job that asks questions of MMATH, word for word `q1`, `q2`, ..."""
    prompts = folder / "prompts"
    (prompts / "mmath").mkdir(parents=True, exist_ok=True)
    (prompts / "mmath" / "native.txt").write_text("[user]\n{{question}}\n")
    served = Model(display="Served", engine="gemini", service="served-1", base_url=service.url,
                   **({"concurrency": 1, "timeout_s": 30} | model))  # fmt: skip
    setting = Setting(task="solve", prompt="mmath/native", question_languages=["en"], models=["m"],
                      sampling=Sampling(temperature=temperature, top_p=0.95, max_tokens=3000),
                      scorers=["rules-strict"])  # fmt: skip
    asked = [
        Question(f"mmath-{number:04d}", "en", {"question": f"q{number}"}) for number in numbers
    ]
    with Models({"m": served}, folder, "job", None) as models:
        return generate(
            asked, setting, "mmath", "m", "separate", "gemini", LANGUAGES, models, prompts, 42,
            "test",
        )  # fmt: skip


def in_turn(*replies: Reply) -> Callable[[Call], Reply]:
    """These replies to the first, second, ... call; the last one to all further calls."""
    return lambda call: replies[min(call.number, len(replies)) - 1]


def test_d_stream_retry(tmp_path, service, clock):  # noqa: F811
    busy = refused(429, "RESOURCE_EXHAUSTED", "slow", retry_info("37s"))
    service.answer = in_turn(busy, said("\\boxed{5}"))
    (found,) = run(tmp_path, service)
    assert found.answer == "\\boxed{5}"
    assert (found.provenance["attempts"], clock.now()) == (["HTTP 429: slow"], 37.0)


def test_d_503(tmp_path, service):
    busy = refused(503, "UNAVAILABLE", "The model is overloaded.")
    service.answer = in_turn(busy, busy, said("5"))
    (found,) = run(tmp_path, service)
    assert found.answer == "5"
    assert found.provenance["attempts"] == ["HTTP 503: The model is overloaded."] * 2


def test_d_max_tokens_empty(tmp_path, service):
    service.answer = in_turn(said(None, "MAX_TOKENS", new=None, thought=2999))
    (found,) = run(tmp_path, service)
    assert (found.finish, found.answer, found.completion_tokens) == ("length", "", 2999)
    assert status(found) == ("truncated", None)
    assert ledger(tmp_path, ["m"], None)["completion_tokens"].to_list() == [2999, 2999]


@pytest.mark.parametrize("reply", [blocked(), said(None, "SAFETY")], ids=["prompt", "reply"])
def test_d_safety(tmp_path, service, reply):
    service.answer = in_turn(reply)
    for _ in range(2):
        (found,) = run(tmp_path, service)
        assert (found.finish, found.answer) == ("blocked", "")
        assert status(found) == ("blocked", None)
    assert len(service.calls) == 1


@pytest.mark.parametrize(
    ("word", "finish"),
    [("STOP", "stop"), ("MAX_TOKENS", "length"), ("SAFETY", "blocked"), (2, "error")],
)
def test_d_finish_enum(tmp_path, service, word, finish):
    service.answer = in_turn(said("5", word))
    (found,) = run(tmp_path, service)
    assert found.finish == finish
    assert (f"finish {word}" in found.provenance["attempts"]) is (word in ("SAFETY", 2))


def test_d_key_params(tmp_path, service):
    cold, warm = (run(tmp_path, service, temperature=one)[0] for one in (0.0, 0.6))
    sent = [call.body["generationConfig"] for call in service.calls]
    assert [one["temperature"] for one in sent] == [0.0, 0.6]
    assert cold.provenance["journal"] != warm.provenance["journal"]
    assert (warm.sent["temperature"], warm.sent["top_p"]) == (0.6, 0.95)


def test_d_null_cached(tmp_path, service):
    bad = refused(500, "INTERNAL")
    service.answer = lambda call: bad if call.question == "q2" else echo(call)
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
    assert sent > 1 and set(found.provenance["attempts"]) == {"ReadTimeout"}
    counted = ledger(tmp_path, ["m"], None).row(0, named=True)
    assert (counted["asked"], counted["responses"]) == (sent, 1)


def test_thinking_that_comes_apart_stays_apart(tmp_path, service):
    service.answer = in_turn(said("\\boxed{5}", thoughts="2 and 3.", thought=9))
    (found,) = run(tmp_path, service)
    assert (found.thinking, found.answer) == ("2 and 3.", "\\boxed{5}")
    assert (found.finish, found.completion_tokens) == ("stop", 12)
