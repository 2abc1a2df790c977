"""Raw sources into problems: this project's bundled files and the authors' released ones.

Bundled: {folder}/{lang}.jsonl with number, question, answer and, for MathMist, kind, subdomain and
solution, for MMATH subset. Released: the file names and keys of the two repositories.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from babelmath.config import Selection
from babelmath.errors import InputError
from babelmath.files import STRICT, half_pair, read_jsonl, read_text
from babelmath.languages import Language
from babelmath.records import Problem, validate

# What a LaTeX command looks like after a JSON escape ate its backslash and first letter: \frac,
# \beta, \right; behind a TAB or a new line only what goes on as a command does (\times, \neq).
EATEN = re.compile(
    "[\b\f\v\r](?=[a-zA-Z])|\t(?=an|au|binom|ext|frac|heta|herefore|ilde|imes|o|riangle)"
    "|\n(?=(?:eq|abla|otin)(?![a-zA-Z]))"
)
KINDS = ("numerical", "symbolic", "proof")
SUBSETS = ("AIME2024", "AIME2025", "CNMO", "MATH500")
# The classes of MathMist table corpus_stat.
SUBDOMAINS: dict[str, tuple[str, ...]] = {
    "numerical": (
        "Algebra",
        "Arithmetic",
        "Measurements",
        "Trigonometry",
        "Word Problem",
        "Probability",
        "Series",
    ),
    "symbolic": ("Algebra", "Measurements"),
    "proof": ("Algebra", "Measurements", "Combinatorics", "Number Theory", "Others"),
}
BUNDLED_FIELDS = {
    "mathmist": {"number", "kind", "subdomain", "question", "solution", "answer"},
    "mmath": {"number", "subset", "question", "answer"},
}


def source_files(benchmark: str, release: bool, language: Language) -> str:
    """Path of a language's raw file inside the source folder (the releases' own paths)."""
    if not release:
        return f"{language.code}.jsonl"
    if benchmark == "mmath":
        return f"mmath/{language.code}.json"
    folder = "Original Corpus" if language.code in ("bn", "en") else "Translation Data"
    return f"Data/{folder}/{language.name}_Final_Corpus.jsonl"


def problem_id(benchmark: str, number: int) -> str:
    """The stable id of a problem: benchmark and number."""
    return f"{benchmark}-{number:04d}"


def read_problems(benchmark: str, path: Path, language: Language, release: bool) -> list[Problem]:
    """All problems of one raw file, in its order.

    Raises:
        InputError: a bad line, an unknown or missing field, a class that the papers do not have,
            an empty question or answer, a number that occurs twice; with file, line and field.
    """
    if not release:
        rows = _bundled(benchmark, path)
    elif benchmark == "mmath":
        rows = _released_mmath(path)
    else:
        rows = _released_mathmist(path)
    problems: list[Problem] = []
    lines: dict[str, int] = {}
    for line, number, fields in rows:
        for name in ("question", "answer"):
            if not isinstance(fields[name], str) or not fields[name].strip():
                raise InputError(
                    f"empty {name}",
                    file=path,
                    line=line,
                    field=name,
                    value=fields[name],
                    remedy="Every problem needs a question and its exact answer (the gold).",
                )
        identity = problem_id(benchmark, number)
        if identity in lines:
            raise InputError(
                f"duplicate id {identity}, already in line {lines[identity]}",
                file=path,
                line=line,
                field="number",
                value=number,
                remedy="Give every problem a number of its own.",
            )
        lines[identity] = line
        record = {
            "id": identity,
            "lang": language.code,
            "subset": "corpus",
            "kind": None,
            "subdomain": None,
            "solution": None,
            **fields,
            "provenance": {"source": "release" if release else "bundled", "file": path.name,
                           "line": line, "checks": []},
        }  # fmt: skip
        problem = validate(record, Problem, path, line)
        _classes(problem, benchmark, path, line, release)
        problems.append(problem)
    if not problems:
        raise InputError("holds no problem", file=path, remedy="Add at least one line.")
    return problems


def read_aligned(
    benchmark: str, files: Mapping[str, Path], languages: Mapping[str, Language], release: bool
) -> dict[str, list[Problem]]:
    """The problems of several raw files by language, checked to be the same in all.

    Raises:
        InputError: as `read_problems` and `align`.
    """
    sets = {
        lang: read_problems(benchmark, path, languages[lang], release)
        for lang, path in files.items()
    }
    align(sets, files)
    return sets


def align(sets: Mapping[str, Sequence[Problem]], files: Mapping[str, Path]) -> None:
    """Check that languages hold the same problems: ids, kinds, subdomains, subsets, in order.

    Raises:
        InputError: at the first difference, naming both files and the line.
    """
    first, *others = sets
    for other in others:
        if len(sets[first]) != len(sets[other]):
            raise InputError(
                f"has {len(sets[other])} problems, {files[first]} has {len(sets[first])}",
                file=files[other],
                remedy="Both languages must hold the same problems.",
            )
        for a, b in zip(sets[first], sets[other], strict=False):
            for name in ("id", "kind", "subdomain", "subset"):
                if getattr(a, name) != getattr(b, name):
                    raise InputError(
                        f"does not align with {files[first]}: {name} is "
                        f"{getattr(b, name)!r} here and {getattr(a, name)!r} there",
                        file=files[other],
                        line=b.provenance["line"],
                        field=name,
                        value=getattr(b, name),
                        remedy="The same line of both files must hold the same problem.",
                    )


def select(problems: Sequence[Problem], selection: Selection, seed: int) -> list[str]:
    """Ids of the selected problems, in their order; equal for every language of a benchmark.

    Raises:
        InputError: a number that no problem has, or fewer problems of a kind than asked for.
    """
    ids = [problem.id for problem in problems]
    if selection.numbers is not None:
        by_number = {int(identity.rsplit("-", 1)[1]): identity for identity in ids}
        for number in selection.numbers:
            if number not in by_number:
                raise InputError("no problem has this number", field="numbers", value=number)
        chosen = {by_number[number] for number in selection.numbers}
        return [identity for identity in ids if identity in chosen]
    if selection.per_kind is None:
        return ids
    groups: dict[str, list[str]] = {}
    for problem in problems:
        groups.setdefault(problem.kind or problem.subset, []).append(problem.id)
    chosen = set()
    for name in sorted(groups):
        if len(groups[name]) < selection.per_kind:
            raise InputError(
                f"only {len(groups[name])} problems are {name}",
                field="per_kind",
                value=selection.per_kind,
                remedy="Ask for fewer of each kind.",
            )
        chosen |= set(
            random.Random(f"{seed}/{name}").sample(sorted(groups[name]), selection.per_kind)
        )
    return [identity for identity in ids if identity in chosen]


def _classes(problem: Problem, benchmark: str, path: Path, line: int, release: bool) -> None:
    known: tuple[str, ...]
    value: str | None
    if benchmark == "mmath":
        field, value, known = "subset", problem.subset, SUBSETS
    elif problem.kind is None:
        field, value, known = "kind", None, KINDS
    elif release:
        return  # the release has no subdomain
    else:
        field, value, known = "subdomain", problem.subdomain, SUBDOMAINS[problem.kind]
    if value not in known:
        raise InputError(
            f"unknown {field}",
            file=path,
            line=line,
            field=field,
            value=value,
            remedy=f"Known are {', '.join(known)}.",
        )


Row = tuple[int, int, dict[str, Any]]


def _bundled(benchmark: str, path: Path) -> Iterator[Row]:
    for line, raw in read_jsonl(path):
        wanted = BUNDLED_FIELDS[benchmark]
        for name in sorted(wanted ^ raw.keys()):
            raise InputError(
                "unknown field" if name in raw else "field is missing",
                file=path,
                line=line,
                field=name,
                value=raw.get(name),
                remedy=f"A line has exactly the fields {', '.join(sorted(wanted))}.",
            )
        for name, value in raw.items():
            if isinstance(value, str) and (eaten := EATEN.search(value.replace("\r\n", "\n"))):
                raise InputError(
                    "a LaTeX command lost its backslash to a JSON escape",
                    file=path,
                    line=line,
                    field=name,
                    value=eaten.string[eaten.start() : eaten.end() + 10],
                    remedy="Write two backslashes in JSON: \\\\frac.",
                )
        number = raw.pop("number")
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise InputError(
                "must be a whole number from 1 on",
                file=path,
                line=line,
                field="number",
                value=number,
            )
        yield line, number, raw


def _released_mathmist(path: Path) -> Iterator[Row]:
    """Items are numbered by their place in the file: the chapter fields differ between files."""
    for index, (line, raw) in enumerate(read_jsonl(path), start=1):
        named = {key.replace("_", " ").strip().lower(): value for key, value in raw.items()}
        for name in ("question", "solution", "exact answer", "answer type"):
            if not isinstance(named.get(name), str):
                raise InputError(
                    "field is missing or no text", file=path, line=line, field=name,
                    value=named.get(name),
                )  # fmt: skip
        number = str(named.get("example number", index)).strip()
        if number.isdecimal() and len(number) < 10 and int(number) != index:
            raise InputError(
                f"is the file's problem {index}", file=path, line=line, field="Example Number",
                value=number, remedy="A line is missing, stands twice or was moved.",
            )  # fmt: skip
        yield (
            line,
            index,
            {
                "kind": named["answer type"].strip().lower(),
                "question": named["question"],
                "solution": named["solution"],
                "answer": named["exact answer"],
            },
        )


def _released_mmath(path: Path) -> Iterator[Row]:
    try:
        text = read_text(path)
        rows = STRICT.decode(text)
        if half_pair(rows, text):
            raise ValueError("half a surrogate pair, which no file can hold")
    except FileNotFoundError:
        raise InputError("no such file", file=path, remedy="Check the path.") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"not JSON: {error}", file=path, line=line) from None
    if not isinstance(rows, list):
        raise InputError("not a list of problems", file=path)
    for index, raw in enumerate(rows, start=1):
        try:
            number, answer = raw["gid"], raw["answer"]
            if type(number) is not int or number < 0:
                raise ValueError("gid must be a whole number from 0 on")
            if type(answer) not in (str, int, float):
                raise ValueError("answer must be a text or a number")
            fields = {
                "subset": raw["data_source"],
                "question": raw["question"],
                "answer": str(answer),
            }
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"entry {index} lacks or spoils a field: {error}", file=path, value=raw
            ) from None
        yield index, number, fields


MATH = re.compile(  # \$ is a sign of money
    r"(?<!\\)\$\$.+?(?<!\\)\$\$|(?<!\\)\$.+?(?<!\\)\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL
)


def math_spans(text: str) -> list[str]:
    """The mathematics of a text ($, $$, \\( and \\[ spans), sorted, blanks removed.

    Decimal commas ({,} or , between digits) read as points, since translation may change them.
    """
    spans = (re.sub(r"\s+", "", span) for span in MATH.findall(text))
    return sorted(re.sub(r"(?<=\d)(\{,\}|,)(?=\d)", ".", span) for span in spans)


def words_outside_math(text: str) -> bool:
    """Whether letters stand outside the mathematics: is there anything to translate?"""
    return any(unicodedata.category(char).startswith("L") for char in MATH.sub(" ", text))
