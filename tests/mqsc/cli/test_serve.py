"""`mqsc serve`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.request import urlopen

from tests.mqsc.session import Session


@contextmanager
def serve(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """`mqsc serve` as a process of its own, with its standard output; it is killed at the end if
    it still runs.
    """
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
    """E24: a scan runs once EXPRYINT has passed; a second serve reports the first; SIGTERM ends
    it cleanly.
    """
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


def test_serve_takes_a_queue_manager_that_is_named_twice_once(
    session: Session,
    tmp_path: Path,
) -> None:
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
    with serve(tmp_path, "--archive", str(tmp_path / "archive"), "--archive-at", "23:59") as (
        serving,
        said,
    ):
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


def test_serve_answers_prometheus(expired: Session, tmp_path: Path) -> None:
    """Gauges are those of now; counters count from the start of the program."""
    expired("serve --metrics 70000 => 20 ! is not a port from 0 to 65535")
    with serve(tmp_path, "--metrics", "0") as (serving, said):
        (url,) = re.findall(r"metrics at (http://127\.0\.0\.1:\d+/metrics)\n", said.readline())
        before = metrics(url)
        expired("REFRESH QMGR TYPE(EXPIRY)")
        after = metrics(url)
        port = url.split(":")[2].split("/")[0]
        expired(
            f"qmgr create QM2\nserve QM2 --metrics {port} => 20 ! metrics on 127.0.0.1 port "
            f"{port}: Address already",
        )
        serving.send_signal(signal.SIGTERM)
        assert (serving.communicate()[1], serving.returncode) == (MANUAL, 0)
    of_a = {name: before[f"{name}{{{LABELS}}}"] for name in OF_QUEUE}
    assert of_a == {
        **{
            "ibmmq_queue_depth": 5,
            "ibmmq_queue_attribute_max_depth": 5000,
            "ibmmq_queue_oldest_message_age": 60,
        },
        **{
            "ibmmq_queue_input_handles": 0,
            "ibmmq_queue_output_handles": 0,
            "ibmmq_queue_uncommitted_messages": 0,
        },
    }
    assert before['ibmmq_qmgr_status{description="-",platform="UNIX",qmgr="QM1"}'] == 2
    assert not any(name.startswith("mqsc_queue_expired") for name in before)
    assert after['mqsc_queue_expired_messages_total{qmgr="QM1",queue="APP.A"}'] == 4
    assert after[f"ibmmq_queue_depth{{{LABELS}}}"] == 1


_NAMES = (
    "depth attribute_max_depth oldest_message_age input_handles output_handles uncommitted_messages"
)
# Those of IBM's exporter.
LABELS = 'cluster="-",description="-",platform="UNIX",qmgr="QM1",queue="APP.A",usage="NORMAL"'
OF_QUEUE = [f"ibmmq_queue_{name}" for name in _NAMES.split()]
MANUAL = "mqsc: QM1 has a manual clock: scans run when `mqsc clock` moves it\n"


def metrics(url: str) -> dict[str, float]:
    with urlopen(url) as answer:
        lines = answer.read().decode().splitlines()
    return {
        name: float(value)
        for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")
    }


def test_options_of_http(expired: Session) -> None:
    """What would let others in is refused before anything is served."""
    expired(
        "serve --tls-cert c => 20 ! need --http\n"
        "serve --no-auth => 20 ! need --http\n"
        "serve --http 70000 => 20 ! is not a port from 0 to 65535\n"
        "serve --http 0.0.0.0:0 => 20 ! can be reached from other machines, and the store has no\n"
        "serve --http 0.0.0.0:0 --no-auth => 20 ! --no-auth is for this machine alone\n"
        "serve --http 0 --tls-cert c => 20 ! --tls-cert and --tls-key are given together\n"
        "serve --http 0 --tls-cert c --tls-key k => 20 ! No such file",
    )


def test_http_of_serve(expired: Session, tmp_path: Path) -> None:
    """The port is answered until the signal; a second server on it is refused."""
    with serve(tmp_path, "--http", "0") as (serving, said):
        line = said.readline()
        (url,) = re.findall(r"metrics at (http://127\.0\.0\.1:\d+)/metrics\n", line)
        assert "the store has no users, so nobody can log in" in said.readline()
        with urlopen(f"{url}/health/live") as answer:
            assert answer.read() == b'{"status":"ok"}'
        port = url.rpartition(":")[2]
        expired(f"qmgr create QM2\nserve QM2 --http {port} => 20 ! Address already in use")
        serving.send_signal(signal.SIGTERM)
        assert (serving.communicate()[1], serving.returncode) == (MANUAL, 0)
