"""Network addresses in connection names, and what stands in for them in this store."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from store.sql.schema import channel_host
from store.sqlite.database import Queries
from store.sqlite.statement import Statement

_TARGET = Statement(select(channel_host.c.target).where(channel_host.c.address == bindparam("address")))


def target(tx: Queries, address: str) -> str:
    """Return what stands in for an address; blank for nothing."""
    return str(tx.value(_TARGET, {"address": address}) or "")
