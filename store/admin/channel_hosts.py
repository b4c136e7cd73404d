"""The map from network addresses to stores, which channels consult for their CONNAME."""

from __future__ import annotations

from store.engine.state import StoreState
from store.sql import channel_hosts
from store.sqlite.database import Reading


def mapped(store: StoreState, address: str) -> str:
    """What stands in for a network address, such as `sqlite:///other.db(QM2)`; blank when it is not mapped."""
    with Reading(store.database) as reading:
        return channel_hosts.target(reading, address)
