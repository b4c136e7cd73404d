"""The map of host names: which store a network address in a connection name leads to."""

from __future__ import annotations

from store.sql.rows import ChannelHostRow
from store.sql.tables import channel_host
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, delete, insert, select
from store.sqlite.statement import Statement

_h = channel_host.c
_TARGET = Statement(select(_h.target).where(_h.address == bindparam("address")))
_ALL = Statement(select(channel_host).order_by(_h.address))
_WRITE = Statement(
    insert(channel_host).prefix_with("OR REPLACE").values({name: bindparam(name) for name in ChannelHostRow._fields})
)
_REMOVE = Statement(delete(channel_host).where(_h.address == bindparam("address")))


def target(tx: Queries, address: str) -> str:
    """Return what an address is mapped to; blank when it is not mapped."""
    return str(tx.value(_TARGET, {"address": address}) or "")


def every(tx: Queries) -> list[ChannelHostRow]:
    """Return the whole map, by address."""
    return [ChannelHostRow._make(row) for row in tx.all(_ALL)]


def write(tx: Transaction, row: ChannelHostRow) -> None:
    """Map an address, replacing what it was mapped to before."""
    tx.run(_WRITE, row._asdict())


def remove(tx: Transaction, address: str) -> int:
    """Remove an address; return how many were removed."""
    return tx.run(_REMOVE, {"address": address})
