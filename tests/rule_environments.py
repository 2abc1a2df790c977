"""What rules import and what environments hold, read from their files."""

from __future__ import annotations

import ast
import functools
import importlib.metadata
import re
import sys
from collections.abc import Callable
from pathlib import Path

import yaml
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts"
LIBRARY = SCRIPTS / "babelmath"
ENGINES = ("engine-api", "engine-llamacpp", "engine-vllm")
PIN = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)==(?P<version>[^\s;\\]+)")
RULE = re.compile(r"^(?:use rule (\w+) as|rule) (\w+)(?: with)?:", re.MULTILINE)
SCRIPT = re.compile(r'^    script:\s+"\.\./scripts/(\w+)\.py"', re.MULTILINE)
CONDA = re.compile(r"^    conda:\s+(.+)$", re.MULTILINE)
# Import names that are not their distribution's.
DISTRIBUTIONS = {"yaml": "pyyaml", "fasttext": "fasttext-community", "google": "google-genai",
                 "fontTools": "fonttools"}  # fmt: skip
# Modules of engines by the beginning of their names, and the environments of jobs that ask them.
OF_AN_ENGINE = {
    **dict.fromkeys(("gemini", "openai", "batch"), ENGINES),
    "llamacpp": ("engine-llamacpp", "engine-vllm"),
    "vllm": ("engine-vllm",),
}


def normalised(name: str) -> str:
    """A distribution's name as lock files spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lines: list[str]) -> dict[str, str]:
    """Name to version of the lines that begin with an exact pin."""
    matches = (PIN.match(line) for line in lines)
    return {normalised(m["name"]): m["version"] for m in matches if m}


def lock(name: str) -> dict[str, str]:
    return pins((ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines())


def pip_section(env: Path) -> list[str]:
    dependencies = yaml.safe_load(env.read_text(encoding="utf-8"))["dependencies"]
    return next(entry["pip"] for entry in dependencies if isinstance(entry, dict))


def deployed(env: Path) -> dict[str, str]:
    """What an environment's own script brings beside its pip section."""
    script = env.with_name(f"{env.stem}.post-deploy.sh")
    return pins(script.read_text(encoding="utf-8").split()) if script.is_file() else {}


def needed_by(names: set[str]) -> set[str]:
    """These packages and all that they need here, from what is installed."""
    found: set[str] = set()
    waiting = [(name, frozenset[str]()) for name in names]
    while waiting:
        name, extras = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for line in importlib.metadata.requires(name) or []:
            asked = Requirement(line)
            told = asked.marker is None or any(
                asked.marker.evaluate({"extra": extra}) for extra in ("", *extras)
            )
            if told:
                waiting.append((normalised(asked.name), frozenset(asked.extras)))
    return found


def needed_in_lock(name: str, names: set[str]) -> set[str]:
    """The same from a lock's own words on what each package came by (`# via`)."""
    by: dict[str, set[str]] = {}
    package = ""
    for line in (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines():
        if match := PIN.match(line):
            package = normalised(match["name"])
        if "# via " in line:
            by[package] = set(map(normalised, line.partition("# via ")[2].split(", ")))
    found: set[str] = set()
    more = set(names)
    while more:
        found |= more
        more = {one for one, parents in by.items() if parents & found} - found
    return found


@functools.cache
def rules() -> dict[str, tuple[str, tuple[str, ...]]]:
    """(script, environments that its jobs may run in) of every rule; heirs have their parent's."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for path in sorted((ROOT / "rules").glob("*.smk")):
        text = path.read_text(encoding="utf-8")
        heads = list(RULE.finditer(text))
        for head, after in zip(heads, [*heads[1:], None][: len(heads)], strict=True):
            body = text[head.end() : after.start() if after else len(text)]
            parent, name = head.groups()
            script, conda = SCRIPT.search(body), CONDA.search(body)
            own = (script.group(1) if script else "", named(conda.group(1)) if conda else ())
            before = found.get(parent, ("", ()))
            found[name] = (own[0] or before[0], own[1] or before[1])
    return found


def named(conda: str) -> tuple[str, ...]:
    """The environments that a rule's conda line can name."""
    if "engine_env(" in conda:
        return ENGINES
    if "{w.environment}" in conda:
        return tuple(sorted(one.stem for one in (ROOT / "envs").glob("*.yaml")))
    match = re.fullmatch(r'"\.\./envs/([\w-]+)\.yaml"', conda)
    return (match.group(1),) if match else ()


def outside(script: Path, env: str) -> set[str]:
    """Distributions from outside that a script may import in this environment, whenever it does."""
    tops = {name.split(".")[0] for name in imports(script, env)}
    return {normalised(DISTRIBUTIONS.get(one, one)) for one in tops}


def imports(script: Path, env: str) -> set[str]:
    """Modules from outside, dotted, that a script may import in this environment.

    What functions import of an engine that the environment's jobs do not ask is left out.
    """
    found: set[str] = set()
    seen: set[Path] = set()
    waiting = [script]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        for name, later in imported(path):
            if name.split(".")[0] != "babelmath":
                found.add(name)
                continue
            waiting += [one for one in modules(name) if not (later and elsewhere(one, env))]
    return {
        one for one in found if one.split(".")[0] not in {*sys.stdlib_module_names, "__future__"}
    }


def imports_in(env: str) -> list[str]:
    """Modules from outside that the jobs of this environment may import, whatever their rule."""
    scripts = {script for script, envs in rules().values() if env in envs}
    return sorted(set().union(*(imports(SCRIPTS / f"{one}.py", env) for one in scripts)))


def elsewhere(path: Path, env: str) -> bool:
    """Whether a module belongs to an engine that jobs of this environment do not ask."""
    if path.parent != LIBRARY / "engines":
        return False
    owners = [held for start, held in OF_AN_ENGINE.items() if path.stem.startswith(start)]
    return any(env not in held for held in owners)


@functools.cache
def imported(path: Path) -> frozenset[tuple[str, bool]]:
    """(dotted name, whether a function imports it) of a file; for types, only the project's."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    later = inside(tree, lambda node: isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    types = inside(tree, lambda node: isinstance(node, ast.If)
                   and ast.unparse(node.test) == "TYPE_CHECKING")  # fmt: skip
    found: set[tuple[str, bool]] = set()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
            if node.module.startswith("babelmath"):
                names += [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            if node not in types or name.startswith("babelmath"):
                found.add((name, node in later))
    return frozenset(found)


def inside(tree: ast.Module, kind: Callable[[ast.AST], bool]) -> set[ast.AST]:
    """All nodes within those of a kind."""
    return {inner for node in ast.walk(tree) if kind(node) for inner in ast.walk(node)}


def modules(name: str) -> list[Path]:
    """The library's files behind a dotted name, with those of the packages around it."""
    parts = name.split(".")[1:]
    packages = [LIBRARY.joinpath(*parts[:at], "__init__.py") for at in range(len(parts) + 1)]
    return [one for one in (*packages, LIBRARY.joinpath(*parts).with_suffix(".py"))
            if one.is_file()]  # fmt: skip
