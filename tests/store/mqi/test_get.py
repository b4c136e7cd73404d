"""MQGET with values that no structure can hold, and what it remembers of a message."""

from __future__ import annotations

import pytest

from store.admin import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQGMO, MQMO, MQOO, MQPMO, MQRC
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


@pytest.mark.parametrize("options", [0, MQGMO.ACCEPT_TRUNCATED_MSG, MQGMO.BROWSE_FIRST])
def test_a_buffer_of_a_negative_length_is_2005(qmgr: QueueManager, options: int) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT)
        handle.put(Message(b"abc"))
        with pytest.raises(MQError) as refused:
            handle.get(GetMessageOptions(options, buffer_length=-1))

        assert refused.value.reason == MQRC.BUFFER_LENGTH_ERROR
        assert handle.get().body == b"abc"


@pytest.mark.parametrize("value", [1 << 31, -(1 << 70), "1"])
@pytest.mark.parametrize(
    ("name", "match"), [("msg_seq_number", MQMO.MATCH_MSG_SEQ_NUMBER), ("offset", MQMO.MATCH_OFFSET)]
)
def test_a_number_to_match_must_be_one(qmgr: QueueManager, name: str, match: int, value: object) -> None:
    options = GetMessageOptions(match_options=match)
    setattr(options, name, value)
    with qmgr.connect() as connection, pytest.raises(ValueError, match=f"{name} (is|must be) "):
        connection.open("Q", MQOO.INPUT_SHARED).get(options)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("options", "WAIT", "options must be int, not str"),
        ("options", None, "options must be int, not NoneType"),
        ("match_options", 1.5, "match_options must be int, not float"),
        ("wait_interval", "5", "wait_interval must be int, not str"),
        ("buffer_length", 1.5, "buffer_length must be int, not float"),
        ("msg_id", "x" * 24, "msg_id must be bytes, not str"),
    ],
)
def test_options_of_the_wrong_type(qmgr: QueueManager, name: str, value: object, said: str) -> None:
    options = GetMessageOptions()
    setattr(options, name, value)
    if name == "msg_id":
        options.match_options = MQMO.MATCH_MSG_ID
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        handle.put(Message(b"x"))
        with pytest.raises(TypeError) as refused:
            handle.get(options)

        assert str(refused.value) == said
        assert handle.get().body == b"x"


def test_an_id_assigned_later_is_padded_too(qmgr: QueueManager) -> None:
    options = GetMessageOptions(match_options=MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID)
    with qmgr.connect() as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        handle.put([Message(b"a"), Message(b"b", MessageDescriptor(msg_id=b"B"))])
        options.msg_id = b"B"
        assert handle.get(options).body == b"b"
        options.msg_id = b""
        assert handle.get(options).body == b"a"


def test_the_context_that_is_passed_on_is_that_of_the_message_as_it_was_got(qmgr: QueueManager) -> None:
    with qmgr.connect(application="first", user="original") as connection:
        connection.put1("Q", Message(b"x"))
    with qmgr.connect(application="second") as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT)
        handle.get().descriptor.user_identifier = "changed"
        placed = connection.put1("Q", Message(b"y"), PutMessageOptions(MQPMO.PASS_ALL_CONTEXT, context=handle))

    assert (placed.user_identifier, placed.put_appl_name) == ("original", "first")


def test_an_id_to_match_is_padded_and_no_longer_than_24_bytes() -> None:
    assert GetMessageOptions(msg_id=b"x").msg_id == b"x" + bytes(23)
    with pytest.raises(ValueError, match="correl_id has 25 bytes"):
        GetMessageOptions(correl_id=bytes(25))
