"""Runs commands as processes that begin with the product already imported.

Starting Python and importing the product takes several times as long as an ordinary command. Run as a program, this is
a server that has imported it. For each request it forks a process with the given files, arguments, environment and
folder, and answers with the exit status when that has ended.
"""

from __future__ import annotations

import atexit
import json
import os
import pkgutil
import socket
import subprocess
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NoReturn, TextIO, cast

from mqsc.cli.main import main
from tests.source import ROOT

# A request is one message of the socket.
LONGEST_REQUEST = 1 << 20
STANDARD_FILES = 3
PRELOADED = ("mqsc.cli", "mqsc.console")


class CommandServer:
    """The client of the server, which ends with this process."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # Python 3.12 and later warn about a fork while threads run.
        command = [
            sys.executable,
            "-W",
            "ignore::DeprecationWarning",
            "-m",
            "tests.mqsc.command_server",
            str(theirs.fileno()),
        ]
        self._process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()
        self._socket = ours

    def close(self) -> None:
        self._socket.close()
        self._process.wait()

    def start(self, arguments: Sequence[str], files: Sequence[int], environment: Mapping[str, str]) -> None:
        """Start `mqsc` with these arguments and standard files in the current folder."""
        request = json.dumps([arguments, dict(environment), str(Path.cwd())])
        socket.send_fds(self._socket, [request.encode()], files)

    def wait(self) -> int:
        """Wait for the end of the command; return its exit status."""
        return int(self._socket.recv(LONGEST_REQUEST))


@cache
def command_server() -> CommandServer:
    """Return the server of this process, started when it is first needed."""
    server = CommandServer()
    atexit.register(server.close)
    return server


def serve(requests: socket.socket) -> None:
    """Answer requests until the other end is closed."""
    for package in PRELOADED:
        for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    while True:
        request, files, _, _ = socket.recv_fds(requests, LONGEST_REQUEST, STANDARD_FILES)
        if not request:
            return
        child = os.fork()
        if child == 0:
            requests.close()
            perform(request, files)
        for file in files:
            os.close(file)
        _, status = os.waitpid(child, 0)
        requests.send(str(os.waitstatus_to_exitcode(status)).encode())


def opened(file: int, mode: str) -> TextIO:
    return cast(TextIO, os.fdopen(file, mode, encoding="utf-8", closefd=False))


def perform(request: bytes, files: Sequence[int]) -> NoReturn:
    """Run the command as a new Python would."""
    code = 1
    try:
        arguments, environment, folder = json.loads(request)
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        sys.stdin, sys.stdout, sys.stderr = map(opened, range(STANDARD_FILES), "rww")
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        main(arguments)
    except SystemExit as ended:
        code = int(ended.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    # Ctrl-C ends the tests, and with them this.
    with suppress(KeyboardInterrupt):
        serve(socket.socket(fileno=int(sys.argv[1])))
