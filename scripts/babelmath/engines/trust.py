"""Whom connections trust."""

from __future__ import annotations

import functools
import ssl

import httpx2


@functools.cache
def trust() -> ssl.SSLContext:
    """The machine's certificates, read once: each reading takes a while."""
    return httpx2.create_ssl_context()
