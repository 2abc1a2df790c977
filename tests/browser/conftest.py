"""Chromium, driven by playwright, and the page it reads.

Every test fails that leaves an error or warning in the console, or for which a request goes to
anything but the page's own files.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync")  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip where there is no browser; in CI these tests must run."""
    reason = None if CHROMIUM else "no chromium: install the package chromium"
    try:
        import playwright  # noqa: F401
    except ImportError:
        reason = "no playwright: run `make test-browser`"
    if reason and os.environ.get("CI") != "true":
        for item in items:
            if Path(item.path).parent == Path(__file__).parent:
                item.add_marker(pytest.mark.skip(reason=reason))


@dataclass
class Watched:
    """A tab with what it asked for and complained of."""

    page: Page
    origin: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, query: str = "") -> None:
        """The page at a place, when it is ready."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.origin}/index.html{'#' if query else ''}{query}")
        self.page.wait_for_selector("body[data-ready]")

    def count(self) -> str:
        return self.page.inner_text("#count")

    def detail(self) -> str:
        """The text of the opened generation, when it is there."""
        self.page.wait_for_selector("#detail[aria-busy=false] section")
        return self.page.inner_text("#detail")

    def failed(self, url: str, how: str | None) -> None:
        """A request without an answer; one that the next page cut off is no fault."""
        if how != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {url} ({how})")

    def until(self, expression: str) -> None:
        """Wait until a JavaScript expression holds; playwright's own way needs eval in the page."""
        for _ in range(600):
            if self.page.evaluate(expression):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never: {expression}")

    def hash(self) -> str:
        return str(self.page.evaluate("location.hash"))


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield chromium
        chromium.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="session")
def served() -> Iterator[Any]:
    """A function from a folder to its address on the loopback."""
    servers: list[http.server.ThreadingHTTPServer] = []

    def serve(folder: Path) -> str:
        handler = functools.partial(_Quiet, directory=str(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Any]:
    """A function from an origin to a fresh tab."""
    made: list[Watched] = []

    def new(origin: str, **how: Any) -> Watched:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | how))
        watched = Watched(context.new_page(), origin)
        page = watched.page
        page.on("request", lambda one: watched.requests.append(one.url))
        page.on("console", lambda one: watched.complaints.append(f"{one.type}: {one.text}"))
        page.on("pageerror", lambda one: watched.complaints.append(f"error: {one}"))
        page.on("requestfailed", lambda one: watched.failed(one.url, one.failure))
        made.append(watched)
        return watched

    yield new
    for one in made:
        one.page.context.close()
        assert one.complaints == []
        outside = [url for url in one.requests
                   if not url.startswith((f"{one.origin}/", "data:", "about:"))]  # fmt: skip
        assert outside == []
