"""A pod of the stand-in cluster: one real process tree in a container of its own.

The image is the host's own file tree, without /tmp, /run and the repository, and with the Python
that runs the tests. All processes of a pod end with its first one.
"""

from __future__ import annotations

import base64
import itertools
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

REPOSITORY = Path(__file__).resolve().parents[2]
ACCOUNT = "/run/secrets/kubernetes.io/serviceaccount"
PROGRAMS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
numbers = itertools.count(1)


def image() -> list[str]:
    """Folders that hold the Python of this process and its packages."""
    found = {Path(sys.prefix), Path(sys.base_prefix)}
    found |= {Path(one).resolve().parents[2] for one in sys.path if one.endswith("site-packages")}
    return [f"{one}={one}" for one in sorted(found, key=lambda one: len(one.parts))]


class Pod:
    """A running or ended pod; `ended` is called once, with it, when its container has ended."""

    def __init__(
        self,
        job: dict[str, Any],
        folder: Path,
        claims: dict[str, Path],
        secrets: dict[str, dict[str, Any]],
        injected: tuple[dict[str, str], dict[str, str]],
        ended: Callable[[Pod], None],
    ) -> None:
        """`injected`: variables, and files of the service account, that every pod gets."""
        self.job, self.spec = job["metadata"]["name"], job["spec"]["template"]["spec"]
        self.name = f"{self.job}-{next(numbers)}"
        self.container = self.spec["containers"][0]
        self.code: int | None = None
        self.place = folder / self.name
        variables, account = injected
        variables = variables | environment(self.container, secrets)
        mounts = [*self._mounts(claims), self._account(account)]
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh"]
        command += [str(Path(__file__).with_name("pod.sh")), str(self._folder("root"))]
        command += [str(REPOSITORY), *image(), *mounts, "--", self.container["workingDir"]]
        command += [*self.container["command"], *self.container.get("args", [])]
        with open(self.place / "log", "wb") as log:
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, env=variables,
                # Whoever runs the tests in the background may have them ignore it; a pod does not.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )  # fmt: skip

        def wait() -> None:
            self.process.wait()
            self.code = self.process.returncode
            ended(self)

        self.thread = threading.Thread(target=wait)
        self.thread.start()

    @property
    def log(self) -> str:
        return (self.place / "log").read_text(encoding="utf-8", errors="replace")

    def end(self, number: signal.Signals = signal.SIGKILL) -> None:
        """Signal the container's first process; what it leaves alive dies with it."""
        try:
            for one in psutil.Process(self.process.pid).children():
                one.send_signal(number)
        except psutil.NoSuchProcess:
            pass

    def stop(self) -> None:
        """What a kubelet does with a deleted pod: a signal, time to end, and an end."""

        def stop() -> None:
            self._before_stop()
            self.end(signal.SIGTERM)
            try:
                self.process.wait(self.spec.get("terminationGracePeriodSeconds", 30))
            except subprocess.TimeoutExpired:
                self.end()

        threading.Thread(target=stop).start()

    def _before_stop(self) -> None:
        """The container's preStop hook: a command beside its first process."""
        hook = self.container.get("lifecycle", {}).get("preStop")
        if hook and (first := psutil.Process(self.process.pid).children()):
            inside = ["nsenter", "--target", str(first[0].pid), "--pid", "--mount", "--root"]
            subprocess.run([*inside, *hook["exec"]["command"]], check=True)

    def _folder(self, name: str) -> Path:
        (self.place / name).mkdir(parents=True)
        return self.place / name

    def _mounts(self, claims: dict[str, Path]) -> list[str]:
        volumes = {
            one["name"]: claims[one["persistentVolumeClaim"]["claimName"]]
            if "persistentVolumeClaim" in one
            else self._folder(one["name"])
            for one in self.spec.get("volumes", [])
        }
        mounts = self.container.get("volumeMounts", [])
        return [f"{volumes[one['name']]}={one['mountPath']}" for one in mounts]

    def _account(self, files: dict[str, str]) -> str:
        folder = self._folder("account")
        for name, text in files.items():
            (folder / name).write_text(text)
        return f"{folder}={ACCOUNT}"

    def forget(self) -> None:
        self.thread.join()
        shutil.rmtree(self.place / "root", ignore_errors=True)


def environment(container: dict[str, Any], secrets: dict[str, dict[str, Any]]) -> dict[str, str]:
    """A container's variables, those of secrets decoded."""

    def of_secret(name: str, key: str) -> str:
        return base64.b64decode(secrets[name]["data"][key]).decode()

    found = {"PATH": PROGRAMS, "HOME": "/root"}
    for source in container.get("envFrom", []):
        name = source["secretRef"]["name"]
        if name in secrets or not source["secretRef"].get("optional"):
            found |= {key: of_secret(name, key) for key in secrets[name]["data"]}
    for one in container.get("env", []):
        if "value" in one:
            found[one["name"]] = one["value"]
        else:
            reference = one["valueFrom"]["secretKeyRef"]
            found[one["name"]] = of_secret(reference["name"], reference["key"])
    return found
