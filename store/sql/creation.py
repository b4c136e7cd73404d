"""The statements that create the tables, indexes and the view of a new store."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy.schema import CreateIndex, CreateTable

from store.sql.schema import PENDING_VIEW, metadata
from store.sqlite.statement import Statement


def definitions() -> Iterator[str]:
    for table in metadata.sorted_tables:
        yield Statement(CreateTable(table)).text
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            yield Statement(CreateIndex(index)).text
    yield PENDING_VIEW
