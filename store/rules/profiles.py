"""Whether a name, address or distinguished name is meant by a pattern, and which of several patterns means it best.

Pure: texts in, verdicts out. A specificity is a number: the greater, the more exactly the pattern says what it means.
"""

from __future__ import annotations

import re
from functools import lru_cache

EXACT = 1_000
# The attributes of a distinguished name that SSLPEER may name.
NAME_PARTS = frozenset(
    "C CN DC DNQ E EMAIL GENERATIONQUALIFIER GIVENNAME INITIALS L MAIL NAME O OU PC POSTALCODE S SERIALNUMBER SN SP ST"
    " STREET SURNAME T TITLE UID UNSTRUCTUREDADDRESS UNSTRUCTUREDNAME USERID".split()
)
_PART = re.compile(r"\s*([A-Za-z0-9.]+)\s*=\s*((?:\"[^\"]*\"|\\.|[^,;+\\])*)")
_ADDRESS = re.compile(r"[0-9A-Fa-f.:*-]+")


@lru_cache(maxsize=512)
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile("".join(".*" if char == "*" else re.escape(char) for char in pattern), re.DOTALL)


def fits(pattern: str, name: str) -> bool:
    """Whether asterisks anywhere in the pattern stand for any characters, none included, that make it the name."""
    return _expression(pattern).fullmatch(name) is not None


def specificity(pattern: str) -> int:
    """How exactly a pattern says what it means: no asterisk is exact, else the more other characters the better."""
    return EXACT if "*" not in pattern else len(pattern.replace("*", ""))


@lru_cache(maxsize=512)
def _profile(pattern: str) -> re.Pattern[str]:
    tokens = re.split(r"(\*\*|\*|\?)", pattern)
    meaning = {"**": ".*", "*": "[^.]*", "?": "[^.]"}
    return re.compile("".join(meaning.get(token, re.escape(token)) for token in tokens), re.DOTALL)


def profile_fits(profile: str, name: str) -> bool:
    """Whether an authority profile covers a name: ? is a character, * what stands in a qualifier, ** any qualifiers."""
    if profile.endswith(".**") and name == profile[:-3]:
        return True
    return _profile(profile).fullmatch(name) is not None


def profile_specificity(profile: str) -> tuple[bool, int]:
    """How exactly a profile says which names it covers, to choose one of several."""
    return not re.search(r"[*?]", profile), len(re.split(r"[*?]", profile)[0])


def address_fits(pattern: str, address: str) -> bool:
    """Whether an address is meant: each part exactly, as a range (1-8) or by an asterisk, which may end the pattern.

    Anything that is no pattern of an IP address is one of host names.
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
    """Whether an address pattern names hosts rather than IP addresses."""
    return not _ADDRESS.fullmatch(pattern)


def distinguished_name(text: str) -> list[tuple[str, str]] | None:
    """The parts of a distinguished name as (attribute, value), in order; None when it cannot be read."""
    found, at = [], 0
    while at < len(text.rstrip()):
        part = _PART.match(text, at)
        if part is None or part[1].upper() not in NAME_PARTS:
            return None
        found.append((part[1].upper(), part[2].strip().strip('"')))
        at = part.end()
        if at < len(text) and text[at] in ",;+":
            at += 1
        elif at < len(text.rstrip()):
            return None
    return found


def peer_fits(pattern: str, name: str) -> bool:
    """Whether a distinguished name has every part that the pattern asks for; asterisks stand for any characters."""
    wanted, parts = distinguished_name(pattern), distinguished_name(name)
    if wanted is None or parts is None:
        return False
    return all(any(key == said and fits(value, given) for said, given in parts) for key, value in wanted)


def peer_specificity(pattern: str) -> int:
    """How exactly a pattern of distinguished names says what it means; blank means any, and comes last."""
    parts = distinguished_name(pattern) or []
    return sum(EXACT + specificity(value) for _, value in parts)
