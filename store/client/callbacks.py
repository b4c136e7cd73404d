"""MQCB and MQCTL: functions that are called with messages and events, one at a time for a
connection (callbacks §2-4).

While they are being called, other threads may only stop, suspend or disconnect.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from mqsc.store.client import callback_registration as mqcb, consumption_states
from mqsc.store.client.callback_loop import STARTED, STOPPED, SUSPENDED, CallbackLoop, calling
from mqsc.store.client.callback_registration import CallbackRequest, Function, Registration
from mqsc.store.constants import MQCBCT, MQCTLO, MQOP, MQRC
from mqsc.store.error import MQError, refuse_for, refuse_if
from mqsc.store.mqi.state import HandleState
from mqsc.store.sql.managers import QUIESCING

START = int(MQOP.START)
START_WAIT = int(MQOP.START_WAIT)
STOP = int(MQOP.STOP)
_OPERATIONS = frozenset((START, START_WAIT, STOP, mqcb.SUSPEND, mqcb.RESUME))
_CONTROL_OPTIONS = int(MQCTLO.THREAD_AFFINITY | MQCTLO.FAIL_IF_QUIESCING)


class Callbacks(CallbackLoop):
    """The functions of a connection: the two calls that register and start them, and the loop
    that calls them.
    """

    @property
    def admits(self) -> bool:
        """Whether this thread may make calls on the connection now (else 2500)."""
        return self.status != STARTED or self.is_own_thread

    # MQCB

    def change(self, request: CallbackRequest) -> Registration | None:
        """Register, deregister, suspend or resume; a registration that was taken out, for its
        DEREGISTER call.

        MQError 2488, 2483, 2019, 2448, 2484, 2485, 2486, 2161, and those of a get.
        """
        operation, taken_out = request.operation, None
        try:
            self._check(request)
            if operation & mqcb.DEREGISTER:
                taken_out = self.forget(request.kind, request.handle)
            elif operation & mqcb.REGISTER and request.function is not None:
                self._register(request, request.function)
            if operation & (mqcb.SUSPEND | mqcb.RESUME):
                self._suspend_one(
                    request.kind,
                    request.handle,
                    suspended=bool(operation & mqcb.SUSPEND),
                )
        except MQError:
            # A replacement that is refused takes the registration away.
            if operation & mqcb.REGISTER:
                self.forget(request.kind, request.handle)
            raise
        finally:
            # In DISPLAY CONN and QSTATUS.
            self.show()
        return taken_out

    def _check(self, request: CallbackRequest) -> None:
        kind, handle = request.kind, request.handle
        refuse_if(request.operation not in mqcb.OPERATIONS, MQRC.OPERATION_ERROR)
        refuse_if(kind not in (mqcb.CONSUMER, mqcb.EVENT_HANDLER), MQRC.CALLBACK_TYPE_ERROR)
        if kind == mqcb.CONSUMER and (
            handle is None or not handle.is_open or handle.connection is not self._connection
        ):
            raise MQError(MQRC.HOBJ_ERROR)
        if not request.operation & mqcb.REGISTER:
            refuse_if(_place(kind, handle) not in self.registered, MQRC.CALLBACK_NOT_REGISTERED)
            return
        refuse_for(mqcb.registration_fault(request.function, request.options, request.longest))
        if (
            request.options & mqcb.FAIL_IF_QUIESCING
            and self._connection.qmgr.row().state == QUIESCING
        ):
            raise MQError(MQRC.Q_MGR_QUIESCING)
        if kind == mqcb.CONSUMER and handle is not None:
            mqcb.check_get(handle, request.get_options)

    def _register(self, request: CallbackRequest, function: Function) -> None:
        """Register a function; one that was registered before is replaced without a call."""
        # A program may change its options after the call.
        get_options = copy(request.get_options)
        get_options.buffer_length = None if request.longest == mqcb.FULL_LENGTH else request.longest
        handle = None if request.kind == mqcb.EVENT_HANDLER else request.handle
        self.registered[_place(request.kind, handle)] = Registration(
            function,
            request.options,
            handle,
            get_options,
        )

    def forget(self, kind: int, handle: HandleState | None) -> Registration | None:
        """Take a registration out; its DEREGISTER call is still to be made."""
        return self.registered.pop(_place(kind, handle), None)

    def _suspend_one(self, kind: int, handle: HandleState | None, *, suspended: bool) -> None:
        """Suspend or resume one function; resuming clears the state that a message or failure
        led to.
        """
        found = self.registered[_place(kind, handle)]
        found.is_suspended = suspended
        if not suspended:
            found.state = mqcb.NONE
            found.wait = None
            found.waiting_since = None

    def deregister_call(self, registration: Registration, *, closed: bool = False) -> None:
        """The last call of a function, if it asked for that."""
        self.control_call(
            registration, int(MQCBCT.DEREGISTER_CALL), mqcb.ENDED_STATE, closed=closed
        )

    # MQCTL

    def control(self, operation: int, options: int) -> None:
        """START, START_WAIT, STOP, SUSPEND or RESUME. MQError 2488, 2446, 2528, 2534; 1/2521."""
        refuse_if(operation not in _OPERATIONS, MQRC.OPERATION_ERROR)
        refuse_if(options & ~_CONTROL_OPTIONS, MQRC.OPTIONS_ERROR)
        may_fail = options & int(MQCTLO.FAIL_IF_QUIESCING) and operation != STOP
        refuse_if(may_fail and self._connection.qmgr.row().state == QUIESCING, MQRC.Q_MGR_QUIESCING)
        refuse_if(operation == START_WAIT and calling(), MQRC.ENVIRONMENT_ERROR)
        _CONTROLS[operation](self)
        self.was_controlled = True
        self.show()

    def _start(self) -> None:
        if self.status == STARTED:
            self.go_on()
            return
        self._must_be_startable()
        self.begin(with_wait=False, resumes=False)

    def _start_and_wait(self) -> None:
        refuse_if(self.status == STARTED, MQRC.OPERATION_NOT_ALLOWED)
        refuse_if(self.status == STOPPED and not self.is_any_active(), MQRC.NO_CALLBACKS_ACTIVE)
        self._must_be_startable()
        self.begin(with_wait=True, resumes=False)

    def _must_be_startable(self) -> None:
        refuse_if(self.status == SUSPENDED, MQRC.OPERATION_NOT_ALLOWED)
        refuse_if(not self.consumers, MQRC.OPERATION_ERROR)

    def _suspend(self) -> None:
        self._must_not_be_stopped()
        self.end(SUSPENDED)

    def _resume(self) -> None:
        self._must_not_be_stopped()
        if self.status == SUSPENDED:
            self.begin(with_wait=self.with_wait, resumes=True)
        else:
            self.go_on()

    def _must_not_be_stopped(self) -> None:
        refuse_if(self.status == STOPPED, MQRC.OPERATION_NOT_ALLOWED)

    def close(self) -> None:
        """Before the connection ends: stop, and make the DEREGISTER calls. MQError 2500 within a
        callback.
        """
        # The STOP and DEREGISTER calls that this causes come in the thread of the caller.
        refuse_if(self.is_own_thread or self in calling(), MQRC.HCONN_ASYNC_ACTIVE)
        self.end(STOPPED)
        for found in self.registrations:
            self.deregister_call(found)
        self.registered.clear()


def _place(kind: int, handle: HandleState | None) -> int:
    """Where a function is registered; one without a queue is nowhere."""
    if kind == mqcb.EVENT_HANDLER:
        return consumption_states.CONNECTION
    return -1 if handle is None else handle.number


_CONTROLS: dict[int, Callable[[Callbacks], None]] = {
    START: Callbacks._start,
    START_WAIT: Callbacks._start_and_wait,
    STOP: lambda callbacks: callbacks.end(STOPPED),
    mqcb.SUSPEND: Callbacks._suspend,
    mqcb.RESUME: Callbacks._resume,
}
