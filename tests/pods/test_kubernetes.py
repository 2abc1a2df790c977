"""A run through profiles/kubernetes, in a stand-in cluster whose pods are real processes."""

from __future__ import annotations

import threading
from collections import Counter

from pods.conftest import KEY, UNUSED, ended, is_over
from unit.loopback import LATE, echo
from workflow.running import records

FLAGS = ["--configfile", "mine.yaml", "--jobs", "3", "--seconds-between-status-checks", "1"]
TABLES = [f"results/tables/mmath/{name}.csv" for name in ("table1", "label_shares")]
FIGURE = "results/figures/mmath/figure2.png"
MODELS = ("with-gpu", "served")
REQUESTS = 6  # of a model: three problems, two samples


def generations(model):
    return f"results/mmath/generations/native/{model}.jsonl"


def lines_of(volume, kind):
    """How often the service's requests stand in the journal, by key."""
    return Counter(one["key"] for one in volume.journal("served") if one["kind"] == kind)


def works_on(cluster, path):
    """The pod that makes a file."""
    (pod,) = [one for one in cluster.pods.values() if one.job != "babelmath" and path in one.log]
    return pod


def held_up(service, number, cluster):
    """Let the service not answer that call; gives what tells that the call has come."""
    came = threading.Event()

    def answer(call):
        if call.number != number:
            return echo(call)
        with cluster.changed:
            came.set()
            cluster.changed.notify_all()
        return LATE

    service.answer = answer
    return came


def test_a_run_whose_pod_is_killed_finishes_with_nothing_asked_twice(
    cluster, user, service, volume
):
    came = held_up(service, 4, cluster)
    user.keys(SERVED_KEY=KEY, OTHER_KEY=UNUSED)
    user.run("run.yaml", *FLAGS, *TABLES, FIGURE)
    cluster.until(lambda: came.is_set() or is_over(cluster, "babelmath"))
    assert came.is_set(), [one.log for one in cluster.of("babelmath")]
    assert set(lines_of(volume, "response").values()) == {1}
    assert len(lines_of(volume, "response")) == 3
    works_on(cluster, generations("served")).end()

    how = ended(cluster, "babelmath")
    runs = [one.log for one in cluster.of("babelmath")]
    assert how == "Complete", runs
    assert len(runs) == 2, "the manifest's job is started again after a job has failed"
    assert "Exiting because a job execution failed" in runs[0]
    (log,) = volume.clone.glob(".snakemake/auxiliary/kubernetes-logs/*.log")
    assert generations("served") in log.read_text(), "the failed pod's log is kept"

    check_results(volume)
    check_journal(volume)
    check_resources(cluster)
    check_keys(cluster, volume, service)
    assert not left_over(cluster)


def test_a_whole_run_in_one_pod_goes_on_when_its_pod_is_killed(cluster, user, service, volume):
    came = held_up(service, 4, cluster)
    user.keys(SERVED_KEY=KEY)
    user.run("one-pod.yaml", "--cores=2", "--configfile", "mine.yaml", "--", generations("served"))
    cluster.until(lambda: came.is_set() or is_over(cluster, "babelmath-one"))
    (pod,) = cluster.of("babelmath-one")
    assert came.is_set(), pod.log
    pod.end()

    how = ended(cluster, "babelmath-one")
    assert how == "Complete", [one.log for one in cluster.of("babelmath-one")]
    assert len(cluster.of("babelmath-one")) == 2
    check_journal(volume)


def test_a_deleted_run_takes_its_jobs_and_secrets_along_and_goes_on_later(
    cluster, user, service, volume
):
    came = held_up(service, 4, cluster)
    user.keys(SERVED_KEY=KEY)
    user.run("run.yaml", *FLAGS, generations("served"))
    cluster.until(lambda: came.is_set() or is_over(cluster, "babelmath"))
    (pod,) = cluster.of("babelmath")
    assert came.is_set(), pod.log
    user.delete_job("babelmath")
    pod.forget()
    assert not left_over(cluster), pod.log

    user.run("run.yaml", *FLAGS, generations("served"))
    assert ended(cluster, "babelmath") == "Complete", [one.log for one in cluster.of("babelmath")]
    check_journal(volume)


def test_pods_of_a_killed_run_work_on_and_the_next_run_waits_for_them(
    cluster, user, service, volume
):
    came, goes_on = threading.Event(), threading.Event()

    def answer(call):
        if call.number == 4:
            with cluster.changed:
                came.set()
                cluster.changed.notify_all()
            goes_on.wait()
        return echo(call)

    def asking():
        return [one for one in cluster.asked if "generate:" in str(one)]

    service.answer = answer
    user.keys(SERVED_KEY=KEY)
    user.run("run.yaml", *FLAGS, generations("served"))
    cluster.until(lambda: came.is_set() or is_over(cluster, "babelmath"))
    (first,) = cluster.of("babelmath")
    assert came.is_set(), first.log
    first.end()
    cluster.until(lambda: len(asking()) == 2 or is_over(cluster, "babelmath"))
    goes_on.set()
    assert ended(cluster, "babelmath") == "Complete", [one.log for one in cluster.of("babelmath")]
    assert set(lines_of(volume, "response").values()) == {1}
    assert sorted(lines_of(volume, "asked").values()) == [1] * REQUESTS
    # Told in the documentation: what a submitting pod leaves that could not clean up.
    assert sorted(kind for kind, _ in left_over(cluster)) == ["jobs", "secrets"]


def left_over(cluster):
    """Jobs and secrets that are not the user's own."""
    own = ("babelmath", "babelmath-keys")
    return [one for one in cluster.held if one[0] in ("jobs", "secrets") and one[1] not in own]


def check_results(volume):
    for name in (*TABLES, FIGURE):
        assert (volume.clone / name).stat().st_size
    for model in MODELS:
        keys = [(one["id"], one["sample"]) for one in records(volume.clone / generations(model))]
        assert len(keys) == len(set(keys)) == REQUESTS


def check_journal(volume):
    responses = lines_of(volume, "response")
    assert len(responses) == REQUESTS and set(responses.values()) == {1}
    assert sorted(lines_of(volume, "asked").values()) == [1, 1, 1, 1, 1, 2], "one was in flight"


def check_resources(cluster):
    """Pods of models with gpus have them as limits, all others none; memory is a limit, too."""
    with_gpu = 0
    for job in cluster.asked[1:]:
        container = job["spec"]["template"]["spec"]["containers"][0]
        given = container["resources"]
        asks = "generate:benchmark=mmath,setting=native,model=with-gpu" in container["args"][1]
        with_gpu += asks
        gpus = {"nvidia.com/gpu": "1"} if asks else {}
        for part in ("requests", "limits"):
            found = {name: one for name, one in given[part].items() if "/" in name}
            assert found == gpus, container["args"]
        assert given["limits"]["memory"] == given["requests"]["memory"]
    assert with_gpu == 1


def check_keys(cluster, volume, service):
    """The key reaches the service, by a secret, and stands nowhere else; others reach no pod."""
    assert {call.headers["authorization"] for call in service.calls} == {f"Bearer {KEY}"}
    for job in cluster.asked[1:]:
        (variable,) = job["spec"]["template"]["spec"]["containers"][0]["env"]
        assert variable["name"] == "SERVED_KEY"
        assert variable["valueFrom"]["secretKeyRef"]["name"] != "babelmath-keys"
    for key in (KEY, UNUSED):
        assert not [one for one in cluster.bodies if key in one]
        assert not [one for one in cluster.pods.values() if key in one.log]
        assert not [path for path, data in volume.texts() if key.encode() in data]
