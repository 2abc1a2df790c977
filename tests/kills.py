"""kill -9 of a real job in the middle, and the same job again, on an engine that runs here.

Started as a program it is the job: it asks a model through the journal. Arguments: a folder
(journal/ and, at the end, out), the model's configuration as JSON, the number of requests.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HOME / "scripts")]

from babelmath.asking import Models, request  # noqa: E402
from babelmath.config import Model, Sampling  # noqa: E402
from babelmath.engines import Request  # noqa: E402

COUNT = 300
KILLS = 10
RESPONSE = b'{"kind": "response"'


def requests(count: int) -> list[Request]:
    """Four samples of each question, with seeds and lengths of their own."""
    return [
        request("test", "en", [{"role": "user", "content": f"Tell me about the number {n // 4}."}],
                Sampling(temperature=0.6, top_p=0.95, max_tokens=4 + n % 9), n, n % 4)
        for n in range(count)
    ]  # fmt: skip


def main(folder: str, model: str, count: str) -> None:
    asked = requests(int(count))
    held = {"m": Model.model_validate_json(model)}
    with Models(held, Path(folder, "journal"), "job", None) as models:
        answers = models.ask("m", asked, "job")
    told = [
        f"{answered.key} {one.sample} {answered.response.finish}\n"
        for one, answered in zip(asked, answers, strict=True)
    ]
    Path(folder, "out").write_text("".join(told))


def started(folder: Path, model: Model) -> subprocess.Popen[bytes]:
    command = [sys.executable, __file__, str(folder), model.model_dump_json(), str(COUNT)]
    with open(folder / "log", "ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log)


def finished(folder: Path, model: Model) -> list[str]:
    assert started(folder, model).wait() == 0, (folder / "log").read_text()[-3000:]
    return (folder / "out").read_text().splitlines()


def journalled(folder: Path) -> bytes:
    path = folder / "journal" / "m" / "job.jsonl"
    return path.read_bytes() if path.exists() else b""


def killed_at(folder: Path, model: Model, responses: int, family: str | None) -> None:
    """kill -9 of the job alone; processes of its engine (`family`) must end by themselves."""
    import psutil

    process = started(folder, model)
    while journalled(folder).count(RESPONSE) < responses:
        assert process.poll() is None, (folder / "log").read_text()[-3000:]
        time.sleep(0.005)
    children = psutil.Process(process.pid).children(recursive=True)
    assert family is None or any(family in " ".join(one.cmdline()) for one in children)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


def check_ten_kills(folder: Path, model: Model, in_flight: int, family: str | None = None) -> None:
    """After ten kills at seeded counts a job ends as an undisturbed one, in ids and counts.

    Args:
        in_flight: most requests that one kill can lose.
    """
    whole, killed = folder / "whole", folder / "killed"
    whole.mkdir()
    killed.mkdir()
    expected = finished(whole, model)

    for count in sorted(random.Random(20251126).sample(range(1, COUNT - 10), KILLS)):
        killed_at(killed, model, max(count, journalled(killed).count(RESPONSE) + 1), family)
    ended = finished(killed, model)
    assert [one.split()[:2] for one in ended] == [one.split()[:2] for one in expected]
    assert len(ended) == COUNT

    held = [json.loads(one) for one in journalled(killed).split(b"\n")[:-1]]
    found = Counter((one["kind"], one["key"]) for one in held)
    responses = {key: times for (kind, key), times in found.items() if kind == "response"}
    assert len(responses) == COUNT and set(responses.values()) == {1}
    again = sum(times - 1 for (kind, _), times in found.items() if kind == "asked")
    assert again <= KILLS * in_flight
    assert not [kind for kind, _ in found if kind == "failure"]
    samples = Counter(one["request"]["sample"] for one in held if one["kind"] == "response")
    assert samples == {number: COUNT // 4 for number in range(4)}


if __name__ == "__main__":
    main(*sys.argv[1:])
