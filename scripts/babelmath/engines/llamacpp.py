"""The embedded engine: llama.cpp's server inside this process, on a free loopback port."""

from __future__ import annotations

import os
from pathlib import Path

from babelmath.config import Model
from babelmath.engines.openai_compatible import OpenAICompatible
from babelmath.packages import gguf_path


class LlamaCpp(OpenAICompatible):
    """A GGUF model served in process; asked as any compatible server is.

    The prompt cache is off. With `concurrency` 1 a request is computed alone, so that its seed
    gives the same text on every run of one machine; more at a time is a little faster, and then
    what runs beside a request can change its rounding. The server takes all cores and ends with
    this object, at the latest with the process.

    Args:
        template: a chat template to take instead of the file's own.
    """

    def __init__(self, model: Model, template: str | None = None) -> None:
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(gguf_path(model.weights or ""))
        parameters.n_parallel = model.concurrency
        parameters.n_ctx = model.concurrency * model.context
        threads = len(os.sched_getaffinity(0))
        # Several texts at a time are bound by memory: half of the cores write them as fast, and on
        # a busy machine threads that wait for each other lose far less.
        parameters.cpuparams.n_threads = threads if model.concurrency == 1 else max(1, threads // 2)
        parameters.cpuparams_batch.n_threads = threads
        parameters.hostnames = ["127.0.0.1"]
        parameters.port = 0
        parameters.warmup = False
        parameters.verbosity = 0
        parameters.ui = False
        if template is not None:
            parameters.chat_template = template
        self._server = xllamacpp.Server(parameters)
        super().__init__(
            model,
            base_url=f"{self._server.listening_address}/v1",
            api_key="none",
            name=Path(parameters.model.path).stem,
            extra={"cache_prompt": False},
        )

    def close(self) -> None:
        """End the client, then the server."""
        super().close()
        del self._server
