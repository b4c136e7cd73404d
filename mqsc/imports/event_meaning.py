"""What event messages say that happened, as events of the history (import-events §4).

event_reasons.csv has the reasons of queue manager and channel events that are other kinds than LOG.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

from mqsc.imports.activity_trace import OpenUnits, activities
from mqsc.imports.event_messages import EventMessage, key_of_number, members, number_of, plain_word
from mqsc.imports.log_events import Entry, Origin, detail_text
from mqsc.imports.source_text import LocalTimes, ZonedTime
from mqsc.language.secrets import without_secrets
from mqsc.pcf.readable import reason_name
from mqsc.store import constants
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.pcf import NAME, PcfAttribute, pcf_attributes
from mqsc.store.constants import MQCMD, MQOT, MQRC, MQRQ, families
from mqsc.store.engine.definitions import shipped, subtype_of
from mqsc.store.environment import MICROSECONDS
from mqsc.store.rules.object_events import CHANGED, CREATED, OBJECT_TYPES, QUEUE_TYPES, REFRESHED
from mqsc.store.sql.rows import EventRow
from mqsc.store.table import table

_TRACE = int(MQCMD.ACTIVITY_TRACE)
# A greater average, in microseconds, is no measurement.
_LONGEST_AVERAGE = 10**13
_DATES = ("startDate", "startTime", "endDate", "endTime")
_REASONS = {
    (int(row["type"]), int(row["reason"])): (row["kind"], row["cause"])
    for row in table(__file__, "event_reasons.csv", ("type", "reason", "kind", "cause"))
}
_ENDS_OF_CHANNELS: Mapping[int | None, str] = {
    MQRQ.CHANNEL_STOPPED_OK: "ended",
    MQRQ.CHANNEL_STOPPED_ERROR: "failed",
    MQRQ.CHANNEL_STOPPED_RETRY: "retry",
    MQRQ.CHANNEL_STOPPED_DISABLED: "stopped",
}


class Understanding:
    """Turns the event messages of a file into events, one after the other."""

    def __init__(self, origin: Origin, times: LocalTimes, units: OpenUnits) -> None:
        self._origin = origin
        self._times = times
        self._units: OpenUnits = units

    def entry(self, message: EventMessage, before: deque[Entry]) -> Entry:
        """A message as an entry after those `before` it, whose events it may complete or take
        over.
        """
        data = message.data
        named = (
            message.qmgr
            or _text(data, "queueMgrName")
            or _text(_group(data, "commandContext"), "eventQueueMgr")
        )
        qmgr = self._origin.name(named or _text(data, "eventQueueMgr"))
        entry = Entry(
            message.piece,
            message,
            (named or self._origin.qmgr, *message.identity()),
            qmgr,
        )
        start, end = self._interval(message, qmgr)
        if message.precision == "unknown":
            message = message._replace(at=end.at if end is not None else self._origin.taken_at)
        facts = _Facts(message, qmgr, self._origin, start, end)
        entry.events = (
            self._traced(facts)
            if message.type == _TRACE
            else _BY_TYPE.get(message.type, _log)(facts)
        )
        entry.units = self._units
        if (
            message.type in (int(MQCMD.CONFIG_EVENT), int(MQCMD.COMMAND_EVENT))
            and message.correlation
        ):
            _relate(entry, before, facts)
        return entry

    def _traced(self, facts: _Facts) -> list[EventRow]:
        """The calls of a program, in the units of work that its messages before have left open."""
        host, who = facts.qmgr, facts.who()
        calls, self._units = activities(
            facts.data,
            facts.qmgr,
            facts.message.at,
            self._units,
            lambda moment: self._times.utc(moment, host).at,
        )
        putting = {"put_application": who["application"], "put_user": who["user"]}
        return [
            facts.event(
                call.kind,
                call.detail,
                **{**who, **(putting if call.kind == "PUT" else {}), **call.columns},
            )
            for call in calls
        ]

    def _interval(
        self,
        message: EventMessage,
        qmgr: str,
    ) -> tuple[ZonedTime | None, ZonedTime | None]:
        """When the interval of statistics began and ended; the end is when the message was put,
        to a few seconds.
        """
        first, last = (_moment(message.data, name) for name in ("start", "end"))
        if (
            last is not None
            and message.precision != "unknown"
            and self._times.is_new(qmgr, str(last)[:13])
        ):
            self._times.learn(qmgr, last, message.at)
        return tuple(
            None if each is None else self._times.utc(each, qmgr) for each in (first, last)
        )  # type: ignore[return-value]


def _moment(data: Mapping[str, Any], name: str) -> datetime | None:
    try:
        return datetime.fromisoformat(
            f"{data[f'{name}Date']}T{str(data[f'{name}Time']).replace('.', ':')}",
        )
    except (KeyError, ValueError):
        return None


class _Facts:
    """A message, the name of its queue manager, and the interval that it is about."""

    def __init__(
        self,
        message: EventMessage,
        qmgr: str,
        origin: Origin,
        start: ZonedTime | None,
        end: ZonedTime | None,
    ) -> None:
        self.message = message
        self.data = message.data
        self.qmgr = qmgr
        self.start = start
        self.end = end
        self._common = origin.detail(message.piece.line, message.precision, "")

    def event(self, kind: str, detail: Mapping[str, Any] | None = None, **columns: Any) -> EventRow:
        """An event of that kind at the time of the message, unless `columns` say otherwise;
        blanks become NULL.
        """
        text = detail_text({**self._common, **(detail or {})})
        known = ((name, value) for name, value in columns.items() if value not in (None, ""))
        row_columns = {
            name: value
            for name, value in known
            if not isinstance(value, int) or -(1 << 63) <= value < 1 << 63
        }
        defaults = {
            "at": self.message.at,
            "qmgr": self.qmgr,
            "kind": kind,
            "application": "",
            "user": "",
            "detail": text,
        }
        return EventRow(**{**defaults, **row_columns})

    def who(self) -> dict[str, Any]:
        """The columns of the application and the user that a message names."""
        data, users = self.data, ("userIdentifier", "clientUserIdentifier", "eventUserId", "userId")
        user = next((text for name in users if (text := _text(data, name))), "")
        return {
            "application": _text(data, "applName") or _text(data, "eventApplName"),
            "user": user,
        }


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)


def _group(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = data.get(name)
    return value if isinstance(value, Mapping) else {}


def _log(facts: _Facts) -> list[EventRow]:
    """Whatever is no other kind."""
    message, data = facts.message, facts.data
    values = {
        key: value
        for key, value in data.items()
        if key not in ("queueMgrName", "queueName", "applName")
    }
    detail = {
        "event": reason_name(message.reason)
        if message.reason
        else constants.name_of("MQCMD", message.type),
        "inserts": values,
    }
    queue = _text(data, "queueName") or _text(data, "baseObjectName")
    return [facts.event("LOG", detail, queue=queue, reason=message.reason or None, **facts.who())]


def _simple(facts: _Facts) -> list[EventRow]:
    """Events of queue managers and channels."""
    message, data = facts.message, facts.data
    kind, cause = _REASONS.get((message.type, message.reason), ("LOG", ""))
    qualifier = number_of(data.get("reasonQualifier"), "MQRQ")
    if kind == "END" and qualifier == MQRQ.Q_MGR_STOPPING:
        cause = "immediate"
    if message.reason == MQRC.NOT_AUTHORIZED and qualifier not in (
        MQRQ.CONN_NOT_AUTHORIZED,
        MQRQ.CSP_NOT_AUTHORIZED,
    ):
        kind = "LOG"
    if kind == "REFUSE" and qualifier == MQRQ.CSP_NOT_AUTHORIZED:
        cause = "password"
    if message.reason == MQRC.CHANNEL_STOPPED:
        cause = _ENDS_OF_CHANNELS.get(qualifier, "ended")
    if message.reason == MQRC.CHANNEL_AUTO_DEF_OK:
        return [
            facts.event(
                "DEFINE",
                queue=_text(data, "channelName"),
                target="CHANNEL",
                **facts.who(),
            ),
        ]
    if kind == "LOG":
        return _log(facts)
    detail = {"address": _text(data, "connectionName")}
    columns: dict[str, Any] = {"cause": cause, **facts.who()}
    if kind == "CHANNEL":
        columns.update(target=_text(data, "channelName"), queue=_text(data, "xmitQueueName"))
        detail["message"] = reason_name(message.reason) if cause == "failed" else ""
    elif kind == "REFUSE":
        columns.update(target=_text(data, "channelName"), reason=message.reason)
    return [facts.event(kind, {key: value for key, value in detail.items() if value}, **columns)]


def _performance(facts: _Facts) -> list[EventRow]:
    message, data = facts.message, facts.data
    seconds = number_of(data.get("timeSinceReset"), "MQRC") or 0
    interval = {"from": message.at - seconds * MICROSECONDS, "to": message.at}
    values = {
        key: value
        for key, value in data.items()
        if key not in ("queueMgrName", "baseObjectName", "queueName")
    }
    queue = _text(data, "baseObjectName") or _text(data, "queueName")
    detail = {**values, "class": "performance", **interval}
    return [facts.event("OBSERVE", detail, queue=queue, reason=message.reason)]


# The lists of statistics and accounting: the class of what they observe, and the key of its name.
_LISTS = {
    "queueStatisticsData": ("queue statistics", "queueName"),
    "queueAccountingData": ("queue accounting", "queueName"),
    "chlStatisticsData": ("channel statistics", "channelName"),
}
_CLASSES = {
    int(MQCMD.STATISTICS_MQI): "queue manager statistics",
    int(MQCMD.ACCOUNTING_MQI): "application accounting",
}


def _statistics(facts: _Facts) -> list[EventRow]:
    """Statistics and accounting: an observation of each queue or channel, else of the queue
    manager or program.
    """
    start, end = facts.start, facts.end
    interval: dict[str, Any] = (
        {} if start is None or end is None else {"from": start.at, "to": end.at}
    )
    if end is not None and end.zone:
        interval["zone"] = end.zone
    common = {
        key: value
        for key, value in facts.data.items()
        if key in ("connectionId", "processId", "threadId")
    }
    events = []
    for key, (class_, name) in _LISTS.items():
        for each in facts.data.get(key, ()):
            values = {
                word: value
                for word, value in each.items()
                if word != name and not _is_absurd(word, value)
            }
            named: dict[str, Any] = {
                "queue" if name == "queueName" else "target": _text(each, name),
            }
            detail = {**values, **common, "class": class_, **interval}
            events.append(facts.event("OBSERVE", detail, **named, **facts.who()))
    if not events:
        values = {
            word: value
            for word, value in facts.data.items()
            if word not in (*_DATES, *common, *_LISTS, "queueMgrName")
        }
        detail = {
            **values,
            **common,
            "class": _CLASSES.get(facts.message.type, "statistics"),
            **interval,
        }
        events.append(facts.event("OBSERVE", detail, **facts.who()))
    return events


def _is_absurd(word: str, value: Any) -> bool:
    """Whether an average was read from the wrong place, as MQ 8.0 does."""
    numbers = value if isinstance(value, list) else [value]
    return word.startswith("avg") and any(
        isinstance(number, int) and number > _LONGEST_AVERAGE for number in numbers
    )


# Definitions.


def _configuration(facts: _Facts) -> list[EventRow]:
    message, data = facts.message, facts.data
    kind, name = _object(data)
    values = _attributes(kind, data) if kind else {}
    columns = {"queue": name, "target": kind or _text(data, "objectType"), **facts.who()}
    if message.reason == CHANGED:
        # What has changed is known when both halves are.
        return [facts.event("ALTER", **columns)]
    if message.reason == REFRESHED:
        return [facts.event("OBSERVE", {**values, "class": "definition"}, **columns)]
    base = shipped(KINDS[kind], subtype_of(KINDS[kind], values)) if kind else {}
    differing = {word: value for word, value in values.items() if base.get(word) != value}
    if message.reason == CREATED:
        return [
            facts.event(
                "DEFINE",
                {word: [None, value] for word, value in differing.items()},
                **columns,
            ),
        ]
    return [
        facts.event(
            "DELETE",
            {word: [value, None] for word, value in differing.items()},
            **columns,
        ),
    ]


def _object(data: Mapping[str, Any]) -> tuple[str, str]:
    """The kind of an object (blank if there is none here) and its name."""
    number = number_of(data.get("objectType"), "MQOT")
    if number == MQOT.Q:
        type_ = number_of(data.get("queueType"), "MQQT")
        kind = next((word for word, each in QUEUE_TYPES.items() if each == type_), "QLOCAL")
    else:
        kind = next((word for word, each in OBJECT_TYPES.items() if each == number), "")
    row = pcf_attributes(kind).get(NAME) if kind else None
    named = _text(data, key_of_number(row.number)) if row is not None else ""
    return kind, named or next(
        (str(value) for key, value in data.items() if key.endswith("Name")),
        "",
    )


@cache
def _keywords(kind: str) -> Mapping[str, tuple[str, PcfAttribute]]:
    """The keywords of a kind of object by the keys of their parameters."""
    rows = pcf_attributes(kind)
    known = (*KINDS[kind].attributes, KINDS[kind].selector)
    return {key_of_number(row.number): (word, row) for word, row in rows.items() if word in known}


def _attributes(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of an object as MQSC writes them; those that MQSC does not have are left
    out.
    """
    keywords = _keywords(kind)
    return {
        keywords[key][0]: _value(keywords[key][1], value)
        for key, value in data.items()
        if key in keywords
    }


