"""The `mqsc dlq` commands on a backout queue, whose messages have their origin in the history."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mqsc.console.text.reasons import reason_text
from mqsc.store import open_store
from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from tests.conftest import START
from tests.mqsc.conftest import Command
from tests.mqsc.dlq.handler_system import dead_letter
from tests.mqsc.screen import too_wide
from tests.store.admin.backout_queue import BOQ, back_out, put

MINUTE = 60_000_000
NO_GET = (
    "sender put it here, with no recorded get of it from another queue in the same unit of work"
)
UNKNOWN = f"no MQDLH  skipped: origin unknown: {NO_GET}"
ADVICE = (
    f"mqsc: to move a message of unknown destination: mqsc dlq forward {BOQ} --to QUEUE --msg-id "
    "HEX\n"
)


@pytest.fixture
def qmgr(tmp_path: Path, mqsc: Command) -> Iterator[QueueManager]:
    """QM1 with a manual clock: four messages on its backout queue, moved there a minute apart."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        for name in ("ORDERS", "PAYMENTS.INCOMING", BOQ):
            create(qmgr, KINDS["QLOCAL"], name, {})
        create(qmgr, KINDS["QALIAS"], "BOQ.ALIAS", {"TARGET": BOQ})
        back_out(qmgr, "ORDERS", "m1", backouts=3)
        qmgr.advance_clock(MINUTE)
        back_out(qmgr, "ORDERS", "m2", backouts=1)
        qmgr.advance_clock(MINUTE)
        back_out(qmgr, "PAYMENTS.INCOMING", "m3", by_hand=True, application="batch")
        qmgr.advance_clock(MINUTE)
        put(qmgr, BOQ, "m4")
        yield qmgr


def test_the_overview_and_the_messages(mqsc: Command, qmgr: QueueManager) -> None:
    ended = mqsc("dlq", "show", "BOQ.ALIAS", "--summary")
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines == [
        "MESSAGES  ORIGIN             LAST BACKED OUT BY  OLDEST",
        "       2  ORDERS             billing             3m",
        "       1  PAYMENTS.INCOMING  -                   1m",
        "       1  unknown            -                   0s",
    ]
    rows = mqsc("dlq", "show", BOQ, "--summary", "--format", "json").rows
    found = [(row["origin"], row["backed_out_by"], row["messages"], row["reason"]) for row in rows]
    assert found == [
        ("ORDERS", "billing", 2, None),
        ("PAYMENTS.INCOMING", None, 1, None),
        (None, None, 1, None),
    ]
    lines = mqsc("dlq", "show", BOQ).lines
    assert [line for line in lines[5:] if line and not line.startswith(" ")] == [
        "1  from ORDERS, backed out 3 times, last by billing, 3m ago, 2 bytes",
        "2  from ORDERS, backed out once by billing, 2m ago, 2 bytes",
        "3  from PAYMENTS.INCOMING, 1m ago, 2 bytes",
        "4  no MQDLH, origin unknown, 0s ago, 2 bytes",
    ]


def test_the_overview_with_dead_letters(mqsc: Command, qmgr: QueueManager) -> None:
    """Messages without an MQDLH are a single row in the first table; the second table lists them
    by origin.
    """
    with qmgr.connect() as connection:
        connection.put1(BOQ, dead_letter("x", 9, dest_q_name="ORDERS"))
    lines = mqsc("dlq", "show", BOQ, "--summary").lines
    assert lines[:4] == [
        "MESSAGES  REASON            DESTINATION    OLDEST",
        "       4  no MQDLH          -              3m",
        "       1  2053 MQRC_Q_FULL  ORDERS on QM1  0s",
        "",
    ]
    assert lines[4].split() == ["MESSAGES", "ORIGIN", "LAST", "BACKED", "OUT", "BY", "OLDEST"]
    assert lines[8:] == ["", reason_text(2053)]


