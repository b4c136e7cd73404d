"""INSERT and UPDATE of columns that a call names."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

ColumnValues = tuple[Any, ...]


@lru_cache(maxsize=512)
def insert_text(table: str, names: tuple[str, ...], *, instead: str = "") -> str:
    """Return an INSERT of these columns in this order; `instead` is the clause for an existing
    row, as OR REPLACE.
    """
    quoted = ", ".join([f'"{name}"' for name in names])
    return f"INSERT {instead} INTO {table} ({quoted}) VALUES ({', '.join('?' * len(names))})"


@lru_cache(maxsize=512)
def update_text(table: str, names: tuple[str, ...], key: str) -> str:
    """Return an UPDATE of these columns, in this order, of the row with a key; it raises the
    version of the row.
    """
    changes = ", ".join([*(f'"{name}" = ?' for name in names), "version = version + 1"])
    return f"UPDATE {table} SET {changes} WHERE {key} = ?"
