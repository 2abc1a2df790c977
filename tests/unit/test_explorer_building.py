"""What the explorer's page is given: packets, the index, chunks, an even choice."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.errors import InputError
from babelmath.explorer.choosing import even_share
from babelmath.explorer.generations import differ
from babelmath.explorer.packing import Column, coded, table_bytes, write_packet
from babelmath.explorer.texts import Texts
from babelmath.outcomes import outcome
from babelmath.records import Generation, Verdict, load_records, write_records
from browser_runs import HOSTILE, TASKS
from explorer_runs import Made, Run, many, write_run

PACKET = re.compile(r'explorer\.deliver\("([a-z0-9./-]+)","([A-Za-z0-9+/=]*)"\);\n')


def packet(folder: Path, name: str) -> bytes:
    """A packet's data, read as the page reads it."""
    match = PACKET.fullmatch((folder / "data" / f"{name}.js").read_text(encoding="ascii"))
    assert match and match[1] == name
    return zlib.decompress(base64.b64decode(match[2]), -zlib.MAX_WBITS)


def table(data: bytes) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """The head and columns of a table, words in the place of their codes."""
    (length,) = struct.unpack_from("<I", data)
    head = json.loads(data[4 : 4 + length])
    assert length % 4 == 0
    columns = {}
    for one in head["columns"]:
        start = 4 + length + one["start"]
        assert start % 4 == 0
        letter = {1: "B", 2: "H", 4: "I"}[one["bytes"]]
        values = struct.unpack_from(f"<{head['shown']}{letter}", data, start)
        words = one["words"]
        columns[one["name"]] = [value if words is None else words[value] for value in values]
    return head, columns


def source_of(text: Any, formulas: list[Any]) -> str:
    parts = [text] if isinstance(text, str) else text
    return "".join(one if isinstance(one, str) else formulas[one][0] for one in parts)


