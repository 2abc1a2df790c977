"""The ledger of claims, config/printed/claims.csv: every number and sentence that can be checked.

One row a claim; the columns are those of `Claim`. A printed number of d decimals stands for all
numbers within half a unit of its last digit; counts are exact.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal, NoReturn, cast

from babelmath.audit.arguments import ARGUMENTS, fault
from babelmath.audit.evaluation import evaluate, is_missing
from babelmath.audit.intervals import Interval
from babelmath.audit.syntax import (
    ID,
    MOST_DIGITS,
    NUMBER,
    Attainable,
    Check,
    Comparison,
    Equation,
    OneOf,
    parse_check,
    references,
    split_checks,
)
from babelmath.errors import InputError
from babelmath.files import read_text

Paper = Literal["mathmist", "mmath"]
Unit = Literal["percent", "points", "count", "value", "name", "sentence"]

COLUMNS = ("id", "paper", "where", "row", "column", "printed", "unit", "decimals", "population",
           "formula", "records", "checks", "source")  # fmt: skip
PAPERS = ("mathmist", "mmath")
UNITS = ("percent", "points", "count", "value", "name", "sentence")
TEXT_UNITS = ("name", "sentence")
SOURCES = ("paper", "released records", "released code")
MEASURES = tuple(ARGUMENTS)
NOT_AVAILABLE = "N/A"
PRINTED = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
DECIMALS = re.compile(r"-?[0-9]{1,2}")
POPULATION = re.compile(r"n=([1-9][0-9]{0,11})(;|$)")


@dataclass(frozen=True, slots=True)
class Claim:
    """One printed number, or one sentence that printed numbers can check.

    `printed` is as the paper prints it, `value` its number in `unit` (None for names, sentences and
    N/A), `half` half a unit of its last digit (0 for counts), `n` the number of items it is a share
    or a count of, `records` the arguments of the measure `formula`, `line` where the row begins.
    """

    id: str
    paper: Paper
    where: str
    row: str
    column: str
    printed: str
    unit: Unit
    decimals: int | None
    population: str
    formula: str
    records: tuple[str, ...]
    checks: tuple[str, ...]
    source: str
    value: Fraction | None
    half: Fraction
    n: int | None
    line: int

    @property
    def interval(self) -> Interval | None:
        """All numbers that are printed so; None for names, sentences and N/A."""
        return None if self.value is None else Interval.around(self.value, self.half)

    @property
    def is_text(self) -> bool:
        """Whether it is a name or a sentence, and no number at all."""
        return self.unit in TEXT_UNITS


def load_claims(path: str | Path) -> dict[str, Claim]:
    """The ledger's claims by id, in the file's order.

    Raises:
        InputError: no such file, not UTF-8, not CSV, empty; missing, unknown or repeated columns; a
            line with more or fewer cells; a bad or repeated id; an unknown paper, unit, measure or
            source; a printed number that is none, or whose decimals are others; a population
            without its n; a check that does not parse, names an unknown claim, uses N/A where a
            number is needed, or cannot be computed. It names file, line, field, value and a remedy.
    """
    claims: dict[str, Claim] = {}
    for line, cells in _rows(path):
        try:
            claim = _claim(cells, line)
            if claim.id in claims:
                _refuse("id", claim.id, f"stands already in line {claims[claim.id].line}",
                        "Give each claim an id of its own.")  # fmt: skip
        except InputError as error:
            raise _placed(error, path, line) from None
        claims[claim.id] = claim
    if not claims:
        raise InputError("no claims", file=path, line=1, remedy="Write one row a claim.")
    intervals = {claim.id: claim.interval for claim in claims.values()}
    for claim in claims.values():
        try:
            for text in claim.checks:
                _check(text, claim, claims, intervals)
        except InputError as error:
            raise _placed(error, path, claim.line) from None
    return claims


def _rows(path: str | Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield (line where the row begins, its cells by column)."""
    try:
        text = read_text(path)
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", file=path, remedy="Check the path."
        ) from None
    reader = csv.reader(io.StringIO(text), strict=True)
    line = 1
    try:
        header = next(reader, [])
        _header(header, path)
        line = reader.line_num + 1
        for cells in reader:
            if not cells:
                raise InputError("a blank line", file=path, line=line, remedy="Take it out.")
            if len(cells) != len(header):
                raise InputError(
                    f"{len(cells)} cells instead of {len(header)}", file=path, line=line,
                    value=",".join(cells), remedy="Put a text that holds a comma between quotes.",
                )  # fmt: skip
            yield line, dict(zip(header, cells, strict=True))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"not CSV: {error}", file=path, line=line, remedy="Close the quotes."
        ) from None


def _header(header: list[str], path: str | Path) -> None:
    if not header:
        raise InputError(
            "an empty file", file=path, line=1, remedy=f"Its header is {','.join(COLUMNS)}."
        )
    for column in COLUMNS:
        if header.count(column) != 1:
            raise InputError(
                "column is missing" if column not in header else "column stands twice",
                file=path, line=1, field=column, remedy=f"The header is {','.join(COLUMNS)}.",
            )  # fmt: skip
    for column in header:
        if column not in COLUMNS:
            raise InputError(
                "unknown column", file=path, line=1, field=column, remedy="Take it out."
            )


