"""A message and the options of a call."""

from __future__ import annotations

import pytest

from mqsc.store.constants import MQMO
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions


def test_a_message_has_a_descriptor_and_the_length_of_its_data() -> None:
    message = Message(b"hello")
    found = (message.descriptor, message.data_length, message.completion, message.reason)
    assert found == (MessageDescriptor(), 5, 0, 0)
    cut = Message(b"hel", MessageDescriptor(msg_id=b"1"), completion=1, reason=2079, data_length=5)
    assert (cut.data_length, cut.reason, cut.completion) == (5, 2079, 1)
    assert Message(bytearray(b"x")) == Message(b"x") != Message(b"y")  # type: ignore[arg-type]


def test_the_data_of_a_message_is_bytes() -> None:
    with pytest.raises(TypeError, match="must be bytes, not str; encode text first"):
        Message("hello")  # type: ignore[arg-type]


def test_options_of_a_get() -> None:
    options = GetMessageOptions(1, wait_interval=500, msg_id=b"A")
    assert (options.options, options.wait_interval, options.msg_id) == (1, 500, b"A" + bytes(23))
    assert (options.match_options, options.correl_id, options.buffer_length) == (
        MQMO.NONE,
        NO_ID,
        None,
    )
    with pytest.raises(ValueError, match="correl_id has 25 bytes"):
        GetMessageOptions(correl_id=b"x" * 25)


def test_options_of_a_put() -> None:
    options = PutMessageOptions(2, context="handle")
    assert (options.options, options.context, PutMessageOptions().options) == (2, "handle", 0)
