"""Exact answers that rules can read: each is checked before anything is asked, and listed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields

from babelmath.languages import Language
from babelmath.records import Problem
from babelmath.scoring.equivalence import Comparer
from babelmath.scoring.extraction import gold_readings
from babelmath.scoring.golds import check_gold


@dataclass(frozen=True)
class GoldLine:
    """One exact answer: as written, in plain notation, its form, and whether rules can read it.

    `reason` says what is in the way where it is not read or does not equal itself.
    """

    id: str
    lang: str
    answer: str
    plain: str
    form: str
    parsed: bool
    equals_itself: bool
    reason: str

    @property
    def by_rule(self) -> bool:
        """Whether responses are compared with it by rule; else a judge decides on them."""
        return self.parsed and self.equals_itself


def gold_lines(
    problems: Iterable[Problem],
    languages: Mapping[str, Language],
    western: bool,
    comparer: Comparer,
) -> Iterator[GoldLine]:
    """Each problem's exact answer, checked.

    Args:
        western: exact answers are written in Western notation whatever the language (MMATH).
    """
    for problem in problems:
        readings = gold_readings(problem.answer, languages[problem.lang], western)
        plain = tuple(one.text for one in readings)
        check = check_gold(plain, comparer)
        yield GoldLine(
            problem.id, problem.lang, problem.answer, " or ".join(dict.fromkeys(plain)),
            check.form, check.parsed, check.equal_to_itself, check.reason,
        )  # fmt: skip


def gold_csv(lines: Iterable[GoldLine]) -> str:
    """The list as CSV, with true and false as the tables read them."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [one.name for one in fields(GoldLine)]
    writer.writerow(names)
    for line in lines:
        values = [getattr(line, name) for name in names]
        writer.writerow([str(one).lower() if isinstance(one, bool) else one for one in values])
    return stream.getvalue()
