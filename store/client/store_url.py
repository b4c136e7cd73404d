"""The addresses of stores."""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote

from mqsc.store.error import StoreError

# As SQLAlchemy writes them: the kind of database, perhaps with a driver; a host; a path, perhaps
# with parameters.
_URL = re.compile(
    r"(?P<kind>\w+)(?P<driver>\+\w+)?://(?P<host>[^/?]*)/?(?P<path>[^?]*)(\?.*)?",
    re.DOTALL,
)


def url_of(place: str) -> str:
    """The URL of a store that is named by its URL or by the path of its file.

    Text that begins like a URL is not taken for a path; if it is not a URL either, opening it is
    refused.
    """
    return (
        place if not place or "://" in place or place.startswith("sqlite:") else url_of_file(place)
    )


def url_of_file(path: str | os.PathLike[str]) -> str:
    """The URL of the store in a file, also where the path has characters that mean something in
    a URL.
    """
    return f"sqlite:///{quote(os.fsencode(path))}"


def path_of(place: str) -> str | None:
    """The path of the store's file, or None for a store in memory; StoreError when `place` is not a
    store's.

    Symbolic links are followed: the files beside a store have its name, so all programs must use
    the same one.
    """
    url = url_of(place)
    parsed = _URL.fullmatch(url)
    if parsed is None:
        raise StoreError(f"{url!r} is not the address of a store; write sqlite:///PATH")
    if parsed["kind"].lower() != "sqlite":
        raise StoreError(
            "a store is an SQLite file: write sqlite:///PATH, not "
            f"{parsed['kind']}{parsed['driver'] or ''}://",
        )
    if parsed["host"]:
        # With two slashes the first part would be a host name, and the store would be in memory.
        raise StoreError(f"{url!r} does not name a file; write sqlite:///{url.partition('://')[2]}")
    path = unquote(parsed["path"], errors="surrogateescape")
    return None if path in ("", ":memory:") else os.path.realpath(os.path.expanduser(path))
