"""Channel events: a channel started, stopped, could not convert a message, or was defined automatically."""

from __future__ import annotations

from typing import NamedTuple

from store.constants import MQCHT, MQRC, MQRQ
from store.engine import event_messages
from store.engine.call_context import CallContext
from store.engine.deliver import deliver
from store.rules.event_message import Facts
from store.sqlite.database import Transaction

STARTED, STOPPED = int(MQRC.CHANNEL_STARTED), int(MQRC.CHANNEL_STOPPED)
STOPPED_BY_USER, CONVERSION = int(MQRC.CHANNEL_STOPPED_BY_USER), int(MQRC.CHANNEL_CONV_ERROR)
DEFINED, NOT_DEFINED = int(MQRC.CHANNEL_AUTO_DEF_OK), int(MQRC.CHANNEL_AUTO_DEF_ERROR)
# (reason, qualifier) of the events that CHLEV(EXCEPTION) leaves out: a start, and a normal end.
_ORDINARY = frozenset({(STARTED, 0), (STOPPED, int(MQRQ.CHANNEL_STOPPED_OK))})


class EventEnd(NamedTuple):
    """The end of a channel that an event is about. `transmission_queue` is None at a receiving end."""

    channel: str
    connection_name: str
    transmission_queue: str | None = None


class Cause(NamedTuple):
    """Why a channel stopped: the number of its AMQ message, 0 if there is none, and the inserts of that message."""

    number: int = 0
    numbers: tuple[int, int] = (0, 0)
    texts: tuple[str, str] = ("", "")


def started(tx: Transaction, call: CallContext, end: EventEnd) -> None:
    """2282: the two ends agreed, and messages can flow."""
    _put(tx, call, STARTED, end, {})


def stopped(tx: Transaction, call: CallContext, end: EventEnd, qualifier: MQRQ, cause: Cause) -> None:
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
    _put(tx, call, STOPPED, end, facts)


def stopped_by_user(tx: Transaction, call: CallContext, channel: str) -> None:
    """2279: STOP CHANNEL was accepted."""
    _put(tx, call, STOPPED_BY_USER, EventEnd(channel, ""), {"ReasonQualifier": int(MQRQ.CHANNEL_STOPPED_DISABLED)})


def conversion_failed(tx: Transaction, call: CallContext, end: EventEnd, reason: int, format: str) -> None:
    """2284: the sender could not convert a message; `reason` is the MQRC of the conversion."""
    _put(tx, call, CONVERSION, end, {"ConversionReasonCode": reason, "Format": format})


def automatically_defined(tx: Transaction, call: CallContext, end: EventEnd, fault: int = 0) -> None:
    """2233: a receiver was defined for a caller; 2234 when it could not be, with the MQRC of the `fault`."""
    if event_messages.switch(tx, call.qmgr.name, "CHADEV") == "ENABLED":
        more = {"ErrorIdentifier": fault, "AuxErrorDataInt1": fault} if fault else {}
        facts = {"ChannelType": int(MQCHT.RECEIVER), **more}
        _deliver(tx, call, NOT_DEFINED if fault else DEFINED, end, facts)


def _put(tx: Transaction, call: CallContext, reason: int, end: EventEnd, facts: Facts) -> None:
    setting = event_messages.switch(tx, call.qmgr.name, "CHLEV")
    is_ordinary = (reason, facts.get("ReasonQualifier", 0)) in _ORDINARY
    if setting == "ENABLED" or (setting == "EXCEPTION" and not is_ordinary):
        _deliver(tx, call, reason, end, facts)


def _deliver(tx: Transaction, call: CallContext, reason: int, end: EventEnd, facts: Facts) -> None:
    queue: Facts = {} if end.transmission_queue is None else {"ChannelXmitQName": end.transmission_queue}
    own = {"QMgrName": call.qmgr.name, "ChannelName": end.channel, "ConnectionName": end.connection_name}
    deliver(tx, call, event_messages.event(tx, call, reason, {**own, **queue, **facts}, end.channel))