def _value(attribute: PcfAttribute, value: Any) -> Any:
    if isinstance(value, list):
        return [_value(attribute, item) for item in value]
    if isinstance(value, Mapping):
        value = value.get("value", value.get("name"))
    if not attribute.words:
        return value
    numbers = {value} if isinstance(value, int) else _numbers_of_word(plain_word(str(value)))
    return next((word for word, number in attribute.words.items() if number in numbers), value)


@cache
def _numbers_of_word(word: str) -> frozenset[int]:
    """What the word is in all families of constants: amqsevt does not say in which."""
    every = (member for family in families() for member in members(family))
    return frozenset(int(each) for name, each in every if plain_word(name) == word)


def _relate(entry: Entry, before: deque[Entry], facts: _Facts) -> None:
    """Join the halves of a change, and a command with the changes that it made."""
    message: EventMessage = entry.record
    related = [
        earlier
        for earlier in before
        if earlier.qmgr == entry.qmgr
        and earlier.record.correlation == message.correlation
        and earlier.events
    ]
    if message.type == MQCMD.COMMAND_EVENT:
        changed = [earlier for earlier in related if earlier.record.type == MQCMD.CONFIG_EVENT]
        for earlier in changed:
            earlier.events = [_by_command(event, entry.events[0]) for event in earlier.events]
        if changed and entry.events[0].kind == "LOG":
            entry.events = ()
        return
    other = next((earlier for earlier in related if earlier.record.state == "Before"), None)
    if (
        message.state == "After"
        and other is not None
        and _object(other.record.data) == _object(message.data)
    ):
        other.events = ()
        kind, _ = _object(message.data)
        old, new = (
            _attributes(kind, event) if kind else {} for event in (other.record.data, message.data)
        )
        words = [
            word
            for word in {**old, **new}
            if old.get(word) != new.get(word) and word not in _TIMES_OF_CHANGE
        ]
        entry.events = [
            _with_detail(event, {word: [old.get(word), new.get(word)] for word in words})
            for event in entry.events
        ]
    command = next(
        (earlier for earlier in related if earlier.record.type == MQCMD.COMMAND_EVENT), None
    )
    if command is not None and command.events[0].kind == "LOG":
        entry.events = [_by_command(event, command.events[0]) for event in entry.events]
        command.events = ()


