"""What a start drops, backs out and resets, and what an end waits for or breaks (design §3.11)."""

from __future__ import annotations

import pytest

from store.admin.defining import create
from store.admin.queue_managers import BATCH
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQOO, MQRC
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import Message
from tests.conftest import START
from tests.scenarios.looking import happened
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.admin.looking import history, queue_row


def test_every_nonpersistent_message_is_dropped_among_those_that_stay(qmgr: QueueManager) -> None:
    """In any number, and whichever message is the last of a batch. Those of NPMCLASS(HIGH) stay too."""
    number = 2 * BATCH + 1
    create(qmgr, KINDS["QLOCAL"], "Q", {"MAXDEPTH": 3 * number})
    create(qmgr, KINDS["QLOCAL"], "HIGH", {"NPMCLASS": "HIGH"})
    with qmgr.connect() as connection:
        connection.put1("HIGH", Message(b""))
        mixed = [Message(b"", MessageDescriptor(persistence=each % 2)) for each in range(2 * number)]
        connection.open("Q", MQOO.OUTPUT).put(mixed)
        connection.put1("HIGH", Message(b""))
    qmgr.end()
    assert qmgr.start()
    assert (queue_row(qmgr, "Q").depth, queue_row(qmgr, "HIGH").depth) == (number, 2)
    assert sum(each.kind == "DISCARD" for each in history(qmgr.store, "Q")) == number


OBJECTS = """
    DEFINE QLOCAL(Q)
    DEFINE QLOCAL(HIGH) NPMCLASS(HIGH)
"""


def again(qmgr: QueueManager) -> None:
    """End immediately and start."""
    qmgr.end(immediate=True)
    assert qmgr.start()


def test_what_a_restart_keeps(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(OBJECTS)
    play.run("""
        put n1 n2 persistence=0
        put p1 p2 persistence=1
        put n3 on HIGH persistence=0
        put e on HIGH persistence=0 expiry=10
        B: get syncpoint msg_id=p1 => p1
        B: put p3 persistence=1 syncpoint
        advance 1
        restart
        on Q => p1 p2
        depth Q => 2
        on HIGH => n3
        history DISCARD Q => nonpersistent nonpersistent
        history EXPIRE HIGH => restart
        get => p1 bc=1
    """)


def test_a_queue_manager_starts_once(store: Store, qmgr: QueueManager, environment: Environment[FrozenClock]) -> None:
    first = qmgr.row()
    assert not qmgr.start()
    environment.clock.advance(1)
    again(qmgr)
    row = qmgr.row()
    assert (row.state, row.run, row.started_at) == ("RUNNING", first.run + 1, START + 1_000_000)
    assert [each[:2] for each in happened(store, "START", "END")] == [
        ("START", None),
        ("END", "immediate"),
        ("START", None),
    ]


def test_a_start_resets_the_trigger_interval(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m persistence=1 on APPQ")
    assert queue_row(qmgr, "APPQ").last_trigger == START
    again(qmgr)
    assert queue_row(qmgr, "APPQ").last_trigger is None


def test_a_controlled_end_waits_for_the_last_connection(store: Store, qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    assert qmgr.end() == "QUIESCING"
    assert (qmgr.end(), qmgr.start()) == ("QUIESCING", False)
    connection.disconnect()
    assert qmgr.row().state == "ENDED"
    with pytest.raises(MQError) as ended:
        qmgr.end()
    assert ended.value.reason == MQRC.Q_MGR_NOT_AVAILABLE


def test_an_end_without_connections_is_controlled_and_final(store: Store, qmgr: QueueManager) -> None:
    assert qmgr.end() == "ENDED"
    assert [each[:2] for each in happened(store, "END")] == [("END", "controlled")]


def test_an_immediate_end_backs_out_and_breaks_connections(store: Store, qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(OBJECTS + "put m persistence=1 syncpoint\nB: put n persistence=1")
    assert qmgr.end(immediate=True) == "ENDED"
    assert [each[1] for each in happened(store, "BACKOUT")] == ["broken"]
    qmgr.start()
    play.run("put m => 2/2009\nC: depth Q => 1")


def test_a_quiescing_queue_manager_whose_last_program_died_starts(qmgr: QueueManager) -> None:
    connection = qmgr.connect()
    qmgr.end()
    qmgr.store.abandoned.append(connection.number)
    assert qmgr.start()
