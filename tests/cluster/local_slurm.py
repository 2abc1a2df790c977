"""A real Slurm on this machine: one node, one fake GPU, started and stopped by its user.

Needs root and Debian's packages slurm-wlm and munge. Everything lies in one folder of its own and
listens on loopback only; /etc/slurm is a link to that folder while it runs, since the job-step
plugin of Snakemake drops SLURM_CONF from the environment of what it starts.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

PACKAGES = "slurm-wlm munge"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "scontrol")
ETC = Path("/etc/slurm")
# What the node says it has, whatever the machine has: jobs of one CPU that run at the same time.
CPUS, MEMORY_MB = 4, 64000

CONF = """\
ClusterName=babelmath
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=sched_interval=5,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=3600
KillWait=5
TaskProlog={folder}/prolog
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} Gres=gpu:h200:1 State=UNKNOWN
PartitionName=cpu Nodes={host} Default=YES MaxTime=INFINITE State=UP
PartitionName=api Nodes={host} MaxTime=INFINITE State=UP
PartitionName=gpu Nodes={host} MaxTime=INFINITE State=UP
"""
# Slurm runs it in each task's own environment before the task, as a child of the process that
# becomes the task. A job of one CPU is bound to one, as task/affinity does where the CPUs declared
# are real: an embedded server takes all that it sees.
PROLOG = """\
#!/bin/sh
echo "$SLURM_JOB_ID ${{CUDA_VISIBLE_DEVICES-none}}" >> {seen}
if [ "$SLURM_CPUS_PER_TASK" = 1 ]; then
  taskset --pid --cpu-list $((SLURM_JOB_ID % $(nproc --all))) $PPID >/dev/null
fi
"""


class MissingError(Exception):
    """This machine cannot have a Slurm of the tests' own; the text says why."""


def check() -> None:
    """Raise MissingError where a Slurm cannot be started, or where one must not be touched."""
    found = [name for name in PROGRAMS if shutil.which(name) is None]
    if found:
        raise MissingError(f"not installed: {', '.join(found)} (Debian: {PACKAGES})")
    if os.geteuid() != 0:
        raise MissingError("a Slurm of the tests' own is started by root alone")
    for name in ("slurmctld", "slurmd"):
        if pids := running(name):
            raise MissingError(
                f"a {name} runs on this machine (process {', '.join(map(str, pids))}): the tests"
                " leave a Slurm that they did not start alone"
            )


def running(name: str) -> list[int]:
    """Processes of a program on this machine, by /proc."""
    found = []
    for one in Path("/proc").iterdir():
        if one.name.isdigit():
            try:
                if (one / "comm").read_text().strip() == name:
                    found.append(int(one.name))
            except OSError:  # it has ended
                continue
    return found


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody listens on."""
    opened = [socket.socket() for _ in range(count)]
    try:
        for one in opened:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in opened]
    finally:
        for one in opened:
            one.close()


@dataclass
class LocalSlurm:
    """The daemons, their folder, and what stood at /etc/slurm before."""

    folder: Path
    children: list[subprocess.Popen[bytes]] = field(default_factory=list)
    saved: Path | None = None

    def start(self) -> None:
        """Start munged, slurmctld and slurmd, and wait until the node takes jobs.

        Raises MissingError where `check` does, RuntimeError where a daemon ends or the node stays
        down.
        """
        check()
        self._write()
        self._link()
        munge = self.folder / "munge"
        self._child(
            "munged",
            "--foreground",
            f"--key-file={munge}/key",
            f"--socket={munge}/socket",
            f"--pid-file={munge}/pid",
            f"--seed-file={munge}/seed",
            f"--log-file={munge}/log",
        )
        self._until(lambda: (munge / "socket").exists(), "munged opens its socket")
        self._child("slurmctld", "-D")
        self._until(lambda: "UP" in said("scontrol", "ping"), "slurmctld answers")
        self._child("slurmd", "-D", "-N", node_name())
        self._until(
            lambda: said("sinfo", "-h", "-o", "%T", "-p", "cpu") == "idle", "a node is idle"
        )

    def stop(self) -> None:
        """Cancel all jobs, end the daemons by their process ids, put /etc/slurm back."""
        if self.children:
            said("scancel", "--user=root")
        for child in reversed(self.children):
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
                try:
                    child.wait(30)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.wait()
        self.children.clear()
        if ETC.is_symlink() and Path(os.readlink(ETC)) == self.folder:
            ETC.unlink()
        if self.saved is not None:
            self.saved.rename(ETC)
            self.saved = None

    def devices(self, job: str) -> set[str]:
        """Values of CUDA_VISIBLE_DEVICES that the tasks of a job started with; none: unset."""
        lines = (self.folder / "seen").read_text().splitlines()
        return {line.split()[1] for line in lines if line.split()[0] == job}

    def _write(self) -> None:
        self.folder.chmod(0o755)
        for name in ("munge", "state", "spool"):
            (self.folder / name).mkdir(mode=0o755)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        # A character device whose name ends in a digit; it does what /dev/null does.
        os.mknod(self.folder / "gpu0", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        controller, daemon = free_ports(2)
        (self.folder / "slurm.conf").write_text(
            CONF.format(
                host=node_name(),
                controller=controller,
                daemon=daemon,
                folder=self.folder,
                cpus=CPUS,
                memory=MEMORY_MB,
            )
        )
        prolog = self.folder / "prolog"
        prolog.write_text(PROLOG.format(seen=self.folder / "seen"))
        prolog.chmod(0o755)
        (self.folder / "gres.conf").write_text(f"Name=gpu Type=h200 File={self.folder}/gpu0\n")

    def _link(self) -> None:
        if ETC.is_symlink() or ETC.exists():
            if ETC.is_symlink() and not ETC.exists():
                ETC.unlink()  # a link that a killed test run left; its folder is gone
            else:
                self.saved = ETC.with_name(f"slurm.saved-{os.getpid()}")
                ETC.rename(self.saved)
        ETC.symlink_to(self.folder)

    def _child(self, *command: str) -> None:
        with open(self.folder / f"{command[0]}.out", "ab") as out:
            self.children.append(
                subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=out,
                    start_new_session=True,
                )
            )

    def _until(self, true: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + 60
        while not true():
            for child in self.children:
                if child.poll() is not None:
                    raise RuntimeError(f"{child.args} ended with {child.returncode}: {self.logs()}")
            if time.monotonic() > end:
                raise RuntimeError(f"waited a minute in vain until {what}: {self.logs()}")
            time.sleep(0.1)

    def logs(self) -> str:
        """The last lines of what the daemons wrote."""
        texts = []
        for path in sorted([*self.folder.glob("*.out"), self.folder / "munge" / "log"]):
            if path.exists():
                texts.append(f"\n== {path.name}\n{path.read_text(errors='replace')[-2000:]}")
        return "".join(texts)


def node_name() -> str:
    return socket.gethostname().split(".")[0]


def said(*command: str) -> str:
    """Standard output of a command, whatever it exits with."""
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    return done.stdout.strip()


def new_folder() -> Path:
    """A folder whose parents everybody may pass, as MUNGE wants; paths of sockets are short."""
    return Path(tempfile.mkdtemp(prefix="babelmath-slurm-", dir="/tmp"))
