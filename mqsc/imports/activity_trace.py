"""What programs did, from activity trace messages (import-events §4): puts, gets and their units of
work.

Messages do not name units of work: one begins with the first call under syncpoint of a connection
and ends with MQCMIT or MQBACK, so events that are in one are marked as inferred.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from mqsc.imports.event_parameters import number_of, plain_word
from mqsc.store.constants import MQGMO, MQPMO
from mqsc.store.message_times import put_moment
from mqsc.store.sql.rows import UNIT_BITS

# The numbers of calls (MQXF) in PCF; amqsevt writes the words.
_CALLS = {
    3: "conn",
    4: "connx",
    5: "disc",
    6: "open",
    7: "close",
    8: "put1",
    9: "put",
    10: "get",
    15: "cmit",
    16: "back",
    21: "callback",
}
_PUTS, _GETS = frozenset({"put", "put1"}), frozenset({"get", "callback"})
_BROWSES = int(MQGMO.BROWSE_FIRST | MQGMO.BROWSE_NEXT | MQGMO.BROWSE_MSG_UNDER_CURSOR)
_SILENT = frozenset({"conn", "connx", "disc"})
# Numbers of connections of other queue managers: far above those of this store.
_FIRST_CONNECTION, _CONNECTIONS = 1 << 30, (1 << 30) - 1
_TENTH = 100_000
_MICROSECONDS = re.compile("[0-9]{1,16}")
_NO_ID = re.compile("0*")


class Unit(Struct, frozen=True):
    """An open unit of work of a connection: its number, and how many puts and gets it has by
    queue.
    """

    number: int
    calls: Mapping[str, tuple[int, int]]


# By connection; the units that are open after a message.
OpenUnits = Mapping[int, Unit]


class Activity(NamedTuple):
    """A call as an event: its kind, its columns and the keys of its `detail`."""

    kind: str
    columns: Mapping[str, Any]
    detail: Mapping[str, Any]


def connection_of(qmgr: str, id: str) -> int | None:
    """The number of a connection of that queue manager, by its ConnectionId; None without one."""
    if not id:
        return None
    digest = sha256(f"{qmgr}\0{id.upper()}".encode()).digest()
    return _FIRST_CONNECTION | (int.from_bytes(digest[:4], "big") & _CONNECTIONS)


def activities(
    data: Mapping[str, Any],
    qmgr: str,
    at: int,
    units: OpenUnits,
    local: Callable[[datetime], int],
) -> tuple[list[Activity], OpenUnits]:
    """The activities in a message that was put at that time, and the units of work that are open
    after it.
    """
    connection = connection_of(qmgr, str(data.get("connectionId", "")))
    unit = None if connection is None else units.get(connection)
    traced: list[Activity] = []
    for operation in data.get("activityTrace", ()):
        call = _call(operation)
        moment, precision = _time(operation, at, local)
        common = {"at": moment, "connection": connection}
        if number_of(operation.get("compCode"), "MQCC") not in (0, None):
            failed = _failed(call, operation, common)
            traced.append(failed._replace(detail={"precision": precision, **failed.detail}))
        elif call in _SILENT or call not in _EVENTS:
            continue
        else:
            unit = _with_call(unit, call, operation, connection, moment)
            activity = _EVENTS[call](call, operation, common, unit)
            if activity is not None:
                traced.append(activity._replace(detail={"precision": precision, **activity.detail}))
        if call in ("cmit", "back", "disc"):
            unit = None
    if connection is None:
        return traced, units
    rest = {key: value for key, value in units.items() if key != connection}
    return traced, rest if unit is None else {**rest, connection: unit}


def _call(operation: Mapping[str, Any]) -> str:
    value = operation.get("operationId")
    if isinstance(value, Mapping):
        value = value.get("value", value.get("name"))
    return (
        _CALLS.get(value, "")
        if isinstance(value, int)
        else plain_word(str(value)).removeprefix("mqxfqueue")
    )


def _time(
    operation: Mapping[str, Any],
    at: int,
    local: Callable[[datetime], int],
) -> tuple[int, str]:
    exact = operation.get("highresTime")
    if isinstance(exact, int | str) and _MICROSECONDS.fullmatch(str(exact)):
        return int(exact), "microsecond"
    try:
        clock = str(operation["operationTime"]).replace(".", ":")
        return local(datetime.fromisoformat(f"{operation['operationDate']}T{clock}")), "second"
    except (KeyError, ValueError):
        return at, "unknown"


def _options(operation: Mapping[str, Any], *names: str) -> int:
    for name in (*names, "options"):
        value = operation.get(name)
        if isinstance(value, Mapping):
            value = value.get("options", value.get("value"))
        try:
            return int(str(value).strip(), 0)
        except ValueError:
            continue
    return 0


def _queue(operation: Mapping[str, Any]) -> str:
    names = ("resolvedLocalQueueName", "resolvedQueueName", "objectName", "queueName")
    return next((text for name in names if (text := str(operation.get(name) or "").strip())), "")


def _is_in_syncpoint(call: str, operation: Mapping[str, Any]) -> bool:
    if call in _PUTS:
        return bool(_options(operation, "putOptions") & int(MQPMO.SYNCPOINT))
    return call in _GETS and bool(_options(operation, "getOptions") & int(MQGMO.SYNCPOINT))


def _is_browse(operation: Mapping[str, Any]) -> bool:
    return bool(_options(operation, "getOptions") & _BROWSES)


def _with_call(
    unit: Unit | None,
    call: str,
    operation: Mapping[str, Any],
    connection: int | None,
    at: int,
) -> Unit | None:
    """The unit of work of the connection after a call, which may be its first."""
    if connection is None or not _is_in_syncpoint(call, operation) or _is_browse(operation):
        return unit
    # No unit begins within the 16 microseconds of another one of its connection.
    unit = unit or Unit(connection << UNIT_BITS | at >> 4 & (1 << UNIT_BITS) - 1, {})
    queue = _queue(operation)
    puts, gets = unit.calls.get(queue, (0, 0))
    return replace(
        unit,
        calls={**unit.calls, queue: (puts + (call in _PUTS), gets + (call in _GETS))},
    )


def _failed(call: str, operation: Mapping[str, Any], common: Mapping[str, Any]) -> Activity:
    reason = number_of(operation.get("reasonCode"), "MQRC")
    return Activity(
        "LOG",
        {**common, "queue": _queue(operation), "reason": reason},
        {"event": f"MQ{call.upper()}"},
    )


def _of_message(
    call: str,
    operation: Mapping[str, Any],
    common: Mapping[str, Any],
    unit: Unit | None,
) -> Activity | None:
    if call in _GETS and _is_browse(operation):
        return None
    at, in_unit = int(common["at"]), unit is not None and _is_in_syncpoint(call, operation)
    expiry = number_of(operation.get("expiry"), "MQEI")
    put_at = put_moment(*(str(operation.get(name, "")) for name in ("putDate", "putTime")))
    columns = {
        **common,
        "queue": _queue(operation),
        "msg_id": _identifier(operation, "msgId"),
        "correl_id": _identifier(operation, "correlId"),
        "priority": _within(operation.get("priority"), "MQPRI", range(10)),
        "persistence": _within(operation.get("persistence"), "MQPER", range(2)),
        "length": number_of(operation.get("msgLength"), "MQCC"),
        "put_at": put_at or (at if call in _PUTS else None),
        "expires_at": at + expiry * _TENTH if expiry is not None and expiry >= 0 else None,
        "unit": unit.number if unit is not None and in_unit else None,
    }
    return Activity(
        "PUT" if call in _PUTS else "GET",
        columns,
        {"inferred": True} if in_unit else {},
    )


def _within(value: Any, family: str, possible: range) -> int | None:
    """The number that a value means; None for one that stands for a default."""
    number = number_of(value, family)
    return number if number in possible else None


def _identifier(operation: Mapping[str, Any], name: str) -> bytes | None:
    text = str(operation.get(name) or "").strip()
    if _NO_ID.fullmatch(text):
        return None
    try:
        return bytes.fromhex(text).ljust(24, b"\0")[:24]
    except ValueError:
        return None


def _end(
    call: str,
    operation: Mapping[str, Any],
    common: Mapping[str, Any],
    unit: Unit | None,
) -> Activity:
    columns = {**common, "unit": None if unit is None else unit.number}
    inferred: dict[str, Any] = {} if unit is None else {"inferred": True}
    if call == "cmit":
        return Activity("COMMIT", columns, inferred)
    undone = (
        {}
        if unit is None
        else {queue: {"puts": puts, "gets": gets} for queue, (puts, gets) in unit.calls.items()}
    )
    return Activity("BACKOUT", {**columns, "cause": "application"}, {**inferred, **undone})


def _of_handle(
    call: str,
    operation: Mapping[str, Any],
    common: Mapping[str, Any],
    unit: Unit | None,
) -> Activity:
    detail: dict[str, Any] = {"handle": number_of(operation.get("hobj"), "MQHO")}
    if call == "open":
        detail["options"] = _options(operation, "openOptions")
    return Activity(call.upper(), {**common, "queue": _queue(operation)}, detail)


_EVENTS: Mapping[str, Callable[..., Activity | None]] = {
    **dict.fromkeys((*_PUTS, *_GETS), _of_message),
    **dict.fromkeys(("cmit", "back"), _end),
    **dict.fromkeys(("open", "close"), _of_handle),
}
