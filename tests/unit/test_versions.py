"""Versions are read from the names of what is installed."""

from __future__ import annotations

import importlib.metadata
import platform
import re

from babelmath.versions import as_csv, versions


def test_the_names_tell_what_the_metadata_tell():
    told = {
        (re.sub(r"[-_.]+", "-", one.metadata["Name"]).lower(), one.version)
        for one in importlib.metadata.distributions()
    }
    assert len(told) > 100
    assert set(versions()[3:]) == told


def test_of_a_package_that_stands_twice_the_first_counts_as_for_an_import(tmp_path):
    for folder, name in (("a", "two_words-1.0.dist-info"), ("b", "Two.Words-2.0.dist-info"),
                         ("b", "older-0.1-py3.11.egg-info"), ("b", "__pycache__")):  # fmt: skip
        (tmp_path / folder / name).mkdir(parents=True)
    folders = [str(tmp_path / name) for name in ("a", "b", "none")]
    assert versions(folders)[1:2] == [("python", platform.python_version())]
    assert versions(folders)[3:] == [("older", "0.1"), ("two-words", "1.0")]


def test_a_line_tells_the_environment():
    assert as_csv("tables", [("polars", "2.1.0")]) == (
        "environment,name,version\ntables,polars,2.1.0\n"
    )