def _claim(cells: Mapping[str, str], line: int) -> Claim:
    id = cells["id"]
    if not ID.fullmatch(id) or NUMBER.fullmatch(id):
        _refuse(
            "id", id, "not an id", "Write lower-case words joined by dots, as in zc.gpt_oss.avg."
        )
    for field, known in (("paper", PAPERS), ("unit", UNITS), ("formula", MEASURES)):
        if cells[field] not in known:
            _refuse(field, cells[field], f"unknown {field}", f"One of {', '.join(known)}.")
    for word in cells["source"].split(" + "):
        if word not in SOURCES:
            _refuse("source", cells["source"], "unknown source",
                    f"Of {', '.join(SOURCES)}, joined by ` + `.")  # fmt: skip
    if wrong := fault(cells["formula"], cells["records"].split()):
        _refuse("records", cells["records"], wrong, "Name what the measure takes, in its order.")
    if not cells["where"].strip():
        _refuse("where", cells["where"], "empty", "Name the table, figure or section.")
    unit = cast(Unit, cells["unit"])
    value = _printed(cells["printed"], unit)
    decimals = _decimals(cells, value)
    return Claim(
        id=id,
        paper=cast(Paper, cells["paper"]),
        where=cells["where"],
        row=cells["row"],
        column=cells["column"],
        printed=cells["printed"],
        unit=unit,
        decimals=decimals,
        population=cells["population"],
        formula=cells["formula"],
        records=tuple(cells["records"].split()),
        checks=split_checks(cells["checks"]),
        source=cells["source"],
        value=value,
        half=Fraction(0) if unit == "count" or decimals is None else _half(decimals),
        n=_items(cells["population"]),
        line=line,
    )


def _half(decimals: int) -> Fraction:
    """Half a unit of the last digit."""
    return Fraction(1, 2) / Fraction(10) ** decimals


def _printed(printed: str, unit: Unit) -> Fraction | None:
    if unit == "sentence" and printed != "yes":
        _refuse("printed", printed, "a sentence that is not `yes`", "Write yes.")
    if unit == "name" and not printed.strip():
        _refuse("printed", printed, "an empty name", "Write the name as printed.")
    if unit in TEXT_UNITS or printed == NOT_AVAILABLE:
        return None
    if not PRINTED.fullmatch(printed) or len(printed) > MOST_DIGITS:
        _refuse("printed", printed, f"no number, where the unit {unit} needs one",
                "Write the digits as printed, without thousands separators, or N/A.")  # fmt: skip
    return Fraction(printed)


def _decimals(cells: Mapping[str, str], value: Fraction | None) -> int | None:
    written, printed = cells["decimals"], cells["printed"]
    if value is None:
        if written:
            _refuse("decimals", written, f"decimals of {printed!r}, which is no number",
                    "Leave it empty.")  # fmt: skip
        return None
    if not DECIMALS.fullmatch(written):
        _refuse("decimals", written, "not a small whole number",
                "Count the digits after the point; negative where rounded to tens.")  # fmt: skip
    decimals, digits = int(written), len(printed.partition(".")[2])
    to_tens = decimals < 0 and digits == 0 and value % 10**-decimals == 0
    if decimals != digits and not (to_tens and cells["unit"] != "count"):
        _refuse("decimals", written, f"not the decimals of {printed}",
                f"Printed are {digits}; fewer than none only where it ends in zeros.")  # fmt: skip
    return decimals


def _items(population: str) -> int | None:
    """The number of items that a population begins with."""
    if not population.startswith("n="):
        return None
    found = POPULATION.match(population)
    if found is None:
        _refuse("population", population, "n is no whole number above 0",
                "Begin with n=NUMBER, then a semicolon and words.")  # fmt: skip
    return int(found[1])


def _check(
    text: str,
    claim: Claim,
    claims: Mapping[str, Claim],
    intervals: Mapping[str, Interval | None],
) -> None:
    """Refuses a check that the claim, or the claims it names, cannot bear."""
    check = parse_check(text)
    if not isinstance(check, Comparison) and claim.value is None:
        _refuse("checks", text, f"a check of {claim.printed!r}, which is no number",
                "Only a comparison can stand here.")  # fmt: skip
    for id in references(check):
        if id == claim.id and not isinstance(check, Comparison):
            _refuse("checks", text, "names its own claim", "Name other claims.")
        if id not in claims:
            _refuse("checks", text, f"no claim {id}", "Name the id of a row of this file.")
        if claims[id].is_text:
            _refuse("checks", text, f"{id} is a {claims[id].unit} and no number", "Name a number.")
    if isinstance(check, Attainable):
        if claim.n is None:
            _refuse("checks", text, "k/n without n", "Begin the population with n=NUMBER.")
        if claim.unit not in ("percent", "points"):
            _refuse("checks", text, f"k/n of a {claim.unit}", "It is for shares in percent.")
    try:
        _compute(check, intervals)
    except InputError as error:
        _refuse("checks", text, error.problem, error.remedy or "")


def _compute(check: Check, intervals: Mapping[str, Interval | None]) -> None:
    match check:
        case Attainable():
            return
        case Equation(expression):
            evaluate(expression, intervals)
        case Comparison(left, _, right):
            evaluate(left, intervals)
            evaluate(right, intervals)
        case OneOf(candidates):
            given = [each for each in candidates if not is_missing(each, intervals)]
            if not given:
                raise InputError("no candidate is a number", remedy="Name one that is printed.")
            for candidate in given:
                evaluate(candidate, intervals)


def _refuse(field: str, value: str, problem: str, remedy: str) -> NoReturn:
    raise InputError(problem, field=field, value=value, remedy=remedy)


def _placed(error: InputError, path: str | Path, line: int) -> InputError:
    """The same error, with the place where it stands."""
    return InputError(
        error.problem, file=path, line=line, field=error.field, value=error.value,
        remedy=error.remedy,
    )  # fmt: skip
