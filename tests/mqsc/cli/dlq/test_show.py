"""`mqsc dlq show`, and the options that select messages."""

from __future__ import annotations

import click
import pytest

from mqsc.cli.dlq.dead_letter_queue import dead_letter_queue
from mqsc.cli.dlq.options import LettersWanted, ReasonCode
from mqsc.console.target import CommandFailedError
from mqsc.console.text.messages import ADDED_KEYS, body_lines
from mqsc.console.text.reasons import reason_text
from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQFB, MQRC
from tests.conftest import START
from tests.mqsc.conftest import Command
from tests.mqsc.dlq.handler_system import dead_letter
from tests.mqsc.session import Session

OVERVIEW = [
    "MESSAGES  REASON                         DESTINATION     OLDEST",
    "       1  2053 MQRC_Q_FULL               Q1 on QM1       4m",
    "       1  2085 MQRC_UNKNOWN_OBJECT_NAME  THROWN on QM1   3m",
    "       1  2053 MQRC_Q_FULL               NOWHERE on QM1  2m",
    "       1  2051 MQRC_PUT_INHIBITED        Q1 on QM1       1m",
    "       1  no MQDLH                       -               0s",
    "",
    "2053 MQRC_Q_FULL: The queue holds MAXDEPTH messages, uncommitted ones included.",
    reason_text(2085),
    reason_text(2051),
]


def test_show_with_and_without_details(mqsc: Command, qmgr: QueueManager) -> None:
    """The overview counts all messages, whatever the limit."""
    ended = mqsc("dlq", "show", "--limit", "1")
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines == [
        *OVERVIEW,
        "",
        "1  2053 MQRC_Q_FULL, for Q1 on QM1, 4m ago, 2 bytes",
        f"   MsgId {b'1'.ljust(24, bytes(1)).hex().upper()}",
    ]
    ended = mqsc("dlq", "show", "--limit", "1", "--details", "--body")
    assert ended.lines[len(OVERVIEW) :] == [
        "",
        "1  2053 MQRC_Q_FULL, for Q1 on QM1",
        "   on this queue since 2023-11-14T22:13:20Z, 4m; never expires",
        "   put 2023-11-14 22:13:20.00 by billing, user alice",
        "   dead-lettered 2024-01-02 03:04:05.06 by mover",
        "   format MQSTR, 2 bytes, priority 0, not persistent, backed out 0 times",
        f"   MsgId {b'1'.ljust(24, bytes(1)).hex().upper()}",
        *body_lines(b"m1"),
    ]
    assert mqsc("dlq", "show", "--body").lines[-1:] == list(body_lines(b"odd"))


def test_show_only_the_overview(mqsc: Command, qmgr: QueueManager) -> None:
    assert mqsc("dlq", "show", "--summary").lines == OVERVIEW
    rows = mqsc("dlq", "show", "--summary", "--format", "json").rows
    assert sum(row["messages"] for row in rows) == 5
    assert rows[0] == {
        **{
            "reason": 2053,
            "reason_name": "MQRC_Q_FULL",
            "dest_q_name": "Q1",
            "dest_q_mgr_name": "QM1",
        },
        **{
            "origin": None,
            "backed_out_by": None,
            "messages": 1,
            "oldest_put_at": START,
            "oldest_age": 240_000_000,
        },
    }
    assert rows[-1]["reason"] is rows[-1]["dest_q_name"] is None


def test_the_overview_counts_by_reason_and_destination(mqsc: Command, qmgr: QueueManager) -> None:
    """The largest group comes first, with the age of its oldest message."""
    with qmgr.connect() as connection:
        for number in (8, 9):
            connection.put1("DLQ", dead_letter("x", number, dest_q_name="NOWHERE", reason=2053))
    largest = mqsc("dlq", "show", "--summary").lines[1]
    assert largest.split() == ["3", "2053", "MQRC_Q_FULL", "NOWHERE", "on", "QM1", "2m"]


