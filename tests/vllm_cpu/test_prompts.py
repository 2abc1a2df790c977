"""Token ids of prompts, with real tokenizers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from babelmath.engines.vllm_prompts import Prompts, stop_ids
from babelmath.errors import InputError

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
