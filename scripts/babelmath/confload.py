"""Reading a configuration: every mistake names its file, line, key, value and the way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from babelmath.conffaults import faults
from babelmath.config import Config
from babelmath.errors import InputError
from babelmath.files import read_text
from babelmath.records import dotted


def read_config(path: str | Path) -> Config:
    """Read one configuration file; see `load_config`."""
    path = Path(path)
    try:
        raw = yaml.load(read_text(path), Loader=yaml.CSafeLoader)
    except FileNotFoundError:
        raise InputError("no such configuration file", file=path) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(f"not YAML: {error.problem}", file=path, line=line) from None
    except yaml.YAMLError as error:  # a control character
        raise InputError(f"not YAML: {error}", file=path) from None
    return load_config(raw, [path])


def read_layers(paths: list[Path]) -> Config:
    """Read one configuration file, or several laid over each other as Snakemake does.

    Raises:
        InputError: see `load_config`.
    """
    if len(paths) == 1:
        return read_config(paths[0])
    from snakemake.utils import update_config

    raw: dict[str, Any] = {}
    for path in paths:
        if not path.is_file():
            raise InputError("no such configuration file", file=path)
        update_config(raw, yaml.safe_load(read_text(path)) or {})
    return load_config(raw, paths)


def load_config(raw: object, files: list[Path]) -> Config:
    """Check a parsed configuration.

    Args:
        raw: the mapping, already merged where several files were given.
        files: the files it came from, for messages.

    Raises:
        InputError: an unknown key, a wrong type or value, or a name that nothing defines.
    """
    for given in files:
        _refuse_repeated_keys(given)
    try:
        config = Config.model_validate(raw)
    except ValidationError as error:
        # The deepest; a misspelt key before the key that is missing in its place.
        first = min(error.errors(), key=lambda item: (-len(item["loc"]), item["type"] == "missing"))
        loc = first["loc"]
        unknown = first["type"] == "extra_forbidden"
        file, line = _place(files, loc[:-1] if first["type"] == "missing" else loc)
        raise InputError(
            "unknown key" if unknown else first["msg"],
            file=file,
            line=line,
            field=dotted(loc),
            value=None
            if first["type"] == "missing" or (unknown and _is_secret(loc))
            else first["input"],
            remedy="Remove or rename it; config/schema.json lists every key."
            if unknown
            else "config/schema.json says what is allowed.",
        ) from None
    for location, problem, value, remedy in faults(config):
        file, line = _place(files, location)
        raise InputError(
            problem, file=file, line=line, field=dotted(location), value=value, remedy=remedy
        )
    return config


def _is_secret(location: tuple[str | int, ...]) -> bool:
    """Whether a key's name says that its value is nobody's business."""
    name = str(location[-1]).lower() if location else ""
    return any(word in name for word in ("key", "token", "secret", "password"))


def _refuse_repeated_keys(file: Path) -> None:
    """YAML lets the last of two equal keys win silently."""
    try:
        nodes = [yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)]
    except (OSError, ValueError, yaml.YAMLError):
        return
    visited: set[int] = set()
    while nodes:
        node = nodes.pop()
        if id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            nodes += node.value
        elif isinstance(node, yaml.MappingNode):
            seen: dict[str, int] = {}
            for key, value in node.value:
                line = key.start_mark.line + 1
                if key.value in seen:
                    raise InputError(
                        f"key stands already in line {seen[key.value]}",
                        file=file,
                        line=line,
                        field=key.value,
                        remedy="Remove one of the two.",
                    )
                seen[key.value] = line
                nodes.append(value)


def _place(files: list[Path], location: tuple[str | int, ...]) -> tuple[Path | None, int | None]:
    """The file and line where a dotted location (or its nearest parent) stands."""
    best: tuple[int, Path | None, int | None] = (-1, files[0] if files else None, None)
    for file in files:
        try:
            node = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        except (OSError, yaml.YAMLError):
            continue
        depth, line = 0, None
        for step in location:
            found = None
            if isinstance(node, yaml.MappingNode):
                found = next(((k, v) for k, v in node.value if k.value == str(step)), None)
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
                found = (node.value[step],) * 2 if step < len(node.value) else None
            if found is None:
                break
            depth, line, node = depth + 1, found[0].start_mark.line + 1, found[1]
        if depth >= best[0]:  # a later file's value stands on top
            best = (depth, file, line)
    return best[1], best[2]