def rows(folder: Path) -> list[dict[str, Any]]:
    """Every generation of the index, with its chunk's row and texts as sources."""
    _, columns = table(packet(folder, "index"))
    found = [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
    for one in found:
        chunk = json.loads(packet(folder, one["chunk"]))
        texts = [source_of(text, chunk["formulas"]) for text in chunk["texts"]]
        held = chunk["rows"][one["place"]]
        one["entry"] = held
        one["text"] = {
            key: None if held[key] is None else texts[held[key]] for key in ("thinking", "answer")
        }
        one["texts"] = texts
    return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    root = tmp_path_factory.mktemp("explorer")
    run = write_run(root / "run", HOSTILE, TASKS)
    run.build(root / "page")
    return root / "page", run


@given(
    st.lists(st.tuples(st.integers(0, 2**32 - 1), st.text(max_size=4)), max_size=40),
    st.dictionaries(st.text(max_size=3), st.text(st.characters(exclude_categories=["Cs"]))),
)
def test_columns_packed_are_read_back(rows: list[tuple[int, str]], head: dict[str, str]) -> None:
    head = {key: value for key, value in head.items() if key not in ("shown", "columns")}
    words = [word.encode("utf-8", "replace").decode() for _, word in rows]
    data = table_bytes(
        {**head, "shown": len(rows)},
        [coded("word", words, ["first"]), Column("number", [number for number, _ in rows]),
         Column("small", [number % 200 for number, _ in rows])],
    )  # fmt: skip
    read, columns = table(data)
    assert {key: read[key] for key in head} == head
    assert columns["word"] == words
    assert columns["number"] == [number for number, _ in rows]
    assert columns["small"] == [number % 200 for number, _ in rows]


@given(st.binary(max_size=300))
def test_a_packet_is_a_script_of_one_call(tmp_path_factory: Any, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("packet")
    write_packet(folder, "a/b-1.0", data)
    assert packet(folder, "a/b-1.0") == data


def test_every_generation_is_there_word_by_word(page: tuple[Path, Run]) -> None:
    folder, run = page
    found = {(one["setting"], one["model"], one["id"], one["lang"], one["sample"]): one
             for one in rows(folder)}  # fmt: skip
    assert len(found) == len(HOSTILE)
    for path in run.files["generations"]:
        setting, model = Path(path).parent.name, Path(path).stem
        for one in load_records(path, Generation):
            row = found[setting, model, one.id, one.lang, one.sample]
            assert row["text"]["answer"] == one.answer
            assert (row["text"]["thinking"] or "") == one.thinking
            assert (row["finish"], row["prompt_tokens"]) == (one.finish, one.prompt_tokens)
            assert row["completion_tokens"] == one.completion_tokens
            assert row["entry"]["provenance"] == one.provenance
            received = row["entry"]["received"]
            if isinstance(received, list):
                a, b, c = received
                assert a + one.thinking + b + one.answer + c == one.raw
            elif received is not None:
                assert row["texts"][received] == one.raw
            else:
                assert one.raw == one.answer


def test_every_verdict_is_there_and_states_follow_the_strict_one(page: tuple[Path, Run]) -> None:
    folder, run = page
    found = {(one["setting"], one["model"], one["id"], one["lang"], one["sample"]): one
             for one in rows(folder)}  # fmt: skip
    for path in run.files["verdicts"]:
        setting, model = Path(path).parts[-3:-1]
        strict = run.facts["settings"]["mathmist"][setting]["strict"]
        for one in load_records(path, Verdict):
            row = found[setting, model, one.id, one.lang, one.sample]
            assert row[f"status:{one.scorer}"] == one.status
            (held,) = [each for each in row["entry"]["verdicts"] if each["scorer"] == one.scorer]
            assert row["texts"][held["gold"]] == one.gold
            assert (held["extracted"] is None) == (one.extracted is None)
            if one.judge:
                assert row["texts"][held["judge"]["reason"]] == one.judge["reason"]
                assert row["texts"][held["judge"]["raw"]] == one.judge["raw"]
            if one.scorer == strict:
                label = row["answering_strict"] or None
                assert row["state"] == outcome(one.status, label, one.lang)
    unlabelled = [one for one in found.values() if one["setting"] != "native"]
    assert unlabelled and all(one["thinking_paper"] == "" for one in unlabelled)


def test_the_language_to_reason_in_is_the_expected_one(tmp_path: Path) -> None:
    made = [Made("p", "bn", labels=("en", "en")), Made("p", "en", labels=("en", "bn"))]
    write_run(tmp_path / "run", made, expected="en").build(tmp_path / "page")
    states = {one["lang"]: one["state"] for one in rows(tmp_path / "page")}
    assert states == {"bn": "correct", "en": "correct, other language"}


def test_problems_stand_once_and_where_the_index_says(page: tuple[Path, Run]) -> None:
    folder, _ = page
    for one in rows(folder):
        chunk = json.loads(packet(folder, one["problem_chunk"]))
        problem = chunk["rows"][one["problem_place"]]
        (made,) = {
            each.question for each in HOSTILE if (each.id, each.lang) == (one["id"], one["lang"])
        }
        assert source_of(chunk["texts"][problem["question"]], chunk["formulas"]) == made
        assert problem["choice"]["key"] == "B" and problem["flawed"]["errors"][0]["step"] == 1
        assert (one["kind"], one["subset"]) == ("numerical", "corpus")
    places = {(one["problem_chunk"], one["problem_place"]) for one in rows(folder)}
    assert len(places) == len({(one.id, one.lang) for one in HOSTILE})


def test_nothing_of_a_text_stands_in_a_script_as_it_is(page: tuple[Path, Run]) -> None:
    folder, _ = page
    for path in (folder / "data").rglob("*.js"):
        assert PACKET.fullmatch(path.read_text(encoding="ascii"))


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", HOSTILE, TASKS)
    held = []
    for name, processes in (("a", 1), ("b", 2)):
        run.build(tmp_path / name, processes)
        held.append({one.relative_to(tmp_path / name): one.read_bytes()
                     for one in (tmp_path / name).rglob("*") if one.is_file()})  # fmt: skip
    assert held[0] == held[1]
    assert Path("index.html") in held[0] and Path("fonts/NotoSansBengali.ttf") in held[0]
    assert not any(b"/tmp" in data or str(tmp_path).encode() in data for data in held[0].values())


def test_chunks_are_bounded(tmp_path: Path) -> None:
    long = "We compute $x_{1}=\\frac{2}{7}$. " + "word " * 5000
    made = [Made(f"p-{number:04}", "en", answer=f"{long} {number}") for number in range(100)]
    made += [Made(f"q-{number:04}", "en", setting="short") for number in range(501)]
    write_run(tmp_path / "run", made).build(tmp_path / "page")
    data = tmp_path / "page" / "data"
    names = [one.relative_to(data).as_posix()[:-3] for one in (data / "mathmist").rglob("*.js")]
    sizes = [len(packet(tmp_path / "page", name)) for name in names]
    assert max(sizes) < 1_300_000
    short = tmp_path / "page" / "data" / "mathmist" / "short"
    assert sorted(one.name for one in short.iterdir()) == ["m-one.0.js", "m-one.1.js"]


def test_a_chunk_holds_a_text_and_a_formula_once() -> None:
    texts = Texts()
    assert texts.prose("so $x^2$") == texts.prose("so $x^2$") == 0
    assert texts.prose("and $x^2$") == 1
    assert texts.plain("so $x^2$") == 2
    assert texts.prose(None) is None
    assert texts.value("x^2") == 3
    assert texts.texts[:3] == [["so ", 0], ["and ", 0], "so $x^2$"]
    assert [one[0] for one in texts.formulas] == ["$x^2$", "x^2"]


@pytest.mark.parametrize(
    ("sizes", "most", "share"),
    [([10, 10], 20, 10), ([10, 10], 19, 9), ([2, 50, 50], 42, 20), ([1, 1], 5, 1), ([], 5, 0),
     ([3, 3, 3], 2, 0)],
)  # fmt: skip
def test_cells_get_even_shares(sizes: list[int], most: int, share: int) -> None:
    assert even_share(sizes, most) == share


def test_of_a_larger_run_an_even_choice_of_the_same_problems_is_shown(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", list(many(640)), most=100)
    run.build(tmp_path / "page")
    head, columns = table(packet(tmp_path / "page", "index"))
    assert (head["total"], head["shown"]) == (640, 96)
    cells = Counter(zip(columns["model"], columns["lang"], strict=True))
    assert set(cells.values()) == {6} and len(cells) == 16
    assert len(set(columns["id"])) == 6
    assert not any(one["entry"] is None for one in rows(tmp_path / "page"))
    run.facts["most"] = 15
    with pytest.raises(InputError, match=r"explorer\.most"):
        run.build(tmp_path / "less")


@pytest.mark.parametrize(
    ("verdicts", "found"),
    [
        ({}, None),
        ({"judge-a": ("correct", "YES")}, None),
        ({"judge-a": ("correct", "YES"), "rules-strict": ("correct", None)}, False),
        ({"judge-a": ("correct", "YES"), "rules-strict": ("wrong", None)}, True),
        ({"judge-a": ("wrong", "FP"), "rules-strict": ("wrong", None)}, False),
        ({"judge-a": ("unresolved", None), "rules-strict": ("wrong", None)}, None),
        ({"judge-a": ("correct", "YES"), "rules-strict": ("wrong", "NO")}, None),  # the judge's own
        ({"judge-a": ("correct", "YES"), "rules-strict": ("truncated", None)}, None),
        ({"judge-a": ("correct", "YES"), "judge-b": ("wrong", "NO"),
          "rules-strict": ("correct", None)}, True),
    ],
)  # fmt: skip
def test_judge_and_rule_disagree_where_both_decide(
    verdicts: dict[str, tuple[str, str | None]], found: bool | None
) -> None:
    held = {
        scorer: {"status": status, "correct": status == "correct", "judge": {"decision": decision}}
        for scorer, (status, decision) in verdicts.items()
    }
    assert differ(held) is found


def _spoil(path: str, change: Any) -> None:
    lines = Path(path).read_text(encoding="utf-8").splitlines(keepends=True)
    Path(path).write_text("".join(change(lines)), encoding="utf-8")


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        ("verdicts", lambda lines: lines[:-1], "holds nothing of generation"),
        ("generations", lambda lines: lines[:-1], "is of no generation"),
        ("labels", lambda lines: lines[1:], "holds nothing of generation"),
        ("verdicts", lambda lines: lines[::-1], "stands after"),
        ("verdicts", lambda lines: [lines[0].replace("judge-stern", "judge-mild"), *lines[1:]],
         "not of judge-stern"),
        ("generations", lambda lines: ["{not json\n", *lines[1:]], "not a line of strict JSON"),
        ("generations", lambda lines: [lines[0].replace('mple": 0', 'mple": "0"'), *lines[1:]],
         "valid integer"),
        ("generations", lambda lines: [lines[0].replace("answer is", "\\ud800 is"), *lines[1:]],
         "half a surrogate pair"),
        ("problems", lambda lines: lines[1:], "which no file of problems holds"),
        ("problems", lambda lines: [lines[0].replace('"kind"', '"sort"'), *lines[1:]], "kind"),
    ],
)  # fmt: skip
def test_records_that_do_not_fit_are_told(
    tmp_path: Path, kind: str, change: Any, said: str
) -> None:
    run = write_run(tmp_path / "run", [Made(f"p-{number}", "en") for number in range(3)])
    _spoil(run.files[kind][0], change)
    with pytest.raises(InputError, match=said) as caught:
        run.build(tmp_path / "page")
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize(
    ("file", "field", "value"),
    [
        ("generations/native/m-one", "thinking", ...),
        ("generations/native/m-one", "answer", None),
        ("generations/native/m-one", "raw", 5),
        ("verdicts/native/m-one/rules-strict", "status", ...),
        ("verdicts/native/m-one/judge-stern", "gold", ["5"]),
        ("languages/native/m-one", "thinking", None),
        ("problems/en", "question", 5),
        ("problems/en", "id", ["p-1"]),
    ],
)
def test_a_field_that_lacks_or_is_of_another_type_is_told(
    tmp_path: Path, file: str, field: str, value: object
) -> None:
    run = write_run(tmp_path, [Made("p-1", "en"), Made("p-2", "en")])
    path = tmp_path / "mathmist" / f"{file}.jsonl"
    first, second = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    second = {key: one for key, one in second.items() if key != field}
    second |= {} if value is ... else {field: value}
    path.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n", encoding="utf-8")
    with pytest.raises(InputError, match=field) as caught:
        run.build(tmp_path / "page")
    assert (caught.value.file, caught.value.line) == (str(path), 2)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [Made("p", "en")])
    Path(run.files["generations"][0]).unlink()
    with pytest.raises(InputError, match="no such file"):
        run.build(tmp_path / "page")


def test_a_model_without_records_gives_no_generations(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [Made("p", "en"), Made("p", "en", model="m-two")])
    for kind in ("generations", "verdicts", "labels"):
        for path in run.files[kind]:
            if "m-two" in path:
                write_records(path, [])
    run.build(tmp_path / "page")
    assert [one["model"] for one in rows(tmp_path / "page")] == ["m-one"]
