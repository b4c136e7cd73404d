"""Streaming queues: STREAMQ and STRMQOS by the rows of the specification (streaming §6)."""

from __future__ import annotations

import pytest

import mqsc
from store.client.api import ObjectHandle, QueueManager
from store.constants import MQCA, MQFB, MQIA, MQOO, MQRC, MQRCCF
from store.descriptor import FIELDS
from store.error import MQError
from store.headers import mqxqh, pcf
from store.message import Message
from tests.scenarios.pages import page
from tests.scenarios.trigger_play import TriggerPlay

QUEUES = """
    DEFINE QLOCAL(B)
    DEFINE QLOCAL(C)
    DEFINE QLOCAL(A) STREAMQ(B)
"""
MUSTDUP = "ALTER QLOCAL(A) STRMQOS(MUSTDUP)"


@pytest.fixture
def play(qmgr: QueueManager) -> TriggerPlay:
    """A play with the queues of the page."""
    play = TriggerPlay(qmgr)
    play.run(QUEUES)
    return play


@pytest.mark.parametrize("scenario", page("streaming"))
def test_streaming(qmgr: QueueManager, scenario: str) -> None:
    TriggerPlay(qmgr).run(scenario)


def opened(play: TriggerPlay, queue: str, options: int = MQOO.OUTPUT) -> ObjectHandle:
    return play.connection("A").open(queue, options)


def got(play: TriggerPlay, queue: str) -> Message:
    return opened(play, queue, MQOO.INPUT_SHARED).get()


def refused(play: TriggerPlay, messages: list[Message]) -> MQError:
    with pytest.raises(MQError) as error:
        opened(play, "A").put(messages)
    return error.value


def test_q01_every_field_but_report_and_expiry_is_the_originals(play: TriggerPlay) -> None:
    play.run("put x on A correl_id=C priority=5 persistence=1 expiry=50 report=COA+NAN reply_to_q=C format=MQSTR")
    original, copy = got(play, "A"), got(play, "B")
    assert copy.body == original.body == b"x"
    differing = [name for name in FIELDS if getattr(copy.descriptor, name) != getattr(original.descriptor, name)]
    assert differing == ["report", "expiry"]
    assert (copy.descriptor.put_date, copy.descriptor.put_time) == (
        original.descriptor.put_date,
        original.descriptor.put_time,
    )


def test_q01_mqinq_gives_both_attributes(play: TriggerPlay) -> None:
    play.run(MUSTDUP)
    found = opened(play, "A", MQOO.INQUIRE).inquire(MQCA.STREAM_QUEUE_NAME, MQIA.STREAM_QUEUE_QOS)
    assert found == {MQCA.STREAM_QUEUE_NAME: "B", MQIA.STREAM_QUEUE_QOS: 1}
    assert (int(MQCA.STREAM_QUEUE_NAME), int(MQIA.STREAM_QUEUE_QOS)) == (2138, 275)


def test_q04_one_report_of_each_kind(play: TriggerPlay) -> None:
    play.run("put x on A report=COA+COD+PAN reply_to_q=C\nget from A => x\nget from B => x\ndepth C => 2")
    assert [got(play, "C").descriptor.feedback for _ in range(2)] == [MQFB.COA, MQFB.COD]


def test_q14_the_errors_of_the_queue_itself_come_first(play: TriggerPlay) -> None:
    play.run(f"{MUSTDUP}\nALTER QLOCAL(A) MAXDEPTH(0)\nALTER QLOCAL(B) MAXDEPTH(0)")
    error = refused(play, [Message(b"x")])
    assert (error.reason, error.object_name) == (MQRC.Q_FULL, "A")
    play.run("ALTER QLOCAL(A) MAXDEPTH(1)")
    error = refused(play, [Message(b"x")])
    assert (error.reason, error.object_name) == (MQRC.Q_FULL, "B")


def test_q15_a_list(play: TriggerPlay) -> None:
    play.run(f"{MUSTDUP}\nALTER QLOCAL(B) MAXDEPTH(2)")
    three = [Message(b"x"), Message(b"y"), Message(b"z")]
    error = refused(play, three)
    assert (error.reason, error.object_name, error.index) == (MQRC.Q_FULL, "B", 2)
    play.run("depth A => 0\ndepth B => 0\nALTER QLOCAL(A) STRMQOS(BESTEF)")
    opened(play, "A").put(three)
    play.run("on A => x y z\non B => x y")


def test_q15_best_effort_leaves_out_only_what_does_not_fit(play: TriggerPlay) -> None:
    play.run("ALTER QLOCAL(B) MAXMSGL(2)")
    opened(play, "A").put([Message(b"x"), Message(b"long"), Message(b"z")])
    play.run("on A => x long z\non B => x z")
    play.run(MUSTDUP)
    error = refused(play, [Message(b"x"), Message(b"long"), Message(b"z")])
    assert (error.reason, error.object_name, error.index) == (MQRC.MSG_TOO_BIG_FOR_Q, "B", 1)


