"""DISPLAY APSTATUS and QMSTATUS: the connected applications, and the state of the queue manager."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from store.admin.channel_status import INITIATION_QUEUE, is_read
from store.admin.connection_status import connections
from store.admin.inquiring import check_running
from store.engine.definition_values import date_and_time
from store.engine.recovery import recover
from store.engine.state import QueueManagerState
from store.rules.generic_names import matches
from store.sql import connections as rows
from store.sql.managers import QUIESCING
from store.sqlite.database import Reading

Row = dict[str, Any]


def application_status(qmgr: QueueManagerState, pattern: str, type: str = "") -> Iterator[Row]:
    """DISPLAY APSTATUS: applications by name with their number of connections; nothing is ever balanced here.

    LOCAL has a row for every connection, QMGR one for this queue manager. MQError 2059.
    """
    found = sorted(connections(qmgr), key=lambda row: (row["APPLTAG"], row["CONN"]))
    for name, group in groupby(found, key=lambda row: str(row["APPLTAG"])):
        instances = list(group)
        if not matches(pattern, name):
            continue
        if type == "LOCAL":
            for each in instances:
                yield {
                    "APPLNAME": name, "TYPE": "LOCAL", "CONNTAG": each["CONN"], "CONNS": 1, "IMMREASN": "NOTCLUS",
                    "IMMCOUNT": 0, "MOVABLE": "NO",
                }  # fmt: skip
        else:
            of = {"QMNAME": qmgr.name, "ACTIVE": "YES"} if type == "QMGR" else {}
            counted = {"CLUSTER": "", "COUNT": len(instances), "MOVCOUNT": 0, "BALANCED": "NOTAPPLIC"}
            yield {"APPLNAME": name, "TYPE": type or "APPL", **counted, **of}


def queue_manager_status(qmgr: QueueManagerState, name: str = "", type: str = "") -> Iterator[Row]:
    """DISPLAY QMSTATUS: state, connections, data path and start time; what has no meaning here is blank."""
    check_running(qmgr)
    if type == "NATIVEHA":
        return
    recover(qmgr.store)
    row = qmgr.row()
    with Reading(qmgr.store.database) as reading:
        connected = len(rows.of_queue_manager(reading, qmgr.name))
        has_initiator = is_read(reading, qmgr.name, INITIATION_QUEUE)
    date, time = date_and_time(row.started_at)
    yield {
        "QMNAME": qmgr.name, "TYPE": "QMGR", "STATUS": "QUIESCING" if row.state == QUIESCING else "RUNNING",
        "AUTOCLUS": "NONE", "CHINIT": "RUNNING" if has_initiator else "STOPPED",
        "CMDSERV": "STOPPED" if row.commands_stopped else "RUNNING", "CONNS": connected,
        "DATPATH": qmgr.store.path or "", "LDAPCONN": "INACTIVE", "LOGTYPE": "CIRCULAR", "STANDBY": "NOPERMIT",
        "STARTDA": date, "STARTTI": time, "UNICLUS": "",
    }  # fmt: skip
