"""What files of results and of what was handed in may hold, damaged ones too."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from babelmath.config import Model
from babelmath.engines.batch_state import BatchState
from babelmath.files import dumps
from unit.batching import APIS, KEY, question

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([
        "message", "code", "status_code", "body", "error", "choices", "usage", "candidates",
        "content", "parts", "text", "finishReason", "finish_reason", "details", "promptFeedback",
    ]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
LINE = st.dictionaries(
    st.sampled_from(["custom_id", "key", "response", "error", "id"]), JSON, max_size=5
)


class Every:
    """Holds every key."""

    def __contains__(self, key: object) -> bool:
        return True


@pytest.fixture(name="api", scope="module", params=APIS)
def an_api(request) -> Iterator[Any]:
    model = Model(display="S", engine=request.param, service="s", base_url="http://127.0.0.1:1/v1")
    more = (model.base_url,) if request.param == "openai" else ()
    api = APIS[request.param](model, *more, KEY, "s")
    yield api
    asyncio.run(api.close())


@settings(max_examples=300, deadline=None)
@given(record=LINE)
def test_whatever_a_line_of_results_holds_it_is_an_answer_or_a_fault(api, record):
    found = api.outcome(record, question("q0"), {}, [], 1.0)
    assert (found.response is None) is (found.fault is not None)
    if found.response is not None:
        assert found.response.failure is None
        dumps(dataclasses.asdict(found.response))
    api.key(record)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(st.sampled_from(["intend", "sending", "taken", "end"]), max_size=8),
       cut=st.integers(0, 3000))  # fmt: skip
def test_a_state_file_cut_anywhere_holds_the_steps_before_the_cut(tmp_path, steps, cut):
    path = tmp_path / "job.batches"
    path.unlink(missing_ok=True)
    state, opens, last = BatchState(tmp_path / "job"), [], None
    for number, step in enumerate(steps):
        if step == "intend":
            last = state.intend([f"{number}a", f"{number}b"], [{"seed": 1, "x": 1}, {"seed": 2}])
        elif last is None:
            continue
        elif step == "sending":
            state.sending(last, "file")
        elif step == "taken":
            state.taken(last, "batch")
        else:
            state.end(last, [next(iter(last.keys))], "collected")
        opens.append((path.stat().st_size, {key for one in state.open_with(Every())
                                            for key in one.open}))  # fmt: skip
    state.close()
    path.write_bytes(path.read_bytes()[:cut])
    again = BatchState(tmp_path / "job")
    again.close()
    before = [held for size, held in opens if size <= cut] or [set()]
    assert {key for one in again.open_with(Every()) for key in one.open} == before[-1]
