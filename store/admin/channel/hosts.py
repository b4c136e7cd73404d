"""The map from network addresses to stores, which channels consult for their CONNAME."""

from __future__ import annotations

from mqsc.store.engine.state import StoreState
from mqsc.store.sql import channels
from mqsc.store.sql.rows import ChannelHostRow
from mqsc.store.sqlite.database import Transaction


def mapped(store: StoreState, address: str) -> str:
    """What a network address is mapped to, such as `sqlite:///other.db(QM2)`; blank when it is
    not mapped.
    """
    return store.read(channels.host, address)


def hosts(store: StoreState) -> list[ChannelHostRow]:
    """Every address that is mapped, in order."""
    return store.read(channels.hosts)


def map_host(store: StoreState, address: str, target: str) -> None:
    """Map a network address, in the form that the map uses, to `target`."""
    with Transaction(store.database, durable=False) as tx:
        channels.map_host(tx, ChannelHostRow(address, target))


def unmap_host(store: StoreState, address: str) -> bool:
    """Remove an address from the map; False when it was not there."""
    with Transaction(store.database, durable=False) as tx:
        return channels.unmap_host(tx, address) > 0
