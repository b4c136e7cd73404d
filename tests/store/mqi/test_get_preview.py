"""The preview of a get says what the get then does."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQMF, MQMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi.get_preview import GetPreview, preview
from tests.rows import rows
from tests.store.admin.looking import Frozen, history
from tests.store.mqi.calls import reason_of

Answer = tuple[int, bytes]
IDS = (b"1" * 24, b"2" * 24, b"3" * 24)


def foreseen(qmgr: QueueManager, options: GetMessageOptions, selector: str) -> Answer:
    found: GetPreview = preview(qmgr, "Q", options, selector)
    return found.reason, b"" if found.message is None else found.message.msg_id


def got(connection: Connection, options: GetMessageOptions, selector: str) -> Answer:
    """The answer of a get, which is backed out."""
    options.options = MQGMO.SYNCPOINT
    try:
        handle = connection.open("Q", MQOO.INPUT_AS_Q_DEF, selection=selector)
    except MQError as refused:
        return int(refused.reason), b""
    try:
        return 0, handle.get(options).descriptor.msg_id
    except MQError as refused:
        return int(refused.reason), b""
    finally:
        connection.back()
        handle.close()


def asked(random: Random) -> tuple[GetMessageOptions, str]:
    """Match options, or a selector, at random."""
    matches: dict[str, Any] = {}
    for name, bit in (("correl_id", MQMO.MATCH_CORREL_ID), ("group_id", MQMO.MATCH_GROUP_ID)):
        if random.random() < 0.3:
            matches[name] = random.choice(IDS)
            matches["match_options"] = matches.get("match_options", 0) | bit
    return GetMessageOptions(**matches), random.choice(("", "", "Root.MQMD.Priority > 4"))


def busy_queue(
    qmgr: QueueManager,
    environment: Frozen,
    random: Random,
    connections: list[Connection],
) -> None:
    """Messages of all kinds on Q: expired, locked, marked, got and put in open units of work."""
    with qmgr.connect() as putting:
        handle = putting.open("Q", MQOO.OUTPUT)
        for number in range(random.randint(0, 12)):
            descriptor = MessageDescriptor(
                msg_id=b"m%d" % number,
                correl_id=random.choice(IDS),
                priority=random.randint(0, 9),
                expiry=random.choice((-1, -1, 10)),
            )
            if random.random() < 0.3:
                descriptor.group_id, descriptor.msg_flags = (
                    random.choice(IDS),
                    int(MQMF.MSG_IN_GROUP),
                )
            handle.put(Message(b"x", descriptor))
    for connection in connections:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT | MQOO.CO_OP)
        for options in random.sample(
            (
                MQGMO.BROWSE_NEXT | MQGMO.LOCK,
                MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_CO_OP,
                MQGMO.SYNCPOINT,
                MQGMO.BROWSE_NEXT,
            ),
            k=2,
        ):
            reason_of(partial(handle.get, GetMessageOptions(options)))
        handle.put(Message(b"not committed"), PutMessageOptions(MQPMO.SYNCPOINT))
    if random.random() < 0.5:
        environment.clock.advance(2)


@rows(*range(12))
def test_what_is_foreseen_happens(store: Store, environment: Frozen, seed: int) -> None:
    random = Random(seed)
    qmgr = store.create_queue_manager("QM1")
    create(qmgr, KINDS["QLOCAL"], "Q", {"MSGDLVSQ": random.choice(("FIFO", "PRIORITY"))})
    others = [qmgr.connect(f"program {number}") for number in range(random.randint(0, 3))]
    with qmgr.connect() as connection:
        busy_queue(qmgr, environment, random, others)
        for _ in range(6):
            options, selector = asked(random)
            before = len(history(qmgr.store, "Q"))
            said = foreseen(qmgr, options, selector)
            assert len(history(qmgr.store, "Q")) == before
            assert got(connection, options, selector) == said


@rows(
    (MQOO.INPUT_EXCLUSIVE, "SHARE", "", 2042),
    (MQOO.INPUT_SHARED, "NOSHARE", "", 2042),
    (MQOO.BROWSE, "SHARE", "DISABLED", 2016),
)
def test_refusals(qmgr: QueueManager, options: int, share: str, gets: str, reason: int) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {"SHARE": "SHARE", "GET": gets or "ENABLED"})
    with qmgr.connect() as other, qmgr.connect() as connection:
        other.open("Q", options)
        if share == "NOSHARE":
            change(qmgr, KINDS["QLOCAL"], "Q", {"SHARE": share}, force=True)
        assert foreseen(qmgr, GetMessageOptions(), "")[0] == reason
        assert got(connection, GetMessageOptions(), "")[0] == reason


def test_a_member_that_has_a_shared_queue_for_itself(store: Store) -> None:
    one, two = (store.create_queue_manager(name, group="QSG1") for name in ("QM1", "QM2"))
    create(one, KINDS["CFSTRUCT"], "S", {})
    create(one, KINDS["QLOCAL"], "Q", {"CFSTRUCT": "S"}, disposition="SHARED")
    with one.connect("greedy") as other:
        other.open("Q", MQOO.INPUT_EXCLUSIVE)
        found = preview(two, "Q", GetMessageOptions())
    assert (found.reason, [each.application for each in found.in_the_way]) == (2042, ["greedy"])
