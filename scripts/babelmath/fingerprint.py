"""A hash of the code that a script runs: the script and all library modules it imports.

Snakemake reruns a job when a parameter changes, but not when an imported module does; rules carry
this hash as a parameter, so that an edit reruns exactly what it can change.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from babelmath.files import sha256

PACKAGE = "babelmath"


def code_of(script: Path, library: Path) -> str:
    """Hash (16 hexadecimal digits) of a script and its imports inside the library, transitively.

    Args:
        script: the script's file.
        library: the folder of the package.
    """
    seen: dict[Path, bytes] = {}
    waiting = [script]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        beside = path.with_suffix(".yaml")  # data that a module reads has the module's name
        seen[path] = path.read_bytes() + (beside.read_bytes() if beside.is_file() else b"")
        waiting += _imports(path, library, path.stat().st_mtime_ns)
    text = "\n".join(
        f"{path.relative_to(library.parent)}:{sha256(data)}" for path, data in sorted(seen.items())
    )
    return sha256(text)[:16]


@functools.cache
def _imports(path: Path, library: Path, _changed: int) -> tuple[Path, ...]:
    found: list[Path] = []
    for node in _statements(ast.parse(path.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            if parts[0] == PACKAGE:
                place = library.joinpath(*parts[1:])
                packages = [one for one in place.parents if one.is_relative_to(library)]
                candidates = [place.with_suffix(".py"), place / "__init__.py",
                              *(one / "__init__.py" for one in packages)]  # fmt: skip
                found += [one for one in candidates if one.is_file()]
    return tuple(found)


def _statements(module: ast.Module) -> Iterator[ast.AST]:
    """All statements of a module, those inside others too; no expression holds an import."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, part, ())
