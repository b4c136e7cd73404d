"""Rows of a store's file as Arrow, read through ADBC in pages of the key, so that no read
transaction outlives a page.

Only a process that does not have the store open may use this (design §3.13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.store.published import Relation

# Keys per query. ADBC takes the type of a column from its first batch, so a page must be one batch.
PAGE = 50_000
BUSY_MILLISECONDS = 60_000
ARROW_TYPES: Mapping[str, pa.DataType] = {
    "INTEGER": pa.int64(),
    "TEXT": pa.string(),
    "BLOB": pa.binary(),
}

# A condition in SQL, and its parameters.
Condition = tuple[str, tuple[Any, ...]]


def pages(
    path: str,
    sql: str,
    values: tuple[Any, ...],
    after: int,
    last: int,
    size: int = PAGE,
) -> Iterator[pa.Table]:
    """The answer to `sql` for every page of `size` keys after `after` up to `last`, each in a
    transaction of its own.

    The first two parameters of `sql` are the key to start after and the last key; `values` are the
    others.
    """
    # Here, because Spark's planning processes load this module too and read nothing.
    from adbc_driver_sqlite import StatementOptions, dbapi

    with (
        dbapi.connect(f"{Path(path).as_uri()}?mode=ro") as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
        cursor.fetchall()
        cursor.adbc_statement.set_options(**{StatementOptions.BATCH_ROWS.value: str(PAGE)})
        for start in range(after, last, size):
            cursor.execute(sql, (start, min(start + size, last), *values))
            yield cursor.fetch_arrow_table()


def arrow_schema(relation: Relation, columns: Iterable[str]) -> pa.Schema:
    """The schema of some columns of a published relation."""
    declared = {column.name: ARROW_TYPES[column.type] for column in relation.columns}
    return pa.schema([(name, declared[name]) for name in columns])


def pages_of(
    relation: Relation,
    columns: Sequence[str],
    path: str,
    after: int,
    last: int,
    conditions: Sequence[Condition] = (),
) -> Iterator[pa.Table]:
    """The rows with keys after `after` up to `last` that meet the conditions, in pages; an empty
    page is left out.
    """
    schema = arrow_schema(relation, columns)
    for table in pages(path, *_query(relation, columns, conditions), after, last):
        if table.num_rows:
            yield typed(table, schema)


def _query(
    relation: Relation,
    columns: Iterable[str],
    conditions: Sequence[Condition],
) -> Condition:
    """The SQL and parameters for one page, after its first two parameters: the key to start
    after and the last key.
    """
    names = ", ".join(f'"{name}"' for name in columns)
    where = " AND ".join(
        (f'"{relation.key}" > ?', f'"{relation.key}" <= ?', *(text for text, _ in conditions)),
    )
    values = tuple(value for _, parameters in conditions for value in parameters)
    return f'SELECT {names} FROM "{relation.table}" WHERE {where}', values


def said(error: Exception) -> str:
    """What SQLite says in an error of the driver, without the driver's own words and the query."""
    return str(error).partition("\n")[0].rpartition(": ")[2]


def typed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """`table` with the types of `schema`: ADBC returns a column without values as numbers."""
    columns = [
        _of_type(column, field.type) for column, field in zip(table.columns, schema, strict=True)
    ]
    return pa.table(columns, schema=schema)


def _of_type(column: pa.ChunkedArray, type: pa.DataType) -> pa.Array | pa.ChunkedArray:
    if column.null_count == len(column):
        return pa.nulls(len(column), type)
    return column.cast(type)
