"""Getting messages by identifier."""

from __future__ import annotations

import pytest

from mqsc.console.text.messages import get_or_none, options_matching
from store import GetMessageOptions, Message, MessageDescriptor, MQError
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQGMO, MQMO, MQOO, MQRC


@pytest.mark.parametrize(
    ("msg_id", "correl_id", "match"),
    [
        (None, None, 0),
        (b"m", None, MQMO.MATCH_MSG_ID),
        (None, b"c", MQMO.MATCH_CORREL_ID),
        (b"m", b"c", MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID),
    ],
)
def test_options(msg_id: bytes | None, correl_id: bytes | None, match: int) -> None:
    options = options_matching(msg_id, correl_id, MQGMO.BROWSE_NEXT)
    assert (options.options, options.match_options) == (MQGMO.BROWSE_NEXT, match)
    assert (options.msg_id.rstrip(b"\0"), options.correl_id.rstrip(b"\0")) == (msg_id or b"", correl_id or b"")


def test_get_or_none(qmgr: QueueManager) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"one", MessageDescriptor(correl_id=b"1")))
        queue = connection.open("Q", MQOO.INPUT_SHARED)
        assert get_or_none(queue, options_matching(None, b"2", MQGMO.NO_SYNCPOINT)) is None
        found = get_or_none(queue, options_matching(None, b"1", MQGMO.NO_SYNCPOINT))
        assert found is not None
        assert found.body == b"one"
        queue.close()
        with pytest.raises(MQError) as refused:
            get_or_none(queue, GetMessageOptions())
        assert refused.value.reason == MQRC.HOBJ_ERROR
