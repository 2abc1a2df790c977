"""The notation of selected generations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.errors import InputError
from babelmath.selection import KEYS, WORDS, Records, parse

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


def _values(key: str) -> st.SearchStrategy[tuple[str, ...]]:
    word = st.sampled_from(WORDS[key]) if key in WORDS else TEXTS
    return st.lists(word, max_size=1 if key in ("scorer", "reading") else 3).map(tuple)


RECORDS = st.fixed_dictionaries({key: _values(key) for key in KEYS}).map(lambda one: Records(**one))


@given(RECORDS)
def test_a_selection_written_is_read_back(records: Records) -> None:
    query = records.query()
    assert parse(query) == records
    assert query.isascii() and not set(query) & set(" \"'<>#?")


@given(RECORDS)
def test_an_opened_generation_selects_nothing(records: Records) -> None:
    parts = [one for one in (records.query(), "open=mmath/native/m/fr/1/0") if one]
    assert parse("&".join(parts)) == records


@pytest.mark.parametrize(
    ("records", "query"),
    [
        (Records(), ""),
        (
            Records(benchmark=("mmath",), model=("qwq-32b",), lang=("fr", "zh")),
            "benchmark=mmath&model=qwq-32b&lang=fr,zh",
        ),
        (Records(state=("correct, other language",)), "state=correct%2C%20other%20language"),
        (Records(id=("a&b=c,d#e",)), "id=a%26b%3Dc%2Cd%23e"),
        (Records(id=("স্ত্রী",)), "id=%E0%A6%B8%E0%A7%8D%E0%A6%A4%E0%A7%8D%E0%A6%B0%E0%A7%80"),
    ],
)
def test_selections_are_written_so(records: Records, query: str) -> None:
    assert records.query() == query


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("colour=red", "no such key"),
        ("lang=fr&lang=en", "stands twice"),
        ("lang", "not key=value"),
        ("lang=fr&", "not key=value"),
        ("lang=", "empty value"),
        ("lang=fr,", "empty value"),
        ("target=maybe", "no such value"),
        ("reading=paper,strict", "takes one value"),
        ("id=%zz", "a lone %"),
        ("id=%ff", "not UTF-8"),
        ("id=%ed%a0%80", "not UTF-8"),
    ],
)
def test_what_is_no_selection_is_refused(query: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse(query)
