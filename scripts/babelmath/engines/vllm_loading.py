"""What vLLM is loaded with: GPUs, arguments, and why it could not be loaded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from babelmath.config import Model
from babelmath.engines.vllm_prompts import RESERVED
from babelmath.errors import InputError

SEED = 0  # of the engine; requests bring their own
# A reply bound to a schema may otherwise fill its length with blank lines.
BINDING = {"backend": "xgrammar", "disable_any_whitespace": True}
LEAST_STEP = 4096
SET_HERE = {
    "model": "weights", "revision": "revision", "tokenizer": "weights",
    "tokenizer_revision": "revision", "tensor_parallel_size": "gpus", "max_model_len": "context",
    "max_num_seqs": "concurrency",
}  # fmt: skip
NOT_TAKEN = {
    "generation_config": "sampling is what the settings say",
    "override_generation_config": "sampling is what the settings say",
    "seed": "every request brings its own seed",
    "pipeline_parallel_size": "all gpus of a job share each layer",
    "data_parallel_size": "one job loads a model once",
    "skip_tokenizer_init": "prompts need the tokenizer",
    "tokenizer_mode": "prompts are made by the weights' own chat template",
    "runner": "text is generated",
    "convert": "text is generated",
    "hf_token": "a secret belongs into the environment: HF_TOKEN",
}
# Chunks of a prompt would draw from the request's random numbers, which the CPU cannot rewind.
NOT_ON_CPU = {
    "enable_chunked_prefill": "seeded sampling on a CPU takes a prompt whole",
    "max_num_batched_tokens": "seeded sampling on a CPU takes a prompt whole",
}
CAUSE = re.compile(r"\b((?:[A-Za-z_]+\.)*[A-Za-z]*(?:Error|Exception|Interrupt))(?:: (.*))?$")
RELAYED = re.compile(
    r"initialization failed|See (?:root cause|stack trace)|EngineDeadError|SystemExit|Issue above",
    re.IGNORECASE,
)
REMEDIES = (
    (r"out of memory|cannot allocate memory|No available memory|Free memory on device"
     r"|KV cache is needed|KV cache memory|larger than the (?:maximum number of tokens|available)"
     r"|Available memory on node",
     "Too little memory: lower context or concurrency, set options.gpu_memory_utilization (CPU: "
     "kv_cache_memory_bytes), spread the weights over more gpus, or take a smaller dtype."),
    (r"max_model_len",
     "Lower context to what the weights were trained for."),
    (r"valid git identifier|RevisionNotFound|Revision Not Found|no file named|not a valid model"
     r"|Repository Not Found|RepositoryNotFound|gated|\b(?:401|404)\b",
     "Check weights and revision; gated weights need HF_TOKEN in the environment."),
    (r"architectures? .*(?:not supported|failed)|model type|does not recognize this architecture"
     r"|trust_remote_code|no vLLM implementation",
     "This vLLM does not know the weights' architecture: take weights that it supports, or a "
     "newer vllm."),
    (r"safetensors|header|Expecting property name|corrupt|deserializ|no parameter|size mismatch"
     r"|shape|incomplete metadata|Cannot find any model weights|not enough bytes|checkpoint",
     "The files of the weights are damaged or incomplete: fetch them again."),
    (r"dtype|bfloat16|compute capability",
     "Set options.dtype to one that the GPU computes with, as half."),
    (r"unexpected keyword argument|validation error",
     "Check the names and values under options: they are arguments of vllm.LLM."),
    (r"divisible by tensor parallel",
     "Set gpus to a number that divides the weights' attention heads."),
    (r"Too Many Requests|\b429\b",
     "The hub takes no more requests for now: run again later, or name a folder that holds the "
     "weights."),
    (r"No space left", "Make room on the disk, or let HF_HOME name a folder that has it."),
    (r"LocalEntryNotFound|couldn't connect|Connection|offline",
     "Fetch the weights where there is a network, or name a folder that holds them."),
)  # fmt: skip


def arguments(model: Model, field: str, on_cpu: bool) -> dict[str, Any]:
    """Arguments of vllm.LLM.

    Raises:
        InputError: options that contradict what is set from other fields, or template arguments
            that are not the template's.
    """
    for place, problem, remedy in collisions(model, on_cpu):
        raise InputError(problem, field=".".join((field, *place)), remedy=remedy)
    weights = model.weights or ""
    revision = None if Path(weights).is_dir() else model.revision
    found: dict[str, Any] = {
        "model": weights,
        "revision": revision,
        "tokenizer_revision": revision,
        "tensor_parallel_size": max(model.gpus, 1),
        "max_model_len": model.context,
        "max_num_seqs": model.concurrency,
        "generation_config": "vllm",
        "seed": SEED,
        # Mistral's repositories would get a tokenizer whose rendered text cannot be encoded again:
        # its control tokens would stand in the prompt as letters.
        "tokenizer_mode": "hf",
        "structured_outputs_config": dict(BINDING),
    }
    if on_cpu:
        found["enable_chunked_prefill"] = False
        found["max_num_batched_tokens"] = max(model.context, LEAST_STEP)
    return found | dict(model.options)


def collisions(model: Model, on_cpu: bool = False) -> list[tuple[tuple[str, str], str, str]]:
    """Options that contradict what other fields say, as place, problem and remedy."""
    refused = {name: f"write {other} of the model" for name, other in SET_HERE.items()} | NOT_TAKEN
    refused |= NOT_ON_CPU if on_cpu else {}
    found = [
        (("options", name), f"not an option here: {refused[name]}", "Take it out of options.")
        for name in model.options
        if name in refused
    ]
    return found + [
        (("template", name), "not an argument of the chat template", "Take it out of template.")
        for name in sorted(RESERVED & set(model.template))
    ]


def check_gpus(
    asked: int, visible: str | None, counted: int, on_cpu: bool, build: str, field: str
) -> None:
    """Refuse to run on other hardware than the configuration says.

    Args:
        visible: CUDA_VISIBLE_DEVICES, as Slurm sets it for what it allotted.
        counted: GPUs that torch sees.
        build: vLLM's distribution and version.

    Raises:
        InputError: fewer GPUs than asked for, none on a GPU build, some on a CPU build.
    """
    field = f"{field}.gpus"
    if on_cpu:
        if asked:
            raise InputError(f"{build} computes on the CPU", field=field, value=asked,
                             remedy="Write gpus: 0, or install vllm for GPUs.")  # fmt: skip
        return
    if not asked:
        raise InputError(f"{build} computes on GPUs", field=field, value=asked,
                         remedy="Write how many GPUs a job takes.")  # fmt: skip
    given = gpus_given(visible, counted)
    if given < asked:
        raise InputError(
            f"the job was given {given} of {asked} GPUs (CUDA_VISIBLE_DEVICES "
            f"{'is not set' if visible is None else repr(visible)}, torch sees {counted})",
            field=field, value=asked,
            remedy="Lower gpus, or raise the gpu resource of the profile or the command line.",
        )  # fmt: skip


def gpus_given(visible: str | None, counted: int) -> int:
    """GPUs a job may use: those named as visible, as far as torch sees them.

    As CUDA reads the list, it ends at the first entry that names none.
    """
    if visible is None:
        return counted
    names = 0
    for name in visible.split(","):
        if not name.strip() or name.strip().startswith("-"):
            break
        names += 1
    return min(names, counted)


def not_loaded(error: BaseException, printed: Sequence[str], field: str) -> InputError:
    """Why a model was not loaded, as an error that says what to change.

    Args:
        printed: what the engine's processes printed; the cause is often there alone.
    """
    said = cause(error, printed)
    everything = "\n".join([said, str(error), *printed[-60:]])
    searched = [(pattern, text, said) for pattern, text in REMEDIES]
    searched.append((*REMEDIES[0], everything))  # memory runs out in many words
    remedy = next(
        (text for pattern, text, where in searched if re.search(pattern, where, re.IGNORECASE)),
        "Check weights, options and the GPU; the job's output holds more.",
    )
    return InputError(f"model cannot be loaded: {said}", field=field, remedy=remedy)


def cause(error: BaseException, printed: Sequence[str]) -> str:
    """The last line of the first error: an engine's process prints it, its parent only relays."""
    said = _said(error)
    if not RELAYED.search(said):
        return said
    causes = [match for line in printed if (match := CAUSE.search(line.rstrip()))]
    for match in reversed(causes):
        if not RELAYED.search(match[0]):
            return match[0][:500]
    return said


def _said(error: BaseException) -> str:
    faults = getattr(error, "errors", None)
    if callable(faults):  # pydantic's own text ends in an address
        told = "; ".join(str(one.get("msg", "")) for one in faults() if isinstance(one, dict))
        if told:
            return told[:500]
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[-1][:500]}" if lines else type(error).__name__
