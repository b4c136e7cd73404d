"""Runs commands as processes that begin with the product already imported.

Starting Python and importing the product takes several times as long as an ordinary command. Run as
a program, this is a server that has imported it. For each request it forks a process with the given
files, arguments, environment and folder, and answers with the exit status when that has ended. The
folder `programs` has a program `mqsc` that makes such requests, for shells that find it on PATH.
"""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import pkgutil
import selectors
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn, TextIO, cast

from mqsc.main import main
from tests.source import ROOT

# A request is one message of the socket.
LONGEST_REQUEST = 1 << 20
STANDARD_FILES = 3
PRELOADED = (
    *("mqsc.cli", "mqsc.console", "mqsc.explain", "mqsc.ibm", "mqsc.language", "mqsc.pcf"),
    *("mqsc.scripts", "mqsc.verbs", "pysqlite3", "mqsc.grammar"),
)
PROGRAM = "mqsc"


class CommandServer:
    """The client of the server, which ends with this process."""

    def __init__(self) -> None:
        self.programs = Path(tempfile.mkdtemp(prefix="mqsc-commands-"))
        client = shutil.copy(Path(__file__).with_name("command_client.py"), self.programs)
        program = self.programs / PROGRAM
        # Not the interpreter after #!, where its path could have neither blanks nor more than 127
        # bytes.
        program.write_text(
            f'#!/bin/sh\nexec {shlex.join([sys.executable, "-IS", str(client)])} "$@"\n',
            "utf-8",
        )
        program.chmod(0o700)
        self._address = str(self.programs / "socket")
        # A pipe that nobody writes to: the server ends when this process has.
        theirs, self._ours = os.pipe()
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(self._address)
            listener.listen(socket.SOMAXCONN)
            files = [listener.fileno(), theirs]
            # Python 3.12 and later warn about a fork while threads run.
            command = [
                sys.executable,
                "-W",
                "ignore::DeprecationWarning",
                "-m",
                "tests.mqsc.command_server",
            ]
            self._process = subprocess.Popen(
                [*command, *map(str, files)],
                cwd=ROOT,
                pass_fds=files,
                stdin=subprocess.DEVNULL,
            )
        os.close(theirs)

    def close(self) -> None:
        os.close(self._ours)
        self._process.wait()
        shutil.rmtree(self.programs)

    def start(
        self,
        arguments: Sequence[str],
        files: Sequence[int],
        environment: Mapping[str, str],
    ) -> socket.socket:
        """Start `mqsc` with these arguments and standard files in the current folder; `wait`
        takes what it returns.
        """
        encoded = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
        requests = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        requests.connect(self._address)
        socket.send_fds(
            requests,
            [marshal.dumps((list(arguments), encoded, str(Path.cwd())))],
            files,
        )
        return requests

    @staticmethod
    def wait(started: socket.socket) -> int:
        """Wait for the end of a command; return its exit status."""
        with started:
            return int(started.recv(LONGEST_REQUEST))


@cache
def command_server() -> CommandServer:
    """Return the server of this process, started when it is first needed."""
    server = CommandServer()
    atexit.register(server.close)
    return server


class Server:
    """Forks a process for each request, and kills it when the one who asked for it has gone."""

    def __init__(self, listener: socket.socket, client: int) -> None:
        self._listener = listener
        self._client = client
        self._ended, ended = os.pipe()
        os.set_blocking(ended, False)
        signal.set_wakeup_fd(ended)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._events = selectors.DefaultSelector()
        for file in (listener, client, self._ended):
            self._events.register(file, selectors.EVENT_READ)
        self._asked: dict[int, socket.socket] = {}

    def serve(self) -> None:
        """Answer requests until the pipe of the client is closed."""
        while True:
            for key, _ in self._events.select():
                if key.fileobj == self._client:
                    return
                if key.fileobj == self._listener:
                    self._accept()
                elif key.fileobj == self._ended:
                    os.read(self._ended, LONGEST_REQUEST)
                    self._answer()
                else:
                    self._abandon(key.data)

    def _accept(self) -> None:
        asked, _ = self._listener.accept()
        request, files, _, _ = socket.recv_fds(asked, LONGEST_REQUEST, STANDARD_FILES)
        if not request:
            asked.close()
            return
        child = os.fork()
        if child == 0:
            self._leave()
            asked.close()
            perform(request, files)
        for file in files:
            os.close(file)
        self._asked[child] = asked
        self._events.register(asked, selectors.EVENT_READ, child)

    def _leave(self) -> None:
        """In a forked process: keep nothing of the server."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for key in list(self._events.get_map().values()):
            os.close(key.fd)
        self._events.close()

    def _answer(self) -> None:
        """Say how processes have ended."""
        while self._asked:
            child, status = os.waitpid(-1, os.WNOHANG)
            if not child:
                return
            asked = self._asked.pop(child)
            if asked in self._events.get_map():
                self._events.unregister(asked)
            with asked, suppress(BrokenPipeError):
                asked.send(str(os.waitstatus_to_exitcode(status)).encode())

    def _abandon(self, child: int) -> None:
        """Kill a process whose result nobody will ask for."""
        if child in self._asked:
            self._events.unregister(self._asked[child])
            os.kill(child, signal.SIGKILL)


def opened(file: int, mode: str) -> TextIO:
    return cast(TextIO, os.fdopen(file, mode, encoding="utf-8", closefd=False))


def perform(request: bytes, files: Sequence[int]) -> NoReturn:
    """Run the command as a new Python would."""
    code = 1
    try:
        arguments, environment, folder = marshal.loads(request)
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        sys.stdin, sys.stdout, sys.stderr = map(opened, range(STANDARD_FILES), "rww")
        os.environb.clear()
        os.environb.update(environment)
        os.chdir(folder)
        sys.argv = [PROGRAM, *arguments]
        main(arguments)
    except SystemExit as ended:
        code = int(ended.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def load() -> None:
    """Import the commands, and keep what they consist of out of collections."""
    for package in PRELOADED:
        for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    gc.freeze()


if __name__ == "__main__":
    # Ctrl-C ends the tests, and with them this.
    with suppress(KeyboardInterrupt):
        load()
        Server(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])).serve()
