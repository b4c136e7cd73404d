"""Kills a command of `mqsc` before each call with which it changes files, one after the other.

The commands run in forked processes, because they start there in a hundredth of the time that
Python takes. A library in C, which the C compiler of the machine makes, stops them (kill_points.c).
"""

from __future__ import annotations

import ctypes
import os
import pickle
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import mqsc.main

SOURCE = Path(__file__).with_suffix(".c")
ENDED, KILLED = 0, 1


class Ended(NamedTuple):
    """How a command ended: exit code or the negated number of a signal, its output, and its
    changing calls.
    """

    code: int
    out: str
    err: str
    calls: int

    @property
    def is_killed(self) -> bool:
        return self.code == -signal.SIGKILL


class Unavailable(Exception):
    """This machine cannot stop programs at their calls; the text says why."""


def compiled(folder: Path) -> Path:
    """The library, made in `folder`; Unavailable when it cannot be made or used."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if sys.platform != "linux" or compiler is None:
        raise Unavailable("there is no C compiler, or the system is not Linux")
    library = folder / "kill_points.so"
    made = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE)],
        capture_output=True,
        text=True,
    )
    if made.returncode:
        raise Unavailable(f"kill_points.c cannot be compiled: {made.stderr}")
    return library


@cache
def _library(path: Path) -> ctypes.CDLL:
    return ctypes.CDLL(str(path))


class Killer:
    """Runs commands in a folder, and kills them at a call. This process must have no other
    children.
    """

    def __init__(self, library: Path) -> None:
        self._library = library

    def run(self, folder: Path, words: Sequence[str], *, stdin: bytes = b"", nth: int = 0) -> Ended:
        """Run `mqsc` there. It is killed before its `nth` call that changes files; with 0 it
        ends by itself.
        """
        return self._forked(folder, lambda: _command(words), stdin, nth)

    def ask(self, folder: Path, question: Callable[[], Any]) -> Any:
        """The answer of a function that is called there, in a process of its own."""
        ended = self._forked(folder, lambda: _answer(question), b"", None)
        if ended.code:
            raise AssertionError(f"{question} in {folder}: {ended.err}")
        return pickle.loads(bytes.fromhex(ended.out))

    def _forked(
        self,
        folder: Path,
        work: Callable[[], object],
        stdin: bytes,
        nth: int | None,
    ) -> Ended:
        files = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
        os.pwrite(files[0], stdin, 0)
        library = _library(self._library)
        child = os.fork()
        if not child:
            _become(library if nth is not None else None, folder, files, work)
        last, status = ctypes.c_int(-1), ctypes.c_int()
        if nth is None:
            calls, status.value = 0, os.waitpid(child, 0)[1]
        else:
            calls = library.run_until(child, nth, ctypes.byref(last), ctypes.byref(status))
        if calls < 0:
            raise Unavailable("the system does not let a process trace its child")
        out, err = (_content(each) for each in files[1:])
        for each in files:
            os.close(each)
        return Ended(os.waitstatus_to_exitcode(status.value), out, err, calls)


def _content(file: int) -> str:
    return os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")


def _become(
    library: ctypes.CDLL | None,
    folder: Path,
    files: Sequence[int],
    work: Callable[[], object],
) -> None:
    """Do the work in this forked process, and end it."""
    code = 99
    try:
        os.chdir(folder)
        for number, each in enumerate(files):
            os.dup2(each, number)
        sys.stdin = os.fdopen(0, closefd=False)
        sys.stdout, sys.stderr = (
            os.fdopen(each, "w", buffering=-1, closefd=False) for each in (1, 2)
        )
        if library is not None and (error := library.become_traced()):
            raise OSError(error, os.strerror(error))
        work()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def _command(words: Sequence[str]) -> None:
    sys.argv = ["mqsc", *words]
    mqsc.main.main(words)


def _answer(question: Callable[[], Any]) -> None:
    sys.stdout.write(pickle.dumps(question()).hex())
