"""`mqsc dlq show`, and the options that select messages."""

from __future__ import annotations

import json

import pytest

from mqsc.console.text.messages import ADDED_KEYS, body_lines
from mqsc.console.text.reasons import reason_text
from store.admin.altering import change_queue_manager
from store.client.api import QueueManager
from tests.conftest import START
from tests.mqsc.cli.dlq.conftest import objects
from tests.mqsc.conftest import Command
from tests.mqsc.dlq.handler_system import dead_letter

OVERVIEW = [
    "MESSAGES  REASON                         DESTINATION     OLDEST",
    "       1  2053 MQRC_Q_FULL               Q1 on QM1       4m 0s",
    "       1  2085 MQRC_UNKNOWN_OBJECT_NAME  THROWN on QM1   3m 0s",
    "       1  2053 MQRC_Q_FULL               NOWHERE on QM1  2m 0s",
    "       1  2051 MQRC_PUT_INHIBITED        Q1 on QM1       1m 0s",
    "       1  no MQDLH                       -               0s",
    "",
    "2053 MQRC_Q_FULL: The queue holds MAXDEPTH messages, uncommitted ones included.",
    reason_text(2085),
    reason_text(2051),
]


def test_show(mqsc: Command, qmgr: QueueManager) -> None:
    """The overview counts all messages, whatever the limit."""
    ended = mqsc("dlq", "show", "--limit", "1")
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines == [
        *OVERVIEW,
        "",
        "1  2053 MQRC_Q_FULL, for Q1 on QM1, 4m 0s ago, 2 bytes",
        f"   MsgId {b'1'.ljust(24, bytes(1)).hex().upper()}",
    ]


def test_show_details_and_bodies(mqsc: Command, qmgr: QueueManager) -> None:
    ended = mqsc("dlq", "show", "--limit", "1", "--details", "--body")
    assert ended.lines[len(OVERVIEW) :] == [
        "",
        "1  2053 MQRC_Q_FULL, for Q1 on QM1",
        "   on this queue since 2023-11-14T22:13:20Z, 4m 0s; never expires",
        "   put 2023-11-14 22:13:20.00 by billing, user alice",
        "   dead-lettered 2024-01-02 03:04:05.06 by mover",
        "   format MQSTR, 2 bytes, priority 0, not persistent, backed out 0 times",
        f"   MsgId {b'1'.ljust(24, bytes(1)).hex().upper()}",
        *body_lines(b"m1"),
    ]
    assert mqsc("dlq", "show", "--body").lines[-1:] == list(body_lines(b"odd"))


def test_show_only_the_overview(mqsc: Command, qmgr: QueueManager) -> None:
    assert mqsc("dlq", "show", "--summary").lines == OVERVIEW
    rows = objects(mqsc("dlq", "show", "--summary", "--format", "json").out)
    assert sum(row["messages"] for row in rows) == 5
    assert rows[0] == {
        "reason": 2053,
        "reason_name": "MQRC_Q_FULL",
        "dest_q_name": "Q1",
        "dest_q_mgr_name": "QM1",
        "origin": None,
        "backed_out_by": None,
        "messages": 1,
        "oldest_put_at": START,
        "oldest_age": 240_000_000,
    }
    assert rows[-1]["reason"] is rows[-1]["dest_q_name"] is None
    assert mqsc("dlq", "show", "--summary", "--body").code == 20


def test_the_overview_counts_by_reason_and_destination(mqsc: Command, qmgr: QueueManager) -> None:
    """The largest group comes first, with the age of its oldest message."""
    with qmgr.connect() as connection:
        for number in (8, 9):
            connection.put1("DLQ", dead_letter("x", number, dest_q_name="NOWHERE", reason=2053))
    largest = mqsc("dlq", "show", "--summary").lines[1]
    assert largest.split() == ["3", "2053", "MQRC_Q_FULL", "NOWHERE", "on", "QM1", "2m", "0s"]


def test_show_as_json_is_what_browse_prints_and_more(mqsc: Command, qmgr: QueueManager) -> None:
    shown = objects(mqsc("dlq", "show", "--format", "json").out)
    browsed = objects(mqsc("browse", "DLQ", "--format", "json").out)
    for more, plain in zip(shown, browsed, strict=True):
        assert more | plain == more
    assert shown[0]["dead_letter"]["reason_name"] == "MQRC_Q_FULL"
    assert (shown[0]["age"], shown[0]["expires_at"], shown[4]["dead_letter"]) == (240_000_000, None, None)
    assert shown[0].keys() - browsed[0].keys() == ADDED_KEYS - {"put_at"}


def test_what_is_shown_can_be_put(mqsc: Command, qmgr: QueueManager) -> None:
    shown = mqsc("dlq", "show", "--format", "jsonl").out
    assert mqsc("put", "REST", "-", "--json", stdin=shown.encode()).code == 0
    assert [row["body"] for row in objects(mqsc("dlq", "show", "REST", "--format", "json").out)] == [
        json.loads(line)["body"] for line in shown.splitlines()
    ]


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        (("--reason", "2053"), [1, 3]),
        (("--reason", "Q_FULL", "--reason", "MQRC_PUT_INHIBITED"), [1, 3, 4]),
        (("--destination", "Q*"), [1, 4]),
        (("--older-than", "3m"), [1, 2]),
        (("--msg-id", "32"), [2]),
        (("--reason", "2053", "--limit", "1"), [1]),
        (("--reason", "FB_EXPIRATION"), []),
        (("REST",), []),
    ],
)
def test_filters(mqsc: Command, qmgr: QueueManager, arguments: tuple[str, ...], numbers: list[int]) -> None:
    ended = mqsc("dlq", "show", *arguments)
    shown = [line for line, above in zip(ended.lines[1:], ended.lines, strict=False) if not above and ", for " in line]
    assert [int(line.split()[0]) for line in shown] == numbers
    assert bool(ended.err) is not bool(numbers)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--reason", "Q_FUL"), "did you mean MQRC_Q_FULL?"),
        (("--older-than", "soon"), "not a length of time"),
        (("--msg-id", "xyz"), "not hexadecimal"),
    ],
)
def test_a_filter_that_means_nothing(mqsc: Command, qmgr: QueueManager, arguments: tuple[str, ...], said: str) -> None:
    ended = mqsc("dlq", "show", *arguments)
    assert ended.code == 20
    assert said in ended.err


def test_no_dead_letter_queue(mqsc: Command, qmgr: QueueManager) -> None:
    change_queue_manager(qmgr, {"DEADQ": ""})
    ended = mqsc("dlq", "show")
    assert (ended.code, ended.out) == (10, "")
    assert "no dead-letter queue" in ended.err
