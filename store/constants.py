"""The named numbers and texts of the MQI and of PCF, one class per family: MQRC.Q_FULL, MQGMO.WAIT, MQFMT.STRING.

Every constant is a row of constants.csv. To add one, add its row; where several names share a number, the first row is
the number's main name. A class is built when it is first asked for, so that importing this module costs nothing.

- families of options (MQGMO, MQPMO, MQOO, MQRO, MQMO, MQCO, MQMF) are IntFlag and keep bits that have no name;
- families of numbers are IntEnum;
- families that hold texts or bytes (MQFMT, MQCI, the structure identifiers in MQMD, MQDLH ...), lengths (MQ) and
  encodings (MQENC) are plain attributes. Texts have no padding beyond what the row says, bytes are written x:HEX.

`value_of` reaches every number by its full name, also the structure versions that the option classes leave out.
"""

from __future__ import annotations

import csv
import enum
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_OPTIONS = frozenset({"MQGMO", "MQPMO", "MQOO", "MQRO", "MQMO", "MQCO", "MQMF"})
_PLAIN = frozenset({"MQ", "MQENC"})
_STRUCTURE = ("VERSION_", "LENGTH_", "CURRENT_", "STRUC_ID")
_WORD = 0xFFFF_FFFF


def name_of(family: str, number: int) -> str:
    """The full main name of a number in a family ("MQRC", 2053 -> "MQRC_Q_FULL"), or its digits when it has none."""
    return _names(family).get(int(number)) or str(int(number))


def value_of(name: str) -> int:
    """The number of a constant given by its full name ("MQRC_Q_FULL" -> 2053); KeyError when no number has it."""
    return _numbers()[name]


def families() -> tuple[str, ...]:
    """The names of all classes that this module builds, in the order of the table."""
    return tuple(_table())


def __getattr__(name: str) -> Any:
    rows = None if name.startswith("_") else _table().get(name)
    if rows is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    built = _build(name, rows)
    globals()[name] = built
    return built


def __dir__() -> list[str]:
    return sorted({*globals(), *_table()})


def _build(family: str, rows: dict[str, str]) -> Any:
    if family in _OPTIONS:
        options = {member: int(text) & _WORD for member, text in rows.items() if not member.startswith(_STRUCTURE)}
        return enum.IntFlag(family, options, module=__name__, boundary=enum.KEEP)
    if family in _PLAIN or not all(map(_is_number, rows.values())):
        in_bytes = any(text.startswith("x:") for text in rows.values())
        return SimpleNamespace(**{member: _plain(text, in_bytes) for member, text in rows.items()})
    return enum.IntEnum(family, {member: int(text) for member, text in rows.items()}, module=__name__)


def _plain(text: str, in_bytes: bool) -> int | str | bytes:
    if in_bytes:
        return bytes.fromhex(text[2:]) if text.startswith("x:") else text.encode("ascii")
    return int(text) if _is_number(text) else text


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit() and text == text.strip()


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = {}
    with Path(__file__).with_name("constants.csv").open(encoding="ascii", newline="") as lines:
        rows = csv.reader(lines)
        next(rows)
        for prefix, name, text in rows:
            table.setdefault(prefix[:-1], {})[name[len(prefix) :]] = text
    return table


@cache
def _names(family: str) -> dict[int, str]:
    names: dict[int, str] = {}
    for member, text in _table().get(family, {}).items():
        if _is_number(text) and not (family in _OPTIONS and member.startswith(_STRUCTURE)):
            names.setdefault(int(text), f"{family}_{member}")
    return names


@cache
def _numbers() -> dict[str, int]:
    return {
        f"{family}_{member}": int(text)
        for family, rows in _table().items()
        for member, text in rows.items()
        if _is_number(text)
    }
