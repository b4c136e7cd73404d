"""The index of the history: nothing is missed, whatever is in it and whoever makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

import mqsc
from store.admin.event_index import EventIndex
from store.client.api import QueueManager
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.message import Message
from store.rules import event_index
from store.rules.event_index import Wanted, of_id, of_kind_on_queue, of_queue
from store.sql import event_index as sql
from store.sqlite.database import Reading
from tests.store.conftest import open_at

START = 1_700_000_000_000_000


@pytest.fixture
def qmgr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> QueueManager:
    monkeypatch.setattr(event_index, "SEGMENT", 4)
    store = open_at(tmp_path / "store.db", START)
    qmgr = store.create_queue_manager("QM1")
    mqsc.run(qmgr, "DEFINE QLOCAL(ONE)\nDEFINE QLOCAL(TWO)")
    return qmgr
