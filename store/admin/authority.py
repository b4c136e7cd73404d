"""The status of authorities of a queue manager."""

from typing import NamedTuple

from mqsc.store.engine import authorization
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules import authorization as rules
from mqsc.store.sql import connections, history, objects
from mqsc.store.sqlite.files import mode_of, owner_of


class Status(NamedTuple):
    """The mode of a queue manager, what it comes to (blank: nothing is asked), and who may do
    everything.

    `last_refusal` is in microseconds UTC, None for none; `file_mode` are the permissions of the
    store's file.
    """

    qmgr: str
    mode: str
    acts: str
    administrators: tuple[str, ...]
    users: int
    groups: int
    records: int
    os_groups: bool
    last_refusal: int | None
    file: str
    owner: str
    file_mode: int


def status(qmgr: QueueManagerState) -> Status:
    """The status of authorities of a queue manager, which need not run."""
    store = qmgr.store
    with qmgr.reading(running=False) as (reading, call):
        accounts, members = connections.users(reading), connections.groups(reading)
        named = {each.name for each in accounts if each.administrator}
        named |= {
            each.user for each in members if each.name == rules.ADMINISTRATOR_GROUP
        } | store.owners
        last = next(iter(history.refusals(reading, qmgr.name, 0, 1)), None)
        records = objects.count(reading, qmgr.name, authorization.AUTHREC.namespace)
        return Status(
            qmgr.name,
            call.qmgr.authority_mode or rules.AUTO,
            authorization.known(reading, store, call.qmgr).mode,
            tuple(sorted(named)),
            len(accounts),
            len({each.name for each in members}),
            records,
            bool(call.qmgr.os_groups),
            last and last.at,
            store.path or "(memory)",
            owner_of(store.path)[1],
            mode_of(store.path),
        )
