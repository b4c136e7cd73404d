"""DISPLAY QMSTATUS and APSTATUS: queue managers and applications."""

from collections.abc import Iterator
from itertools import groupby

from mqsc.store.admin.channel.status import INITIATION_QUEUE, is_read
from mqsc.store.admin.connection_status import connections
from mqsc.store.admin.inquiring import check_running
from mqsc.store.engine import recovery
from mqsc.store.engine.displayed_definition import DisplayedValues, date_and_time
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules.names import matches
from mqsc.store.sql import connections as rows_of, managers
from mqsc.store.sqlite.database import Reading


def application_status(
    qmgr: QueueManagerState, pattern: str, type: str = ""
) -> Iterator[DisplayedValues]:
    """DISPLAY APSTATUS: applications by name with their number of connections; nothing is ever
    balanced here.

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
                    "APPLNAME": name,
                    "TYPE": "LOCAL",
                    "CONNTAG": each["CONN"],
                    "CONNS": 1,
                    "IMMREASN": "NOTCLUS",
                    "IMMCOUNT": 0,
                    "MOVABLE": "NO",
                }
        else:
            of = {"QMNAME": qmgr.name, "ACTIVE": "YES"} if type == "QMGR" else {}
            counted = {
                "CLUSTER": "",
                "COUNT": len(instances),
                "MOVCOUNT": 0,
                "BALANCED": "NOTAPPLIC",
            }
            yield {"APPLNAME": name, "TYPE": type or "APPL", **counted, **of}


def queue_manager_status(
    qmgr: QueueManagerState, name: str = "", type: str = ""
) -> Iterator[DisplayedValues]:
    """DISPLAY QMSTATUS: state, connections, data path and start time; what has no meaning here
    is blank.
    """
    check_running(qmgr)
    if type == "NATIVEHA":
        return
    recovery.recover(qmgr.store)
    manager = qmgr.row()
    with Reading(qmgr.store.database) as reading:
        connected = len(rows_of.of_queue_manager(reading, qmgr.name))
        has_initiator = is_read(reading, qmgr.name, INITIATION_QUEUE)
    date, time = date_and_time(manager.started_at)
    yield {
        "QMNAME": qmgr.name,
        "TYPE": "QMGR",
        "STATUS": "QUIESCING" if manager.state == managers.QUIESCING else "RUNNING",
        "AUTOCLUS": "NONE",
        "CHINIT": "RUNNING" if has_initiator else "STOPPED",
        "CMDSERV": "STOPPED" if manager.commands_stopped else "RUNNING",
        "CONNS": connected,
        "DATPATH": qmgr.store.path or "",
        "LDAPCONN": "INACTIVE",
        "LOGTYPE": "CIRCULAR",
        "STANDBY": "NOPERMIT",
        "STARTDA": date,
        "STARTTI": time,
        "UNICLUS": "",
    }
