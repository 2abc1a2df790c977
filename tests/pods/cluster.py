"""A stand-in for a Kubernetes cluster: its API on a loopback port, by TLS, and pods that are real.

It knows what this project asks of one: secrets, jobs with their pods and logs, service accounts
with their roles. What the real API refuses it refuses, too, where a profile could go wrong in it.
"""

from __future__ import annotations

import base64
import json
import re
import secrets
import ssl
import subprocess
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pods.pod import Pod
from unit.loopback_http import Loopback

PATH = re.compile(r"/(?:api|apis/([\w.]+))/v1/namespaces/([^/]+)/(\w+)(?:/([^/]+))?(?:/(\w+))?")
VERBS = {"POST": "create", "DELETE": "delete", "GET": "get"}


class RefusedError(Exception):
    """An answer other than 2xx: status, reason, message."""


class Cluster(Loopback):
    """The running cluster.

    `asked` holds every job that was created, as it was sent; `pods` the pods that are not deleted;
    `claims` maps names of volume claims to folders.
    """

    def __init__(self, folder: Path, claims: dict[str, Path]) -> None:
        super().__init__()
        self.folder, self.claims = folder, claims
        self.changed = threading.Condition(threading.RLock())
        self.asked: list[dict[str, Any]] = []
        self.pods: dict[str, Pod] = {}
        self.deleted: list[Pod] = []
        self.bodies: list[str] = []  # all that was sent, but secrets
        self.admin = secrets.token_hex(8)
        self._tokens: dict[str, str] = {}  # token: service account
        self.held: dict[tuple[str, str], dict[str, Any]] = {}
        folder.mkdir(parents=True)
        self.certificate = folder / "ca.crt"
        _certify(self.certificate, folder / "key.pem")
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(self.certificate, folder / "key.pem")
        self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.root = self.root.replace("http:", "https:")

    def __exit__(self, *about: object) -> None:
        with self.changed:
            left = [*self.pods.values(), *self.deleted]
            self.held.clear()
        for pod in left:
            pod.end()
            pod.forget()
        super().__exit__(*about)

    def until(self, true: Callable[[], Any], seconds: float = 600) -> None:
        """Wait for an event among jobs and pods."""
        with self.changed:
            if not self.changed.wait_for(true, seconds):
                logs = "\n".join(one.log[-2000:] for one in self.pods.values())
                raise AssertionError(f"nothing after {seconds} s\n{logs}")

    def job(self, name: str) -> dict[str, Any]:
        return self.held["jobs", name]

    def of(self, job: str) -> list[Pod]:
        return [one for one in self.pods.values() if one.job == job]

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        body = handler.rfile.read(length).decode()
        try:
            status, told = 200, self._answer(handler, body)
        except Exception as error:  # a lost connection would make the plugin wait for minutes
            refused = (
                error
                if isinstance(error, RefusedError)
                else RefusedError(500, "Error", repr(error))
            )
            status, reason, message = refused.args
            told = {"kind": "Status", "apiVersion": "v1", "status": "Failure",
                    "code": status, "reason": reason, "message": message}  # fmt: skip
        data = told.encode() if isinstance(told, str) else json.dumps(told).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def _answer(self, handler: BaseHTTPRequestHandler, body: str) -> Any:
        address = urlsplit(handler.path)
        if not (match := PATH.fullmatch(address.path)):
            raise RefusedError(404, "NotFound", handler.path)
        group, _, kind, name, part = match.groups()
        verb = "list" if handler.command == "GET" and not name else VERBS[handler.command]
        self._authorize(handler.headers.get("Authorization", ""), verb, group, kind, part)
        if verb == "create":
            if kind != "secrets":
                self.bodies.append(body)
            return self._create(kind, json.loads(body))
        query = {key: value[0] for key, value in parse_qs(address.query).items()}
        with self.changed:
            if kind == "pods":
                return self._pod(verb, name, part, query)
            if (kind, name) not in self.held:
                raise RefusedError(404, "NotFound", f'{kind} "{name}" not found')
            if verb == "delete":
                return self._delete(kind, name)
            return self.held[kind, name]

    def _authorize(
        self, header: str, verb: str, group: str | None, kind: str, part: str | None
    ) -> None:
        """Role-based access: what a service account's roles do not name is forbidden."""
        token = header.partition(" ")[2]
        if token == self.admin:
            return
        if token not in self._tokens:
            raise RefusedError(401, "Unauthorized", "Unauthorized")
        account, wanted = self._tokens[token], f"{kind}/{part}" if part else kind
        for (held, _), binding in list(self.held.items()):
            if held != "rolebindings" or account not in [s["name"] for s in binding["subjects"]]:
                continue
            for rule in self.held["roles", binding["roleRef"]["name"]]["rules"]:
                of_group = (group or "") in rule["apiGroups"] and wanted in rule["resources"]
                if of_group and verb in rule["verbs"]:
                    return
        raise RefusedError(403, "Forbidden", f"{account} cannot {verb} {wanted}")

    def _create(self, kind: str, value: dict[str, Any]) -> dict[str, Any]:
        name = value["metadata"]["name"]
        with self.changed:
            if (kind, name) in self.held:
                raise RefusedError(409, "AlreadyExists", f'{kind} "{name}" already exists')
            if kind == "jobs":
                self._check(value)
                value["status"] = {}
                self.asked.append(json.loads(json.dumps(value)))
            if kind == "secrets":
                texts = value.pop("stringData", {})
                data = {key: base64.b64encode(one.encode()).decode() for key, one in texts.items()}
                value["data"] = (value.get("data") or {}) | data
            self.held[kind, name] = value
            if kind == "jobs":
                self._start(value)
            self.changed.notify_all()
        return value

    def _check(self, job: dict[str, Any]) -> None:
        spec = job["spec"]["template"]["spec"]
        volumes = [one["name"] for one in spec.get("volumes", [])]
        asks = spec["containers"][0].get("resources", {})
        limits = asks.get("limits") or {}
        for name, amount in {**limits, **(asks.get("requests") or {})}.items():
            if "/" in name and limits.get(name) != amount:
                message = f"{name}: Limit must be set for non overcommitable resources"
                raise RefusedError(422, "Invalid", message)
        if len(set(volumes)) != len(volumes):
            raise RefusedError(422, "Invalid", "spec.template.spec.volumes: Duplicate value")
        if spec.get("restartPolicy") != "Never":
            raise RefusedError(422, "Invalid", "the stand-in knows restartPolicy Never only")

    def _start(self, job: dict[str, Any]) -> None:
        token = secrets.token_hex(8)
        self._tokens[token] = job["spec"]["template"]["spec"].get("serviceAccountName", "default")
        host, port = urlsplit(self.root).netloc.split(":")
        variables = {"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port}
        account = {"token": token, "ca.crt": self.certificate.read_text(), "namespace": "default"}
        kept = {name: one for (kind, name), one in self.held.items() if kind == "secrets"}
        pod = Pod(job, self.folder, self.claims, kept, (variables, account), self._ended)
        self.pods[pod.name] = pod
        job["status"]["active"] = 1

    def _ended(self, pod: Pod) -> None:
        """What a job's controller does when a pod has ended: count it, or start another."""
        with self.changed:
            job = self.held.get(("jobs", pod.job))
            if job is not None:
                status = job["status"]
                status["active"] = 0
                how = "succeeded" if pod.code == 0 else "failed"
                status[how] = status.get(how, 0) + 1
                last = status.get("failed", 0) > job["spec"].get("backoffLimit", 6)
                if pod.code == 0 or last:
                    done = "Complete" if pod.code == 0 else "Failed"
                    status["conditions"] = [{"type": done, "status": "True"}]
                else:
                    self._start(job)
            self.changed.notify_all()

    def _delete(self, kind: str, name: str) -> dict[str, Any]:
        del self.held[kind, name]
        if kind == "jobs":
            for pod in self.of(name):
                pod.stop()
                self.deleted.append(self.pods.pop(pod.name))
        self.changed.notify_all()
        return {"kind": "Status", "apiVersion": "v1", "status": "Success"}

    def _pod(self, verb: str, name: str | None, part: str | None, query: dict[str, str]) -> Any:
        if verb == "list":
            job = query["labelSelector"].removeprefix("job-name=")
            items = [_shown(one) for one in self.of(job)]
            return {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": items}
        if name not in self.pods:
            raise RefusedError(404, "NotFound", f'pods "{name}" not found')
        if part == "log":
            if query.get("previous", "").lower() == "true":
                message = f'previous terminated container "snakemake" in pod "{name}" not found'
                raise RefusedError(400, "BadRequest", message)
            return self.pods[name].log
        pod = self.pods.pop(name)
        pod.stop()
        self.deleted.append(pod)
        return _shown(pod)


def _shown(pod: Pod) -> dict[str, Any]:
    state: dict[str, Any] = {"running": {}}
    if pod.code is not None:
        state = {"terminated": {"exitCode": pod.code % 256}}
    container = {"name": pod.container["name"], "image": pod.container["image"], "imageID": "",
                 "ready": pod.code is None, "restartCount": 0, "state": state}  # fmt: skip
    return {
        "kind": "Pod", "apiVersion": "v1",
        "metadata": {"name": pod.name, "labels": {"job-name": pod.job}},
        "spec": pod.spec, "status": {"containerStatuses": [container]},
    }  # fmt: skip


def _certify(certificate: Path, key: Path) -> None:
    """A certificate of 127.0.0.1, signed by itself."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=stand-in", "-addext", "subjectAltName=IP:127.0.0.1",
         "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
