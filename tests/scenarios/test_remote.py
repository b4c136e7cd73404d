"""Messages for other queue managers over one or two hops, and reports and replies on the way back.

The tests carry the messages themselves, as the ends of a channel do.
"""

from __future__ import annotations

import pytest

import mqsc
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO, MQPMO
from mqsc.store.error import MQError
from mqsc.store.headers import mqxqh
from mqsc.store.headers.mqxqh import CarriedMessage
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.scenarios.pages import page
from tests.scenarios.play import Play
from tests.scenarios.words import Outcome

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


class RemotePlay(Play):
    """`QM1: carry QM2 => to=Q@QM2` moves the next message on the transmission queue of that
    name, unwrapped.
    """

    def __init__(self, store: Store) -> None:
        super().__init__(*(store.create_queue_manager(name) for name in DEFINITIONS))
        for name, qmgr in self.managers.items():
            mqsc.run(qmgr, DEFINITIONS[name], check=True)
        self.carried: list[CarriedMessage] = []

    def _carry(self, who: str, words: list[str]) -> Outcome:
        (target,) = words
        with self.at(who).connect() as sender, self.at(target).connect() as receiver:
            message = sender.open(target, MQOO.INPUT_EXCLUSIVE).get()
            carried = mqxqh.unwrap(message.descriptor, message.body)
            assert isinstance(carried, CarriedMessage)
            placed = Message(carried.body, carried.descriptor)
            receiver.put1(
                carried.remote_q_name,
                placed,
                CONTEXT,
                queue_manager=carried.remote_q_mgr_name,
            )
        self.carried.append(carried)
        to = f"to={carried.remote_q_name}@{carried.remote_q_mgr_name}"
        return lambda wanted: wanted if wanted == ["0/0"] else [to]

    def next(self, name: str, queue: str) -> Message:
        """Get a message from a queue of a queue manager."""
        with self.managers[name].connect() as connection:
            return connection.open(queue, MQOO.INPUT_SHARED).get(GetMessageOptions())


@pytest.fixture
def play(store: Store) -> RemotePlay:
    return RemotePlay(store)


@pytest.mark.parametrize("scenario", page("remote"))
def test_remote(play: RemotePlay, scenario: str) -> None:
    play.run(scenario)


def test_h01_the_message_on_the_transmission_queue(play: RemotePlay) -> None:
    play.run("put1 data on RQ format=MQSTR")
    waiting, placed = play.next("QM1", "QM2"), play.placed["data"]
    assert (waiting.descriptor.format, len(waiting.body)) == ("MQXMIT", 428 + 4)
    assert waiting.descriptor.correl_id == placed.msg_id
    assert mqxqh.unwrap(waiting.descriptor, waiting.body) == CarriedMessage(
        "Q1",
        "QM2",
        placed,
        b"data",
    )


def test_h02_the_message_as_it_arrives(play: RemotePlay) -> None:
    play.run("put1 data on RQ format=MQSTR persistence=1\ncarry QM2")
    arrived = play.next("QM2", "Q1")
    assert (arrived.body, arrived.descriptor) == (b"data", play.placed["data"])
    assert arrived.descriptor.put_appl_name == "A"


def test_groups_keep_their_fields_over_two_hops(play: RemotePlay) -> None:
    play.run("put1 data on FAR format=MQSTR group_id=G seq=3 flags=MSG_IN_GROUP+LAST_MSG_IN_GROUP")
    play.run("carry QM2\nQM2: carry QM3")
    placed = play.placed["data"]
    assert play.carried == [CarriedMessage("Q1", "QM3", placed, b"data")] * 2
    arrived = play.next("QM3", "Q1")
    assert (arrived.body, arrived.descriptor) == (b"data", placed)
    assert (placed.msg_seq_number, placed.msg_flags) == (3, 0x18)


@pytest.mark.parametrize(
    ("name", "manager", "reason"),
    [("", "QM9", 2184), ("Q", "no such name", 2086)],
)
def test_h32_names_that_are_none(play: RemotePlay, name: str, manager: str, reason: int) -> None:
    connection = play.connection("A")
    for call in (
        lambda: connection.open(name, MQOO.OUTPUT, queue_manager=manager),
        lambda: connection.put1(name, Message(b""), queue_manager=manager),
    ):
        with pytest.raises(MQError) as refused:
            call()
        assert refused.value.reason == reason
