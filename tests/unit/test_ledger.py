"""The ledger: what was sent, what came back, what it cost; columns that add up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.accounts import most_tokens
from babelmath.engines.base import Request, Response
from babelmath.errors import InputError
from babelmath.journal.store import Journal
from babelmath.ledger import Money, ledger
from babelmath.prices import Rate

COUNTS = (
    "asked", "responses", "failures", "unanswered", "prompt_tokens", "completion_tokens",
    "asked_again",
)  # fmt: skip
ANSWER = Response(text="2", finish="stop", prompt_tokens=7, completion_tokens=3)
FAILURE = Response(attempts=["HTTP 500"], failure="HTTP 500")


def request(question: str, purpose: str = "generation", lang: str = "en") -> Request:
    return Request(
        purpose=purpose, lang=lang, messages=(("user", question),), temperature=0.0, top_p=1.0,
        max_tokens=8, sample=0, seed=1,
    )  # fmt: skip


def happened(
    folder: Path, job: str, *events: tuple[Request, int, Response | None], model: str = "small"
) -> None:
    """A run of a job: requests, the times each was sent, and what came back (None: a kill)."""
    journal = Journal(folder / model, job)
    for item, times, answer in events:
        key = item.key({"engine": model})
        for _ in range(times):
            journal.asked(key, item)
        if answer is not None:
            journal.add(key, item, answer)
    journal.close()


def rows(folder: Path, *models: str, **budget: int) -> dict[tuple[str, str, str], dict[str, Any]]:
    frame = ledger(folder, models or ("small",), budget or None)
    return {(row["model"], row["purpose"], row["lang"]): row for row in frame.iter_rows(named=True)}


def counts(row: dict[str, Any]) -> dict[str, int]:
    """The counts of a row that are not 0."""
    return {name: row[name] for name in COUNTS if row[name]}


def test_an_empty_journal_gives_an_empty_table(tmp_path):
    frame = ledger(tmp_path, ["small"], {"en": 100})
    assert frame.height == 0
    assert frame.columns == ["model", "purpose", "lang", "asked", "responses", "failures",
                             "unanswered", "unknown_fate", "prompt_tokens", "completion_tokens",
                             "thinking_tokens", "asked_again", "cost", "possible_cost", "most",
                             "budget", "within_budget"]  # fmt: skip


def test_a_row_for_each_model_purpose_and_language_and_a_total_for_each_language(tmp_path):
    happened(
        tmp_path, "job", (request("a"), 1, ANSWER), (request("b", "judging"), 1, ANSWER),
        (request("c", lang="th"), 1, ANSWER),
    )  # fmt: skip
    happened(tmp_path, "job", (request("a"), 1, ANSWER), model="large")
    assert list(rows(tmp_path, "small", "large")) == [
        ("large", "generation", "en"),
        ("small", "generation", "en"),
        ("small", "generation", "th"),
        ("small", "judging", "en"),
        ("total", "total", "en"),
        ("total", "total", "th"),
    ]


def test_only_the_named_models_are_counted(tmp_path):
    happened(tmp_path, "job", (request("a"), 1, ANSWER))
    happened(tmp_path, "job", (request("a"), 1, ANSWER), model="large")
    assert ("large", "generation", "en") not in rows(tmp_path, "small")


@pytest.mark.parametrize(
    ("event", "counted"),
    [
        ((request("a"), 1, ANSWER),
         {"asked": 1, "responses": 1, "prompt_tokens": 7, "completion_tokens": 3}),
        ((request("a"), 3, ANSWER),
         {"asked": 3, "responses": 1, "prompt_tokens": 7, "completion_tokens": 3}),
        ((request("a"), 3, FAILURE), {"asked": 3, "failures": 1}),
        ((request("a"), 1, None), {"asked": 1, "unanswered": 1}),
        ((request("a"), 2, None), {"asked": 2, "unanswered": 2}),
    ],
)  # fmt: skip
def test_what_one_request_adds(tmp_path, event, counted):
    happened(tmp_path, "job", event)
    found = rows(tmp_path)
    assert counts(found["small", "generation", "en"]) == counted
    assert counts(found["total", "total", "en"]) == counted


def test_a_request_that_was_killed_and_then_answered_stays_counted(tmp_path):
    happened(tmp_path, "job", (request("a"), 1, None))
    happened(tmp_path, "job", (request("a"), 2, ANSWER))
    assert counts(rows(tmp_path)["small", "generation", "en"]) == {
        "asked": 3, "responses": 1, "unanswered": 1, "prompt_tokens": 7, "completion_tokens": 3,
    }  # fmt: skip


def test_a_request_that_failed_and_then_was_answered_is_not_asked_again(tmp_path):
    happened(tmp_path, "job", (request("a"), 3, FAILURE))
    happened(tmp_path, "job", (request("a"), 1, ANSWER))
    assert counts(rows(tmp_path)["small", "generation", "en"]) == {
        "asked": 4, "responses": 1, "failures": 1, "prompt_tokens": 7, "completion_tokens": 3,
    }  # fmt: skip


def test_asking_for_what_is_journalled_is_told(tmp_path):
    happened(tmp_path, "job", (request("a"), 1, ANSWER), (request("a"), 1, ANSWER))
    found = rows(tmp_path)
    assert found["small", "generation", "en"]["asked_again"] == 1
    assert found["total", "total", "en"]["asked_again"] == 1


def test_another_job_that_asks_for_what_is_journalled_is_told(tmp_path):
    happened(tmp_path, "a", (request("a"), 1, ANSWER))
    happened(tmp_path, "b", (request("a"), 1, ANSWER))
    assert rows(tmp_path)["small", "generation", "en"]["asked_again"] == 1


@pytest.mark.parametrize(
    ("limit", "within"), [(0, False), (9, False), (10, True), (11, True), (None, None)]
)
def test_a_budget_is_kept_up_to_its_last_token(tmp_path, limit, within):
    happened(tmp_path, "job", (request("a"), 1, ANSWER), (request("c", lang="th"), 1, ANSWER))
    found = rows(tmp_path, **({} if limit is None else {"en": limit}))
    total = found["total", "total", "en"]
    assert (total["budget"], total["within_budget"]) == (limit, within)
    for name in (("small", "generation", "en"), ("total", "total", "th")):
        assert (found[name]["budget"], found[name]["within_budget"]) == (None, None)


def test_a_budget_covers_all_models_and_purposes(tmp_path):
    happened(tmp_path, "job", (request("a"), 1, ANSWER), (request("b", "judging"), 1, ANSWER))
    happened(tmp_path, "job", (request("a"), 1, ANSWER), model="large")
    assert rows(tmp_path, "small", "large", en=29)["total", "total", "en"]["within_budget"] is False
    assert rows(tmp_path, "small", "large", en=30)["total", "total", "en"]["within_budget"] is True


@pytest.mark.parametrize("left", [1, 40, 100])
def test_a_line_cut_short_by_a_kill_is_not_counted(tmp_path, left):
    happened(tmp_path, "job", (request("a"), 1, ANSWER))
    path = tmp_path / "small" / "job.jsonl"
    data = path.read_bytes()
    path.write_bytes(data + data[:left])
    assert counts(rows(tmp_path)["small", "generation", "en"])["asked"] == 1


def test_a_damaged_line_is_refused_by_file_and_line(tmp_path):
    happened(tmp_path, "job", (request("a"), 1, ANSWER))
    path = tmp_path / "small" / "job.jsonl"
    path.write_bytes(path.read_bytes() + b'{"kind": \n')
    with pytest.raises(InputError) as caught:
        ledger(tmp_path, ["small"], None)
    assert (caught.value.file, caught.value.line) == (str(path), 3)


EVENTS = st.tuples(
    st.sampled_from("abcdef"),
    st.sampled_from(["generation", "judging"]),
    st.sampled_from(["en", "th"]),
    st.integers(1, 3),
    st.sampled_from([ANSWER, FAILURE, None]),
)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["one", "two"]), st.lists(EVENTS, max_size=5)),
                max_size=4))  # fmt: skip
def test_columns_add_up_whatever_happened(tmp_path_factory, runs):
    folder = tmp_path_factory.mktemp("journal")
    asked = responses = failures = settled = 0
    for job, events in runs:
        sent = [
            (request(f"{question} {purpose} {lang}", purpose, lang), times, answer)
            for question, purpose, lang, times, answer in events
        ]
        happened(folder, job, *sent)
        pending: dict[Request, int] = {}
        for item, times, answer in sent:
            asked += times
            pending[item] = pending.get(item, 0) + times
            responses += answer is ANSWER
            failures += answer is FAILURE
            settled += pending.pop(item) if answer is not None else 0
    found = rows(folder)
    totals = [row for row in found.values() if row["model"] == "total"]
    others = [row for row in found.values() if row["model"] != "total"]
    for name in COUNTS:
        for lang in ("en", "th"):
            summed = sum(row[name] for row in others if row["lang"] == lang)
            assert summed == sum(row[name] for row in totals if row["lang"] == lang)
    sums = {name: sum(row[name] for row in totals) for name in COUNTS}
    assert (sums["asked"], sums["responses"], sums["failures"]) == (asked, responses, failures)
    assert sums["unanswered"] == asked - settled
    assert sums["prompt_tokens"] == 7 * responses
    assert sums["completion_tokens"] == 3 * responses


def test_the_order_of_the_files_does_not_make_a_request_asked_again(tmp_path):
    """Job b sends and is killed before the answer; job a then asks and is answered."""
    folder = tmp_path / "m"
    sent = Request("generation", "en", (("user", "q"),), 0.0, 1.0, 8, 0, 1)
    killed = Journal(folder, "b")
    killed.asked("k" * 64, sent)
    killed.close()
    after = Journal(folder, "a")
    after.asked("k" * 64, sent)
    after.add("k" * 64, sent, Response(text="2", finish="stop"))
    after.close()
    frame = ledger(tmp_path, ["m"], None)
    total = frame.filter(frame["model"] == "total")
    assert total["asked_again"].to_list() == [0]
    assert total["unanswered"].to_list() == [1]


# Money


def test_costs_stand_where_a_model_has_a_price(tmp_path):
    kept = Response(text="2", finish="stop", prompt_tokens=1000, completion_tokens=500,
                    thinking_tokens=400, unknown=2)  # fmt: skip
    happened(tmp_path, "job", (request("a"), 3, kept), (request("c", lang="th"), 1, ANSWER))
    happened(tmp_path, "job", (request("a"), 1, ANSWER), model="own")
    most = most_tokens(request("a"))
    frame = ledger(
        tmp_path, ["small", "own"], None, Money({"small": Rate(2.0, 10.0)}, ["small"], most=0.01)
    )
    held = {(row["model"], row["lang"]): row for row in frame.iter_rows(named=True)}
    assert list(held) == [("own", "en"), ("small", "en"), ("small", "th"), ("total", "en"),
                          ("total", "th"), ("all", "all")]  # fmt: skip
    costs = {place: row["cost"] for place, row in held.items()}
    assert costs == {
        ("own", "en"): None, ("small", "en"): pytest.approx(0.007),
        ("small", "th"): pytest.approx(0.000044), ("total", "en"): pytest.approx(0.007),
        ("total", "th"): pytest.approx(0.000044), ("all", "all"): pytest.approx(0.007044),
    }  # fmt: skip
    row = held["all", "all"]
    assert (row["unknown_fate"], row["thinking_tokens"], row["responses"]) == (2, 400, 3)
    assert row["possible_cost"] == pytest.approx(2 * (most[0] * 2 + most[1] * 10) / 1e6)
    assert (row["most"], row["within_budget"]) == (0.01, True)


@pytest.mark.parametrize(("most", "kept"), [(0.000044, True), (0.00004, False), (None, None)])
def test_the_cap_is_kept_up_to_its_last_cent(tmp_path, most, kept):
    happened(tmp_path, "job", (request("a"), 1, ANSWER))
    frame = ledger(tmp_path, ["small"], None, Money({"small": Rate(2.0, 10.0)}, most=most))
    assert frame.filter(model="all")["within_budget"].to_list() == [kept]


@pytest.mark.parametrize(
    ("times", "answer", "fates"),
    [(2, None, 2), (3, FAILURE, 0), (3, Response(failure="late", unknown=3), 3), (1, ANSWER, 0)],
)
def test_fates_that_are_unknown_are_those_of_services(tmp_path, times, answer, fates):
    happened(tmp_path, "job", (request("a"), times, answer))
    for services, counted in ((["small"], fates), ([], 0), (None, fates)):
        frame = ledger(tmp_path, ["small"], None, Money(services=services))
        assert frame["unknown_fate"].to_list() == [counted] * 3


def test_a_part_of_a_batch_that_another_run_handed_in_is_answered(tmp_path):
    happened(tmp_path, "job", (request("a"), 1, None), (request("b"), 1, None))
    happened(tmp_path, "job", (request("a"), 0, ANSWER), (request("b"), 0, FAILURE))
    assert counts(rows(tmp_path)["small", "generation", "en"]) == {
        "asked": 2, "responses": 1, "failures": 1, "unanswered": 1, "prompt_tokens": 7,
        "completion_tokens": 3,
    }  # fmt: skip
