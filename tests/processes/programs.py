"""Programs in other processes: tests start them, speak with them over their standard files, stop
them and kill them.

They are forked by a nursery, a process that has imported what they need and has no store open:
nothing is shared with them, and they start in a hundredth of the time that Python takes. They end
as Python ends.
"""

from __future__ import annotations

import atexit
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from io import FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, Self

import mqsc.main
from mqsc.store.client.connection import Connection
from mqsc.store.client.store import Store, open_store
from mqsc.store.error import MQError, StoreError
from mqsc.store.sqlite.database import Reading
from tests.mqsc.command_server import load
from tests.scenarios.play import Play
from tests.source import ROOT

Work = Callable[..., object]
# Much longer than needed even on a slow machine, so reaching it is a failure.
PATIENCE_SECONDS = 60.0
LONGEST_REQUEST = 1 << 17
_INTEGRITY = "PRAGMA integrity_check"
_SERVER = (
    "import socket; from tests.processes.programs import serve; serve(socket.socket(fileno={}))()"
)


class Nursery:
    """The client of the process that forks programs. That ends with this process, and kills
    those that are left.
    """

    def __init__(self) -> None:
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._asking = threading.Lock()
        # Python 3.12 and later warn about a fork while threads run.
        command = [
            sys.executable,
            "-W",
            "ignore::DeprecationWarning",
            "-c",
            _SERVER.format(theirs.fileno()),
        ]
        with theirs:
            self._server = subprocess.Popen(
                command,
                cwd=ROOT,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def ask(self, function: Work, *arguments: object, files: tuple[int, ...] = ()) -> Any:
        """Call a function there. With standard files it is the work of a new process, whose
        number is returned.
        """
        with self._asking:
            socket.send_fds(self._channel, [pickle.dumps((function, arguments))], files)
            return pickle.loads(self._channel.recv(LONGEST_REQUEST))

    def close(self) -> None:
        self._channel.close()
        self._server.wait()


@cache
def nursery() -> Nursery:
    """Return the nursery of this process, started when it is first needed."""
    made = Nursery()
    atexit.register(made.close)
    return made


def serve(channel: socket.socket) -> Callable[[], object]:
    """Do what the client asks for until it has gone. Returns in each forked process too, with
    the work of that.
    """
    load()
    living: set[int] = set()

    def end() -> None:
        for each in living:
            os.kill(each, signal.SIGKILL)

    while True:
        request, files, _, _ = socket.recv_fds(channel, LONGEST_REQUEST, 3)
        if not request:
            return end
        function, arguments = pickle.loads(request)
        answer = os.fork() if files else function(*arguments)
        if files and not answer:
            channel.close()
            for number, each in enumerate(files):
                os.dup2(each, number)
                os.close(each)
            sys.stdin = os.fdopen(0, closefd=False)
            sys.stdout, sys.stderr = (
                os.fdopen(each, "w", buffering=1, closefd=False) for each in (1, 2)
            )
            return lambda: function(*arguments)
        if files:
            living.add(answer)
        elif function is _end_of:
            living.discard(arguments[0])
        for each in files:
            os.close(each)
        channel.send(pickle.dumps(answer))


def _end_of(number: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


def _stop_of(number: int) -> None:
    os.waitid(os.P_PID, number, os.WSTOPPED | os.WNOWAIT)


def _in_place(
    folder: Path,
    environment: dict[str, str],
    work: Work,
    arguments: tuple[object, ...],
) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    work(*arguments)


class Program:
    """A process that works and speaks; leaving the block kills it. Its environment is that of the
    tests and `settings`.

    Its stderr is that of the tests, or with `errors` what `rest` returns.
    """

    def __init__(
        self,
        work: Work,
        *arguments: object,
        folder: Path = ROOT,
        errors: bool = False,
        **settings: str,
    ) -> None:
        (reads, tells), (hears, writes) = os.pipe(), os.pipe()
        complaints, complains = (
            os.pipe() if errors else (os.open(os.devnull, os.O_RDONLY), os.dup(2))
        )
        request, files = (
            (folder, {**os.environ, **settings}, work, arguments),
            (reads, writes, complains),
        )
        self.pid = int(nursery().ask(_in_place, *request, files=files))
        for each in files:
            os.close(each)
        self._input, self._end = FileIO(tells, "w"), FileIO(os.pidfd_open(self.pid))
        self.output, self._errors = FileIO(hears), FileIO(complaints)
        self._said = {each: bytearray() for each in (self.output, self._errors)}
        self._code: int | None = None

    def tell(self, line: str = "") -> None:
        """Send a line to its standard input."""
        self._input.write(f"{line}\n".encode())

    def close_input(self) -> None:
        """Let its standard input end."""
        self._input.close()

    def line(self) -> str:
        """Return the next line that it prints; incomplete if it ends or PATIENCE_SECONDS pass."""
        while b"\n" not in self._said[self.output]:
            if self.is_silent(PATIENCE_SECONDS) or not self._read(self.output):
                break
        line, _, self._said[self.output] = self._said[self.output].partition(b"\n")
        return line.decode()

    def until(self, what: str) -> None:
        """Read lines up to one that contains a text; AssertionError if it ends before."""
        while what not in (line := self.line()):
            assert line or not self.has_ended, f"it has ended without {what}"

    def is_silent(self, seconds: float) -> bool:
        """Return whether it neither says more nor ends for so long."""
        return not select.select([self.output], [], [], seconds)[0]

    def _read(self, file: FileIO) -> bool:
        more = os.read(file.fileno(), 1 << 16)
        self._said[file] += more
        return bool(more)

    def rest(self, patience: float | None = PATIENCE_SECONDS) -> tuple[int, str, str]:
        """Let its input end and wait for its own end; return its exit code, and the rest of its
        output and stderr.
        """
        self._input.close()
        files = {each for each in self._said if not each.closed}
        while not self.has_ended:
            ready = select.select([*files, self._end], [], [], patience)[0]
            assert ready, "it says nothing and does not end"
            files -= {each for each in ready if each is not self._end and not self._read(each)}
        # Programs that it has left running may keep the files open.
        for each in files:
            while select.select([each], [], [], 0)[0] and self._read(each):
                continue
        output, errors = (each.decode() for each in self._said.values())
        self._said = {each: bytearray() for each in self._said}
        return self.wait(), output, errors

    @property
    def has_ended(self) -> bool:
        return self._code is not None or bool(select.select([self._end], [], [], 0)[0])

    def wait(self) -> int:
        """Wait for its end; return its exit code, or the negated number of the signal that
        killed it.
        """
        if self._code is None:
            assert select.select([self._end], [], [], PATIENCE_SECONDS)[0], "it does not end"
            self._code = int(nursery().ask(_end_of, self.pid))
        return self._code

    def signal(self, number: int) -> None:
        """Send a signal. With SIGSTOP it keeps its locks but does nothing: returns when it has
        stopped.
        """
        signal.pidfd_send_signal(self._end.fileno(), number)
        if number == signal.SIGSTOP:
            nursery().ask(_stop_of, self.pid)

    def kill(self) -> None:
        """Kill it with SIGKILL if it still runs; return when it has ended."""
        if self._code is None:
            self.signal(signal.SIGKILL)
            self.wait()

    def close(self) -> None:
        self.kill()
        for each in (self._input, *self._said, self._end):
            each.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def command(*words: str) -> None:
    """Run `mqsc` with these arguments, as a shell does."""
    assert isinstance(sys.stdout, TextIOWrapper)
    sys.stdout.reconfigure(line_buffering=False)
    sys.argv = ["mqsc", *words]
    mqsc.main.main(words)


def connected(url: str, qmgr: str = "QM1") -> Connection:
    return open_store(url).queue_manager(qmgr).connect()


@contextmanager
def working(*works: Callable[[], object]) -> Iterator[None]:
    """Run functions in threads of this process during the block; they must end soon after it."""
    threads = [threading.Thread(target=each, daemon=True) for each in works]
    for each in threads:
        each.start()
    yield
    for each in threads:
        each.join(PATIENCE_SECONDS)
    assert not any(each.is_alive() for each in threads)


def is_whole(store: Store) -> bool:
    """Return whether SQLite finds no damage."""
    with Reading(store.database) as reading:
        return bool(reading.value(_INTEGRITY) == "ok")


class Player(Program):
    """A process that runs scenario lines. Its calls wait `patience` seconds for a held store.

    After each line the history must account for every message, unless it `audits` nothing.
    """

    def __init__(self, url: str, patience: float | None = None, *, audits: bool = True) -> None:
        """Return when it is ready."""
        super().__init__(play_lines, url, patience, audits)
        assert self.line() == "ready"

    def run(self, lines: str) -> None:
        """Run lines one after the other; AssertionError shows the first failure."""
        for line in filter(None, map(str.strip, lines.splitlines())):
            self.tell(line)
            assert (answer := self.line()) == "done", answer


def play_lines(url: str, patience: float | None, audits: bool) -> None:
    """Answer each line of standard input with `done`, or with its failure in one line."""
    store = open_store(url)
    if patience is not None:
        store.database.busy_timeout = patience
    play = Play(store.queue_manager("QM1"))
    run = play.run if audits else play.run_unaudited
    print("ready")
    for line in sys.stdin:
        try:
            run(line)
            print("done")
        except (AssertionError, StoreError, MQError) as otherwise:
            print(*f"{type(otherwise).__name__}: {otherwise}".split())


def run_program(
    program: str,
    *arguments: str | Path,
    obeying: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a Python program given as text until it ends, in a Python of its own.

    With `obeying`, file permissions apply to it even if the tests run as root.
    """
    # Python 3.12 and later warn about a fork while threads run; such forks are what some of these
    # programs test.
    quiet = ("-W", "ignore::DeprecationWarning")
    command = [sys.executable, *quiet, "-c", program, *map(str, arguments)]
    if obeying and os.geteuid() == 0:
        command = [sys.executable, "-c", _OBEY, *command]
    return subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


# Drops CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH from the bounding set before exec
# (PR_CAPBSET_DROP).
_OBEY = """
import ctypes, os, sys
for capability in (1, 2):
    if ctypes.CDLL(None).prctl(24, capability, 0, 0, 0):
        sys.exit("a capability cannot be given up")
os.execv(sys.argv[1], sys.argv[1:])
"""
