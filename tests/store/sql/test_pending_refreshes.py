"""The refreshes of copies that are still to be done."""

from __future__ import annotations

from store.admin.queue_managers import create_queue_manager
from store.client.api import Store
from store.sql import managers
from store.sqlite.database import Transaction


def test_members_have_to_refresh_until_it_is_done(store: Store) -> None:
    for number in (1, 2):
        create_queue_manager(store, f"QM{number}", group="QSG1")
    create_queue_manager(store, "ALONE")
    with Transaction(store.database, durable=False) as tx:
        for _ in range(2):
            managers.add_refresh_for_members(tx, "QSG1", "queue", "Q")
        managers.add_refresh_for_members(tx, "QSG1", "process", "P")
        first, second = managers.refreshes_of_object(tx, "queue", "Q")
        assert (first.qmgr, second.qmgr, first.reason) == ("QM1", "QM2", 0)
        managers.set_refresh_reason(tx, *first[:3], 2042)
        managers.remove_refresh(tx, *second[:3])
        assert [managers.is_refresh_pending(tx, *each[:3]) for each in (first, second)] == [True, False]
        assert [(each.name, each.reason) for each in managers.refreshes_of_member(tx, "QM1")] == [("P", 0), ("Q", 2042)]
        managers.add_refresh_for_members(tx, "QSG1", "queue", "Q")
        assert [each.reason for each in managers.refreshes_of_object(tx, "queue", "Q")] == [0, 0]
        managers.remove_refreshes(tx, "QM1")
        assert managers.refreshes_of_member(tx, "QM1") == []
        assert managers.refreshes_of_member(tx, "ALONE") == []
