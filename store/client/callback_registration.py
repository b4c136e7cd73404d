"""The registration of callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from msgspec import Struct, field

from mqsc.store.constants import MQCBCT, MQCBDO, MQCBT, MQCS, MQOP, MQRC
from mqsc.store.error import refuse_for, refuse_if
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.mqi.get_wait import GetWait
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules import getting, opening

REGISTER, DEREGISTER = int(MQOP.REGISTER), int(MQOP.DEREGISTER)
SUSPEND, RESUME = int(MQOP.SUSPEND), int(MQOP.RESUME)
OPERATIONS = frozenset(
    (REGISTER, DEREGISTER, SUSPEND, RESUME, REGISTER | SUSPEND, REGISTER | RESUME),
)
CONSUMER, EVENT_HANDLER = int(MQCBT.MESSAGE_CONSUMER), int(MQCBT.EVENT_HANDLER)
# The calls that a function gets only if it asked for them, and the option that asks.
CONTROL_CALLS: dict[int, int] = {
    int(MQCBCT.REGISTER_CALL): int(MQCBDO.REGISTER_CALL),
    int(MQCBCT.START_CALL): int(MQCBDO.START_CALL),
    int(MQCBCT.STOP_CALL): int(MQCBDO.STOP_CALL),
    int(MQCBCT.DEREGISTER_CALL): int(MQCBDO.DEREGISTER_CALL),
}
FAIL_IF_QUIESCING = int(MQCBDO.FAIL_IF_QUIESCING)
_KNOWN_OPTIONS = (
    int(MQCBDO.EVENT_CALL | MQCBDO.MC_EVENT_CALL) | FAIL_IF_QUIESCING | sum(CONTROL_CALLS.values())
)
NONE, TEMPORARY, USER_ACTION, SUSPENDED_FOR_GOOD, ENDED_STATE = (int(each) for each in MQCS)
FULL_LENGTH: Final = -1
_NEVER_BY_CALLBACK = (
    getting.UNLOCK | getting.SET_SIGNAL | getting.MSG_UNDER_CURSOR | getting.BROWSE_MSG_UNDER_CURSOR
)


class CallbackContext(Struct, frozen=True):
    """Why a function is called (MQCBC): MQCBCT call type, the queue, the message if there is one,
    and its state.

    `handle` is None for an event handler, and for the DEREGISTER call of a queue that has been
    closed.

    >>> context = mqsc.CallbackContext(mqsc.MQCBCT.MSG_REMOVED, message=mqsc.Message(b"tea"))
    >>> context.data_length
    3
    """

    call_type: int
    handle: HandleState | None = None
    message: Message | None = None
    completion: int = 0
    reason: int = 0
    state: int = NONE

    @property
    def data_length(self) -> int:
        """The full length of the message; 0 without one.

        >>> mqsc.CallbackContext(mqsc.MQCBT.EVENT_HANDLER).data_length
        0
        """
        return 0 if self.message is None else self.message.data_length


Function = Callable[[CallbackContext], object]


class CallbackRequest(NamedTuple):
    """The arguments of MQCB; `longest` is MaxMsgLength."""

    operation: int
    function: Function | None
    handle: HandleState | None
    kind: int
    options: int
    get_options: GetMessageOptions
    longest: int


class Registration(Struct):
    """A function that is registered for a queue, or as event handler if `handle` is None."""

    function: Function
    options: int
    handle: HandleState | None = None
    get_options: GetMessageOptions = field(default_factory=GetMessageOptions)
    # Blank while it is active: SUSPEND, or a state that a message or failure led to.
    is_suspended: bool = False
    state: int = NONE
    # What the next look at the queue waits for, and since when, in microseconds of the queue
    # manager's clock.
    wait: GetWait | None = None
    waiting_since: int | None = None
    is_registered: bool = False
    is_started: bool = False
    had_message: bool = False

    @property
    def is_active(self) -> bool:
        return not self.is_suspended and self.state in (NONE, TEMPORARY)

    @property
    def shown(self) -> str:
        """ASTATE of the handle while the functions of its connection are not started."""
        if not self.is_active:
            return "SUSPENDED"
        return "SUSPTEMP" if self.state == TEMPORARY else "INACTIVE"


def registration_fault(function: object, options: int, longest: int) -> int:
    """2484, 2485 or 2486 for a registration that is not possible, else 0."""
    if options & ~_KNOWN_OPTIONS:
        return int(MQRC.CBD_OPTIONS_ERROR)
    if longest < FULL_LENGTH:
        return int(MQRC.MAX_MSG_LENGTH_ERROR)
    return 0 if callable(function) else int(MQRC.CALLBACK_ROUTINE_ERROR)


def check_get(handle: HandleState, options: GetMessageOptions) -> None:
    """Check the options of the gets: MQError 2036, 2037, 2046, 2090, 2247."""
    option_bits = int(options.options)
    refuse_if(option_bits & _NEVER_BY_CALLBACK, MQRC.OPTIONS_ERROR, handle.name)
    refuse_if(
        not handle.options & (opening.INPUT | opening.BROWSE),
        MQRC.NOT_OPEN_FOR_INPUT,
        handle.name,
    )
    fault = getting.options_fault(option_bits, int(options.match_options), handle.options)
    if option_bits & getting.WAIT:
        fault = fault or getting.wait_fault(options.wait_interval)
    refuse_for(fault, handle.name)
