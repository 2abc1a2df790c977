"""`make check-envs`: make every environment of envs/ with the conda that is here, and try it.

Snakemake calls `conda`, so where that is, Snakemake makes the environments, as `--sdm conda` does.
Where there is mamba or micromamba alone, these are called with the same files. In each environment
the versions are compared with the pins, and all is imported that its rules may import.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from rule_environments import ROOT, deployed, imports_in, pins, pip_section  # noqa: E402

NOTHING = """No conda, mamba or micromamba is on the PATH.
For rules in environments of their own (snakemake --sdm conda) Snakemake calls `conda`, 24.7.1 or
newer: install it (Miniforge brings it), open a new shell, and run `make check-envs` again.
Without it all rules run in the one environment that `make setup` makes; nothing else is missing."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / ".envs-check", help="where to work")
    parser.add_argument("--prefix", type=Path, help="where environments are kept; else below it")
    parser.add_argument("--only", nargs="+", help="these environments instead of all")
    asked = parser.parse_args()
    names = asked.only or sorted(one.stem for one in (ROOT / "envs").glob("*.yaml"))
    found = next(filter(shutil.which, ("conda", "mamba", "micromamba")), None)
    if found is None:
        print(NOTHING, file=sys.stderr)
        return 1
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.json").write_text(json.dumps(wanted(name)), encoding="utf-8")
        (folder / f"{name}.held").unlink(missing_ok=True)
        (folder / f"{name}.log").unlink(missing_ok=True)
    prefix = (asked.prefix or folder / "conda").resolve()
    done = (by_snakemake if found == "conda" else by_itself)(folder, prefix, names, found)
    for name in names:
        held = (folder / f"{name}.held").is_file()
        print(f"{name}: {'as pinned, all imports work' if held else 'FAULTY'}")
        if not held and (folder / f"{name}.log").is_file():
            print((folder / f"{name}.log").read_text(encoding="utf-8"))
    return done


def wanted(name: str) -> dict[str, object]:
    """What an environment must hold and what must be importable in it."""
    place = ROOT / "envs" / f"{name}.yaml"
    return {"pins": pins(pip_section(place)) | deployed(place), "imports": imports_in(name)}


def by_snakemake(folder: Path, prefix: Path, names: list[str], program: str) -> int:
    """Let Snakemake make the environments and run a job in each."""
    command = [
        sys.executable, "-m", "snakemake", "--snakefile", str(HERE / "check.smk"),
        "--directory", str(folder), "--workflow-profile", "none", "--cores", "1", "--keep-going",
        "--quiet", "rules", "--sdm", "conda", "--conda-prefix", str(prefix),
        "--config", f"environments={json.dumps(names)}",
    ]  # fmt: skip
    return subprocess.run(command).returncode


def by_itself(folder: Path, prefix: Path, names: list[str], program: str) -> int:
    """Make the environments by mamba or micromamba, with the scripts that come after."""
    faults = 0
    for name in names:
        place, file = prefix / name, ROOT / "envs" / f"{name}.yaml"
        words = ["create"] if program == "micromamba" else ["env", "create"]
        made = [program, *words, "--yes", "--quiet", "--file", str(file), "--prefix", str(place)]
        steps = [] if place.is_dir() else [made]
        script = file.with_name(f"{name}.post-deploy.sh")
        within = [program, "run", "--prefix", str(place)]
        if script.is_file():
            steps.append([*within, "bash", str(script)])
        steps.append([*within, "python", str(HERE / "held.py"), str(folder / f"{name}.json")])
        with open(folder / f"{name}.log", "w", encoding="utf-8") as log:
            good = all(subprocess.run(one, stdout=log, stderr=log).returncode == 0 for one in steps)
        if good:
            (folder / f"{name}.held").touch()
        faults += not good
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