def test_details_and_data(mqsc: Command, qmgr: QueueManager) -> None:
    lines = mqsc("dlq", "show", BOQ, "--details", "--body").lines
    assert lines[5:11] == [
        "1  from ORDERS, backed out 3 times, last by billing",
        "   on this queue since 2023-11-14T22:13:20Z, 3m; never expires",
        "   put 2023-11-14 22:13:20.00 by sender, user sam",
        "   moved 2023-11-14T22:13:20Z by billing, user alice",
        "   last backed out on ORDERS 2023-11-14T22:13:20Z by billing, user alice",
        "   format MQSTR, 2 bytes, priority 0, not persistent, backed out 0 times here",
    ]
    assert "   no backout on PAYMENTS.INCOMING is recorded" in lines
    assert [line for line in lines if "origin unknown:" in line] == [
        f"   {UNKNOWN.split('skipped: ')[1]}",
    ]
    assert any("m1" in line for line in lines)
    shown = mqsc("dlq", "show", BOQ, "--format", "jsonl")
    first, *_, last = shown.rows
    assert first["origin"] == {
        "queue": "ORDERS",
        "queue_manager": None,
        "unknown": None,
        "moved_by": "billing",
        "moved_by_user": "alice",
        "moved_at": "2023-11-14T22:13:20Z",
        "backouts": 3,
        "backed_out_by": "billing",
        "backed_out_by_user": "alice",
        "backed_out_at": "2023-11-14T22:13:20Z",
        "backout_cause": "application",
    }
    assert (last["origin"]["unknown"], last["origin"]["queue"]) == ("put", None)
    assert mqsc("put", "ORDERS", "-", "--json", stdin=shown.out.encode()).code == 0


def test_retry(mqsc: Command, qmgr: QueueManager) -> None:
    foreseen = mqsc("dlq", "retry", "BOQ.ALIAS", "--plan")
    told = f"mqsc: {BOQ}: 3 would succeed, 0 would fail, 1 skipped; 1 would remain\n{ADVICE}"
    assert (foreseen.code, foreseen.err) == (0, told)
    ended = mqsc("dlq", "retry", "BOQ.ALIAS")
    assert (ended.code, ended.err) == (
        0,
        f"mqsc: {BOQ}: 3 done, 0 failed, 1 skipped; 1 remain on the queue\n{ADVICE}",
    )
    done = [f"no MQDLH to {queue}  done" for queue in ("ORDERS", "ORDERS", "PAYMENTS.INCOMING")]
    assert [line.split("  ", 1)[1] for line in ended.lines] == [*done, UNKNOWN]
    (row,) = mqsc("dlq", "retry", BOQ, "--format", "json").rows
    assert (row["result"], row["target"], row["origin"]["unknown"]) == ("no header", None, "put")
    assert mqsc("dlq", "forward", BOQ, "--to", "ORDERS", "--msg-id", row["msg_id"]).code == 0
    bodies = [row["body"]["text"] for row in mqsc("browse", "ORDERS", "--format", "json").rows]
    assert bodies == ["m1", "m2", "m4"]


def test_retry_of_some(mqsc: Command, qmgr: QueueManager) -> None:
    told = f"mqsc: {BOQ}: 2 done, 0 failed, 0 skipped; 2 remain on the queue\n"
    assert mqsc("dlq", "retry", BOQ, "--destination", "ORDERS").err == told


def test_a_queue_without_recorded_puts(mqsc: Command, qmgr: QueueManager) -> None:
    for name in ("ORDERS", BOQ):
        change(qmgr, KINDS["QLOCAL"], name, {"ACCTQ": "OFF"})
    back_out(qmgr, "ORDERS", "m5", by_hand=True)
    ended = mqsc("dlq", "retry", BOQ)
    assert ended.lines[-1].endswith(
        "skipped: origin unknown: the history does not record how it arrived",
    )
    told = (
        f"mqsc: {BOQ} has ACCTQ(OFF), so the history does not record puts on it; to move a message"
    )
    assert ended.err.splitlines()[1].startswith(told)


def test_an_origin_that_is_full(mqsc: Command, qmgr: QueueManager) -> None:
    change(qmgr, KINDS["QLOCAL"], "ORDERS", {"MAXDEPTH": 1})
    ended = mqsc("dlq", "retry", BOQ)
    assert (ended.code, ended.lines[1].split("  ", 1)[1]) == (
        10,
        "no MQDLH to ORDERS  failed: 2053 MQRC_Q_FULL",
    )


def test_on_terminals(tmp_path: Path, qmgr: QueueManager) -> None:
    for width in (40, 80, 100):
        for command, option in (
            ("show", "--summary"),
            ("show", "--details"),
            ("retry", "--plan"),
        ):
            assert too_wide(tmp_path, width, "dlq", command, BOQ, option) == []
