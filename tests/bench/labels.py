"""How fast languages are labelled, both ways, against a plain loop of fastText on the same texts.

`make bench` runs it: a table on standard output, and one line of JSON in benchmarks/labels.json.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME / "scripts"))

from babelmath.config import Identification  # noqa: E402
from babelmath.labelling import Labeller  # noqa: E402
from babelmath.languages import load_languages  # noqa: E402
from babelmath.packages import fasttext_path  # noqa: E402
from babelmath.records import Generation, LanguageRecord, iter_records, write_records  # noqa: E402

SEED = 20250519
WORKERS = 2
RESPONSES = 4000
REASONING = (2_000, 20_000)  # bytes of UTF-8
LANGUAGES = ("en", "zh", "ar", "es", "fr", "ja", "ko", "pt", "th", "vi")
HOW = Identification()
EVERY = list(load_languages(sorted((HOME / "resources" / "languages").glob("*.yaml"))).values())
FORMULAS = (
    "$x^2+{a}x-{b}=0$", "$\\frac{{{a}}}{{{b}}}$", "\\(a_{{{a}}}={b}\\)",
    "\\[x={a}+\\sqrt{{{b}}}\\]", "$$\\sum_{{k=1}}^{{{a}}} k={b}$$", "${a}\\cdot {b}$", "{a}+{b}",
)  # fmt: skip
ROUNDS = 3


def main() -> None:
    source, made = sentences()
    items = list(responses(made, RESPONSES))
    with Labeller(HOW, EVERY, WORKERS) as labeller:
        started = time.perf_counter()
        for _ in labeller.stream(items[:200]):
            pass
        starting = time.perf_counter() - started
        ours, rival, records = [], [], []
        for _ in range(ROUNDS):
            rival.append(fasttext_alone(items))
            started = time.perf_counter()
            records = list(labeller.stream(items))
            ours.append(time.perf_counter() - started)
    with Labeller(HOW, EVERY, 1) as alone:
        started = time.perf_counter()
        assert list(alone.stream(items)) == records
        single = time.perf_counter() - started
    size = sum(len(one.thinking.encode()) + len(one.answer.encode()) for one in items)
    result = {
        "bench": "labels",
        "responses": len(items),
        "texts": source,
        "mean_bytes": round(size / len(items)),
        "seconds": [round(one, 3) for one in ours],
        "rival": f"fasttext-community {version('fasttext-community')}",
        "rival_seconds": [round(one, 3) for one in rival],
        "times_as_fast": round(min(rival) / min(ours), 2),
        "one_process_seconds": round(single, 3),
        "starting_seconds": round(starting, 3),
        "strict_as_made": sum(one.thinking.strict == one.lang for one in records),
        "paper_as_made": sum(one.thinking.paper == one.lang for one in records),
        "peak_mib": {f"{times}x": round(peak(times)) for times in (1, 10)},
    }
    print(table(result))
    place = HOME / "benchmarks"
    place.mkdir(exist_ok=True)
    (place / "labels.json").write_text(json.dumps(result, ensure_ascii=False) + "\n")


def sentences() -> tuple[str, dict[str, list[str]]]:
    """Where the words come from, and texts by language."""
    if folder := os.environ.get("BABELMATH_BENCHMARKS"):
        files = {lang: Path(folder, "mmath", f"{lang}.json") for lang in LANGUAGES}
        return "questions of MMATH", {
            lang: [one["question"] for one in json.loads(path.read_text(encoding="utf-8"))]
            for lang, path in files.items()
        }
    lines = (HOME / "tests/cases/prose.jsonl").read_text(encoding="utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line]
    return "sentences of the project's tests", {
        case["name"]: [one for one in case["text"].replace("。", "。 ").split(" ") if one]
        for case in cases
        if case["name"] in LANGUAGES
    }


def responses(made: dict[str, list[str]], number: int) -> Iterator[Generation]:
    """Seeded responses: reasoning with formulas after every few words, and a short answer."""
    rng = random.Random(SEED)
    for one in range(number):
        lang = LANGUAGES[one % len(LANGUAGES)]
        thinking = text(rng, made[lang], rng.randint(*REASONING))
        answer = text(rng, made[lang], rng.randint(200, 1500)) + f"\n\\boxed{{{one}}}"
        yield Generation(
            id=f"p{one:06d}", lang=lang, sample=0, thinking=thinking, answer=answer,
            raw=f"<think>\n{thinking}\n</think>\n\n{answer}", finish="stop", prompt_tokens=0,
            completion_tokens=0, seed=None, model="m", engine="made", sent={}, flags=[],
            provenance={"journal": "none"},
        )  # fmt: skip


def text(rng: random.Random, pieces: list[str], size: int) -> str:
    found: list[str] = []
    held = 0
    while held < size:
        piece = rng.choice(pieces)
        if rng.random() < 0.25:
            piece += " " + rng.choice(FORMULAS).format(a=rng.randint(2, 99), b=rng.randint(2, 999))
        if rng.random() < 0.1:
            piece += "\n" if rng.random() < 0.5 else "\n\n"
        found.append(piece)
        held += len(piece.encode()) + 1
    return " ".join(found)


def fasttext_alone(items: list[Generation]) -> float:
    """The rival: one prediction after the other, the model loaded and warm; no cleaning at all."""
    import fasttext

    model = fasttext.load_model(str(fasttext_path(HOW.weights)))
    for one in items[:50]:
        model.predict(one.thinking.replace("\n", " "))
    started = time.perf_counter()
    for one in items:
        model.predict(one.thinking.replace("\n", " "))
        model.predict(one.answer.replace("\n", " "))
    return time.perf_counter() - started


def peak(times: int) -> float:
    """Most MiB of a job and its workers, from file to file, at so many times 400 responses."""
    command = [sys.executable, __file__, "--memory", str(times)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def memory(times: int) -> None:
    """Label a file of many responses into a file of labels; print the peak."""
    _, made = sentences()
    with tempfile.TemporaryDirectory() as folder, Labeller(HOW, EVERY, WORKERS) as labeller:
        path = Path(folder, "generations.jsonl")
        write_records(path, responses(made, 400 * times))
        records: Iterator[LanguageRecord] = labeller.stream(iter_records(path, Generation))
        assert write_records(Path(folder, "labels.jsonl"), records) == 400 * times
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print((own + WORKERS * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024)


def table(result: dict[str, object]) -> str:
    r = result
    rows = [
        ("responses", r["responses"], f"{r['mean_bytes']} bytes each on average; {r['texts']}"),
        ("this project", f"{min(r['seconds'])} s",  # type: ignore[call-overload]
         f"paper's and strict label, cleaning included; {WORKERS} workers, warm"),
        ("  in one process", f"{r['one_process_seconds']} s", "loading included"),
        ("rival", f"{min(r['rival_seconds'])} s",  # type: ignore[call-overload]
         f"{r['rival']}: predict, one text after the other; warm, no cleaning"),
        ("times as fast", r["times_as_fast"], "at least 1.4"),
        ("starting workers", f"{r['starting_seconds']} s", "once a job"),
        ("as made", r["strict_as_made"], f"labels of thinking; paper's {r['paper_as_made']}"),
        ("peak memory", "", f"{r['peak_mib']} MiB, job and workers, from file to file"),
    ]  # fmt: skip
    return "\n".join(f"{name:18} {value!s:>10}  {note}" for name, value, note in rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        memory(int(sys.argv[2]))
    else:
        main()
