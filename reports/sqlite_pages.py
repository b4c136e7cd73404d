"""Reads rows of a store's file as Arrow, through ADBC in pages of the key, so that no read transaction outlives a page.

Only a process that does not have the store open may use this (design §3.13).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

# Keys per query. ADBC takes the type of a column from its first batch, so a page must be one batch.
PAGE = 50_000
BUSY_MILLISECONDS = 60_000
ARROW_TYPES: Mapping[str, pa.DataType] = {"INTEGER": pa.int64(), "TEXT": pa.string(), "BLOB": pa.binary()}


def pages(path: str, sql: str, values: tuple[Any, ...], after: int, last: int, size: int = PAGE) -> Iterator[pa.Table]:
    """The answer to `sql` for every page of `size` keys after `after` up to `last`, each in a transaction of its own.

    The first two parameters of `sql` are the key to start after and the last key; `values` are the others.
    """
    # Here, because Spark's planning processes load this module too and read nothing.
    from adbc_driver_sqlite import StatementOptions, dbapi

    with dbapi.connect(f"{Path(path).as_uri()}?mode=ro") as connection, connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        cursor.fetchall()
        cursor.adbc_statement.set_options(**{StatementOptions.BATCH_ROWS.value: str(PAGE)})
        for start in range(after, last, size):
            cursor.execute(sql, (start, min(start + size, last), *values))
            yield cursor.fetch_arrow_table()


def typed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """`table` with the types of `schema`: ADBC returns a column without values as numbers."""
    columns = [
        pa.nulls(len(column), field.type) if column.null_count == len(column) else column.cast(field.type)
        for column, field in zip(table.columns, schema, strict=True)
    ]
    return pa.table(columns, schema=schema)
