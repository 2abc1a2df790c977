"""Packed journal files: the same responses in less room, whole at every moment."""

from __future__ import annotations

import dataclasses
import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.config import Model
from babelmath.engines import identity
from babelmath.engines.base import Request, Response
from babelmath.errors import InputError
from babelmath.journal.files import alone, journal_files
from babelmath.journal.packed import index_of, pack, pack_folder
from babelmath.journal.store import Journal
from babelmath.ledger import ledger

REPOSITORY = Path(__file__).resolve().parents[2]
OLD = REPOSITORY / "tests" / "cases" / "journal_old"
REQUEST = Request("generation", "en", (("user", "What is $1+1$?"),), 0.6, 0.95, 16, 0, 7)
KEYS = [f"{number:064x}" for number in range(40)]


def response(text: str, **changes: Any) -> Response:
    return Response(text=text, finish="stop", prompt_tokens=7, completion_tokens=3, **changes)


def run(folder: Path, job: str, *keys: str, packed_from: int = 1 << 40) -> None:
    journal = Journal(folder, job, packed_from)
    for key in keys:
        journal.asked(key, REQUEST)
        journal.add(key, REQUEST, response(f"{job} {key} \u2028" + "x" * 20_000))
    journal.close()


def names(folder: Path) -> list[str]:
    return [path.name for path in journal_files(folder)]


def test_a_large_file_is_packed_when_its_job_ends(tmp_path):
    run(tmp_path, "job", *KEYS, packed_from=1)
    assert names(tmp_path) == ["job+1.jsonl.gz"]
    assert sorted(path.name for path in tmp_path.glob("[!.]*")) == ["job+1.index", "job+1.jsonl.gz"]
    lines = gzip.decompress((tmp_path / "job+1.jsonl.gz").read_bytes()).split(b"\n")[:-1]
    assert [json.loads(one)["kind"] for one in lines] == ["asked", "response"] * 40
    journal = Journal(tmp_path, "job")
    for key in KEYS:
        assert journal.get(key) == response(f"job {key} \u2028" + "x" * 20_000)
    assert "f" * 64 not in journal
    journal.close()


def test_a_packed_file_takes_a_tenth_where_samples_share_their_prompt(tmp_path):
    journal = Journal(tmp_path, "job", 1)
    words = "".join(chr(97 + number % 23) + "0123456789 "[number % 11] for number in range(1000))
    for number in range(100):
        asked = dataclasses.replace(
            REQUEST, messages=(("user", f"{number // 4} {words}"),), sample=number % 4
        )
        key = asked.key({})
        journal.asked(key, asked)
        journal.add(key, asked, response("It is $2$."))
    size = journal.path.stat().st_size
    journal.close()
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < size / 10


def test_segments_count_on_and_other_jobs_with_like_names_are_apart(tmp_path):
    run(tmp_path, "judge.a", KEYS[0], packed_from=1)
    run(tmp_path, "judge.a.1", KEYS[1], packed_from=1)
    run(tmp_path, "judge.a", KEYS[2], packed_from=1)
    assert names(tmp_path) == [
        "judge.a+1.jsonl.gz", "judge.a+2.jsonl.gz", "judge.a.1+1.jsonl.gz",
    ]  # fmt: skip
    journal = Journal(tmp_path, "new")
    assert [key in journal for key in KEYS[:4]] == [True, True, True, False]


def test_nothing_is_packed_while_another_job_has_the_journal_open(tmp_path):
    other = Journal(tmp_path, "other")
    run(tmp_path, "job", *KEYS, packed_from=1)
    assert names(tmp_path) == ["job.jsonl", "other.jsonl"]
    other.refresh()
    assert other.get(KEYS[3]).text.startswith(f"job {KEYS[3]}")
    other.close()


def test_the_first_response_of_a_key_stays_the_one_that_counts(tmp_path):
    for job in "ba":
        run(tmp_path, job, KEYS[0])
    before = Journal(tmp_path, "c").get(KEYS[0])
    assert before.text.startswith("a ")
    shutil.copytree(tmp_path, tmp_path / "copy")
    for file in ("a.jsonl", "b.jsonl"):
        for folder in (tmp_path, tmp_path / "copy"):
            if (folder / file).exists() and (folder == tmp_path) == (file == "b.jsonl"):
                pack(folder / file)
    for folder in (tmp_path, tmp_path / "copy"):
        assert Journal(folder, "c").get(KEYS[0]) == before


