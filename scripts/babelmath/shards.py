"""Shards: the parts that a setting's questions to one model are split into, a job each.

Shard i of n takes the questions whose place in the setting's order is i modulo n, each with all its
samples: languages stand one after the other in that order, so each of them is spread evenly, and
samples that one call asks for stay together. Which shard asks a question changes neither what is
asked nor its journal key.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from babelmath.config import Config, benchmarks

T = TypeVar("T")
# No name of the configuration holds an underscore, so no other job's name reads as a shard's.
JOB = re.compile(r"(?P<whole>.+)_[1-9][0-9]*-of-(?P<shards>[1-9][0-9]*)")


@dataclass(frozen=True)
class Shard:
    """One of `of` shards; `number` counts from 1. The only one of one is the whole.

    Raises:
        ValueError: there is no such shard.
    """

    number: int = 1
    of: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of:
            raise ValueError(f"no shard {self.number} of {self.of}")

    @property
    def name(self) -> str:
        """As files are named: `2-of-5`."""
        return f"{self.number}-of-{self.of}"

    def take(self, asked: Sequence[T]) -> list[T]:
        """Its part of a setting's questions, in their order; empty where there are too few."""
        return list(asked[self.number - 1 :: self.of])

    def job(self, whole: str) -> str:
        """The name of its job's journal files, where `whole` is that of the one job for all."""
        return whole if self.of == 1 else f"{whole}_{self.name}"

    def label(self, whole: str) -> str:
        """What its job says that it does, where `whole` is what one job for all would say."""
        return whole if self.of == 1 else f"{whole} {self.name}"


def whole_job(job: str) -> str:
    """The job that a shard's is a part of, by the names of their journal files; else `job`."""
    parts = JOB.fullmatch(job)
    return parts["whole"] if parts else job


def shards_in(job: str) -> int:
    """How many shards a job's name says that there are; 1 for the one job for all."""
    parts = JOB.fullmatch(job)
    return int(parts["shards"]) if parts else 1


def shards_of(config: Config, benchmark: str, setting: str, model: str) -> int:
    """How many jobs ask a setting's questions to one of its models."""
    own = benchmarks(config)[benchmark].settings[setting].shards
    return own.get(model, config.models[model].shards)


def split(config: Config) -> dict[tuple[str, str, str], int]:
    """The (benchmark, setting, model) that are split into shards, with the number of these."""
    every = {
        (name, setting, model): shards_of(config, name, setting, model)
        for name, benchmark in benchmarks(config).items()
        for setting, one in benchmark.settings.items()
        for model in one.models
    }
    return {place: number for place, number in every.items() if number > 1}
