"""The life of a message, in one store and across two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import mqsc
from mqsc.history.trace_text import life_lines
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.admin.message_trace import MessageLife, life_of, matching_ids, partner_urls
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.rules import event_index
from mqsc.store.rules.message_trace import Role
from tests.conftest import START
from tests.store.admin.backout_queue import move
from tests.store.admin.two_stores import TwoStores, two_stores

HOUR = 3_600_000_000


Clocks = tuple[Environment[FrozenClock], Environment[FrozenClock]]


@pytest.fixture
def clocks() -> Clocks:
    return Environment.frozen(START), Environment.frozen(START)


@pytest.fixture
def both(tmp_path: Path, clocks: Clocks) -> Iterator[TwoStores]:
    yield from two_stores(tmp_path, *clocks)


@pytest.fixture
def qmgr(both: TwoStores) -> QueueManager:
    return both.qmgrs["QM1"]


def life(both: TwoStores, msg_id: bytes) -> MessageLife:
    return life_of([qmgr.store for qmgr in both.qmgrs.values()], msg_id)


def told(found: MessageLife) -> list[str]:
    """Return each step as queue manager, kind, queue, and the role unless it is the message
    itself.
    """
    steps = [(step.event, "" if step.role == "message" else step.role) for _, step in found.steps]
    return [
        " ".join(filter(None, (event.qmgr, event.kind, event.queue, role))) for event, role in steps
    ]


def steps(text: str) -> list[str]:
    return text.split(", ")


def test_from_one_queue_manager_to_another(both: TwoStores) -> None:
    msg_id = both.put("QM1", "FAR", b"order", persistence=1)
    both.put("QM1", "FAR", b"another")
    both.carry("QM1", "QM2")
    both.get("QM2", "ORDERS")
    found = life(both, msg_id)
    assert told(found) == steps(
        "QM1 PUT QM2 transmission, QM1 GET QM2 transmission, QM1 COMMIT unit of work, QM1 CHANNEL "
        "QM2 channel, "
        "QM2 PUT ORDERS, QM2 COMMIT unit of work, QM2 CHANNEL channel, QM2 GET ORDERS",
    )
    assert (found.msg_id, found.carrier, found.there) == (msg_id, None, [])


def test_the_message_that_carries_another_stands_for_it(both: TwoStores) -> None:
    msg_id = both.put("QM1", "FAR")
    outer = life(both, msg_id).steps[0][1].event.msg_id
    assert outer != msg_id
    found = life(both, outer or b"")
    assert (found.msg_id, found.carrier) == (msg_id, outer)
    assert told(found) == ["QM1 PUT QM2 transmission"]
    (there,) = found.there
    assert (there.qmgr, there.queue, there.msg_id, there.role) == (
        "QM1",
        "QM2",
        msg_id,
        Role.TRANSMISSION,
    )


def test_a_message_with_the_msg_id_of_one_that_carries_another(both: TwoStores) -> None:
    """It does not stand for what the other one carries, but the life names that."""
    msg_id = both.put("QM1", "FAR")
    outer = life(both, msg_id).steps[0][1].event.msg_id or b""
    both.put("QM1", "LOCAL", msg_id=outer)
    found = life(both, outer)
    assert (found.msg_id, found.carrier, found.carried) == (outer, None, [msg_id])
    assert told(found) == ["QM1 PUT QM2", "QM1 PUT LOCAL", "QM1 PUT COPIES"]
    (said,) = [each for each in life_lines(found, ["a.db"], 200) if "Several" in each]
    assert said == (
        f"Several messages have this MsgId; one carried {msg_id.hex().upper()} on a transmission "
        "queue."
    )


def test_a_configuration_event_carries_nothing(qmgr: QueueManager, both: TwoStores) -> None:
    """Its CorrelId is that of the command."""
    mqsc.run(qmgr, "ALTER QMGR CONFIGEV(ENABLED)\nDEFINE QLOCAL(NEW)", check=True)
    (message,) = [
        each
        for each in events(qmgr.store, EventSelection(queue="SYSTEM.ADMIN.CONFIG.EVENT"))
        if each.kind == "PUT"
    ][-1:]
    assert message.msg_id is not None
    found = life(both, message.msg_id)
    assert (found.msg_id, found.carrier) == (message.msg_id, None)
    assert told(found) == ["QM1 PUT SYSTEM.ADMIN.CONFIG.EVENT"]


def test_reports_are_followed_to_their_reply_queue(both: TwoStores) -> None:
    msg_id = both.put("QM1", "FAR", report=int(MQRO.COD), reply_to_q="ANSWERS")
    both.carry("QM1", "QM2")
    both.get("QM2", "ORDERS")
    both.carry("QM2", "QM1")
    found = life(both, msg_id)
    assert told(found)[-9:] == steps(
        "QM2 GET ORDERS, QM2 REPORT ORDERS report, QM2 PUT QM1 transmission, QM2 GET QM1 "
        "transmission, "
        "QM2 COMMIT unit of work, QM2 CHANNEL QM1 channel, QM1 PUT ANSWERS report, QM1 COMMIT unit "
        "of work, "
        "QM1 CHANNEL channel",
    )
    assert [(each.queue, each.role) for each in found.there] == [("ANSWERS", Role.REPORT)]
    carried = [step.carried for _, step in found.steps if step.role is Role.TRANSMISSION]
    assert carried == [Role.MESSAGE, Role.MESSAGE, Role.REPORT, Role.REPORT]


PASSED = {
    "PASS_CORREL_ID": MQRO.COD | MQRO.PASS_CORREL_ID,
    "PASS_MSG_ID": MQRO.COD | MQRO.PASS_MSG_ID,
    "both": MQRO.COD | MQRO.PASS_MSG_ID | MQRO.PASS_CORREL_ID,
}


@pytest.mark.parametrize("report", PASSED.values(), ids=PASSED)
def test_reports_that_pass_identifiers_on(both: TwoStores, report: int) -> None:
    both.put("QM1", "LOCAL", correl_id=b"c" * 24)
    msg_id = both.put("QM1", "LOCAL", correl_id=b"d" * 24, report=int(report), reply_to_q="ANSWERS")
    both.get("QM1", "LOCAL")
    both.get("QM1", "LOCAL")
    assert told(life(both, msg_id)) == steps(
        "QM1 PUT LOCAL, QM1 PUT COPIES, QM1 GET LOCAL, QM1 REPORT LOCAL report, QM1 PUT ANSWERS "
        "report",
    )


def test_replies_and_their_way_back(both: TwoStores) -> None:
    msg_id = both.put("QM1", "FAR")
    both.carry("QM1", "QM2")
    answer = both.put("QM2", "ORDERS", correl_id=msg_id)
    both.put("QM2", "ORDERS", correl_id=answer)
    found = life(both, msg_id)
    assert told(found)[-1] == "QM2 PUT ORDERS reply"
    assert [each.role for each in found.there] == [Role.MESSAGE, Role.REPLY]


def test_to_the_backout_queue_and_back(both: TwoStores, qmgr: QueueManager) -> None:
    msg_id = both.put("QM1", "ANSWERS")
    mqsc.run(qmgr, "DEFINE QLOCAL(BOQ)", check=True)
    move(qmgr, "ANSWERS", "BOQ", backouts=1)
    assert told(life(both, msg_id)) == steps(
        "QM1 PUT ANSWERS, QM1 GET ANSWERS, QM1 BACKOUT unit of work, QM1 GET ANSWERS, QM1 PUT BOQ, "
        "QM1 REQUEUE ANSWERS, QM1 COMMIT unit of work",
    )


def test_a_message_that_skips_a_backout(both: TwoStores, qmgr: QueueManager) -> None:
    msg_id = both.put("QM1", "ANSWERS")
    with qmgr.connect() as connection:
        options = GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT)
        connection.open("ANSWERS", MQOO.INPUT_SHARED).get(options)
        connection.back()
        connection.commit()
    assert told(life(both, msg_id)) == [
        "QM1 PUT ANSWERS",
        "QM1 GET ANSWERS",
        "QM1 BACKOUT unit of work",
        "QM1 COMMIT unit of work",
    ]


def test_two_messages_with_one_msg_id_skip_a_backout_each(
    both: TwoStores,
    qmgr: QueueManager,
) -> None:
    """The second backout returns the first message, which a command clears; the second one is
    committed, and gone.
    """
    mqsc.run(qmgr, "DEFINE QLOCAL(NEW)", check=True)
    marked = GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT)
    with qmgr.connect() as connection:
        for name in ("ANSWERS", "NEW"):
            connection.put1(name, Message(b"x", MessageDescriptor(msg_id=b"\7" * 24)))
            connection.open(name, MQOO.INPUT_SHARED).get(marked)
            connection.back()
        connection.commit()
    both.put("QM1", "NEW")
    mqsc.run(qmgr, "CLEAR QLOCAL(NEW)\nCLEAR QLOCAL(ANSWERS)", check=True)
    assert told(life(both, b"\7" * 24)) == [
        *("QM1 PUT ANSWERS", "QM1 GET ANSWERS", "QM1 BACKOUT unit of work"),
        *("QM1 PUT NEW", "QM1 GET NEW", "QM1 BACKOUT unit of work"),
        *("QM1 COMMIT unit of work", "QM1 CLEAR ANSWERS queue"),
    ]


def test_commands_on_a_queue_while_the_message_was_there(
    both: TwoStores,
    qmgr: QueueManager,
) -> None:
    both.put("QM1", "ANSWERS")
    mqsc.run(qmgr, "DEFINE QLOCAL(NEW)\nCLEAR QLOCAL(ANSWERS)\nCLEAR QLOCAL(ANSWERS)", check=True)
    msg_id = both.put("QM1", "ANSWERS")
    mqsc.run(qmgr, "MOVE QLOCAL(ANSWERS) TOQLOCAL(NEW)\nCLEAR QLOCAL(NEW)", check=True)
    both.put("QM1", "NEW")
    mqsc.run(qmgr, "CLEAR QLOCAL(NEW)", check=True)
    assert told(life(both, msg_id)) == [
        "QM1 PUT ANSWERS",
        "QM1 MOVE ANSWERS queue",
        "QM1 CLEAR NEW queue",
    ]


def test_messages_of_an_open_unit_of_work_or_without_recorded_puts(
    both: TwoStores,
    qmgr: QueueManager,
) -> None:
    msg_id = both.put("QM1", "ANSWERS")
    with qmgr.connect() as connection:
        connection.open("ANSWERS", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
        assert [each.state for each in life(both, msg_id).there] == ["GOT"]
    mqsc.run(qmgr, "ALTER QLOCAL(ANSWERS) ACCTQ(OFF)", check=True)
    msg_id = both.put("QM1", "ANSWERS")
    found = life(both, msg_id)
    assert (told(found), [each.queue for each in found.there]) == ([], ["ANSWERS"])
    assert matching_ids([qmgr.store], msg_id.hex(), 2) == [msg_id]


def test_a_clock_that_is_behind(both: TwoStores, clocks: Clocks) -> None:
    """The arrival comes after the sending, whatever the clocks say."""
    clocks[0].clock.advance(HOUR)
    msg_id = both.put("QM1", "FAR")
    both.carry("QM1", "QM2")
    found = life(both, msg_id)
    assert [step.event.qmgr for _, step in found.steps][:2] == ["QM1", "QM1"]
    assert told(found)[2] == "QM2 PUT ORDERS"


def test_events_that_are_many_ranges_apart(
    both: TwoStores,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    msg_id = both.put("QM1", "FAR", report=int(MQRO.COD), reply_to_q="ANSWERS")
    both.carry("QM1", "QM2")
    both.get("QM2", "ORDERS")
    both.carry("QM2", "QM1")
    at_once = life(both, msg_id)
    monkeypatch.setattr(event_index, "SEGMENT", 1)
    assert life(both, msg_id) == at_once


def test_identifiers_and_the_stores_to_look_in(
    both: TwoStores,
    qmgr: QueueManager,
    tmp_path: Path,
) -> None:
    plain = [
        both.put("QM1", "ANSWERS", msg_id=each.encode().ljust(24, b"\0"))
        for each in ("Q", "QR", "QRS", "R")
    ]
    # The fourth is an exact match, because it is followed by zeros.
    for digits, most, found in (
        ("5", 10, plain),
        ("5", 2, plain[:2]),
        ("515", 10, plain[1:3]),
        ("51", 10, plain[:1]),
    ):
        assert matching_ids([qmgr.store], digits, most) == found
    assert matching_ids([qmgr.store], "53", 10) == []
    # A message that is only known by the one that carries it, and one that was never there.
    msg_id = both.put("QM1", "FAR")
    assert matching_ids([qmgr.store], msg_id.hex(), 2) == [msg_id]
    assert (matching_ids([qmgr.store], "00" * 24, 2), told(life(both, bytes(24)))) == ([], [])
    mqsc.run(
        qmgr,
        "DEFINE CHANNEL(B) CHLTYPE(SDR) TRPTYPE(TCP) XMITQ(QM2) CONNAME('host(1414)')",
        check=True,
    )
    assert partner_urls(qmgr.store) == [f"sqlite:///{tmp_path}/two.db"]
    connection = qmgr.store.database.acquire_connection()
    connection.execute("INSERT INTO channel_host VALUES ('host(1414)', 'sqlite:///three.db(QM3)')")
    qmgr.store.database.release_connection(connection)
    assert partner_urls(qmgr.store) == ["sqlite:///three.db", f"sqlite:///{tmp_path}/two.db"]


def test_all_may_have_the_same_correl_id(
    both: TwoStores,
    qmgr: QueueManager,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mqsc.store.rules.message_trace.MOST_FOLLOWED", 3)
    msg_id = both.put("QM1", "ANSWERS")
    with qmgr.connect() as connection:
        queue = connection.open("ANSWERS", MQOO.OUTPUT)
        queue.put([Message(b"", MessageDescriptor(correl_id=msg_id)) for _ in range(5)])
    found = life(both, msg_id)
    assert (len(found.steps), found.is_complete) == (3, False)
