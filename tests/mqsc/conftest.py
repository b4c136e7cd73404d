"""Runs the command line in this process, with its own files, standard input and environment."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mqsc.main import run_to_exit_code

if TYPE_CHECKING:
    from tests.mqsc.session import Session


@dataclass(frozen=True)
class Ended:
    """The result of a command: exit code, stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of stdout, without trailing blanks."""
        return [line.rstrip() for line in self.out.splitlines()]

    @property
    def rows(self) -> list[Any]:
        """The rows of stdout, with `--format json` or `jsonl`."""
        whole = self.out if self.out.startswith("[") else f"[{','.join(self.out.splitlines())}]"
        return list(json.loads(whole))


Command = Callable[..., Ended]


@pytest.fixture
def mqsc(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Command:
    """Runs `mqsc` on the store at tmp_path/store.db, with `stdin` as its standard input."""
    monkeypatch.setenv("MQSC_STORE", f"sqlite:///{tmp_path}/store.db")
    monkeypatch.delenv("MQSC_QMGR", raising=False)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, stdin: bytes = b"") -> Ended:
        with monkeypatch.context() as patched:
            patched.setattr(
                sys,
                "stdin",
                io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), encoding="utf-8"),
            )
            code = run_to_exit_code(list(arguments))
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Ended(code, out.decode("utf-8"), err.decode("utf-8"))

    return call


@pytest.fixture
def session(mqsc: Command) -> Session:
    """Runs commands written as text, each with what it must print, on the same store as `mqsc`."""
    from tests.mqsc.session import Session

    return Session(mqsc)