def test_q16_a_remote_stream_queue(play: TriggerPlay) -> None:
    play.run(
        """
        DEFINE QLOCAL(QM2) USAGE(XMITQ)
        DEFINE QREMOTE(R) RNAME(T) RQMNAME(QM2)
        ALTER QLOCAL(A) STREAMQ(R)
        put x on A expiry=50
        """
    )
    sent = got(play, "QM2")
    header = mqxqh.unpack(sent.body, sent.descriptor.encoding, sent.descriptor.coded_char_set_id)
    assert (header.remote_q_name, header.remote_q_mgr_name) == ("T", "QM2")
    assert header.descriptor.msg_id == play.placed["x"].msg_id == sent.descriptor.correl_id
    assert (sent.descriptor.expiry, header.descriptor.expiry) == (-1, -1)
    assert sent.body.endswith(b"x")


def events(play: TriggerPlay, queue: str) -> list[tuple[int, str]]:
    """Get the event messages on a queue; return reason and queue name of each."""
    found = []
    with play.qmgr.connect() as reader:
        handle = reader.open(queue, MQOO.INPUT_SHARED | MQOO.INQUIRE)
        while handle.inquire(MQIA.CURRENT_Q_DEPTH)[MQIA.CURRENT_Q_DEPTH]:
            header, parameters = pcf.unpack(handle.get().body)
            values = {each.number: each.value for each in parameters}
            name = values.get(MQCA.Q_NAME, values.get(MQCA.BASE_OBJECT_NAME))
            found.append((header.reason, str(name).rstrip()))
    return found


def test_q20_performance_events_of_the_stream_queue(play: TriggerPlay) -> None:
    play.run("ALTER QMGR PERFMEV(ENABLED)\nALTER QLOCAL(B) MAXDEPTH(10) QDPHIEV(ENABLED)\nput m*7 on A")
    assert events(play, "SYSTEM.ADMIN.PERFM.EVENT") == []
    play.run("put m8 on A")
    assert events(play, "SYSTEM.ADMIN.PERFM.EVENT") == [(MQRC.Q_DEPTH_HIGH, "B")]


@pytest.mark.parametrize("quality", ["BESTEF", "MUSTDUP"])
def test_q20_a_full_stream_queue_raises_its_event(play: TriggerPlay, quality: str) -> None:
    play.run(f"ALTER QMGR PERFMEV(ENABLED)\nALTER QLOCAL(B) MAXDEPTH(0)\nALTER QLOCAL(A) STRMQOS({quality})")
    play.run(f"put x on A => {'0/0' if quality == 'BESTEF' else '2/2053'}")
    assert events(play, "SYSTEM.ADMIN.PERFM.EVENT") == [(MQRC.Q_FULL, "B")]


@pytest.mark.parametrize("quality", ["BESTEF", "MUSTDUP"])
def test_q21_an_inhibited_stream_queue_raises_its_event(play: TriggerPlay, quality: str) -> None:
    play.run(f"ALTER QMGR INHIBTEV(ENABLED)\nALTER QLOCAL(B) PUT(DISABLED)\nALTER QLOCAL(A) STRMQOS({quality})")
    play.run(f"put x on A => {'0/0' if quality == 'BESTEF' else '2/2051'}")
    assert events(play, "SYSTEM.ADMIN.QMGR.EVENT")[1:] == [(MQRC.PUT_INHIBITED, "B")]


# Changes that prevent copies, and the resulting event: reason and values (events R5, streaming §4).
COPIES_REFUSED = [
    ("DELETE QLOCAL(B)", [2085, "QM1", 7, "QM1", "B"]),
    ("ALTER QLOCAL(B) PUT(DISABLED)", [2051, "QM1", "B", 7, "QM1"]),
    (
        "DEFINE QREMOTE(R) RNAME(T) RQMNAME(QM9)\nALTER QLOCAL(A) STREAMQ(R)",
        [2087, "QM1", "R", 7, "QM1"],
    ),
    ("DEFINE QALIAS(AL) TARGET(NONE)\nALTER QLOCAL(A) STREAMQ(AL)", [2082, "QM1", "AL", "NONE", 7, "QM1", 1]),
]


