"""What the vLLM engine checks before it loads anything; vLLM itself is not needed for it."""

from __future__ import annotations

import importlib.util

import pytest

from babelmath.config import Model
from babelmath.engines.vllm_loading import arguments, cause, check_gpus, gpus_given, not_loaded
from babelmath.engines.vllm_offline import VllmOffline
from babelmath.errors import InputError


def model(**changes):
    values = {"display": "M", "engine": "vllm", "weights": "owner/name", "revision": "abc",
              "gpus": 2, "context": 36000, "concurrency": 64}  # fmt: skip
    return Model(**(values | changes))


@pytest.mark.parametrize(
    ("visible", "counted", "given"),
    [
        (None, 2, 2), ("0,1", 2, 2), ("1", 2, 1), ("", 2, 0), ("-1", 2, 0), ("0,-1,1", 2, 1),
        ("0,1", 1, 1), ("GPU-8f1c,GPU-77aa", 2, 2), ("MIG-0", 1, 1), (" 0 , 1 ", 2, 2),
    ],
)  # fmt: skip
def test_gpus_are_those_that_slurm_shows_and_torch_sees(visible, counted, given):
    assert gpus_given(visible, counted) == given


@pytest.mark.parametrize(
    ("asked", "visible", "counted", "on_cpu", "said"),
    [
        (
            2,
            "0",
            2,
            False,
            r"the job was given 1 of 2 GPUs \(CUDA_VISIBLE_DEVICES '0', torch",
        ),
        (1, None, 0, False, r"the job was given 0 of 1 GPUs \(CUDA_VISIBLE_DEVICES is not set"),
        (0, None, 1, False, "vllm 9 computes on GPUs"),
        (1, None, 0, True, "vllm 9 computes on the CPU"),
    ],
)
def test_other_hardware_than_configured_is_refused(asked, visible, counted, on_cpu, said):
    with pytest.raises(InputError, match=rf"models\.m\.gpus: {said}"):
        check_gpus(asked, visible, counted, on_cpu, "vllm 9", "models.m")


@pytest.mark.parametrize(
    ("asked", "visible", "counted", "on_cpu"),
    [(0, None, 0, True), (2, None, 8, False), (2, "3,4", 2, False), (1, "0,1", 2, False)],
)
def test_hardware_as_configured_is_taken(asked, visible, counted, on_cpu):
    check_gpus(asked, visible, counted, on_cpu, "vllm 9", "models.m")


def test_arguments_pin_the_weights_and_keep_out_their_sampling():
    given = arguments(model(options={"dtype": "half"}), "models.m", False)
    assert given == {
        "model": "owner/name", "revision": "abc", "tokenizer_revision": "abc",
        "tensor_parallel_size": 2, "max_model_len": 36000, "max_num_seqs": 64,
        "generation_config": "vllm", "seed": 0, "dtype": "half", "tokenizer_mode": "hf",
        "structured_outputs_config": {"backend": "xgrammar", "disable_any_whitespace": True},
    }  # fmt: skip


def test_a_folder_has_no_revision_and_a_cpu_takes_prompts_whole(tmp_path):
    given = arguments(model(weights=str(tmp_path), gpus=0), "models.m", True)
    assert given["revision"] is None and given["tensor_parallel_size"] == 1
    assert given["enable_chunked_prefill"] is False
    assert given["max_num_batched_tokens"] == 36000


@pytest.mark.parametrize(
    ("changes", "on_cpu", "place"),
    [
        ({"options": {"max_model_len": 5}}, False, "options.max_model_len: .*write context"),
        ({"options": {"tensor_parallel_size": 5}}, False, "options.tensor_parallel_size: .*gpus"),
        ({"options": {"seed": 5}}, False, "options.seed: .*its own seed"),
        ({"options": {"generation_config": "auto"}}, False, "options.generation_config"),
        ({"options": {"hf_token": "x"}}, False, "options.hf_token: .*HF_TOKEN"),
        ({"options": {"tokenizer_mode": "mistral"}}, False, "options.tokenizer_mode: .*template"),
        ({"options": {"enable_chunked_prefill": True}}, True, "options.enable_chunked_prefill"),
        ({"template": {"tokenize": True}}, False, "template.tokenize"),
    ],
)
def test_options_that_collide_are_refused(changes, on_cpu, place):
    with pytest.raises(InputError, match=rf"models\.m\.{place}"):
        arguments(model(**changes), "models.m", on_cpu)


RELAY = "Engine core initialization failed. See root cause above. Failed core proc(s): {}"


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        (["(EngineCore pid=7) ERROR [core.py:1] ValueError: bad weights",
          f"(EngineCore pid=7) ERROR RuntimeError: {RELAY}"], "ValueError: bad weights"),
        (["torch.OutOfMemoryError: CUDA out of memory. Tried 2 GiB", "INFO done"],
         "torch.OutOfMemoryError: CUDA out of memory. Tried 2 GiB"),
        (["AssertionError"], "AssertionError"),
        ([], f"RuntimeError: {RELAY}"),
    ],
)  # fmt: skip
def test_the_cause_is_what_the_engines_process_printed(printed, said):
    assert cause(RuntimeError(RELAY), printed) == said


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        (RuntimeError("CUDA out of memory. Tried to allocate 2 GiB"), "gpu_memory_utilization"),
        (ValueError("To serve at least one request, 9 GiB KV cache is needed, max_model_len 3"),
         "Lower context or concurrency|lower context or concurrency"),
        (ValueError("User-specified max_model_len (99) is greater than the derived"),
         "Lower context to what the weights"),
        (OSError("abc is not a valid git identifier (branch name, tag name or commit id)"),
         "Check weights and revision"),
        (ValueError("Model architectures ['Nobody'] are not supported for now"), "newer vllm"),
        (RuntimeError("Error while deserializing header: incomplete metadata"), "damaged"),
        (ValueError("Expecting property name enclosed in double quotes: line 1"), "damaged"),
        (ValueError("Bfloat16 is only supported on GPUs with compute capability of 8.0"), "dtype"),
        (TypeError("EngineArgs.__init__() got an unexpected keyword argument 'nope'"), "options"),
        (OSError("404 Client Error: Entry Not Found"), "Check weights and revision"),
        (RuntimeError("heads (14016) and world size (4040) do not fit"), "output holds more"),
        (ValueError("32 heads must be divisible by tensor parallel size (3)"), "Set gpus to"),
        (OSError("429 Client Error: Too Many Requests for url"), "run again later"),
        (OSError("[Errno 28] No space left on device"), "Make room"),
        (KeyError("x"), "the job's output holds more"),
    ],
)  # fmt: skip
def test_an_error_says_what_to_change_and_its_own_last_line(error, remedy):
    with pytest.raises(InputError, match=remedy) as caught:
        raise not_loaded(error, [], "models.m")
    assert str(error).splitlines()[-1] in str(caught.value)


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="vllm is installed here")
def test_without_vllm_the_way_to_it_is_told():
    with pytest.raises(InputError, match=r"models\.m\.engine: vllm is not installed.*--sdm conda"):
        VllmOffline(model(), "models.m")
