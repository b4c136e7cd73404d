"""Patterns of channel authentication records: channel names, IP addresses, host names and
distinguished names.

`*` matches any characters anywhere in a pattern. When several patterns match, the one with the
highest specificity applies. Other patterns: generic object names are in `names`, profiles of
authority records in `authority_profiles`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mqsc.store.constants import MQRCCF

EXACT = 1_000
# The attributes of a distinguished name that SSLPEER may contain.
DISTINGUISHED_NAME_ATTRIBUTES = frozenset(
    "C CN DC DNQ E EMAIL GENERATIONQUALIFIER GIVENNAME INITIALS L MAIL NAME O OU PC POSTALCODE S "
    "SERIALNUMBER SN SP ST"
    " STREET SURNAME T TITLE UID UNSTRUCTUREDADDRESS UNSTRUCTUREDNAME USERID".split(),
)
_PART = re.compile(r"\s*([A-Za-z0-9.]+)\s*=\s*((?:\"[^\"]*\"|\\.|[^,;+\\])*)")
_IPV4 = re.compile(r"[0-9.*-]+")


@lru_cache(maxsize=512)
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(
        "".join(".*" if char == "*" else re.escape(char) for char in pattern),
        re.DOTALL,
    )


def fits(pattern: str, name: str) -> bool:
    """Whether a name matches; each `*` in the pattern matches any number of characters,
    including none.
    """
    return _expression(pattern).fullmatch(name) is not None


def specificity(pattern: str) -> int:
    """A pattern without `*` is the most specific; otherwise the number of its other characters
    counts.
    """
    return EXACT if "*" not in pattern else len(pattern.replace("*", ""))


def is_host_name(pattern: str) -> bool:
    """Whether an address pattern matches host names rather than IP addresses."""
    return ":" not in pattern and not _IPV4.fullmatch(pattern)


def address_fits(pattern: str, address: str) -> bool:
    """Whether an address matches: each part exactly, as a range (1-8), or by `*`, which may be
    several parts.

    A pattern that is not one of IP addresses is a pattern of host names.
    """
    if is_host_name(pattern) or is_host_name(address):
        return fits(pattern.lower(), address.lower())
    if pattern == "*":
        return True
    wanted, parts = _ranges(pattern), _ranges(address)
    return (
        wanted is not None
        and parts is not None
        and len(wanted) == len(parts)
        and all(
            low <= number <= high for (low, high), (number, _) in zip(wanted, parts, strict=True)
        )
    )


def address_fault(pattern: str, *, host_names: bool) -> int:
    """The MQRCCF for an invalid pattern of addresses, or 0; a host name is valid only with
    `host_names`.
    """
    if is_host_name(pattern):
        return 0 if host_names else int(MQRCCF.IPADDR_ERROR)
    ranges = _ranges(pattern)
    if pattern == "*":
        return 0
    if ranges is None:
        return int(MQRCCF.IPADDR_ERROR)
    written = re.split(r"[.:]", pattern)
    return (
        int(MQRCCF.IPADDR_RANGE_ERROR)
        if any("-" in each and not _is_rising(each) for each in written)
        else 0
    )


def overlap(pattern: str, other: str) -> bool:
    """Whether a range of one pattern overlaps a range of the other in part, which leaves their
    order undecided.
    """
    pairs = [*zip(_ranges(pattern) or (), _ranges(other) or (), strict=False)]
    common = all(low <= high2 and low2 <= high for (low, high), (low2, high2) in pairs)
    return common and any(
        low < low2 <= high < high2 or low2 < low <= high2 < high
        for (low, high), (low2, high2) in pairs
    )


@lru_cache(maxsize=512)
def _ranges(pattern: str) -> tuple[tuple[int, int], ...] | None:
    """The lowest and highest number of each part of an IP address; None if the pattern is not
    valid.
    """
    is_ipv6 = ":" in pattern
    separator, count, base, most = (":", 8, 16, 0xFFFF) if is_ipv6 else (".", 4, 10, 255)
    parts = _filled(pattern, separator, count)
    if parts is None:
        return None
    ranges = []
    for part in parts:
        low, dash, high = part.partition("-")
        numbers = [_number(each, base, most) for each in ((low, high) if dash else (low,))]
        if part == "*":
            ranges.append((0, most))
        elif None in numbers:
            return None
        else:
            ranges.append((numbers[0] or 0, numbers[-1] or 0))
    return tuple(ranges)


def _filled(pattern: str, separator: str, count: int) -> list[str] | None:
    """The parts of a pattern, as many as an address has; None if there are too many or too few."""
    if "::" in pattern:
        before, _, after = pattern.partition("::")
        ends = [each.split(":") if each else [] for each in (before, after)]
        zeros = count - len(ends[0]) - len(ends[1])
        # With an asterisk it would be ambiguous which parts are zero.
        return None if zeros < 1 or pattern.endswith("*") else [*ends[0], *["0"] * zeros, *ends[1]]
    parts = pattern.split(separator)
    if parts[-2:] == ["*", "*"]:
        return None
    if len(parts) < count and "*" in parts:
        at = len(parts) - 1 if parts[-1] == "*" else parts.index("*")
        parts[at:at] = ["*"] * (count - len(parts))
    return parts if len(parts) == count else None


def _number(text: str, base: int, most: int) -> int | None:
    """A part of an address as a number; None if it is not one."""
    try:
        number = int(text, base) if text.isalnum() else most + 1
    except ValueError:
        return None
    return number if number <= most else None


def _is_rising(part: str) -> bool:
    low, _, high = part.partition("-")
    return int(low, 16) < int(high, 16)


def distinguished_name(text: str) -> list[tuple[str, str]] | None:
    """The parts of a distinguished name as (attribute, value), in order; None if it is invalid."""
    parts, at = [], 0
    while at < len(text.rstrip()):
        part = _PART.match(text, at)
        if part is None or part[1].upper() not in DISTINGUISHED_NAME_ATTRIBUTES:
            return None
        parts.append((part[1].upper(), part[2].strip().strip('"')))
        at = part.end()
        if at < len(text) and text[at] in ",;+":
            at += 1
        elif at < len(text.rstrip()):
            return None
    return parts


def peer_fits(pattern: str, peer: str) -> bool:
    """Whether a distinguished name contains every part of the pattern; `*` in a value matches
    any characters.
    """
    wanted, parts = distinguished_name(pattern), distinguished_name(peer)
    if wanted is None or parts is None:
        return False
    return all(
        any(key == name and fits(value, text) for name, text in parts) for key, value in wanted
    )


def peer_specificity(pattern: str) -> int:
    """More parts are more specific; a blank pattern matches any name and is the least specific."""
    parts = distinguished_name(pattern) or []
    return sum(EXACT + specificity(value) for _, value in parts)
