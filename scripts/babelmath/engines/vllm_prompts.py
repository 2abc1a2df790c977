"""Prompts of the vLLM engine: from chat messages to token ids with one BOS; ids that end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from babelmath.errors import InputError
from babelmath.prompts import Message
from babelmath.thinking import BEGUN, OPENING

OPENED = re.compile(rf"(?:{OPENING})(\s*)\Z", re.IGNORECASE)
# What `Prompts` itself says to the tokenizer's template.
RESERVED = frozenset({
    "conversation", "messages", "chat_template", "tokenize", "add_generation_prompt",
    "continue_final_message", "return_dict", "return_tensors", "padding", "truncation",
    "max_length", "return_assistant_tokens_mask", "tokenizer_kwargs",
})  # fmt: skip


class Prompts:
    """The chat template of one model.

    Args:
        tokenizer: as transformers gives it.
        arguments: of the template, as enable_thinking.
        template: another template than the tokenizer's own.
        field: the model's place in the configuration.
    """

    def __init__(
        self,
        tokenizer: Any,
        arguments: Mapping[str, Any],
        template: str | None,
        field: str,
    ) -> None:
        self._tokenizer, self._arguments = tokenizer, dict(arguments)
        self._template, self._field = template, field
        bos = tokenizer.bos_token_id
        added = tokenizer.encode("", add_special_tokens=True)
        self._bos: int | None = bos if bos is not None and added[:1] == [bos] else None

    def ids(self, messages: Sequence[Message]) -> list[int]:
        """Token ids of a chat; a trailing assistant message is text that the model continues.

        The template's text is encoded without special tokens: templates write their BOS
        themselves. Where one does not and the tokenizer would add it, it is put in front.

        Raises:
            InputError: the template refuses the messages.
        """
        begun = ""
        if messages and messages[-1]["role"] == "assistant":
            *messages, last = messages
            begun = last["content"]
        text = join(self._rendered(messages), begun)
        ids: list[int] = list(self._tokenizer.encode(text, add_special_tokens=False))
        if self._bos is not None and ids[:1] != [self._bos]:
            ids.insert(0, self._bos)
        return ids

    def _rendered(self, messages: Sequence[Message]) -> str:
        more = dict(self._arguments)
        if self._template is not None:
            more["chat_template"] = self._template
        try:
            return str(
                self._tokenizer.apply_chat_template(
                    [dict(one) for one in messages],
                    tokenize=False,
                    add_generation_prompt=True,
                    **more,
                )
            )
        except Exception as error:
            raise InputError(
                f"the weights' chat template cannot render the messages: {error}",
                field=self._field,
                remedy="Change the prompt's roles or `template`, or name another template under "
                "options.chat_template.",
            ) from error


def join(rendered: str, begun: str) -> str:
    """A rendered prompt with the opening of the model's turn after it.

    Where the template has opened the thinking already, the opening's own tag is left out.
    """
    opened, tag = OPENED.search(rendered), BEGUN.match(begun)
    if opened is None or tag is None:
        return rendered + begun
    rest = begun[tag.end() :]
    return rendered + (rest.lstrip() if opened[1] else rest)


def stop_ids(tokenizer: Any, generation_config: Any) -> list[int]:
    """Ids that end a response: those of generation_config.json and the tokenizer's."""
    found = getattr(generation_config, "eos_token_id", None)
    ids = set(found if isinstance(found, list | tuple) else [found])
    ids.add(tokenizer.eos_token_id)
    return sorted(one for one in ids if isinstance(one, int))


def generation_config(name: str, revision: str | None, field: str) -> Any:
    """What the weights bring as generation_config.json; None where they bring none.

    Args:
        name: a repository or a folder.
        field: the model's place in the configuration.

    Raises:
        InputError: it cannot be told whether they do: without its ids a text might never end.
    """
    from transformers import GenerationConfig

    try:
        if not _is_there(name, revision):
            return None
        return GenerationConfig.from_pretrained(name, revision=revision)
    except (OSError, ValueError) as error:
        raise InputError(
            f"generation_config.json of the weights cannot be read: {error}",
            field=f"{field}.weights", value=name,
            remedy="Fetch it where there is a network, or name a folder that holds the weights.",
        ) from error  # fmt: skip


def _is_there(name: str, revision: str | None) -> bool:
    """Whether weights bring a generation_config.json; OSError where nobody can tell now."""
    import huggingface_hub
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError

    file = "generation_config.json"
    if Path(name).is_dir():
        return Path(name, file).is_file()
    known = huggingface_hub.try_to_load_from_cache(name, file, revision=revision)
    if known is not None:
        return isinstance(known, str)  # else the cache knows that there is none
    try:
        huggingface_hub.hf_hub_download(name, file, revision=revision)
    except LocalEntryNotFoundError as error:
        raise OSError(str(error)) from error
    except EntryNotFoundError:
        return False
    return True
