"""Publications like the one before are decided once, and nobody sees a difference."""

from __future__ import annotations

from collections.abc import Iterator

import mqsc
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQOO, MQOT, MQPMO, MQSO
from mqsc.store.descriptor import FIELDS, NO_ID, MessageDescriptor
from mqsc.store.environment import Environment
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.subscription_descriptor import SubscriptionDescriptor
from tests.conftest import START
from tests.rows import rows
from tests.store.admin.looking import events, queue_row, shown as shown_row

TOPIC = "prices/tea"
IDENTIFIERS = ("msg_id", "correl_id", "group_id")
OWN_CORREL_ID = b"\x0a" * 24
DEFINITIONS = f"""
DEFINE QLOCAL(Q1) DEFPRTY(3)
DEFINE QLOCAL(Q2)
DEFINE QALIAS(A) TARGET(Q2)
DEFINE SUB(PLAIN) TOPICSTR('prices/tea') DEST(Q1) PSPROP(NONE) PUBPRTY(ASQDEF)
DEFINE SUB(PROPERTIES) TOPICSTR('prices/#') DEST(Q1) USERDATA('of a shop')
DEFINE SUB(FOLDER) TOPICSTR('prices/+') DEST(Q2) PSPROP(RFH2) DESTCORL('{OWN_CORREL_ID.hex()}')
"""
# A queue for each subscription.
APART = """
DEFINE QLOCAL(Q1) DEFPRTY(3)
DEFINE QLOCAL(Q2) MSGDLVSQ(FIFO) DEFPRTY(2)
DEFINE QLOCAL(Q3)
DEFINE QLOCAL(Q4)
DEFINE SUB(LAST) TOPICSTR('prices/tea') DEST(Q4)
DEFINE SUB(FIRST) TOPICSTR('prices/tea') DEST(Q1) PUBPRTY(ASQDEF)
DEFINE SUB('a "third"') TOPICSTR('prices/#') DEST(Q3) USERDATA('of a shop')
DEFINE SUB(SECOND) TOPICSTR('prices/+') DEST(Q2) PSPROP(RFH2)
"""
# Many on one queue, of which some differ from their neighbours.
TOGETHER = """
DEFINE QLOCAL(Q1) DEFPRTY(3)
DEFINE QLOCAL(Q2)
DEFINE SUB(A) TOPICSTR('prices/tea') DEST(Q1)
DEFINE SUB(B) TOPICSTR('prices/#') DEST(Q1)
DEFINE SUB(OTHER) TOPICSTR('prices/tea') DEST(Q2)
DEFINE SUB(C) TOPICSTR('prices/+') DEST(Q1)
DEFINE SUB(FOLDER) TOPICSTR('prices/tea') DEST(Q1) PSPROP(RFH2)
DEFINE SUB(D) TOPICSTR('prices/tea') DEST(Q1) PUBPRTY(ASQDEF)
DEFINE SUB(E) TOPICSTR('prices/tea') DEST(Q1) PUBPRTY(ASQDEF)
"""
TRIGGERING = """
DEFINE QLOCAL(I)
DEFINE PROCESS(P) APPLICID('x')
ALTER QLOCAL(Q2) TRIGGER TRIGTYPE(EVERY) INITQ(I) PROCESS(P)
"""
EVENTS = "ALTER QMGR PERFMEV(ENABLED)\nALTER QL(Q3) MAXDEPTH(20) QDEPTHHI(20) QDPHIEV(ENABLED)"
THROUGH_ALIAS = "DEFINE SUB(ALIAS) TOPICSTR('prices/tea') DEST(A)"
SELECTING = "DEFINE SUB(S) TOPICSTR('prices/tea') DEST(Q2) SELECTOR('Root.MQMD.Priority > 4')"
DESCRIPTORS = [
    MessageDescriptor(),
    MessageDescriptor(msg_id=b"m" * 24, correl_id=b"c" * 24),
    MessageDescriptor(priority=5, persistence=1, format="MQSTR"),
    MessageDescriptor(expiry=300, reply_to_q="ANSWERS", user_identifier="me"),
    MessageDescriptor(msg_id=b"n" * 24, group_id=b"g" * 24),
    MessageDescriptor(correl_id=b"d" * 24),
    MessageDescriptor(priority=5, persistence=1, format="MQSTR", msg_id=b"o" * 24),
    MessageDescriptor(expiry=300, reply_to_q="ANSWERS", user_identifier="me"),
]


def opened(connection: Connection) -> ObjectHandle:
    return connection.open("", MQOO.OUTPUT, object_type=MQOT.TOPIC, object_string=TOPIC)


