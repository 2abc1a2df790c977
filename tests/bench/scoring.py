"""How fast answers are scored by rule, against a plain loop of math-verify over the same texts.

`make bench` runs it: a table on standard output, and one line of JSON in benchmarks/scoring.json.
"""

from __future__ import annotations

import json
import logging
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from responses import Made, exact_answers, responses

HOME = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME / "scripts"))

from babelmath.config import Equivalence  # noqa: E402
from babelmath.languages import Language, load_languages  # noqa: E402
from babelmath.records import Generation, Verdict, iter_records, write_records  # noqa: E402
from babelmath.scoring.by_rules import by_rules  # noqa: E402
from babelmath.scoring.equivalence import Comparer  # noqa: E402

SEED = 20250519
WORKERS = 2
TOWERS = 0.01
LANGUAGES: dict[str, Language] = load_languages(
    sorted((HOME / "resources" / "languages").glob("*.yaml"))
)
WARMING = ("1", "\\sin^2 x+\\cos^2 x"), ("2\\sin x\\cos x", "\\sin 2x")  # what takes a worker


@dataclass(frozen=True)
class Timed:
    """Seconds, what was decided, in order, and the seconds that workers took to start."""

    seconds: float
    right: Sequence[bool]
    starting: float = 0.0


def main() -> None:
    exact, source = exact_answers(SEED)
    made = list(responses(exact, SEED))
    first = list({(exact[one.id], one.value): one for one in made}.values())
    towers = list(responses(exact, SEED, towers=TOWERS))
    ours, once, steep = (timed(one, exact) for one in (made, first, towers))
    theirs = math_verify(made, exact)
    theirs_once = math_verify(first, exact)
    memory = {times: peak(times) for times in (1, 10)}

    plain = [place for place, one in enumerate(made) if one.plain]
    other = [place for place in plain if ours.right[place] != theirs.right[place]]
    differences = sorted({
        (exact[made[place].id], made[place].value, ours.right[place]) for place in other
    })  # fmt: skip
    result = {
        "bench": "scoring",
        "responses": len(made),
        "exact_answers": source,
        "repeated": round(1 - len(first) / len(made), 4),
        "seconds": round(ours.seconds, 3),
        "rival": f"math-verify {version('math-verify')}",
        "rival_seconds": round(theirs.seconds, 3),
        "times_as_fast": round(theirs.seconds / ours.seconds, 2),
        "distinct": len(first),
        "distinct_seconds": round(once.seconds, 3),
        "distinct_rival_seconds": round(theirs_once.seconds, 3),
        "distinct_times_as_fast": round(theirs_once.seconds / once.seconds, 2),
        "towers_share": TOWERS,
        "towers_seconds": round(steep.seconds, 3),
        "towers_to_clean": round(steep.seconds / ours.seconds, 2),
        "starting_seconds": round(ours.starting, 3),
        "as_made": sum(a == b.right for a, b in zip(ours.right, made, strict=True)),
        "rival_as_made": sum(a == b.right for a, b in zip(theirs.right, made, strict=True)),
        "plain": len(plain),
        "plain_differences": len(other),
        "differences": [list(one) for one in differences],
        "peak_mib": {f"{times}x": round(one) for times, one in memory.items()},
    }
    print(table(result))
    place = HOME / "benchmarks"
    place.mkdir(exist_ok=True)
    (place / "scoring.json").write_text(json.dumps(result, ensure_ascii=False) + "\n")


def timed(made: Sequence[Made], exact: dict[str, str]) -> Timed:
    """This project: from generations to verdicts, extraction and notation included.

    Workers that have started and imported, and a comparer that remembers nothing yet.
    """
    gold = {(one.id, one.lang): exact[one.id] for one in made}
    items = [generation(one) for one in made]
    with Comparer(Equivalence(), WORKERS) as comparer:
        started = time.perf_counter()
        warming = [(None, (gold,), answer) for gold, answer in WARMING]
        assert all(one.equal for _, one in comparer.stream(warming, True))
        starting = time.perf_counter() - started
        started = time.perf_counter()
        verdicts = by_rules(items, gold, "rules-strict", LANGUAGES, comparer, western=True)
        right = [one.correct for one in verdicts]
        return Timed(time.perf_counter() - started, right, starting)


