"""The shipped Kubernetes profile and manifests, as a user applies them, in a stand-in cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import REPOSITORY, tiny_config
from pods.cluster import Cluster
from unit.loopback import Service, echo

kubernetes = pytest.importorskip("kubernetes", reason="make setup-slurm installs the plugins")

KEY = "sk-of-nobody-4711"
UNUSED = "sk-of-no-model-4712"
NAMESPACE = "babelmath"


@pytest.fixture(scope="session", autouse=True)
def may_start_containers() -> None:
    """Pods are namespaces of this machine: root may make them, unless a container forbids it."""
    able = subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True)
    if able.returncode:
        assert not os.environ.get("CI"), able.stderr
        pytest.skip("pods need root, and a machine that lets it make mount namespaces")


@pytest.fixture
def service() -> Iterator[Service]:
    """A service that pods reach."""
    with Service(echo) as running:
        yield running


class Volume:
    """The shared volume, with the clone in place and a configuration of its own."""

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self.folder, self.clone = folder, folder / "babelmath"
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.check_output(listed, cwd=REPOSITORY, text=True).split("\0")
        for name in names:
            if name and not name.startswith("tests/") and (REPOSITORY / name).is_file():
                (self.clone / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / name, self.clone / name)
        (self.clone / ".venv-slurm").symlink_to(sys.prefix)
        (self.clone / "mine.yaml").write_text(yaml.safe_dump(config, sort_keys=False))

    def journal(self, model: str) -> list[dict[str, Any]]:
        """All whole lines of a model's journals."""
        return [
            json.loads(line)
            for path in sorted((self.clone / "journal" / model).glob("*.jsonl"))
            for line in path.read_bytes().split(b"\n")[:-1]
        ]

    def texts(self) -> Iterator[tuple[Path, bytes]]:
        for path in self.clone.rglob("*"):
            if path.is_file() and ".venv-slurm" not in path.parts:
                yield path, path.read_bytes()


def small_config(service: Service) -> dict[str, Any]:
    """One language of MMATH: an embedded model that says it needs a GPU, and a service."""
    config = tiny_config()
    config["paths"] = {"claims": "config/printed/claims.csv"}
    config["benchmarks"].pop("mathmist")
    mmath = config["benchmarks"]["mmath"]
    mmath["source"]["folder"] = "resources/mmath"
    mmath.update(languages=["en"], subset={"numbers": [1, 2, 3]})
    mmath.pop("translation", None)
    native = mmath["settings"]["native"]
    (embedded,) = native["models"]
    native.update(question_languages=["en"], models=["with-gpu", "served"])
    entry = config["models"][embedded] | {"cpus": 1}
    config["judges"] = {}
    config["models"] = {
        "with-gpu": entry | {"display": "With a GPU", "gpus": 1},
        "served": {"display": "Served", "engine": "openai", "service": "served",
                   "base_url": service.url, "key_variable": "SERVED_KEY", "concurrency": 1},
    }  # fmt: skip
    return config


@pytest.fixture
def volume(tmp_path: Path, service: Service) -> Volume:
    return Volume(tmp_path / "volume", small_config(service))


@pytest.fixture
def cluster(tmp_path: Path, volume: Volume) -> Iterator[Cluster]:
    with Cluster(tmp_path / "cluster", {"babelmath": volume.folder}) as running:
        yield running


class User:
    """What a user does with kubectl, by the client library."""

    def __init__(self, cluster: Cluster) -> None:
        configuration = kubernetes.client.Configuration()
        configuration.host, configuration.ssl_ca_cert = cluster.root, str(cluster.certificate)
        configuration.api_key = {"authorization": f"Bearer {cluster.admin}"}
        self.client = kubernetes.client.ApiClient(configuration)

    def apply(self, document: dict[str, Any]) -> None:
        """Create it; what is there already stays."""
        try:
            kubernetes.utils.create_from_dict(self.client, document, namespace=NAMESPACE)
        except kubernetes.utils.FailToCreateError as error:
            if document["kind"] == "Job" or error.api_exceptions[0].status != 409:
                raise

    def keys(self, **keys: str) -> None:
        self.apply({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "babelmath-keys"},
                    "stringData": keys})  # fmt: skip

    def run(self, file: str, *args: str) -> None:
        """Apply a manifest; its job gets these arguments instead of its own after --configfile."""
        text = (REPOSITORY / "profiles" / "kubernetes" / file).read_text()
        for document in yaml.safe_load_all(text):
            if document["kind"] == "Job":
                container = document["spec"]["template"]["spec"]["containers"][0]
                given = container["args"]
                container["args"] = [*given[: given.index("--configfile")], *args]
            self.apply(document)

    def delete_job(self, name: str) -> None:
        batch = kubernetes.client.BatchV1Api(self.client)
        batch.delete_namespaced_job(name, NAMESPACE, propagation_policy="Foreground")


@pytest.fixture
def user(cluster: Cluster) -> User:
    return User(cluster)


def is_over(cluster: Cluster, job: str) -> bool:
    return bool(cluster.job(job)["status"].get("conditions"))


def ended(cluster: Cluster, job: str) -> str:
    """Wait for a job's end: Complete or Failed."""
    cluster.until(lambda: is_over(cluster, job))
    return str(cluster.job(job)["status"]["conditions"][0]["type"])
