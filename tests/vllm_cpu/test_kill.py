"""kill -9 of a job on the vLLM engine: nothing is lost, nothing stays behind on the GPU."""

from __future__ import annotations

from babelmath.engines.vllm_offline import BATCHES
from kills import check_ten_kills


def test_a_job_killed_ten_times_ends_as_an_undisturbed_one(smollm, tmp_path):
    check_ten_kills(tmp_path, smollm, in_flight=BATCHES * smollm.concurrency, family="VLLM")
