"""Channel events (channel-commands.md §4), byte for byte, and which settings of CHLEV and CHADEV
raise them.
"""

from __future__ import annotations

import struct

import pytest

from mqsc.store.admin.channel import run_events
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRQ
from mqsc.store.engine import channel_event
from mqsc.store.engine.channel_event import Cause, EventEnd
from tests.scenarios.looking import events_on
from tests.scenarios.play import Play

CHANNEL = "SYSTEM.ADMIN.CHANNEL.EVENT"
SENDER, RECEIVER = EventEnd("TO.QM2", "local(QM2)", "X"), EventEnd("TO.QM2", "local(QM1)")
Part = tuple[int, int | str, int]


def data(reason: int, *parts: Part) -> bytes:
    """Return the bytes of an event: MQCFH, then an MQCFIN or MQCFST for each (number, value,
    length of the text).
    """
    header = struct.pack("<9i", 7, 36, 1, 46, 1, 1, 1, reason, len(parts))
    return header + b"".join(packed(*part) for part in parts)


def packed(number: int, value: int | str, length: int) -> bytes:
    if isinstance(value, int):
        return struct.pack("<4i", 3, 16, number, value)
    text = value.ljust(length).encode()
    whole = 20 + -(-len(text) // 4) * 4
    return (struct.pack("<5i", 4, whole, number, 1208, len(text)) + text).ljust(whole, b"\0")


def name(text: str) -> Part:
    return 2015, text, 48


CHANNEL_NAME: Part = (3501, "TO.QM2", 20)
QUEUE: Part = (3505, "X", 48)
ADDRESS: Part = (3506, "local(QM2)", 264)
EVENTS = {
    "started": data(2282, name("QM1"), CHANNEL_NAME, QUEUE, ADDRESS),
    "stopped": data(
        2283,
        name("QM1"),
        (1020, 9, 0),
        CHANNEL_NAME,
        (1013, 9202, 0),
        (1070, 1, 0),
        (1071, 2, 0),
        (3026, "TO.QM2", 0),
        (3027, "a", 0),
        (3028, "b", 0),
        QUEUE,
        ADDRESS,
    ),
    "conversion": data(
        2284,
        name("QM1"),
        (1072, 2115, 0),
        CHANNEL_NAME,
        (3533, "MQSTR", 8),
        QUEUE,
        ADDRESS,
    ),
}


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    play = Play(qmgr)
    play.run("ALTER QMGR CHLEV(ENABLED)")
    return play


def bodies(play: Play) -> list[bytes]:
    return [each.message.body for each in events_on(play.qmgr, CHANNEL)]


def test_the_data_byte_for_byte(play: Play) -> None:
    run_events.raise_event(play.qmgr, channel_event.started, SENDER)
    run_events.raise_event(
        play.qmgr,
        channel_event.stopped,
        SENDER,
        MQRQ.CHANNEL_STOPPED_RETRY,
        Cause(9202, (1, 2), ("a", "b")),
    )
    run_events.raise_event(play.qmgr, channel_event.conversion_failed, SENDER, 2115, "MQSTR")
    run_events.raise_event(play.qmgr, channel_event.started, RECEIVER)
    received = data(2282, name("QM1"), CHANNEL_NAME, (3506, "local(QM1)", 264))
    assert bodies(play) == [*EVENTS.values(), received]


def test_l44_a_stop_by_command_has_three_parameters(play: Play) -> None:
    play.run("""
        DEFINE QLOCAL(X) USAGE(XMITQ)
        DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) XMITQ(X) CONNAME('local(QM2)')
        START CHANNEL(TO.QM2)
        STOP CHANNEL(TO.QM2)
    """)
    (found,) = events_on(play.qmgr, CHANNEL)
    assert found.message.body == data(2279, name("QM1"), (1020, 10, 0), CHANNEL_NAME)
    assert (found.message.descriptor.format, found.message.descriptor.put_appl_name) == (
        "MQEVENT",
        "QM1",
    )
    play.run("STOP CHANNEL(TO.QM2) => AMQ9533W\nraised CHANNEL => nothing")


SETTINGS = [("ENABLED", "2282 2283 2283 2284"), ("EXCEPTION", "2283 2284"), ("DISABLED", "nothing")]


@pytest.mark.parametrize(("setting", "reasons"), SETTINGS)
def test_chlev(play: Play, setting: str, reasons: str) -> None:
    play.run(f"ALTER QMGR CHLEV({setting})")
    run_events.raise_event(play.qmgr, channel_event.started, SENDER)
    run_events.raise_event(
        play.qmgr, channel_event.stopped, SENDER, MQRQ.CHANNEL_STOPPED_OK, Cause()
    )
    run_events.raise_event(
        play.qmgr,
        channel_event.stopped,
        SENDER,
        MQRQ.CHANNEL_STOPPED_ERROR,
        Cause(),
    )
    run_events.raise_event(play.qmgr, channel_event.conversion_failed, SENDER, 2115, "MQSTR")
    play.run(f"raised CHANNEL => {reasons}")


def test_l45_a_receiver_is_defined_automatically_with_events_under_chadev_alone(play: Play) -> None:
    qmgr, caller = play.qmgr, "local(QM1)"
    assert not run_events.define_automatically(qmgr, "NEW", caller)
    play.run("ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED) CHLEV(DISABLED)")
    assert run_events.define_automatically(qmgr, "NEW", caller)
    play.run("DISPLAY CHANNEL(NEW) CHLTYPE => CHLTYPE=RCVR")
    assert not run_events.define_automatically(qmgr, "NEW", caller)
    common: tuple[Part, ...] = (name("QM1"), (3501, "NEW", 20), (1511, 3, 0))
    assert bodies(play) == [
        data(2233, *common, (3506, caller, 264)),
        data(2234, *common, (1013, 4042, 0), (3506, caller, 264), (1070, 4042, 0)),
    ]
    play.run("ALTER QMGR CHADEV(DISABLED)\nDELETE CHANNEL(NEW)")
    assert run_events.define_automatically(qmgr, "NEW", caller)
    play.run("raised CHANNEL => nothing")