def shown(placed: MessageDescriptor, given: MessageDescriptor) -> list[object]:
    """The fields of a descriptor; identifiers that the queue manager made are only `new`."""
    fields: list[object] = []
    for name in FIELDS:
        value = getattr(placed, name)
        is_known = value in (NO_ID, OWN_CORREL_ID, getattr(given, name))
        fields.append(value if is_known or name not in IDENTIFIERS else "new")
    return fields


def taken(queue: ObjectHandle) -> Iterator[Message]:
    """Get all messages of a queue."""
    while True:
        try:
            yield queue.get()
        except MQError:
            return


def played(definitions: str, options: int, *, keeps_handle: bool) -> Iterator[list[object]]:
    """Publish each message through one handle, or through a new one, which remembers nothing: what
    the calls return, what is on the queues, and what the history says.
    """
    with open_store("sqlite://", Environment.frozen(at=START)) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, definitions, check=True)
        connection = qmgr.connect()
        kept = opened(connection)
        queues = [connection.open(name, MQOO.INPUT_SHARED) for name in ("Q1", "Q2")]
        for number, given in enumerate(DESCRIPTORS):
            handle = kept if keeps_handle else opened(connection)
            placed = handle.put(Message(b"x" * number, given), PutMessageOptions(options))
            yield shown(placed, given)
            connection.commit()
            for queue in queues:
                for got in taken(queue):
                    yield [queue.name, got.body, *shown(got.descriptor, given)]
        kinds = ("PUBLISH", "PUT", "TRIGGER", "PERFORMANCE", "REFUSE")
        for kind in kinds:
            yield [
                (each.cause, each.queue, each.target, each.detail) for each in events(store, kind)
            ]
        for name in ("Q1", "Q2", "Q3", "Q4"):
            if definitions.startswith(APART):
                row = queue_row(qmgr, name)
                yield [row.depth, row.next_sequence, row.earliest_expiry]
                yield [shown_row(qmgr, "QLOCAL", name)]


@rows(
    (DEFINITIONS, 0),
    (DEFINITIONS, MQPMO.SYNCPOINT),
    (DEFINITIONS, MQPMO.NEW_MSG_ID),
    (DEFINITIONS, MQPMO.NEW_CORREL_ID | MQPMO.NO_CONTEXT),
    (DEFINITIONS, MQPMO.SUPPRESS_REPLYTO),
    (DEFINITIONS, MQPMO.RETAIN),
    (DEFINITIONS + THROUGH_ALIAS, 0),
    (DEFINITIONS + SELECTING, 0),
    (TOGETHER, 0),
    (TOGETHER, MQPMO.SYNCPOINT),
    (TOGETHER, MQPMO.NEW_CORREL_ID),
    (APART, 0),
    (APART, MQPMO.SYNCPOINT),
    (APART, MQPMO.NEW_MSG_ID),
    (APART, MQPMO.RETAIN),
    (APART + TRIGGERING, 0),
    (APART + EVENTS, 0),
)
def test_a_handle_that_remembers_publishes_as_one_that_does_not(
    definitions: str, options: int
) -> None:
    remembering = list(played(definitions, options, keeps_handle=True))
    assert remembering == list(played(definitions, options, keeps_handle=False))


# (What another program does between two publications; what the second returns, or its reason; the
# messages on Q1 and Q2 then: two are there from the first, and one.)
@rows(
    ("DEFINE SUB(NEW) TOPICSTR('prices/tea') DEST(Q2)", 0, (4, 3)),
    ("DELETE SUB(FOLDER)", 0, (4, 1)),
    ("ALTER SUB(FOLDER) DEST(Q1)", 0, (5, 1)),
    ("ALTER QLOCAL(Q2) PUT(DISABLED)", 0, (4, 1)),
    ("ALTER QLOCAL(Q1) MAXDEPTH(3)", 0, (3, 2)),
    ("ALTER QLOCAL(Q2) MAXMSGL(20)", 0, (4, 1)),
    ("CLEAR QLOCAL(Q2)", 0, (4, 1)),
    ("CLEAR QLOCAL(Q2)\nDELETE QLOCAL(Q2)\nDEFINE QLOCAL(Q2)", 0, (4, 1)),
    ("DEFINE TOPIC(T) TOPICSTR('prices') PUB(DISABLED)", 2051, (2, 1)),
    ("ALTER QMGR PSMODE(DISABLED)", 2531, (2, 1)),
    (
        "DEFINE TOPIC(T) TOPICSTR('prices/tea') NPMSGDLV(ALL)\nALTER QL(Q1) PUT(DISABLED)",
        2502,
        (2, 1),
    ),
)
def test_what_another_program_changes_holds_for_the_next_publication(
    store: Store, qmgr: QueueManager, commands: str, reason: int, depths: tuple[int, int]
) -> None:
    mqsc.run(qmgr, DEFINITIONS, check=True)
    topic = opened(qmgr.connect())
    found = 0
    topic.put(Message(b"first"))
    with open_store(str(store.path), store.environment) as another:
        mqsc.run(another.queue_manager("QM1"), commands, check=True)
    try:
        topic.put(Message(b"second"))
    except MQError as error:
        found = error.reason
    now = tuple(queue_row(qmgr, name).depth for name in ("Q1", "Q2"))
    assert (found, now) == (reason, depths)


