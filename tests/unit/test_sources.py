"""Raw sources: what a line must hold, sets that align, selections, and the released files."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.config import Selection
from babelmath.errors import InputError
from babelmath.languages import Language, load_language
from babelmath.records import Problem
from babelmath.sources import (
    KINDS,
    SUBDOMAINS,
    SUBSETS,
    align,
    math_spans,
    problem_id,
    read_problems,
    select,
    source_files,
    words_outside_math,
)

MATHMIST = ["bn", "en", "fr", "fi", "tr", "lt", "kk"]
MMATH = ["en", "zh", "ar", "es", "fr", "ja", "ko", "pt", "th", "vi"]
LINES: dict[str, dict[str, Any]] = {
    "mathmist": {
        "number": 1, "kind": "numerical", "subdomain": "Algebra", "question": "Solve $x-1=2$.",
        "solution": "Adding $1$ gives $x=3$.", "answer": "$3$",
    },
    "mmath": {"number": 1, "subset": "CNMO", "question": "Find $1+1$.", "answer": "2"},
}  # fmt: skip
RELEASED = {
    "Language": "English", "Chapter Number": 1, "Example Number": "1.2", "Question": "Solve $x=3$.",
    "Solution": "It is $3$.", "Exact Answer": "$3$", "Answer Type": "Numerical",
}  # fmt: skip
REPOSITORY = Path(__file__).resolve().parents[2]


def language(code: str) -> Language:
    return load_language(REPOSITORY / "resources" / "languages", code)


def write(path: Path, *rows: dict[str, Any] | str) -> Path:
    text = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path


def bundled(path: Path, benchmark: str, *changes: dict[str, Any]) -> list[Problem]:
    """Problems of a file that holds one line for each set of changes."""
    write(path, *(LINES[benchmark] | {"number": n} | one for n, one in enumerate(changes, 1)))
    return read_problems(benchmark, path, language("en"), release=False)


def refusal(read: Callable[[], object]) -> InputError:
    with pytest.raises(InputError) as caught:
        read()
    return caught.value


# Bundled files


@pytest.mark.parametrize("benchmark", LINES)
def test_a_line_becomes_a_problem_that_knows_where_it_comes_from(tmp_path, benchmark):
    problem = bundled(tmp_path / "en.jsonl", benchmark, {}, {})[1]
    assert problem.id == f"{benchmark}-0002"
    assert (problem.lang, problem.question) == ("en", LINES[benchmark]["question"])
    assert problem.provenance == {
        "source": "bundled", "file": "en.jsonl", "line": 2, "checks": [],
    }  # fmt: skip


def test_fields_that_a_benchmark_lacks_are_empty(tmp_path):
    (mist,) = bundled(tmp_path / "a.jsonl", "mathmist", {})
    (mmath,) = bundled(tmp_path / "b.jsonl", "mmath", {})
    assert mist.subset == "corpus"
    assert (mmath.kind, mmath.subdomain, mmath.solution) == (None, None, None)


@pytest.mark.parametrize(
    ("benchmark", "change", "field", "words"),
    [
        ("mathmist", {"answer": ""}, "answer", "empty answer"),
        ("mathmist", {"answer": " \t\n"}, "answer", "empty answer"),
        ("mathmist", {"answer": None}, "answer", "empty answer"),
        ("mathmist", {"answer": 3}, "answer", "empty answer"),
        ("mmath", {"answer": ""}, "answer", "empty answer"),
        ("mathmist", {"question": ""}, "question", "empty question"),
        ("mmath", {"question": " "}, "question", "empty question"),
        ("mathmist", {"source": "book"}, "source", "unknown field"),
        ("mathmist", {"subset": "CNMO"}, "subset", "unknown field"),
        ("mmath", {"kind": "proof"}, "kind", "unknown field"),
        ("mathmist", {"kind": "geometric"}, "kind", "Input should be"),
        ("mathmist", {"kind": "Numerical"}, "kind", "Input should be"),
        ("mathmist", {"kind": None}, "kind", "unknown kind"),
        ("mathmist", {"subdomain": "Logic"}, "subdomain", "unknown subdomain"),
        ("mathmist", {"subdomain": None}, "subdomain", "unknown subdomain"),
        ("mathmist", {"kind": "symbolic", "subdomain": "Series"}, "subdomain", "unknown"),
        ("mathmist", {"kind": "proof", "subdomain": "Arithmetic"}, "subdomain", "unknown"),
        ("mmath", {"subset": "AIME2023"}, "subset", "unknown subset"),
        ("mmath", {"subset": "corpus"}, "subset", "unknown subset"),
        ("mathmist", {"solution": 3}, "solution", "valid string"),
        ("mathmist", {"number": 0}, "number", "whole number from 1"),
        ("mathmist", {"number": -3}, "number", "whole number from 1"),
        ("mathmist", {"number": True}, "number", "whole number from 1"),
        ("mathmist", {"number": "2"}, "number", "whole number from 1"),
        ("mathmist", {"number": 2.0}, "number", "whole number from 1"),
        ("mmath", {"number": None}, "number", "whole number from 1"),
        ("mmath", {"number": [2]}, "number", "whole number from 1"),
    ],
)
def test_a_bad_field_is_refused_by_file_line_field_and_value(
    tmp_path, benchmark, change, field, words
):
    path = tmp_path / "en.jsonl"
    error = refusal(lambda: bundled(path, benchmark, {}, change))
    assert words in error.problem
    assert (error.file, error.line, error.field) == (str(path), 2, field)
    assert error.value == change[field]


@pytest.mark.parametrize(
    ("benchmark", "name"), [(name, field) for name, line in LINES.items() for field in line]
)
def test_a_missing_field_is_refused(tmp_path, benchmark, name):
    line = {key: value for key, value in LINES[benchmark].items() if key != name}
    path = write(tmp_path / "en.jsonl", line)
    error = refusal(lambda: read_problems(benchmark, path, language("en"), False))
    assert (error.problem, error.line, error.field) == ("field is missing", 1, name)


def test_a_line_that_is_no_json_is_refused_by_file_and_line(tmp_path):
    path = write(tmp_path / "bn.jsonl", LINES["mathmist"], '{"number": 2, "kind": "proof",')
    error = refusal(lambda: read_problems("mathmist", path, language("bn"), False))
    assert (error.file, error.line) == (str(path), 2)


def test_a_number_that_stands_twice_names_both_lines(tmp_path):
    error = refusal(
        lambda: bundled(tmp_path / "en.jsonl", "mmath", {"number": 7}, {}, {"number": 7})
    )
    assert error.problem == "duplicate id mmath-0007, already in line 1"
    assert (error.line, error.field, error.value) == (3, "number", 7)


def test_a_file_without_problems_is_refused(tmp_path):
    path = write(tmp_path / "en.jsonl", "", "")
    error = refusal(lambda: read_problems("mmath", path, language("en"), False))
    assert error.problem == "holds no problem"


def test_every_class_of_the_papers_is_known(tmp_path):
    classes = [(kind, sub) for kind in KINDS for sub in SUBDOMAINS[kind]]
    problems = bundled(
        tmp_path / "a.jsonl", "mathmist", *({"kind": k, "subdomain": s} for k, s in classes)
    )
    assert [(one.kind, one.subdomain) for one in problems] == classes
    problems = bundled(tmp_path / "b.jsonl", "mmath", *({"subset": one} for one in SUBSETS))
    assert [one.subset for one in problems] == list(SUBSETS)


def test_ids_are_of_one_length_and_grow_with_the_number():
    ids = [problem_id("mathmist", number) for number in range(1, 1446)]
    assert ids == sorted(ids)


# Alignment

PAIR = [{"kind": "proof"}, {"kind": "symbolic"}, {"kind": "numerical"}]


def pair(folder: Path, english: list[dict[str, Any]]) -> None:
    """Align three Bangla problems with some English ones."""
    files = {"bn": folder / "bn.jsonl", "en": folder / "en.jsonl"}
    align(
        {
            "bn": bundled(files["bn"], "mathmist", *PAIR),
            "en": bundled(files["en"], "mathmist", *english),
        },
        files,
    )


def test_sets_with_the_same_problems_align(tmp_path):
    pair(tmp_path, [one | {"question": "other words"} for one in PAIR])


@pytest.mark.parametrize(
    ("english", "field", "line", "words"),
    [
        ([PAIR[0], {"kind": "numerical"}, PAIR[2]], "kind", 2,
         "kind is 'numerical' here and 'symbolic' there"),
        ([PAIR[0], PAIR[1], PAIR[2] | {"number": 9}], "id", 3,
         "id is 'mathmist-0009' here and 'mathmist-0003' there"),
        ([PAIR[0] | {"number": 2}, PAIR[1] | {"number": 1}, PAIR[2]], "id", 1, "does not align"),
        ([PAIR[0], PAIR[1] | {"subdomain": "Measurements"}, PAIR[2]], "subdomain", 2,
         "subdomain is 'Measurements' here and 'Algebra' there"),
    ],
)  # fmt: skip
def test_sets_that_differ_are_refused_at_the_first_difference(
    tmp_path, english, field, line, words
):
    error = refusal(lambda: pair(tmp_path, english))
    assert words in error.problem
    assert str(tmp_path / "bn.jsonl") in error.problem
    assert (error.file, error.line, error.field) == (str(tmp_path / "en.jsonl"), line, field)


@pytest.mark.parametrize(
    ("english", "counts"),
    [
        ([*PAIR, PAIR[2]], (4, 3)), (PAIR[:2], (2, 3)), (PAIR[:1], (1, 3)),
        # The first line is missing: the length is told before the lines that it shifts.
        (PAIR[1:], (2, 3)), ([PAIR[2], *PAIR], (4, 3)),
    ],
)  # fmt: skip
def test_a_set_that_is_longer_or_shorter_is_refused(tmp_path, english, counts):
    error = refusal(lambda: pair(tmp_path, english))
    assert error.problem == f"has {counts[0]} problems, {tmp_path / 'bn.jsonl'} has {counts[1]}"
    assert error.file == str(tmp_path / "en.jsonl")


def test_subsets_must_align_too(tmp_path):
    files = {lang: tmp_path / f"{lang}.jsonl" for lang in ("en", "fr")}
    sets = {
        "en": bundled(files["en"], "mmath", {"subset": "CNMO"}),
        "fr": bundled(files["fr"], "mmath", {"subset": "MATH500"}),
    }
    assert refusal(lambda: align(sets, files)).field == "subset"


# Selection


def problems(kinds: list[str], lang: str = "en") -> list[Problem]:
    return [
        Problem(
            id=problem_id("mathmist", number), lang=lang, subset="corpus", kind=kind,
            subdomain="Algebra", question="q", solution="s", answer="a",
            provenance={"line": number},
        )
        for number, kind in enumerate(kinds, 1)
    ]  # fmt: skip


MANY = [KINDS[n % 3] for n in range(30)]


def test_without_a_selection_all_are_taken():
    assert select(problems(MANY), Selection(), 1) == [one.id for one in problems(MANY)]


def test_named_numbers_are_taken_in_the_files_order():
    chosen = select(problems(MANY), Selection(numbers=[9, 2, 9, 5]), 1)
    assert chosen == ["mathmist-0002", "mathmist-0005", "mathmist-0009"]


def test_a_number_that_no_problem_has_is_refused():
    error = refusal(lambda: select(problems(MANY), Selection(numbers=[1, 31]), 1))
    assert (error.field, error.value) == ("numbers", 31)


def test_more_of_a_kind_than_there_are_is_refused():
    kinds = ["proof", "proof", "symbolic"]
    error = refusal(lambda: select(problems(kinds), Selection(per_kind=2), 1))
    assert error.problem == "only 1 problems are symbolic"
    assert (error.field, error.value) == ("per_kind", 2)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 10), st.randoms())
def test_a_choice_by_kind_depends_on_the_seed_alone(seed, count, random):
    english, bangla = problems(MANY), problems(MANY, "bn")
    random.shuffle(bangla)
    chosen = select(english, Selection(per_kind=count), seed)
    assert chosen == sorted(chosen), "the file's order"
    assert sorted(select(bangla, Selection(per_kind=count), seed)) == chosen
    kinds = {one.id: one.kind for one in english}
    assert Counter(kinds[one] for one in chosen) == dict.fromkeys(KINDS, count)


def test_another_seed_chooses_others():
    chosen = {tuple(select(problems(MANY), Selection(per_kind=3), seed)) for seed in range(20)}
    assert len(chosen) > 10


def test_a_kind_is_chosen_from_the_same_way_whatever_else_there_is():
    proofs = [one for one in problems(MANY) if one.kind == "proof"]
    alone = select(proofs, Selection(per_kind=3), 1)
    assert set(alone) <= set(select(problems(MANY), Selection(per_kind=3), 1))


def test_mmath_is_chosen_from_by_subset(tmp_path):
    raw = bundled(tmp_path / "en.jsonl", "mmath", *({"subset": one} for one in SUBSETS * 3))
    chosen = select(raw, Selection(per_kind=2), 1)
    subsets = {one.id: one.subset for one in raw}
    assert Counter(subsets[one] for one in chosen) == dict.fromkeys(SUBSETS, 2)


# The bundled problems


@pytest.mark.parametrize(("benchmark", "langs"), [("mathmist", ["bn", "en"]), ("mmath", ["en"])])
def test_the_bundled_problems_are_valid_and_aligned(repository, benchmark, langs):
    folder = repository / "resources" / benchmark
    files = {
        lang: folder / source_files(benchmark, release=False, language=language(lang))
        for lang in langs
    }
    assert sorted(files.values()) == sorted(folder.glob("*.jsonl"))
    sets = {
        lang: read_problems(benchmark, path, language(lang), release=False)
        for lang, path in files.items()
    }
    align(sets, files)
    classes = {one.kind or one.subset for one in sets["en"]}
    assert classes == set(KINDS if benchmark == "mathmist" else SUBSETS)


def test_bundled_bangla_and_english_hold_the_same_mathematics(repository):
    bangla, english = (
        read_problems(
            "mathmist", repository / f"resources/mathmist/{lang}.jsonl", language(lang), False
        )
        for lang in ("bn", "en")
    )
    for a, b in zip(bangla, english, strict=True):
        assert math_spans(a.question) == math_spans(b.question), a.id
        assert math_spans(a.answer) == math_spans(b.answer), a.id


# The released files


@pytest.mark.parametrize(
    ("benchmark", "lang", "path"),
    [
        ("mathmist", "bn", "Data/Original Corpus/Bangla_Final_Corpus.jsonl"),
        ("mathmist", "en", "Data/Original Corpus/English_Final_Corpus.jsonl"),
        ("mathmist", "kk", "Data/Translation Data/Kazakh_Final_Corpus.jsonl"),
        ("mmath", "zh", "mmath/zh.json"),
    ],
)
def test_released_files_lie_where_the_authors_put_them(benchmark, lang, path):
    assert source_files(benchmark, release=True, language=language(lang)) == path


def released(path: Path, *changes: dict[str, Any], lang: str = "en") -> list[Problem]:
    write(path, *(RELEASED | one for one in changes))
    return read_problems("mathmist", path, language(lang), release=True)


@pytest.mark.parametrize(
    "kind", ["Numerical", " Numerical", "Numerical ", "numerical", "NUMERICAL\t"]
)
def test_stray_blanks_and_capitals_of_a_released_kind_are_no_matter(tmp_path, kind):
    (problem,) = released(tmp_path / "a.jsonl", {"Answer Type": kind})
    assert problem.kind == "numerical"


def test_a_released_key_may_be_written_with_underscores(tmp_path):
    raw = {key.lower().replace(" ", "_"): value for key, value in RELEASED.items()}
    path = write(tmp_path / "a.jsonl", raw)
    (problem,) = read_problems("mathmist", path, language("fr"), release=True)
    assert (problem.kind, problem.answer, problem.lang) == ("numerical", "$3$", "fr")


def test_a_byte_order_mark_of_a_released_file_is_no_matter(tmp_path):
    for name, text in (("a.jsonl", json.dumps(RELEASED)), ("a.json", json.dumps([ENTRY]))):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_problems("mathmist", tmp_path / "a.jsonl", language("en"), release=True)
    assert read_problems("mmath", tmp_path / "a.json", language("en"), release=True)


def test_released_mathmist_problems_are_numbered_by_their_place(tmp_path):
    path = write(tmp_path / "a.jsonl", RELEASED, "", RELEASED | {"Example Number": "1.2"})
    found = read_problems("mathmist", path, language("en"), release=True)
    assert [(one.id, one.provenance["line"]) for one in found] == [
        ("mathmist-0001", 1), ("mathmist-0002", 3),
    ]  # fmt: skip
    assert found[0].provenance["source"] == "release"


@pytest.mark.parametrize("number", ["2", 2, " 2\n", "২", "02", "1.2", 2.0, "", None, "x", "9" * 12])
def test_an_example_number_that_is_its_place_or_no_whole_number_is_taken(tmp_path, number):
    found = released(tmp_path / "a.jsonl", {"Example Number": 1}, {"Example Number": number})
    assert [one.id for one in found] == ["mathmist-0001", "mathmist-0002"]


@pytest.mark.parametrize("key", ["Example Number", "example_number"])
@pytest.mark.parametrize("number", ["3", 3, " 1 ", "৩", "0", "003", 1445])
def test_an_example_number_that_is_not_its_place_is_refused(tmp_path, key, number):
    plain = {one: value for one, value in RELEASED.items() if one != "Example Number"}
    path = write(tmp_path / "a.jsonl", plain | {key: 1}, plain | {key: number})
    error = refusal(lambda: read_problems("mathmist", path, language("en"), release=True))
    assert error.problem == "is the file's problem 2"
    assert (error.file, error.line, error.field) == (str(path), 2, "Example Number")
    assert error.value == str(number).strip()
    assert "missing" in error.remedy


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"Question": None}, "question"),
        ({"Question": " "}, "question"),
        ({"Exact Answer": ""}, "answer"),
        ({"Exact Answer": 3}, "exact answer"),
        ({"Answer Type": "Geometric"}, "kind"),
        ({"Answer Type": ""}, "kind"),
        ({"Solution": None}, "solution"),
    ],
)
def test_a_spoilt_released_line_is_refused_by_line_and_field(tmp_path, change, field):
    error = refusal(lambda: released(tmp_path / "a.jsonl", {}, change))
    assert (error.file, error.line, error.field) == (str(tmp_path / "a.jsonl"), 2, field)


ENTRY = {"gid": 4, "question": "Find $1+1$.", "answer": 2, "data_source": "AIME2024", "lang": "en"}


def test_a_released_mmath_entry_becomes_a_problem(tmp_path):
    path = write(tmp_path / "en.json", json.dumps([ENTRY]))
    (problem,) = read_problems("mmath", path, language("en"), release=True)
    assert (problem.id, problem.subset, problem.answer) == ("mmath-0004", "AIME2024", "2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "not JSON"),
        (json.dumps([ENTRY, {**ENTRY, "gid": "x"}]), "entry 2 lacks or spoils a field"),
        (json.dumps([ENTRY, {"gid": 5}]), "entry 2 lacks or spoils a field"),
        (json.dumps([ENTRY, 7]), "entry 2 lacks or spoils a field"),
        (json.dumps([ENTRY, ENTRY]), "duplicate id mmath-0004"),
        (json.dumps([{**ENTRY, "data_source": "AIME2023"}]), "unknown subset"),
        (json.dumps([{**ENTRY, "answer": ""}]), "empty answer"),
        (json.dumps([]), "holds no problem"),
        ("7", "not a list"),
        (json.dumps(ENTRY), "not a list"),
    ],
)
def test_a_spoilt_released_mmath_file_is_refused(tmp_path, text, words):
    path = write(tmp_path / "en.json", text)
    error = refusal(lambda: read_problems("mmath", path, language("en"), release=True))
    assert words in error.problem
    assert error.file == str(path)


def test_a_missing_released_file_is_named(tmp_path):
    for benchmark in LINES:
        error = refusal(
            lambda name=benchmark: read_problems(name, tmp_path / "none", language("en"), True)
        )
        assert (error.problem, error.file) == ("no such file", str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("variable", "benchmark", "langs", "count"),
    [
        ("BABELMATH_RECORDS", "mathmist", MATHMIST, 1445),
        ("BABELMATH_BENCHMARKS", "mmath", MMATH, 374),
    ],
)
def test_the_real_releases_load_and_align(variable, benchmark, langs, count):
    if variable not in os.environ:
        pytest.skip(f"{variable} does not name a local copy of the released {benchmark} files")
    files = {
        lang: Path(os.environ[variable]) / source_files(benchmark, True, language(lang))
        for lang in langs
    }
    sets = {
        lang: read_problems(benchmark, path, language(lang), release=True)
        for lang, path in files.items()
    }
    align(sets, files)
    assert {lang: len(one) for lang, one in sets.items()} == dict.fromkeys(langs, count)


# Mathematics in texts


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Solve $x+1=2$.", "Résoudre $x + 1 = 2$ !"),
        ("$2.5$ and $x$", "$x$ et $2,5$"),
        ("$2.5$", "$2{,}5$"),
        (r"$$x$$ then \(y\) then \[z\]", r"\[z\] $$x$$ \(y\)"),
        ("no mathematics", "কোনো গণিত নেই"),
    ],
)
def test_texts_with_the_same_mathematics(a, b):
    assert math_spans(a) == math_spans(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("$x+1$", "$x-1$"),
        ("$x$ and $x$", "$x$"),
        ("$f(1, 2)$", "$f(1 2)$"),
        ("$x$", r"\(x\)"),
        ("$2.5$", "$25$"),
        ("$x$", "$X$"),
    ],
)
def test_texts_with_other_mathematics(a, b):
    assert math_spans(a) != math_spans(b)


@settings(deadline=None)
@given(st.lists(st.from_regex(r"[a-z0-9+=]{1,6}", fullmatch=True), max_size=6))
def test_word_order_does_not_change_the_mathematics(spans):
    text = " words ".join(f"${span}$" for span in spans)
    shuffled = random.Random(len(spans)).sample(spans, len(spans))
    assert math_spans(text) == math_spans(" अन्य ".join(f"${span}$" for span in shuffled))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$x=3$", False),
        ("$x=3$.", False),
        ("42", False),
        ("", False),
        (r"$x=3$ or \(y\)", True),
        ("প্রমাণিত", True),
        (r"$\text{cm}$", False),
        ("$3$ cm", True),
    ],
)
def test_whether_there_is_anything_to_translate(text, expected):
    assert words_outside_math(text) is expected
