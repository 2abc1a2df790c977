"""The vLLM engine, for real: SmolLM2-135M on vLLM's CPU build."""

from __future__ import annotations

import json
from pathlib import Path

import psutil
import pytest

from babelmath.asking import Models
from babelmath.config import Model
from babelmath.engines.vllm_offline import BATCHES, VllmOffline, _parameters
from vllm_cpu.asked import answers, identical_share, model, question


def started(before: list[psutil.Process]) -> list[psutil.Process]:
    """Processes that came after some others."""
    return [one for one in psutil.Process().children(recursive=True) if one not in before]


STORY = "Tell me a story about a place you like."


def test_finished_requests_are_handed_on_while_others_run(engine):
    short = [question("Say hello.", seed=n, tokens=2) for n in range(7)]
    long = question(STORY, tokens=150)
    order = [one for one, _ in engine.stream([long, *short], lambda sent: None)]
    assert order[-1] == long and set(order) == {long, *short}


def test_no_more_than_two_batches_are_taken_ahead(engine, smollm):
    sent: list[int] = []
    asked = (question("Count to ten.", seed=n, tokens=4) for n in range(40))
    for done, _ in enumerate(engine.stream(asked, lambda one: sent.append(one.seed))):
        assert len(sent) <= done + BATCHES * smollm.concurrency
    assert sent == list(range(40))


def test_a_response_says_what_was_sent_and_by_what_it_was_computed(engine):
    (response,) = answers(engine, [question(STORY, seed=5, tokens=6)])
    assert response.finish == "length" and response.completion_tokens == 6 and response.text
    assert response.prompt_tokens > 20 and response.failure is None
    sent = response.sent
    assert (sent["temperature"], sent["top_p"], sent["max_tokens"]) == (0.6, 0.95, 6)
    assert (sent["seed"], sent["engine_seed"], sent["stop_token_ids"]) == (5, 0, [2])
    assert sent["vllm"].startswith("vllm-cpu ") and sent["device"] == "cpu"
    assert (sent["tensor_parallel_size"], sent["batch"], sent["eager"]) == (1, 8, True)


def test_a_response_ends_at_the_end_of_turn_whose_token_stays_out_of_the_text(weights, engine):
    asked = question("Say only the word yes.", tokens=100, temperature=0)
    (response,) = answers(engine, [asked])
    assert response.finish == "stop" and response.completion_tokens < 100
    assert "<|im_end|>" not in response.text


def test_an_opened_turn_is_continued_and_not_repeated(engine):
    begun = "The colours of the rainbow are red, orange,"
    (response,) = answers(engine, [question("Name them.", temperature=0, begun=begun)])
    assert response.text.startswith(" yellow")


def test_a_schema_binds_the_reply(engine):
    schema = {"type": "object", "additionalProperties": False, "required": ["decision"],
              "properties": {"decision": {"enum": ["yes", "no"]}}}  # fmt: skip
    asked = [question(f"Is {n} even? {STORY}", seed=n, tokens=40, schema=json.dumps(schema))
             for n in range(6)]  # fmt: skip
    for response in answers(engine, asked):
        assert json.loads(response.text)["decision"] in ("yes", "no")
        assert response.sent["schema"] is True


def test_a_prompt_that_does_not_fit_is_an_answer_of_its_kind(engine):
    sent = []
    long, short = question("word " * 400), question("Say hello.", tokens=2)
    found = dict(engine.stream([long, short], sent.append))
    assert sent == [short] and found[short].finish == "length"
    assert (found[long].finish, found[long].failure) == ("error", None)
    assert "does not fit the context of 256" in found[long].attempts[0]


def test_tokens_are_cut_to_the_room_that_the_context_leaves(engine):
    (response,) = answers(engine, [question("word " * 190 + STORY, tokens=1000)])
    room = 256 - response.prompt_tokens
    assert 0 < room < 60 and response.sent["max_tokens"] == room
    assert response.completion_tokens <= room
    assert response.attempts == [f"max_tokens 1000 cut to {room}: the context's room"]


def test_a_schema_that_cannot_bind_fails_alone(engine):
    bad, good = question("a", schema='{"type": "nonsense"}'), question("Say hello.", tokens=2)
    found = dict(engine.stream([bad, good], lambda sent: None))
    assert found[bad].failure and found[good].failure is None


def test_a_seed_gives_the_same_text_and_other_seeds_give_others(engine):
    asked = [question(STORY, seed=1000 + n, tokens=24, sample=n) for n in range(6)]
    one_at_a_time = [answers(engine, [one])[0].text for one in asked]
    assert len(set(one_at_a_time)) == 6
    again = [answers(engine, [one])[0].text for one in asked]
    assert identical_share(one_at_a_time, again) == 1


def test_closing_in_the_middle_ends_what_runs_and_the_engine_goes_on(engine):
    stream = engine.stream(
        [question(STORY, seed=n, tokens=200) for n in range(30)], lambda sent: None
    )
    next(stream)
    stream.close()
    assert engine._llm.llm_engine.get_num_unfinished_requests() == 0
    assert answers(engine, [question("Say hello.", tokens=2)])[0].finish == "length"


