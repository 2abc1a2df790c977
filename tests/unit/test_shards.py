"""Shards: a partition of what a setting asks, and the file that one job would write."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.config import Config
from babelmath.confload import load_config
from babelmath.errors import InputError
from babelmath.journal.store import Journal
from babelmath.questions import Question
from babelmath.records import Generation, save_records, write_records
from babelmath.responses import asked_questions, merged
from babelmath.shards import Shard, shards_in, shards_of, split, whole_job
from stand_ins import REPOSITORY, UNTIMED, generation, problem

LANGS = ["en", "bn"]  # as a setting names them: not in the order of their files' keys


def shards(of: int) -> list[Shard]:
    return [Shard(number, of) for number in range(1, of + 1)]


@UNTIMED
@given(asked=st.lists(st.integers()), of=st.integers(1, 12))
def test_every_question_is_of_exactly_one_shard(asked, of) -> None:
    parts = [one.take(asked) for one in shards(of)]
    in_turn = itertools.chain.from_iterable(itertools.zip_longest(*parts, fillvalue=parts))
    assert [one for one in in_turn if one is not parts] == asked


@UNTIMED
@given(problems=st.integers(0, 30), langs=st.integers(1, 5), of=st.integers(1, 12))
def test_every_language_is_spread_evenly(problems, langs, of) -> None:
    asked = [(lang, number) for lang in range(langs) for number in range(problems)]
    for lang in range(langs):
        sizes = [sum(place[0] == lang for place in one.take(asked)) for one in shards(of)]
        assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(("number", "of"), [(0, 4), (5, 4), (1, 0), (-1, 4)])
def test_a_shard_that_is_none_is_refused(number, of) -> None:
    with pytest.raises(ValueError, match=f"no shard {number} of {of}"):
        Shard(number, of)


SLUGS = st.from_regex(r"\A[a-z0-9][a-z0-9.-]{0,8}\Z")


@settings(UNTIMED, max_examples=30)
@given(parts=st.lists(SLUGS, min_size=2, max_size=4), of=st.integers(2, 30), more=st.integers(0))
def test_a_shards_journal_is_told_from_every_other_jobs(parts, of, more) -> None:
    whole, number = ".".join(parts), 1 + more % of
    job = Shard(number, of).job(whole)
    assert (whole_job(job), shards_in(job)) == (whole, of)
    assert (whole_job(whole), shards_in(whole)) == (whole, 1)
    assert Shard().job(whole) == whole


# Merging


def material(folder: Path, numbers: int, samples: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a setting asks about so many problems, and the files that this is read from."""
    for lang in LANGS:
        made = [problem(number + 1, lang) for number in range(numbers)]
        save_records(folder / f"{lang}.jsonl", made)
    asked = {
        "setting": {"task": "solve", "prompt": "mathmist/zero-shot", "question_languages": LANGS,
                    "samples": samples, "sampling": {"temperature": 0.0, "max_tokens": 8}},
        "sample": None, "seed": 1,
    }  # fmt: skip
    problems = [str(folder / f"{lang}.jsonl") for lang in LANGS]
    return asked, {"population": problems[:1], "problems": problems}


def responses(asked: list[Question], samples: int) -> list[Generation]:
    """What a model answers, with what a file may hold of numbers, escapes and nested values."""
    return [
        generation(
            f"{one.id} {one.lang} {sample}\u2028\"\\ ক্ষ \x00", id=one.id, lang=one.lang,
            sample=sample, seed=2**62 + sample, flags=["a"],
            sent={"temperature": 0.1 + 0.2, "top_p": 1e-7, "n": None, "m": [1, {"ö": True}]},
            provenance={"journal": "k", "attempts": ["HTTP 503"], "opening": {"index": 3}},
        )
        for one in asked
        for sample in range(samples)
    ]  # fmt: skip


