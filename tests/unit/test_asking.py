"""Asking models through the journal, over HTTP against a service on the loopback."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath import asking
from babelmath.asking import Models, request
from babelmath.config import Model, Sampling
from babelmath.engines import Request, Response, identity, open_engine
from babelmath.errors import InputError, UnansweredError
from babelmath.ledger import ledger
from babelmath.progress import Progress
from babelmath.seeds import seed_of
from unit.loopback import CUT, Call, Reply, Service, echo, refused, said
from unit.waits import install

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLING = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)
KEY = "sk-loopback-0123456789"
WAIT = 30  # seconds that no test needs


@pytest.fixture(autouse=True)
def no_key(monkeypatch):
    """No key of the machine's user takes part."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def pauses(monkeypatch) -> list[float]:
    """Seconds that the engine would have waited between attempts; here nobody waits."""
    return install(monkeypatch).taken


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as running:
        yield running


def served(service: Service, /, **changes: Any) -> Model:
    values = {
        "display": "Served", "engine": "openai", "service": "served-1", "base_url": service.url,
        "concurrency": 2, "timeout_s": WAIT,
    }  # fmt: skip
    return Model(**(values | changes))


def question(text: str, **changes: Any) -> Request:
    item = request("generation", "en", [{"role": "user", "content": text}], SAMPLING, 7)
    return dataclasses.replace(item, **changes)


def ask(
    folder: Path, model: Model, *requests: Request, job: str = "job", log: Path | None = None
) -> list[Response]:
    """One job that asks a model and ends."""
    with Models({"m": model}, folder, job, log) as models:
        return [one.response for one in models.ask("m", requests, "test")]


