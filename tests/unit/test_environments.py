"""The conda environments in envs/ install what the lock files install."""

import re
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
