"""How many cores the embedded server takes."""

from __future__ import annotations

import os

import pytest

from babelmath.engines.llamacpp import cores


@pytest.mark.parametrize(
    ("given", "here", "taken"),
    [(None, 8, 8), ("3", 8, 3), ("16", 8, 8), ("0", 8, 8), ("", 8, 8), ("4,2", 8, 8), ("²", 8, 8)],
)
def test_a_job_takes_the_cores_it_was_given_and_has(monkeypatch, given, here, taken):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(here)))
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if given is not None:
        monkeypatch.setenv("OMP_NUM_THREADS", given)
    assert cores() == taken
