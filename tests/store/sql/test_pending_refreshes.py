"""The refreshes of copies that are still to be done."""

from __future__ import annotations

from store.admin.queue_managers import create_queue_manager
from store.client.api import Store
from store.sql import pending_refreshes
from store.sqlite.database import Transaction


def test_members_have_to_refresh_until_it_is_done(store: Store) -> None:
    for number in (1, 2):
        create_queue_manager(store, f"QM{number}", group="QSG1")
    create_queue_manager(store, "ALONE")
    with Transaction(store.database, durable=False) as tx:
        for _ in range(2):
            pending_refreshes.add_for_members(tx, "QSG1", "queue", "Q")
        pending_refreshes.add_for_members(tx, "QSG1", "process", "P")
        first, second = pending_refreshes.of_object(tx, "queue", "Q")
        assert (first.qmgr, second.qmgr, first.reason) == ("QM1", "QM2", 0)
        pending_refreshes.failed(tx, first, 2042)
        pending_refreshes.done(tx, second)
        assert [pending_refreshes.is_pending(tx, each) for each in (first, second)] == [True, False]
        assert [(each.name, each.reason) for each in pending_refreshes.of_member(tx, "QM1")] == [("P", 0), ("Q", 2042)]
        pending_refreshes.add_for_members(tx, "QSG1", "queue", "Q")
        assert [each.reason for each in pending_refreshes.of_object(tx, "queue", "Q")] == [0, 0]
        pending_refreshes.forget(tx, "QM1")
        assert pending_refreshes.of_member(tx, "QM1") == []
        assert pending_refreshes.of_member(tx, "ALONE") == []
