"""Tokens by a GGUF file's own vocabulary and chat template, as llama.cpp's server counts them."""

from __future__ import annotations

import http.client
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from babelmath.estimates.token_rates import Rates
from babelmath.prompts import Message


class Gguf(Rates):
    """A GGUF file, opened for its vocabulary: weights stay mapped on disk and nothing is computed.

    Args:
        family: the table's family, for languages that are not built yet.
    """

    def __init__(self, path: Path, family: str) -> None:
        super().__init__(family)
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(path)
        parameters.load_mode = xllamacpp.llama_load_mode.LLAMA_LOAD_MODE_MMAP
        parameters.no_extra_bufts = True  # no copy of the weights in another order
        parameters.n_gpu_layers = 0
        parameters.n_parallel = 1
        parameters.n_ctx = 32
        parameters.n_batch = parameters.n_ubatch = 32
        parameters.hostnames = ["127.0.0.1"]
        parameters.port = 0
        parameters.warmup = False
        parameters.verbosity = 0
        parameters.ui = False
        self._server = xllamacpp.Server(parameters)
        place = urlsplit(self._server.listening_address)
        self._link = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
        self._counted: dict[str, int] = {}
        self._frames: dict[tuple[str, ...], float] = {}
        self.name, self.own = "own tokenizer", True

    def count(self, text: str, lang: str) -> float:
        """See TokenCounter."""
        if text not in self._counted:
            found = self._asked("/tokenize", {"content": text})
            self._counted[text] = len(found["tokens"])
        return self._counted[text]

    def frame(self, messages: Sequence[Message]) -> float:
        """See TokenCounter; rendered once for each row of roles."""
        roles = tuple(one["role"] for one in messages)
        if roles not in self._frames:
            chat = [{"role": role, "content": "x"} for role in roles]
            prompt = self._asked("/apply-template", {"messages": chat})["prompt"]
            found = self._asked(
                "/tokenize", {"content": prompt, "add_special": True, "parse_special": True}
            )
            self._frames[roles] = len(found["tokens"]) - len(roles)
        return self._frames[roles]

    def close(self) -> None:
        """End the server."""
        self._link.close()
        del self._server

    def _asked(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        self._link.request("POST", path, json.dumps(body), {"content-type": "application/json"})
        reply: dict[str, Any] = json.loads(self._link.getresponse().read())
        if "tokens" not in reply and "prompt" not in reply:
            raise RuntimeError(f"{path}: {str(reply)[:200]}")
        return reply
