"""The embedded engine: llama.cpp's server inside this process, on a free loopback port."""

from __future__ import annotations

import os
from pathlib import Path

from babelmath.config import Model
from babelmath.engines.openai_compatible import OpenAICompatible
from babelmath.packages import gguf_path


class LlamaCpp(OpenAICompatible):
    """A GGUF model served in process; asked as any compatible server is.

    The prompt cache is off: with it off, a seed gives the same text alone or beside others. The
    server takes all cores and ends with this object, at the latest with the process.
    """

    def __init__(self, model: Model) -> None:
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(gguf_path(model.weights or ""))
        parameters.n_parallel = model.concurrency
        parameters.n_ctx = model.concurrency * model.context
        threads = len(os.sched_getaffinity(0))
        # Writing is bound by memory, not by cores: half of them write as fast, and a busy machine
        # (where threads that wait for each other are put aside in turn) slows them far less.
        parameters.cpuparams.n_threads = max(1, threads // 2)
        parameters.cpuparams_batch.n_threads = threads
        parameters.hostnames = ["127.0.0.1"]
        parameters.port = 0
        parameters.warmup = False
        parameters.verbosity = 0
        parameters.ui = False
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