def test_show_as_json_is_what_browse_prints_and_more_and_can_be_put(
    mqsc: Command,
    qmgr: QueueManager,
) -> None:
    shown = mqsc("dlq", "show", "--format", "json").rows
    browsed = mqsc("browse", "DLQ", "--format", "json").rows
    for more, plain in zip(shown, browsed, strict=True):
        assert more | plain == more
    assert shown[0]["dead_letter"]["reason_name"] == "MQRC_Q_FULL"
    assert (shown[0]["age"], shown[0]["expires_at"], shown[4]["dead_letter"]) == (
        240_000_000,
        None,
        None,
    )
    assert shown[0].keys() - browsed[0].keys() == ADDED_KEYS - {"put_at"}
    printed = mqsc("dlq", "show", "--format", "jsonl")
    assert mqsc("put", "REST", "-", "--json", stdin=printed.out.encode()).code == 0
    again = mqsc("dlq", "show", "REST", "--format", "json").rows
    assert [row["body"] for row in again] == [row["body"] for row in printed.rows]


FILTERS: dict[str, list[int]] = {
    **{
        "--reason 2053": [1, 3],
        "--reason Q_FULL --reason MQRC_PUT_INHIBITED": [1, 3, 4],
        "--destination Q*": [1, 4],
    },
    **{
        "--older-than 3m": [1, 2],
        "--msg-id 32": [2],
        "--reason 2053 --limit 1": [1],
        "--reason MQFB_EXPIRATION": [],
    },
    "REST": [],
}


def test_filters(session: Session, qmgr: QueueManager) -> None:
    for words, numbers in FILTERS.items():
        ended = session(f"dlq show {words}")
        after_blank = [
            line for line, above in zip(ended.lines[1:], ended.lines, strict=False) if not above
        ]
        assert [int(line.split()[0]) for line in after_blank if ", for " in line] == numbers, words
        assert bool(ended.err) is not bool(numbers), words


def test_what_cannot_be_shown(session: Session, qmgr: QueueManager) -> None:
    session("""
        dlq show ...
        --reason Q_FUL => 20 ! did you mean MQRC_Q_FULL?
        --reason FB_EXPIRATION => 20 ! did you mean MQFB_EXPIRATION?
        --older-than soon => 20 ! not a length of time
        --msg-id xyz => 20 ! not hexadecimal
        --summary --body => 20 ! --summary
        ...
        ALTER QMGR DEADQ(' ')
        dlq show => 10 ! no dead-letter queue
    """)


def test_names_of_reasons() -> None:
    for text, reason in (
        *((text, MQRC.Q_FULL) for text in ("2053", "MQRC_Q_FULL", "q_full")),
        *(("MQFB_EXPIRATION", MQFB.EXPIRATION), ("EXPIRATION", MQFB.EXPIRATION), ("99999", 99999)),
    ):
        assert ReasonCode().convert(text, None, None) == reason, text
    example = "use a number, or a name such as MQRC_Q_FULL"
    for text, says in (
        *(
            ("Q_FUL", "did you mean MQRC_Q_FULL?"),
            ("MQFB_EXPIRATON", "did you mean MQFB_EXPIRATION?"),
        ),
        *(("FOO", example), ("MQRC_FOO", example), ("ZZZZZZZZZZZZZZZZZZZZ", example)),
    ):
        with pytest.raises(click.BadParameter, match="is not a reason") as refused:
            ReasonCode().convert(text, None, None)
        assert says in refused.value.message, text


def test_the_filter_is_made_of_the_options(qmgr: QueueManager) -> None:
    wanted = LettersWanted((2053,), "Q*")
    assert (wanted.are_all, LettersWanted().are_all) == (False, True)
    found = wanted.on_queue(qmgr, "DLQ")
    assert (found.reasons, found.destination, found.selects_all) == (frozenset({2053}), "Q*", False)


def test_which_queue_it_is(qmgr: QueueManager) -> None:
    change_queue_manager(qmgr, {"DEADQ": ""})
    with pytest.raises(
        CommandFailedError,
        match="QM1 has no dead-letter queue; name a queue, or set one",
    ):
        dead_letter_queue(qmgr, None)
    create(qmgr, KINDS["QALIAS"], "FRONT", {"TARGET": "DLQ"})
    change_queue_manager(qmgr, {"DEADQ": "DLQ"})
    assert [dead_letter_queue(qmgr, name) for name in (None, " ", "FRONT")] == ["DLQ"] * 3
    with pytest.raises(CommandFailedError, match="AMQ8147E: IBM MQ object NOPE not found"):
        dead_letter_queue(qmgr, "NOPE")
    change_queue_manager(qmgr, {"DEADQ": "NO.SUCH"})
    with pytest.raises(CommandFailedError, match=r"NO\.SUCH not found\. It is DEADQ of QM1"):
        dead_letter_queue(qmgr, None)
