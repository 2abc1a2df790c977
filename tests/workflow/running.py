"""Running the real workflow in a folder of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "rules", "scripts", "prompts", "config", "resources", "envs", "profiles")


def make_clone(folder: Path) -> None:
    """Put what the workflow consists of into a folder that is not there, for tests to change."""
    folder.mkdir(parents=True)
    for name in PARTS:
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)


def command(folder: Path, config: dict[str, Any], *flags: str) -> list[str]:
    """The snakemake call that runs a configuration in a folder; in a clone by the clone's rules."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "config.yaml"
    file.write_text(yaml.safe_dump(config, allow_unicode=True, sort_keys=False), encoding="utf-8")
    own = folder / "Snakefile"
    snakefile = own if own.is_file() else REPOSITORY / "Snakefile"
    head = [sys.executable, "-m", "snakemake", "--snakefile", str(snakefile)]
    return [*head, "--directory", str(folder), "--configfile", str(file), "--cores", "2", *flags]


def run(folder: Path, config: dict[str, Any], *flags: str) -> subprocess.CompletedProcess[str]:
    """Run to the end; the output holds both streams."""
    return subprocess.run(
        command(folder, config, *flags),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
    )


def environment() -> dict[str, str]:
    """This process's environment without local copies of the releases."""
    return {key: value for key, value in os.environ.items() if not key.startswith("BABELMATH_")}


def planned(folder: Path, config: dict[str, Any], *flags: str) -> Counter[str]:
    """Jobs that a dry run would do, by rule."""
    done = run(folder, config, "-n", *flags)
    assert done.returncode == 0, done.stdout[-3000:]
    stats = done.stdout.split("Job stats:")
    if len(stats) == 1:
        return Counter()
    rows = re.findall(r"^(\w+) +(\d+)$", stats[1], re.MULTILINE)
    return Counter({rule: int(count) for rule, count in rows if rule not in ("total", "all")})


def journal(folder: Path) -> list[dict[str, Any]]:
    """All whole lines of all journals."""
    lines: list[dict[str, Any]] = []
    for path in sorted((folder / "journal").glob("*/*.jsonl")):
        for line in path.read_bytes().split(b"\n")[:-1]:
            lines.append(json.loads(line))
    return lines


def records(path: Path) -> list[dict[str, Any]]:
    """Records of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
