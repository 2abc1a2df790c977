"""Cases from the field about files: each test bears the name of its case."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import yaml

from babelmath.asking import Models, request
from babelmath.config import Model
from babelmath.errors import InputError
from babelmath.files import read_jsonl, write_jsonl
from babelmath.records import Problem, load_records, save_records
from babelmath.released.corpora import count_oddities, text_oddities
from babelmath.released.oddities import Oddities
from babelmath.scoring.loose_json import objects, unescaped
from babelmath.sources import read_problems, source_files
from babelmath.verdicts import gold_answers
from stand_ins import LANGUAGES, REPOSITORY, SAMPLING, problem, read_cases
from unit.loopback import Service, said

CASES = {one["id"]: one for one in read_cases("field_cases.jsonl")}
ONE_BACKSLASH = {"g_frac": "\\frac{1}{2}", "g_neq": "x \\neq 0", "g_underline": "\\underline{x}"}
LINE_ENDS = ("g_u2028", "g_crlf")


def replied(text: str) -> str:
    """The value of the one key in JSON that a model wrote."""
    (found,) = objects(text)
    return unescaped(found.members[0].value)


def problem_file(path: Path, question: str) -> Path:
    """A raw problem whose question stands in the file exactly so."""
    line = json.dumps({"number": 1, "subset": "MATH500", "question": "@", "answer": "5"})
    path.write_text(line.replace("@", question) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ONE_BACKSLASH)
def test_g_one_backslash(tmp_path, name):
    """A model's JSON keeps its commands; a person's problem file is refused, with the way out."""
    wanted = ONE_BACKSLASH[name]
    assert CASES[name]["input"].startswith(f'{{"q":"{wanted}"}}')
    assert replied(f'{{"q":"{wanted}"}}') == wanted
    with pytest.raises(InputError) as caught:
        read_problems("mmath", problem_file(tmp_path / "a.jsonl", wanted), LANGUAGES["en"], False)
    assert caught.value.line == 1
    assert caught.value.remedy


@pytest.mark.parametrize("command", ["beta", "times", "right", "vec", "rho", "nabla", "text"])
def test_g_other_commands_with_one_backslash(tmp_path, command):
    text = f"$\\{command} x$"
    with pytest.raises(InputError):
        read_problems("mmath", problem_file(tmp_path / "a.jsonl", text), LANGUAGES["en"], False)
    twice = problem_file(tmp_path / "b.jsonl", text.replace("\\", "\\\\"))
    assert read_problems("mmath", twice, LANGUAGES["en"], False)[0].question == text


def test_g_matrix(tmp_path):
    text = "a\\\\b"
    assert json.loads(CASES["g_matrix"]["input"].split(" row break")[0]) == text
    write_jsonl(tmp_path / "a.jsonl", [{"q": text}])
    assert [one for _, one in read_jsonl(tmp_path / "a.jsonl")] == [{"q": text}]
    assert replied(json.dumps({"q": text})) == text


def test_g_tab_data():
    if "BABELMATH_RECORDS" not in os.environ:
        pytest.skip("BABELMATH_RECORDS does not name a local copy of the released mathmist files")
    path = Path(os.environ["BABELMATH_RECORDS"]) / source_files("mathmist", True, LANGUAGES["en"])
    problems = read_problems("mathmist", path, LANGUAGES["en"], release=True)
    odd = [
        row  # from 0
        for row, one in enumerate(problems)
        for text in (one.question, one.solution or "", one.answer)
        if "LaTeX command eaten by a JSON escape" in text_oddities(text)
    ]
    assert odd == [1287, 1305, 1339]
    oddities = Oddities(path.parent)
    count_oddities("mathmist", path, LANGUAGES["en"], problems, oddities)
    counts = [one.count for (_, kind), one in oddities.found.items() if "eaten" in kind]
    assert sum(counts) == 3


@pytest.mark.parametrize("name", LINE_ENDS)
def test_g_line_ends(tmp_path, name):
    (tmp_path / "a.jsonl").write_bytes(CASES[name]["input"].encode())
    assert len(list(read_jsonl(tmp_path / "a.jsonl"))) == 2


def ask(folder: Path, service: Service, *texts: str) -> list[str]:
    model = Model(display="Served", engine="openai", service="s", base_url=service.url,
                  concurrency=1)  # fmt: skip
    items = [request("generation", "en", [{"role": "user", "content": text}], SAMPLING, 7)
             for text in texts]  # fmt: skip
    with Models({"m": model}, folder, "job", None) as models:
        return [one.response.text for one in models.ask("m", items, "test")]


def test_g_surrogate(tmp_path):
    with Service(lambda call: said("so \ud835 it is")) as service:
        assert ask(tmp_path, service, "a", "b") == ["so \ufffd it is"] * 2
    held = [one for _, one in read_jsonl(tmp_path / "m" / "job.jsonl") if one["kind"] == "response"]
    assert [one["response"]["attempts"] for one in held] == [["half a character replaced"]] * 2


def test_g_partial(tmp_path):
    with Service() as service:
        ask(tmp_path, service, "6", "7")
        journal = tmp_path / "m" / "job.jsonl"
        journal.write_bytes(journal.read_bytes()[:-20])  # killed while it wrote 7
        assert ask(tmp_path, service, "6", "7") == ["answer to 6", "answer to 7"]
        assert service.sent == {"6": 1, "7": 2}
    assert all(one["kind"] for _, one in read_jsonl(journal))


@pytest.mark.parametrize("label", [" Symbolic", "Symbolic "])
def test_g_label_ws(tmp_path, label):
    line = {"Question": "q", "Solution": "s", "Exact Answer": "5", "Answer Type": label}
    write_jsonl(tmp_path / "a.jsonl", [line])
    (one,) = read_problems("mathmist", tmp_path / "a.jsonl", LANGUAGES["en"], release=True)
    assert one.kind == "symbolic"


def test_g_badkey_order(tmp_path):
    """Truths belong to ids, in whatever order a file names them."""
    both = [problem(1, answer="5"), problem(2, answer="6")]
    save_records(tmp_path / "a.jsonl", both)
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "b.jsonl").write_bytes(lines[1] + lines[0])
    moved = load_records(tmp_path / "b.jsonl", Problem)
    assert moved == both[::-1]
    assert gold_answers(moved) == gold_answers(both)


def test_g_stray_dollar():
    text = CASES["g_stray_dollar"]["input"].removeprefix('gold "').removesuffix('"')
    assert "odd number of $" in text_oddities(text)


def test_g_snakemake_partial():
    """Half-written outputs are made anew; runs that are killed are in tests/workflow/test_kill."""
    profile = yaml.safe_load((REPOSITORY / "profiles" / "default" / "config.yaml").read_text())
    assert profile["rerun-incomplete"] is True
