"""Open a store by its URL."""

from __future__ import annotations

from store.client.api import Store
from store.client.store_url import path_of
from store.environment import Clock, Environment


def open_store(url: str, environment: Environment[Clock] | None = None, *, create: bool = True) -> Store:
    """Open the store at `url` (`sqlite:///path`, or `sqlite://` for one in memory), creating it when it is missing.

    Raises StoreError when there is no usable store: not a database, read-only folder, written by a newer version,
    missing while `create` is false.
    """
    return Store(path_of(url), environment or Environment.system(), create=create)
