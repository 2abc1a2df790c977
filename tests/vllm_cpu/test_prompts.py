"""Token ids of prompts, with real tokenizers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mistral_common
import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import AutoTokenizer, PreTrainedTokenizerFast
from vllm.tokenizers import get_tokenizer

from babelmath.engines.vllm_loading import arguments
from babelmath.engines.vllm_prompts import Prompts, generation_config, stop_ids
from babelmath.errors import InputError
from vllm_cpu.asked import model

USER = {"role": "user", "content": "What is 2 + 2?"}
PLAIN = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}" + (
    "{% if add_generation_prompt %}[assistant]{% endif %}"
)


@pytest.fixture(scope="module")
def smollm2(weights: Path) -> Any:
    return AutoTokenizer.from_pretrained(weights)


def llama_style(template: str) -> PreTrainedTokenizerFast:
    """A byte tokenizer that puts <s> in front of what it encodes, as Llama's does."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {one: number for number, one in enumerate(["<s>", "</s>", *letters])}
    made = Tokenizer(models.BPE(vocabulary, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 0)]
    )
    fast = PreTrainedTokenizerFast(tokenizer_object=made, bos_token="<s>", eos_token="</s>")
    fast.chat_template = template
    return fast


def prompts(tokenizer: Any, template: str | None = None, **arguments: Any) -> Prompts:
    return Prompts(tokenizer, arguments, template, "models.m")


def test_the_prompt_is_the_templates_text_with_its_one_bos(smollm2):
    ids = prompts(smollm2).ids([USER])
    assert ids == smollm2.apply_chat_template([USER], add_generation_prompt=True)["input_ids"]
    assert ids[0] == smollm2.bos_token_id == 1 and ids[1] != 1


@pytest.mark.parametrize("template", [PLAIN, "{{ bos_token }}" + PLAIN], ids=["none", "its own"])
def test_there_is_one_bos_whether_the_template_writes_it_or_the_tokenizer_adds_it(template):
    made = llama_style(template)
    assert made("ab")["input_ids"][0] == 0
    ids = prompts(made).ids([USER])
    assert ids.count(0) == 1 and ids[0] == 0
    assert made.decode(ids[1:]) == "[user]What is 2 + 2?[assistant]"


def test_an_opened_turn_is_continued_after_the_generation_prompt(smollm2):
    begun = "<think>\nLet me see: "
    ids = prompts(smollm2).ids([USER, {"role": "assistant", "content": begun}])
    assert smollm2.decode(ids).endswith(f"<|im_start|>assistant\n{begun}")
    assert ids.count(smollm2.eos_token_id) == prompts(smollm2).ids([USER]).count(2)


@pytest.mark.parametrize(
    ("ending", "begun", "text"),
    [
        ("<think>\n", "<think>\nFirst, ", "[assistant]<think>\nFirst, "),
        ("<think>", "<think>\nFirst, ", "[assistant]<think>\nFirst, "),
        ("[THINK]", "<think>\nFirst, ", "[assistant][THINK]\nFirst, "),
        ("", "<think>\nFirst, ", "[assistant]<think>\nFirst, "),
        ("<think>\n", "First, ", "[assistant]<think>\nFirst, "),
        ("<think>\n\n</think>\n\n", "<think>\nA", "[assistant]<think>\n\n</think>\n\n<think>\nA"),
    ],
)
def test_thinking_that_the_template_opened_is_not_opened_twice(ending, begun, text):
    made = llama_style(PLAIN.replace("[assistant]", "[assistant]" + ending))
    ids = prompts(made).ids([USER, {"role": "assistant", "content": begun}])
    assert made.decode(ids[1:]) == "[user]What is 2 + 2?" + text


def test_template_arguments_and_another_template_are_used():
    made = llama_style(PLAIN)
    other = "{% if enable_thinking %}yes{% else %}no{% endif %}"
    assert made.decode(prompts(made, other, enable_thinking=True).ids([USER])[1:]) == "yes"
    assert made.decode(prompts(made, other, enable_thinking=False).ids([USER])[1:]) == "no"


MISTRAL = "{{ bos_token }}{% for m in messages %}[INST] {{ m.content }} [/INST]{% endfor %}"


def test_a_repository_in_mistrals_own_format_gets_its_control_tokens(tmp_path):
    """Its own tokenizer in vLLM renders text that cannot be encoded again."""
    own = next((Path(mistral_common.__file__).parent / "data").glob("*.model.v3"))
    for name in ("tokenizer.model", "tokenizer.model.v3"):
        (tmp_path / name).write_bytes(own.read_bytes())
    (tmp_path / "consolidated.safetensors").touch()
    (tmp_path / "config.json").write_text('{"model_type": "mistral"}')
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({
        "tokenizer_class": "LlamaTokenizer", "add_bos_token": True, "bos_token": "<s>",
        "eos_token": "</s>", "unk_token": "<unk>", "legacy": False, "chat_template": MISTRAL,
    }))  # fmt: skip
    mode = arguments(model(tmp_path), "models.m", True)["tokenizer_mode"]
    ids = prompts(get_tokenizer(str(tmp_path), tokenizer_mode=mode)).ids([USER])
    assert ids[:2] == [1, 3] and ids[-1] == 4  # <s>, [INST], [/INST]
    assert ids.count(1) == ids.count(3) == 1


@pytest.mark.parametrize("template", [None, "{{ raise_exception('no system role') }}"])
def test_a_template_that_refuses_is_named(template):
    made = llama_style(template or "")
    if template is None:
        made.chat_template = None
    with pytest.raises(InputError, match=r"models\.m: the weights' chat template cannot render"):
        prompts(made).ids([USER])


def test_stop_ids_are_the_weights_and_the_tokenizers(smollm2):
    class Generation:
        eos_token_id: Any = None

    for own, expected in (([7, 2, 5], [2, 5, 7]), (7, [2, 7]), (None, [2])):
        Generation.eos_token_id = own
        assert stop_ids(smollm2, Generation) == expected
    assert stop_ids(smollm2, None) == [2]


# Ids that end a text


def ends(name: str) -> object:
    found = generation_config(name, "0" * 40, "models.m")
    return found and found.eos_token_id


def test_the_ids_of_a_folder_are_read_and_may_be_missing(weights, tmp_path):
    assert ends(str(weights)) == 2
    assert ends(str(tmp_path)) is None
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": [7, 8]}')
    assert ends(str(tmp_path)) == [7, 8]


def test_ids_that_cannot_be_read_stop_the_load(tmp_path):
    (tmp_path / "generation_config.json").write_text("{oops")
    with pytest.raises(InputError, match=r"models\.m\.weights: generation_config\.json"):
        ends(str(tmp_path))


@pytest.mark.parametrize(("known", "expected"), [("there", 5), ("none", None), (None, "error")])
def test_what_the_cache_knows_is_taken_and_what_nobody_can_tell_stops_the_load(
    tmp_path, monkeypatch, known, expected
):
    """A repository in the cache as the hub's client lays it out; nothing is reachable."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    place = tmp_path / "models--some--weights"
    folder = place / ("snapshots" if known == "there" else ".no_exist") / ("0" * 40)
    if known:
        folder.mkdir(parents=True)
        (folder / "generation_config.json").write_text('{"eos_token_id": 5}')
    if expected == "error":
        with pytest.raises(InputError, match=r"generation_config\.json .* cannot be read"):
            ends("some/weights")
    else:
        assert ends("some/weights") == expected