def journal(folder: Path, model: str = "m") -> list[dict[str, Any]]:
    """The whole lines of a model's journal."""
    found = []
    for path in sorted((folder / model).glob("*.jsonl")):
        found += [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
    return found


def kinds(folder: Path) -> list[str]:
    return [line["kind"] for line in journal(folder)]


def in_turn(*replies: Reply) -> Callable[[Call], Reply]:
    """These replies to the first, second, ... call; the last one to all further calls."""
    return lambda call: replies[min(call.number, len(replies)) - 1]


def all_of(folder: Path) -> bytes:
    """Every byte of every file below a folder."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


# What is sent, and what comes back


def test_a_request_is_sent_as_the_protocol_wants_it(tmp_path, service):
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "১+১?"}]
    schema = '{"type": "object"}'
    item = request("generation", "bn", messages, SAMPLING, seed=5, sample=1, schema=schema)
    (response,) = ask(tmp_path, served(service), item)
    (call,) = service.calls
    sent = {
        "model": "served-1", "temperature": 0.6, "top_p": 0.95, "max_tokens": 16, "seed": 5,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": {"type": "object"}},
        },
    }  # fmt: skip
    assert call.body == {"messages": messages, **sent}
    assert response.sent == sent
    assert call.headers["authorization"] == "Bearer none"


def test_the_key_is_taken_from_the_models_variable(tmp_path, service, monkeypatch):
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    ask(tmp_path, served(service, key_variable="MY_KEY"), question("q"))
    assert service.calls[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_response_holds_text_finish_tokens_and_thinking(tmp_path, service):
    service.answer = lambda call: said("$2$", reasoning_content="One and one.")
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.text, response.thinking, response.finish) == ("$2$", "One and one.", "stop")
    assert (response.prompt_tokens, response.completion_tokens) == (7, 3)
    assert (response.attempts, response.failure) == ([], None)


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("$2$", {"reasoning_content": "One and one."}),
        ("$2$", {"reasoning": "One and one."}),
        ("$2$", {"reasoning": "One and one.", "reasoning_content": None}),
        (
            [
                {"type": "thinking", "thinking": [{"type": "text", "text": "One and one."}]},
                {"type": "text", "text": "$2$"},
            ],
            {},
        ),
        ([{"type": "thinking", "thinking": "One and one."}, {"type": "text", "text": "$2$"}], {}),
    ],
)
def test_thinking_is_read_from_the_field_that_holds_it(tmp_path, service, content, fields):
    service.answer = lambda call: said(content, **fields)
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.text, response.thinking) == ("$2$", "One and one.")


def test_answers_come_in_the_order_of_the_requests(tmp_path, service):
    first = threading.Event()

    def answer(call: Call) -> Reply:
        if call.question == "q0":
            first.wait(WAIT)  # the first question is answered last
        elif len(service.calls) == 5:
            first.set()
        return echo(call)

    service.answer = answer
    found = ask(tmp_path, served(service), *(question(f"q{n}") for n in range(5)))
    assert [one.text for one in found] == [f"answer to q{n}" for n in range(5)]


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("stop", "stop"), ("eos", "stop"), ("length", "length"), ("content_filter", "blocked"),
        ("tool_calls", "error"), ("recitation", "error"), (None, "error"),
    ],
)  # fmt: skip
def test_finish_words_are_read_by_name(tmp_path, service, word, finish):
    service.answer = lambda call: said("half an ans", word)
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.text, response.finish) == ("half an ans", finish)
    assert response.failure is None
    assert response.attempts == ([f"finish {word}"] if finish == "error" else [])
    assert kinds(tmp_path) == ["asked", "response"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ("one\u2028two\nthree", "one\u2028two\nthree"),
        ("half \ud83d a pair", "half \ufffd a pair"),
        ([{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}], "in parts"),
    ],
)
def test_whatever_text_a_service_sends_is_kept(tmp_path, service, content, text):
    service.answer = lambda call: said(content)
    assert ask(tmp_path, served(service), question("q"))[0].text == text
    assert ask(tmp_path, served(service), question("q"))[0].text == text
    assert len(service.calls) == 1


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None, "completion_tokens": None}])
def test_a_service_that_counts_no_tokens_gives_zero(tmp_path, service, usage):
    reply = said("2")
    service.answer = lambda call: Reply({**reply.body, "usage": usage})
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.prompt_tokens, response.completion_tokens) == (0, 0)


@pytest.mark.parametrize("back", ["so it is 2", "<think>\nso it is 2"])
def test_an_opened_turn_is_sent_and_not_repeated_in_the_answer(tmp_path, service, back):
    service.answer = lambda call: said(back)
    item = question("q")
    opened = dataclasses.replace(item, messages=(*item.messages, ("assistant", "<think>\n")))
    assert ask(tmp_path, served(service), opened)[0].text == "so it is 2"
    assert service.calls[0].body["messages"][-1] == {"role": "assistant", "content": "<think>\n"}


# The journal comes first


def test_a_response_is_in_the_file_before_ask_returns_it(tmp_path, service):
    with Models({"m": served(service)}, tmp_path, "job", None) as models:
        (answered,) = models.ask("m", [question("q")], "test")
        (kept,) = (line for line in journal(tmp_path) if line["kind"] == "response")
    assert (kept["key"], kept["response"]["text"]) == (answered.key, answered.response.text)


def test_a_response_is_in_the_file_before_the_next_request_leaves(tmp_path, service):
    standing: list[list[str]] = []

    def answer(call: Call) -> Reply:
        standing.append([line["kind"] for line in journal(tmp_path)])
        return echo(call)

    service.answer = answer
    ask(tmp_path, served(service, concurrency=1), *(question(f"q{n}") for n in range(3)))
    pair = ["asked", "response"]
    assert standing == [["asked"], [*pair, "asked"], [*pair, *pair, "asked"]]


def test_what_was_answered_is_never_asked_again(tmp_path, service):
    first = ask(tmp_path, served(service), question("a"), question("b"))
    again = ask(tmp_path, served(service), question("b"), question("c"), question("a"), job="next")
    assert [one.text for one in again] == [f"answer to {one}" for one in "bca"]
    assert again[2] == first[0]
    assert service.sent == {"a": 1, "b": 1, "c": 1}


def test_equal_requests_of_one_call_are_asked_once(tmp_path, service):
    twins = [question("a"), question("b"), question("a", purpose="judging", lang="fr")]
    found = ask(tmp_path, served(service), *twins, question("a"))
    assert [one.text for one in found] == [f"answer to {one}" for one in "abaa"]
    assert service.sent == {"a": 1, "b": 1}


def test_samples_of_one_question_are_asked_each(tmp_path, service):
    ask(tmp_path, served(service), *(question("a", sample=n, seed=n) for n in range(3)))
    assert sorted(call.body["seed"] for call in service.calls) == [0, 1, 2]


def test_the_journal_answers_without_the_service(tmp_path, service):
    ask(tmp_path, served(service), question("a"))
    service.answer = lambda call: pytest.fail("the service was asked")
    assert ask(tmp_path, served(service), question("a"))[0].text == "answer to a"
    assert ask(tmp_path, served(service)) == []


def test_another_models_journal_is_another(tmp_path, service):
    both = {"m": served(service), "n": served(service, service="served-2")}
    with Models(both, tmp_path, "job", None) as models:
        for name in both:
            models.ask(name, [question("a")], "test")
    assert [call.body["model"] for call in service.calls] == ["served-1", "served-2"]
    assert len(journal(tmp_path, "m")) == len(journal(tmp_path, "n")) == 2


# Failures


def test_a_failure_is_never_returned_and_is_asked_again(tmp_path, service):
    service.answer = lambda call: refused(500) if call.question == "b" else echo(call)
    with pytest.raises(UnansweredError, match=r"1 of 3 requests to m .*HTTP 500.*journal"):
        ask(tmp_path, served(service, attempts=2), *(question(one) for one in "abc"))
    assert service.sent == {"a": 1, "b": 2, "c": 1}
    assert sorted(kinds(tmp_path)) == ["asked"] * 4 + ["failure"] + ["response"] * 2
    service.answer = echo
    found = ask(tmp_path, served(service), *(question(one) for one in "abc"))
    assert [one.text for one in found] == [f"answer to {one}" for one in "abc"]
    assert service.sent == {"a": 1, "b": 3, "c": 1}


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_an_attempt_that_failed_is_repeated(tmp_path, service, pauses, status):
    service.answer = in_turn(refused(status), said("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.text, response.attempts) == ("2", [f"HTTP {status}"])
    assert [0.5 <= one <= 1.5 for one in pauses] == [True]
    assert kinds(tmp_path) == ["asked", "asked", "response"]


@pytest.mark.parametrize(
    ("word", "seconds"), [("7", 7.0), ("0", 0.0), ("0.25", 0.25), ("99999", 300.0)]
)
def test_the_wait_that_a_service_asks_for_is_kept(tmp_path, service, pauses, word, seconds):
    service.answer = in_turn(refused(429, retry_after=word), said("2"))
    ask(tmp_path, served(service), question("q"))
    assert pauses == [seconds]


@pytest.mark.parametrize(
    ("date", "seconds"),
    [("Wed, 21 Oct 2065 07:28:00 GMT", 300.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0)],
)
def test_a_wait_given_as_a_date_lasts_until_then(tmp_path, service, pauses, date, seconds):
    service.answer = in_turn(refused(429, retry_after=date), said("2"))
    ask(tmp_path, served(service), question("q"))
    assert pauses == [seconds]


def test_waits_grow_up_to_half_a_minute(tmp_path, service, pauses):
    service.answer = lambda call: refused(503)
    with pytest.raises(UnansweredError):
        ask(tmp_path, served(service, attempts=9), question("q"))
    wanted = [1, 2, 4, 8, 16, 30, 30, 30]
    assert all(most / 2 <= one <= most * 1.5 for one, most in zip(pauses, wanted, strict=True))


@pytest.mark.parametrize("attempts", [1, 3])
def test_attempts_are_counted_in_all(tmp_path, service, pauses, attempts):
    service.answer = lambda call: refused(500)
    with pytest.raises(UnansweredError):
        ask(tmp_path, served(service, attempts=attempts), question("q"))
    assert len(service.calls) == attempts
    assert len(pauses) == attempts - 1
    (failure,) = (line for line in journal(tmp_path) if line["kind"] == "failure")
    assert failure["response"]["attempts"] == ["HTTP 500"] * attempts
    assert failure["settles"] == attempts


def test_a_reset_connection_is_repeated(tmp_path, service):
    service.answer = in_turn(CUT, CUT, said("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    assert response.text == "2"
    assert [one.split(" ")[0] for one in response.attempts] == ["APIConnectionError"] * 2


def test_a_service_that_is_not_there_is_a_failure(tmp_path):
    with Service() as gone:
        model = served(gone)
    with pytest.raises(UnansweredError, match="APIConnectionError"):
        ask(tmp_path, model, question("q"))
    assert kinds(tmp_path) == ["asked"] * 3 + ["failure"]


def test_an_answer_that_does_not_come_in_time_is_repeated(tmp_path, service):
    late = threading.Event()

    def answer(call: Call) -> Reply:
        if call.number == 1:
            late.wait(WAIT)
        return said("2")

    service.answer = answer
    (response,) = ask(tmp_path, served(service, timeout_s=0.3, attempts=50), question("q"))
    late.set()
    assert response.text == "2"
    assert set(response.attempts) == {"APITimeoutError"}


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_prompt_that_is_too_long_is_an_error_that_is_kept(tmp_path, service, pauses, status):
    words = "This model's maximum context length is 2048 tokens."
    service.answer = lambda call: refused(status, words)
    for _ in range(2):
        (response,) = ask(tmp_path, served(service), question("q"))
        assert (response.text, response.finish, response.failure) == ("", "error", None)
        assert response.attempts == [f"HTTP {status}: {words}"]
    assert len(service.calls) == 1 and pauses == []
    assert kinds(tmp_path) == ["asked", "response"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_wrong_key_or_name_or_parameter_is_not_tried_again_and_no_answer(
    tmp_path, service, pauses, status
):
    service.answer = lambda call: refused(status, "no access")
    with pytest.raises(UnansweredError, match=f"HTTP {status}"):
        ask(tmp_path, served(service), question("q"))
    assert len(service.calls) == 1 and pauses == []
    assert kinds(tmp_path) == ["asked", "failure"]


@pytest.mark.parametrize("status", [200, 400, 401, 422, 500])
def test_a_key_never_leaves_by_exception_journal_or_log(
    tmp_path, service, monkeypatch, caplog, capsys, status
):
    monkeypatch.setenv("MY_KEY", KEY)

    def answer(call: Call) -> Reply:
        words = f"Incorrect API key provided: {call.headers['authorization']}"
        return said("2") if status == 200 else refused(status, words)

    service.answer = answer
    model = served(service, key_variable="MY_KEY")
    error: BaseException | None = None
    try:
        found = ask(tmp_path, model, question("q"), log=tmp_path / "log.txt")
        assert KEY not in repr(found)
    except UnansweredError as raised:
        error = raised
    assert service.calls[0].headers["authorization"] == f"Bearer {KEY}"
    while error is not None:
        assert KEY not in f"{error!r} {error}"
        error = error.__cause__ or error.__context__
    assert KEY.encode() not in all_of(tmp_path)
    assert KEY not in caplog.text
    assert KEY not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "reply",
    [
        Reply({**said("").body, "choices": []}),
        Reply({**said("").body, "choices": None}),
        Reply({}),
        Reply(b"null"),
        Reply(b"<html>Sign in</html>", headers={"content-type": "text/html"}),
    ],
    ids=["no choices", "null choices", "no fields", "null", "a page"],
)
def test_a_reply_without_choices_is_a_failure(tmp_path, service, reply):
    service.answer = lambda call: reply if call.question == "a" else echo(call)
    with pytest.raises(UnansweredError, match=r"1 of 2 .*(empty: no choices|no JSON)"):
        ask(tmp_path, served(service), question("a"), question("b"))
    assert service.sent == {"a": 3, "b": 1}
    service.answer = echo
    found = ask(tmp_path, served(service), question("a"), question("b"))
    assert [one.text for one in found] == ["answer to a", "answer to b"]
    assert service.sent["b"] == 1


@pytest.mark.parametrize("body", [b'{"choices": [', b"", b'{"choices": "\xff"}'])
def test_a_reply_that_is_no_json_is_repeated(tmp_path, service, body):
    service.answer = in_turn(Reply(body), said("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    assert response.text == "2"
    assert len(response.attempts) == 1


def test_a_request_sent_too_often_without_an_answer_is_not_paid_for_again(tmp_path, service):
    model = served(service, attempts=2)
    key = question("a").key(identity(model))
    line = json.dumps({"kind": "asked", "key": key, "purpose": "generation", "lang": "en"}) + "\n"
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "job.jsonl").write_text(line, encoding="utf-8")
    assert ask(tmp_path, model, question("a"))[0].text == "answer to a"
    (tmp_path / "m" / "job.jsonl").write_text(line * 2, encoding="utf-8")
    with pytest.raises(UnansweredError, match="sent 2 times without an answer"):
        ask(tmp_path, model, question("a"), question("b"))
    assert service.sent == {"a": 1, "b": 1}


# Many at once


@pytest.mark.parametrize("bound", [1, 3, 8])
def test_as_many_requests_as_allowed_are_in_flight_and_no_more(tmp_path, service, bound):
    together = threading.Barrier(bound)

    def answer(call: Call) -> Reply:
        together.wait(WAIT)  # breaks unless so many are open at once
        return echo(call)

    service.answer = answer
    items = [question(f"q{n}") for n in range(bound * 3)]
    ask(tmp_path, served(service, concurrency=bound), *items)
    assert service.most == bound
    assert len(service.calls) == len(items)


def test_the_service_is_reached_past_a_clusters_proxy(tmp_path, service, monkeypatch):
    with Service() as gone:
        nowhere = gone.url.removesuffix("/v1")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, nowhere)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert ask(tmp_path, served(service), question("a"))[0].text == "answer to a"


def test_the_environment_cannot_turn_requests_to_another_server(service, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", service.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    engine = open_engine("m", served(service, base_url=None), Path("journal/m/job"))
    try:
        assert str(engine._client.base_url) == "https://api.openai.com/v1/"
    finally:
        engine.close()


# Killed in the middle

ASKER = """
import sys
from pathlib import Path
from babelmath.asking import Models, request
from babelmath.config import Model, Sampling
url, folder = sys.argv[1:]
model = Model(display="Served", engine="openai", service="served-1", base_url=url, concurrency=3)
sampling = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)
questions = [
    request("generation", "en", [{"role": "user", "content": f"q{n}"}], sampling, 7)
    for n in range(10)
]
with Models({"m": model}, Path(folder), "job", None) as models:
    models.ask("m", questions, "test")
