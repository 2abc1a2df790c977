"""Engines: one door to every model."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from babelmath.config import Model
from babelmath.engines.base import Engine, Request, Response
from babelmath.engines.rates import Rates
from babelmath.engines.weights import check_weights, weights_name
from babelmath.errors import InputError
from babelmath.files import sha256_file

# Given always: the client would let OPENAI_BASE_URL name a server that journal keys do not know.
OPENAI = "https://api.openai.com/v1"
KEY_VARIABLES = {"openai": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY"}

MEMORY = ("gpu_memory_utilization", "kv_cache_memory_bytes", "swap_space", "cpu_offload_gb")

__all__ = [
    "Engine", "Request", "Response", "askable", "identity", "installed", "named_options",
    "open_engine", "runnable",
]  # fmt: skip


def identity(model: Model) -> dict[str, Any]:
    """What names the model in journal keys: engine, weights and revision, or service and address.

    A GGUF file is named by its content, so the same file at another path is the same model.
    """
    named: dict[str, Any]
    if model.engine == "llamacpp":
        from babelmath.packages import gguf_path

        named = {"engine": model.engine, "weights": _hash(str(gguf_path(model.weights or "")))}
    else:
        named = {
            "engine": model.engine,
            "name": model.service or weights_name(model),
            "revision": model.revision,
            "base_url": model.base_url,
        }
        if model.engine == "openai" and model.continues and model.thinking == "opened":
            named["thinking"] = model.thinking  # its openings go without their tag
    # Empty ones are left out: keys from before these fields stay what they were.
    more = {"template": model.template, "options": named_options(model),
            "refused": sorted(model.refused or ())}  # fmt: skip
    return named | {field: value for field, value in more.items() if value}


def runnable(name: str, model: Model) -> None:
    """Say, before anything is loaded, why a model cannot run here.

    Raises:
        InputError: no weights, no key, or no revision.
    """
    field = f"models.{name}"
    if model.engine == "llamacpp":
        identity(model)
    elif model.engine in ("openai", "gemini"):
        _key(model, field)
    elif model.engine == "vllm":
        check_weights(model, field)


def askable(name: str, model: Model, requests: Iterable[Request]) -> None:
    """Say, before anything is sent, that a model cannot take a request.

    Raises:
        InputError: what the request lacks.
    """
    if model.engine == "gemini":
        from babelmath.engines.gemini_bodies import check_request

        for one in requests:
            check_request(one, model.service or name)


def installed(name: str, model: Model) -> None:
    """Say why this environment cannot start a model's engine; nothing is imported.

    Raises:
        InputError: vLLM, which the run environment leaves out, is not installed.
    """
    if model.engine == "vllm" and importlib.util.find_spec("vllm") is None:
        raise InputError(
            "engine vllm cannot be started: vllm is not installed in this environment",
            field=f"models.{name}.engine",
            remedy="Run with --sdm conda, which makes envs/engine-vllm.yaml, or in an environment "
            "of requirements/vllm.txt (docs/engines.md).",
        )


def open_engine(
    name: str, model: Model, state: Path, note: Callable[[str], None] | None = None
) -> Engine:
    """Load a model.

    Args:
        state: journal/{model}/{job}: beside it the engine keeps what it must find again.
        note: takes lines about what takes long, for the job's log.

    Raises:
        InputError: as `runnable`.
    """
    runnable(name, model)
    field = f"models.{name}"
    if model.engine == "released":
        raise InputError("its records are released, it cannot be asked", field=field)
    if model.engine == "llamacpp":
        from babelmath.engines.llamacpp import LlamaCpp

        return LlamaCpp(model)
    if model.engine == "vllm":
        from babelmath.engines.vllm_offline import VllmOffline

        return VllmOffline(model, field)
    key, asked = _key(model, field), model.service or name
    if model.batch:
        from babelmath.engines.batches import open_batches

        url = model.base_url or OPENAI
        told = note or (lambda text: None)
        return open_batches(model, url, key, asked, state, identity(model), told)
    rates = Rates(state.parent.parent / "limits", asked, model)
    if model.engine == "gemini":
        from babelmath.engines.gemini import Gemini

        return Gemini(model, key, asked, rates)
    from babelmath.engines.openai_compatible import OpenAICompatible

    return OpenAICompatible(model, model.base_url or OPENAI, key, asked, rates=rates)


def named_options(model: Model) -> dict[str, Any]:
    """Options as keys name them.

    Where vLLM finds its memory changes no text: what ran out of it goes on with other limits. A
    chat template in a file is named by its content.
    """
    if model.engine != "vllm":
        return model.options
    options = {name: value for name, value in model.options.items() if name not in MEMORY}
    template = options.get("chat_template")
    if isinstance(template, str) and os.path.isfile(template):  # a text is too long a name for some
        options["chat_template"] = sha256_file(template)
    return options


def _key(model: Model, field: str) -> str:
    if model.base_url is not None and model.key_variable is None:
        return "none"  # a service's key goes to that service alone
    variable = model.key_variable or KEY_VARIABLES[model.engine]
    key = os.environ.get(variable, "").strip()
    if key and (not key.isascii() or re.search(r"[\s\"'\x00-\x1f]", key)):
        raise InputError(
            f"environment variable {variable} holds letters that no key has",
            field=f"{field}.key_variable",
            remedy="Export the key again: alone, without quotes, blanks or accents.",
        )
    if key:
        return key
    raise InputError(
        f"environment variable {variable} is not set",
        field=f"{field}.key_variable",
        remedy="Export the service's key under this name.",
    )


@functools.cache
def _hash(path: str) -> str:
    return sha256_file(path)
