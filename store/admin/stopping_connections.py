"""STOP CONN: connections that a command breaks."""

from __future__ import annotations

from store.admin.connection_status import IN_DOUBT, connections
from store.constants import MQRCCF
from store.engine import closing
from store.engine.state import QueueManagerState
from store.error import MQError
from store.sql import connections as connection_rows

_DIGITS = 16


def stop_connections(qmgr: QueueManagerState, identifier: str, extended: str = "") -> int:
    """STOP CONN: break a connection, or all with that EXTCONN if no identifier is given; how many.

    Their units of work are backed out, but not those in doubt; their calls answer 2009 from then on. MQError 3174 when
    there is none.
    """
    if not (identifier or extended) or (identifier and len(identifier) != _DIGITS):
        raise MQError(MQRCCF.CONNECTION_ID_ERROR, identifier)
    rows = (row for row in connections(qmgr, identifier or "*") if extended in ("", row["EXTCONN"]))
    found = [number for number in (int(row["CONN"], 16) for row in rows) if number != IN_DOUBT]
    for number in found:
        with qmgr.transaction(durable=True) as (tx, call):
            if connection_rows.by_id(tx, number) is not None:
                closing.end_connection(tx, call, number, "broken")
    if not found:
        raise MQError(MQRCCF.CONNECTION_ID_ERROR, identifier or extended)
    return len(found)
