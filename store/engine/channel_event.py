"""Events of channels and of the configuration."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from msgspec import Struct, field, structs

from mqsc.store.catalog import KINDS as CATALOG_KINDS, Kind
from mqsc.store.constants import MQCHT, MQRC, MQRQ
from mqsc.store.engine import queue_events
from mqsc.store.engine.definitions import (
    Attributes,
    displayed,
    namespaces,
    plain_name,
    queue_manager_identifier,
    subtype_of,
)
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.state import CallContext, Command
from mqsc.store.headers import pcf
from mqsc.store.published import KINDS as PUBLISHED_KINDS
from mqsc.store.rules import object_events
from mqsc.store.rules.event_message import CONFIGURATION, EventPart, Facts
from mqsc.store.rules.names import matches, prefix_range
from mqsc.store.rules.object_events import CONSOLE
from mqsc.store.rules.sharing import QMGR
from mqsc.store.sql import history, objects
from mqsc.store.sql.objects import ObjectRow
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

    def row(self, call: CallContext, unit: int | None) -> dict[str, Any]:
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
    history.append_all(tx, [each.row(call, unit) for each in events])


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


# Configuration events: objects that are defined, altered, deleted or refreshed (events §5).

_ENABLED = "ENABLED"
_PAGE = 1000


def created(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    name: str,
    attributes: Attributes,
    *,
    disposition: str = QMGR,
) -> None:
    """The event of an object that was just stored under that name for the first time."""
    if not call.qmgr.configuration_event:
        return
    namespace = kind.namespace_of(subtype_of(kind, attributes))
    row = ObjectRow(
        0,
        call.qmgr.name,
        namespace,
        name,
        kind.keyword,
        dict(attributes),
        call.now,
        call.now,
        disposition,
    )
    if _has_event(call, row):
        _put_configuration_event(tx, call, object_events.CREATED, row, CONSOLE)


def deleted(tx: Transaction, call: CallContext, row: ObjectRow, *, origin: int = CONSOLE) -> None:
    """The event of an object that is deleted, with the attributes that it had."""
    if _has_event(call, row):
        _put_configuration_event(tx, call, object_events.DELETED, row, origin)


def changed(
    tx: Transaction,
    call: CallContext,
    before: ObjectRow,
    after: Attributes,
    altered_at: int,
    *,
    origin: int = CONSOLE,
) -> None:
    """The two events of a change: the object before and after it. Enabling CONFIGEV shows every
    object, too.

    For a change of CONFIGEV itself both values count.
    """
    was, is_now = before.attributes.get("CONFIGEV") == _ENABLED, after.get("CONFIGEV") == _ENABLED
    if not (is_now or _has_event(call, before)):
        return
    call = with_command(call)
    _put_configuration_event(tx, call, object_events.CHANGED, before, origin, last=False)
    after_row = before._replace(attributes=dict(after), altered_at=altered_at)
    _put_configuration_event(tx, call, object_events.CHANGED, after_row, origin, number=2)
    if is_now and not was:
        for each in CATALOG_KINDS.values():
            refresh(tx, call, each)


def refresh(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    pattern: str = "*",
    since: int = 0,
) -> int:
    """Show the objects of a kind whose name matches and that were altered at `since` or later;
    how many.
    """
    if kind.keyword not in object_events.OBJECT_TYPES:
        return 0
    count = 0
    low, high = prefix_range(pattern)
    if not pattern.endswith("*"):
        # The records of a profile are its name, a line feed and what tells them apart.
        high = pattern + "\v"
    for namespace in namespaces(kind):
        after = ""
        while page := objects.page(tx, call.qmgr.name, namespace, low, high, after, _PAGE):
            after = page[-1].name
            for row in page:
                if (
                    row.type == kind.keyword
                    and row.altered_at >= since
                    and matches(pattern, plain_name(row.name))
                ):
                    _put_configuration_event(tx, call, object_events.REFRESHED, row, CONSOLE)
                    count += 1
    return count


def with_command(call: CallContext) -> CallContext:
    """The call as a command, so that all its configuration events carry the same id."""
    return call if call.command else structs.replace(call, command=Command())


def _has_event(call: CallContext, row: ObjectRow) -> bool:
    """Whether a change of the object is an event now; changes of temporary dynamic queues never
    are.
    """
    if not call.qmgr.configuration_event:
        return False
    temporary = row.type == "QLOCAL" and row.attributes.get("DEFTYPE") == "TEMPDYN"
    return not temporary and object_events.has_events(CATALOG_KINDS[row.type], row.name)


def _put_configuration_event(
    tx: Transaction,
    call: CallContext,
    reason: int,
    row: ObjectRow,
    origin: int,
    *,
    number: int = 1,
    last: bool = True,
) -> None:
    command = call.command or Command()
    kind, name = CATALOG_KINDS[row.type], plain_name(row.name)
    parameters = [
        *object_events.cause_parameters(call.user, origin, call.qmgr.name, command.issuer),
        *object_events.object_parameters(kind, name, _shown(kind, row), row.disposition),
    ]
    control = pcf.LAST if last else pcf.NOT_LAST
    part = EventPart(CONFIGURATION, reason, parameters, command.identified(call), number, control)
    deliver(tx, call, queue_events.message(tx, call, part, name))


def _shown(kind: Kind, row: ObjectRow) -> Mapping[str, Any]:
    values = displayed(kind, row.name, row.attributes, row.created_at, row.altered_at)
    if kind.keyword == "QMGR":
        values["QMID"] = queue_manager_identifier(values)
    return values
