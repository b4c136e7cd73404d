"""Events of channels: a channel started, stopped, could not convert a message, or was defined
automatically.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field

from mqsc.store.constants import MQCHT, MQRC, MQRQ
from mqsc.store.engine import queue_events
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.state import CallContext
from mqsc.store.published import KINDS as PUBLISHED_KINDS
from mqsc.store.rules.event_message import Facts
from mqsc.store.sql import history
from mqsc.store.sqlite.database import Transaction

CHANNEL = PUBLISHED_KINDS["CHANNEL"]


class ChannelEvent(Struct, frozen=True):
    """`cause` and the keys of `detail` are those of the kind CHANNEL in `store.published`;
    ValueError for others.

    `queue` is the transmission queue, blank at a receiver.
    """

    cause: str
    channel: str
    queue: str = ""
    reason: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        strange = {self.cause} - set(CHANNEL.causes) | set(self.detail) - set(CHANNEL.detail)
        if strange:
            raise ValueError(f"{CHANNEL.name} has no {', '.join(sorted(strange))}")

    def history_row(self, call: CallContext, unit: int | None) -> dict[str, Any]:
        """The event in the unit of work of that number, or outside one."""
        about = {
            "cause": self.cause,
            "queue": self.queue,
            "target": self.channel,
            "reason": self.reason,
        }
        return call.event(CHANNEL.name, **about, unit=unit, detail=self.detail or None)


def note(
    tx: Transaction,
    call: CallContext,
    events: Iterable[ChannelEvent],
    unit: int | None,
) -> None:
    """Append the events, in order."""
    history.append_all(tx, [each.history_row(call, unit) for each in events])


# Channel events: a channel started, stopped, could not convert a message, or was defined
# automatically.

STARTED, STOPPED = int(MQRC.CHANNEL_STARTED), int(MQRC.CHANNEL_STOPPED)
STOPPED_BY_USER, CONVERSION = int(MQRC.CHANNEL_STOPPED_BY_USER), int(MQRC.CHANNEL_CONV_ERROR)
DEFINED, NOT_DEFINED = int(MQRC.CHANNEL_AUTO_DEF_OK), int(MQRC.CHANNEL_AUTO_DEF_ERROR)
# (reason, qualifier) of the events that CHLEV(EXCEPTION) leaves out: a start, and a normal end.
_ORDINARY = frozenset({(STARTED, 0), (STOPPED, int(MQRQ.CHANNEL_STOPPED_OK))})


class EventEnd(NamedTuple):
    """The end of a channel that an event is about. `transmission_queue` is None at a receiving
    end.
    """

    channel: str
    connection_name: str
    transmission_queue: str | None = None


class Cause(NamedTuple):
    """Why a channel stopped: the number of its AMQ message, 0 if there is none, and the inserts
    of that message.
    """

    number: int = 0
    numbers: tuple[int, int] = (0, 0)
    texts: tuple[str, str] = ("", "")


def started(tx: Transaction, call: CallContext, end: EventEnd) -> None:
    """2282: the two ends agreed, and messages can flow."""
    _put_channel_event(tx, call, STARTED, end, {})


def stopped(
    tx: Transaction,
    call: CallContext,
    end: EventEnd,
    qualifier: MQRQ,
    cause: Cause,
) -> None:
    """2283: an instance ended for which there was a 2282."""
    facts: Facts = {
        "ReasonQualifier": int(qualifier),
        "ErrorIdentifier": cause.number,
        "AuxErrorDataInt1": cause.numbers[0],
        "AuxErrorDataInt2": cause.numbers[1],
        "AuxErrorDataStr1": end.channel,
        "AuxErrorDataStr2": cause.texts[0],
        "AuxErrorDataStr3": cause.texts[1],
    }
    _put_channel_event(tx, call, STOPPED, end, facts)


def stopped_by_user(tx: Transaction, call: CallContext, channel: str) -> None:
    """2279: STOP CHANNEL was accepted."""
    _put_channel_event(
        tx,
        call,
        STOPPED_BY_USER,
        EventEnd(channel, ""),
        {"ReasonQualifier": int(MQRQ.CHANNEL_STOPPED_DISABLED)},
    )


def conversion_failed(
    tx: Transaction,
    call: CallContext,
    end: EventEnd,
    reason: int,
    format: str,
) -> None:
    """2284: the sender could not convert a message; `reason` is the MQRC of the conversion."""
    _put_channel_event(
        tx,
        call,
        CONVERSION,
        end,
        {"ConversionReasonCode": reason, "Format": format},
    )


def automatically_defined(
    tx: Transaction,
    call: CallContext,
    end: EventEnd,
    fault: int = 0,
) -> None:
    """2233: a receiver was defined for a caller; 2234 when it could not be, with the MQRC of the
    `fault`.
    """
    if queue_events.switch(tx, call.qmgr.name, "CHADEV") == "ENABLED":
        more = {"ErrorIdentifier": fault, "AuxErrorDataInt1": fault} if fault else {}
        facts = {"ChannelType": int(MQCHT.RECEIVER), **more}
        _deliver(tx, call, NOT_DEFINED if fault else DEFINED, end, facts)


def _put_channel_event(
    tx: Transaction,
    call: CallContext,
    reason: int,
    end: EventEnd,
    facts: Facts,
) -> None:
    setting = queue_events.switch(tx, call.qmgr.name, "CHLEV")
    is_ordinary = (reason, facts.get("ReasonQualifier", 0)) in _ORDINARY
    if setting == "ENABLED" or (setting == "EXCEPTION" and not is_ordinary):
        _deliver(tx, call, reason, end, facts)


def _deliver(tx: Transaction, call: CallContext, reason: int, end: EventEnd, facts: Facts) -> None:
    queue: Facts = (
        {} if end.transmission_queue is None else {"ChannelXmitQName": end.transmission_queue}
    )
    own = {
        "QMgrName": call.qmgr.name,
        "ChannelName": end.channel,
        "ConnectionName": end.connection_name,
    }
    deliver(tx, call, queue_events.event(tx, call, reason, {**own, **queue, **facts}, end.channel))
