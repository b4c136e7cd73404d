"""`mqsc serve`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command


@pytest.fixture
def expired(mqsc: Command) -> Command:
    """APP.A holds three expired messages, then a live one, then an expired one; APP.B holds a live one."""
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("run", "-c", "DEFINE QLOCAL(APP.A)", "-c", "DEFINE QLOCAL(APP.B)")
    mqsc("put", "APP.A", "old", "--count", "3", "--expiry", "10")
    mqsc("put", "APP.A", "live", "--expiry", "6000")
    mqsc("put", "APP.A", "old", "--expiry", "10", "--report", "expiration", "--reply-to-q", "APP.B")
    mqsc("put", "APP.B", "live")
    mqsc("clock", "advance", "60s")
    return mqsc


def test_serve_scans_at_every_interval_until_told_to_end(expired: Command, tmp_path: Path) -> None:
    """E24: a scan runs once EXPRYINT has passed; a second serve reports the first; SIGTERM ends it cleanly."""
    expired("run", "-c", "ALTER QMGR EXPRYINT(5)")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    command = [sys.executable, "-m", "mqsc", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as serving:
        try:
            assert serving.stdout is not None
            assert "EXPRYINT(5)" in serving.stdout.readline()
            assert "discarded 4 messages, 1 report (APP.A 4)" in serving.stdout.readline()
            second = expired("serve")
            assert second.code == 20
            assert "already running for QM1" in second.err
            expired("run", "-c", "ALTER QMGR EXPRYINT(OFF)")
            assert "EXPRYINT(OFF)" in serving.stdout.readline()
            serving.send_signal(signal.SIGTERM)
            assert serving.stdout.read().rstrip().endswith("ended")
            assert serving.wait() == 0
        finally:
            serving.kill()


def test_a_quiet_serve_prints_nothing(expired: Command, tmp_path: Path) -> None:
    """Otherwise EXPRYINT(1) would print 86 400 lines a day."""
    expired("run", "-c", "ALTER QMGR EXPRYINT(5)")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    command = [sys.executable, "-m", "mqsc", "serve", "--quiet"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as serving:
        try:
            while expired("browse", "APP.B", "--format", "jsonl").out.count("\n") < 2:
                assert serving.poll() is None
            serving.send_signal(signal.SIGTERM)
            assert (*serving.communicate(), serving.returncode) == ("", "", 0)
        finally:
            serving.kill()


def test_serve_takes_a_queue_manager_that_is_named_twice_once(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    command = [sys.executable, "-m", "mqsc", "serve", "QM1", "QM1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as serving:
        try:
            assert serving.stdout is not None
            assert "EXPRYINT(OFF)" in serving.stdout.readline()
            serving.send_signal(signal.SIGINT)
            assert serving.stdout.read().count("\n") == 1
            assert serving.wait() == 0
        finally:
            serving.kill()


def test_serve_needs_a_queue_manager(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("serve", "QM9")
    assert ended.code == 10
    assert "AMQ8118E" in ended.err


def test_serve_archives_the_history(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    command = [sys.executable, "-m", "mqsc", "serve", "--archive", str(tmp_path / "archive"), "--archive-at", "23:59"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as serving:
        assert serving.stdout is not None
        try:
            archived = [line for line in iter(serving.stdout.readline, "") if done(line, serving)]
        finally:
            serving.terminate()
    assert "archive: archived events 1 to " in archived[0]
    assert archived[-1].rstrip().endswith("T23:59:00Z")
    assert list(tmp_path.glob("archive/store=*/_commits/*.json"))


def done(line: str, serving: subprocess.Popen[str]) -> bool:
    """Whether the line is about the archive; the program is ended when it waits for the next time."""
    if "archive: next at" in line:
        serving.terminate()
    return "archive: " in line


REFUSED = [
    (["--keep", "3"], "--keep and --archive-at need --archive"),
    (["--archive-at", "02:00"], "--keep and --archive-at need --archive"),
    (["--archive", "x", "--archive-at", "24:00"], "'24:00' is not a time of the day"),
    (["--archive", "sqlite:///x"], "sqlite:///x is a store"),
]


@pytest.mark.parametrize(("options", "said"), REFUSED)
def test_options_of_the_archive_that_are_wrong(mqsc: Command, options: list[str], said: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("serve", *options)
    assert ended.code == 20
    assert said in ended.err
