"""Checking a journal line by line, and dropping what no configuration reaches."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.accounts import Account
from babelmath.config import Config
from babelmath.confload import load_config
from babelmath.engines import identity
from babelmath.engines.base import Image, Request, Response
from babelmath.errors import InputError
from babelmath.journal.files import journal_files
from babelmath.journal.gc import reach_of, sweep
from babelmath.journal.packed import pack_folder
from babelmath.journal.store import Journal
from babelmath.journal.verify import verify
from babelmath.ledger import Money, ledger
from babelmath.prices import Rate

REPOSITORY = Path(__file__).resolve().parents[2]
OLD = REPOSITORY / "tests" / "cases" / "journal_old"
MODEL = {"display": "M", "engine": "openai", "service": "s-1"}
ANSWER = Response(text="2", finish="stop", prompt_tokens=7, completion_tokens=3, unknown=1)
FAILURE = Response(attempts=["HTTP 500"], failure="HTTP 500")
KEY = "ab" * 32


def config(models: dict[str, Any] | None = None, **names: list[str]) -> Config:
    """MMATH settings by name, with their models."""
    setting = {"task": "solve", "prompt": "mmath/native", "question_languages": ["en"],
               "sampling": {"temperature": 0, "max_tokens": 8}, "scorers": ["judge-j"]}  # fmt: skip
    return load_config(
        {
            "scale": "demonstration", "statement": "s", "seed": 1, "protocol": "paper",
            "models": models or {"m": MODEL, "j": MODEL},
            "judges": {"j": {"model": "j", "sampling": {"temperature": 0, "max_tokens": 8}}},
            "benchmarks": {"mmath": {
                "source": {"format": "bundled", "folder": "resources/mmath"},
                "source_languages": ["en"], "languages": ["en"],
                "settings": {name: setting | {"models": held} for name, held in names.items()},
            }},
        },
        [],
    )  # fmt: skip


def question(text: str, **changes: Any) -> Request:
    values = {"purpose": "generation", "lang": "en", "messages": (("user", text),),
              "temperature": 0.0, "top_p": 1.0, "max_tokens": 8, "sample": 0,
              "seed": 1}  # fmt: skip
    return Request(**(values | changes))


def happened(
    root: Path, model: str, job: str, *events: tuple[Request, int, Response | None],
    revision: str | None = None,
) -> None:  # fmt: skip
    named = identity(config().models["m"].model_copy(update={"revision": revision}))
    journal = Journal(root / model, job)
    for item, times, answer in events:
        for _ in range(times):
            journal.asked(item.key(named), item, (100, 8))
        if answer is not None:
            journal.add(item.key(named), item, answer)
    journal.close()


def problems(folder: Path) -> list[str]:
    return [f"{one.file.name}:{one.line} {one.problem}" for one in verify(folder)]


# verify


def test_what_this_project_writes_has_no_problem(tmp_path):
    picture = Image("a.png", "image/png", "0" * 64)
    happened(tmp_path, "m", "a", (question("a"), 1, ANSWER), (question("b"), 3, FAILURE),
             (question("b"), 1, ANSWER), (question("c"), 2, None),
             (question("d", images=(picture,)), 1, ANSWER))  # fmt: skip
    happened(tmp_path, "m", "a", (question("c"), 1, ANSWER))
    assert problems(tmp_path / "m") == []
    pack_folder(tmp_path / "m", 1)
    assert problems(tmp_path / "m") == []


def test_a_journal_of_earlier_code_has_its_torn_end_alone(tmp_path):
    assert problems(OLD / "served") == [
        "mathmist.zero-shot.jsonl:15 cut short: its job drops it when it runs again"
    ]


def test_a_line_that_a_job_is_writing_is_no_problem(tmp_path):
    journal = Journal(tmp_path, "job")
    with open(tmp_path / "job.jsonl", "ab") as file:
        file.write(b'{"kind": ')
    assert problems(tmp_path) == []
    journal.close()
    assert problems(tmp_path) == ["job.jsonl:1 cut short: its job drops it when it runs again"]


def changed(line: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    *parents, last = path.split(".")
    copy = json.loads(json.dumps(line))
    place = copy
    for name in parents:
        place = place[name]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return copy


@pytest.mark.parametrize(
    ("number", "path", "value", "problem"),
    [
        (1, "kind", "answer", "no such kind: 'answer'"),
        (1, "key", "x", "its key is no SHA-256"),
        (1, "key", None, "its key is no SHA-256"),
        (1, "lang", None, "lang is no text"),
        (1, "time", "now", "time is no number"),
        (2, "settles", -1, "settles is no count"),
        (2, "settles", True, "settles is no count"),
        (2, "settles", 2, "settles 2 times, but was sent 1 times"),
        (2, "request", None, "no request"),
        (2, "request.seed", None, "request lacks seed"),
        (2, "request.other", 1, "request has unknown fields other"),
        (2, "request.seed", 9, ""),
        (2, "response", None, "no response"),
        (2, "response.text", 7, "response.text or thinking is no text"),
        (2, "response.text", None, "response lacks text"),
        (2, "response.prompt_tokens", -1, "response.prompt_tokens is no count"),
        (2, "response.finish", "done", "no such finish: 'done'"),
        (2, "response.failure", "x", "a response whose failure is 'x'"),
        (4, "key", "same", "a second response to its key"),
        (6, "response.failure", None, "response lacks failure"),
        (8, "request.seed", 9, "its request is another than the one its key stood for"),
    ],
)
def test_a_line_with_a_fault_is_told_by_file_and_line(tmp_path, number, path, value, problem):
    happened(tmp_path, "m", "job", (question("a"), 1, ANSWER), (question("b"), 1, ANSWER),
             (question("c"), 1, FAILURE), (question("c"), 1, ANSWER))  # fmt: skip
    file = tmp_path / "m" / "job.jsonl"
    lines = [json.loads(one) for one in file.read_text(encoding="utf-8").splitlines()]
    if value == "same":
        value = lines[1]["key"]
    lines[number - 1] = changed(lines[number - 1], path, value)
    file.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    told = problems(tmp_path / "m")
    assert f"job.jsonl:{number} {problem}" in told or not (problem or told)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.binary(max_size=60) | st.sampled_from([
    b'{"kind": "response", "key": "' + KEY.encode() + b'"}', b'{"kind": "failure"}', b"{}", b"[]",
    b'{"kind": "asked", "key": []}', b'{"kind": "dropped"}', b'{"kind": "response", "key": "",'
    b'"request": [], "response": {}}',
]), max_size=4))  # fmt: skip
def test_any_lines_are_checked_to_the_end(tmp_path_factory, lines):
    folder = tmp_path_factory.mktemp("journal")
    data = b"\n".join(lines)
    (folder / "job.jsonl").write_bytes(data)
    told = list(verify(folder))
    torn = bool(data) and not data.endswith(b"\n")
    assert all(1 <= one.line <= data.count(b"\n") + torn for one in told)
    whole = [one for one in data.split(b"\n")[:-1] if b'"dropped"' not in one]
    assert len({one.line for one in told}) == len(whole) + torn


@pytest.mark.parametrize(("lines", "status"), [(b"", 0), (b"{}\n", 1)])
def test_the_command_ends_with_1_where_a_problem_is(tmp_path, lines, status):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "job.jsonl").write_bytes(lines)
    done = subprocess.run(
        [sys.executable, "-m", "babelmath.journal.verify", str(tmp_path)], text=True,
        env={"PYTHONPATH": str(REPOSITORY / "scripts")}, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert done.returncode == status
    assert ("job.jsonl, line 1: no such kind: None" in done.stdout) == bool(status)
    assert done.stdout.endswith(f"1 files, {status or 'no'} problems\n")


# gc


@pytest.fixture
def journal(tmp_path) -> Path:
    """Two models; a setting and a revision that a configuration may have dropped."""
    happened(tmp_path, "m", "mmath.native", (question("a"), 1, ANSWER), (question("b"), 3, FAILURE),
             (question("c"), 2, None))  # fmt: skip
    happened(tmp_path, "m", "mmath.native", (question("a"), 2, ANSWER), revision="old")
    happened(tmp_path, "m", "mmath.atp", (question("d", lang="th"), 1, ANSWER))
    happened(tmp_path, "j", "judge.mmath.native.m", (question("e"), 1, ANSWER))
    happened(tmp_path, "gone", "mmath.native", (question("f"), 1, ANSWER))
    return tmp_path


def unreached(root: Path, *configs: Config, delete: bool = False) -> dict[str, tuple[int, int]]:
    reach = reach_of(configs)
    return {
        f"{one.file.parent.name}/{one.file.name}": (one.dropped, one.kept)
        for folder in sorted(root.iterdir())
        for one in sweep(folder, reach, delete)
    }


def test_what_a_configuration_reaches_stays(journal):
    assert unreached(journal, config(native=["m"], atp=["m"])) == {
        "gone/mmath.native.jsonl": (2, 0),
        "j/judge.mmath.native.m.jsonl": (0, 2),
        "m/mmath.atp.jsonl": (0, 2),
        "m/mmath.native.jsonl": (3, 8),
    }


def test_shards_of_any_number_are_reached_with_their_setting(journal):
    for job in ("mmath.native_2-of-3", "mmath.native_1-of-5", "mmath.atp_1-of-2"):
        happened(journal, "m", job, (question("s"), 1, ANSWER))
    found = unreached(journal, config(native=["m"]))
    assert found["m/mmath.native_2-of-3.jsonl"] == found["m/mmath.native_1-of-5.jsonl"] == (0, 2)
    assert found["m/mmath.atp_1-of-2.jsonl"] == (2, 0)


def test_configurations_reach_together(journal):
    gone = MODEL | {"display": "Gone"}
    old = {"m": MODEL | {"revision": "old"}, "j": MODEL, "gone": gone}
    both = config(native=["m"]), config(old, native=["m", "gone"], atp=["m"])
    assert {dropped for dropped, _ in unreached(journal, *both).values()} == {0}


def test_without_delete_nothing_changes(journal):
    before = {path: path.read_bytes() for path in journal.rglob("*.jsonl")}
    unreached(journal, config())
    assert {path: path.read_bytes() for path in journal.rglob("*.jsonl")} == before


@pytest.mark.parametrize("packed", [False, True])
def test_the_ledger_is_the_same_after_lines_are_dropped(journal, packed):
    names = ["m", "j", "gone"]
    money = Money(dict.fromkeys(names, Rate(1.0, 2.0)))
    before = ledger(journal, names, None, money)
    if packed:
        for name in names:
            pack_folder(journal / name, 1)
    for _ in range(2):
        unreached(journal, config(native=["m"]), delete=True)
        assert ledger(journal, names, None, money).equals(before)
    assert sum(dropped for dropped, _ in unreached(journal, config(native=["m"])).values()) == 0
    opened = Journal(journal / "m", "new")
    named = identity(config().models["m"])
    assert opened.get(question("a").key(named)) == ANSWER
    assert question("d", lang="th").key(named) not in opened
    assert opened.unknown_fate(question("c").key(named)) == 2
    opened.close()
    assert [one for name in names for one in problems(journal / name)] == []


def test_nothing_is_dropped_while_a_job_has_the_journal_open(journal):
    job = Journal(journal / "gone", "any")
    with pytest.raises(InputError, match="a job has this journal open"):
        sweep(journal / "gone", reach_of([config()]), delete=True)
    job.close()


def test_an_identity_that_cannot_be_had_here_keeps_its_lines(journal):
    local = {"m": {"display": "M", "engine": "llamacpp", "weights": "not/here.gguf"}, "j": MODEL}
    found = unreached(journal, config(local, native=["m"]))
    assert found["m/mmath.native.jsonl"] == (0, 11)


def test_a_kill_between_the_plain_and_the_packed_file_loses_nothing(journal):
    folder = journal / "m"
    pack_folder(folder, 1)
    before = ledger(journal, ["m"], None)
    reduced = folder / "mmath.native+1.jsonl"
    reduced.write_bytes(b'{"kind": "dropped", "time": 1, "rows": []}\n')
    assert ledger(journal, ["m"], None).equals(before)
    sweep(folder, reach_of([config(native=["m"])]), delete=True)
    assert not reduced.exists()
    assert ledger(journal, ["m"], None).equals(before)


def test_the_commands_tell_and_drop(journal, tmp_path):
    shutil.copytree(OLD, tmp_path / "old")
    command = [sys.executable, "-m", "babelmath.journal.gc", str(tmp_path / "old")]
    command.append(str(REPOSITORY / "config" / "config.yaml"))
    for more, told in (([], "18 lines"), (["--delete"], "18 lines"), ([], "0 lines")):
        done = subprocess.run(
            [*command, *more], text=True, capture_output=True,
            env={"PYTHONPATH": str(REPOSITORY / "scripts")},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert told in done.stdout.splitlines()[-1]
    kept = [path.read_bytes().count(b"\n") for path in journal_files(tmp_path / "old" / "served")]
    assert kept == [1, 1]


def test_a_configuration_laid_over_another_is_named_behind_it(tmp_path):
    """The file above needs the one below: alone it is refused, and nothing is dropped for it."""
    shutil.copytree(OLD, tmp_path / "old")
    above, below = tmp_path / "mine.yaml", REPOSITORY / "config" / "config.yaml"
    above.write_text("benchmarks: {mmath: {settings: {native: {samples: 3}}}}\n", encoding="utf-8")
    command = [sys.executable, "-m", "babelmath.journal.gc", str(tmp_path / "old")]
    for named, told in ((f"{below},{above}", "18 lines"), (str(above), f"yaml,{above}")):
        done = subprocess.run(
            [*command, named], text=True, capture_output=True,
            env={"PYTHONPATH": str(REPOSITORY / "scripts")},
        )  # fmt: skip
        assert told in (done.stdout + done.stderr).splitlines()[-1]
        assert (done.returncode == 0) == ("," in named)


def test_sums_leave_out_names_that_they_do_not_know():
    account = Account(asked=1)
    account.add({"asked": 2, "purpose": "x", "later": 5})
    assert account == Account(asked=3)
