"""The outcome that a commit records for the messages got in its unit of work."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select

from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO, MQPMO
from store.descriptor import MessageDescriptor
from store.engine.dequeue import MessageOutcome
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions
from store.published import KINDS as EVENTS
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement

_HISTORY = Statement(select(event).order_by(event.c.seq))
SYNCPOINT = GetMessageOptions(MQGMO.SYNCPOINT)
REQUEUED = MessageOutcome("REQUEUE", "handler", "OTHER.Q", 2053, "7", {"destination": "A"})


def history(qmgr: QueueManager) -> list[dict[str, Any]]:
    with Reading(qmgr.store.database) as reading:
        rows = [dict(zip(event.columns.keys(), row, strict=True)) for row in reading.all(_HISTORY)]
    return [row for row in rows if row["kind"] in ("REQUEUE", "EXPIRE", "COMMIT")]


def test_every_message_got_has_its_event(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "A", {})
    create(qmgr, KINDS["QLOCAL"], "B", {"ACCTQ": "OFF"})
    with qmgr.connect("agent", "alice") as connection:
        for name, ids in (("A", (b"1", b"2")), ("B", (b"3",))):
            for each in ids:
                connection.put1(name, Message(b"data", MessageDescriptor(msg_id=each, correl_id=b"c", expiry=50)))
        for name in ("A", "A", "B"):
            connection.open(name, MQOO.INPUT_SHARED).get(SYNCPOINT)
        connection.put1("A", Message(b"new"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit(REQUEUED)
    requeued = [row for row in history(qmgr) if row["kind"] == "REQUEUE"]
    assert [(row["queue"], row["msg_id"].rstrip(b"\0"), row["length"]) for row in requeued] == [
        ("A", b"1", 4),
        ("A", b"2", 4),
        ("B", b"3", 4),
    ]
    for row in requeued:
        assert (row["cause"], row["target"], row["reason"], row["rule"]) == ("handler", "OTHER.Q", 2053, "7")
        assert json.loads(row["detail"]) == {"destination": "A"}
        assert (row["application"], row["user"]) == ("agent", "alice")
        assert row["expires_at"] == row["put_at"] + 5_000_000
    assert len({row["unit"] for row in history(qmgr)}) == 1
    assert history(qmgr)[-1]["kind"] == "COMMIT"


def test_nothing_is_said_of_a_unit_that_is_backed_out_or_empty(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "A", {})
    with qmgr.connect() as connection:
        connection.put1("A", Message(b"data"))
        connection.open("A", MQOO.INPUT_SHARED).get(SYNCPOINT)
        connection.back()
        connection.commit(REQUEUED)
    assert [row["kind"] for row in history(qmgr)] == []


def test_an_agent_is_the_cause_of_what_it_lets_expire(
    qmgr: QueueManager, environment: Environment[FrozenClock]
) -> None:
    """By browse and by get; without an agent, the cause is the call."""
    create(qmgr, KINDS["QLOCAL"], "A", {})
    for agent in ("handler", ""):
        with qmgr.connect(agent=agent) as connection:
            handle = connection.open("A", MQOO.INPUT_SHARED | MQOO.BROWSE)
            for options in (MQGMO.BROWSE_FIRST, MQGMO.NO_SYNCPOINT):
                handle_put(connection, environment)
                assert nothing(handle, GetMessageOptions(options))
    causes = [row["cause"] for row in history(qmgr) if row["kind"] == "EXPIRE"]
    assert causes == ["handler", "handler", "browse", "get"]
    assert set(causes) <= set(EVENTS["EXPIRE"].causes)


def handle_put(connection: Any, environment: Environment[FrozenClock]) -> None:
    connection.put1("A", Message(b"data", MessageDescriptor(expiry=1)))
    environment.clock.advance(0.1)


def nothing(handle: Any, options: GetMessageOptions) -> bool:
    try:
        handle.get(options)
    except MQError as error:
        return bool(error.reason == 2033)
    return False


def test_the_event_of_a_disposition_is_readable_in_any_language() -> None:
    kind, columns = MessageOutcome("FORWARD", "rule", detail={"destination": "GRÖSSE"}).event()
    assert (kind, columns["cause"], columns["detail"]) == ("FORWARD", "rule", '{"destination": "GRÖSSE"}')
    assert MessageOutcome("DISCARD", "rule", detail={}).event()[1]["detail"] is None
