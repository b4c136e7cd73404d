"""Channel events (channel-commands.md §4), byte for byte, and which settings of CHLEV and CHADEV raise them."""

from __future__ import annotations

import struct

import pytest

import mqsc
from store.admin.channel import starts
from store.client.api import QueueManager
from store.constants import MQRQ
from store.engine.channel_event import Cause, EventEnd
from tests.scenarios.event_bench import EventBench, ReadEvent

CHANNEL = "SYSTEM.ADMIN.CHANNEL.EVENT"
SENDER, RECEIVER = EventEnd("TO.QM2", "local(QM2)", "X"), EventEnd("TO.QM2", "local(QM1)")
Part = tuple[int, int | str, int]


def data(reason: int, *parts: Part) -> bytes:
    """Return the bytes of an event: MQCFH, then an MQCFIN or MQCFST for each (number, value, length of the text)."""
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
        2283, name("QM1"), (1020, 9, 0), CHANNEL_NAME, (1013, 9202, 0), (1070, 1, 0), (1071, 2, 0),
        (3026, "TO.QM2", 0), (3027, "a", 0), (3028, "b", 0), QUEUE, ADDRESS,
    ),
    "conversion": data(2284, name("QM1"), (1072, 2115, 0), CHANNEL_NAME, (3533, "MQSTR", 8), QUEUE, ADDRESS),
}  # fmt: skip


@pytest.fixture
def bench(qmgr: QueueManager) -> EventBench:
    return EventBench(qmgr, "ALTER QMGR CHLEV(ENABLED)")


def bodies(found: list[ReadEvent]) -> list[bytes]:
    return [each.message.body for each in found]


def test_the_data_byte_for_byte(bench: EventBench) -> None:
    qmgr = bench.qmgr
    starts.channel_started(qmgr, SENDER)
    cause = Cause(9202, (1, 2), ("a", "b"))
    starts.channel_stopped(qmgr, SENDER, MQRQ.CHANNEL_STOPPED_RETRY, cause)
    starts.conversion_failed(qmgr, SENDER, 2115, "MQSTR")
    starts.channel_started(qmgr, RECEIVER)
    assert bodies(bench.read(CHANNEL)) == [
        *EVENTS.values(),
        data(2282, name("QM1"), CHANNEL_NAME, (3506, "local(QM1)", 264)),
    ]


def test_a_stop_by_command(bench: EventBench) -> None:
    """L44: three parameters."""
    bench.run("DEFINE QLOCAL(X) USAGE(XMITQ)", "DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) XMITQ(X) CONNAME('local(QM2)')")
    bench.run("START CHANNEL(TO.QM2)", "STOP CHANNEL(TO.QM2)")
    (found,) = bench.read(CHANNEL)
    assert found.message.body == data(2279, name("QM1"), (1020, 10, 0), CHANNEL_NAME)
    assert (found.message.descriptor.format, found.message.descriptor.put_appl_name) == ("MQEVENT", "QM1")
    mqsc.run(bench.qmgr, "STOP CHANNEL(TO.QM2)")
    assert bench.read(CHANNEL) == []


SETTINGS = [("ENABLED", [2282, 2283, 2283, 2284]), ("EXCEPTION", [2283, 2284]), ("DISABLED", [])]


@pytest.mark.parametrize(("setting", "reasons"), SETTINGS)
def test_chlev(bench: EventBench, setting: str, reasons: list[int]) -> None:
    qmgr = bench.qmgr
    bench.run(f"ALTER QMGR CHLEV({setting})")
    starts.channel_started(qmgr, SENDER)
    starts.channel_stopped(qmgr, SENDER, MQRQ.CHANNEL_STOPPED_OK)
    starts.channel_stopped(qmgr, SENDER, MQRQ.CHANNEL_STOPPED_ERROR)
    starts.conversion_failed(qmgr, SENDER, 2115, "MQSTR")
    assert bench.reasons(CHANNEL) == reasons


def test_a_receiver_is_defined_automatically(bench: EventBench) -> None:
    """L45, with events under CHADEV alone."""
    qmgr = bench.qmgr
    assert not starts.define_automatically(qmgr, "NEW", "local(QM1)")
    bench.run("ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED) CHLEV(DISABLED)")
    assert starts.define_automatically(qmgr, "NEW", "local(QM1)")
    (row,) = bench.run("DISPLAY CHANNEL(NEW) CHLTYPE DESCR")
    assert row["CHLTYPE"] == "RCVR"
    assert not starts.define_automatically(qmgr, "NEW", "local(QM1)")
    caller: Part = (3506, "local(QM1)", 264)
    assert bodies(bench.read(CHANNEL)) == [
        data(2233, name("QM1"), (3501, "NEW", 20), (1511, 3, 0), caller),
        data(2234, name("QM1"), (3501, "NEW", 20), (1511, 3, 0), (1013, 4042, 0), caller, (1070, 4042, 0)),
    ]
    bench.run("ALTER QMGR CHADEV(DISABLED)", "DELETE CHANNEL(NEW)")
    assert starts.define_automatically(qmgr, "NEW", "local(QM1)")
    assert bench.read(CHANNEL) == []
