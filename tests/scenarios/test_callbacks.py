"""Functions that are called with messages and events (callbacks §6, A01 to A18)."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

import mqsc
from mqsc.store.admin.altering import change
from mqsc.store.admin.connection_status import connection_id
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.callback_registration import CallbackContext
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCBCT, MQCBDO, MQCBT, MQGMO, MQOO, MQOP, MQPMO
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.scenarios.test_properties import reason
from tests.scenarios.waiting import PATIENCE, PauseCountingClock

INPUT = MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT
WAIT = MQGMO.WAIT | MQGMO.NO_SYNCPOINT
CONTROL = MQCBDO.REGISTER_CALL | MQCBDO.START_CALL | MQCBDO.STOP_CALL | MQCBDO.DEREGISTER_CALL
Acting = Callable[[CallbackContext], object]


class Recorder:
    """A function that keeps what it was called with; `acts` are run in the calls with messages,
    in order.
    """

    def __init__(self, *acts: Acting) -> None:
        self._acts = list(acts)
        self._calls: queue.Queue[CallbackContext] = queue.Queue()

    def __call__(self, context: CallbackContext) -> None:
        self._calls.put(context)
        if context.message is not None and self._acts:
            self._acts.pop(0)(context)

    def next(self) -> tuple[int, str | int]:
        """The next call: its type, and the text of the message or the reason."""
        context = self._calls.get(timeout=PATIENCE)
        return (
            context.call_type,
            context.reason if context.message is None else context.message.body.decode(),
        )

    def whole(self) -> CallbackContext:
        return self._calls.get(timeout=PATIENCE)

    @property
    def is_idle(self) -> bool:
        return self._calls.empty()


class Play:
    """A connection that consumes, and one beside it."""

    def __init__(self, qmgr: QueueManager, connection: Connection, other: Connection) -> None:
        self.qmgr, self.connection, self.other = qmgr, connection, other
        self.queue = connection.open("Q", INPUT)

    def register(
        self,
        function: Acting,
        handle: ObjectHandle | None = None,
        options: int = 0,
        get: int = WAIT,
        longest: int = -1,
        interval: int = 3000,
    ) -> None:
        wanted = GetMessageOptions(get, wait_interval=interval)
        self.connection.callback(
            MQOP.REGISTER,
            function,
            handle=handle or self.queue,
            options=options,
            get_options=wanted,
            max_message_length=longest,
        )

    def handle_events(self, function: Acting) -> None:
        self.connection.callback(MQOP.REGISTER, function, callback_type=MQCBT.EVENT_HANDLER)

    def put(self, *bodies: str) -> None:
        for each in bodies:
            self.other.put1("Q", Message(each.encode()))

    def start(self) -> None:
        self.connection.control(MQOP.START)

    def stop(self) -> None:
        self.connection.control(MQOP.STOP)

    def stop_in_call(self, _: CallbackContext) -> None:
        self.stop()

    def depth(self) -> int:
        handle = self.other.open("Q", MQOO.INQUIRE)
        depth = handle.inquire(3)[3]
        handle.close()
        return int(depth)


@pytest.fixture
def play(qmgr: QueueManager) -> Iterator[Play]:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    connection, other = qmgr.connect(), qmgr.connect()
    yield Play(qmgr, connection, other)
    for each in (connection, other):
        # The queue manager may have ended.
        with suppress(MQError):
            each.disconnect()


def test_a01_messages_then_2033_after_each_interval(play: Play, clock: PauseCountingClock) -> None:
    play.put("one", "two")
    consumer = Recorder()
    play.register(consumer)
    play.start()
    assert [consumer.next(), consumer.next()] == [
        (MQCBCT.MSG_REMOVED, "one"),
        (MQCBCT.MSG_REMOVED, "two"),
    ]
    for _ in range(2):
        clock.wait_for_a_search()
        assert consumer.is_idle
        clock.advance(3)
        assert consumer.next() == (MQCBCT.EVENT_CALL, 2033)
    play.put("three")
    assert consumer.next() == (MQCBCT.MSG_REMOVED, "three")


def test_a02_control_calls(play: Play) -> None:
    consumer = Recorder()
    play.register(consumer, options=CONTROL)
    play.start()
    play.stop()
    play.connection.callback(MQOP.DEREGISTER, handle=play.queue)
    assert [consumer.next()[0] for _ in range(4)] == [3, 1, 2, 4]


@pytest.mark.parametrize("before", [MQOP.SUSPEND, MQOP.STOP])
def test_a02_a_control_call_cannot_disconnect(play: Play, before: int) -> None:
    refused: list[int | None] = []

    def disconnects(_: CallbackContext) -> None:
        refused.append(reason(play.connection.disconnect))

    play.register(disconnects, options=CONTROL)
    play.start()
    play.connection.control(before)
    # REGISTER and START calls; a STOP call of MQCTL, or of the disconnect itself; the DEREGISTER
    # call.
    play.connection.disconnect()
    assert refused == [2500] * 4
    assert not play.connection.is_connected


def test_a03_nothing_to_start(play: Play) -> None:
    assert reason(play.start) == 2488
    play.handle_events(Recorder())
    assert reason(play.start) == 2488


def test_a04_other_threads_must_wait(play: Play) -> None:
    play.register(Recorder())
    play.start()
    assert reason(lambda: play.queue.put(Message(b""))) == 2500
    assert reason(lambda: play.connection.open("Q", INPUT)) == 2500
    assert reason(lambda: play.register(Recorder())) == 2500
    play.connection.control(MQOP.SUSPEND)
    play.queue.put(Message(b"m"))


def test_a05_operations_that_are_not_allowed(play: Play) -> None:
    for operation in (MQOP.SUSPEND, MQOP.RESUME):
        assert reason(lambda operation=operation: play.connection.control(operation)) == 2534  # type: ignore[misc]
    consumer = Recorder()
    play.register(consumer, options=CONTROL)
    play.start()
    play.connection.control(MQOP.SUSPEND)
    assert reason(play.start) == 2534
    play.put("m")
    play.connection.control(MQOP.RESUME)
    assert [consumer.next() for _ in range(3)] == [(3, 0), (1, 0), (MQCBCT.MSG_REMOVED, "m")]
    play.stop()
    play.stop()
    assert consumer.next() == (2, 0)
    assert reason(lambda: play.connection.control(3)) == 2488


def test_a06_a_reply_in_a_unit_of_work(play: Play) -> None:
    create(play.qmgr, KINDS["QLOCAL"], "REPLIES", {})
    seen: list[int | bytes] = []

    def reply(_: CallbackContext) -> None:
        play.connection.put1("REPLIES", Message(b"reply"), PutMessageOptions(MQPMO.SYNCPOINT))
        replies = play.other.open("REPLIES", INPUT)
        seen.append(reason(replies.get))
        play.connection.commit()
        seen.append(replies.get().body)

    consumer = Recorder(reply, play.stop_in_call)
    play.register(consumer)
    play.put("request", "end")
    play.connection.control(MQOP.START_WAIT)
    assert seen == [2033, b"reply"]


def test_a07_one_commit_for_all_consumers(play: Play) -> None:
    create(play.qmgr, KINDS["QLOCAL"], "Q2", {})
    other_queue = play.connection.open("Q2", INPUT)
    play.put("m")
    play.other.put1("Q2", Message(b"m"))

    def commit(_: CallbackContext) -> None:
        play.connection.commit()
        play.stop()

    first, second = Recorder(), Recorder(commit)
    play.register(first, get=MQGMO.SYNCPOINT | MQGMO.WAIT)
    play.register(second, other_queue, get=MQGMO.SYNCPOINT | MQGMO.WAIT)
    play.connection.control(MQOP.START_WAIT)
    play.connection.back()
    assert (play.depth(), first.next(), second.next()) == (0, (6, "m"), (6, "m"))


def test_a08_stop_leaves_the_unit_open(play: Play) -> None:
    play.put("m")
    play.register(Recorder(play.stop_in_call), get=MQGMO.SYNCPOINT | MQGMO.WAIT)
    play.connection.control(MQOP.START_WAIT)
    play.connection.back()
    assert play.queue.get().descriptor.backout_count == 1


def test_a09_start_wait_returns_when_a_consumer_stops(play: Play) -> None:
    play.put(*"abcde")
    ignore: Acting = str
    play.register(Recorder(ignore, ignore, play.stop_in_call))
    play.connection.control(MQOP.START_WAIT)
    assert play.depth() == 2


def test_a10_start_wait_where_nothing_can_happen(play: Play) -> None:
    assert reason(lambda: play.connection.control(MQOP.START_WAIT)) == 2446
    seen = []

    def start(_: CallbackContext) -> None:
        seen.append(reason(lambda: play.other.control(MQOP.START_WAIT)))
        play.connection.callback(MQOP.SUSPEND, handle=play.queue)

    play.put("m")
    play.register(Recorder(start))
    assert reason(lambda: play.connection.control(MQOP.START_WAIT)) == 2446
    assert seen == [2012]


def test_a10_suspending_ends_start_wait(play: Play) -> None:
    play.put("m", "n")
    play.register(Recorder(lambda _: play.connection.control(MQOP.SUSPEND), play.stop_in_call))
    with pytest.raises(MQError) as refused:
        play.connection.control(MQOP.START_WAIT)
    assert (refused.value.completion, refused.value.reason) == (1, 2521)
    play.connection.control(MQOP.RESUME)
    assert play.depth() == 0


def test_a11_disconnect(play: Play) -> None:
    seen = []
    put = threading.Event()

    def disconnect(_: CallbackContext) -> None:
        seen.append(reason(play.connection.disconnect))
        put.set()

    play.put("m")
    consumer = Recorder(disconnect)
    play.register(consumer, options=CONTROL, get=MQGMO.SYNCPOINT | MQGMO.WAIT)
    play.start()
    assert put.wait(PATIENCE)
    play.connection.disconnect()
    assert [consumer.next()[0] for _ in range(5)] == [3, 1, 6, 2, 4]
    assert (seen, play.depth()) == ([2500], 0)


def test_a12_get_disabled_and_enabled(play: Play) -> None:
    consumer, events = Recorder(), Recorder()
    play.register(consumer)
    play.handle_events(events)
    play.start()
    change(play.qmgr, KINDS["QLOCAL"], "Q", {"GET": "DISABLED"})
    context = consumer.whole()
    assert (context.reason, context.state, context.call_type) == (2016, 1, MQCBCT.EVENT_CALL)
    play.put("m")
    change(play.qmgr, KINDS["QLOCAL"], "Q", {"GET": "ENABLED"})
    context = consumer.whole()
    assert (context.completion, context.reason) == (1, 2494)
    assert consumer.next() == (MQCBCT.MSG_REMOVED, "m")
    assert events.is_idle


def test_a13_the_queue_manager_ends(play: Play) -> None:
    consumer, events = Recorder(), Recorder()
    play.register(consumer)
    play.handle_events(events)
    play.start()
    play.qmgr.end()
    assert events.next() == (MQCBCT.EVENT_CALL, 2161)
    play.qmgr.end(immediate=True)
    assert events.next() == (MQCBCT.EVENT_CALL, 2009)
    assert consumer.next() == (MQCBCT.EVENT_CALL, 2009)


@pytest.mark.parametrize(
    ("truncate", "expected"),
    [
        (0, (MQCBCT.MSG_NOT_REMOVED, 1, 2080, 2, 1)),
        (MQGMO.ACCEPT_TRUNCATED_MSG, (MQCBCT.MSG_REMOVED, 1, 2079, 0, 0)),
    ],
)
def test_a14_messages_that_are_too_long(
    play: Play,
    truncate: int,
    expected: tuple[int, ...],
) -> None:
    play.put("12345")
    consumer = Recorder()
    play.register(consumer, get=WAIT | truncate, longest=3)
    play.start()
    call = consumer.whole()
    play.stop()
    assert (call.call_type, call.completion, call.reason, call.state, play.depth()) == expected
    assert call.message is not None
    assert (call.data_length, call.message.body) == (5, b"123")


@pytest.mark.parametrize("browse", [MQGMO.BROWSE_NEXT, MQGMO.BROWSE_FIRST])
def test_a15_browsing(play: Play, browse: int) -> None:
    play.put(*"abc")
    consumer = Recorder()
    play.register(consumer, get=WAIT | browse)
    play.start()
    assert [consumer.next() for _ in range(3)] == [(MQCBCT.MSG_NOT_REMOVED, each) for each in "abc"]
    assert play.depth() == 3


def test_a16_invalid_arguments(play: Play) -> None:
    def refused(operation: int = MQOP.REGISTER, **others: object) -> int:
        given = {"function": Recorder(), "handle": play.queue, **others}
        return reason(lambda: play.connection.callback(operation, **given))  # type: ignore[arg-type]

    assert refused(function=None) == 2486
    assert refused(callback_type=3) == 2483
    assert refused(max_message_length=-2) == 2485
    assert refused(0) == 2488
    assert refused(options=2) == 2484
    assert refused(handle=None) == 2019
    assert refused(get_options=GetMessageOptions(MQGMO.UNLOCK)) == 2046
    assert refused(get_options=GetMessageOptions(WAIT, wait_interval=-2)) == 2090
    assert refused(handle=play.connection.open("Q", MQOO.OUTPUT)) == 2037


def test_a17_replacing_and_deregistering(play: Play) -> None:
    first, second = Recorder(), Recorder()
    play.register(first, options=CONTROL)
    play.register(second)
    play.put("m")
    play.start()
    assert second.next() == (MQCBCT.MSG_REMOVED, "m")
    play.stop()
    assert first.is_idle
    play.connection.callback(MQOP.DEREGISTER, handle=play.queue)
    assert reason(lambda: play.connection.callback(MQOP.DEREGISTER, handle=play.queue)) == 2448


def test_a17_closing_the_queue_deregisters(play: Play) -> None:
    consumer = Recorder()
    play.register(consumer, options=CONTROL)
    play.queue.close()
    call = consumer.whole()
    assert (call.call_type, call.handle) == (MQCBCT.DEREGISTER_CALL, None)
    assert reason(play.start) == 2488


def test_a18_an_exception_in_a_callback(play: Play, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: CallbackContext) -> None:
        raise ValueError("not my message")

    play.put("m", "n")
    consumer = Recorder(fail)
    with caplog.at_level(logging.ERROR):
        play.register(consumer)
        play.start()
        assert [consumer.next(), consumer.next()] == [(6, "m"), (6, "n")]
    assert "ValueError: not my message" in caplog.text


def test_a_consumer_that_stops_in_its_start_call(play: Play) -> None:
    def stop(context: CallbackContext) -> None:
        if context.call_type == MQCBCT.START_CALL:
            play.stop()

    play.register(stop, options=MQCBDO.START_CALL)
    assert reason(play.start) == 2528
    play.queue.put(Message(b"m"))


class LateEvent(threading.Event):
    """Whoever waits for it goes on when the functions are no longer called."""

    def wait(self, timeout: float | None = None) -> bool:
        happened = super().wait(timeout)
        for each in threading.enumerate():
            if each.name == "mqsc callbacks":
                each.join()
        return happened


def test_a_consumer_that_stops_before_the_start_returns(play: Play) -> None:
    play.put("m")
    consumer = Recorder(play.stop_in_call)
    play.register(consumer)
    callbacks = play.connection.callbacks
    assert callbacks is not None
    callbacks._has_started = LateEvent()
    play.start()
    assert consumer.next() == (MQCBCT.MSG_REMOVED, "m")
    assert play.depth() == 0


def test_start_in_a_callback_undoes_its_stop(play: Play) -> None:
    def stop_and_start(_: CallbackContext) -> None:
        play.stop()
        play.start()

    play.put("m", "n")
    consumer = Recorder(stop_and_start)
    play.register(consumer)
    play.start()
    assert [consumer.next(), consumer.next()] == [(6, "m"), (6, "n")]


def test_a_suspended_consumer_gets_no_messages(play: Play) -> None:
    create(play.qmgr, KINDS["QLOCAL"], "Q2", {})
    suspended, other = Recorder(), Recorder(play.stop_in_call)
    play.register(suspended)
    play.connection.callback(MQOP.SUSPEND, handle=play.queue)
    play.register(other, play.connection.open("Q2", INPUT))
    play.put("m")
    play.other.put1("Q2", Message(b"n"))
    play.connection.control(MQOP.START_WAIT)
    assert (suspended.is_idle, play.depth()) == (True, 1)
    play.connection.callback(MQOP.RESUME, handle=play.queue)
    play.start()
    assert suspended.next() == (MQCBCT.MSG_REMOVED, "m")


def shown(play: Play) -> tuple[str, str]:
    """ASTATE of the connection, and of its handle on the queue."""
    connection = connection_id(play.connection.number)
    (row,) = mqsc.run(play.qmgr, f"DISPLAY CONN({connection}) ASTATE")[0].rows
    handles = mqsc.run(play.qmgr, "DISPLAY QSTATUS(Q) TYPE(HANDLE) ASTATE INPUT")[0].rows
    (handle,) = [each["ASTATE"] for each in handles if each["INPUT"] == "SHARED"]
    return row["ASTATE"], handle


def test_what_display_shows(play: Play) -> None:
    assert shown(play) == ("NONE", "NONE")
    play.register(Recorder())
    assert shown(play) == ("NONE", "INACTIVE")
    play.start()
    assert shown(play) == ("STARTED", "ACTIVE")
    play.connection.control(MQOP.SUSPEND)
    assert shown(play) == ("SUSPENDED", "INACTIVE")
    play.connection.control(MQOP.RESUME)
    assert shown(play) == ("STARTED", "ACTIVE")
    play.stop()
    play.connection.callback(MQOP.SUSPEND, handle=play.queue)
    assert shown(play) == ("STOPPED", "SUSPENDED")
    play.connection.callback(MQOP.DEREGISTER, handle=play.queue)
    assert shown(play) == ("STOPPED", "NONE")


def test_what_display_shows_of_start_wait_and_of_a_queue_that_is_disabled(play: Play) -> None:
    seen = []

    def look(context: CallbackContext) -> None:
        seen.append((context.reason, *shown(play)))
        if context.message is not None:
            change(play.qmgr, KINDS["QLOCAL"], "Q", {"GET": "DISABLED"})
        elif context.reason == 2016:
            change(play.qmgr, KINDS["QLOCAL"], "Q", {"GET": "ENABLED"})
        else:
            play.stop()

    play.put("m")
    play.register(look)
    play.connection.control(MQOP.START_WAIT)
    assert seen == [
        (0, "STARTWAIT", "ACTIVE"),
        (2016, "STARTWAIT", "ACTIVE"),
        (2494, "STARTWAIT", "SUSPTEMP"),
    ]
    assert shown(play) == ("STOPPED", "INACTIVE")


def test_display_conn_shows_what_other_programs_consume(play: Play) -> None:
    play.register(Recorder())
    play.start()
    rows = mqsc.run(play.qmgr, "DISPLAY CONN(*) TYPE(HANDLE) OBJNAME WHERE(ASTATE EQ ACTIVE)")[
        0
    ].rows
    assert [(each["TYPE"], each["OBJNAME"]) for each in rows] == [("HANDLE", "Q")]
    rows = mqsc.run(play.qmgr, "DISPLAY CONN(*) WHERE(ASTATE EQ STARTED)")[0].rows
    assert [each["CONN"] for each in rows] == [connection_id(play.connection.number)]
