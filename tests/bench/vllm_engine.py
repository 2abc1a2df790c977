"""How fast vLLM answers through this project's door, against one bare call of vLLM.

`make bench-vllm` runs it with vLLM's CPU build: a table on standard output, and one line of JSON in
benchmarks/vllm_engine.json. Both use one loaded engine, the same prompts and lengths, in turn; ours
goes through the journal, with every response synced to disk.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "scripts"), str(HOME / "tests")]

from babelmath.engines import Request  # noqa: E402
from babelmath.engines.vllm_offline import VllmOffline  # noqa: E402
from babelmath.journal.store import Journal  # noqa: E402
from vllm_cpu.asked import model, question  # noqa: E402

REQUESTS = 96
BATCH = 96
TOKENS = 48
ROUNDS = 3
BAR = 0.95


def main() -> None:
    configured = model(HOME / ".venv-vllm" / "smollm2", concurrency=BATCH)
    engine = VllmOffline(configured, "models.m")
    asked(engine, requests(0)[:BATCH])  # warm
    bare(engine, requests(0)[:BATCH])
    pairs = []
    for number in range(1, ROUNDS + 1):
        ways = [through, bare] if number % 2 else [bare, through]
        speed = {way: way(engine, requests(number)) for way in ways}
        pairs.append((speed[through], speed[bare]))
        print(f"round {number}: {speed[through]:.1f} and {speed[bare]:.1f} tokens/s")
    build = engine._engine["vllm"]
    engine.close()
    ratios = [ours / theirs for ours, theirs in pairs]
    result = {
        "bench": "vllm_engine", "engine": build, "requests": REQUESTS, "batch": BATCH,
        "new_tokens": TOKENS, "rounds": ROUNDS,
        "tokens_per_second": round(statistics.median(one for one, _ in pairs), 1),
        "bare_tokens_per_second": round(statistics.median(one for _, one in pairs), 1),
        "ratio": round(statistics.median(ratios), 3),
        "ratios": [round(one, 3) for one in ratios],
        "bar": BAR,
    }  # fmt: skip
    print(f"ratio {result['ratio']} (median of {ROUNDS}), at least {BAR}")
    place = HOME / "benchmarks"
    place.mkdir(exist_ok=True)
    (place / "vllm_engine.json").write_text(json.dumps(result) + "\n")


def requests(number: int) -> list[Request]:
    """A round's own prompts, whose answers do not end before their length."""
    return [
        question(f"Tell a long story about {number * 1000 + n} animals.", seed=n, tokens=TOKENS,
                 temperature=1.0)
        for n in range(REQUESTS)
    ]  # fmt: skip


def through(engine: VllmOffline, asked_for: list[Request]) -> float:
    """New tokens a second through the door, journal included."""
    started = time.perf_counter()
    tokens = asked(engine, asked_for)
    return tokens / (time.perf_counter() - started)


def asked(engine: VllmOffline, asked_for: list[Request]) -> int:
    tokens = 0
    with tempfile.TemporaryDirectory(dir=HOME) as folder:
        journal = Journal(Path(folder), "bench")
        keys = {one: one.key({"engine": "vllm"}) for one in asked_for}
        for one, response in engine.stream(asked_for, lambda sent: journal.asked(keys[sent], sent)):
            journal.add(keys[one], one, response)
            tokens += response.completion_tokens
        journal.close()
    return tokens


def bare(engine: VllmOffline, asked_for: list[Request]) -> float:
    """New tokens a second of one generate call, with the same prompts and sampling."""
    from vllm import SamplingParams

    started = time.perf_counter()
    prompts = [{"prompt_token_ids": engine._prompts.ids(one.chat())} for one in asked_for]
    parameters = [
        SamplingParams(temperature=one.temperature, top_p=one.top_p, max_tokens=one.max_tokens,
                       seed=one.seed)
        for one in asked_for
    ]  # fmt: skip
    outputs = engine._llm.generate(prompts, parameters, use_tqdm=False)
    tokens = sum(len(one.outputs[0].token_ids) for one in outputs)
    return tokens / (time.perf_counter() - started)


if __name__ == "__main__":
    main()
