"""vLLM inside the job: open weights on GPUs, one load for all requests of a job.

Requests leave the engine and are handed on as they finish, while the others run on: two batches
are enqueued at most, and the engine is stepped from here. Every request is sampled with its own
seed. That does not make two runs equal: which requests share a batch, the GPU and the engine's
build change the last bits of the logits, so what is known of them stands in `sent`.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from babelmath.config import Model
from babelmath.engines.base import OnSend, Request, Response
from babelmath.engines.vllm_facts import build_of, gpus_seen, mode_of, platform_here, vllm_here
from babelmath.engines.vllm_loading import arguments, cause, check_gpus, not_loaded
from babelmath.engines.vllm_output import Printed
from babelmath.engines.vllm_prompts import Prompts, generation_config, stop_ids
from babelmath.engines.vllm_watch import Alarm, Watch
from babelmath.errors import InputError

FINISH = {"stop": "stop", "length": "length"}
BATCHES = 2  # enqueued at most, so that the engine never waits for the next request


@dataclass
class _Flying:
    """A request inside the engine."""

    request: Request
    sent: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    inside: str = ""  # the engine's own name for it
    started: float = 0.0


class VllmOffline:
    """One model, loaded by this process; its workers end with it.

    Args:
        model: its configuration; `options` are further arguments of vllm.LLM.
        field: the model's place in the configuration.

    Raises:
        InputError: vllm is not installed, the job has other GPUs than asked for, options that
            contradict the model's other fields, or weights that cannot be loaded.
    """

    def __init__(self, model: Model, field: str) -> None:
        self._model, self._field = model, field
        self._failed: str | None = None
        self._taken = 0
        vllm = vllm_here(field)
        platform = platform_here()
        build = build_of(vllm)
        check_gpus(model.gpus, os.environ.get("CUDA_VISIBLE_DEVICES"), gpus_seen(platform),
                   platform.is_cpu(), build, field)  # fmt: skip
        given = arguments(model, field, platform.is_cpu())
        self._printed = Printed()
        self._watch: Watch | None = Watch()
        self._alarm: Alarm | None = None
        self._llm: Any = None
        try:
            with self._printed.taken():
                self._llm = vllm.LLM(**given)
        except Exception as error:
            self.close()
            raise not_loaded(error, self._printed.lines, field) from error
        try:
            self._tokenizer = self._llm.get_tokenizer()
            template = getattr(self._llm, "chat_template", None)
            self._prompts = Prompts(self._tokenizer, model.template, template, field)
            self._stops = stop_ids(
                self._tokenizer, generation_config(given["model"], given["revision"], field)
            )
            self._alarm = Alarm(self._llm.llm_engine.engine_core)
            self._engine = {"vllm": build, **mode_of(self._llm.llm_engine.vllm_config, platform)}
        except Exception:
            self.close()
            raise

    def stream(
        self, requests: Iterable[Request], on_send: OnSend
    ) -> Iterator[tuple[Request, Response]]:
        """See Engine.stream. A prompt that does not fit the context is a response of its own.

        When the engine dies, every request without a response is a failure.
        """
        waiting = iter(requests)
        flying: dict[str, _Flying] = {}
        most = BATCHES * self._model.concurrency
        try:
            while True:
                while len(flying) < most and (request := next(waiting, None)) is not None:
                    ended = self._enter(request, flying, on_send)
                    if ended is not None:
                        yield request, ended
                if not flying:
                    return
                for output in self._step():
                    one = flying.pop(output.request_id, None)
                    if one is not None:
                        yield one.request, _response(one, output, self._model.context)
                if self._failed is not None:
                    while flying:
                        _, one = flying.popitem()
                        yield one.request, Response(sent=one.sent, failure=self._failed)
        finally:
            self._abort(flying)

    def close(self) -> None:
        """End the engine and its workers."""
        llm, self._llm = self._llm, None
        watch, self._watch = self._watch, None
        if self._alarm is not None:
            self._alarm.off()
        if watch is not None:
            _free(llm)
            self._printed.ended()
            watch.done()

    def _enter(
        self, request: Request, flying: dict[str, _Flying], on_send: OnSend
    ) -> Response | None:
        """Hand a request to the engine, or say how it ends without it."""
        if self._failed is not None:
            return Response(failure=self._failed)
        if request.images:
            raise InputError("vllm is asked without pictures", field=self._field,
                             remedy="Take an openai or gemini model for pages.")  # fmt: skip
        ids = self._prompts.ids(request.chat())
        room = self._model.context - len(ids)
        if room < 1:
            said = f"prompt of {len(ids)} tokens does not fit the context of {self._model.context}"
            return Response(finish="error", prompt_tokens=len(ids), sent=self._engine,
                            attempts=[said], limited=self._model.context)  # fmt: skip
        one = _Flying(request, self._sent(request, min(request.max_tokens, room)))
        if room < request.max_tokens:
            one.notes.append(f"max_tokens {request.max_tokens} cut to {room}: the context's room")
        on_send(request)
        self._taken += 1
        one.started = time.monotonic()
        try:
            parameters = _parameters(one.sent, request.schema)
            if parameters.temperature != request.temperature:  # vLLM raises what is near 0
                one.sent["temperature"] = parameters.temperature
                one.notes.append(f"temperature {request.temperature} taken as "
                                 f"{parameters.temperature}: vLLM's least above 0")  # fmt: skip
            (one.inside,) = self._llm.enqueue(
                [{"prompt_token_ids": ids}], parameters, use_tqdm=False
            )
        except Exception as error:
            if _dead(error):
                self._fail(error)
                return Response(sent=one.sent, failure=self._failed)
            return Response(sent=one.sent, failure=cause(error, []))
        flying[one.inside.split("-")[0]] = one  # outputs bear the name without its suffix
        return None

    def _sent(self, request: Request, tokens: int) -> dict[str, Any]:
        """What a request is sampled with, and what is known to make outputs differ."""
        return {
            "temperature": request.temperature,
            "top_p": request.top_p,
            "max_tokens": tokens,
            "seed": request.seed,
            "stop_token_ids": self._stops,
            # Thinking that special tokens mark would lose its marks.
            "skip_special_tokens": self._model.thinking == "none",
            "schema": request.schema is not None,
            "template": dict(self._model.template),
            "taken_before": self._taken,  # by this load: who is in the batch changes with a resume
            **self._engine,
        }

    def _step(self) -> list[Any]:
        if self._failed is not None:
            return []
        try:
            return [one for one in self._llm.llm_engine.step() if one.finished]
        except Exception as error:
            self._fail(error)
            return []

    def _fail(self, error: Exception) -> None:
        self._failed = f"the engine died: {cause(error, self._printed.lines)}"

    def _abort(self, flying: dict[str, _Flying]) -> None:
        if flying and self._llm is not None and self._failed is None:
            try:
                inside = [one.inside for one in flying.values()]
                self._llm.llm_engine.abort_request(inside, internal=True)
            except Exception as error:
                self._fail(error)


def _parameters(sent: dict[str, Any], schema: str | None) -> Any:
    from vllm.sampling_params import RequestOutputKind, SamplingParams, StructuredOutputsParams

    return SamplingParams(
        n=1,
        temperature=sent["temperature"],
        top_p=sent["top_p"],
        max_tokens=sent["max_tokens"],
        seed=sent["seed"],
        stop_token_ids=list(sent["stop_token_ids"]),
        skip_special_tokens=sent["skip_special_tokens"],
        spaces_between_special_tokens=False,
        structured_outputs=None if schema is None else StructuredOutputsParams(json=schema),
        output_kind=RequestOutputKind.FINAL_ONLY,
    )


def _response(one: _Flying, output: Any, context: int) -> Response:
    (text,) = output.outputs
    word = str(text.finish_reason)
    aborted = word in ("abort", "error")  # the engine's own trouble: asking again may help
    return Response(
        text=text.text,
        finish=FINISH.get(word, "error"),
        prompt_tokens=len(output.prompt_token_ids or ()),
        completion_tokens=len(text.token_ids),
        seconds=time.monotonic() - one.started,
        sent=one.sent,
        attempts=one.notes + ([] if word in FINISH else [f"finish {word}"]),
        failure=f"finish {word}" if aborted else None,
        limited=context
        if word == "length" and one.sent["max_tokens"] < one.request.max_tokens
        else None,
    )


def _dead(error: Exception) -> bool:
    return type(error).__name__ in ("EngineDeadError", "EngineGenerateError")


def _free(llm: Any) -> None:
    """End an engine's processes and give its memory back."""
    if llm is not None:
        llm.llm_engine.engine_core.shutdown()
        del llm
    gc.collect()
    from vllm import envs

    if not envs.VLLM_ENABLE_V1_MULTIPROCESSING:  # the weights were in this process
        from vllm.distributed import cleanup_dist_env_and_memory

        cleanup_dist_env_and_memory()
