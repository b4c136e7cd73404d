"""DISPLAY CONN and STOP CONN: the connections to a queue manager and their open handles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from mqsc.store.admin.inquiring import check_running
from mqsc.store.admin.units_in_doubt import in_doubt
from mqsc.store.constants import MQOO, MQRCCF
from mqsc.store.engine import closing, recovery
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.error import MQError, refuse_if
from mqsc.store.sql import connections as rows_of, units_of_work
from mqsc.store.sql.rows import UNIT_BITS
from mqsc.store.sqlite.liveness import folder_beside
from mqsc.store.sqlite.owners import owner_of

PAGE = 200
# A client may give longer ones, which name no channel.
CHANNEL_LENGTH, ADDRESS_LENGTH = 20, 264
# The external identifier of a unit of work that no transaction manager coordinates.
NO_EXTERNAL_UNIT = "XA_FORMATID[] XA_GTRID[] XA_BQUAL[]"
# CONN of units of work in doubt, which have left their connection.
IN_DOUBT = 0
_DIGITS = 16
_IDENTIFIER = re.compile(r"([0-9A-Fa-f]{0,16})(\*?)\Z")


def connections(qmgr: QueueManagerState, pattern: str = "*") -> Iterator[DisplayedValues]:
    """DISPLAY CONN TYPE(CONN): the connections whose identifier matches, oldest first.

    CONN is 16 hexadecimal digits; a pattern may be some of them and an asterisk. UOWSTATE is NONE,
    or ACTIVE with the unit of work in QMURID. A unit in doubt, which has no connection, comes first
    with CONN 0 and UOWSTATE(PREPARED). Dead programs are recovered first. MQError 2059 when the
    queue manager does not run.
    """
    check_running(qmgr)
    recovery.recover(qmgr.store)
    prepared = in_doubt(qmgr) if _range(pattern)[0] == IN_DOUBT < _range(pattern)[1] else []
    return chain(
        (_in_doubt_row(qmgr, each) for each in prepared),
        (_connection_row(qmgr, each) for each in _matching(qmgr, pattern)),
    )


def connection_handles(qmgr: QueueManagerState, pattern: str = "*") -> Iterator[DisplayedValues]:
    """DISPLAY CONN TYPE(HANDLE): the handles of the connections whose identifier matches, oldest
    first.
    """
    check_running(qmgr)
    recovery.recover(qmgr.store)
    return (row for each in _matching(qmgr, pattern) for row in _handle_rows(qmgr, each))


def _matching(qmgr: QueueManagerState, pattern: str) -> Iterator[rows_of.ConnectionStatusRow]:
    low, high = _range(pattern)
    while True:
        page = qmgr.store.read(rows_of.connections_page, qmgr.name, low, high, PAGE)
        yield from page
        if len(page) < PAGE:
            return
        low = page[-1].id + 1


def _range(pattern: str) -> tuple[int, int]:
    """(low, high) such that the matching connections are those with low <= number < high."""
    found = _IDENTIFIER.match(pattern)
    if found is None or not (found[2] or len(found[1]) == _DIGITS):
        return 0, 0
    open_digits = _DIGITS - len(found[1])
    low = int(found[1] or "0", 16) << 4 * open_digits
    most = (1 << 63) - 1  # SQLite's greatest integer
    return min(low, most), min(low + (1 << 4 * open_digits), most)


def _connection_row(
    qmgr: QueueManagerState, connection: rows_of.ConnectionStatusRow
) -> DisplayedValues:
    units = qmgr.store.read(units_of_work.of_connection, connection.id)
    return {
        **_identity(qmgr, connection.id, "CONN"),
        **_unit_row(units[-1] if units else 0, "ACTIVE" if units else "NONE"),
        **_program_row(
            connection.application, connection.user, process_here(qmgr.store, connection.file)
        ),
        "ASTATE": connection.consumption or "NONE",
        "CHANNEL": connection.channel[:CHANNEL_LENGTH],
        "CONNAME": connection.address[:ADDRESS_LENGTH],
    }


def _in_doubt_row(qmgr: QueueManagerState, unit: units_of_work.UnitInDoubt) -> DisplayedValues:
    return {
        **_identity(qmgr, IN_DOUBT, "CONN"),
        **_unit_row(unit.unit, "PREPARED"),
        **_program_row(unit.application, unit.user, 0),
        "CHANNEL": unit.name,
        "EXTURID": f"XA_FORMATID[] XA_GTRID[{unit.luwid}] XA_BQUAL[]",
    }


def _program_row(application: str, user: str, process: int) -> DisplayedValues:
    return {
        "APPLDESC": "",
        "APPLTAG": application[:28],
        "APPLTYPE": "USER",
        "ASTATE": "NONE",
        "CHANNEL": "",
        "CLIENTID": "",
        "CONNAME": "",
        "CONNOPTS": [],
        "CONNTAG": "",
        "PID": process,
        "TID": "",
        "USERID": user,
    }


def _unit_row(unit: int, state: str) -> DisplayedValues:
    return {
        "EXTURID": NO_EXTERNAL_UNIT,
        "QMURID": unit_id(unit),
        **dict.fromkeys(("UOWLOG", "UOWLOGDA", "UOWLOGTI", "UOWSTDA", "UOWSTTI"), ""),
        "UOWSTATE": state,
        "URTYPE": "QMGR",
    }


def _handle_rows(
    qmgr: QueueManagerState, connection: rows_of.ConnectionStatusRow
) -> list[DisplayedValues]:
    found = qmgr.store.read(rows_of.handles_of, connection.id)
    return [{**_identity(qmgr, connection.id, "HANDLE"), **_handle_row(handle)} for handle in found]


def _handle_row(handle: rows_of.OpenHandle) -> DisplayedValues:
    is_queue = bool(handle.queue_name)
    return {
        "ASTATE": consumption(handle),
        **dict.fromkeys(("DEST", "DESTQMGR", "SUBID", "SUBNAME", "TOPICSTR"), ""),
        "HSTATE": "INACTIVE",
        "OBJNAME": handle.object_name,
        "OBJTYPE": "QUEUE" if is_queue else handle.object_type,
        "OPENOPTS": [
            f"MQOO_{option.name}" for option in MQOO if option and option & handle.options == option
        ],
        "READA": "NO",
    }


def process_here(store: StoreState, file: str) -> int:
    """PID of the program that a liveness file belongs to; 0 if its number means nothing here."""
    return owner_of(folder_beside(store.path or ""), file).number_here


def consumption(handle: rows_of.OpenHandle) -> str:
    """ASTATE of a handle: whether a function is called for it."""
    is_called = handle.consumption == "INACTIVE" and handle.connection_consumption in (
        "STARTED",
        "STARTWAIT",
    )
    return "ACTIVE" if is_called else handle.consumption or "NONE"


def connection_id(number: int) -> str:
    """CONN of a connection."""
    return f"{number:016X}"


def unit_id(unit: int) -> str:
    """QMURID of a unit of work."""
    return f"{unit >> UNIT_BITS}.{unit % (1 << UNIT_BITS)}"


def connection_identifier(number: int, qmgr: str) -> str:
    """The whole identifier of a connection, as ACTCONN has it: EXTCONN and CONN."""
    return _extended(qmgr) + connection_id(number)


def _extended(qmgr: str) -> str:
    return (b"AMQC" + qmgr[:12].ljust(12).encode("ascii", "replace")).hex().upper()


def _identity(qmgr: QueueManagerState, number: int, type: str) -> DisplayedValues:
    return {"CONN": connection_id(number), "EXTCONN": _extended(qmgr.name), "TYPE": type}


def stop_connections(qmgr: QueueManagerState, identifier: str, extended: str = "") -> int:
    """STOP CONN: break a connection, or all with that EXTCONN if no identifier is given; how many.

    Their units of work are backed out, but not those in doubt; their calls answer 2009 from then
    on. MQError 3174 when there is none.
    """
    if not (identifier or extended) or (identifier and len(identifier) != _DIGITS):
        raise MQError(MQRCCF.CONNECTION_ID_ERROR, identifier)
    rows = (row for row in connections(qmgr, identifier or "*") if extended in ("", row["EXTCONN"]))
    numbers = [number for number in (int(row["CONN"], 16) for row in rows) if number != IN_DOUBT]
    for number in numbers:
        with qmgr.transaction(durable=True) as (tx, call):
            if rows_of.by_id(tx, number) is not None:
                closing.end_connection(tx, call, number, "broken")
    refuse_if(not numbers, MQRCCF.CONNECTION_ID_ERROR, identifier or extended)
    return len(numbers)
