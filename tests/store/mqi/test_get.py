"""MQGET with values that no structure can hold."""

from __future__ import annotations

import pytest

from store.admin import create
from store.catalog import KINDS
from store.constants import MQGMO, MQMO, MQOO, MQRC
from store.descriptor import GetMessageOptions, Message
from store.error import MQError
from store.queue_manager import QueueManager


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
    with qmgr.connect() as connection, pytest.raises(ValueError, match=f"{name} is "):
        connection.open("Q", MQOO.INPUT_SHARED).get(options)


def test_an_id_to_match_is_padded_and_no_longer_than_24_bytes() -> None:
    assert GetMessageOptions(msg_id=b"x").msg_id == b"x" + bytes(23)
    with pytest.raises(ValueError, match="correl_id has 25 bytes"):
        GetMessageOptions(correl_id=bytes(25))
