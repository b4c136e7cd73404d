"""What event messages say that happened, as events of the history (import-events §4).

event_reasons.csv has the reasons of queue manager and channel events that are other kinds than LOG.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from mqsc.imports.activity_trace import OpenUnits, activities
from mqsc.imports.event_definitions import command_events, configuration_events, relate
from mqsc.imports.event_facts import EventFacts, group_of, text_of
from mqsc.imports.event_messages import EventMessage
from mqsc.imports.event_parameters import number_of
from mqsc.imports.log_events import Entry, Origin
from mqsc.imports.source_text import LocalTimes, ZonedTime
from mqsc.pcf.readable import reason_name
from mqsc.store import constants
from mqsc.store.constants import MQCMD, MQRC, MQRQ
from mqsc.store.environment import MICROSECONDS
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
            or text_of(data, "queueMgrName")
            or text_of(group_of(data, "commandContext"), "eventQueueMgr")
        )
        qmgr = self._origin.name(named or text_of(data, "eventQueueMgr"))
        entry = Entry(
            message.piece,
            message,
            (named or self._origin.qmgr, *message.identity()),
            qmgr,
        )
        start, end = self._interval(message, qmgr)
        if message.precision == "unknown":
            message = message._replace(at=end.at if end is not None else self._origin.taken_at)
        facts = EventFacts(message, qmgr, self._origin, start, end)
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
            relate(entry, before, facts)
        return entry

    def _traced(self, facts: EventFacts) -> list[EventRow]:
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
                {**who, **(putting if call.kind == "PUT" else {}), **call.columns},
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


def _log(facts: EventFacts) -> list[EventRow]:
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
    queue = text_of(data, "queueName") or text_of(data, "baseObjectName")
    return [
        facts.event(
            "LOG", detail, {"queue": queue, "reason": message.reason or None, **facts.who()}
        )
    ]


def _simple(facts: EventFacts) -> list[EventRow]:
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
                columns={"queue": text_of(data, "channelName"), "target": "CHANNEL", **facts.who()},
            ),
        ]
    if kind == "LOG":
        return _log(facts)
    detail = {"address": text_of(data, "connectionName")}
    columns: dict[str, Any] = {"cause": cause, **facts.who()}
    if kind == "CHANNEL":
        columns.update(target=text_of(data, "channelName"), queue=text_of(data, "xmitQueueName"))
        detail["message"] = reason_name(message.reason) if cause == "failed" else ""
    elif kind == "REFUSE":
        columns.update(target=text_of(data, "channelName"), reason=message.reason)
    return [facts.event(kind, {key: value for key, value in detail.items() if value}, columns)]


def _performance(facts: EventFacts) -> list[EventRow]:
    message, data = facts.message, facts.data
    seconds = number_of(data.get("timeSinceReset"), "MQRC") or 0
    interval = {"from": message.at - seconds * MICROSECONDS, "to": message.at}
    values = {
        key: value
        for key, value in data.items()
        if key not in ("queueMgrName", "baseObjectName", "queueName")
    }
    queue = text_of(data, "baseObjectName") or text_of(data, "queueName")
    detail = {**values, "class": "performance", **interval}
    return [facts.event("OBSERVE", detail, {"queue": queue, "reason": message.reason})]


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


def _statistics(facts: EventFacts) -> list[EventRow]:
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
        for group in facts.data.get(key, ()):
            values = {
                word: value
                for word, value in group.items()
                if word != name and not _is_absurd(word, value)
            }
            named: dict[str, Any] = {
                "queue" if name == "queueName" else "target": text_of(group, name),
            }
            detail = {**values, **common, "class": class_, **interval}
            events.append(facts.event("OBSERVE", detail, {**named, **facts.who()}))
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
        events.append(facts.event("OBSERVE", detail, facts.who()))
    return events


def _is_absurd(word: str, value: Any) -> bool:
    """Whether an average was read from the wrong place, as MQ 8.0 does."""
    numbers = value if isinstance(value, list) else [value]
    return word.startswith("avg") and any(
        isinstance(number, int) and number > _LONGEST_AVERAGE for number in numbers
    )


_STATISTICS = (
    MQCMD.STATISTICS_MQI,
    MQCMD.STATISTICS_Q,
    MQCMD.STATISTICS_CHANNEL,
    MQCMD.ACCOUNTING_MQI,
    MQCMD.ACCOUNTING_Q,
)
_BY_TYPE: Mapping[int, Callable[[EventFacts], list[EventRow]]] = {
    **dict.fromkeys((MQCMD.Q_MGR_EVENT, MQCMD.CHANNEL_EVENT), _simple),
    MQCMD.PERFM_EVENT: _performance,
    MQCMD.CONFIG_EVENT: configuration_events,
    MQCMD.COMMAND_EVENT: command_events,
    **dict.fromkeys(_STATISTICS, _statistics),
}