_TIMES_OF_CHANGE = frozenset({"ALTDATE", "ALTTIME"})


def _with_detail(event: EventRow, more: Mapping[str, Any]) -> EventRow:
    return event._replace(detail=detail_text({**json.loads(event.detail or "{}"), **more}))


def _by_command(event: EventRow, command: EventRow) -> EventRow:
    who = event._replace(
        application=event.application or command.application,
        user=event.user or command.user,
    )
    return _with_detail(who, {"command": json.loads(command.detail or "{}").get("text", "")})


def _command(facts: _Facts) -> list[EventRow]:
    """A command: CLEAR and MOVE are known here, all others are its text."""
    context, command_data = _group(facts.data, "commandContext"), _group(facts.data, "commandData")
    number = number_of(context.get("command"), "MQCMD")
    queue, target = _text(command_data, "queueName"), _text(command_data, "toQueueName")
    who: dict[str, Any] = {
        "application": _text(context, "eventApplName"),
        "user": _text(context, "eventUserId"),
    }
    if number == MQCMD.CLEAR_Q:
        return [facts.event("CLEAR", queue=queue, **who)]
    if number == MQCMD.MOVE_Q:
        return [
            facts.event(
                "MOVE", queue=_text(command_data, "fromQueueName") or queue, target=target, **who
            ),
        ]
    name = constants.name_of("MQCMD", number or 0).removeprefix("MQCMD_")
    shown = without_secrets(command_data)
    text = _text(command_data, "commandMqsc") or " ".join(
        [name, *(f"{key}({value})" for key, value in shown.items())],
    )
    detail = {"event": reason_name(facts.message.reason), "text": text}
    return [facts.event("LOG", detail, queue=queue, reason=facts.message.reason, **who)]


_STATISTICS = (
    MQCMD.STATISTICS_MQI,
    MQCMD.STATISTICS_Q,
    MQCMD.STATISTICS_CHANNEL,
    MQCMD.ACCOUNTING_MQI,
    MQCMD.ACCOUNTING_Q,
)
_BY_TYPE: Mapping[int, Callable[[_Facts], list[EventRow]]] = {
    **dict.fromkeys((MQCMD.Q_MGR_EVENT, MQCMD.CHANNEL_EVENT), _simple),
    MQCMD.PERFM_EVENT: _performance,
    MQCMD.CONFIG_EVENT: _configuration,
    MQCMD.COMMAND_EVENT: _command,
    **dict.fromkeys(_STATISTICS, _statistics),
}
