"""The addresses of stores."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from store.error import StoreError


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
