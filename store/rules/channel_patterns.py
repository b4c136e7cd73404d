"""Patterns of channel authentication records: channel names, IP addresses, host names and distinguished names.

`*` matches any characters anywhere in a pattern. When several patterns match, the one with the highest specificity
applies. Other patterns: generic object names are in `generic_names`, profiles of authority records in `authority`.
"""

from __future__ import annotations

import re
from functools import lru_cache

EXACT = 1_000
# The attributes of a distinguished name that SSLPEER may contain.
DISTINGUISHED_NAME_ATTRIBUTES = frozenset(
    "C CN DC DNQ E EMAIL GENERATIONQUALIFIER GIVENNAME INITIALS L MAIL NAME O OU PC POSTALCODE S SERIALNUMBER SN SP ST"
    " STREET SURNAME T TITLE UID UNSTRUCTUREDADDRESS UNSTRUCTUREDNAME USERID".split()
)
_PART = re.compile(r"\s*([A-Za-z0-9.]+)\s*=\s*((?:\"[^\"]*\"|\\.|[^,;+\\])*)")
_ADDRESS = re.compile(r"[0-9A-Fa-f.:*-]+")


@lru_cache(maxsize=512)
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(".*" if char == "*" else re.escape(char) for char in pattern), re.DOTALL)


def fits(pattern: str, name: str) -> bool:
    """Whether a name matches; each `*` in the pattern matches any number of characters, including none."""
    return _expression(pattern).fullmatch(name) is not None


def specificity(pattern: str) -> int:
    """A pattern without `*` is the most specific; otherwise the number of its other characters counts."""
    return EXACT if "*" not in pattern else len(pattern.replace("*", ""))


def address_fits(pattern: str, address: str) -> bool:
    """Whether an address matches: each part exactly, as a range (1-8), or by `*`, which may also end the pattern.

    A pattern that is not one of IP addresses is a pattern of host names.
    """
    if not _ADDRESS.fullmatch(pattern):
        return fits(pattern.lower(), address.lower())
    separator = ":" if ":" in pattern or ":" in address else "."
    wanted, parts = pattern.lower().split(separator), address.lower().split(separator)
    if wanted[-1] == "*":
        wanted += ["*"] * (len(parts) - len(wanted))
    return len(wanted) == len(parts) and all(map(_part_fits, wanted, parts))


def _part_fits(wanted: str, part: str) -> bool:
    low, dash, high = wanted.partition("-")
    if dash and low.isdigit() and high.isdigit() and part.isdigit():
        return int(low) <= int(part) <= int(high)
    return fits(wanted, part)


def is_host_name(pattern: str) -> bool:
    """Whether an address pattern matches host names rather than IP addresses."""
    return not _ADDRESS.fullmatch(pattern)


def distinguished_name(text: str) -> list[tuple[str, str]] | None:
    """The parts of a distinguished name as (attribute, value), in order; None if it is invalid."""
    found, at = [], 0
    while at < len(text.rstrip()):
        part = _PART.match(text, at)
        if part is None or part[1].upper() not in DISTINGUISHED_NAME_ATTRIBUTES:
            return None
        found.append((part[1].upper(), part[2].strip().strip('"')))
        at = part.end()
        if at < len(text) and text[at] in ",;+":
            at += 1
        elif at < len(text.rstrip()):
            return None
    return found


def peer_fits(pattern: str, peer: str) -> bool:
    """Whether a distinguished name contains every part of the pattern; `*` in a value matches any characters."""
    wanted, parts = distinguished_name(pattern), distinguished_name(peer)
    if wanted is None or parts is None:
        return False
    return all(any(key == name and fits(value, text) for name, text in parts) for key, value in wanted)


def peer_specificity(pattern: str) -> int:
    """More parts are more specific; a blank pattern matches any name and is the least specific."""
    parts = distinguished_name(pattern) or []
    return sum(EXACT + specificity(value) for _, value in parts)
