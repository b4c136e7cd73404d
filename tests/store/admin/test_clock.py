"""The manual clock of a queue manager."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.client.api import QueueManager, open_store
from tests.conftest import START


def test_a_manual_clock_moves_only_when_it_is_set(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'manual.db'}") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        qmgr.advance_clock(250)
        qmgr.set_clock(qmgr.now() - 1000)
        assert qmgr.now() == START - 750
        with pytest.raises(ValueError, match="not negative"):
            qmgr.advance_clock(-1)
        assert store.bound().now == {"QM1": START - 750}


@pytest.mark.parametrize("call", ["set_clock", "advance_clock"])
def test_a_clock_shows_whole_microseconds(tmp_path: Path, call: str) -> None:
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        with pytest.raises(TypeError, match="must be int, not float"):
            getattr(qmgr, call)(2.5)
        assert qmgr.now() == START


def test_a_queue_manager_that_follows_real_time_has_no_clock_to_set(qmgr: QueueManager) -> None:
    with pytest.raises(ValueError, match="QM1 follows real time"):
        qmgr.set_clock(0)
