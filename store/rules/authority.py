"""Which authorities there are for which type of object, and what a change of them comes to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_ADMINISTERING: Mapping[str, str] = {
    "AUTHINFO": "CHG DLT DSP",
    "CHANNEL": "CHG CTRL CTRLX DLT DSP",
    "CLNTCONN": "CHG DLT DSP",
    "COMMINFO": "CHG DLT DSP",
    "LISTENER": "CHG CTRL DLT DSP",
    "NAMELIST": "CHG DLT DSP",
    "PROCESS": "CHG DLT DSP",
    "QMGR": "CHG CTRL DLT DSP",
    "QUEUE": "CHG CLR DLT DSP",
    "RQMNAME": "",
    "SERVICE": "CHG CTRL DLT DSP",
    "TOPIC": "CHG CLR CTRL DLT DSP",
}
_CALLING: Mapping[str, str] = {
    "AUTHINFO": "INQ",
    "NAMELIST": "INQ",
    "PROCESS": "INQ SET",
    "QMGR": "ALTUSR CONNECT INQ SET SETALL SETID",
    "QUEUE": "BROWSE GET INQ PASSALL PASSID PUT SET SETALL SETID",
    "RQMNAME": "PUT",
    "TOPIC": "PASSALL PASSID PUB RESUME SETALL SETID SUB",
}
# Rights that ALL brings, and neither ALLADM nor ALLMQI.
_SYSTEM: Mapping[str, str] = {"QMGR": "SYSTEM"}


def authorities(type: str) -> frozenset[str]:
    """Every single authority that can be given for objects of a type; CRT goes with all but remote names."""
    created = "" if type == "RQMNAME" else "CRT"
    return frozenset(f"{_ADMINISTERING[type]} {_CALLING.get(type, '')} {_SYSTEM.get(type, '')} {created}".split())


def expanded(type: str, words: Iterable[str]) -> frozenset[str] | None:
    """The single authorities that ALL, ALLADM and ALLMQI stand for, and the others; None when one is not for the type.

    NONE stands for no authority: it makes a record that gives nothing.
    """
    groups = {
        "NONE": "",
        "ALLADM": _ADMINISTERING[type],
        "ALLMQI": _CALLING.get(type, ""),
        "ALL": f"{_ADMINISTERING[type]} {_CALLING.get(type, '')} {_SYSTEM.get(type, '')}",
    }
    found: set[str] = set()
    for word in words:
        found |= set(groups.get(word, word).split())
    return frozenset(found) if found <= authorities(type) else None


def changed(had: Iterable[str], given: frozenset[str], taken: frozenset[str]) -> list[str]:
    """The authorities after a change, by name: what is taken away goes first, so that what is given stays."""
    return sorted((set(had) - taken) | given)