"""


@dataclasses.dataclass
class Killed:
    """A run that was killed and then run again."""

    service: Service
    folder: Path
    journalled: set[str]
    answers: list[Response]


@pytest.fixture(scope="module", params=[1, 4, 9])
def resumed(request, tmp_path_factory) -> Iterator[Killed]:
    """A process is killed in ask() as its nth request waits; then the same is asked again."""
    folder = tmp_path_factory.mktemp("killed")
    reached, release = threading.Event(), threading.Event()

    def answer(call: Call) -> Reply:
        if call.number >= request.param:
            reached.set()
            release.wait(WAIT)
        return echo(call)

    environment = {key: value for key, value in os.environ.items() if key != "OPENAI_API_KEY"}
    with Service(answer) as service:
        process = subprocess.Popen(
            [sys.executable, "-c", ASKER, service.url, str(folder)],
            env=environment | {"PYTHONPATH": str(REPOSITORY / "scripts")},
        )
        assert reached.wait(WAIT)
        process.kill()
        process.wait(WAIT)
        release.set()
        standing = {
            line["request"]["messages"][-1][1]
            for line in journal(folder)
            if line["kind"] == "response"
        }
        service.answer = echo
        items = [question(f"q{n}") for n in range(10)]
        answers = ask(folder, served(service, concurrency=3), *items)
        yield Killed(service, folder, standing, answers)


def test_after_a_kill_no_journalled_request_is_sent_again(resumed):
    assert {one: resumed.service.sent[one] for one in resumed.journalled} == dict.fromkeys(
        resumed.journalled, 1
    )


def test_after_a_kill_only_what_was_in_flight_is_sent_twice(resumed):
    assert len(resumed.service.sent) == 10
    twice = [one for one, times in resumed.service.sent.items() if times > 1]
    assert set(resumed.service.sent.values()) <= {1, 2}
    assert 1 <= len(twice) <= 3


def test_after_a_kill_no_response_is_missing(resumed):
    assert [one.text for one in resumed.answers] == [f"answer to q{n}" for n in range(10)]
    answered = [line["key"] for line in journal(resumed.folder) if line["kind"] == "response"]
    assert len(answered) == len(set(answered)) == 10


def test_after_a_kill_the_ledger_tells_what_was_sent_in_vain(resumed):
    total = ledger(resumed.folder, ["m"], None).filter(model="total").row(0, named=True)
    assert total["responses"] == 10 and total["failures"] == 0
    assert total["asked_again"] == 0
    assert total["unanswered"] == total["asked"] - 10
    # A request is noted before it leaves, so none can reach the service unnoted.
    assert len(resumed.service.calls) <= total["asked"] <= 10 + 3


# One loaded model at a time


class Loaded:
    """Stands in for a loaded model where loading is the point."""

    def __init__(self, name: str, told: list[str]) -> None:
        self._name, self._told = name, told
        told.append(f"open {name}")

    def stream(
        self, requests: Sequence[Request], on_send: Callable[[Request], None]
    ) -> Iterator[tuple[Request, Response]]:
        for item in requests:
            on_send(item)
            yield item, Response(text=f"{self._name} {item.messages[-1][1]}", finish="stop")

    def close(self) -> None:
        self._told.append(f"close {self._name}")


@pytest.fixture
def told(monkeypatch) -> list[str]:
    """What was opened and closed, in order."""
    said: list[str] = []
    monkeypatch.setattr(asking, "open_engine", lambda name, model, state: Loaded(name, said))
    return said


@pytest.fixture
def weights(tmp_path) -> Callable[..., Model]:
    def made(name: str, content: bytes = b"same", **changes: Any) -> Model:
        path = tmp_path / f"{name}.gguf"
        path.write_bytes(b"GGUF" + content)
        return Model(**({"display": name, "engine": "llamacpp", "weights": str(path)} | changes))

    return made


def test_two_models_with_the_same_weights_share_one_loaded_engine(tmp_path, told, weights):
    both = {"cold": weights("a"), "warm": weights("b")}
    with Models(both, tmp_path / "journal", "job", None) as models:
        for name in ("cold", "warm", "cold"):
            models.ask(name, [question(f"to {name}")], "test")
    assert told == ["open cold", "close cold"]


@pytest.mark.parametrize(
    "changes", [{"content": b"other"}, {"context": 4096}, {"concurrency": 1}], ids=str
)
def test_another_model_is_loaded_when_the_first_has_been_freed(tmp_path, told, weights, changes):
    both = {"one": weights("a"), "two": weights("b", **changes)}
    with Models(both, tmp_path / "journal", "job", None) as models:
        for name in both:
            models.ask(name, [question("q")], "test")
    assert told == ["open one", "close one", "open two", "close two"]


def test_a_model_is_not_loaded_for_what_is_journalled(tmp_path, told, weights):
    model = weights("a")
    ask(tmp_path / "journal", model, question("q"))
    told.clear()
    assert ask(tmp_path / "journal", model, question("q"))[0].text == "m q"
    assert told == []


def test_the_same_weights_at_another_path_are_answered_from_the_journal(tmp_path, told, weights):
    ask(tmp_path / "journal", weights("a"), question("q"))
    ask(tmp_path / "journal", weights("moved"), question("q"))
    assert told == ["open m", "close m"]


def test_an_embedded_model_is_asked_again_however_often_it_was_killed(tmp_path, told, weights):
    model = weights("a", attempts=1)
    key = question("q").key(identity(model))
    line = json.dumps({"kind": "asked", "key": key, "purpose": "p", "lang": "en"}) + "\n"
    (tmp_path / "journal" / "m").mkdir(parents=True)
    (tmp_path / "journal" / "m" / "job.jsonl").write_text(line * 5, encoding="utf-8")
    assert ask(tmp_path / "journal", model, question("q"))[0].text == "m q"


def test_a_model_that_cannot_be_loaded_is_named(tmp_path, weights, monkeypatch):
    def broken(name: str, model: Model, state: Path) -> None:
        raise RuntimeError("bad magic")

    monkeypatch.setattr(asking, "open_engine", broken)
    with pytest.raises(InputError, match="model cannot be loaded: bad magic") as caught:
        ask(tmp_path / "journal", weights("a"), question("q"))
    assert caught.value.field == "models.m"


def test_an_engine_is_freed_when_the_job_fails(tmp_path, told, weights):
    with (
        pytest.raises(ZeroDivisionError),
        Models({"m": weights("a")}, tmp_path / "journal", "job", None) as models,
    ):
        models.ask("m", [question("q")], "test")
        raise ZeroDivisionError
    assert told == ["open m", "close m"]


# Progress


def test_the_log_tells_how_far_the_job_is_in_plain_lines(tmp_path, service):
    log = tmp_path / "logs" / "job.log"
    ask(tmp_path / "journal", served(service), question("a"), log=log)
    items = [question(one) for one in "abb"]
    ask(tmp_path / "journal", served(service), *items, log=log)
    first, second = log.read_text(encoding="utf-8").splitlines()
    assert first.startswith("test m: 1/1 requests (0 from the journal), ")
    assert second.startswith("test m: 3/3 requests (2 from the journal), ")
    assert second.endswith(" new tokens/s, 0 s left")


def test_a_failed_request_is_not_done(tmp_path, service):
    service.answer = lambda call: refused(401) if call.question == "b" else echo(call)
    with pytest.raises(UnansweredError):
        ask(tmp_path, served(service), question("a"), question("b"), log=tmp_path / "log")
    assert "test m: 1/2 requests" in (tmp_path / "log").read_text(encoding="utf-8")


def test_progress_is_told_every_few_seconds(tmp_path):
    progress = Progress("job", tmp_path / "log", total=3, every=0.0)
    progress.advance(5)
    progress.note("model loaded")
    progress.advance(0, reused=True)
    progress.close()
    lines = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "job: 1/3 requests (0 from the journal)",
        "job: model loaded",
        "job: 2/3 requests (1 from the journal)",
        "job: 2/3 requests (1 from the journal)",
    ]


@pytest.mark.parametrize("reused", [0, 2])
def test_the_time_left_is_unknown_until_something_was_asked(tmp_path, reused):
    progress = Progress("job", tmp_path / "log", total=3)
    for _ in range(reused):
        progress.advance(0, reused=True)
    progress.close()
    assert "time left unknown" in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_note_stands_in_the_jobs_log(tmp_path):
    with Models({}, tmp_path, "job", tmp_path / "logs" / "log") as models:
        models.note("left out: mathmist-0003")
    assert (tmp_path / "logs" / "log").read_text(encoding="utf-8") == "left out: mathmist-0003\n"


# Seeds


@settings(deadline=None)
@given(st.integers(0, 2**40), st.lists(st.text() | st.integers(), max_size=4))
def test_a_seed_is_31_bits_and_stays_the_same(run_seed, parts):
    seed = seed_of(run_seed, *parts)
    assert 0 <= seed < 2**31
    assert seed_of(run_seed, *parts) == seed


def test_neighbours_have_other_seeds():
    seeds = [
        seed_of(run, benchmark, f"mathmist-{number:04d}", lang, sample)
        for run in (1, 2) for benchmark in ("mathmist", "mmath") for number in range(1, 30)
        for lang in ("en", "bn") for sample in range(4)
    ]  # fmt: skip
    assert len(set(seeds)) == len(seeds)


def test_parts_of_a_seed_do_not_run_together():
    assert seed_of(1, "ab", "c") != seed_of(1, "a", "bc")
    assert seed_of(1, 2) != seed_of(12)


def test_a_seed_is_the_same_on_every_machine():
    assert seed_of(42, "mathmist", "mathmist-0001", "en", 0) == 1170283118
