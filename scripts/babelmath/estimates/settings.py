"""What settings will ask: the evaluated models, and the judges of what they answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from babelmath.asking import request
from babelmath.config import Judge, Setting
from babelmath.engines import identity
from babelmath.engines.base import limited_key
from babelmath.errors import InputError
from babelmath.estimates.questions import Expected, Stock, expected
from babelmath.estimates.work import Ground, Load, Part, Prompted, empty, prompted
from babelmath.generation import messages
from babelmath.judging import JUDGE_PROMPTS, JUDGE_PURPOSES
from babelmath.openings import drawn, opening
from babelmath.prompts import load_prompt, prompt_path
from babelmath.questions import Question
from babelmath.seeds import seed_of
from babelmath.shards import shards_of

ERRORS = 100  # tokens of a flawed solution's errors as a judge is shown them, where none are built
Twins = dict[tuple[object, ...], int]  # samples that a model is asked already, by request


@dataclass(frozen=True)
class Asked:
    """A setting's questions with their prompts."""

    stock: Stock
    name: str
    setting: Setting
    questions: list[tuple[Expected, Prompted]]

    @property
    def basis(self) -> str:
        """Which of the questions are read and which are assumed."""
        made = sorted({one.lang for one, _ in self.questions if not one.real})
        return f"assumed: {' '.join(made)}" if made else "read"


def settings(stock: Stock, ground: Ground) -> Iterator[Load]:
    """The loads of a benchmark's settings: generation, then judging."""
    twins: dict[str, Twins] = {}
    judged: Twins = {}
    judging: list[Load] = []
    for name, setting in stock.benchmark.settings.items():
        asked = _asked(stock, name, setting, ground)
        for model in setting.models:
            fresh = 0
            if ground.asked(model):
                load = _generation(asked, model, ground, twins.setdefault(model, {}))
                fresh = load.requests
                yield load
            judging += _judging(asked, model, ground, judged, fresh)
    yield from judging


def _asked(stock: Stock, name: str, setting: Setting, ground: Ground) -> Asked:
    prompts = Path(ground.config.paths.prompts)
    found = []
    for one in expected(stock, setting):
        for lang in (one.lang, setting.reasoning_language or one.lang):
            stock.language(lang)
        question = Question(one.id, one.lang, one.values)
        filled = messages(setting, question, stock.languages, prompts, None)
        blank = Question(one.id, one.lang, empty(one.values))
        fixed = messages(setting, blank, stock.languages, prompts, None)
        own = prompt_path(prompts, setting.prompt, one.lang).name.endswith(f".{one.lang}.txt")
        values = [Part(text, one.text_lang, one.lang) for text in one.values.values()]
        if setting.opening is not None:
            draw = drawn(ground.config.seed, stock.name, one.id, one.lang, 0)
            text = one.values["question"]
            begun = opening(prompts, setting.opening, one.lang, text, "tags", draw).text
            values.append(Part(begun, one.text_lang, one.lang))
            filled = [*filled, {"role": "assistant", "content": begun}]
        found.append((one, prompted(filled, fixed, one.lang if own else "en", values, one.real)))
    return Asked(stock, name, setting, found)


def _generation(asked: Asked, model: str, ground: Ground, twins: Twins) -> Load:
    setting, counter, journal = asked.setting, ground.counter(model), ground.journal(model)
    keys = _Keys(asked, model, ground) if journal.keys else None
    requests = held = 0
    tokens = once = 0.0
    for one, prompt in asked.questions:
        left = _fresh(asked.setting, one, prompt, twins)
        found = sum(keys.journalled(one, sample) for sample in left) if keys and one.real else 0
        held += found
        count = len(left) - found
        requests += count
        if count:
            each = prompt.tokens(counter)
            tokens += count * each
            once += each
    measured = journal.measured(f"{asked.stock.name}.{asked.name}", "generation")
    most = setting.sampling.max_tokens
    new_each, new_by = ground.new_tokens(model, most, measured)
    shared = ground.model(model).samples_by == "n" and ground.model(model).engine == "openai"
    shards = shards_of(ground.config, asked.stock.name, asked.name, model)
    return Load("generation", asked.stock.name, asked.name, model, requests, requests, held,
                tokens, new_each, most, new_by, asked.basis,
                once if shared else None, shards=shards)  # fmt: skip


def _fresh(setting: Setting, one: Expected, prompt: Prompted, twins: Twins, *more: object) -> range:
    """Samples of a question that no earlier setting asks in the same words and the same way."""
    sampling = setting.sampling
    words = hash(tuple(message["content"] for message in prompt.messages))
    place = (one.id, one.lang, words, sampling.temperature, sampling.top_p, sampling.max_tokens,
             setting.opening, *more)  # fmt: skip
    done = twins.get(place, 0)
    twins[place] = max(done, setting.samples)
    return range(done, setting.samples)


