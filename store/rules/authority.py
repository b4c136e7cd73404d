"""Authority records: which authorities each object type has, and which objects a profile covers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

# For each object type: what ALLADM includes, what ALLMQI includes, and what ALL includes besides.
_AUTHORITIES: Mapping[str, tuple[str, str, str]] = {
    "AUTHINFO": ("CHG DLT DSP", "INQ", ""),
    "CHANNEL": ("CHG CTRL CTRLX DLT DSP", "", ""),
    "CLNTCONN": ("CHG DLT DSP", "", ""),
    "COMMINFO": ("CHG DLT DSP", "", ""),
    "LISTENER": ("CHG CTRL DLT DSP", "", ""),
    "NAMELIST": ("CHG DLT DSP", "INQ", ""),
    "PROCESS": ("CHG DLT DSP", "INQ SET", ""),
    "QMGR": ("CHG CTRL DLT DSP", "ALTUSR CONNECT INQ SET SETALL SETID", "SYSTEM"),
    "QUEUE": ("CHG CLR DLT DSP", "BROWSE GET INQ PASSALL PASSID PUT SET SETALL SETID", ""),
    "RQMNAME": ("", "PUT", ""),
    "SERVICE": ("CHG CTRL DLT DSP", "", ""),
    "TOPIC": ("CHG CLR CTRL DLT DSP", "PASSALL PASSID PUB RESUME SETALL SETID SUB", ""),
}


def authorities(type: str) -> frozenset[str]:
    """Every authority that exists for an object type.

    CRT for RQMNAME is not in IBM's table of authorities, but IBM's own scripts grant it.
    """
    return frozenset(" ".join((*_AUTHORITIES[type], "CRT")).split())


def expanded(type: str, words: Iterable[str]) -> frozenset[str] | None:
    """The authorities with ALL, ALLADM and ALLMQI expanded; None when one does not exist for the type.

    NONE expands to no authority: its record grants nothing.
    """
    administering, calling, _ = every = _AUTHORITIES[type]
    groups = {"NONE": "", "ALLADM": administering, "ALLMQI": calling, "ALL": " ".join(every)}
    found = frozenset(each for word in words for each in groups.get(word, word).split())
    return found if found <= authorities(type) else None


def changed(had: Iterable[str], given: frozenset[str], taken: frozenset[str]) -> list[str]:
    """The authorities after a change, sorted. Removals apply first, so an authority in both lists is granted."""
    return sorted((set(had) - taken) | given)


@lru_cache(maxsize=512)
def _profile(pattern: str) -> re.Pattern[str]:
    tokens = re.split(r"(\*\*|\*|\?)", pattern)
    meaning = {"**": ".*", "*": "[^.]*", "?": "[^.]"}
    return re.compile("".join(meaning.get(token, re.escape(token)) for token in tokens), re.DOTALL)


def profile_fits(profile: str, name: str) -> bool:
    """Whether an authority profile covers a name: `?` is one character, `*` one qualifier, `**` any qualifiers."""
    if profile.endswith(".**") and name == profile[:-3]:
        return True
    return _profile(profile).fullmatch(name) is not None


def profile_specificity(profile: str) -> tuple[bool, int]:
    """Sorts profiles that cover the same name; the highest applies."""
    return not re.search(r"[*?]", profile), len(re.split(r"[*?]", profile)[0])
