"""The programs that work through the day: started, directed, killed and started again."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping

from tests.day_of_work.programs import READERS, READY, SUBSCRIBER, WRITERS
from tests.day_of_work.world import HERE, THERE, Place
from tests.source import ROOT

# Much longer than needed even on a slow machine, so reaching it is a failure.
PATIENCE_SECONDS = 120.0
BETWEEN_LOOKS_SECONDS = 0.002
# What runs on both sides besides the programs of this folder.
SERVICES = {
    "serve-here": ("serve", HERE),
    "serve-there": ("serve", THERE),
    "dead-letters": ("dlq", THERE),
}
NAMES = (*SERVICES, *READERS, *WRITERS)


class Failed(Exception):
    """A program did not do what it should."""


class Worker:
    """A running program of the day."""

    def __init__(self, name: str, place: Place, environment: Mapping[str, str]) -> None:
        self.name = name
        self.journal = place.journal(name)
        self._log = place.log(name)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, *words_of(name, place)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE if is_directed(name) else log,
                stderr=log,
                env={**environment},
                cwd=ROOT,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def tell(self, number: int) -> None:
        """Have the program put or get this number of messages, without waiting for it."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{number}\n".encode())
        self._process.stdin.flush()

    def answer(self) -> None:
        """Wait until it has put or got them; Failed if it ends instead."""
        output = self._process.stdout
        assert output is not None
        if not select.select([output], [], [], PATIENCE_SECONDS)[0]:
            raise Failed(f"{self.name} does not answer")
        if output.readline() != b"done\n":
            raise Failed(f"{self.name} has ended: {self._log.read_text()[-1000:]}")

    def wait_until_ready(self) -> None:
        """Wait until a reader has its queue open."""
        impatient = time.monotonic() + PATIENCE_SECONDS
        while READY not in self._log.read_text():
            self.check()
            if time.monotonic() > impatient:
                raise Failed(f"{self.name} does not become ready")
            time.sleep(BETWEEN_LOOKS_SECONDS)

    def progress(self) -> int:
        """How much it has written: into its journal, or else its log."""
        path = self.journal if self.journal.exists() else self._log
        return path.stat().st_size

    def check(self) -> None:
        """Failed if it has ended by itself."""
        if self._process.poll() is not None:
            raise Failed(f"{self.name} has ended: {self._log.read_text()[-1000:]}")

    def kill(self) -> None:
        self._process.kill()
        self._leave()

    def end(self) -> None:
        """End it as its user would; Failed unless its exit code is 0."""
        self.check()
        self._process.send_signal(signal.SIGTERM)
        if self._leave():
            raise Failed(f"{self.name} ended with {self._process.returncode}")

    def _leave(self) -> int:
        code = self._process.wait(PATIENCE_SECONDS)
        for each in (self._process.stdin, self._process.stdout):
            if each is not None:
                each.close()
        return code


class Staff:
    """All programs of the day. Leaving the block kills those that still run."""

    def __init__(self, place: Place) -> None:
        self._place = place
        # Temporary files of the day are in a folder of its own, where they can be counted.
        self.environment = {
            **os.environ,
            "TMPDIR": str(place.temporary),
            "PYTHONWARNINGS": "default",
        }
        self.workers: dict[str, Worker] = {}
        for name in NAMES:
            self.workers[name] = self._started(name)
            # Nobody publishes before there is a subscription.
            if name == SUBSCRIBER:
                self.workers[name].wait_until_ready()

    def _started(self, name: str) -> Worker:
        return Worker(name, self._place, self.environment)

    def replace(self, name: str) -> None:
        """Kill a program as soon as it has done a little more, and start it again."""
        worker = self.workers[name]
        before = worker.progress()
        impatient = time.monotonic() + 1
        while worker.progress() == before and time.monotonic() < impatient:
            time.sleep(BETWEEN_LOOKS_SECONDS)
        worker.kill()
        self.workers[name] = self._started(name)

    def check(self) -> None:
        for each in self.workers.values():
            each.check()

    def run(self, *words: str) -> str:
        """Run a command of the product to its end, and return its output; Failed unless its exit
        code is 0.
        """
        done = subprocess.run(
            [sys.executable, "-m", "mqsc", *words],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Failed(f"mqsc {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def __enter__(self) -> Staff:
        return self

    def __exit__(self, *error: object) -> None:
        for each in self.workers.values():
            each.kill()


def is_directed(name: str) -> bool:
    """Whether a program waits for tell() before it puts or gets messages."""
    return name in WRITERS or (name in READERS and READERS[name].is_slow)


def words_of(name: str, place: Place) -> list[str]:
    """The command of a program, after Python's."""
    if name in SERVICES:
        service, queue_manager = SERVICES[name]
        store = ("--store", place.url(queue_manager))
        if service == "serve":
            return ["-m", "mqsc", "serve", queue_manager, *store]
        return ["-m", "mqsc", "dlq", "run", str(place.rules), "-m", queue_manager, *store]
    queue_manager = HERE if name in WRITERS else READERS[name].queue_manager
    program = ("-m", "tests.day_of_work.programs")
    return [*program, name, place.url(queue_manager), str(place.journal(name))]