def saved(folder: Path, of: int, numbers: int = 2, samples: int = 2) -> tuple[list[Path], Any, Any]:
    """The parts of so many shards, as their jobs save them."""
    asked, files = material(folder, numbers, samples)
    wanted, _ = asked_questions(asked, files)
    parts = [folder / f"{one.name}.jsonl" for one in shards(of)]
    for one, path in zip(shards(of), parts, strict=True):
        save_records(path, responses(one.take(wanted), samples))
    return parts, asked, files


@settings(UNTIMED, max_examples=25)
@given(of=st.integers(1, 9), numbers=st.integers(0, 12), samples=st.integers(1, 3))
def test_merged_shards_are_the_file_of_one_job_byte_for_byte(of, numbers, samples) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        parts, asked, files = saved(folder, of, numbers, samples)
        wanted, _ = asked_questions(asked, files)
        save_records(folder / "one.jsonl", responses(wanted, samples))
        write_records(folder / "merged.jsonl", merged(parts, asked, files))
        assert (folder / "merged.jsonl").read_bytes() == (folder / "one.jsonl").read_bytes()


def without(lines: list[bytes]) -> list[bytes]:
    return lines[:-1]


def twice(lines: list[bytes]) -> list[bytes]:
    return [lines[0], *lines]


def foreign(lines: list[bytes]) -> list[bytes]:
    return [*lines, lines[-1].replace(b"mathmist-0002", b"mathmist-0009")]


def one_sample_more(lines: list[bytes]) -> list[bytes]:
    return [*lines, lines[-1].replace(b'"sample": 1', b'"sample": 2')]


# The second shard of two asks problem 2 in both languages, twice each.
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without, r"holds 3 responses where 4 were asked: \('mathmist-0002', 'en', 1\) is missing"),
        (lambda lines: [], r"holds 0 responses where 4 were asked: .*0002', 'bn', 0\) is missing"),
        (lambda lines: lines[1:], r"holds 3 responses where 4 were asked: .*, 0\) is missing"),
        (twice, r"line 2: key \('mathmist-0002', '..', 0\) stands already in line 1"),
        (foreign, r"holds 5 responses where 4 were asked: .*0009', .* was never asked"),
        (one_sample_more, r"holds 5 responses where 4 were asked: .*, 2\) was never asked"),
        (lambda lines: lines[::-1], r"line 2: key .* stands after "),
        (lambda lines: [*lines[:-1], lines[-1][:-9]], r"line 4.*strict JSON"),
    ],
)
def test_a_part_that_is_not_what_its_shard_asks_is_refused_by_file_and_numbers(
    tmp_path, change, words
) -> None:
    parts, asked, files = saved(tmp_path, 2)
    # Only \n ends a line: the separator inside the records' texts does not.
    lines = [one + b"\n" for one in parts[1].read_bytes().split(b"\n")[:-1]]
    parts[1].write_bytes(b"".join(change(lines)))
    with pytest.raises(InputError, match=words) as caught:
        write_records(tmp_path / "merged.jsonl", merged(parts, asked, files))
    assert str(parts[1]) in str(caught.value)
    assert not (tmp_path / "merged.jsonl").exists()


def test_parts_of_other_shards_are_refused(tmp_path) -> None:
    """The same questions in all: no check of the whole set would tell."""
    parts, asked, files = saved(tmp_path, 3)
    with pytest.raises(InputError, match="holds 2 responses where 4 were asked") as caught:
        list(merged([parts[1], parts[0], parts[2]], asked, files))
    assert str(parts[1]) in str(caught.value)
    with pytest.raises(InputError, match="is missing") as caught:
        list(merged(parts[:2], asked, files))
    assert str(parts[0]) in str(caught.value)


def test_more_shards_than_questions_leave_some_empty(tmp_path) -> None:
    parts, asked, files = saved(tmp_path, 6)
    assert [path.stat().st_size > 0 for path in parts] == [True] * 4 + [False] * 2
    assert len(list(merged(parts, asked, files))) == 8


# Configuration


def settled(tiny: dict[str, Any], model: Any = None, setting: Any = None) -> Config:
    if model is not None:
        tiny["models"]["smollm2-135m"]["shards"] = model
    if setting is not None:
        tiny["benchmarks"]["mathmist"]["settings"]["cot"]["shards"] = setting
    return load_config(tiny, [])


