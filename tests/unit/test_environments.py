"""The conda environments in envs/ install what the lock files install."""

import ast
import re
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ENVS = sorted((ROOT / "envs").glob("*.yaml"))
POST_DEPLOYS = sorted((ROOT / "envs").glob("*.post-deploy.sh"))
PIN = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)==(?P<version>[^\s;\\]+)")
# Needs a GPU and its own torch, so it is not in the lock of the default environment.
NOT_LOCKED = {"vllm"}


def normalised(name: str) -> str:
    """Return a distribution's name as lock files spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lines: list[str]) -> dict[str, str]:
    """Return name to version of the lines that begin with an exact pin."""
    matches = (PIN.match(line) for line in lines)
    return {normalised(m["name"]): m["version"] for m in matches if m}


def lock(name: str) -> dict[str, str]:
    return pins((ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines())


def pip_section(env: Path) -> list[str]:
    dependencies = yaml.safe_load(env.read_text(encoding="utf-8"))["dependencies"]
    return next(entry["pip"] for entry in dependencies if isinstance(entry, dict))


def named(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("env", ENVS, ids=named)
def test_environment_pins_are_the_locked_versions(env: Path) -> None:
    section = pip_section(env)
    pinned = pins(section)

    assert len(pinned) == len(section), f"{env}: every pip requirement needs an exact pin"
    locked = lock("run.txt")
    expected = {name: locked.get(name) for name in pinned.keys() - NOT_LOCKED}
    assert {name: pinned[name] for name in expected} == expected


@pytest.mark.parametrize("script", POST_DEPLOYS, ids=named)
def test_post_deploy_pins_are_the_locked_versions(script: Path) -> None:
    pinned = pins(script.read_text(encoding="utf-8").split())

    assert pinned, f"{script}: installs nothing"
    locked = lock("run.txt")
    assert pinned == {name: locked.get(name) for name in pinned}


@pytest.mark.parametrize("script", POST_DEPLOYS, ids=named)
def test_post_deploy_script_belongs_to_an_environment(script: Path) -> None:
    assert script.with_name(script.name.removesuffix(".post-deploy.sh") + ".yaml") in ENVS


@pytest.mark.parametrize("env", ENVS, ids=named)
def test_environment_has_the_house_python_and_channels(env: Path) -> None:
    described = yaml.safe_load(env.read_text(encoding="utf-8"))

    assert described["channels"] == ["conda-forge", "nodefaults"]
    assert "python=3.11" in described["dependencies"]


@pytest.mark.parametrize("name", ["run", "test"])
def test_lock_holds_the_direct_pins(name: str) -> None:
    direct = pins((ROOT / "requirements" / f"{name}.in").read_text(encoding="utf-8").splitlines())
    locked = lock(f"{name}.txt")

    assert direct == {package: locked.get(package) for package in direct}


def test_test_lock_contains_the_run_lock() -> None:
    assert lock("run.txt").items() <= lock("test.txt").items()


DISTRIBUTIONS = {"yaml": "pyyaml", "math_verify": "math-verify", "fasttext": "fasttext-community"}
RULE = re.compile(r"^rule (\w+):(.*?)(?=^rule |^use rule |\Z)", re.MULTILINE | re.DOTALL)


def outside(script: Path) -> set[str]:
    """Packages from outside that a script and the library modules it uses import as they load."""
    library, found, seen, waiting = ROOT / "scripts" / "babelmath", set(), set(), [script]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        waiting += imports_of(path, library)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:  # not inside functions
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - {"babelmath", "__future__"}


def imports_of(path: Path, library: Path) -> list[Path]:
    """Library modules that a file imports as it loads."""
    found = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("babelmath"):
            continue
        names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            place = library.joinpath(*name.split(".")[1:])
            candidates = (place.with_suffix(".py"), place / "__init__.py")
            found += [one for one in candidates if one.is_file()]
    return found


def rules_with_environments() -> list[tuple[str, str, str]]:
    """(rule, script, environment) of rules whose environment is one fixed file."""
    found = []
    for path in sorted((ROOT / "rules").glob("*.smk")):
        for name, body in RULE.findall(path.read_text(encoding="utf-8")):
            script = re.search(r'"\.\./scripts/(\w+)\.py"', body)
            env = re.search(r'conda:\s+"\.\./envs/([\w-]+)\.yaml"', body)
            if script and env:
                found.append((name, script.group(1), env.group(1)))
    return found


@pytest.mark.parametrize(("rule", "script", "env"), rules_with_environments())
def test_environment_holds_what_a_rules_script_imports(rule: str, script: str, env: str) -> None:
    held = pins(pip_section(ROOT / "envs" / f"{env}.yaml"))
    deploy = ROOT / "envs" / f"{env}.post-deploy.sh"
    if deploy.is_file():
        held |= pins(deploy.read_text(encoding="utf-8").split())
    needed = {normalised(DISTRIBUTIONS.get(one, one))
              for one in outside(ROOT / "scripts" / f"{script}.py")}  # fmt: skip
    assert needed <= held.keys(), f"{rule}: {sorted(needed - held.keys())}"


@pytest.mark.parametrize("name", ["engine-api", "engine-llamacpp", "engine-vllm"])
def test_a_job_of_any_engine_can_ask_services_too(name: str) -> None:
    """A translation may take one model's text to another engine's verifier, in one job."""
    held = pins(pip_section(ROOT / "envs" / f"{name}.yaml"))
    assert {"openai", "google-genai", "httpx2"} <= held.keys()
