"""The JSON schema for editors and the comments of the default configuration, from the types."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

import yaml
from pydantic import BaseModel

from babelmath.config import Config
from babelmath.files import write_text


def schema_text() -> str:
    """The JSON schema of a configuration file."""
    schema = Config.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def commented(path: Path) -> str:
    """A configuration file's values as YAML, each key under the description of its field.

    A description stands once, where its key first occurs; values, their order and the blocks they
    stand in are the file's own.
    """
    raw = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    lines = [
        "# yaml-language-server: $schema=schema.json",
        "# Comments are made from the types by `make config`; values are yours to change.",
    ]
    _write(raw, Config, 0, lines, set())
    return "\n".join(lines) + "\n"


class _Entries:
    """Stands for a mapping whose values are sections."""

    def __init__(self, section: type[BaseModel]) -> None:
        self.section = section


Shape = type[BaseModel] | _Entries | None


def _write(raw: dict[str, Any], shape: Shape, depth: int, out: list[str], said: set[str]) -> None:
    for key, value in raw.items():
        inner: Shape = None
        if isinstance(shape, _Entries):
            inner = shape.section
        elif shape is not None and key in shape.model_fields:
            field = shape.model_fields[key]
            inner = _shape_of(field.annotation)
            mark = f"{shape.__name__}.{key}"
            if field.description and mark not in said:
                out += (
                    ["", f"# {field.description}"]
                    if depth == 0
                    else [f"{'  ' * depth}# {field.description}"]
                )
                said.add(mark)
        if isinstance(value, dict) and value and not _is_short(inner):
            out.append(f"{'  ' * depth}{key}:")
            _write(value, inner, depth + 1, out, said)
        else:
            out.append(f"{'  ' * depth}{key}: {_inline(value)}")


def _shape_of(annotation: Any) -> Shape:
    """A section, a mapping of sections, or None for plain values and lists."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    parts = get_args(annotation)
    if get_origin(annotation) is dict:
        entry = _shape_of(parts[1])
        return _Entries(entry) if isinstance(entry, type) else None
    if get_origin(annotation) in (Union, UnionType):
        return next((shape for part in parts if (shape := _shape_of(part))), None)
    return None


def _is_short(shape: Shape) -> bool:
    """Sections that stand on one line, and plain values."""
    return shape is None or (
        isinstance(shape, type) and shape.__name__ in ("Sampling", "Selection")
    )


def _inline(value: Any) -> str:
    text: str = yaml.dump(
        value, default_flow_style=True, allow_unicode=True, width=10**6, sort_keys=False
    )
    return text.removesuffix("\n").removesuffix("\n...")


def main() -> None:
    """Rewrite schema.json and config.yaml of a configuration folder."""
    folder = Path(sys.argv[1])
    write_text(folder / "schema.json", schema_text())
    write_text(folder / "config.yaml", commented(folder / "config.yaml"))


if __name__ == "__main__":
    main()
