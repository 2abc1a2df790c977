"""Which generations a number comes from, in one notation: the explorer's address, a table's link.

A query names keys and their values, as `benchmark=mmath&lang=fr,en`: values of a key are parted by
commas, everything in a value but letters, digits and `_.-~` is percent-encoded, an absent key takes
all. resources/explorer/selection.js reads the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from urllib.parse import quote, unquote_to_bytes

from babelmath.errors import InputError

OPEN = "open"  # the explorer's own key: the generation that is shown; it selects nothing
WORDS: Mapping[str, tuple[str, ...]] = {
    "reading": ("paper", "strict"),
    "target": ("on", "off"),
    "answers": ("on", "off"),
    "disagree": ("yes", "no"),
}
_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


@dataclass(frozen=True)
class Records:
    """Generations by their values: of each key one of these, of a key without values any.

    `benchmark`, `setting`, `model`, `lang`, `id`, `sample`: the key of a generation; `kind`
    (MathMist) and `subset` (MMATH): its problem's; `finish`: how it ended. `state`: a word of
    outcomes.STATES. `scorer`: whose `status` is meant (none: the scorer of the run's protocol).
    `reading` (paper, strict; none: the run's protocol): which language labels are meant by
    `thinking` and `answering` (a label), `target` and `answers` (on: the label of the thinking or
    answering part is the question's language; off: another or none). `disagree`: whether a judge
    and the strict rule decided differently.

    Raises:
        InputError: an empty value, or one that is no word of its key.
    """

    benchmark: tuple[str, ...] = ()
    setting: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    lang: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    subset: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    scorer: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    thinking: tuple[str, ...] = ()
    answering: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    disagree: tuple[str, ...] = ()
    finish: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    sample: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for key in KEYS:
            values = getattr(self, key)
            for value in values:
                if not value:
                    raise InputError("empty value", field=key, remedy="Leave the key out.")
                if key in WORDS and value not in WORDS[key]:
                    raise InputError("no such value", field=key, value=value,
                                     remedy=f"Write {' or '.join(WORDS[key])}.")  # fmt: skip
            if key in ("scorer", "reading") and len(values) > 1:
                raise InputError("takes one value", field=key, value=",".join(values),
                                 remedy="Name one.")  # fmt: skip

    def query(self) -> str:
        """The query string, keys in the order of the fields; empty for all generations."""
        return "&".join(
            f"{key}={','.join(quote(value, safe='') for value in getattr(self, key))}"
            for key in KEYS
            if getattr(self, key)
        )


KEYS = tuple(one.name for one in fields(Records))


def parse(text: str) -> Records:
    """A query string as written by `query`; the explorer's `open` is passed over.

    Raises:
        InputError: no key=value, an unknown or repeated key, a value that is empty, no word of its
            key, or not percent-encoded UTF-8.
    """
    found: dict[str, tuple[str, ...]] = {}
    for part in text.split("&") if text else ():
        key, equals, values = part.partition("=")
        if not equals:
            raise InputError("not key=value", value=part, remedy="Write key=value.")
        if key not in (*KEYS, OPEN):
            raise InputError("no such key", field=key, remedy=f"Keys: {', '.join(KEYS)}, {OPEN}.")
        if key in found:
            raise InputError("stands twice", field=key, remedy="Part values by commas.")
        found[key] = tuple(_decoded(value, key) for value in values.split(","))
    found.pop(OPEN, None)
    return Records(**found)


def _decoded(value: str, key: str) -> str:
    remedy = "Write percent-encoded UTF-8."
    if _STRAY_PERCENT.search(value):
        raise InputError("a lone %", field=key, value=value, remedy=remedy)
    try:
        return unquote_to_bytes(value).decode("utf-8")
    except UnicodeError:
        raise InputError("not UTF-8", field=key, value=value, remedy=remedy) from None