def test_a_settings_own_number_stands_above_the_models(tiny) -> None:
    assert split(settled(tiny)) == {}
    config = settled(tiny, 3, {"smollm2-135m": 1})
    assert shards_of(config, "mathmist", "cot", "smollm2-135m") == 1
    others = Counter(split(config).values())
    settings = sum(len(one["settings"]) for one in tiny["benchmarks"].values())
    assert others == {3: settings - 1}
    assert ("mathmist", "cot", "smollm2-135m") not in split(config)
    only = split(settled(tiny, 1, {"smollm2-135m": 5}))
    assert only == {("mathmist", "cot", "smollm2-135m"): 5}


@pytest.mark.parametrize(
    ("model", "setting", "field", "words"),
    [
        (0, None, "models.smollm2-135m.shards", "greater than or equal to 1"),
        (True, None, "models.smollm2-135m.shards", "valid integer"),
        (2.5, None, "models.smollm2-135m.shards", "valid integer"),
        (None, {"smollm2-135m": 0}, "benchmarks.mathmist.settings.cot.shards.smollm2-135m",
         "greater than or equal to 1"),
        (None, {"smollm2-135m": "4"}, "benchmarks.mathmist.settings.cot.shards.smollm2-135m",
         "valid integer"),
        (None, {"smollm2-135m-warm": 2},
         "benchmarks.mathmist.settings.cot.shards.smollm2-135m-warm", "not a model of the setting"),
        (None, {"nobody": 2}, "benchmarks.mathmist.settings.cot.shards.nobody",
         "not a model of the setting"),
    ],
)  # fmt: skip
def test_shards_that_cannot_be_are_refused_with_their_place(
    tiny, model, setting, field, words
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        settled(tiny, model, setting)
    assert caught.value.field == field


@pytest.mark.parametrize("where", ["model", "setting"])
def test_released_records_are_not_split(where) -> None:
    source = {"format": "released", "repository": "r", "commit": "a" * 40}
    setting = {"task": "solve", "prompt": "mathmist/zero-shot", "question_languages": ["en"],
               "sampling": {"temperature": 0, "max_tokens": 8}, "models": ["kept"],
               "scorers": ["rules-paper"]}  # fmt: skip
    model: dict[str, Any] = {"display": "Kept", "engine": "released", "released_as": "k"}
    (model if where == "model" else setting)["shards"] = 2 if where == "model" else {"kept": 2}
    benchmark = {"source": source, "source_languages": ["en"], "languages": ["en"],
                 "settings": {"cot": setting}}  # fmt: skip
    raw = {"scale": "published", "statement": "s", "seed": 1, "protocol": "paper",
           "models": {"kept": model}, "benchmarks": {"mathmist": benchmark}}  # fmt: skip
    with pytest.raises(InputError, match="nothing is asked that could be split"):
        load_config(raw, [])


# Journals


def test_jobs_that_ask_the_same_in_other_numbers_of_shards_take_turns(tmp_path) -> None:
    """A job that outlived its run would else ask beside the new run's what this asks too."""
    script = "import sys; from pathlib import Path; from babelmath.journal.store import Journal; "
    script += "Journal(Path(sys.argv[1]), sys.argv[2]).close(); print('done')"

    def other(job: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path), job], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={"PYTHONPATH": str(REPOSITORY / "scripts")},
        )  # fmt: skip

    held = Journal(tmp_path, "mmath.native_2-of-3")
    free = [other("mmath.native_1-of-3"), other("mmath.atp_1-of-2")]
    waiting = [other("mmath.native"), other("mmath.native_2-of-2")]
    for process in free:
        assert process.communicate() == ("done\n", "")
    for process in waiting:
        assert process.stderr is not None
        said = process.stderr.readline()
        assert "another process is writing" in said and "mmath.native_2-of-3.jsonl" in said
        assert process.poll() is None
    held.close()
    for process in waiting:
        assert process.communicate()[0] == "done\n" and process.returncode == 0
