"""`admin/installation` and `admin/qmgr`: the queue managers of the store (rest §4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from mqsc.http.errors import ended_queue_manager, invalid, unknown_queue_manager
from mqsc.language.installation import INSTALLATION, command_level, product_version
from mqsc.language.request import Request
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.environment import MICROSECONDS
from mqsc.store.sql import managers
from mqsc.store.sql.managers import ENDED, QUIESCING, RUNNING
from mqsc.store.sql.rows import ManagerRow
from mqsc.verbs import perform_request

# The application of what is done for requests, in the history and in DISPLAY CONN.
SERVER = "mqsc serve"
_STATES = {RUNNING: "running", QUIESCING: "quiescing", ENDED: "endedNormally"}
_EVERY = "*"
_PUBLISH_SUBSCRIBE = {"ENABLED": "running", "COMPAT": "compatible", "DISABLED": "stopped"}
EXTENDED = ("isDefaultQmgr", "permitStandby", "installationName")
STATUS = (
    "started",
    "channelInitiatorState",
    "connectionCount",
    "publishSubscribeState",
    "ldapConnectionState",
)


def manager_row(store: Store, name: str) -> ManagerRow:
    """The row of a queue manager; RestError 404 if the store has no such queue manager."""
    row = store.read(managers.by_name, name)
    if row is None:
        raise unknown_queue_manager(name)
    return row


def running_queue_manager(store: Store, name: str) -> QueueManager:
    """The queue manager of that name; RestError 404 if there is none, 503 if it has ended."""
    if manager_row(store, name).state == ENDED:
        raise ended_queue_manager(name)
    return QueueManager(store, name)


def queue_managers(store: Store, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    """The queue managers of the store, or the one of that name, with what the query asks for."""
    state = query.get("state")
    if state not in (None, "running", "ended"):
        raise invalid("the parameter 'state' takes running or ended")
    extended = _selected(query, "attributes", "extended", EXTENDED)
    status = _selected(query, "status", "status", STATUS)
    rows = [manager_row(store, name)] if name else store.queue_managers()
    wanted = [row for row in rows if state is None or (row.state == ENDED) == (state == "ended")]
    return {"qmgr": [_described(store, row, extended, status) for row in wanted]}


def _described(
    store: Store,
    row: ManagerRow,
    extended: Iterable[str],
    status: Iterable[str],
) -> dict[str, Any]:
    described: dict[str, Any] = {"name": row.name, "state": _STATES[row.state]}
    if extended:
        values = {
            "isDefaultQmgr": bool(row.is_default),
            "permitStandby": "notPermitted",
            "installationName": INSTALLATION,
        }
        described["extended"] = {name: values[name] for name in extended}
    if status:
        known = None if row.state == ENDED else _status(QueueManager(store, row.name), row)
        described["status"] = known and {name: known[name] for name in status}
    return described


def _status(qmgr: QueueManager, row: ManagerRow) -> dict[str, Any]:
    """The status of a running queue manager, as DISPLAY says it."""
    shown = _displayed(qmgr, "QMSTATUS")
    mode = str(_displayed(qmgr, "QMGR").get("PSMODE", ""))
    return {
        "started": moment(row.started_at),
        "channelInitiatorState": str(shown.get("CHINIT", "STOPPED")).lower(),
        "connectionCount": shown.get("CONNS", 0),
        "publishSubscribeState": _PUBLISH_SUBSCRIBE.get(mode, "stopped"),
        "ldapConnectionState": "disconnected",
    }


def _displayed(qmgr: QueueManager, noun: str) -> Mapping[str, Any]:
    kind = KINDS.get(noun) or STATUS_KINDS[noun]
    answer = perform_request(qmgr, Request("DISPLAY", noun, (kind,), options={"ALL": "ALL"}))
    return next(iter(answer.rows), {})


def _selected(
    query: Mapping[str, str],
    parameter: str,
    group: str,
    names: tuple[str, ...],
) -> tuple[str, ...]:
    """The attributes of a group that the query asks for: all of them, or some by their names."""
    text = query.get(parameter)
    if text is None:
        return ()
    if text in (_EVERY, group):
        return names
    asked = text.split(",")
    for each in asked:
        if each.removeprefix(f"{group}.") not in names or "." not in each:
            allowed = f"*, {group} or {group}.{names[0]}"
            raise invalid(f"the parameter '{parameter}' takes values such as {allowed}")
    return tuple(each.removeprefix(f"{group}.") for each in asked)


def moment(microseconds: int) -> str:
    """A time as the REST API writes it."""
    at = datetime.fromtimestamp(microseconds / MICROSECONDS, UTC)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


def installations(store: Store, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    """The installation, of which there is one; with attributes=* where it is."""
    if name not in ("", INSTALLATION):
        raise invalid(f"the installation is called {INSTALLATION}")
    if query.get("attributes") not in (None, _EVERY, "extended"):
        raise invalid("the parameter 'attributes' takes * or extended")
    described: dict[str, Any] = {
        "name": INSTALLATION,
        "platform": "unix",
        "version": product_version(),
    }
    if "attributes" in query:
        described["extended"] = {
            "dataPath": store.path or "",
            "hostName": store.environment.host,
            "level": command_level(),
        }
    return {"installation": [described]}
