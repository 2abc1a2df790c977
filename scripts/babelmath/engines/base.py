"""What every engine takes and gives: a stream of requests in, responses out as they finish."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from babelmath.files import canonical, sha256
from babelmath.prompts import Message


@dataclass(frozen=True)
class Image:
    """A picture beside a request's last message; `sha256` stands for its content in keys."""

    path: str
    mime: str
    sha256: str


@dataclass(frozen=True)
class Request:
    """One question to a model.

    `purpose` and `lang` say for whom it is asked (the ledger's rows) and are no part of the key;
    all else is. A trailing assistant message is text that the model continues. `schema` binds the
    reply to a JSON schema.
    """

    purpose: str
    lang: str
    messages: tuple[tuple[str, str], ...]
    temperature: float
    top_p: float
    max_tokens: int
    sample: int
    seed: int
    schema: str | None = None
    images: tuple[Image, ...] = ()

    def key(self, identity: dict[str, Any]) -> str:
        """SHA-256 of all that determines the response: the model's identity and the request."""
        parts = asdict(self)
        del parts["purpose"], parts["lang"], parts["images"]
        if self.images:
            parts["images"] = [image.sha256 for image in self.images]
        return sha256(canonical({"identity": identity, "request": parts}))

    def chat(self) -> list[Message]:
        """The messages as a service takes them."""
        return [{"role": role, "content": content} for role, content in self.messages]


@dataclass(frozen=True)
class Response:
    """What came back.

    `text` is the answer as received, `thinking` only what a service hands over apart from it.
    `finish`: stop, length, blocked, or error (a refusal that asking again cannot change, such as a
    prompt longer than the context). `failure` is set where no answer was had and asking again may
    help; such a response never counts. Tokens as the engine counted them, `thinking_tokens` those
    of `completion_tokens` that a service says it thought with; `seconds` of waiting. `unknown`
    counts attempts of which nobody knows whether the service answered (and charged) them; `paid`
    are prompt, new and thinking tokens of earlier attempts that were charged and brought no answer.
    `limited` is the context that was too small for the request: with a larger one it is asked anew.
    """

    text: str = ""
    thinking: str = ""
    finish: str = "error"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    sent: dict[str, Any] = field(default_factory=dict)
    attempts: list[str] = field(default_factory=list)
    failure: str | None = None
    thinking_tokens: int = 0
    unknown: int = 0
    limited: int | None = None
    paid: list[int] = field(default_factory=list)


def limited_key(key: str, context: int) -> str:
    """The key of a response that a context was too small for; `key` is the request's own."""
    return sha256(canonical({"key": key, "context": context}))


OnSend = Callable[[Request], None]


class Engine(Protocol):
    """A loaded model. Closing it frees all that it holds."""

    def stream(
        self, requests: Iterable[Request], on_send: OnSend
    ) -> Iterator[tuple[Request, Response]]:
        """Ask all requests; yield each with its response as it finishes, in any order.

        `on_send` is called right before a request leaves, at every attempt.
        """
        ...

    def close(self) -> None:
        """Free the model."""
        ...
