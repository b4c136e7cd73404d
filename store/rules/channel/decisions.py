"""Decisions about channels: commands by status, what both ends agree on, retries after failures,
injected faults.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQCHS, MQRC, MQRCCF, MQRQ
from mqsc.store.rules.report_message import DISCARD_MSG, EXCEPTION

# The refusals of commands on channels by status (channel-commands §1).
#
# Each command has its checks in MQ's order: the type of the channel, then its status, then doubt.

# Current is any status but INACTIVE.
_CURRENT = frozenset(MQCHS) - {MQCHS.INACTIVE}
ACTIVE = _CURRENT - {MQCHS.RETRYING, MQCHS.STOPPED, MQCHS.STARTING}
# The ends that read a transmission queue, can be in doubt, and try again when they fail.
SENDING = frozenset({"SDR", "SVR", "CLUSSDR"})
# The ends that a program here runs.
RUN_HERE = frozenset({"SDR", "SVR", "RQSTR"})
# Attributes that may not change while a batch is in doubt: it would be resolved with another
# partner, queue or numbers.
FIXED_IN_DOUBT = frozenset({"CHLTYPE", "CONNAME", "XMITQ", "SEQWRAP"})
# The application name of a program that runs a channel.
CHANNEL_APPLICATION = "runmqchl"

_WITH_STATUS = frozenset(KINDS["CHANNEL"].attributes["CHLTYPE"].type.words) - {"CLNTCONN"}
# The types of channel that a command takes; AMQ9502E for another.
COMMAND_TYPES: Mapping[str, frozenset[str]] = {
    "START": _WITH_STATUS,
    "STOP": _WITH_STATUS,
    "RESET": frozenset(KINDS["CHANNEL"].attributes["SEQWRAP"].only_for),
    "RESOLVE": SENDING,
    "PING": SENDING,
}


class ChannelSituation(NamedTuple):
    """The status of a channel, or of one instance of it, and whether a batch of it is in doubt."""

    status: MQCHS = MQCHS.INACTIVE
    in_doubt: bool = False


_Check = tuple[Callable[[ChannelSituation], bool], MQRCCF]


def is_active(now: ChannelSituation) -> bool:
    return now.status in ACTIVE


_IN_DOUBT: _Check = (lambda now: now.in_doubt, MQRCCF.CHANNEL_INDOUBT)
_CHECKS: Mapping[str, tuple[_Check, ...]] = {
    "START": ((lambda now: is_active(now) or now.status == MQCHS.STARTING, MQRCCF.CHANNEL_IN_USE),),
    "STOP": (
        (lambda now: now.status in (MQCHS.INACTIVE, MQCHS.STOPPED), MQRCCF.CHANNEL_NOT_ACTIVE),
    ),
    "RESET": (_IN_DOUBT,),
    "RESOLVE": ((is_active, MQRCCF.CHANNEL_IN_USE),),
    "PING": ((is_active, MQRCCF.CHANNEL_IN_USE),),
    "ALTER": (_IN_DOUBT,),
    "DELETE": ((is_active, MQRCCF.CHANNEL_IN_USE), _IN_DOUBT),
}


def refusal(command: str, now: ChannelSituation) -> MQRCCF | None:
    """Why a command is refused in this situation; None when it is not."""
    return next((reason for applies, reason in _CHECKS[command] if applies(now)), None)


def start_fault(
    type: str,
    connection_name: str,
    transmission_queue: str | None,
    usage: str,
) -> MQRCCF | None:
    """Why a channel of that definition cannot start. `transmission_queue`: None when it has none or
    needs none.

    `usage` is USAGE of the local queue of that name, blank when there is none.
    """
    if type == "SVR" and not connection_name:
        return MQRCCF.WRONG_CHANNEL_TYPE
    if transmission_queue is None or usage == "XMITQ":
        return None
    return MQRCCF.NOT_XMIT_Q if usage else MQRCCF.MQOPEN_FAILED


def mode_of_chinit(type: str) -> str:
    """The mode in which STOP CHINIT stops a channel of that type."""
    return "QUIESCE" if type in ("SDR", "SVR") else "FORCE"


# The agreement of the two ends of a channel when they are bound (channel-commands §3).

# The type of the end that answers, by the type of the end that calls; a requester asks the partner
# to call or to send.
PAIRS = {"SDR": ("RCVR", "RQSTR"), "SVR": ("RCVR", "RQSTR"), "RQSTR": ("SVR", "SDR")}
WRAP_DIFFERS = "AMQ9505E"
NO_COMPRESSION = "NONE"


class Offer(NamedTuple):
    """The offer of one end: attributes of its channel, and MAXUMSGS of its queue manager."""

    batch_size: int
    uncommitted_limit: int
    heartbeat: int
    max_length: int
    sequence_wrap: int
    fast: bool
    compression: Sequence[str] = (NO_COMPRESSION,)


class Agreement(NamedTuple):
    """The values of a run: BATCHSZ, HBINT in seconds (0: none), MAXMSGL, SEQWRAP,
    NPMSPEED(FAST), COMPMSG.
    """

    batch_size: int
    heartbeat: int
    max_length: int
    sequence_wrap: int
    fast: bool
    compression: str


def may_call(caller: str, called: str) -> bool:
    """Whether an end of type `caller` can be bound to one of type `called`; AMQ9547E if not."""
    return called in PAIRS.get(caller, ())


def agree(sender: Offer, receiver: Offer) -> Agreement | str:
    """The agreement of both ends, or the id of the message about what they cannot agree on."""
    return (
        WRAP_DIFFERS
        if sender.sequence_wrap != receiver.sequence_wrap
        else in_common(sender, receiver)
    )


def in_common(sender: Offer, receiver: Offer) -> Agreement:
    """The agreement of two ends, with the sender's SEQWRAP."""
    offers = (sender, receiver)
    common = [each for each in sender.compression if each in receiver.compression]
    return Agreement(
        batch_size=min(min(each.batch_size, each.uncommitted_limit) for each in offers),
        heartbeat=max(sender.heartbeat, receiver.heartbeat)
        if all(each.heartbeat for each in offers)
        else 0,
        max_length=min(each.max_length for each in offers),
        sequence_wrap=sender.sequence_wrap,
        fast=sender.fast and receiver.fast,
        compression=common[0] if common else NO_COMPRESSION,
    )


