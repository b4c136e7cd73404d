"""A shop: a store in a file, on real time, with a session and the queue ORDERS."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import mqsc


@pytest.fixture
def place(tmp_path: Path, prepared_store: Path) -> Path:
    """The path of the store."""
    path = tmp_path / "shop.db"
    path.write_bytes(prepared_store.read_bytes())
    return path


@pytest.fixture
def shop(place: Path) -> Iterator[mqsc.Session]:
    with mqsc.connect(place) as session:
        session.run("DEFINE QLOCAL(ORDERS); DEFINE QLOCAL(DONE)")
        yield session


@pytest.fixture
def orders(shop: mqsc.Session) -> mqsc.Queue:
    return shop.queue("ORDERS")
