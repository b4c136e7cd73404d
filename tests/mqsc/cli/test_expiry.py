"""`mqsc expiry` and the cron job that runs a scan, and `mqsc poison`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mqsc.store.sqlite.locks import SingleInstanceLock, lock_beside
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session

REFRESH = "run -c \"REFRESH QMGR TYPE(EXPIRY) NAME('APP.*')\""


def test_the_preview_counts_what_a_get_and_a_scan_would_take_and_changes_nothing(
    expired: Session,
) -> None:
    for _ in range(2):
        (row,) = expired("expiry APP.A --format jsonl").rows
        counts = {
            "depth": 5,
            "expired": 4,
            "get_discards": 3,
            "get_finds": True,
            "scan_discards": 4,
            "scan_reports": 1,
        }
        assert {**row, **counts} == row
        times = (row["now"], row["expired_since"], row["next"][0]["at"])
        assert [datetime.fromisoformat(at).tzinfo for at in times] == [UTC] * 3
        assert (row["next"][0]["messages"], row["putters"][0]["messages"]) == (1, 4)


def test_queues_with_and_without_expired_messages(expired: Session) -> None:
    lines = expired("expiry APP.*").lines
    assert [line.split()[0] for line in lines[:2]] == ["QUEUE", "APP.A"]
    assert "4 put by mqsc" in lines[2]
    assert len(expired("expiry APP.* --all").lines) == 4
    expired("""
        expiry SYSTEM.* => !| mqsc: no message has expired
        expiry APP.C => 10 !| mqsc: AMQ8147E: IBM MQ object APP.C not found. Did you mean APP.B?
        expiry WEB.* => 10 !| mqsc: AMQ8147E: IBM MQ object WEB.* not found.
    """)


@pytest.mark.parametrize(
    ("interval", "scanned"),
    [("7", "QM2 every 7 s"), ("OFF", "no member (EXPRYINT)")],
)
def test_a_shared_queue_is_shown_with_the_member_that_scans_it(
    session: Session,
    interval: str,
    scanned: str,
) -> None:
    (row,) = session(f"""
        qmgr create QM1 --group QSG1 --clock manual
        qmgr create QM2 --group QSG1 --clock manual
        DEFINE CFSTRUCT(APPL1)
        DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1)
        QM2: ALTER QMGR EXPRYINT({interval})
        put SQ old --expiry 10
        clock advance 60s
        expiry SQ => = SQ: shared queue of QSG1, scanned by {scanned}
        expiry S* --format jsonl
    """).rows
    seconds = int(interval) if interval != "OFF" else None
    assert (row["group"], row["scanned_by"], row["interval"]) == (
        "QSG1",
        "QM2" if seconds else "",
        seconds,
    )


def test_a_quiet_job_prints_nothing_but_problems(expired: Session) -> None:
    expired(f"{REFRESH} --quiet --skip-if-running => |\n!|")
    assert [row["body"]["text"] for row in expired("browse APP.A --format jsonl").rows] == ["live"]
    (line,) = expired(f"{REFRESH.replace('APP', 'AP')} --quiet => !|").lines
    assert line.endswith(" QM1 MQSC0021W: No local queue matches NAME(AP.*): nothing was scanned.")


def test_a_job_that_overlaps_another_skips_with_a_line(expired: Session, tmp_path: Path) -> None:
    lock = SingleInstanceLock(lock_beside(str(tmp_path / "store.db"), "job", "QM1"))
    assert lock.acquire()
    try:
        expired(f"""
            {REFRESH} --skip-if-running => ! skipped
                |
            {REFRESH} --quiet --skip-if-running => !|
                |
            {REFRESH}
        """)
    finally:
        lock.release()


def test_each_message_with_what_would_become_of_it(failures: Session) -> None:
    ended = failures("poison")
    assert [
        line for line in ended.lines if not line.startswith(("  414D51", "    backed out"))
    ] == [
        "A: BOTHRESH(1) BOQNAME(B)",
        "    a consumer cannot move it, and ends with 2362 MQRC_BACKOUT_THRESHOLD_REACHED, because "
        "BOQNAME(B) refuses "
        "it (2053 MQRC_Q_FULL) and DEADQ is blank",
        "C: BOTHRESH(0) BOQNAME(' ')",
        "    a consumer delivers it again; with BOTHRESH(0) it is never moved",
    ]
    assert ended.lines[2].startswith("    backed out once, last by mqsc consume, user ")
    assert ended.lines[6].startswith("    backed out 2 times, last by mqsc consume, user ")
    assert failures("poison").out == ended.out
    (row,) = failures("poison A --format json").rows
    assert (row["queue"], row["backout_count"], row["threshold"], row["action"]) == (
        "A",
        1,
        1,
        "keep",
    )
    assert (row["succeeds"], row["backout_queue_reason"], row["dead_letter_queue"]) == (
        False,
        2053,
        None,
    )
    assert row["last_backout"]["application"] == "mqsc consume"
    failures("""
        poison B => !| mqsc: no message has been backed out
        poison NONE => 10 !| mqsc: AMQ8147E: IBM MQ object NONE not found.
    """)


@pytest.mark.usefixtures("failures")
def test_every_command_spells_an_identifier_alike_in_json(mqsc: Command) -> None:
    """They are keys to join by. `--msg-id` and `trace` also read capital letters, as the text of
    commands has them.
    """

    def ids(*arguments: str) -> set[str]:
        return {
            row["msg_id"] for row in mqsc(*arguments, "--format", "json").rows if row.get("msg_id")
        }

    (spelled,) = ids("poison", "A")
    assert spelled == spelled.lower() != spelled.upper()
    assert (
        ids("browse", "A")
        == ids("history", "A", "--kind", "PUT", "--msg-id", spelled.upper())
        == {spelled}
    )
    assert (
        ids("trace", spelled.upper()) == ids("get", "A", "--msg-id", spelled.upper()) == {spelled}
    )