# What a channel does with a message that it cannot deliver, at either end (expiry-backout-channels
# Ch4).

# The outcome of a put to the dead-letter queue when the queue manager names none.
NOT_NAMED = -1
# Reasons that may pass by themselves, so that the receiving end tries the put again.
RETRIED = frozenset({int(MQRC.PUT_INHIBITED), int(MQRC.Q_FULL), int(MQRC.PAGESET_FULL)})
EXPIRED = int(MQRC.EXPIRY_ERROR)


class Action(Enum):
    """The outcome for the message and, with END, for the channel."""

    RETRY = "retry"
    EXPIRE = "expire"
    DISCARD = "discard"
    DEAD_LETTER = "dead-letter"
    DROP = "drop"
    END = "end"


class UndeliverableFacts(NamedTuple):
    """The facts that decide.

    `reason` is the MQRC or MQFB of the failure; `retries` how many retries of the put are left,
    always 0 at the sending end. `fast`: the message was sent outside the batch.
    `use_dead_letter_queue` is USEDLQ of the end where it failed. `dead_letter` is the outcome of a
    put to DEADQ: 0 if it works or has not been tried, the MQRC that it failed with, or NOT_NAMED.
    `expired`: its Expiry has run out in the meantime.
    """

    reason: int
    retries: int
    report: int
    fast: bool
    use_dead_letter_queue: bool
    dead_letter: int = 0
    expired: bool = False


def decide(facts: UndeliverableFacts) -> Action:
    """The action for the message. If the put to the dead-letter queue fails, ask again with that
    outcome.
    """
    if facts.expired:
        return Action.EXPIRE
    if facts.retries and facts.reason in RETRIED:
        return Action.RETRY
    if facts.report & DISCARD_MSG:
        return Action.DISCARD
    if facts.use_dead_letter_queue and not facts.dead_letter:
        return Action.DEAD_LETTER
    return Action.DROP if facts.fast else Action.END


def reports_exception(action: Action, report: int) -> bool:
    """Whether the action makes an exception report, whose Feedback is the reason.

    None is made before the outcome is certain: a message that ends the channel is sent again.
    """
    return action in (Action.DISCARD, Action.DEAD_LETTER, Action.DROP) and EXCEPTION.is_requested(
        report,
    )


# When a channel that failed tries again: SHORTRTY and SHORTTMR, then LONGRTY and LONGTMR.
#
# See channels Ch5; poison H50; channel-commands L18.

SECOND = 1_000_000


class RetryAttributes(NamedTuple):
    """The attributes of the sending end; the timers are in seconds."""

    short_retries: int
    short_timer: int
    long_retries: int
    long_timer: int


