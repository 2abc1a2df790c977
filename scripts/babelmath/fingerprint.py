"""A hash of the code that a script runs: the script and all library modules it imports.

Snakemake reruns a job when a parameter changes, but not when an imported module does; rules carry
this hash as a parameter, so that an edit reruns exactly what it can change. Comments, docstrings
and blank lines change nothing and are left out of it.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

from babelmath.files import sha256

PACKAGE = "babelmath"
# A text literal (its prefix and what is in braces need no look: a quote ends it in Python 3.11).
TEXT = (
    r'"""(?:[^\\]|\\.)*?"""|'
    r"'''(?:[^\\]|\\.)*?'''|"
    r'"(?:[^"\\\n]|\\.)*"|'
    r"'(?:[^'\\\n]|\\.)*'"
)
COMMENT = re.compile(rf"({TEXT})|[ \t]*#[^\n]*", re.DOTALL)
BLANK = re.compile(rf"({TEXT})|[ \t]*\n(?:[ \t]*\n)*", re.DOTALL)


def code_of(script: Path, library: Path) -> str:
    """Hash (16 hexadecimal digits) of a script and its imports inside the library, transitively.

    Args:
        script: the script's file.
        library: the folder of the package.
    """
    seen: dict[Path, str] = {}
    waiting = [script]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        beside = path.with_suffix(".yaml")  # data that a module reads has the module's name
        data = sha256(beside.read_bytes()) if beside.is_file() else ""
        code, imports = _parsed(path, library, path.stat().st_mtime_ns)
        seen[path] = code + data
        waiting += imports
    text = "\n".join(
        f"{path.relative_to(library.parent)}:{held}" for path, held in sorted(seen.items())
    )
    return sha256(text)[:16]


def essence(source: str, module: ast.Module) -> str:
    """A module's source without comments, docstrings, blank lines and blanks at the ends of lines.

    Args:
        module: the source, parsed.
    """
    lines = source.encode().split(b"\n")
    for node in reversed(list(_docstrings(module))):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        after = lines[last][node.end_col_offset or 0 :]
        lines[first : last + 1] = [lines[first][: node.col_offset] + b'""' + after]
    without = COMMENT.sub(lambda found: found[1] or "", b"\n".join(lines).decode())
    return BLANK.sub(lambda found: found[1] or "\n", without)


@functools.cache
def _parsed(path: Path, library: Path, _changed: int) -> tuple[str, tuple[Path, ...]]:
    """The hash of a module's code, and the files of the library that it imports."""
    source = path.read_text(encoding="utf-8")
    module = ast.parse(source)
    return sha256(essence(source, module)), tuple(_imports(module, library))


def _imports(module: ast.Module, library: Path) -> Iterator[Path]:
    for node in _statements(module):
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
                yield from (one for one in candidates if one.is_file())


def _docstrings(module: ast.Module) -> list[ast.Expr]:
    """The docstrings of a module, in the order of their lines."""
    held = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [
        one
        for node in _statements(module)
        if isinstance(node, held)
        and node.body
        and isinstance(one := node.body[0], ast.Expr)
        and isinstance(one.value, ast.Constant)
        and isinstance(one.value.value, str)
    ]
    return sorted(found, key=lambda one: one.lineno)


def _statements(module: ast.Module) -> Iterator[ast.AST]:
    """All statements of a module, those inside others too; no expression holds an import."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, part, ())
