"""A copy of a store as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import mqsc
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.error import StoreError
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.past.present import copy_of_present
from tests.store.admin.looking import queue_row


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def qmgr(file: Path) -> Iterator[QueueManager]:
    with open_store(file) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
        yield qmgr


def put(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"data"))


def readers(store: Store) -> object:
    (reply,) = mqsc.run(store.queue_manager(), "DISPLAY QSTATUS(Q) IPPROCS")
    return reply.rows[0]["IPPROCS"]


def test_it_has_what_was_committed_last(qmgr: QueueManager, file: Path) -> None:
    put(qmgr)
    with copy_of_present(str(file)) as first:
        put(qmgr)
        with (
            copy_of_present(str(file)) as second,
            open_store(first) as one,
            open_store(second) as two,
        ):
            assert queue_row(one.queue_manager(), "Q").depth == 1
            assert queue_row(two.queue_manager(), "Q").depth == 2
            put(two.queue_manager())
    assert queue_row(qmgr, "Q").depth == 2
    assert not first.exists()


def test_programs_live_in_the_copy_too(qmgr: QueueManager, file: Path) -> None:
    put(qmgr)
    with qmgr.connect() as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED)
        queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
        with copy_of_present(str(file)) as copy, open_store(copy) as store:
            assert readers(store) == 1
            # The unit of work is open there, too, and the message is not there for others.
            with store.queue_manager().connect() as other, pytest.raises(mqsc.MQError):
                other.open("Q", MQOO.INPUT_SHARED).get()
        connection.commit()
    # Those that are dead are recovered in the copy.
    with copy_of_present(str(file)) as copy, open_store(copy) as store:
        assert readers(store) == 0


def test_nothing_beside_the_store_is_changed(qmgr: QueueManager, file: Path) -> None:
    put(qmgr)
    qmgr.store.close()
    before = file.read_bytes(), sorted(Path(f"{file}.processes").iterdir())
    with copy_of_present(str(file)) as copy, open_store(copy) as store:
        mqsc.run(store.queue_manager(), "CLEAR QLOCAL(Q)")
    assert (file.read_bytes(), sorted(Path(f"{file}.processes").iterdir())) == before


def test_what_is_no_store(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="there is no store at"),
        copy_of_present(str(tmp_path / "none.db")),
    ):
        pass
    (tmp_path / "text.db").write_text("no database" * 100)
    with pytest.raises(StoreError, match=r"text\.db"), copy_of_present(str(tmp_path / "text.db")):
        pass
