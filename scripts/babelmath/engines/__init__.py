"""Engines: one door to every model."""

from __future__ import annotations

import functools
import os
from typing import Any

from babelmath.config import Model
from babelmath.engines.base import Engine, Request, Response
from babelmath.errors import InputError
from babelmath.files import sha256_file

# Given always: the client would let OPENAI_BASE_URL name a server that journal keys do not know.
OPENAI = "https://api.openai.com/v1"

__all__ = ["Engine", "Request", "Response", "identity", "open_engine", "runnable"]


def identity(model: Model) -> dict[str, Any]:
    """What names the model in journal keys: engine, weights and revision, or service and address.

    A GGUF file is named by its content, so the same file at another path is the same model.
    """
    if model.engine == "llamacpp":
        from babelmath.packages import gguf_path

        return {"engine": model.engine, "weights": _hash(str(gguf_path(model.weights or "")))}
    return {
        "engine": model.engine,
        "name": model.service or model.weights,
        "revision": model.revision,
        "base_url": model.base_url,
    }


def runnable(name: str, model: Model) -> None:
    """Say, before anything is loaded, why a model cannot run here.

    Raises:
        InputError: no weights file, no key, no revision, or an engine this version cannot start.
    """
    field = f"models.{name}"
    if model.engine == "released":
        return
    if model.engine == "llamacpp":
        identity(model)
    elif model.engine == "openai":
        _key(model, field)
    else:
        if model.engine == "vllm" and model.revision is None:
            raise InputError(
                "weights without a revision",
                field=f"{field}.revision",
                remedy="Look up the commit of the weights and write it there.",
            )
        raise InputError(
            f"engine {model.engine} cannot be started by this version",
            field=f"{field}.engine",
            value=model.engine,
            remedy="Serve the model with an OpenAI-compatible server and use engine openai.",
        )


def open_engine(name: str, model: Model) -> Engine:
    """Load a model.

    Raises:
        InputError: as `runnable`.
    """
    runnable(name, model)
    if model.engine == "released":
        raise InputError("its records are released, it cannot be asked", field=f"models.{name}")
    if model.engine == "llamacpp":
        from babelmath.engines.llamacpp import LlamaCpp

        return LlamaCpp(model)
    from babelmath.engines.openai_compatible import OpenAICompatible

    return OpenAICompatible(
        model,
        base_url=model.base_url or OPENAI,
        api_key=_key(model, f"models.{name}"),
        name=model.service or name,
    )


def _key(model: Model, field: str) -> str:
    if model.base_url is not None and model.key_variable is None:
        return "none"  # OpenAI's key goes to OpenAI alone
    variable = model.key_variable or "OPENAI_API_KEY"
    key = os.environ.get(variable, "").strip()
    if key and not key.isascii():
        raise InputError(
            f"environment variable {variable} holds letters that no key has",
            field=f"{field}.key_variable",
            remedy="Export the key again, without quotes or accents.",
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
