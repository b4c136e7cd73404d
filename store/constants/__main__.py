"""Writes the stub of the constants for type checkers and editors: `python -m store.constants`.

The file is `__init__.pyi`, which a test compares with what this module would write.
"""

import enum
import json
from collections.abc import Iterator
from pathlib import Path

from mqsc.store.constants.table import (
    Value,
    base_of,
    families,
    is_of_structure,
    read_value,
    rows_of,
)

STUB = Path(__file__).with_name("__init__.pyi")
_HEAD = '''"""Generated from constants.csv by `python -m store.constants`."""

import enum
from typing import Final

from .table import families as families, name_of as name_of, value_of as value_of
'''
_BASES = {
    enum.IntFlag: "(enum.IntFlag, boundary=enum.KEEP)",
    enum.IntEnum: "(enum.IntEnum)",
    object: "",
}


def stub() -> str:
    """The text of the file."""
    return "\n".join((_HEAD, *("\n".join((*_class_of(family), "")) for family in families())))


def _class_of(family: str) -> Iterator[str]:
    rows = rows_of(family)
    values = {name: read_value(text) for name, text in rows if name}
    base = base_of(family, values)
    yield f"class {family}{_BASES[base]}:"
    for name, text in rows:
        if not name:
            yield f'    """{text}"""\n'
        elif base is object:
            yield f"    {name}: {_final(values[name])}"
        elif is_of_structure(family, name):
            yield f"    {name} = enum.nonmember({json.dumps(values[name])})"
        else:
            yield f"    {name} = {text}"


def _final(value: Value) -> str:
    """The type and value of a plain attribute; of bytes the type alone, as they may be long."""
    return "Final[bytes]" if isinstance(value, bytes) else f"Final = {json.dumps(value)}"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
