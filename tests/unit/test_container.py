"""The image's definition, read: nobody builds it here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "containers" / "Dockerfile").read_text(encoding="utf-8")
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
TAKEN = [line.removeprefix("!") for line in IGNORED if line.startswith("!")]


def instructions() -> list[tuple[str, str, str]]:
    """(stage, instruction, its words) in order; lines that go on are joined."""
    plain = "\n".join(line for line in TEXT.splitlines() if not line.startswith("#"))
    stage, found = "", []
    for line in plain.replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        name, _, words = line.partition(" ")
        if name == "FROM":
            stage = words.split(" AS ")[1]
        found.append((stage, name, " ".join(words.split())))
    return found


def words_of(stage: str, name: str) -> list[str]:
    return [words for at, one, words in instructions() if (at, one) == (stage, name)]


def test_all_stages_stand_on_the_house_python():
    bases = {words.split(" AS ")[1]: words.split(" AS ")[0] for _, name, words in instructions()
             if name == "FROM"}  # fmt: skip
    assert bases.pop("base") == "python:3.11-slim-bookworm"
    assert bases == {"run": "base", "vllm": "base"}


def test_what_is_copied_is_there_and_not_ignored():
    copied = [words.split() for _, name, words in instructions() if name == "COPY"]
    sources = {one.rstrip("/") for words in copied for one in words[1:-1]}
    assert sources == {"Makefile", "requirements", "."}
    assert all(words[0] == "--chown=babelmath:babelmath" for words in copied)
    assert IGNORED[1] == "*" and {"Makefile", "requirements"} <= set(TAKEN)
    assert [one for one in TAKEN if not (ROOT / one).exists()] == []


def test_packages_come_from_locks_with_hashes_alone():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    install = re.search(r"^INSTALL := (.*\\\n.*)$", makefile, re.MULTILINE)
    assert install and "--no-deps --require-hashes --only-binary :all:" in install.group(1)
    assert "\t$(INSTALL) -r requirements/run.txt\n" in makefile
    commands = [words for _, name, words in instructions() if name == "RUN" and "pip" in words]
    assert words_of("run", "RUN") == ["make setup"]
    (command,) = commands
    assert "--no-deps --require-hashes --only-binary :all: -r requirements/vllm.txt" in command
    lines = (ROOT / "requirements" / "vllm.txt").read_text(encoding="utf-8").splitlines()
    heads = [at for at, line in enumerate(lines) if "==" in line and not line.startswith(" ")]
    assert len(heads) > 200 and all("--hash=sha256:" in lines[at + 1] for at in heads)


@pytest.mark.parametrize("stage", ["run", "vllm"])
def test_nothing_runs_as_root_at_the_end(stage):
    users = [*words_of("base", "USER"), *words_of(stage, "USER")]
    assert users[-1] == "babelmath"
    assert words_of(stage, "CMD") == ['["make", "reproduce"]']


def test_no_host_is_named():
    assert "://" not in TEXT and not re.search(r"\b[\w-]+\.(?:io|org|com|ai|dev)\b", TEXT)
