"""What a model or its service cannot do that a configuration asks of it, said before any run."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from babelmath.config import Benchmark, Config, Model, benchmarks
from babelmath.engines.vllm_loading import collisions
from babelmath.openings import BEGINS, continues

# Fields of requests, of both services' protocols, that other parts of the configuration say.
SET_BY_REQUESTS = frozenset({
    "model", "messages", "n", "stream", "stream_options", "temperature", "top_p", "seed",
    "max_tokens", "max_completion_tokens", "response_format", "chat_template_kwargs",
    "extra_body", "extra_headers", "extra_query", "timeout",
    "contents", "candidate_count", "max_output_tokens", "system_instruction", "http_options",
    "response_mime_type", "response_schema", "response_json_schema",
})  # fmt: skip
SECRET = re.compile(r"(?:^|_)(?:api_?key|secret|password|authorization|bearer|hf_token)(?:$|_)")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
Finding = tuple[tuple[str | int, ...], str, Any, str]


_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d"))  # letters' own affair


def model_faults(config: Config) -> list[Finding]:
    """Chat template arguments and continuations that an engine cannot take; openings without use.

    MMATH section 3.3.2: an opening is continued by the model, and it needs a thinking part to open.
    """
    found: list[Finding] = []
    for name, model in config.models.items():
        found += _template(("models", name), model)
        found += _continues(("models", name), model)
        found += _samples(("models", name), model)
        found += _batched(("models", name), model)
        found += _offline(("models", name), model)
        found += _fields(("models", name), model)
        found += _address(("models", name), model)
        found += _training(("models", name), name, config)
    for name, benchmark in benchmarks(config).items():
        found += _openings(("benchmarks", name), benchmark, config)
        found += _names(benchmark, config)
    return found


def _training(at: tuple[str | int, ...], name: str, config: Config) -> list[Finding]:
    """A model is trained from another one that the configuration has, and that is not trained."""
    base = config.models[name].trained_from
    if base is None:
        return []
    if base not in config.models:
        known = ", ".join(config.models)
        return [((*at, "trained_from"), "no such model", base, f"Models are {known}.")]
    if base == name or config.models[base].trained_from is not None:
        return [((*at, "trained_from"), "itself a trained model", base,
                 "Name the model that training began with.")]  # fmt: skip
    return []


def _names(benchmark: Benchmark, config: Config) -> list[Finding]:
    """Two models of one name would share the rows of tables and the series of figures."""
    found: list[Finding] = []
    holders: dict[str, str] = {}
    asked = dict.fromkeys(model for one in benchmark.settings.values() for model in one.models)
    for name in [one for one in asked if one in config.models]:
        display = config.models[name].display.strip()
        at = ("models", name, "display")
        if not display:
            found.append((at, "empty", display, "Name the model as tables shall show it."))
        elif not display.translate(_JOINERS).isprintable():
            found.append((at, "holds a line break or a character that is not seen", display,
                          "Name the model in one line of plain text."))  # fmt: skip
        elif holders.setdefault(display, name) != name:
            found.append((at, f"the name of {holders[display]} too", display,
                          "Give each evaluated model a name of its own."))  # fmt: skip
    return found


def _template(at: tuple[str | int, ...], model: Model) -> list[Finding]:
    """Arguments of a chat template need an engine that renders one on our side of the service."""
    if not model.template or model.engine in ("llamacpp", "vllm"):
        return []
    if model.engine == "openai" and model.base_url is not None:
        return []
    reasons = {
        "gemini": ("the service renders its prompts itself and takes no template arguments",
                   "Write options, as {thinking_config: {thinking_budget: 0}}."),
        "openai": ("the service renders its prompts itself and takes no template arguments",
                   "Write options, as {reasoning_effort: low}; or give the base_url of a server."),
        "released": ("its records are released, nothing is rendered", "Remove template."),
    }  # fmt: skip
    problem, remedy = reasons[model.engine]
    return [((*at, "template"), problem, model.template, remedy)]


def _continues(at: tuple[str | int, ...], model: Model) -> list[Finding]:
    """A service that answers an opened turn with a turn of its own cannot be told to continue."""
    if not model.continues or model.engine in ("llamacpp", "vllm"):
        return []
    if model.engine == "openai" and model.base_url is not None:
        return []
    return [((*at, "continues"), "the service begins a turn of its own and continues none", True,
             "Remove continues, or serve the model by vllm, llamacpp or a compatible server of "
             "your own (base_url).")]  # fmt: skip


def _samples(at: tuple[str | int, ...], model: Model) -> list[Finding]:
    """Several samples of one call need a protocol that has them."""
    if model.samples_by != "n" or model.engine in ("openai", "llamacpp"):
        return []
    return [((*at, "samples_by"), f"engine {model.engine} asks each sample by a call", "n",
             "Leave samples_by out.")]  # fmt: skip


def _batched(at: tuple[str | int, ...], model: Model) -> list[Finding]:
    """Batches need a service that takes them, and hold one sample a line."""
    if not model.batch:
        return []
    if model.engine not in ("openai", "gemini"):
        return [((*at, "batch"), f"engine {model.engine} has no batches", True,
                 "Leave batch out.")]  # fmt: skip
    if model.samples_by == "n" and model.engine == "openai":
        return [((*at, "samples_by"), "a batch asks each sample by a line of its own", "n",
                 "Leave samples_by out, or batch.")]  # fmt: skip
    return []


def _offline(at: tuple[str | int, ...], model: Model) -> list[Finding]:
    """What vLLM would refuse only once a job has its GPU, and a name that would hide the weights'.

    Journal keys name a model by its service where it has one.
    """
    if model.engine != "vllm":
        return []
    found: list[Finding] = []
    if model.service is not None:
        found.append(((*at, "service"), "engine vllm asks no service, it loads weights",
                      model.service, "Leave service out."))  # fmt: skip
    for place, problem, remedy in collisions(model):
        found.append(((*at, *place), problem, None, remedy))
    return found


def _fields(at: tuple[str | int, ...], model: Model) -> list[Finding]:
    """Options that a request sets itself, or that hold a secret; no value is shown."""
    found: list[Finding] = []
    for name in model.options:
        plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
        if SECRET.search(plain):
            found.append(((*at, "options", name), "a secret belongs into the environment", None,
                          "Take it out; key_variable names the variable."))  # fmt: skip
        elif model.engine != "vllm" and plain in SET_BY_REQUESTS:
            found.append(((*at, "options", name), "is no option: the request sets it", None,
                          "Take it out; write sampling, or the model's other fields."))  # fmt: skip
    return found


def _address(at: tuple[str | int, ...], model: Model) -> list[Finding]:
    """Addresses that no client can ask, or that hold a secret; their value is not shown."""
    found: list[Finding] = []
    if model.base_url is not None:
        try:
            parts = urlsplit(model.base_url)
            sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            sound = False
        if not sound:
            found.append(((*at, "base_url"), "not an address", model.base_url,
                          "Write it as https://host/v1."))  # fmt: skip
        elif parts.username is not None or parts.password is not None:
            found.append(((*at, "base_url"), "holds a name or password", None,
                          "A secret belongs into the environment: key_variable."))  # fmt: skip
    if model.key_variable is not None and not VARIABLE.fullmatch(model.key_variable):
        found.append(((*at, "key_variable"), "not the name of an environment variable", None,
                      "Write the variable's name, not the key."))  # fmt: skip
    return found


def _openings(base: tuple[str | int, ...], benchmark: Benchmark, config: Config) -> list[Finding]:
    """Models of a setting with an opening that cannot go on from it, or have nothing to open."""
    found: list[Finding] = []
    for name, setting in benchmark.settings.items():
        if setting.opening is None:
            continue
        for index, chosen in enumerate(setting.models):
            model = config.models.get(chosen)
            if model is None or model.engine == "released":
                continue  # named by other checks
            at = (*base, "settings", name, "models", index)
            if not continues(model):
                found.append((at, f"cannot go on from an opened turn (engine {model.engine}), as "
                              f"the setting's opening {setting.opening} needs", chosen,
                              "Take it out of the setting, or serve it by vllm, llamacpp or a "
                              "compatible server that continues the last assistant message, and "
                              "write continues: true there."))  # fmt: skip
            elif model.thinking not in BEGINS:
                shown = "shows no thinking part" if model.thinking == "none" else (
                    "says nothing of how its own text begins the thinking")  # fmt: skip
                found.append((at, f"{shown} (thinking: {model.thinking}), so there is none that "
                              f"{setting.opening} could open", chosen,
                              "Take it out of the setting, or say by thinking how its text shows "
                              "it: tags, opened or channels."))  # fmt: skip
    return found
