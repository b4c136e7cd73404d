"""`mqsc expiry`, and the cron job that runs a scan."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.sqlite.locks import SingleInstanceLock, lock_beside
from tests.mqsc.conftest import Command

REFRESH = "REFRESH QMGR TYPE(EXPIRY) NAME('APP.*')"


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


def test_the_preview_counts_what_a_get_and_a_scan_would_take_and_changes_nothing(expired: Command) -> None:
    for _ in range(2):
        row = json.loads(expired("expiry", "APP.A", "--format", "jsonl").out)
        seen = {
            key: row[key] for key in ("depth", "expired", "get_discards", "get_finds", "scan_discards", "scan_reports")
        }
        assert seen == {
            "depth": 5,
            "expired": 4,
            "get_discards": 3,
            "get_finds": True,
            "scan_discards": 4,
            "scan_reports": 1,
        }
        times = (row["now"], row["expired_since"], row["next"][0]["at"])
        assert [datetime.fromisoformat(at).tzinfo for at in times] == [UTC] * 3
        assert row["next"][0]["messages"] == 1
        assert row["putters"][0]["messages"] == 4


def test_a_generic_preview_shows_queues_that_hold_expired_messages(expired: Command) -> None:
    ended = expired("expiry", "APP.*")
    assert [line.split()[0] for line in ended.lines[:2]] == ["QUEUE", "APP.A"]
    assert "4 put by mqsc" in ended.lines[2]
    assert len(expired("expiry", "APP.*", "--all").lines) == 4


@pytest.mark.parametrize(("name", "suggestion"), [("APP.C", " Did you mean APP.B?"), ("WEB.*", "")])
def test_a_queue_that_does_not_exist_is_an_error(expired: Command, name: str, suggestion: str) -> None:
    ended = expired("expiry", name)
    assert (ended.code, ended.out) == (10, "")
    assert ended.err == f"mqsc: AMQ8147E: IBM MQ object {name} not found.{suggestion}\n"


@pytest.mark.parametrize(
    ("interval", "scanned"), [("7", "scanned by QM2 every 7 s"), ("OFF", "scanned by no member (EXPRYINT)")]
)
def test_a_shared_queue_is_shown_with_the_member_that_scans_it(mqsc: Command, interval: str, scanned: str) -> None:
    for name in ("QM1", "QM2"):
        mqsc("qmgr", "create", name, "--group", "QSG1", "--clock", "manual")
    mqsc("run", "-c", "DEFINE CFSTRUCT(APPL1)", "-c", "DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1)")
    mqsc("run", "-m", "QM2", "-c", f"ALTER QMGR EXPRYINT({interval})")
    mqsc("put", "SQ", "old", "--expiry", "10")
    mqsc("clock", "advance", "60s")
    assert mqsc("expiry", "SQ").lines[-1] == f"SQ: shared queue of QSG1, {scanned}"
    row = json.loads(mqsc("expiry", "S*", "--format", "jsonl").out)
    seconds = int(interval) if interval != "OFF" else None
    assert (row["group"], row["scanned_by"], row["interval"]) == ("QSG1", "QM2" if seconds else "", seconds)


def test_queues_without_expired_messages_are_no_failure(expired: Command) -> None:
    ended = expired("expiry", "SYSTEM.*")
    assert (ended.code, ended.out) == (0, "No message has expired.\n")


def test_a_quiet_job_prints_nothing_but_problems(expired: Command) -> None:
    ended = expired("run", "--quiet", "--skip-if-running", "-c", REFRESH)
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    assert expired("browse", "APP.A", "--format", "jsonl").out.count("live") == 1
    ended = expired("run", "--quiet", "-c", "REFRESH QMGR TYPE(EXPIRY) NAME('AP.*')")
    (line,) = ended.lines
    assert (ended.code, ended.err) == (0, "")
    assert line.endswith(" QM1 MQSC0021W: No local queue matches NAME(AP.*): nothing was scanned.")


def test_a_job_that_overlaps_another_skips_with_a_line(expired: Command, tmp_path: Path) -> None:
    lock = SingleInstanceLock(lock_beside(str(tmp_path / "store.db"), "job", "QM1"))
    assert lock.acquire()
    try:
        ended = expired("run", "--skip-if-running", "-c", REFRESH)
        assert (ended.code, ended.out) == (0, "")
        assert "skipped" in ended.err
        ended = expired("run", "--quiet", "--skip-if-running", "-c", REFRESH)
        assert (ended.code, ended.out, ended.err) == (0, "", "")
        assert expired("run", "-c", REFRESH).code == 0
    finally:
        lock.release()
