"""MQCONN: the user is checked, dead programs are recovered, and the connection gets its row."""

from __future__ import annotations

from store.constants import MQRC
from store.engine.recovery import recover
from store.engine.state import QueueManagerState
from store.error import MQError
from store.mqi.authentication import authenticated_user
from store.sql import connections
from store.sql.managers import QUIESCING
from store.sqlite.database import Transaction


def connect(
    qmgr: QueueManagerState, application: str, user: str, password: str | None, *, client: bool
) -> tuple[int, int, str]:
    """The number of the new connection, the run of the queue manager that it is made to, and its user.

    MQError 2035, 2058, 2059, 2161.
    """
    store = qmgr.store
    if not store.is_administrators:
        user = authenticated_user(qmgr, application, user, password, client=client)
    with_reserve = store.database.with_reserve
    with_reserve(lambda: recover(store))
    process = with_reserve(store.register_process)
    number, run = with_reserve(lambda: _add(qmgr, process, application, user))
    return number, run, user


def _add(qmgr: QueueManagerState, process: int, application: str, user: str) -> tuple[int, int]:
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        if call.qmgr.state == QUIESCING:
            raise MQError(MQRC.Q_MGR_QUIESCING, qmgr.name)
        program = {"process": process, "application": application, "user": user}
        row = {"qmgr": qmgr.name, "run": call.qmgr.run, **program, "connected_at": call.now}
        return connections.add(tx, row), call.qmgr.run
