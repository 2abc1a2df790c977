"""Progress of a job: a bar on a terminal, plain lines in its log."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from tqdm import tqdm


class Progress:
    """Counts finished requests of one job.

    Args:
        label: what the job does, as `mathmist zero-shot smollm2-135m`.
        log: the job's log file; lines are appended.
        total: requests in all.
        every: seconds between two lines.
    """

    def __init__(self, label: str, log: Path | None, total: int, every: float = 10.0) -> None:
        self._label, self._total, self._every = label, total, every
        self._done = self._reused = self._tokens = 0
        self._started = self._said = time.monotonic()
        if log is not None:
            log.parent.mkdir(parents=True, exist_ok=True)
        self._log = open(log, "a", encoding="utf-8") if log is not None else None  # noqa: SIM115
        self._bar = tqdm(
            total=total, desc=label, unit="req", leave=True, disable=not sys.stderr.isatty()
        )

    def advance(self, tokens: int, reused: bool = False) -> None:
        """One request more is done; `tokens` are its new ones (0 where it was journalled)."""
        self._done += 1
        self._reused += reused
        self._tokens += tokens
        self._bar.update()
        self._bar.set_postfix_str(f"{self._rate():.0f} tok/s", refresh=False)
        if time.monotonic() - self._said >= self._every:
            self._say()

    def note(self, text: str) -> None:
        """A line of its own in the log (and above the bar)."""
        if self._log is not None:
            self._log.write(f"{self._label}: {text}\n")
            self._log.flush()
        if not self._bar.disable:
            self._bar.write(f"{self._label}: {text}", file=sys.stderr)

    def close(self) -> None:
        """The last line, and the end of the bar."""
        self._say()
        self._bar.close()
        if self._log is not None:
            self._log.close()

    def _rate(self) -> float:
        return self._tokens / max(time.monotonic() - self._started, 1e-9)

    def _say(self) -> None:
        self._said = time.monotonic()
        asked = self._done - self._reused
        left = (self._said - self._started) / asked * (self._total - self._done) if asked else None
        if self._log is not None:
            self._log.write(
                f"{self._label}: {self._done}/{self._total} requests "
                f"({self._reused} from the journal), {self._rate():.1f} new tokens/s, "
                f"{f'{left:.0f} s left' if left is not None else 'time left unknown'}\n"
            )
            self._log.flush()
