"""Network addresses in connection names, and what stands in for them in this store."""

from __future__ import annotations

from sqlalchemy import bindparam, delete, insert, select

from store.sql.rows import ChannelHostRow
from store.sql.schema import channel_host
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_h = channel_host.c
_TARGET = Statement(select(_h.target).where(_h.address == bindparam("address")))
_ALL = Statement(select(channel_host).order_by(_h.address))
_WRITE = Statement(
    insert(channel_host).prefix_with("OR REPLACE").values({name: bindparam(name) for name in ChannelHostRow._fields})
)
_REMOVE = Statement(delete(channel_host).where(_h.address == bindparam("address")))


def target(tx: Queries, address: str) -> str:
    """Return what stands in for an address; blank for nothing."""
    return str(tx.value(_TARGET, {"address": address}) or "")


def every(tx: Queries) -> list[ChannelHostRow]:
    """Return the whole map, by address."""
    return [ChannelHostRow._make(row) for row in tx.all(_ALL)]


def write(tx: Transaction, row: ChannelHostRow) -> None:
    """Store what stands in for an address, in place of what stood in for it before."""
    tx.run(_WRITE, row._asdict())


def remove(tx: Transaction, address: str) -> int:
    """Remove an address; return how many were removed."""
    return tx.run(_REMOVE, {"address": address})
