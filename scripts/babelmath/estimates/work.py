"""Work to come and what it takes: requests, tokens, money, GPU-hours of one model at one step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from babelmath.config import Config, Model, asked_as
from babelmath.estimates.journalled import Journalled, Measured, read_journal
from babelmath.estimates.token_rates import ENGLISH
from babelmath.estimates.tokens import TokenCounter, counter_for
from babelmath.prompts import Message

MILLION = 1_000_000
HOUR = 3600


@dataclass(frozen=True)
class Part:
    """A piece of a prompt: its text, the language of that, and the language it will be in."""

    text: str
    text_lang: str
    lang: str


@dataclass(frozen=True)
class Prompted:
    """A prompt to come: its messages, and the parts that they are made of.

    `real`: the messages are sent in exactly these words. `more`: tokens that no text is there for.
    """

    messages: tuple[Message, ...]
    parts: tuple[Part, ...]
    real: bool
    more: float = 0.0

    def tokens(self, counter: TokenCounter) -> float:
        """Prompt tokens as a counter tells them."""
        frame = counter.frame(self.messages) + self.more
        if self.real and counter.own:
            return frame + sum(counter.count(one["content"], ENGLISH) for one in self.messages)
        return frame + sum(_part_tokens(counter, part) for part in self.parts)


@dataclass(frozen=True)
class Load:
    """What a model is asked at one step.

    `requests` as expected and `most` at most (rounds, second tries); both without what is
    journalled. Tokens are those of the expected requests; `new_each` of one response, at most
    `max_tokens`.
    """

    step: str
    benchmark: str
    setting: str
    model: str
    requests: int
    most: int
    journalled: int
    prompt_tokens: float
    new_each: float
    max_tokens: int
    new_by: str
    questions: str
    once: float | None = None  # prompt tokens where several samples share a prompt
    of: str = ""  # judging: the model whose responses are judged
    shards: int = 1  # jobs that it is split into


@dataclass(frozen=True)
class Row:
    """A load with its cost.

    `price` and `gpu_hours` are None where they cannot be known; `paid` and `gpus` say whether they
    apply at all.
    """

    load: Load
    prompt_tokens: int
    new_tokens: int
    most_new_tokens: int
    tokens_by: str
    paid: bool
    price: float | None
    most_price: float | None
    gpus: int
    gpu_hours: float | None

    @property
    def job_hours(self) -> float | None:
        """Hours of one job, of one shard where it is split; None where they cannot be known."""
        hours = self.gpu_hours
        return hours / self.gpus / self.load.shards if hours is not None and self.gpus else None


class Ground:
    """What loads are measured with: counters and journals of the models, opened once each."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._counters: dict[str, TokenCounter] = {}
        self._journals: dict[str, Journalled] = {}

    def __enter__(self) -> Ground:
        return self

    def __exit__(self, *_: object) -> None:
        for counter in {id(one): one for one in self._counters.values()}.values():
            counter.close()

    def model(self, name: str) -> Model:
        """A model as it is asked."""
        return asked_as(self.config, name)

    def asked(self, name: str) -> bool:
        """Whether a model is asked at all: released records are read."""
        return self.config.models[name].engine != "released"

    def counter(self, name: str) -> TokenCounter:
        """A model's counter; models of the same weights share one."""
        if name not in self._counters:
            model = self.config.models[name]
            twins = [one for one in self._counters if model.weights is not None
                     and self.config.models[one].weights == model.weights
                     and self.config.models[one].engine == model.engine]  # fmt: skip
            self._counters[name] = self._counters[twins[0]] if twins else counter_for(name, model)
        return self._counters[name]

    def journal(self, name: str) -> Journalled:
        """A model's journal."""
        if name not in self._journals:
            self._journals[name] = read_journal(Path(self.config.paths.journal) / name)
        return self._journals[name]

    def thinks(self, name: str) -> bool:
        """Whether a response holds thinking: as configured, or hidden by a reasoning service."""
        model = self.model(name)
        hidden = model.engine == "openai" and model.tokens_field == "max_completion_tokens"
        return model.thinking != "none" or hidden

    def new_tokens(
        self, name: str, most: int, measured: Measured | None, text: float | None = None
    ) -> tuple[float, str]:
        """New tokens of one response, and where the number is from.

        Args:
            most: the sampling's max_tokens.
            text: the length of the reply's text where that is known better than by assumption.
        """
        if measured is not None:
            return min(measured.mean, most), f"measured ({measured.responses})"
        assumed = self.config.estimate
        plain: float = assumed.new_tokens if text is None else text
        thought = assumed.thinking_tokens if self.thinks(name) else 0
        total = plain + thought if text is not None else (thought or plain)
        return min(float(total), most), "assumed"

    def priced(self, load: Load) -> Row:
        """A load with its tokens, money and GPU-hours."""
        model = self.config.models[load.model]
        new = load.new_each * load.requests
        most_new = load.max_tokens * load.most
        prompt = load.prompt_tokens if load.once is None else load.once
        share = load.most / load.requests if load.requests else 0.0
        paid = model.price is not None or model.engine in ("openai", "gemini")
        if model.engine == "openai" and model.base_url and model.key_variable is None:
            paid = model.price is not None  # a server of one's own
        price = most_price = hours = None
        if model.price is not None:
            part = (model.price.batch if model.batch else 1.0) / MILLION
            price = (prompt * model.price.input + new * model.price.output) * part
            most_price = (prompt * share * model.price.input + most_new * model.price.output) * part
        if model.gpus and model.tokens_per_second:
            hours = new / model.tokens_per_second * model.gpus / HOUR
        return Row(load, round(prompt), round(new), most_new, self.counter(load.model).name, paid,
                   price, most_price, model.gpus, hours)  # fmt: skip


def prompted(
    prompt_messages: Sequence[Message],
    blank: Sequence[Message],
    blank_lang: str,
    values: Iterable[Part],
    real: bool,
    more: float = 0.0,
) -> Prompted:
    """A prompt from its filled and its empty form and the values between them."""
    fixed = [Part(one["content"], blank_lang, blank_lang) for one in blank]
    return Prompted(tuple(prompt_messages), (*fixed, *values), real, more)


def _part_tokens(counter: TokenCounter, part: Part) -> float:
    tokens = counter.count(part.text, part.text_lang)
    if part.text_lang == part.lang:
        return tokens
    return tokens * _ratio(counter, part.lang) / _ratio(counter, part.text_lang)


def _ratio(counter: TokenCounter, lang: str) -> float:
    return 1.0 if lang == ENGLISH else counter.ratio(lang)


def empty(values: Mapping[str, str]) -> dict[str, str]:
    """The same names with nothing in them."""
    return dict.fromkeys(values, "")
