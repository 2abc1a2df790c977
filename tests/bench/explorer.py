"""How soon the explorer shows its rows with 20,000 and 100,000 generations, against 200.

All pages are built from made-up records by the real build, and opened from disk in turn.
`make bench` runs it: a table on standard output, and one line of JSON in benchmarks/explorer.json.
"""

from __future__ import annotations

import json
import resource
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(HOME / "scripts"), str(HOME / "tests")]

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from explorer_runs import many, write_run  # noqa: E402

SIZES = (200, 20_000, 100_000)
ROUNDS = 7
BAR = 2.0  # seconds to the first view of 20,000
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync")  # fmt: skip
# A jump through the list and the frame that draws it; the longest of a hundred.
SCROLL = """async () => {
  const list = document.querySelector('#list');
  let longest = 0;
  for (let step = 0; step < 100; step++) {
    list.scrollTop = (step * 7919 % 100) / 100 * list.scrollHeight;
    const start = performance.now();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    longest = Math.max(longest, performance.now() - start);
  }
  return longest;
}"""
PAINTED = "performance.getEntriesByName('rows').map(one => one.startTime)"
FILTER = """() => {
  const start = performance.now();
  document.querySelector('input[value=fr]').click();
  return performance.now() - start;
}"""


def main() -> None:
    folders, built = {}, {}
    with tempfile.TemporaryDirectory() as held:
        for size in SIZES:
            folders[size], built[size] = page(Path(held), size)
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=list(FLAGS)
            )
            first: dict[int, list[float]] = {size: [] for size in SIZES}
            for _ in range(ROUNDS):
                for size in SIZES:
                    first[size].append(first_view(chromium, folders[size]))
            scroll, chosen = fluency(chromium, folders[SIZES[-1]])
            chromium.close()
    middle = {size: round(statistics.median(first[size]), 3) for size in SIZES}
    result = {
        "first_view_seconds": middle,
        "worst_seconds": {size: round(max(first[size]), 3) for size in SIZES},
        "times_as_long": round(middle[SIZES[1]] / middle[SIZES[0]], 2),
        "bar_seconds": BAR,
        "longest_frame_of_100_jumps_ms": round(scroll, 1),
        "filter_ms": round(chosen, 1),
        "build_seconds": built,
        "build_peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(table(result))
    (HOME / "benchmarks").mkdir(exist_ok=True)
    (HOME / "benchmarks" / "explorer.json").write_text(json.dumps(result) + "\n", encoding="utf-8")
    if middle[SIZES[1]] >= BAR:
        sys.exit(f"the first view of {SIZES[1]:,} generations took {middle[SIZES[1]]} s")


def page(held: Path, size: int) -> tuple[Path, float]:
    """A page of so many generations, and the seconds that its build took."""
    run = write_run(held / f"run-{size}", list(many(size)))
    start = time.perf_counter()
    run.build(held / f"page-{size}")
    return held / f"page-{size}", round(time.perf_counter() - start, 1)


def first_view(chromium: Browser, folder: Path) -> float:
    """Seconds from navigation to painted rows, in a fresh profile."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    tab = context.new_page()
    tab.goto(f"file://{folder}/index.html")
    tab.wait_for_selector(".row")
    while not (found := tab.evaluate(PAINTED)):
        tab.wait_for_timeout(10)
    context.close()
    return float(found[0]) / 1000


def fluency(chromium: Browser, folder: Path) -> tuple[float, float]:
    """The longest frame of a hundred jumps, and what a filter takes, in milliseconds."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    tab = context.new_page()
    tab.goto(f"file://{folder}/index.html")
    tab.wait_for_selector("body[data-ready]")
    scroll, chosen = float(tab.evaluate(SCROLL)), float(tab.evaluate(FILTER))
    context.close()
    return scroll, chosen


def table(result: dict[str, Any]) -> str:
    r = result
    large, small = f"{SIZES[1]:,}", f"{SIZES[0]:,}"
    rows = [
        *(
            (f"{size:,}", f"{seconds} s", f"to the first view of rows, at worst "
             f"{r['worst_seconds'][size]} s; built in {r['build_seconds'][size]} s")
            for size, seconds in r["first_view_seconds"].items()
        ),
        ("times as long", r["times_as_long"], f"{large} against {small}; bar: {BAR} s"),
        ("longest frame", f"{r['longest_frame_of_100_jumps_ms']} ms",
         f"of 100 jumps through {SIZES[-1]:,}"),
        ("a filter", f"{r['filter_ms']} ms", f"counts and list of {SIZES[-1]:,}"),
        ("peak memory", f"{r['build_peak_mib']} MiB", "of the builds, made-up records included"),
    ]  # fmt: skip
    return "\n".join(f"{name:14} {value!s:>10}  {note}" for name, value, note in rows)


if __name__ == "__main__":
    main()
