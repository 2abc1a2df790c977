"""Finished runs as folders: what they are, and which verdicts they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from babelmath.errors import InputError
from babelmath.files import is_there, read_text

CONFIG = "run/config.yaml"
BENCHMARKS = ("mathmist", "mmath")


class Place(NamedTuple):
    """Where verdicts belong."""

    benchmark: str
    setting: str
    model: str
    scorer: str

    @property
    def generations(self) -> str:
        return f"{self.benchmark}/generations/{self.setting}/{self.model}.jsonl"

    @property
    def verdicts(self) -> str:
        return f"{self.benchmark}/verdicts/{self.setting}/{self.model}/{self.scorer}.jsonl"


@dataclass(frozen=True)
class Run:
    """A run's folder and its resolved configuration.

    Attributes:
        name: A or B.
        config: `run/config.yaml`, read loosely: another version's may have other keys.
    """

    name: str
    root: Path
    config: Mapping[str, Any]

    def settings(self, benchmark: str) -> Mapping[str, Any]:
        """A benchmark's settings; empty where it is not configured."""
        found = self.config["benchmarks"].get(benchmark) or {}
        return found.get("settings") or {}

    def task(self, place: Place) -> str:
        """What a setting asks for: solve, choose, detect or identify."""
        return str(self.settings(place.benchmark).get(place.setting, {}).get("task", "solve"))

    def configured(self) -> Iterator[Place]:
        """Where this run's configuration says that verdicts are."""
        for benchmark in BENCHMARKS:
            for setting, one in self.settings(benchmark).items():
                for model in one.get("models", ()):
                    for scorer in one.get("scorers", ()):
                        yield Place(benchmark, str(setting), str(model), str(scorer))

    def held(self) -> Iterator[Place]:
        """Where verdicts are, configured or left by another configuration."""
        for benchmark in BENCHMARKS:
            for path in sorted((self.root / benchmark / "verdicts").glob("*/*/*.jsonl")):
                yield Place(benchmark, path.parts[-3], path.parts[-2], path.stem)


def open_runs(a: Path, b: Path) -> tuple[Run, Run]:
    """Two runs by their results folders.

    Raises:
        InputError: a folder is not there or holds no run, or both are the same one.
    """
    runs = _open("A", a), _open("B", b)
    if runs[0].root.resolve() == runs[1].root.resolve():
        raise InputError("is the same folder twice", file=b, remedy="Name two runs' results.")
    return runs


def _open(name: str, root: Path) -> Run:
    path = root / CONFIG
    if not root.is_dir():
        raise InputError("no such folder", file=root, remedy="Name a run's results folder.")
    if not is_there(path):
        raise InputError(
            f"holds no {CONFIG}, so it is not the results of a run", file=root,
            remedy="Name the folder that `paths.results` of the run's configuration names.",
        )  # fmt: skip
    try:
        config = yaml.load(read_text(path), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError(
            f"not YAML: {getattr(error, 'problem', error)}", file=path,
            line=None if mark is None else mark.line + 1,
            remedy="Remove the file and run again: it is written from the configuration.",
        ) from None  # fmt: skip
    if not isinstance(config, dict) or not isinstance(config.get("benchmarks"), dict):
        raise InputError(
            "is not a run's configuration", file=path, field="benchmarks",
            remedy="Remove the file and run again: it is written from the configuration.",
        )  # fmt: skip
    return Run(name, root, config)
