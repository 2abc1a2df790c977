"""Released items and flawed solutions are joined on their numbers; nothing shifts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from babelmath.errors import InputError
from babelmath.records import Perturbed
from babelmath.released.building import (
    EATEN,
    LABEL,
    choices_file,
    flawed_file,
    read_choices,
    read_flawed,
)
from babelmath.released.oddities import Oddities
from small_release import (
    ITEMS,
    KINDS,
    answer,
    changed,
    counts,
    name,
    options,
    problems,
    question,
    write_lines,
)


def item(at: int, **changes: Any) -> dict[str, Any]:
    """A line of a multiple-choice file: the item with this number."""
    number = ITEMS[at - 1]
    return changed(
        {"Language": "English", "Chapter Number": "1", "Example Number": str(at),
         "Question": question("en", number), "Solution": "s",
         "Exact Answer": f"${number}$", "Answer Type": KINDS[number - 1].title(),
         "Evaluation Method": "Numerical Match", "Correct Answer": "B",
         "Multiple Choices": [*options(number)[:1], f"B. ${number}$", *options(number)[2:]],
         "Original Example Number": "1", "MCQ_Metadata": {"generation_method": "api"}},
        changes,
    )  # fmt: skip


def flawed(number: int, **changes: Any) -> dict[str, Any]:
    """A line of a file of flawed solutions."""
    return changed(
        {"Language": "English", "Chapter Number": "1", "Example Number": str(number),
         "Question": question("en", number), "Solution": "s", "Exact Answer": answer("en", number),
         "Answer Type": KINDS[number - 1].title(), "Wrong_Solution_Version_2": f"wrong {number}",
         "error_description": "a step", "erroneous_part": "2"},
        changes,
    )  # fmt: skip


def choices(path: Path, rows: list[Any]) -> tuple[list[Any], dict[str, int]]:
    oddities = Oddities(path.parent)
    return read_choices(write_lines(path, rows), "en", problems(), oddities), counts(oddities)


def solutions(path: Path, rows: list[Any]) -> tuple[list[Perturbed], dict[str, int]]:
    oddities = Oddities(path.parent)
    return read_flawed(write_lines(path, rows), "en", 2, problems(), oddities), counts(oddities)


READERS = {"choices": (choices, item, 6), "flawed": (solutions, flawed, 8)}
ALONE = "key alone in $...$"


def refusal(path: Path, what: str, rows: list[Any]) -> InputError:
    with pytest.raises(InputError) as caught:
        READERS[what][0](path, rows)
    assert caught.value.file == str(path)
    return caught.value


def test_the_releases_places():
    assert choices_file("Bangla") == "Data/MCQ/MCQ_Numerical_Symbolic_Bangla.jsonl"
    assert flawed_file("English", 3) == "Data/Perturbation/English/English_Wrong_Strategy_3.jsonl"


def test_items_are_the_problems_that_are_no_proofs(tmp_path):
    found, odd = choices(tmp_path / "a.jsonl", [item(at) for at in range(1, 7)])
    assert [one.id for one in found] == [name(number) for number in ITEMS]
    assert (found[2].options, found[2].key) == (["7", "$4$", "8", "9"], "B")
    assert found[2].provenance == {"source": "release", "file": "a.jsonl", "line": 3, "number": 3,
                                   "checks": []}  # fmt: skip
    assert odd == {ALONE: 6}


def test_flawed_solutions_are_joined_on_the_example_number(tmp_path):
    found, odd = solutions(tmp_path / "a.jsonl", [flawed(at) for at in (3, 1, *range(4, 9), 2)])
    assert [(one.id, one.solution) for one in found[:2]] == [
        (name(3), "wrong 3"), (name(1), "wrong 1"),
    ]  # fmt: skip
    assert found[0].strategy == 2 and found[0].provenance["line"] == 1
    assert found[0].checks == {"error_description": "a step", "erroneous_part": "2"}
    assert not odd


@pytest.mark.parametrize("what", READERS)
def test_a_line_twice_is_refused_by_both_lines(tmp_path, what):
    _, make, n = READERS[what]
    for again in (make(2), make(n, **{"Example Number": "2"})):
        error = refusal(tmp_path / "a.jsonl", what, [*map(make, range(1, n)), again])
        assert error.problem == "the problem of line 2 again"
        assert (error.line, error.field) == (n, "Example Number")


@pytest.mark.parametrize("what", READERS)
@pytest.mark.parametrize("gone", [1, 3, 5])
def test_a_line_that_is_missing_shifts_no_other(tmp_path, what, gone):
    read, make, n = READERS[what]
    rows = [make(at) for at in range(1, n + 1)]
    whole, _ = read(tmp_path / "a.jsonl", rows)
    found, odd = read(tmp_path / "a.jsonl", rows[: gone - 1] + rows[gone:])
    kept = [one.model_dump(exclude={"provenance"}) for one in whole]
    assert [one.model_dump(exclude={"provenance"}) for one in found] == (
        kept[: gone - 1] + kept[gone:]
    )
    kind = "problems without an item" if what == "choices" else "problems without a flawed solution"
    assert odd[kind] == 1


@pytest.mark.parametrize("what", READERS)
@pytest.mark.parametrize("number", ["0", "9", "", None, "x", "-1", "1.5", 10**30, True, ...])
def test_a_number_that_no_problem_has_is_refused(tmp_path, what, number):
    _, make, _ = READERS[what]
    error = refusal(tmp_path / "a.jsonl", what, [make(1), make(2, **{"Example Number": number})])
    assert (error.problem, error.line) == ("no problem has this number", 2)


@pytest.mark.parametrize("what", READERS)
@pytest.mark.parametrize("number", ["2", 2, "২", " 2 "])
def test_numbers_in_other_writing_are_known(tmp_path, what, number):
    read, make, _ = READERS[what]
    found, _ = read(tmp_path / "a.jsonl", [make(2, **{"Example Number": number})])
    assert found[0].id == name(2)


@pytest.mark.parametrize("what", READERS)
def test_lines_of_other_data_are_refused_at_the_first(tmp_path, what):
    read, make, n = READERS[what]
    other = {"Question": "Other", "Exact Answer": "Other"}
    rows = [make(at, **(other if at > 2 else {})) for at in range(1, n + 1)]
    error = refusal(tmp_path / "a.jsonl", what, rows)
    assert f"{n - 2} of {n} records do not match the corpus" in error.problem
    assert error.line == 3
    _, odd = read(tmp_path / "a.jsonl", rows[:5])
    assert (
        odd["question differs from the corpus"] == odd["exact_answer differs from the corpus"] == 3
    )


@pytest.mark.parametrize("what", READERS)
@pytest.mark.parametrize(
    ("text", "words"),
    [("{", "strict JSON"), ('{"a": NaN}', "strict JSON"), ('{"a": 1, "a": 2}', "strict JSON"),
     ("7", "not a JSON object"), ('{"a": "\\ud800"}', "surrogate"),
     ('{"Question": 1, "question": 2}', "two spellings"), ('{"a": ' + "[" * 9999, "strict JSON")],
)  # fmt: skip
def test_a_damaged_line_is_refused_by_its_number(tmp_path, what, text, words):
    path = write_lines(tmp_path / "a.jsonl", [READERS[what][1](1)])
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)
    reader = read_choices if what == "choices" else read_flawed
    more = () if what == "choices" else (2,)
    with pytest.raises(InputError, match=words) as caught:
        reader(path, "en", *more, problems(), Oddities())
    assert caught.value.line == 2


@pytest.mark.parametrize("what", READERS)
def test_a_file_that_is_missing_is_counted_and_one_that_is_a_folder_refused(tmp_path, what):
    reader = read_choices if what == "choices" else read_flawed
    more = () if what == "choices" else (2,)
    oddities = Oddities(tmp_path)
    assert reader(tmp_path / "none.jsonl", "en", *more, problems(), oddities) == []
    assert counts(oddities) == {"no such file": 1}
    with pytest.raises(InputError, match="cannot be read"):
        reader(tmp_path, "en", *more, problems(), oddities)


@pytest.mark.parametrize("what", READERS)
def test_a_file_of_0_bytes_lacks_every_problem(tmp_path, what):
    read, _, n = READERS[what]
    found, odd = read(tmp_path / "a.jsonl", [])
    assert not found and list(odd.values()) == [1]
    oddities = Oddities()
    path = write_lines(tmp_path / "b.jsonl", [])
    if what == "choices":
        read_choices(path, "en", problems(), oddities)
    else:
        read_flawed(path, "en", 2, problems(), oddities)
    assert next(iter(oddities.found.values())).example == str(n)


@pytest.mark.parametrize("key", ["E", "b", "", None, ..., ["B"], 2])
def test_an_item_without_a_key_is_refused_by_its_key(tmp_path, key):
    error = refusal(tmp_path / "a.jsonl", "choices", [item(1), item(2, **{"Correct Answer": key})])
    assert error.problem == "needs a key A-D"
    assert (error.line, error.field) == (2, "Correct Answer")
    assert error.value == (None if key is ... else key)


@pytest.mark.parametrize("key", ["B", "E"])
@pytest.mark.parametrize("listed", [["A. 1"], [*options(2), "E. 10"], "ABCD", None, ..., {}])
def test_an_item_without_four_choices_is_refused_by_its_choices(tmp_path, listed, key):
    change = {"Multiple Choices": listed, "Correct Answer": key}
    error = refusal(tmp_path / "a.jsonl", "choices", [item(1), item(2, **change)])
    assert error.problem == "needs four choices"
    assert (error.line, error.field) == (2, "Multiple Choices")


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ({}, {ALONE}),
        ({"Multiple Choices": ["A. $7$", "B. $2$", "C. 8", "D. 9"]}, set()),
        ({"Multiple Choices": ["A. 7", "B. 2", "C. $8$", "D. 9"]},
         {"key's text differs from the exact answer"}),
        ({"Multiple Choices": ["A. 8", "B. $2$", "C. 8", "D. 9"]},
         {ALONE, "options that coincide"}),
        ({"Multiple Choices": ["A. 3 \times 2", "B. $2$", "C. 8", "D. \frac{1}{2}"]},
         {ALONE, "LaTeX commands eaten by JSON escapes"}),
        ({"Answer Type": "Symbolic "}, {ALONE, "kind label with stray blanks"}),
        ({"Answer Type": "Numerical"}, {ALONE, "kind differs from the corpus"}),
        ({"Question": "Another"}, {ALONE, "question differs from the corpus"}),
        ({"Exact Answer": "two"}, {ALONE, "exact_answer differs from the corpus",
                                   "key's text differs from the exact answer"}),
        ({"Remark": "x"}, {ALONE, "unknown field Remark"}),
    ],
)  # fmt: skip
def test_what_is_odd_in_an_item_is_counted_at_its_line(tmp_path, change, kinds):
    oddities = Oddities(tmp_path)
    path = write_lines(tmp_path / "a.jsonl", [item(2, **change)])
    (found,) = read_choices(path, "en", problems(), oddities)
    kinds = kinds | {"problems without an item"}
    assert {kind for _, kind in oddities.found} == kinds
    assert {tally.first for tally in oddities.found.values()} <= {1, None}
    listed = change.get("Multiple Choices", item(2)["Multiple Choices"])
    assert found.options == [one[3:] for one in listed] and found.key == "B"


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"Wrong_Solution_Version_2": "3 \times 2"}, "LaTeX commands eaten by JSON escapes"),
        ({"Wrong_Solution_Version_2": " \n"}, "empty flawed solution"),
        ({"Exact Answer": "two"}, "exact_answer differs from the corpus"),
        ({"Remark": "x"}, "unknown field Remark"),
    ],
)
def test_what_is_odd_in_a_flawed_solution_is_counted(tmp_path, change, kind):
    rows = [flawed(at, **(change if at == 4 else {})) for at in range(1, 9)]
    found, odd = solutions(tmp_path / "a.jsonl", rows)
    assert odd == {kind: 1}
    assert found[3].solution == change.get("Wrong_Solution_Version_2", "wrong 4")


@pytest.mark.parametrize("solution", [None, ..., 3, ["x"]])
def test_a_flawed_solution_that_is_no_text_is_refused(tmp_path, solution):
    rows = [flawed(1), flawed(2, Wrong_Solution_Version_2=solution)]
    error = refusal(tmp_path / "a.jsonl", "flawed", rows)
    assert (error.line, error.field) == (2, "Wrong_Solution_Version_2")


@pytest.mark.parametrize(
    ("text", "bare"),
    [("A. 5", "5"), ("B) 5", "5"), (" C: 5", "5"), ("D.5", "5"), ("A. B. 5", "B. 5"),
     ("E. 5", "E. 5"), ("5", "5"), ("AB. 5", "AB. 5")],
)  # fmt: skip
def test_labels_of_options(text, bare):
    assert LABEL.sub("", text) == bare


@pytest.mark.parametrize(
    ("text", "eaten"),
    [("3 \times 4", True), ("\frac12", True), ("\bar x", True), ("x \neq 0", True), ("a\tb", False),
     ("a\t1", False), ("\\times", False), ("line\nnext", False), ("so\nequal", False)],
)  # fmt: skip
def test_commands_that_an_escape_ate(text, eaten):
    assert bool(EATEN.search(text)) is eaten
