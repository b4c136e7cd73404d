"""DISPLAY CONN: the connections to a queue manager and their open handles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from store.admin.in_doubt import in_doubt
from store.admin.inquiring import check_running
from store.constants import MQOO
from store.engine.recovery import recover
from store.engine.state import QueueManagerState
from store.sql import units_of_work
from store.sql.connections import ConnectionStatusRow, OpenHandle, connections_page, handles_of
from store.sql.rows import UNIT_BITS
from store.sql.units_of_work import UnitInDoubt
from store.sqlite.database import Reading
from store.sqlite.liveness import process_id

Row = dict[str, Any]
PAGE = 200
# The external identifier of a unit of work that no transaction manager coordinates.
NO_EXTERNAL_UNIT = "XA_FORMATID[] XA_GTRID[] XA_BQUAL[]"
# CONN of units of work in doubt, which have left their connection.
IN_DOUBT = 0
_DIGITS = 16
_IDENTIFIER = re.compile(r"([0-9A-Fa-f]{0,16})(\*?)\Z")


def connections(qmgr: QueueManagerState, pattern: str = "*") -> Iterator[Row]:
    """DISPLAY CONN TYPE(CONN): the connections whose identifier matches, oldest first.

    CONN is 16 hexadecimal digits; a pattern may be some of them and an asterisk. UOWSTATE is NONE, or ACTIVE with the
    unit of work in QMURID. A unit in doubt, which has no connection, comes first with CONN 0 and UOWSTATE(PREPARED).
    Dead programs are recovered first. MQError 2059 when the queue manager does not run.
    """
    check_running(qmgr)
    recover(qmgr.store)
    prepared = in_doubt(qmgr) if _range(pattern)[0] == IN_DOUBT < _range(pattern)[1] else []
    return chain(
        (_in_doubt_row(qmgr, each) for each in prepared),
        (_connection_row(qmgr, each) for each in _matching(qmgr, pattern)),
    )


def connection_handles(qmgr: QueueManagerState, pattern: str = "*") -> Iterator[Row]:
    """DISPLAY CONN TYPE(HANDLE): the handles of the connections whose identifier matches, oldest first."""
    check_running(qmgr)
    recover(qmgr.store)
    return (row for each in _matching(qmgr, pattern) for row in _handle_rows(qmgr, each))


def _matching(qmgr: QueueManagerState, pattern: str) -> Iterator[ConnectionStatusRow]:
    low, high = _range(pattern)
    while True:
        with Reading(qmgr.store.database) as reading:
            page = connections_page(reading, qmgr.name, low, high, PAGE)
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


def _connection_row(qmgr: QueueManagerState, each: ConnectionStatusRow) -> Row:
    with Reading(qmgr.store.database) as reading:
        units = units_of_work.of_connection(reading, each.id)
    return {
        **_identity(qmgr, each.id, "CONN"),
        **_unit_row(units[-1] if units else 0, "ACTIVE" if units else "NONE"),
        **_program_row(each.application, each.user, process_id(each.file)),
        "ASTATE": each.consumption or "NONE",
    }


def _in_doubt_row(qmgr: QueueManagerState, each: UnitInDoubt) -> Row:
    return {
        **_identity(qmgr, IN_DOUBT, "CONN"),
        **_unit_row(each.unit, "PREPARED"),
        **_program_row(each.application, each.user, 0),
        "CHANNEL": each.name,
        "EXTURID": f"XA_FORMATID[] XA_GTRID[{each.luwid}] XA_BQUAL[]",
    }


def _program_row(application: str, user: str, process: int) -> Row:
    return {
        "APPLDESC": "", "APPLTAG": application[:28], "APPLTYPE": "USER", "ASTATE": "NONE", "CHANNEL": "",
        "CLIENTID": "", "CONNAME": "", "CONNOPTS": [], "CONNTAG": "", "PID": process, "TID": "", "USERID": user,
    }  # fmt: skip


def _unit_row(unit: int, state: str) -> Row:
    return {
        "EXTURID": NO_EXTERNAL_UNIT,
        "QMURID": unit_id(unit),
        **dict.fromkeys(("UOWLOG", "UOWLOGDA", "UOWLOGTI", "UOWSTDA", "UOWSTTI"), ""),
        "UOWSTATE": state,
        "URTYPE": "QMGR",
    }


def _handle_rows(qmgr: QueueManagerState, each: ConnectionStatusRow) -> list[Row]:
    with Reading(qmgr.store.database) as reading:
        found = handles_of(reading, each.id)
    return [{**_identity(qmgr, each.id, "HANDLE"), **_handle_row(handle)} for handle in found]


def _handle_row(handle: OpenHandle) -> Row:
    is_queue = bool(handle.queue_name)
    return {
        "ASTATE": consumption(handle),
        **dict.fromkeys(("DEST", "DESTQMGR", "SUBID", "SUBNAME", "TOPICSTR"), ""),
        "HSTATE": "INACTIVE",
        "OBJNAME": handle.object_name,
        "OBJTYPE": "QUEUE" if is_queue else handle.object_type,
        "OPENOPTS": [f"MQOO_{option.name}" for option in MQOO if option and option & handle.options == option],
        "READA": "NO",
    }


def consumption(handle: OpenHandle) -> str:
    """ASTATE of a handle: whether a function is called for it."""
    is_called = handle.consumption == "INACTIVE" and handle.connection_consumption in ("STARTED", "STARTWAIT")
    return "ACTIVE" if is_called else handle.consumption or "NONE"


def connection_id(number: int) -> str:
    """CONN of a connection."""
    return f"{number:016X}"


def unit_id(unit: int) -> str:
    """QMURID of a unit of work."""
    return f"{unit >> UNIT_BITS}.{unit % (1 << UNIT_BITS)}"


def _identity(qmgr: QueueManagerState, number: int, type: str) -> Row:
    maker = b"AMQC" + qmgr.name[:12].ljust(12).encode("ascii", "replace")
    return {"CONN": connection_id(number), "EXTCONN": maker.hex().upper(), "TYPE": type}
