"""`mqsc channel explain`: channels in each status, in doubt, and the forecast for their next
message.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mqsc.store import GetMessageOptions, open_store
from mqsc.store.constants import MQGMO, MQOO
from tests.mqsc.screen import too_wide
from tests.mqsc.session import Session


@pytest.fixture
def shop(session: Session) -> Session:
    session("""
        qmgr create QM1 --clock manual
        qmgr create QM2 --clock manual
        clock set 2026-03-01T09:00:00
        QM2: clock set 2026-03-01T09:00:00
        DEFINE QLOCAL(X) USAGE(XMITQ)
        DEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)
        DEFINE QREMOTE(NOWHERE) RNAME(NOPE) RQMNAME(QM2) XMITQ(X)
        DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('local(QM2)') XMITQ(X)
        DEFINE CHANNEL(S) CHLTYPE(SVRCONN)
        QM2: DEFINE QLOCAL(Q)
        QM2: DEFINE QLOCAL(DLQ)
        QM2: DEFINE CHANNEL(C) CHLTYPE(RCVR)
    """)
    return session


def data(session: Session) -> dict[str, Any]:
    (row,) = session("channel explain C --format json => !|").rows
    return dict(row)


# (commands at QM2, queue and options of the put, what becomes of the message)
OUTCOMES: list[tuple[str, str, dict[str, Any]]] = [
    ("", "RQ --persistent", {"where": "receiver", "reason": 0, "action": "deliver", "target": "Q"}),
    (
        "ALTER QLOCAL(Q) MAXDEPTH(0)",
        "RQ --persistent",
        {"reason": 2053, "retries": 10, "action": "end"},
    ),
    (
        "DLQ, ALTER QLOCAL(Q) PUT(DISABLED)",
        "RQ --persistent",
        {"reason": 2051, "retries": 10, "target": "DLQ"},
    ),
    ("", "NOWHERE", {"reason": 2085, "retries": 0, "action": "drop"}),
    (
        "DLQ, ALTER QLOCAL(DLQ) PUT(DISABLED)",
        "NOWHERE --persistent",
        {"action": "end", "dead_letter_reason": 2051},
    ),
    (
        "ALTER CHANNEL(C) CHLTYPE(RCVR) MAXMSGL(3)",
        "RQ --persistent",
        {"where": "sender", "reason": 2218, "action": "end"},
    ),
]


@pytest.mark.parametrize(("commands", "put", "outcome"), OUTCOMES)
def test_the_next_message(shop: Session, commands: str, put: str, outcome: dict[str, Any]) -> None:
    for command in filter(None, commands.replace("DLQ,", "ALTER QMGR DEADQ(DLQ),").split(", ")):
        shop(f"QM2: {command}")
    shop(f"put {put} hello")
    found = data(shop)["next_message"]["outcome"]
    assert {word: found[word] for word in outcome} == outcome
    assert found["action"] == outcome.get("action", "dead-letter")
    # The forecast is correct.
    if not outcome.get("retries"):
        shop(f"channel run C --until-empty => {10 if outcome['action'] == 'end' else 0}")


def test_the_next_message_is_none_that_a_program_has_locked(shop: Session, tmp_path: Path) -> None:
    shop("put RQ long --msg-id 01")
    with (
        open_store(f"sqlite:///{tmp_path}/store.db") as store,
        store.queue_manager("QM1").connect() as other,
    ):
        other.open("X", MQOO.BROWSE).get(GetMessageOptions(MQGMO.BROWSE_FIRST | MQGMO.LOCK))
        assert data(shop)["next_message"] is None
        shop("put RQ free --msg-id 02")
        assert data(shop)["next_message"]["msg_id"].startswith("02")
    assert data(shop)["next_message"]["msg_id"].startswith("01")


NUMBERS = {
    "RESET CHANNEL(C) SEQNUM(77)": (
        "AMQ9526E: Message sequence number error for channel 'C': number 1 sent, 77"
    ),
    "ALTER CHANNEL(C) CHLTYPE(RCVR) SEQWRAP(500)": (
        "AMQ9505E: Channel sequence wrap values are different"
    ),
}


@pytest.mark.parametrize("command", NUMBERS)
def test_numbers_that_would_differ(shop: Session, command: str) -> None:
    shop(f"""
        QM2: {command}
        channel explain C => > QM2 was found, but a start would fail now: {NUMBERS[command]}
        channel run C --until-empty => 10 ! {NUMBERS[command]}
    """)


@pytest.mark.parametrize(
    ("step", "record", "resolve"),
    [
        ("R2-after", "QM2 has committed it", "The next start commits it"),
        ("S4-after", "QM2 has not committed this batch", "The next start backs it out"),
    ],
)
def test_a_batch_in_doubt(shop: Session, step: str, record: str, resolve: str) -> None:
    text = shop(f"""
        put RQ hello --count 12 --persistent
        channel fault C break --at {step}
        channel run C --until-empty => 10
        channel explain C => > of 12 messages, since 2026-03-01T09:00:00Z.
            >     and 2 more
            > {record}
            > {resolve}
            > RESOLVE CHANNEL(C) ACTION(COMMIT) deletes 12 messages from X.
            > X has no message but those in doubt.
            > RESET    AMQ9507E
            > Last end 2026-03-01T09:00:00Z: AMQ9208E
    """).out
    assert text.count(" for Q at QM2, 5 bytes\n") == 10
    (batch,) = data(shop)["in_doubt"]
    assert (batch["messages"], batch["partner_committed"]) == (12, step == "R2-after")
    shop("qmgr end QM2\nqmgr delete QM2\nchannel explain C => > The partner cannot be asked")
    assert data(shop)["in_doubt"][0]["partner_committed"] is None


def test_it_changes_nothing(shop: Session, tmp_path: Path) -> None:
    def events() -> int:
        with open_store(f"sqlite:///{tmp_path}/store.db") as store:
            return store.bound().seq

    shop("put RQ hello")
    before = events()
    assert shop("channel explain C").out == shop("channel explain C").out
    assert events() == before
    assert len(shop("browse X --format jsonl").rows) == 1


def test_lines_are_broken_between_words(shop: Session, tmp_path: Path) -> None:
    shop("""
        put RQ hello --count 3 --persistent
        channel fault C break --at R2-after
        channel run C --until-empty => 10
        put NOWHERE hello
    """)
    for width in (40, 80, 100):
        for qmgr in ("QM1", "QM2"):
            assert too_wide(tmp_path, width, "channel", "explain", "C", "-m", qmgr) == []


SESSIONS = {
    "an expired message is passed over": """
        put RQ old --expiry 1s
        put RQ new
        clock advance 2s
        channel explain C --format json => .next_message.expired_before [1]
        channel explain C => > 1 message before it expired; the channel discards them.
    """,
    "a batch in doubt whose record is gone": """
        put RQ hello --persistent
        channel fault C break --at R2-after
        channel run C --until-empty => 10
        QM2: CLEAR QLOCAL(SYSTEM.CHANNEL.SYNCQ) => > MQSC0046W: Records of channels are gone: C (batches from QM1).
        channel explain C => > CONNAME leads to QM2, but QM2 no longer has its record of the channel.
            > it is not known whether the batch was committed
        channel explain C --format json => .in_doubt.0.partner_committed [null]
        channel run C --until-empty => 10 ! AMQ9507E
    """,
    # It is converted as a whole, although the forecast needs only the start of other messages.
    "a message that cannot be converted": """
        ALTER CHANNEL(C) CHLTYPE(SDR) CONVERT(YES)
        ALTER QMGR DEADQ(DLQ)
        DEFINE QLOCAL(DLQ)
        put RQ hello --persistent --format-name OWN
        QM2: ALTER QMGR CCSID(37)
        channel explain C --format json => .next_message.outcome.where ["sender"]
            .next_message.outcome.reason [2110]
            .next_message.outcome.action ["dead-letter"]
        channel run C --until-empty
        get DLQ --format json => .format ["MQDEAD"]
    """,
    "a partner that does not answer": """
        QM2: DELETE CHANNEL(C)
        channel explain C => > QM2 was found, but a start would fail now: AMQ9520E
        channel explain C --format json => .commands.PING ["AMQ9520E"]
        put RQ hello
        channel explain C => > What becomes of it is not known
        qmgr end QM2
        channel explain C => > a start would fail now: AMQ9524E
        ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('host(1414)')
        channel explain C => > Cannot be reached: AMQ9202E
            > is not mapped
        ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('QM2')
        channel fault C down
        channel explain C => > `mqsc channel fault` keeps the partner down
            > down at any step
    """,
    "a channel that never ran": """
        channel explain C => !|
            = C (SDR) at QM1, 2026-03-01T09:00:00Z, CONNAME(local(QM2)), XMITQ(X)
            =   INACTIVE: no program runs it, and nothing is due.
            > No channel initiator reads SYSTEM.CHANNEL.INITQ
            > A message on X starts nothing: its INITQ is blank.
            > QM2 was found, and answers.
            > X is empty.
            > START    AMQ8018I
            > STOP     AMQ9533W
            ~ Last end
    """,
    "junk is for the dead-letter queue of the sender": """
        put X junk --persistent
        channel explain C => > QM1 would not send it: 271 MQFB_XMIT_Q_MSG_ERROR
            > Channel C would end, and keep it. There is no dead-letter queue (DEADQ is blank).
    """,
    "a batch in doubt with another queue manager": """
        ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('local(QM2),local(QM3)')
        put RQ a --persistent
        channel fault C break --at R2-after
        channel run C --until-empty => 10
        qmgr create QM3
        QM3: DEFINE CHANNEL(C) CHLTYPE(RCVR)
        qmgr end QM2
        channel explain C => > Q at QM2, 1 byte
            > CONNAME leads to QM3, but the batch was sent to QM2.
        channel run C --until-empty => 10 ! AMQ9507E
    """,
    "statuses": """
        START CHANNEL(C)
        channel explain C => > START    AMQ9514E
            > STARTING: START CHANNEL was accepted, but no channel initiator reads SYSTEM.CHANNEL.INITQ.
        STOP CHANNEL(C)
        channel explain C => > STOPPED: nothing starts it but START CHANNEL(C)
            > X has GET(DISABLED)
    """,
    "other ends, missing objects, and an ended queue manager": """
        channel explain C -m QM2 => > Its partner calls it; no program here starts it.
            > RESOLVE  AMQ9502E
        channel explain S => > Clients that name it run this channel
        channel explain NOPE => 10 ! AMQ8227E
        DELETE QLOCAL(X)
        channel explain C => > Its transmission queue X is missing.
            > START    AMQ9509E: Program cannot open queue manager object 'X': there is no local queue
        DEFINE QLOCAL(X) USAGE(XMITQ)
        qmgr end QM1
        channel explain C => > The queue manager QM1 does not run; nor do its channels.
            > START    AMQ8146E
    """,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(shop: Session, name: str) -> None:
    shop(SESSIONS[name])
