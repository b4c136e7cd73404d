"""The process behind an open store: what it leaves beside the file, and what not."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.client.open_store import open_store
from store.error import MQError
from store.sqlite import liveness
from store.sqlite.database import Transaction


def test_a_process_that_is_not_let_in_leaves_no_file(tmp_path: Path) -> None:
    """Its file would be there for good: no row of the store names it."""
    path = str(tmp_path / "held.db")
    with open_store(f"sqlite:///{path}") as store, open_store(f"sqlite:///{path}") as other:
        store.database.busy_timeout = 0
        with Transaction(other.database, durable=False):
            before = {*liveness.folder_beside(path).iterdir()}
            with pytest.raises(MQError, match="2102"):
                store.register_process()
            assert {*liveness.folder_beside(path).iterdir()} == before
        assert store.register_process() == 1
