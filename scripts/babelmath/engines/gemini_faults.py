"""What an error of Gemini's service means, and what helps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from babelmath.config import Model
from babelmath.engines.attempts import Fault
from babelmath.engines.openai_bodies import text_of
from babelmath.engines.pace import LONGEST_WAIT, told_wait

# A prompt that does not fit is the request's own fate and an answer of its kind.
TOO_LONG = re.compile(
    r"token count .*exceeds|exceeds the maximum number of tokens|payload size exceeds",
    re.IGNORECASE | re.DOTALL,
)
BAD_KEY = re.compile(r"API[ _]key (?:not valid|expired|not found)", re.IGNORECASE)
BAD_KEY_REASONS = ("API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_SERVICE_BLOCKED")
SPENT = re.compile(r"spending cap|credits are depleted", re.IGNORECASE)
DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")  # protobuf's, as JSON holds it
PASSING = (408, 409, 425, 499)  # 4xx that are as passing as 5xx


def fault_of(
    status: int, body: Any, headers: Mapping[str, str], model: Model, name: str, key: str
) -> Fault:
    """What a refused request's status and body say.

    Args:
        body: the reply as JSON; {"message": text} where it was none.
        name: the model's name in requests.
        key: taken out of what the service says, should it repeat it.
    """
    error = _error(body)
    said = _said(error, key)
    note = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    details = list(_details(error))
    wait = _wait(details, headers)
    if status == 429:
        if stop := _spent(details, said, key):
            return Fault("stop", note, stop)
        return Fault("put off", note, wait=wait, crowded=True)
    if status == 503 and (wait is not None or error.get("status") == "UNAVAILABLE"):
        return Fault("put off", note, wait=wait, crowded=True)
    if status >= 500 or status in PASSING:
        return Fault("failed", note, wait=wait, crowded=status in (408, 503, 504))
    if status < 300:  # 200 is the one status of an answer
        return Fault("failed", note, unknown=True)
    if status < 400:
        remedy = "Set the model's base_url to where it leads: redirects are not followed."
        return Fault("stop", note, remedy)
    if status == 413 or (status == 400 and TOO_LONG.search(said)):
        return Fault("too long", note)
    reasons = {str(one.get("reason")) for one in details}
    bad_key = reasons & set(BAD_KEY_REASONS) or BAD_KEY.search(said)
    if status in (401, 403) or (status == 400 and bad_key):
        variable = model.key_variable or "GEMINI_API_KEY"
        return Fault("stop", note, f"Check the key in {variable} and what it may use.")
    if status == 404:
        after = f" (its successor may be {model.substitute})" if model.substitute else ""
        return Fault("stop", note, f"Check the model's service {name}{after} and base_url.")
    if status == 400 and error.get("status") == "FAILED_PRECONDITION":
        return Fault("stop", note, "Look at the account's billing and where it may be used from.")
    return Fault("refused", note)


def _error(body: Any) -> dict[str, Any]:
    """The error object of a reply; some gateways leave out its name."""
    held = body if isinstance(body, dict) else {}
    error = held.get("error", held)
    return error if isinstance(error, dict) else {"message": error}


def _said(error: Mapping[str, Any], key: str) -> str:
    """What the service says, without the key."""
    text = error.get("message")
    text = text_of(text) if isinstance(text, str) else ""
    return (text.replace(key, "[key]") if key != "none" else text)[:300]


def _details(error: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    held = error.get("details")
    yield from (one for one in (held if isinstance(held, list) else []) if isinstance(one, dict))


def _wait(details: Iterable[Mapping[str, Any]], headers: Mapping[str, str]) -> float | None:
    """Seconds that the service asks to wait: RetryInfo's, else the header's; at most 300."""
    for one in details:
        if (found := DURATION.fullmatch(str(one.get("retryDelay")))) is not None:
            return min(float(found.group(1)), LONGEST_WAIT)
    return told_wait(headers)


def _spent(details: Iterable[Mapping[str, Any]], said: str, key: str) -> str:
    """Why waiting a while cannot help against a 429, or nothing."""
    for detail in details:
        violations = detail.get("violations")
        for one in violations if isinstance(violations, list) else []:
            quota = one if isinstance(one, dict) else {}
            name = _said({"message": str(quota.get("quotaId"))}, key)[:100]
            if "PerDay" in name:
                return f"The quota of a day is used up ({name}): run again tomorrow, or raise it."
            if str(quota.get("quotaValue")) == "0":
                return f"The account has no quota for this model ({name})."
    return "Look at the account's billing." if SPENT.search(said) else ""