@pytest.mark.parametrize("quality", ["BESTEF", "MUSTDUP"])
@pytest.mark.parametrize(("commands", "event"), COPIES_REFUSED)
def test_q21_a_refused_copy_is_a_put_of_the_queue_manager(
    play: TriggerPlay, commands: str, event: list[object], quality: str
) -> None:
    play.run(f"ALTER QMGR LOCALEV(ENABLED) REMOTEEV(ENABLED) INHIBTEV(ENABLED)\n{commands}")
    play.run(f"CLEAR QLOCAL(SYSTEM.ADMIN.QMGR.EVENT)\nALTER QLOCAL(A) STRMQOS({quality})")
    play.run(f"put x on A => {'0/0' if quality == 'BESTEF' else f'2/{event[0]}'}")
    header, parameters = pcf.unpack(got(play, "SYSTEM.ADMIN.QMGR.EVENT").body)
    assert [header.reason, *(each.value for each in parameters)] == event
    play.run("depth SYSTEM.ADMIN.QMGR.EVENT => 0")


def test_q21_a_report_without_room_for_its_copy_raises_the_event_of_the_stream_queue(play: TriggerPlay) -> None:
    play.run(
        """
        DEFINE QLOCAL(R) STREAMQ(B) STRMQOS(MUSTDUP)
        DEFINE QLOCAL(DLQ)
        ALTER QMGR INHIBTEV(ENABLED) DEADQ(DLQ)
        ALTER QLOCAL(B) PUT(DISABLED)
        put x on C report=COA reply_to_q=R
        dlq DLQ => R/2051/
        """
    )
    assert events(play, "SYSTEM.ADMIN.QMGR.EVENT")[1:] == [(MQRC.PUT_INHIBITED, "B")]


REFUSED = [
    ("DEFINE QLOCAL(Z) STREAMQ(A)", MQRCCF.STREAMQ_DEST_CONFLICT),
    ("ALTER QLOCAL(B) STREAMQ(Z)", MQRCCF.STREAMQ_CONFLICT),
    ("ALTER QLOCAL(A) STREAMQ(A)", MQRCCF.STREAMQ_DEST_CONFLICT),
    ("DEFINE QLOCAL(X) USAGE(XMITQ) STREAMQ(B)", MQRCCF.STREAMQ_NOT_SUPPORTED),
    ("ALTER QLOCAL(A) USAGE(XMITQ)", MQRCCF.STREAMQ_NOT_SUPPORTED),
    ("ALTER QLOCAL(B) USAGE(XMITQ)", MQRCCF.STREAMQ_DEST_NOT_SUPP),
    ("ALTER QLOCAL(C) STREAMQ(SYSTEM.DEFAULT.MODEL.QUEUE)", MQRCCF.STREAMQ_DEST_NOT_SUPP),
    ("ALTER QLOCAL(SYSTEM.CHANNEL.INITQ) STREAMQ(B)", MQRCCF.STREAMQ_NOT_SUPPORTED),
]


@pytest.mark.parametrize(("command", "reason"), REFUSED)
def test_q22_q23_q24_reasons_of_refused_definitions(play: TriggerPlay, command: str, reason: int) -> None:
    (reply,) = mqsc.run(play.qmgr, command)
    assert (reply.message_id, reply.reason, len(reply.text.splitlines())) == ("AMQ8425E", reason, 2)


def test_q22_an_alias_may_lead_back_to_the_queue_that_is_defined(play: TriggerPlay) -> None:
    _, reply = mqsc.run(play.qmgr, "DEFINE QALIAS(BACK) TARGET(NEW)\nDEFINE QLOCAL(NEW) STREAMQ(BACK)")
    assert (reply.message_id, reply.reason) == ("AMQ8425E", MQRCCF.STREAMQ_DEST_CONFLICT)


def test_q25_an_event_message_is_copied(play: TriggerPlay) -> None:
    play.run("CLEAR QLOCAL(SYSTEM.ADMIN.QMGR.EVENT)\nALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) STREAMQ(B)")
    play.run("ALTER QMGR LOCALEV(ENABLED)\nopen NOPE output => 2/2085")
    original, copy = got(play, "SYSTEM.ADMIN.QMGR.EVENT"), got(play, "B")
    assert pcf.unpack(original.body)[0].reason == MQRC.UNKNOWN_OBJECT_NAME
    assert (copy.body, copy.descriptor) == (original.body, original.descriptor)
    play.run("depth SYSTEM.ADMIN.QMGR.EVENT => 0\ndepth B => 0")


def test_q25_a_missing_copy_of_an_event_message_raises_no_event(play: TriggerPlay) -> None:
    play.run(
        """
        ALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) STREAMQ(B)
        ALTER QMGR INHIBTEV(ENABLED) LOCALEV(ENABLED)
        ALTER QLOCAL(B) PUT(DISABLED)
        open NOPE output => 2/2085
        """
    )
    assert events(play, "SYSTEM.ADMIN.QMGR.EVENT")[1:] == [(MQRC.UNKNOWN_OBJECT_NAME, "NOPE")]