def test_what_was_sent_without_an_answer_is_known_from_a_packed_file(tmp_path):
    journal = Journal(tmp_path, "job", 1)
    for times, key in enumerate(KEYS[:4]):
        for _ in range(times):
            journal.asked(key, REQUEST)
    journal.add(KEYS[1], REQUEST, response("2"))
    journal.add(KEYS[3], REQUEST, Response(attempts=["HTTP 500"], failure="HTTP 500"))
    journal.close()
    assert names(tmp_path) == ["job+1.jsonl.gz"]
    again = Journal(tmp_path, "job")
    assert [again.unknown_fate(key) for key in KEYS[:4]] == [0, 0, 2, 0]


# Kills while packing


@pytest.mark.parametrize("step", ["renamed", "part", "index", "packed"])
def test_a_kill_at_any_step_of_packing_leaves_every_line_once(tmp_path, step):
    run(tmp_path, "job", *KEYS[:5])
    whole = tmp_path / "whole"
    shutil.copytree(tmp_path, whole)
    packed = pack(whole / "job.jsonl")
    index = index_of(packed)
    plain = (tmp_path / "job.jsonl").rename(tmp_path / "job+1.jsonl")
    if step == "part":
        (tmp_path / ".job+1.jsonl.gz.part").write_bytes(packed.read_bytes()[:100])
    if step in ("index", "packed"):
        shutil.copy(index, tmp_path / index.name)
    if step == "packed":
        shutil.copy(packed, tmp_path / packed.name)
    before = ledger(tmp_path.parent, [tmp_path.name], None)
    assert before["responses"].to_list() == [5, 5]
    journal = Journal(tmp_path, "job")
    assert all(journal.get(key).text.startswith(f"job {key}") for key in KEYS[:5])
    journal.close()
    assert names(tmp_path) == ["job+1.jsonl.gz", "job.jsonl"]
    assert not plain.exists() and not list(tmp_path.glob(".*.part"))
    assert ledger(tmp_path.parent, [tmp_path.name], None).equals(before)


PACKER = """
import sys
from pathlib import Path
from babelmath.journal.packed import pack_folder
pack_folder(Path(sys.argv[1]), 1)
"""


