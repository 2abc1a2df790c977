"""Seeds: one for the run, and from it one for everything that is asked or drawn."""

from __future__ import annotations

import hashlib


def seed_of(run_seed: int, *parts: object) -> int:
    """A 31-bit seed from the run's seed and what is asked: neighbours share nothing."""
    text = "\x1f".join(map(str, (run_seed, *parts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") & 0x7FFFFFFF
