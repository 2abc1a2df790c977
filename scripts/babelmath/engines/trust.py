"""Whom connections trust, and through which proxies they go."""

from __future__ import annotations

import functools
import ssl
from collections.abc import Callable
from typing import TypeVar

import httpx2

from babelmath.errors import InputError

Made = TypeVar("Made")


@functools.cache
def trust() -> ssl.SSLContext:
    """The machine's certificates, read once: each reading takes a while.

    Raises:
        InputError: the environment names certificates that are not there or cannot be read.
    """
    try:
        return httpx2.create_ssl_context()
    except OSError as error:  # ssl.SSLError is one
        raise InputError(
            f"no certificates can be read: {error.strerror or error}",
            field="SSL_CERT_FILE, SSL_CERT_DIR",
            remedy="Unset these environment variables, or name files that are there.",
        ) from None


def through_proxies(make: Callable[[], Made]) -> Made:
    """What a maker of HTTP clients makes.

    Raises:
        InputError: a proxy of the environment is of a kind that no client here speaks.
    """
    try:
        return make()
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        raise InputError(
            f"a proxy that the environment names cannot be used: {str(error)[:200]}",
            field="ALL_PROXY, HTTPS_PROXY, HTTP_PROXY",
            remedy="Name an HTTP proxy, or unset these environment variables.",
        ) from None