@pytest.mark.heavy
@pytest.mark.parametrize("seconds", [0.3, 0.45, 0.6, 0.8, 1.1])
def test_a_packer_that_is_killed_loses_nothing(tmp_path, seconds):
    run(tmp_path, "job", *(f"{number:064x}" for number in range(3000)))
    process = subprocess.Popen(
        [sys.executable, "-c", PACKER, str(tmp_path)],
        env={"PYTHONPATH": str(REPOSITORY / "scripts")},
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    journal = Journal(tmp_path, "job")
    assert all(f"{number:064x}" in journal for number in range(3000))
    journal.close()
    total = ledger(tmp_path.parent, [tmp_path.name], None).row(0, named=True)
    assert (total["asked"], total["responses"]) == (3000, 3000)


# Damage


@pytest.mark.parametrize("index", [None, b"", b"{}\n", b"null\n", b"\xff\xfe", "cut", "other"])
def test_an_index_that_is_not_the_files_is_made_anew(tmp_path, index):
    run(tmp_path, "job", *KEYS, packed_from=1)
    path = tmp_path / "job+1.index"
    right = path.read_bytes()
    if index is None:
        path.unlink()
    elif index == "cut":
        path.write_bytes(right[:-20])
    elif index == "other":
        run(tmp_path / "other", "job", KEYS[0], packed_from=1)
        shutil.copy(tmp_path / "other" / "job+1.index", path)
    else:
        path.write_bytes(index)
    journal = Journal(tmp_path, "job")
    assert journal.get(KEYS[7]).text.startswith(f"job {KEYS[7]}")
    journal.close()
    assert path.read_bytes() == right


@settings(deadline=None, max_examples=40)
@given(share=st.floats(0, 1, exclude_max=True), flip=st.integers(0, 255), indexed=st.booleans())
def test_any_damage_to_a_packed_file_is_told_or_harmless(tmp_path_factory, share, flip, indexed):
    folder = tmp_path_factory.mktemp("journal")
    run(folder, "job", *KEYS[:3], packed_from=1)
    path = folder / "job+1.jsonl.gz"
    right = path.read_bytes()
    place = int(share * len(right))
    changed = bytearray(right)
    changed[place] ^= flip
    path.write_bytes(changed if flip else right[:place])
    if not indexed:
        (folder / "job+1.index").unlink()
    journal = None
    try:
        journal = Journal(folder, "job")
        for key in KEYS[:3]:
            if key in journal:
                assert journal.get(key).text.startswith(f"job {key}")
    except InputError as error:
        assert error.file == str(path)
    finally:
        if journal is not None:
            journal.close()


def spoilt(index: Path) -> bytes:
    """An index of the same length, two of whose places are exchanged."""
    data = bytearray(index.read_bytes())
    start = data.index(b"\n") + 1
    places = [slice(start + 44 * one + 32, start + 44 * (one + 1)) for one in (3, 4)]
    data[places[0]], data[places[1]] = data[places[1]], data[places[0]]
    return bytes(data)


def test_an_index_that_was_damaged_is_made_anew(tmp_path):
    run(tmp_path, "job", *KEYS, packed_from=1)
    index = tmp_path / "job+1.index"
    whole = index.read_bytes()
    zeroed = whole[: len(whole) // 2] + bytes(44) + whole[len(whole) // 2 + 44 :]
    for damaged in (spoilt(index), zeroed, whole[:-1], b"[" * 100_000, b""):
        index.write_bytes(damaged)
        journal = Journal(tmp_path, "job")
        assert all(journal.get(key).text.startswith(f"job {key}") for key in KEYS)
        journal.close()
        assert index.read_bytes() == whole


def test_an_index_that_is_damaged_while_it_is_open_hands_no_other_response_out(tmp_path):
    run(tmp_path, "job", *KEYS, packed_from=1)
    index = tmp_path / "job+1.index"
    journal = Journal(tmp_path, "job")
    data = spoilt(index)
    with open(index, "r+b") as file:
        file.write(data)
    assert journal.get(KEYS[5]).text.startswith(f"job {KEYS[5]}")
    for key in KEYS[3:5]:
        with pytest.raises(InputError, match=r"job\+1\.index.*another line.*Delete it"):
            journal.get(key)
    journal.close()


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_by_file_and_line(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("journal")
    (folder / "other.jsonl").write_bytes(data)
    try:
        Journal(folder, "job").close()
    except InputError as error:
        assert error.file == str(folder / "other.jsonl") and error.line
    else:
        assert b"\n" not in data or b'"kind"' in data


@pytest.mark.parametrize("what", ["shorter", "gone", "rewritten"])
def test_a_file_that_changed_while_it_was_open_is_told(tmp_path, what):
    run(tmp_path, "job", *KEYS[:3])
    journal = Journal(tmp_path, "new")
    path = tmp_path / "job.jsonl"
    if what == "gone":
        path.unlink()
    elif what == "shorter":
        path.write_bytes(path.read_bytes()[:100])
    else:
        path.write_bytes(path.read_bytes().replace(KEYS[2].encode(), KEYS[9].encode()))
    with pytest.raises(InputError, match="while it was open") as caught:
        journal.get(KEYS[2])
    assert caught.value.file == str(path)
    journal.close()


def test_a_job_that_waited_for_a_packed_file_writes_a_new_one(tmp_path):
    run(tmp_path, "job", KEYS[0])
    lock = alone(tmp_path)
    process = subprocess.Popen(
        [sys.executable, "-c",
         "import sys\nfrom pathlib import Path\nfrom babelmath.journal.store import Journal\n"
         "journal = Journal(Path(sys.argv[1]), 'job')\n"
         "print(sys.argv[2] in journal, journal.path.exists())", str(tmp_path), KEYS[0]],
        env={"PYTHONPATH": str(REPOSITORY / "scripts")}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert "another process is packing" in process.stderr.readline()
    pack_folder(tmp_path, 1)
    lock.close()
    out, _ = process.communicate()
    assert out == "True True\n"


# Journals from before packing


@pytest.fixture
def old(tmp_path) -> Path:
    """A journal that earlier code wrote: a job, killed in its last line, and a judge."""
    return Path(shutil.copytree(OLD, tmp_path / "journal")) / "served"


@pytest.mark.parametrize("packed", [False, True])
def test_a_journal_of_earlier_code_is_read_and_goes_on(old, packed):
    if packed:
        pack_folder(old, 1)
    model = Model(display="Served", engine="openai", service="served-1", revision="r1")
    named = identity(model)

    def key(text: str, sample: int = 0) -> str:
        messages = (("system", "Be brief."), ("user", text))
        return Request("p", "en", messages, 0.6, 0.95, 16, sample, 7 + sample).key(named)

    journal = Journal(old, "mathmist.cot")
    found = {
        text: journal.get(key(text)).text
        for text in ("What is $1+1$?", "১+১ কত?", "Is it right?", "What is $3+3$?")
    }
    assert found == {
        "What is $1+1$?": "2", "১+১ কত?": "২\u2028", "Is it right?": "yes", "What is $3+3$?": "6",
    }  # fmt: skip
    assert journal.get(key("What is $1+1$?", 1)).attempts == ["HTTP 503"]
    assert key("What is $2+2$?") not in journal
    assert [journal.unknown_fate(key(f"What is ${n}+{n}$?")) for n in (2, 4)] == [0, 2]
    journal.close()
    total = ledger(old.parent, ["served"], None).filter(model="total")
    assert total.select("lang", "asked", "responses", "failures", "unanswered").rows() == [
        ("bn", 1, 1, 0, 0), ("en", 11, 4, 1, 3),
    ]  # fmt: skip


# A million requests

MILLION = """
import re, sys, time
from pathlib import Path
from babelmath.journal.store import Journal
started = time.monotonic()
journal = Journal(Path(sys.argv[1]), "new")
opened = time.monotonic() - started
keys = [f"{number * 7919 % 10**6:064x}" for number in range(0, 10**6, 9973)]
assert all(journal.get(key).text == key[-6:] for key in keys)
assert all(f"{number:064x}" in journal for number in range(0, 10**6, 1000))
assert "f" * 64 not in journal
peak = re.search(r"VmHWM:\\s+([0-9]+) kB", Path("/proc/self/status").read_text())
print(int(peak[1]) // 1024, round(opened, 1))
"""


@pytest.mark.heavy
@pytest.mark.parametrize("packed", [False, True])
def test_a_million_requests_take_less_than_a_gib(tmp_path, packed, record_property):
    folder = tmp_path / "m"
    folder.mkdir()
    with open(folder / "job.jsonl", "w", encoding="ascii") as file:
        for number in range(10**6):
            key = f"{number:064x}"
            head = f'"key": "{key}", '
            row = '"purpose": "generation", "lang": "en", '
            file.write(f'{{"kind": "asked", {head}{row}"time": {number}.5}}\n')
            file.write(
                f'{{"kind": "response", {head}"settles": 1, {row}"time": {number}.7, "request": '
                f'{{"messages": [["user", "{key * 4}"]], "max_tokens": 8}}, "response": {{"text": '
                f'"{key[-6:]}", "finish": "stop", "prompt_tokens": 7, "completion_tokens": 3}}}}\n'
            )
    if packed:
        pack_folder(folder, 1)
    done = subprocess.run(
        [sys.executable, "-c", MILLION, str(folder)], check=True, capture_output=True, text=True,
        env={"PYTHONPATH": str(REPOSITORY / "scripts")},
    )  # fmt: skip
    mib, seconds = done.stdout.split()
    record_property("peak_mib", mib)
    record_property("seconds_for_100k_lines", float(seconds) / 20)
    print(f"packed {packed}: {mib} MiB, opened in {seconds} s")
    assert int(mib) < (150 if packed else 400)
