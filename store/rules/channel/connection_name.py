"""The target of a CONNAME: a queue manager of this store, of another store, or a host that a map
translates.
"""

import re
from typing import NamedTuple

LOCAL, STORE = "local", "sqlite://"
DEFAULT_PORT = "1414"
_WITH_ARGUMENT = re.compile(r"(?P<before>.*?)\s*\(\s*(?P<inside>[^()]*?)\s*\)\s*")
# Commas separate addresses, but not inside a path that follows sqlite://, which ends at its
# parenthesis.
_ADDRESSES = re.compile(r"(?:sqlite://[^()]*|[^,()]*)(?:\([^()]*\))?")


class Address(NamedTuple):
    """One address of a CONNAME: as written, the URL of a store (blank: this one), and a queue
    manager (blank: any).

    `is_host`: only the map can tell where it leads; a name without a port may also be a queue
    manager of this store.
    """

    text: str
    store: str = ""
    queue_manager: str = ""
    is_host: bool = False


def addresses(connection_name: str) -> list[Address]:
    """The addresses of a CONNAME in the order in which they are tried."""
    texts = (found.group().strip() for found in _ADDRESSES.finditer(connection_name))
    return [address(text) for text in texts if text]


def address(text: str) -> Address:
    """One address: `QM2`, `local(QM2)`, `sqlite:///other.db(QM2)`, `sqlite:///other.db` or
    `host(1414)`.
    """
    match = _WITH_ARGUMENT.fullmatch(text)
    before, inside = (match["before"], match["inside"]) if match else (text, "")
    if before.lower() == LOCAL and match:
        return Address(text, queue_manager=inside)
    if before.lower().startswith(STORE):
        return Address(text, store=before, queue_manager=inside)
    return Address(text, queue_manager="" if match else text, is_host=True)


def map_key(text: str) -> str:
    """An address of a host as the map has it: lower case, without blanks, and with its port,
    1414 if it names none.
    """
    found = _WITH_ARGUMENT.fullmatch(text.strip())
    host, port = (found["before"], found["inside"]) if found else (text.strip(), "")
    return f"{host.lower()}({port or DEFAULT_PORT})"