class RetriesLeft(NamedTuple):
    """SHORTRTS and LONGRTS of DISPLAY CHSTATUS."""

    short: int
    long: int

    @property
    def is_exhausted(self) -> bool:
        """Whether the next failure stops the channel."""
        return not self.short and not self.long


class Retry(NamedTuple):
    """The next attempt: its time (microseconds of the queue manager's clock), and the retries
    left then.
    """

    at: int
    left: RetriesLeft


def all_retries(attributes: RetryAttributes) -> RetriesLeft:
    """The retries of a channel that has not failed since a message got through, or since it was
    stopped.
    """
    return RetriesLeft(attributes.short_retries, attributes.long_retries)


def next_retry(attributes: RetryAttributes, left: RetriesLeft, now: int) -> Retry | None:
    """The attempt after a failure at `now`; None when no retry is left, so that the channel
    becomes STOPPED.
    """
    if left.short:
        return Retry(now + attributes.short_timer * SECOND, left._replace(short=left.short - 1))
    if left.long:
        return Retry(now + attributes.long_timer * SECOND, left._replace(long=left.long - 1))
    return None


# Which channel a trigger message on a channel initiation queue starts, if any (channel-commands
# §5).


def channel_of(trigger_data: str, user_data: str, of_queue: Sequence[str]) -> str:
    """The name of the channel: TRIGDATA, else USERDATA of the process, else the first channel of
    the queue; or blank.

    `of_queue` are the sending channels of the transmission queue that triggered, by name.
    """
    return trigger_data.strip() or user_data.strip() or next(iter(of_queue), "")


def starts(status: MQCHS) -> bool:
    """Whether a trigger starts a channel in that status. Otherwise the trigger message has no
    effect.
    """
    return status == MQCHS.INACTIVE


# Which of the faults injected into a channel act at a step of its run.

BREAK, SLOW, DOWN = "break", "slow", "down"
# The step of a fault that acts at every step, and on the attempt to reach the partner.
EVERYWHERE = ""


class Fault(Protocol):
    """An injected fault; see the table `channel_fault`."""

    @property
    def id(self) -> int: ...
    @property
    def step(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def action(self) -> str: ...
    @property
    def milliseconds(self) -> int: ...
    @property
    def times(self) -> int | None: ...
    @property
    def until(self) -> int | None: ...


class Remaining(NamedTuple):
    """A fault after it has acted: where it acts next, and how often; with `times` 0 it is over."""

    step: str
    number: int
    times: int | None


def lasts(fault: Fault, now: int) -> bool:
    """Whether the time of a fault is not over yet (microseconds of the queue manager's clock)."""
    return fault.until is None or now < fault.until


def acting(faults: Iterable[Fault], step: str, number: int, now: int) -> list[Fault]:
    """The faults that act at a step, for that message of the batch (0: none); delays come first."""
    here = (
        each for each in faults if each.step in (EVERYWHERE, step) and each.number in (0, number)
    )
    return sorted(
        (each for each in here if lasts(each, now)),
        key=lambda each: (each.action != SLOW, each.id),
    )


def unreachable(faults: Iterable[Fault], now: int) -> Fault | None:
    """The fault that keeps the channel from reaching its partner, if there is one."""
    down = (
        each
        for each in faults
        if each.action == DOWN and each.step == EVERYWHERE and lasts(each, now)
    )
    return next(down, None)


def after(fault: Fault) -> Remaining:
    """The fault after it has acted once. A partner that is down stays down wherever the channel
    is.
    """
    times = None if fault.times is None else fault.times - 1
    if fault.action == DOWN:
        return Remaining(EVERYWHERE, 0, times)
    return Remaining(fault.step, fault.number, times)


# The next program reports the end of a channel whose own program was killed.

MESSAGE = 9999
TEXT = "Channel '{name}' to host '{partner}' ended abnormally"


def killed(channel: str, partner: str) -> str:
    """The message about it; `partner` is what CONNAME has at a sender, and the queue manager at
    a receiver.
    """
    return (
        f"AMQ{MESSAGE}E: {TEXT.format(name=channel, partner=partner)}: the program that ran it was "
        "killed."
    )


def qualifier(status: MQCHS, *, asked: bool) -> MQRQ:
    """The qualifier of the event 2283 about it, by the status that follows. `asked`: a command
    had asked for a stop.
    """
    if asked:
        return MQRQ.CHANNEL_STOPPED_DISABLED
    return MQRQ.CHANNEL_STOPPED_RETRY if status == MQCHS.RETRYING else MQRQ.CHANNEL_STOPPED_ERROR