def math_verify(made: Iterable[Made], exact: dict[str, str]) -> Timed:
    """The rival: parse both and verify, one after the other; imported and warm, no time limits."""
    from math_verify import parse, verify

    logging.disable(logging.WARNING)  # that its time limits are off

    def same(gold: str, text: str) -> bool:
        parsed = parse(f"${gold}$", parsing_timeout=None), parse(text, parsing_timeout=None)
        return bool(verify(*parsed, timeout_seconds=None))

    for gold, answer in WARMING:
        same(gold, f"$\\boxed{{{answer}}}$")
    pairs = [(exact[one.id].strip("$ "), one.text) for one in made]
    started = time.perf_counter()
    right = [same(gold, text) for gold, text in pairs]
    return Timed(time.perf_counter() - started, right)


def peak(times: int) -> float:
    """Most MiB that a job and its workers hold, from file to file, at so many times the size."""
    command = [sys.executable, __file__, "--memory", str(times)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def memory(times: int) -> None:
    """Score a file of many responses into a file of verdicts; print the peak."""
    exact, _ = exact_answers(SEED)
    gold = {(key, lang): answer for key, answer in exact.items() for lang in LANGUAGES}

    def generations() -> Iterator[Generation]:
        yield from map(generation, responses(exact, SEED, samples=4 * times))

    with tempfile.TemporaryDirectory() as folder, Comparer(Equivalence(), WORKERS) as comparer:
        path = Path(folder, "generations.jsonl")
        write_records(path, generations())
        verdicts: Iterator[Verdict] = by_rules(
            iter_records(path, Generation), gold, "rules-strict", LANGUAGES, comparer, western=True
        )
        assert write_records(Path(folder, "verdicts.jsonl"), verdicts) == 14960 * times
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print((own + WORKERS * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024)


def generation(one: Made) -> Generation:
    return Generation(
        id=one.id, lang=one.lang, sample=one.sample, thinking="", answer=one.text, raw=one.text,
        finish="stop", prompt_tokens=0, completion_tokens=0, seed=None, model="m", engine="made",
        sent={}, flags=[], provenance={"journal": "none"},
    )  # fmt: skip


def table(result: dict[str, object]) -> str:
    r = result
    rows = [
        ("responses", r["responses"], f"exact answers: {r['exact_answers']}"),
        ("repeated pairs", f"{100 * float(str(r['repeated'])):.0f}%", "of exact answer and value"),
        ("this project", f"{r['seconds']} s", f"{WORKERS} workers, warm; extraction included"),
        ("rival", f"{r['rival_seconds']} s", f"{r['rival']}: parse, parse, verify; warm, no limit"),
        ("times as fast", r["times_as_fast"], "at least 5"),
        ("  each pair once", r["distinct_times_as_fast"],
         f"{r['distinct']} pairs: {r['distinct_seconds']} s and {r['distinct_rival_seconds']} s"),
        ("with 1% towers", f"{r['towers_seconds']} s",
         f"{r['towers_to_clean']} times the clean set, at most 2; the rival would not end"),
        ("starting workers", f"{r['starting_seconds']} s", "once a job"),
        ("as made", r["as_made"], f"verdicts as was meant; the rival {r['rival_as_made']}"),
        ("plain Western", r["plain"], f"{r['plain_differences']} decided otherwise by the rival"),
        ("peak memory", "", f"{r['peak_mib']} MiB, job and workers, from file to file"),
    ]  # fmt: skip
    lines = [f"{name:18} {value!s:>10}  {note}" for name, value, note in rows]
    differences = r["differences"]
    assert isinstance(differences, list)
    for gold, value, right in differences:
        lines.append(f"  {gold} | {value} | here {'right' if right else 'wrong'}")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        memory(int(sys.argv[2]))
    else:
        main()
