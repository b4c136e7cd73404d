"""Open a store by its URL."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from store.client.api import Store
from store.environment import Clock, Environment
from store.error import StoreError


def open_store(url: str, environment: Environment[Clock] | None = None, *, create: bool = True) -> Store:
    """Open the store at `url` (`sqlite:///path`, or `sqlite://` for one in memory), creating it when it is missing.

    Raises StoreError when there is no usable store: not a database, read-only folder, written by a newer version,
    missing while `create` is false.
    """
    return Store(path_of(url), environment or Environment.system(), create=create)


def path_of(url: str) -> str | None:
    """The absolute path of the store's file, or None for a store in memory; StoreError when `url` is not a store's."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(f"{url!r} is not the address of a store; write sqlite:///PATH") from error
    if parsed.get_backend_name() != "sqlite":
        raise StoreError(f"a store is an SQLite file: write sqlite:///PATH, not {parsed.drivername}://")
    if parsed.host is not None:
        # With two slashes the first part would be a host name, and the store would be in memory.
        raise StoreError(f"{url!r} does not name a file; write sqlite:///{url.partition('://')[2]}")
    if parsed.database in (None, "", ":memory:"):
        return None
    return str(Path(str(parsed.database)).expanduser().absolute())
