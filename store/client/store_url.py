"""The addresses of stores."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote

from store.error import StoreError

# As SQLAlchemy writes them: the kind of database, perhaps with a driver; a host; a path, perhaps with parameters.
_URL = re.compile(r"(?P<kind>\w+)(?P<driver>\+\w+)?://(?P<host>[^/?]*)/?(?P<path>[^?]*)(\?.*)?", re.DOTALL)


def path_of(url: str) -> str | None:
    """The path of the store's file, or None for a store in memory; StoreError when `url` is not a store's.

    Symbolic links are followed: the files beside a store have its name, so all programs must use the same one.
    """
    parsed = _URL.fullmatch(url)
    if parsed is None:
        raise StoreError(f"{url!r} is not the address of a store; write sqlite:///PATH")
    if parsed["kind"].lower() != "sqlite":
        raise StoreError(
            f"a store is an SQLite file: write sqlite:///PATH, not {parsed['kind']}{parsed['driver'] or ''}://"
        )
    if parsed["host"]:
        # With two slashes the first part would be a host name, and the store would be in memory.
        raise StoreError(f"{url!r} does not name a file; write sqlite:///{url.partition('://')[2]}")
    path = unquote(parsed["path"])
    return None if path in ("", ":memory:") else os.path.realpath(os.path.expanduser(path))
