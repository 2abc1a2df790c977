"""Two jobs of one model at the same time: what one is answered, the other does not ask."""

from __future__ import annotations

from pathlib import Path

import pytest

from babelmath.asking import Models, request
from babelmath.config import Model, Sampling
from babelmath.engines import Request, identity
from babelmath.errors import UnansweredError
from babelmath.journal.store import Journal
from unit.loopback import Call, Reply, Service, echo

SAMPLING = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)


def question(text: str) -> Request:
    return request("generation", "en", [{"role": "user", "content": text}], SAMPLING, 7)


def test_what_another_job_is_answered_meanwhile_is_not_asked(tmp_path: Path) -> None:
    with Service() as service:
        model = Model(display="S", engine="openai", service="s", base_url=service.url,
                      concurrency=1)  # fmt: skip

        def answer(call: Call) -> Reply:
            if call.question == "q0":
                with Models({"m": model}, tmp_path, "other", None) as other:
                    other.ask("m", [question("q1"), question("q2")], "test")
            return echo(call)

        service.answer = answer
        log = tmp_path / "log"
        with Models({"m": model}, tmp_path, "job", log) as models:
            asked = [question(f"q{number}") for number in (0, 1, 2, 2, 3)]
            found = models.ask("m", asked, "test")
        assert [one.response.text for one in found] == [
            f"answer to q{number}" for number in (0, 1, 2, 2, 3)
        ]
        assert set(service.sent.values()) == {1}
        assert "5/5 requests (3 from the journal)" in log.read_text(encoding="utf-8")


def test_the_way_to_send_a_request_of_unknown_fate_again_is_told(tmp_path: Path) -> None:
    with Service() as service:
        model = Model(display="S", engine="openai", service="s", base_url=service.url, attempts=2)
        key = question("q").key(identity(model))
        journal = Journal(tmp_path / "m", "job")
        for _ in range(2):
            journal.asked(key, question("q"))
        journal.close()
        with (
            pytest.raises(UnansweredError, match=r"models\.m\.attempts: 3 lets it be sent"),
            Models({"m": model}, tmp_path, "job", None) as models,
        ):
            models.ask("m", [question("q")], "test")
        more = model.model_copy(update={"attempts": 3})
        with Models({"m": more}, tmp_path, "job", None) as models:
            assert models.ask("m", [question("q")], "test")[0].response.text == "answer to q"
