"""Watching over the engine's processes: they end with the job, and their end is noticed.

vLLM's own processes outlive a parent that gets no chance to end them (kill -9, a scheduler), and
keep the GPU's memory: the resumed job would find none. Run as a process beside the job, this module
waits for the end of its standard input, which it reaches when the job is gone, however it went.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from typing import Any

INTERVAL_S = 1.0
DONE = b"."


class Watch:
    """Runs beside this process until `done`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # a signal to the job's group leaves it to do its work
        )

    def done(self) -> None:
        """End it; nothing else is ended."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(DONE)
            self._process.stdin.close()
        self._process.wait()


class Alarm:
    """Wakes a wait for outputs that will not come.

    An engine's process that is killed (as where main memory runs out) says nothing; vLLM's client
    notes it as dead and still waits for outputs.

    Args:
        client: llm_engine.engine_core; one inside this process has nothing to watch.
    """

    def __init__(self, client: Any) -> None:
        self._over = threading.Event()
        state, outputs = getattr(client, "resources", None), getattr(client, "outputs_queue", None)
        if hasattr(state, "engine_dead") and outputs is not None:
            arguments = (self._over, state, outputs)
            threading.Thread(target=_listen, args=arguments, daemon=True).start()

    def off(self) -> None:
        """Stop watching."""
        self._over.set()


def _listen(over: threading.Event, state: Any, outputs: Any) -> None:
    while not over.wait(INTERVAL_S):
        if state.engine_dead:
            outputs.put_nowait(RuntimeError("a process of the engine ended"))
            return


def watch(parent: int) -> None:
    """Note the parent's descendants until standard input ends; then end them."""
    import psutil

    own, seen = os.getpid(), set()
    while True:
        with contextlib.suppress(psutil.Error):
            seen |= set(psutil.Process(parent).children(recursive=True))
        ready, _, _ = select.select([0], [], [], INTERVAL_S)
        if ready:
            break
    if os.read(0, 1) == DONE:
        return
    for _ in range(2):  # again: one may just have started another
        for one in list(seen):
            with contextlib.suppress(psutil.Error):
                seen |= set(one.children(recursive=True))
        for one in seen:
            if one.pid != own:
                with contextlib.suppress(psutil.Error):  # refuses where the number is another's now
                    one.kill()
        time.sleep(INTERVAL_S)


if __name__ == "__main__":
    watch(int(sys.argv[1]))
