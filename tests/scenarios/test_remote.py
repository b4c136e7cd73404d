"""Messages for other queue managers over one or two hops, and reports and replies on the way back.

The tests carry the messages themselves, as the ends of a channel do.
"""

from __future__ import annotations

import pytest

import mqsc
from store.client.api import QueueManager, Store
from store.constants import MQFB, MQMT, MQOO, MQPMO, MQRC, MQRO
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.headers import mqxqh
from store.headers.mqxqh import CarriedMessage
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.scenarios.looking import waiting_on

CONTEXT = PutMessageOptions(MQPMO.SET_ALL_CONTEXT)
# By queue manager: QM1 and QM3 know each other only through QM2.
DEFINITIONS = {
    "QM1": """
        DEFINE QLOCAL(QM2) USAGE(XMITQ)
        DEFINE QLOCAL(REPLY)
        DEFINE QREMOTE(RQ) RNAME(Q1) RQMNAME(QM2)
        DEFINE QREMOTE(FAR) RNAME(Q1) RQMNAME(QM3) XMITQ(QM2)
        DEFINE QREMOTE(QM3) RQMNAME(QM3) XMITQ(QM2)
        DEFINE QREMOTE(ANSWER) RNAME(REPLY) RQMNAME(HOME)
        DEFINE QREMOTE(HOME) RQMNAME(QM1)
    """,
    "QM2": """
        DEFINE QLOCAL(QM1) USAGE(XMITQ)
        DEFINE QLOCAL(QM3) USAGE(XMITQ)
        DEFINE QREMOTE(HOME) RQMNAME(HOME) XMITQ(QM1)
        DEFINE QLOCAL(Q1)
    """,
    "QM3": """
        DEFINE QLOCAL(QM2) USAGE(XMITQ)
        DEFINE QLOCAL(Q1)
        ALTER QMGR DEFXMITQ(QM2)
    """,
}


@pytest.fixture
def managers(store: Store) -> dict[str, QueueManager]:
    found = {name: store.create_queue_manager(name) for name in DEFINITIONS}
    for name, qmgr in found.items():
        replies = mqsc.run(qmgr, DEFINITIONS[name])
        assert not any(reply.completion for reply in replies)
    return found


def carry(managers: dict[str, QueueManager], source: str, target: str) -> CarriedMessage:
    """Move the next message on the transmission queue of the target; return it unwrapped."""
    with managers[source].connect() as sender, managers[target].connect() as receiver:
        message = sender.open(target, MQOO.INPUT_EXCLUSIVE).get()
        carried = mqxqh.unwrap(message.descriptor, message.body)
        assert isinstance(carried, CarriedMessage)
        placed = Message(carried.body, carried.descriptor)
        receiver.put1(carried.remote_q_name, placed, CONTEXT, queue_manager=carried.remote_q_mgr_name)
    return carried


def got(qmgr: QueueManager, queue: str) -> Message:
    with qmgr.connect() as connection:
        return connection.open(queue, MQOO.INPUT_SHARED).get(GetMessageOptions())


def test_h01_the_message_on_the_transmission_queue(managers: dict[str, QueueManager]) -> None:
    with managers["QM1"].connect() as connection:
        placed = connection.put1("RQ", Message(b"data", MessageDescriptor(format="MQSTR")))
    assert len(waiting_on(managers["QM1"], "QM2")) == 1
    waiting = got(managers["QM1"], "QM2")
    assert (waiting.descriptor.format, len(waiting.body)) == ("MQXMIT", 428 + 4)
    assert waiting.descriptor.correl_id == placed.msg_id
    carried = mqxqh.unwrap(waiting.descriptor, waiting.body)
    assert carried == CarriedMessage("Q1", "QM2", placed, b"data")


def test_h02_the_message_as_it_arrives(managers: dict[str, QueueManager]) -> None:
    with managers["QM1"].connect(application="billing", user="alice") as connection:
        placed = connection.put1("RQ", Message(b"data", MessageDescriptor(format="MQSTR", persistence=1)))
    carry(managers, "QM1", "QM2")
    arrived = got(managers["QM2"], "Q1")
    assert (arrived.body, arrived.descriptor) == (b"data", placed)
    assert arrived.descriptor.put_appl_name == "billing"


def test_groups_keep_their_fields_over_two_hops(managers: dict[str, QueueManager]) -> None:
    sent = MessageDescriptor(format="MQSTR", group_id=b"G" * 24, msg_seq_number=3, msg_flags=0x18)
    with managers["QM1"].connect() as connection:
        placed = connection.put1("FAR", Message(b"data", sent))
    first = carry(managers, "QM1", "QM2")
    second = carry(managers, "QM2", "QM3")
    assert first == second == CarriedMessage("Q1", "QM3", placed, b"data")
    arrived = got(managers["QM3"], "Q1")
    assert (arrived.body, arrived.descriptor) == (b"data", placed)


