"""`mqsc serve`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tests.mqsc.session import Session


@contextmanager
def serve(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """`mqsc serve` as a process of its own, with its standard output; it is killed at the end if it still runs."""
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{folder}/store.db"}
    command = [sys.executable, "-m", "mqsc", "serve", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as serving:
        assert serving.stdout is not None
        try:
            yield serving, serving.stdout
        finally:
            serving.kill()


def test_serve_scans_at_every_interval_until_told_to_end(expired: Session, tmp_path: Path) -> None:
    """E24: a scan runs once EXPRYINT has passed; a second serve reports the first; SIGTERM ends it cleanly."""
    expired("ALTER QMGR EXPRYINT(5)")
    with serve(tmp_path) as (serving, said):
        assert "EXPRYINT(5)" in said.readline()
        assert "discarded 4 messages, 1 report (APP.A 4)" in said.readline()
        expired("serve => 20 ! already running for QM1\nALTER QMGR EXPRYINT(OFF)")
        assert "EXPRYINT(OFF)" in said.readline()
        serving.send_signal(signal.SIGTERM)
        assert said.read().rstrip().endswith("ended")
        assert serving.wait() == 0


def test_a_quiet_serve_prints_nothing(expired: Session, tmp_path: Path) -> None:
    """Otherwise EXPRYINT(1) would print 86 400 lines a day."""
    expired("ALTER QMGR EXPRYINT(5)")
    with serve(tmp_path, "--quiet") as (serving, _):
        while len(expired("browse APP.B --format jsonl").rows) < 2:
            assert serving.poll() is None
        serving.send_signal(signal.SIGTERM)
        assert (*serving.communicate(), serving.returncode) == ("", "", 0)


def test_serve_takes_a_queue_manager_that_is_named_twice_once(session: Session, tmp_path: Path) -> None:
    session("qmgr create QM1")
    with serve(tmp_path, "QM1", "QM1") as (serving, said):
        assert "EXPRYINT(OFF)" in said.readline()
        serving.send_signal(signal.SIGINT)
        assert said.read().count("\n") == 1
        assert serving.wait() == 0


def test_serve_archives_the_history(session: Session, tmp_path: Path) -> None:
    """The program is ended when it waits for the next time."""
    session("qmgr create QM1")
    archived = []
    with serve(tmp_path, "--archive", str(tmp_path / "archive"), "--archive-at", "23:59") as (serving, said):
        for line in said:
            archived += [line] if "archive: " in line else []
            if "archive: next at" in line:
                serving.terminate()
    assert "archive: archived events 1 to " in archived[0]
    assert archived[-1].rstrip().endswith("T23:59:00Z")
    assert list(tmp_path.glob("archive/store=*/_commits/*.json"))


def test_what_is_refused(session: Session) -> None:
    session("""
        qmgr create QM1
        serve ...
        QM9 => 10 ! AMQ8118E
        --keep 3 => 20 ! --keep and --archive-at need --archive
        --archive-at 02:00 => 20 ! --keep and --archive-at need --archive
        --archive x --archive-at 24:00 => 20 ! '24:00' is not a time of the day
        --archive sqlite:///x => 20 ! sqlite:///x is a store
    """)
