"""The MQI in bytes on a store with a frozen clock, and structures as programs pass them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import mqsc
from mqsc.clients.environment import MODULES
from mqsc.clients.mqi import Mqi
from mqsc.clients.process import ClientProcess
from mqsc.store.client.store import open_store
from mqsc.store.environment import Environment
from tests.conftest import START
from tests.mqsc.clients.caller import Caller

OBJECTS = (
    "DEFINE QLOCAL(Q) MAXDEPTH(50) DESCR('a queue')\nDEFINE QLOCAL(R)\nDEFINE QMODEL(M) "
    "DEFTYPE(TEMPDYN)"
)


@pytest.fixture(scope="session")
def store_of_clients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store with the queue manager QM1 and the queues Q, R and M."""
    path = tmp_path_factory.mktemp("clients") / "clients.db"
    with open_store(f"sqlite:///{path}", environment=Environment.frozen(at=START)) as store:
        mqsc.run(store.create_queue_manager("QM1"), OBJECTS)
    return path


@pytest.fixture
def url(tmp_path: Path, store_of_clients: Path) -> str:
    """A copy of that store."""
    path = tmp_path / "test.db"
    shutil.copyfile(store_of_clients, path)
    return f"sqlite:///{path}"


@pytest.fixture
def mqi(url: str) -> Iterator[Mqi]:
    """The calls of a program that is user `tester`."""
    process = ClientProcess(url, Environment.frozen(at=START))
    yield Mqi(process)
    for linked in process.connections():
        linked.connection.abend()
        process.remove(linked)
    process.close()


@pytest.fixture
def caller(mqi: Mqi) -> Caller:
    """A connection to QM1."""
    return Caller(mqi)


@pytest.fixture
def ibmmq(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """IBM's package, unchanged, on our module."""
    monkeypatch.syspath_prepend(str(MODULES))
    module: ModuleType = pytest.importorskip("ibmmq")
    assert sys.modules["ibmmqc"].__file__ == str(MODULES / "ibmmqc.py")
    return module
