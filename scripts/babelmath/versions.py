"""Versions of everything that a run's numbers come from."""

from __future__ import annotations

import importlib.metadata
import platform

from babelmath import __version__


def versions() -> list[tuple[str, str]]:
    """(name, version) of this project, Python, the platform, and every installed package."""
    packages = sorted(
        (str(one.metadata["Name"]).lower(), one.version)
        for one in importlib.metadata.distributions()
        if one.metadata["Name"]
    )
    return [
        ("babelmath", __version__),
        ("python", platform.python_version()),
        ("platform", f"{platform.system()} {platform.machine()}"),
        *dict.fromkeys(packages),
    ]