class _Keys:
    """Whether a question's sample is journalled, by the key that a run would ask it under."""

    def __init__(self, asked: Asked, model: str, ground: Ground) -> None:
        self._asked, self._model, self._ground = asked, ground.model(model), ground
        self._held = ground.journal(model).keys
        self._prompts = Path(ground.config.paths.prompts)
        try:
            self._identity = identity(self._model)
        except InputError:  # weights that are not here: no key can be told
            self._held = set()

    def journalled(self, one: Expected, sample: int) -> bool:
        if not self._held:
            return False
        setting, seed, name = self._asked.setting, self._ground.config.seed, self._asked.stock.name
        question = Question(one.id, one.lang, one.values)
        begun = None
        if setting.opening is not None:
            draw = drawn(seed, name, one.id, one.lang, sample)
            begun = opening(self._prompts, setting.opening, one.lang, one.values["question"],
                            self._model.thinking, draw).text  # fmt: skip
        chat = messages(setting, question, self._asked.stock.languages, self._prompts, begun)
        number = seed_of(seed, name, one.id, one.lang, sample)
        made = request("generation", one.lang, chat, setting.sampling, number, sample)
        key = made.key(self._identity)
        both = key, limited_key(key, self._model.context)
        return any(bytes.fromhex(one) in self._held for one in both)


def _judging(asked: Asked, model: str, ground: Ground, twins: Twins, fresh: int) -> Iterator[Load]:
    """One load for each judge; judges that differ in how they read alone share their replies.

    So do settings whose responses are the same.

    Args:
        fresh: responses that are still to come: no journalled reply can be about one of these.
    """
    setting, name = asked.setting, asked.stock.name
    judges: dict[str, Judge] = {}
    for scorer in setting.scorers:
        judge = ground.config.judges.get(scorer.removeprefix("judge-"))
        if scorer.startswith("judge-") and judge is not None and ground.asked(judge.model):
            judges.setdefault(judge.model_dump_json(exclude={"reading"}), judge)
    for kind, judge in judges.items():
        journal = ground.journal(judge.model)
        total = sum(len(_fresh(setting, one, prompt, twins, kind, model))
                    for one, prompt in asked.questions)  # fmt: skip
        job = f"judge.{name}.{asked.name}.{model}"
        measured = journal.measured(job, "judging")
        held = min(measured.responses if measured else 0, max(total - fresh, 0))
        each = _judge_prompt_tokens(asked, model, judge, ground)
        new_each, new_by = ground.new_tokens(judge.model, judge.sampling.max_tokens, measured)
        yield Load("judging", name, asked.name, judge.model, total - held, 2 * total - held, held,
                   each * (total - held), new_each, judge.sampling.max_tokens, new_by,
                   "answers of assumed length", of=model)  # fmt: skip


def _judge_prompt_tokens(asked: Asked, model: str, judge: Judge, ground: Ground) -> float:
    """Mean prompt tokens of a judge: the prompt, the truth, and an answer of assumed length."""
    task, counter = asked.setting.task, ground.counter(judge.model)
    prompts = Path(ground.config.paths.prompts)
    prompt = load_prompt(prompts, JUDGE_PROMPTS[task], JUDGE_PURPOSES[task])
    names = {"student_answer", "ground_truth", "question", "solution", "errors", "explanation"}
    fixed = prompt.messages(**dict.fromkeys(names, ""))
    answer = _answer_tokens(asked, model, ground)
    stock = asked.stock
    golds = {(lang, one.id): one.answer for lang, held in stock.problems.items() for one in held}
    total = 0.0
    for one, _ in asked.questions:
        shown: Sequence[str] = (
            [golds.get((one.text_lang, one.id), "")] if task == "solve" else [*one.values.values()]
        )
        parts = [Part(text, one.text_lang, one.lang) for text in shown]
        more = answer + (ERRORS if task != "solve" else 0)
        total += prompted(fixed, fixed, "en", parts, False, more).tokens(counter)
    return total / len(asked.questions) if asked.questions else 0.0


def _answer_tokens(asked: Asked, model: str, ground: Ground) -> float:
    """Tokens of an answer without its thinking: measured where that can be told, else assumed."""
    most = asked.setting.sampling.max_tokens
    if ground.asked(model):
        measured = ground.journal(model).measured(f"{asked.stock.name}.{asked.name}", "generation")
        told = measured is not None and (measured.thinking_tokens or not ground.thinks(model))
        if measured is not None and told:
            return (measured.completion_tokens - measured.thinking_tokens) / measured.responses
    return float(min(ground.config.estimate.new_tokens, most))
