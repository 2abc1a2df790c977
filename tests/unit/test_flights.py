"""Calls in flight, and what an environment makes of connections."""

from __future__ import annotations

import threading

import pytest

from babelmath.asking import request
from babelmath.config import Model, Sampling
from babelmath.engines import Request, open_engine
from babelmath.engines.trust import trust
from babelmath.errors import InputError
from unit import loopback, loopback_gemini

SERVICES = {"openai": loopback, "gemini": loopback_gemini}
LONG = 60  # seconds; nobody waits for it


def question(text: str) -> Request:
    sampling = Sampling(temperature=0, max_tokens=16)
    return request("generation", "en", [{"role": "user", "content": text}], sampling, 7)


def model(engine: str, url: str, **changes: object) -> Model:
    return Model(display="S", engine=engine, service="served-1", base_url=url, timeout_s=LONG,
                 **changes)  # type: ignore[arg-type]  # fmt: skip


@pytest.mark.parametrize("engine", SERVICES)
def test_a_reader_that_stops_waits_for_no_reply(tmp_path, monkeypatch, engine):
    """Replies are held back until the stream is closed: a close that waits would never end."""
    monkeypatch.setenv("MY_KEY", "k")
    closed, module = threading.Event(), SERVICES[engine]

    def answer(call):
        if call.question != "first":
            closed.wait(LONG)
        return module.echo(call)

    with module.Service(answer) as service:
        asked = [question("first"), *(question(f"q{number}") for number in range(4))]
        loaded = open_engine("m", model(engine, service.url, key_variable="MY_KEY"), tmp_path / "j")
        stream = loaded.stream(asked, lambda sent: None)
        assert next(stream)[0] == asked[0]
        closing = threading.Thread(target=lambda: (stream.close(), loaded.close()))
        closing.start()
        closing.join(LONG / 2)
        waits = closing.is_alive()
        closed.set()
        closing.join()
    assert not waits and len(service.calls) <= 5


@pytest.mark.parametrize("engine", SERVICES)
@pytest.mark.parametrize(("variable", "value"), [
    ("ALL_PROXY", "socks5://127.0.0.1:9"), ("HTTPS_PROXY", "ftp://127.0.0.1:9"),
    ("SSL_CERT_FILE", "/nowhere/certificates.pem"),
])  # fmt: skip
def test_an_environment_that_no_client_can_follow_is_told(
    tmp_path, monkeypatch, engine, variable, value
):
    for name in ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv(variable, value)
    monkeypatch.setenv("MY_KEY", "k")
    trust.cache_clear()
    far = model(engine, "https://service.invalid", key_variable="MY_KEY")
    try:
        with pytest.raises(InputError, match=f"{variable}.*(?i:unset)"):
            open_engine("m", far, tmp_path / "j")
    finally:
        trust.cache_clear()


@pytest.mark.parametrize("key", ['"sk-1"', "'sk-1'", "Bearer sk-1", "sk-1\nsk-2", "sk-ä"])
def test_a_key_with_letters_that_no_key_has_is_refused_and_not_shown(tmp_path, monkeypatch, key):
    monkeypatch.setenv("MY_KEY", key)
    far = model("openai", "https://service.invalid", key_variable="MY_KEY")
    with pytest.raises(InputError, match="MY_KEY holds letters that no key has") as caught:
        open_engine("m", far, tmp_path / "j")
    assert "sk-1" not in str(caught.value)