# (What another program does between two publications; the messages on each queue then.)
@rows(
    ("ALTER QLOCAL(Q2) PUT(DISABLED)", (2, 1, 2, 2)),
    ("ALTER QLOCAL(Q4) PUT(DISABLED)", (2, 2, 2, 1)),
    ("ALTER QLOCAL(Q3) MAXDEPTH(1)", (2, 2, 1, 2)),
    ("CLEAR QLOCAL(Q2)\nDELETE QLOCAL(Q2)\nDEFINE QLOCAL(Q2)", (2, 1, 2, 2)),
    ("ALTER QLOCAL(Q3) DEFPRTY(7)", (2, 2, 2, 2)),
    ("CLEAR QLOCAL(Q3)", (2, 2, 1, 2)),
)
def test_a_change_of_one_of_many_queues_holds_for_the_next_publication(
    store: Store, qmgr: QueueManager, commands: str, depths: tuple[int, ...]
) -> None:
    mqsc.run(qmgr, APART, check=True)
    topic = opened(qmgr.connect())
    topic.put(Message(b"first"))
    with open_store(str(store.path), store.environment) as another:
        mqsc.run(another.queue_manager("QM1"), commands, check=True)
    topic.put(Message(b"second"))
    assert tuple(queue_row(qmgr, name).depth for name in ("Q1", "Q2", "Q3", "Q4")) == depths


def test_copies_on_many_queues_are_recorded_in_order_and_leave_with_their_unit(
    qmgr: QueueManager,
) -> None:
    mqsc.run(qmgr, APART, check=True)
    topic = opened(qmgr.connect())
    topic.put(Message(b"first"))
    topic.put([Message(b"second"), Message(b"third")])
    copies = [each for each in events(qmgr.store, "PUT") if each.cause == "publication"]
    recorded = [(each.queue, each.detail["subscription"]) for each in copies]
    names = {"LAST": "Q4", "FIRST": "Q1", 'a "third"': "Q3", "SECOND": "Q2"}
    assert recorded == [(queue, name) for name, queue in names.items()] * 3
    topic.put(Message(b"fourth"), PutMessageOptions(MQPMO.SYNCPOINT))
    assert {queue_row(qmgr, name).depth for name in names.values()} == {4}
    topic.connection.back()
    for name in names.values():
        bodies = [each.body for each in taken(topic.connection.open(name, MQOO.INPUT_SHARED))]
        assert [each[-5:] for each in bodies] == [b"first", b"econd", b"third"]


def test_copies_of_subscriptions_without_a_correl_id_have_that_of_the_publication(
    qmgr: QueueManager,
) -> None:
    connection = qmgr.connect()
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)", check=True)
    queue = connection.open("Q", MQOO.INPUT_SHARED)
    for _ in range(3):
        options = MQSO.CREATE | MQSO.SET_CORREL_ID
        connection.subscribe(SubscriptionDescriptor(options, object_string=TOPIC), queue)
    topic = opened(connection)
    for given in (NO_ID, b"1" * 24, b"2" * 24, NO_ID):
        topic.put(Message(b"x", MessageDescriptor(correl_id=given)))
        assert [each.descriptor.correl_id for each in taken(queue)] == [given] * 3


def test_longer_data_is_refused_by_a_queue_that_took_shorter(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, DEFINITIONS, check=True)
    mqsc.run(qmgr, "ALTER QLOCAL(Q1) MAXMSGL(1000)", check=True)
    topic = opened(qmgr.connect())
    found = []
    for length in (10, 900, 1000, 1001, 900):
        topic.put(Message(b"x" * length))
        queue = topic.connection.open("Q1", MQOO.INPUT_SHARED)
        found.append([length for each in taken(queue)])
    # The header with the properties does not fit before 1000 bytes.
    assert [len(each) for each in found] == [2, 2, 1, 0, 2]


def test_publications_of_one_call_fill_a_queue_to_its_depth(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, DEFINITIONS, check=True)
    mqsc.run(qmgr, "ALTER QLOCAL(Q2) MAXDEPTH(5)", check=True)
    topic = opened(qmgr.connect())
    topic.put(Message(b"first"))
    topic.put([Message(b"x")] * 9)
    [got] = [list(taken(topic.connection.open("Q2", MQOO.INPUT_SHARED)))]
    assert len(got) == 5
