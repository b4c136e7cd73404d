"""The store of the scenarios: QM1 and QM2, three users, Q1 and its alias A1 (rest §8)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import mqsc
from mqsc.http.contract import READER_ROLE
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.environment import QUICK_PASSWORD_COST, Environment, FrozenClock
from tests.mqsc.http.client import ADM, APP, PASSWORD, RDR, Client, client_of

OBJECTS = f"""DEFINE QLOCAL(Q1)
DEFINE QALIAS(A1) TARGET(Q1)
SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{APP}') AUTHADD(CONNECT,DSP)
SET AUTHREC PROFILE(Q1) OBJTYPE(QUEUE) PRINCIPAL('{APP}') AUTHADD(PUT,GET,BROWSE,DSP)
SET AUTHREC PROFILE(A1) OBJTYPE(QUEUE) PRINCIPAL('{APP}') AUTHADD(PUT,GET,BROWSE,DSP)
"""
START = 1_772_355_600_000_000


def fill(store: Store) -> None:
    """Make the queue managers, the users and the queues."""
    store.is_administrators = True
    qmgr = store.create_queue_manager("QM1")
    store.create_queue_manager("QM2")
    store.add_user(ADM, PASSWORD, administrator=True)
    store.add_user(RDR, PASSWORD, groups=[READER_ROLE])
    store.add_user(APP, PASSWORD)
    mqsc.run(qmgr, OBJECTS, check=True)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(START)


@cache
def _filled() -> tuple[bytes, int]:
    """The file of the store, and how many messages have got numbers. To make it takes six times as
    long as most tests.
    """
    environment = Environment.frozen(START)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "filled.db"
        with mqsc.open_store(path, environment) as store:
            fill(store)
        return path.read_bytes(), next(environment.message_numbers) - 1


@pytest.fixture
def store(tmp_path: Path, clock: FrozenClock) -> Iterator[Store]:
    """A copy of the store, with a clock that only the test moves."""
    file, numbered = _filled()
    (tmp_path / "store.db").write_bytes(file)
    environment = replace(Environment.frozen(START), clock=clock)
    for _ in range(numbered):
        next(environment.message_numbers)
    with mqsc.open_store(tmp_path / "store.db", environment) as opened:
        opened.is_administrators = True
        yield opened


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    return store.queue_manager("QM1")


@pytest.fixture
def lines() -> list[str]:
    """The output of the server."""
    return []


@pytest.fixture
def client(store: Store, lines: list[str]) -> Iterator[Client]:
    with client_of(store, lines) as made:
        yield made


@pytest.fixture
def live_store(tmp_path: Path) -> Iterator[Store]:
    """The same with the clock of the machine, for waits."""
    environment = replace(Environment.system(), password_cost=QUICK_PASSWORD_COST)
    with mqsc.open_store(tmp_path / "store.db", environment) as opened:
        fill(opened)
        yield opened


@pytest.fixture
def live_client(live_store: Store) -> Iterator[Client]:
    with client_of(live_store) as made:
        yield made