def test_h23_time_on_every_queue_counts(
    managers: dict[str, QueueManager], environment: Environment[FrozenClock]
) -> None:
    with managers["QM1"].connect() as connection:
        connection.put1("FAR", Message(b"data", MessageDescriptor(expiry=50)))
    environment.clock.advance(2)
    carry(managers, "QM1", "QM2")
    environment.clock.advance(1)
    carry(managers, "QM2", "QM3")
    environment.clock.advance(1)
    assert got(managers["QM3"], "Q1").descriptor.expiry == 10


@pytest.mark.parametrize("queue", ["RQ", "FAR"])
def test_a_confirmation_finds_its_way_back(managers: dict[str, QueueManager], queue: str) -> None:
    asking = MessageDescriptor(report=int(MQRO.COA), reply_to_q="REPLY", persistence=1)
    with managers["QM1"].connect() as connection:
        placed = connection.put1(queue, Message(b"data", asking))
    assert waiting_on(managers["QM1"], "REPLY") == []
    hops = [("QM1", "QM2")] if queue == "RQ" else [("QM1", "QM2"), ("QM2", "QM3")]
    for source, target in hops:
        carry(managers, source, target)
    for source, target in reversed(hops):
        carry(managers, target, source)
    report = got(managers["QM1"], "REPLY")
    assert (report.descriptor.feedback, report.descriptor.correl_id) == (int(MQFB.COA), placed.msg_id)
    assert report.descriptor.put_appl_name == hops[-1][1]


def test_a_reply_finds_its_way_through_a_reply_to_alias_and_queue_manager_aliases(
    managers: dict[str, QueueManager],
) -> None:
    with managers["QM1"].connect() as connection:
        asking = MessageDescriptor(msg_type=int(MQMT.REQUEST), reply_to_q="ANSWER")
        placed = connection.put1("RQ", Message(b"question", asking))
    assert (placed.reply_to_q, placed.reply_to_q_mgr) == ("REPLY", "HOME")
    carry(managers, "QM1", "QM2")
    request = got(managers["QM2"], "Q1").descriptor
    with managers["QM2"].connect() as connection:
        reply = Message(b"answer", MessageDescriptor(msg_type=int(MQMT.REPLY), correl_id=request.msg_id))
        connection.put1(request.reply_to_q, reply, queue_manager=request.reply_to_q_mgr)
    assert carry(managers, "QM2", "QM1")[:2] == ("REPLY", "HOME")
    assert got(managers["QM1"], "REPLY").descriptor.correl_id == placed.msg_id


def test_a_reply_to_queue_manager_of_blanks_is_filled_in(managers: dict[str, QueueManager]) -> None:
    with managers["QM1"].connect() as connection:
        for given, expected in (("   ", ("REPLY", "QM1")), ("QM7", ("REPLY", "QM7"))):
            sent = MessageDescriptor(reply_to_q="REPLY", reply_to_q_mgr=given)
            placed = connection.put1("RQ", Message(b"", sent))
            assert (placed.reply_to_q, placed.reply_to_q_mgr) == expected


@pytest.mark.parametrize(
    ("name", "manager", "reason"),
    [
        ("Q", "QM9", MQRC.UNKNOWN_REMOTE_Q_MGR),
        ("", "QM9", MQRC.REMOTE_Q_NAME_ERROR),
        ("Q", "no such name", MQRC.UNKNOWN_OBJECT_Q_MGR),
        ("Q", "qm2", MQRC.UNKNOWN_REMOTE_Q_MGR),
        ("q1", "QM1", MQRC.UNKNOWN_OBJECT_NAME),
        ("Q1", "HOME", MQRC.UNKNOWN_OBJECT_NAME),
        ("Q1", "REPLY", MQRC.XMIT_Q_USAGE_ERROR),
        ("Q1", "RQ", MQRC.UNKNOWN_REMOTE_Q_MGR),
    ],
)
def test_h32_no_way_to_a_queue_manager(
    managers: dict[str, QueueManager], name: str, manager: str, reason: MQRC
) -> None:
    with managers["QM1"].connect() as connection:
        for call in (
            lambda: connection.open(name, MQOO.OUTPUT, queue_manager=manager),
            lambda: connection.put1(name, Message(b""), queue_manager=manager),
        ):
            with pytest.raises(MQError) as refused:
                call()
            assert refused.value.reason == reason


def test_aliases_in_a_circle_send_a_message_nowhere_twice(managers: dict[str, QueueManager]) -> None:
    """QM2 and QM3 name each other for QM9: the message moves once per channel, and no call loops."""
    mqsc.run(managers["QM2"], "DEFINE QREMOTE(QM9) RQMNAME(QM9) XMITQ(QM3)")
    mqsc.run(managers["QM1"], "DEFINE QREMOTE(QM9) RQMNAME(QM9) XMITQ(QM2)")
    with managers["QM1"].connect() as connection:
        connection.put1("Q1", Message(b"data"), queue_manager="QM9")
    for source, target in (("QM1", "QM2"), ("QM2", "QM3"), ("QM3", "QM2")):
        assert carry(managers, source, target)[:2] == ("Q1", "QM9")
    assert len(waiting_on(managers["QM2"], "QM3")) == 1