def test_the_identical_share_of_a_repeated_greedy_run_is_measured(engine, record_property):
    asked = [question(f"What is {n} plus {n + 3}?", temperature=0, tokens=24) for n in range(32)]
    runs = [[one.text for one in answers(engine, asked)] for _ in range(2)]
    share = identical_share(*runs)
    place = Path(__file__).resolve().parents[2] / "benchmarks"
    place.mkdir(exist_ok=True)
    found = {"measured": "vllm repeated greedy run", "requests": 32, "identical_share": share}
    (place / "vllm_identical.json").write_text(json.dumps(found) + "\n")
    print(json.dumps(found))
    assert 0 <= share <= 1 and all(runs[0]) and all(runs[1])


@pytest.mark.parametrize("marks_kept", [True, False])
def test_what_is_recorded_as_sent_is_what_vllm_samples_with(marks_kept):
    sent = {"temperature": 0.6, "top_p": 0.95, "max_tokens": 12, "seed": 7,
            "stop_token_ids": [0, 2], "skip_special_tokens": not marks_kept}  # fmt: skip
    parameters = _parameters(sent, None)
    assert {name: getattr(parameters, name) for name in sent} == sent
    assert (parameters.n, parameters.top_k, parameters.min_p) == (1, 0, 0)
    assert (parameters.repetition_penalty, parameters.stop) == (1, [])


def test_the_weights_own_sampling_is_not_applied_and_thinking_keeps_its_marks(weights, tmp_path):
    """The weights ask for one token of all; two end-of-turn ids; marks are special tokens."""
    folder = tmp_path / "weights"
    folder.mkdir()
    for path in weights.iterdir():
        (folder / path.name).symlink_to(path)
    (folder / "generation_config.json").unlink()
    own = {"do_sample": True, "temperature": 1.7, "top_k": 1, "eos_token_id": [2, 0]}
    (folder / "generation_config.json").write_text(json.dumps(own))
    before = psutil.Process().children(recursive=True)
    loaded = VllmOffline(model(folder, thinking="tags"), "models.m")
    asked = [question(STORY, seed=n, tokens=16, temperature=1.0) for n in range(8)]
    found = answers(loaded, asked)
    engines = [one for one in started(before) if "VLLM" in " ".join(one.cmdline())]
    loaded.close()
    assert len({one.text for one in found}) > 1  # top_k 1 would write one text
    assert found[0].sent["stop_token_ids"] == [0, 2]
    assert found[0].sent["skip_special_tokens"] is False
    assert not any("<|im_end|>" in one.text for one in found)
    assert engines
    _, alive = psutil.wait_procs(engines, timeout=30)
    assert not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


def test_an_engine_that_dies_fails_what_it_had_not_answered(weights):
    before = psutil.Process().children(recursive=True)
    loaded = VllmOffline(model(weights), "models.m")
    asked = [question(STORY, seed=n, tokens=4 if n == 0 else 200) for n in range(20)]
    stream = loaded.stream(asked, lambda sent: None)
    found = [next(stream)]
    next(one for one in started(before) if "EngineCore" in " ".join(one.cmdline())).kill()
    found += stream
    assert [one for one, _ in found].count(asked[0]) == 1 and len(found) == 20
    failed = [response for _, response in found if response.failure]
    assert len(failed) >= 18 and all("the engine died" in one.failure for one in failed)
    assert all(one.failure for _, one in loaded.stream(asked[:2], lambda sent: None))
    loaded.close()


def ask(folder: Path, models: Model, requests: list) -> list:
    with Models({"m": models}, folder, "job", None) as opened:
        return [one.response for one in opened.ask("m", requests, "test")]


def test_four_samples_have_seeds_and_texts_of_their_own_also_after_a_resume(weights, tmp_path):
    asked = [question(STORY, seed=7000 + n, tokens=24, sample=n) for n in range(4)]
    first = ask(tmp_path, model(weights), asked[:2])
    both = ask(tmp_path, model(weights), asked)
    assert [one.text for one in both[:2]] == [one.text for one in first]
    assert len({one.text for one in both}) == 4
    assert [one.sent["seed"] for one in both] == [7000, 7001, 7002, 7003]
    lines = [json.loads(one) for one in (tmp_path / "m" / "job.jsonl").read_bytes().splitlines()]
    kinds = [one["kind"] for one in lines]
    assert [kinds.count(one) for one in ("asked", "response")] == [4, 4]
    samples = [one["request"]["sample"] for one in lines if one["kind"] == "response"]
    assert sorted(samples) == list(range(4))


def test_a_temperature_that_vllm_raises_is_recorded_as_it_was(engine):
    first, second = answers(
        engine, [question("Say hello.", tokens=2, temperature=one) for one in (0.001, 0.01)]
    )
    assert first.sent["temperature"] == second.sent["temperature"] == 0.01
    assert "0.001 taken as 0.01" in first.attempts[0] and not second.attempts
