"""The embedded engine: llama.cpp's server inside this process, on a free loopback port."""

from __future__ import annotations

import http.client
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from babelmath.config import Model
from babelmath.engines.base import OnSend, Request, Response
from babelmath.engines.openai_compatible import OpenAICompatible
from babelmath.packages import gguf_path

BEGUN = "<think>"


def cores() -> int:
    """Cores of this job: those that it may run on, or fewer where Snakemake gave it fewer (its
    threads, which it tells to scripts by this variable). A cluster need not bind a job to its own.
    """
    here = len(os.sched_getaffinity(0))
    given = os.environ.get("OMP_NUM_THREADS", "")
    return min(here, int(given)) if given.isdecimal() and int(given) else here


class LlamaCpp(OpenAICompatible):
    """A GGUF model served in process; asked as any compatible server is.

    The prompt cache is off. With `concurrency` 1 a request is computed alone, so that its seed
    gives the same text on every run of one machine; more at a time is a little faster, and then
    what runs beside a request can change its rounding. The server takes the job's cores and ends
    with this object, at the latest with the process.

    Args:
        template: a chat template to take instead of the file's own.
    """

    def __init__(self, model: Model, template: str | None = None) -> None:
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(gguf_path(model.weights or ""))
        parameters.n_parallel = model.concurrency
        parameters.n_ctx = model.concurrency * model.context
        threads = cores()
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
        if model.thinking in ("tags", "opened"):
            # The template knows better than the configuration whether it begins the thinking.
            begun = _begins_thinking(self._server.listening_address, model)
            model = model.model_copy(update={"thinking": "opened" if begun else "tags"})
        super().__init__(
            model,
            base_url=f"{self._server.listening_address}/v1",
            api_key="none",
            name=Path(parameters.model.path).stem,
            extra={"cache_prompt": False},
        )

    def stream(
        self, requests: Iterable[Request], on_send: OnSend
    ) -> Iterator[tuple[Request, Response]]:
        """See Engine.stream. A text that ended before its max_tokens had filled the context."""
        for item, response in super().stream(requests, on_send):
            cut = response.finish == "length" and response.completion_tokens < item.max_tokens
            yield item, replace(response, limited=self._model.context) if cut else response

    def close(self) -> None:
        """End the client, then the server."""
        super().close()
        del self._server


def _begins_thinking(address: str, model: Model) -> bool:
    """Whether the chat template itself writes the tag behind which the model goes on."""
    place = urlsplit(address)
    link = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
    body = {
        "messages": [{"role": "user", "content": "x"}],
        "chat_template_kwargs": dict(model.template),
    }
    link.request("POST", "/apply-template", json.dumps(body), {"content-type": "application/json"})
    prompt = str(json.loads(link.getresponse().read()).get("prompt", ""))
    link.close()
    return prompt.rstrip().endswith(BEGUN)
