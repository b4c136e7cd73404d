"""The loop that calls the functions of a connection, one at a time (callbacks §2-4).

Between START and STOP it runs in a thread of the connection, after START_WAIT in that of the
caller. Consumers take turns, one message each.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from copy import copy

from mqsc.store.client import callback_registration as mqcb
from mqsc.store.client.callback_registration import CallbackContext, Registration
from mqsc.store.client.consumption_states import CONNECTION, ConsumptionStates
from mqsc.store.constants import MQCBCT, MQCC, MQRC
from mqsc.store.engine.change_watch import NEVER, Sleeper
from mqsc.store.engine.recovery import recover
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi.get_wait import LOOKS_PER_LIVENESS_CHECK, GetWait
from mqsc.store.mqi.state import ConnectionState, HandleState
from mqsc.store.rules import getting
from mqsc.store.sql.managers import ENDED, QUIESCING

_log = logging.getLogger("mqsc.callbacks")

NO_MSG_AVAILABLE = 2033
GET_INHIBITED = 2016
GET_ENABLED = 2494
Q_MGR_QUIESCING = 2161
CONNECTION_BROKEN = 2009
TRUNCATED_MSG_FAILED = 2080
STOPPED = "STOPPED"
STARTED = "STARTED"
SUSPENDED = "SUSPENDED"
# How many rounds with messages pass between two looks at the state of the queue manager.
ROUNDS_PER_STATE_CHECK = 100

_here = threading.local()


class CallbackLoop:
    """The functions that are registered, whether they are being called, and by which thread."""

    def __init__(self, connection: ConnectionState) -> None:
        self._connection = connection
        # Consumers by the number of the handle, the event handler by that of the connection.
        self.registered: dict[int, Registration] = {}
        self.status = STOPPED
        # Whether START_WAIT started it.
        self.with_wait = False
        # The state that was requested while it runs.
        self._wanted = STOPPED
        self._thread: threading.Thread | None = None
        self._caller: int | None = None
        self._has_started = threading.Event()
        # Whether it went on after the calls that come before messages, or one of these has stopped
        # it.
        self._went_on = False
        self._sleeper = Sleeper(self._is_concerned)
        self._announced_quiescing = False
        # Whether MQCTL was called: DISPLAY CONN shows the status from then on.
        self.was_controlled = False
        self._states = ConsumptionStates(connection)

    @property
    def consumers(self) -> list[Registration]:
        """Those that get messages."""
        return [each for each in self.registered.values() if each.handle is not None]

    @property
    def registrations(self) -> list[Registration]:
        """Consumers, and then the event handler, if there is one."""
        return sorted(self.registered.values(), key=lambda each: each.handle is None)

    @property
    def is_own_thread(self) -> bool:
        """Whether this thread calls the functions."""
        return self._caller == threading.get_ident()

    def show(self) -> None:
        """Let DISPLAY CONN and QSTATUS show the functions and whether they are called."""
        states = {
            number: each.shown for number, each in self.registered.items() if number != CONNECTION
        }
        if self.was_controlled:
            waits = self.status == STARTED and self.with_wait
            states[CONNECTION] = "STARTWAIT" if waits else self.status
        self._states.show(states)

    def begin(self, *, with_wait: bool, resumes: bool) -> None:
        """Start; with `with_wait` return when the loop has ended. MQError 2528, 2446; 1/2521."""
        self.status = self._wanted = STARTED
        self.with_wait = with_wait
        self.was_controlled = True
        self.show()
        self._has_started.clear()
        if with_wait:
            self._run(resumes)
            if self.status == SUSPENDED:
                raise MQError(MQRC.CONNECTION_SUSPENDED, completion=int(MQCC.WARNING))
            if self._wanted == STARTED:
                raise MQError(MQRC.NO_CALLBACKS_ACTIVE)
            return
        thread = threading.Thread(
            target=self._run,
            args=(resumes,),
            name="mqsc callbacks",
            daemon=True,
        )
        self._thread = thread
        thread.start()
        self._has_started.wait()
        # Not the status: functions may have had their last message already.
        if not resumes and not self._went_on:
            thread.join()
            raise MQError(MQRC.CONNECTION_STOPPED)

    def go_on(self) -> None:
        """Do not end after all, if a function has asked for that."""
        self._wanted = STARTED

    def end(self, becomes: str) -> None:
        """Become STOPPED or SUSPENDED; from another thread, wait until the function that is
        running has returned.
        """
        if self.status == SUSPENDED and becomes == STOPPED:
            self.status = self._wanted = STOPPED
            self._stop_calls()
        if self.status != STARTED:
            return
        self._wanted = becomes
        if self.is_own_thread:
            return
        self._sleeper.wake()
        thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self, resumes: bool) -> None:
        self._caller = threading.get_ident()
        self._with_calls_before(resumes)
        try:
            self._loop()
        finally:
            self.status = SUSPENDED if self._wanted == SUSPENDED else STOPPED
            if self.status == STOPPED:
                self._stop_calls()
            self._caller = self._thread = None
            self._connection.store.change_watch.end(self._sleeper)
            self._has_started.set()
            self.show()

    def _with_calls_before(self, resumes: bool) -> None:
        if not resumes:
            self._announced_quiescing = False
            for each in self.consumers:
                each.is_started = False
                each.wait, each.waiting_since = None, None
        self._calls_before_messages()
        self._went_on = self._wanted == STARTED
        if not self._went_on:
            self.status = self._wanted
        self._has_started.set()

    def _loop(self) -> None:
        rounds = 0
        while self._wanted == STARTED and (not self.with_wait or self.is_any_active()):
            seen = self._connection.store.database.data_version()
            self._calls_before_messages()
            found_any = self._round()
            self.show()
            rounds += 1
            looks_up = not found_any or rounds % ROUNDS_PER_STATE_CHECK == 0
            if looks_up and not self._is_queue_manager_there():
                return
            if not found_any and self._wanted == STARTED:
                self._pause(seen)

    def _calls_before_messages(self) -> None:
        """The REGISTER and START calls of functions that have not had them."""
        for each in self.registrations:
            if not each.is_registered:
                each.is_registered = True
                self.control_call(each, int(MQCBCT.REGISTER_CALL))
        for each in self.consumers:
            if not each.is_started:
                each.is_started = True
                self.control_call(each, int(MQCBCT.START_CALL))

    def _stop_calls(self) -> None:
        for each in self.consumers:
            self.control_call(
                each,
                int(MQCBCT.STOP_CALL),
                mqcb.ENDED_STATE if self._is_broken() else mqcb.NONE,
            )

    def _round(self) -> bool:
        """Ask every consumer's queue once; whether there was any message."""
        found_any = False
        for each in self.consumers:
            if self._wanted != STARTED:
                break
            if each.is_active and self._look(each):
                found_any = True
        return found_any

    def _look(self, registration: Registration) -> bool:
        handle = registration.handle
        assert handle is not None
        if (
            registration.state == mqcb.TEMPORARY
            and registration.wait is not None
            and not registration.wait.is_concerned()
        ):
            return False
        try:
            message = self._get(registration, handle)
        except MQError as error:
            self._failed(registration, int(error.reason), int(error.completion))
            return False
        if registration.state == mqcb.TEMPORARY:
            registration.state = mqcb.NONE
            self._event(registration, GET_ENABLED, MQCC.WARNING)
        registration.waiting_since, registration.had_message = None, True
        browses = bool(int(registration.get_options.options) & getting.BROWSE)
        stays = browses or message.reason == TRUNCATED_MSG_FAILED
        call_type = int(MQCBCT.MSG_NOT_REMOVED if stays else MQCBCT.MSG_REMOVED)
        if message.reason == TRUNCATED_MSG_FAILED:
            registration.state = mqcb.USER_ACTION
        options = int(registration.get_options.options)
        if options & getting.BROWSE_FIRST:
            registration.get_options.options = options & ~getting.BROWSE_FIRST | getting.BROWSE_NEXT
        self._call(
            registration,
            CallbackContext(
                call_type,
                handle,
                message,
                message.completion,
                message.reason,
                registration.state,
            ),
        )
        return True

    def _get(self, registration: Registration, handle: HandleState) -> Message:
        get_options = copy(registration.get_options)
        get_options.options = int(get_options.options) & ~getting.WAIT
        get: Callable[[GetMessageOptions], Message] = handle.get  # type: ignore[attr-defined]
        return get(get_options)

    def _failed(self, registration: Registration, reason: int, completion: int) -> None:
        """A look found no message: tell the function when its time is up, or what is wrong with
        the queue.
        """
        assert registration.handle is not None
        if reason == NO_MSG_AVAILABLE:
            if registration.state == mqcb.TEMPORARY:
                registration.state = mqcb.NONE
                self._event(registration, GET_ENABLED, MQCC.WARNING)
            self._no_message(registration)
        elif reason == GET_INHIBITED:
            # Asked again when the queue changes: every refusal is an event of its own.
            registration.wait = GetWait(registration.handle, copy(registration.get_options))
            registration.wait.is_concerned()
            if registration.state != mqcb.TEMPORARY:
                registration.state = mqcb.TEMPORARY
                self._event(registration, reason, completion)
        elif reason != CONNECTION_BROKEN:
            registration.state = mqcb.SUSPENDED_FOR_GOOD
            self._event(registration, reason, completion)

    def _no_message(self, registration: Registration) -> None:
        options = int(registration.get_options.options)
        interval = registration.get_options.wait_interval
        now = self._connection.qmgr.waiting_time()
        if not options & getting.WAIT:
            is_over, registration.had_message = registration.had_message, False
        elif registration.waiting_since is None:
            registration.waiting_since = now
            is_over = interval == 0 and registration.had_message
            registration.had_message = False
        else:
            is_over = interval > 0 and now - registration.waiting_since >= interval * 1000
        if is_over:
            registration.waiting_since = now
            self._event(registration, NO_MSG_AVAILABLE)

    def _is_queue_manager_there(self) -> bool:
        """Tell the functions that the queue manager ends, or has ended; whether the loop goes
        on.
        """
        connection = self._connection
        row = connection.qmgr.row()
        if row.run != connection.run or row.state == ENDED or self._is_broken():
            for each in self.registrations:
                self._event(each, CONNECTION_BROKEN)
            self._wanted = STOPPED
            return False
        if row.state == QUIESCING and not self._announced_quiescing:
            self._announced_quiescing = True
            if CONNECTION in self.registered:
                self._event(self.registered[CONNECTION], Q_MGR_QUIESCING)
        return True

    def _is_broken(self) -> bool:
        return not self._connection.is_in_store()

    def _pause(self, seen: int) -> None:
        """Wait until a queue or the queue manager changes, a wait of a consumer is over, or the
        loop is to end.
        """
        store = self._connection.store
        self._sleeper.seen = seen
        for each in self.consumers:
            if each.is_active and each.wait is None and each.handle is not None:
                each.wait = GetWait(each.handle, copy(each.get_options))
        manager = frozenset({(self._connection.qmgr.name, 0)})
        self._sleeper.places = manager.union(*(wait.places() for wait in self._waits()))
        looks = 0
        while self._wanted == STARTED:
            if looks % LOOKS_PER_LIVENESS_CHECK == LOOKS_PER_LIVENESS_CHECK - 1 and recover(store):
                return
            looks += 1
            seconds = self._seconds_left()
            if seconds <= 0 or store.change_watch.pause(self._sleeper, seconds) or seen == NEVER:
                return

    def _seconds_left(self) -> float:
        """Until the first wait is over; at most a second, after which dead programs are looked
        for.
        """
        ends = [
            each.waiting_since + each.get_options.wait_interval * 1000
            for each in self.consumers
            if each.is_active
            and each.waiting_since is not None
            and int(each.get_options.options) & getting.WAIT
            and each.get_options.wait_interval > 0
        ]
        return (
            min(1.0, (min(ends) - self._connection.qmgr.waiting_time()) / MICROSECONDS)
            if ends
            else 1.0
        )

    def _is_concerned(self) -> bool:
        row = self._connection.qmgr.row()
        if row.run != self._connection.run or row.state == ENDED:
            return True
        if row.state == QUIESCING and not self._announced_quiescing:
            return True
        return any(wait.is_concerned() for wait in self._waits())

    def _waits(self) -> list[GetWait]:
        return [each.wait for each in self.consumers if each.is_active and each.wait is not None]

    def is_any_active(self) -> bool:
        """Whether a function waits for messages."""
        return any(each.is_active for each in self.consumers)

    def control_call(
        self,
        registration: Registration,
        call_type: int,
        state: int = mqcb.NONE,
        *,
        closed: bool = False,
    ) -> None:
        """A call that is made only for functions that asked for it when they were registered."""
        if registration.options & mqcb.CONTROL_CALLS[call_type]:
            self._call(
                registration,
                CallbackContext(call_type, None if closed else registration.handle, state=state),
            )

    def _event(
        self, registration: Registration, reason: int, completion: int = int(MQCC.FAILED)
    ) -> None:
        """Tell a function that is not suspended what has happened."""
        if not registration.is_suspended:
            event = int(MQCBCT.EVENT_CALL)
            self._call(
                registration,
                CallbackContext(
                    event, registration.handle, None, int(completion), reason, registration.state
                ),
            )

    def _call(self, registration: Registration, context: CallbackContext) -> None:
        """Call the function. An exception in it is logged, and consuming goes on."""
        before = calling()
        _here.calling = (*before, self)
        try:
            registration.function(context)
        except Exception:
            _log.exception("a callback raised an exception; consuming goes on")
        finally:
            _here.calling = before


def calling() -> tuple[CallbackLoop, ...]:
    """Those whose functions this thread is in, one called within another."""
    found: tuple[CallbackLoop, ...] = getattr(_here, "calling", ())
    return found
