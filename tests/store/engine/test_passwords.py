"""Hashes of passwords: their cost, and the new hash of a password that was hashed at less cost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mqsc.store.admin.user_accounts import add_user, has_password, set_mode
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import PASSWORD_COST, QUICK_PASSWORD_COST, QUICK_PASSWORDS, Environment
from mqsc.store.rules.passwords import Cost, is_outdated
from mqsc.store.sql import connections
from mqsc.store.sql.rows import UserAccountRow
from tests.rows import rows
from tests.shared import START

PASSWORD = "a long password"
# More than that of frozen environments, and quick.
DEARER = (QUICK_PASSWORD_COST[0] * 2, *QUICK_PASSWORD_COST[1:])


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store with the user alice, whose password was hashed at the cost of earlier versions."""
    url = f"sqlite:///{tmp_path / 'store.db'}"
    with opened(url, QUICK_PASSWORD_COST) as store:
        set_mode(store.create_queue_manager("QM1"), "off")
        add_user(store, "alice", PASSWORD)
    return url


def opened(url: str, cost: Cost) -> Store:
    return open_store(url, environment=replace(Environment.frozen(START), password_cost=cost))


def account(store: Store) -> UserAccountRow:
    found = store.read(connections.user, "alice")
    assert found is not None
    return found


def cost_of(found: UserAccountRow) -> Cost:
    return found.cost, found.block_size, found.parallel


def test_new_passwords_cost_what_is_recommended(monkeypatch: pytest.MonkeyPatch) -> None:
    """But not in the tests, where some hundred are hashed."""
    assert Environment.system().password_cost == QUICK_PASSWORD_COST
    monkeypatch.delenv(QUICK_PASSWORDS)
    assert Environment.system().password_cost == PASSWORD_COST == (1 << 17, 8, 1)


def test_a_right_password_is_hashed_again(url: str) -> None:
    with opened(url, DEARER) as store:
        former = account(store)
        assert cost_of(former) == QUICK_PASSWORD_COST
        assert has_password(store, "alice", PASSWORD)
        renewed = account(store)
        assert cost_of(renewed) == DEARER
        assert renewed.salt != former.salt
        assert renewed.changed_at == former.changed_at
        assert has_password(store, "alice", PASSWORD)
        assert not has_password(store, "alice", "another password")
        assert account(store) == renewed


def test_a_program_that_connects_renews_it_too(url: str) -> None:
    with (
        opened(url, DEARER) as store,
        store.queue_manager("QM1").connect("app", "alice", password=PASSWORD),
    ):
        assert cost_of(account(store)) == DEARER


@rows("a wrong password", "")
def test_a_wrong_password_changes_nothing(url: str, given: str) -> None:
    with opened(url, DEARER) as store:
        former = account(store)
        assert not has_password(store, "alice", given)
        assert account(store) == former


def test_a_hash_that_costs_more_is_kept(url: str) -> None:
    with opened(url, DEARER) as store:
        assert has_password(store, "alice", PASSWORD)
    with opened(url, QUICK_PASSWORD_COST) as store:
        former = account(store)
        assert has_password(store, "alice", PASSWORD)
        assert account(store) == former


@rows(
    ((1 << 14, 8, 1), True),
    ((1 << 16, 8, 1), True),
    ((1 << 17, 8, 1), False),
    ((1 << 16, 8, 2), False),
    ((1 << 18, 8, 1), False),
)
def test_what_is_outdated(cost: Cost, outdated: bool) -> None:
    assert is_outdated(cost, PASSWORD_COST) is outdated
