"""Channels: H01 to H34 of expiry-backout-channels, on a frozen clock and without threads."""

from __future__ import annotations

import pytest

from mqsc.channels.link import Step
from store.client.api import Store
from store.constants import MQRO
from store.environment import Environment, FrozenClock
from store.headers import mqxqh
from tests.scenarios.channel_bench import FAST, Network


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    return Network(store, environment)


def test_h01_a_message_waits_on_the_transmission_queue(net: Network) -> None:
    net.put("hello", msg_id=b"m1")
    (message,) = net.messages("X", net.qm1)
    assert message.descriptor.format == "MQXMIT"
    assert len(message.body) == 428 + 5
    embedded = mqxqh.unpack(message.body, message.descriptor.encoding).descriptor
    assert embedded.msg_id == message.descriptor.correl_id == b"m1".ljust(24, b"\0")


def test_h02_it_arrives_as_it_was_put(net: Network) -> None:
    net.put("hello", msg_id=b"m1")
    run = net.start()
    assert net.status() == "RUNNING"
    (message,) = net.messages("Q", net.qm2)
    assert message.body == b"hello"
    assert message.descriptor.format == "MQSTR"
    assert message.descriptor.put_appl_name == "app"
    assert message.descriptor.msg_id == b"m1".ljust(24, b"\0")
    assert net.depth("X") == 0
    assert run.ending is None
