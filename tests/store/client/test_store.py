"""Opening and closing a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import StoreError
from mqsc.store.sql.connections import other_processes
from mqsc.store.sqlite.database import Reading


def test_the_path_of_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store in memory has none; a relative path and a tilde become absolute. A path is no URL,
    whatever it has.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    paths: dict[Any, str] = dict.fromkeys(
        (
            "a.db",
            tmp_path / "a.db",
            "~/a.db",
            "sqlite:///a.db",
            "sqlite:///~/a.db",
            f"sqlite:///{tmp_path}/a.db",
        ),
        str(tmp_path / "a.db"),
    )
    paths |= {name: str(tmp_path / name) for name in ("a?b%20c.db", "a\udcff.db")}
    for url, path in {"sqlite://": None, "sqlite:///:memory:": None, **paths}.items():
        with open_store(url) as store:
            assert store.path == path


def test_an_address_that_is_not_a_store() -> None:
    addresses = {
        "orders://": "a store is an SQLite file: write sqlite:///PATH",
        "sqlite:orders.db": (
            "'sqlite:orders.db' is not the address of a store; write sqlite:///PATH"
        ),
        "": "'' is not the address of a store",
        "postgresql://host/db": "write sqlite:///PATH, not postgresql://",
    }
    for url, said in addresses.items():
        with pytest.raises(StoreError, match=said):
            open_store(url)


def test_a_missing_store_is_created_only_if_asked(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    with pytest.raises(StoreError, match="there is no store at"):
        open_store(url, create=False)
    assert [*tmp_path.iterdir()] == []
    open_store(url).close()
    open_store(url, create=False).close()


def test_closing_a_store_takes_back_its_registration_unless_connections_are_left(
    qmgr: QueueManager,
    environment: Environment[FrozenClock],
) -> None:
    for keeps_a_connection in (False, True):
        program = open_store(f"sqlite:///{qmgr.store.path}", environment=environment)
        connection = program.queue_manager("QM1").connect()
        if not keeps_a_connection:
            connection.disconnect()
        before = program.process
        program.close()
        with Reading(qmgr.store.database) as reading:
            left = [number for number, _ in other_processes(reading, mine=0)]
        assert (before in left, program.process) == (keeps_a_connection, 0)
    assert qmgr.store.recover()
    assert not qmgr.store.recover()
