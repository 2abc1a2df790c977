"""What an error of an OpenAI-compatible service means, and what helps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from babelmath.config import Model
from babelmath.engines.attempts import Fault
from babelmath.engines.openai_bodies import text_of
from babelmath.engines.pace import told_wait

# A prompt that does not fit is the request's own fate and an answer of its kind; other refusals (a
# wrong parameter, key or name) are mended outside and asked again.
# "Too many tokens, please wait" with 429, or a gateway's "took too long", is none: only a refusal
# says it in such words, and a broken server of the context alone.
TOO_LONG = re.compile(r"context (?:size|length|window)|too (?:long|many tokens)", re.IGNORECASE)
CONTEXT = re.compile(r"context (?:size|length|window)", re.IGNORECASE)
REFUSALS = (400, 413, 422)
TOO_LONG_CODES = ("context_length_exceeded", "exceed_context_size_error")
BLOCKED_CODES = ("content_filter", "content_policy_violation")  # a refused prompt: no completion
# Nothing that is sent after these will be answered: a key, an account, an address or a name is
# wrong. The same status with another code (429: too fast) passes.
STOPPED = (401, 402, 403, 404)
SPENT_CODES = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")
PASSING = (408, 409, 425)  # 4xx that are as passing as 5xx
OVERLOADED = re.compile(r"overloaded|at capacity", re.IGNORECASE)
PARAMETER = re.compile(r"unsupported (?:parameter|value): '([a-z_.]+)'", re.IGNORECASE)
TOKENS_FIELDS = ("max_tokens", "max_completion_tokens")


def fault_of(status: int, error: Any, headers: Mapping[str, str], model: Model, key: str) -> Fault:
    """What a refused request's status and error object say.

    Args:
        error: the body's `error` object, or the whole body where it has none.
        key: taken out of what the service says, since some repeat it.
    """
    held = error if isinstance(error, dict) else {}
    said = _said(held, key)
    note = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    codes = {str(held.get("code")), str(held.get("type"))}
    wait = told_wait(headers)
    if codes & set(BLOCKED_CODES):
        return Fault("blocked", note)
    if codes & set(SPENT_CODES) or status == 402:
        return Fault("stop", note, "The account's quota is used up: look at the service's billing.")
    if _too_long(status, said) or codes & set(TOO_LONG_CODES):
        return Fault("too long", note)
    crowded = status in (429, 503, 529) or bool(status >= 500 and OVERLOADED.search(said))
    if status in (429, 529) or (crowded and (wait is not None or OVERLOADED.search(said))):
        return Fault("put off", note, wait=wait, crowded=True)
    if status >= 500 or status in PASSING:
        return Fault("failed", note, wait=wait, crowded=crowded or status == 408)
    if status in STOPPED or status < 400:
        return Fault("stop", note, _remedy(status, model))
    remedy = _parameter(said, held, key) if status in (400, 422) else ""
    return Fault("stop" if remedy else "refused", note, remedy)  # all requests have the parameter


def _too_long(status: int, said: str) -> bool:
    """Whether the words are about a prompt that does not fit."""
    words = TOO_LONG if status in REFUSALS else CONTEXT if status == 500 else None
    return words is not None and words.search(said) is not None


def _said(error: Mapping[str, Any], key: str) -> str:
    """What the service says, without the key that some repeat."""
    text = error.get("message")
    text = text_of(text) if isinstance(text, str) else ""
    return (text.replace(key, "[key]") if key != "none" else text)[:300]


def _remedy(status: int, model: Model) -> str:
    if status < 400:
        return "Set the model's base_url to where it leads: redirects are not followed."
    if status == 404:
        after = f" (its successor may be {model.substitute})" if model.substitute else ""
        return f"Check the model's service{after} and base_url."
    return f"Check the key in {model.key_variable or 'OPENAI_API_KEY'} and what it may use."


def _parameter(said: str, error: Mapping[str, Any], key: str) -> str:
    """How a refused parameter is set otherwise in the configuration."""
    found = PARAMETER.search(said)
    name = found.group(1) if found else None
    if name is None and str(error.get("code")) in ("unsupported_parameter", "unsupported_value"):
        name = _said({"message": str(error.get("param"))}, key)[:60]
    if name in TOKENS_FIELDS:
        other = TOKENS_FIELDS[1 - TOKENS_FIELDS.index(name)]
        return f"Set the model's tokens_field to {other}, or add a rule to parameter_rules."
    return f"Add {name} to the model's refused, or a rule to parameter_rules." if name else ""
