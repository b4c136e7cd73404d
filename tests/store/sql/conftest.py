"""A transaction on an empty store in memory, for tests of statements."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mqsc.store.client.store import open_store
from mqsc.store.sqlite.database import Transaction


@pytest.fixture
def tx() -> Iterator[Transaction]:
    with (
        open_store("sqlite://") as store,
        Transaction(store.database, durable=False) as transaction,
    ):
        yield transaction
