"""The dead-letter queue of a trigger monitor."""

from __future__ import annotations

import pytest

from mqsc.agents.background_work import DeadLetterOutput
from store import Message, MQError
from store.admin.altering import change_queue_manager
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQFB, MQGMO, MQOO, MQRC
from store.headers import mqxqh
from store.message import GetMessageOptions


@pytest.fixture
def queues(qmgr: QueueManager) -> QueueManager:
    """A queue manager with the queues INIT and DLQ, but no DEADQ yet."""
    for name in ("INIT", "DLQ"):
        create(qmgr, KINDS["QLOCAL"], name, {})
    create(qmgr, KINDS["QMODEL"], "M", {})
    return qmgr


@pytest.mark.parametrize("syncpoint", [False, True])
def test_a_message_gets_a_header_with_reason_and_queue(queues: QueueManager, syncpoint: bool) -> None:
    change_queue_manager(queues, {"DEADQ": "DLQ"})
    with queues.connect("runmqtrm") as connection:
        connection.put1("INIT", Message(b"junk"))
        output = DeadLetterOutput(connection)
        assert (output.is_open, output.queue) == (True, "DLQ")
        source = connection.open("INIT", MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT)
        message = source.get(GetMessageOptions(MQGMO.SYNCPOINT if syncpoint else MQGMO.NO_SYNCPOINT))
        output.put(message, MQFB.TM_ERROR, source, syncpoint=syncpoint)
        connection.back()
    with queues.connect() as connection:
        dead_letters = connection.open("DLQ", MQOO.INPUT_SHARED)
        if syncpoint:
            with pytest.raises(MQError) as none:
                dead_letters.get()
            assert none.value.reason == MQRC.NO_MSG_AVAILABLE
            return
        found = dead_letters.get()
        assert found.descriptor.format == "MQDEAD"
        assert found.descriptor.put_appl_name == "runmqtrm"
        assert len(found.body) == mqxqh.MQDLH_LENGTH + len(b"junk")


@pytest.mark.parametrize(
    ("name", "reason"), [("", MQRC.UNKNOWN_OBJECT_NAME), ("NOQ", MQRC.UNKNOWN_OBJECT_NAME), ("M", MQRC.Q_TYPE_ERROR)]
)
def test_without_a_dead_letter_queue_a_put_raises_the_reason(queues: QueueManager, name: str, reason: MQRC) -> None:
    change_queue_manager(queues, {"DEADQ": name})
    with queues.connect() as connection:
        connection.put1("INIT", Message(b"junk"))
        output = DeadLetterOutput(connection)
        source = connection.open("INIT", MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT)
        assert not output.is_open
        with pytest.raises(MQError) as refused:
            output.put(source.get(), MQFB.TM_ERROR, source, syncpoint=False)
        assert refused.value.reason == reason
