"""What a context was too small for: kept under that context, asked anew with a larger one."""

from __future__ import annotations

from pathlib import Path

import pytest

from babelmath.asking import Models, request
from babelmath.config import Model, Sampling
from babelmath.engines import Request, Response, identity
from babelmath.journal.files import journal_files
from babelmath.journal.gc import Reach, sweep
from babelmath.journal.store import Journal
from babelmath.journal.verify import verify
from babelmath.ledger import ledger
from unit.loopback import Call, Reply, Service, echo, refused

TOO_LONG = refused(400, "this model's maximum context length is 256 tokens")


def question(text: str) -> Request:
    sampling = Sampling(temperature=0, max_tokens=16)
    return request("generation", "en", [{"role": "user", "content": text}], sampling, 7)


def served(service: Service, context: int) -> Model:
    return Model(display="S", engine="openai", service="s", base_url=service.url, context=context)


def ask(folder: Path, model: Model, *texts: str) -> list[Response]:
    with Models({"m": model}, folder, "job", None) as models:
        return [one.response for one in models.ask("m", [question(one) for one in texts], "test")]


def fits(most: int) -> object:
    def answer(call: Call) -> Reply:
        return echo(call) if len(call.question) <= most else TOO_LONG

    return answer


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_a_larger_context_asks_anew_what_a_smaller_one_refused_and_nothing_else(tmp_path, packed):
    long = "x" * 300
    with Service(fits(256)) as service:
        small = ask(tmp_path, served(service, 256), "short", long)
        assert [(one.finish, one.limited) for one in small] == [("stop", None), ("error", 256)]
        if packed:
            Journal(tmp_path / "m", "job", packed_from=1).close()
        assert ask(tmp_path, served(service, 256), "short", long) == small
        assert service.sent == {"short": 1, long: 1}
        service.answer = fits(512)
        large = ask(tmp_path, served(service, 512), "short", long)
        assert [(one.finish, one.limited) for one in large] == [("stop", None), ("stop", None)]
        assert service.sent == {"short": 1, long: 2}
        # What a larger context answered holds for a smaller one: it is the request's own answer.
        assert ask(tmp_path, served(service, 256), "short", long) == large
        assert service.sent == {"short": 1, long: 2}
    assert list(verify(tmp_path / "m")) == []
    total = ledger(tmp_path, ["m"], None).filter(model="total").row(0, named=True)
    assert (total["asked"], total["responses"], total["failures"]) == (3, 3, 0)
    assert (total["unanswered"], total["asked_again"], total["unknown_fate"]) == (0, 0, 0)


def test_cleaning_keeps_what_a_context_was_too_small_for(tmp_path):
    with Service(fits(256)) as service:
        model = served(service, 256)
        kept = ask(tmp_path, model, "x" * 300)
        reach = Reach({"m": frozenset({"job"})}, {"m": [identity(model)]})
        (swept,) = sweep(tmp_path / "m", reach, delete=True)
        assert (swept.kept, swept.dropped) == (2, 0)
        assert ask(tmp_path, model, "x" * 300) == kept and len(service.calls) == 1
        other = Reach({"m": frozenset({"job"})}, {"m": [{"engine": "another"}]})
        (swept,) = sweep(tmp_path / "m", other, delete=True)
        assert (swept.kept, swept.dropped) == (0, 2)
    assert journal_files(tmp_path / "m")
