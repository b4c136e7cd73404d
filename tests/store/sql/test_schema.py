"""The tables have the columns that rows and the published history declare; files by version;
query plans.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields
from sqlalchemy import Table

from mqsc.store import sql
from mqsc.store.client.store import open_store
from mqsc.store.error import StoreError
from mqsc.store.published import EVENT_COLUMNS, PENDING_COLUMNS
from mqsc.store.sql import rows
from mqsc.store.sql.core import schema
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sql.rows import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    EventRow,
    ManagerRow,
    MessageState,
    QueueColumns,
    QueueRow,
)
from mqsc.store.sql.texts import statements_in

TUPLES = [
    *(
        (schema.connection, rows.ConnectionRow),
        (schema.handle, rows.HandleRow),
        (schema.message, rows.StoredMessage),
    ),
    *(
        (schema.object_, ObjectRow),
        (schema.prepared_unit, rows.PreparedUnitRow),
        (schema.sharing_group, rows.GroupRow),
    ),
    *((schema.channel_status, rows.ChannelStatusRow), (schema.channel_fault, rows.ChannelFaultRow)),
    *((schema.channel_host, rows.ChannelHostRow), (schema.kept_rule, rows.KeptRuleRow)),
    (schema.running_object, rows.RunningObjectRow),
]
DECLARED = {
    schema.message.c.id: (True, False, None),
    schema.message.c.queue: (False, False, None),
    schema.message.c.rank: (False, False, "0"),
    schema.message.c.unit: (False, True, None),
    schema.message.c.format: (False, False, ""),
    schema.message.c.body: (False, False, None),
    schema.message.c.original_length: (False, False, "-1"),
    schema.queue.c.max_depth: (False, False, "5000"),
    schema.queue_manager.c.name: (True, False, None),
}


@pytest.mark.parametrize(("table", "row"), TUPLES, ids=[table.name for table, _ in TUPLES])
def test_rows_that_are_tuples_have_the_columns_of_their_table(table: Table, row: type) -> None:
    assert list(getattr(row, "_fields")) == [*table.c.keys()]  # noqa: B009


def test_rows_that_change_have_the_columns_of_their_table() -> None:
    assert [each.name for each in fields(ManagerRow)] == [*schema.queue_manager.c.keys()]
    assert [each.name for each in fields(QueueColumns)] == [*schema.queue.c.keys()]


def test_a_queue_row_ends_with_columns_of_the_queue_member() -> None:
    member = [each.name for each in fields(QueueRow)][len(fields(QueueColumns)) :]
    assert member == ["input_handles", "exclusive_handles", "output_handles", "last_trigger"]
    assert set(member) <= {*schema.queue_member.c.keys()}


def test_an_event_row_has_the_published_columns_except_its_number() -> None:
    types = {"int": "INTEGER", "str": "TEXT", "bytes": "BLOB"}
    hints = EventRow.__annotations__.items()
    declared = {
        name: types[hint.__name__ if isinstance(hint, type) else str(hint).split(" | ")[0]]
        for name, hint in hints
    }
    assert {"seq": "INTEGER", **declared} == {each.name: each.type for each in EVENT_COLUMNS}
    assert ["seq", *EventRow._fields] == [each.name for each in EVENT_COLUMNS]


@pytest.mark.parametrize(("column", "declaration"), DECLARED.items(), ids=map(str, DECLARED))
def test_key_null_and_default_follow_from_the_declaration(
    column: Any,
    declaration: tuple[object, ...],
) -> None:
    default = column.server_default
    assert (column.primary_key, column.nullable, default and default.arg) == declaration


def test_the_view_of_pending_messages_names_every_state_and_column() -> None:
    view = schema.PENDING_VIEW
    assert [state.name in view for state in MessageState] == [True] * len(MessageState)
    assert [f" AS {each.name}" in view for each in PENDING_COLUMNS] == [True] * len(PENDING_COLUMNS)


def execute(path: Path, *statements: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for statement in statements:
            found += database.execute(statement).fetchall()
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.db"


def test_a_new_file_has_the_tables_and_numbers(path: Path) -> None:
    open_store(f"sqlite:///{path}").close()
    tables = execute(
        path,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    )
    assert {name for (name,) in tables} == {*schema.metadata.tables}
    assert execute(path, "PRAGMA user_version", "PRAGMA application_id") == [
        (SCHEMA_VERSION,),
        (APPLICATION_ID,),
    ]


OTHERS = [
    ["CREATE TABLE t (a)"],
    ["PRAGMA user_version = 1"],
    [f"PRAGMA user_version = {SCHEMA_VERSION}"],
    [f"PRAGMA user_version = {SCHEMA_VERSION}", f"PRAGMA application_id = {APPLICATION_ID + 1}"],
]


@pytest.mark.parametrize("statements", OTHERS)
def test_the_database_of_another_program_is_refused_and_unchanged(
    path: Path,
    statements: list[str],
) -> None:
    look = "SELECT name FROM sqlite_master", "PRAGMA user_version", "PRAGMA application_id"
    execute(path, *statements)
    before = execute(path, *look)
    with pytest.raises(
        StoreError,
        match="not a store: another program created this SQLite database",
    ):
        open_store(f"sqlite:///{path}")
    assert execute(path, *look) == before


def test_a_newer_schema_is_refused(path: Path) -> None:
    open_store(f"sqlite:///{path}").close()
    execute(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(
        StoreError,
        match=f"its schema is {SCHEMA_VERSION + 1}, this one knows {SCHEMA_VERSION}",
    ):
        open_store(f"sqlite:///{path}")


# `mqsc doctor` counts all rows; dltmqm removes the messages of all queues of a queue manager; `mqsc
# report` looks for a queue that no longer exists; `mqsc reconcile` compares all messages with the
# history; --as-of places those of a queue in a copy anew, and a replay has some of them ask for
# reports.
MEANT_TO = {
    *("maintenance.messages_without_queue", "maintenance.messages_without_unit"),
    *("managers.remove_messages", "search.names_of_queues"),
    *("search.messages_there", "search.queues_there"),
    *("search.reply_queues", "kept.complete", "past.ask_for_reports"),
}


def test_no_statement_reads_all_messages_or_the_whole_history() -> None:
    with open_store("sqlite://") as store:
        execute = store.database.acquire_connection().execute
        plans = {
            f"{file.stem}.{name}": {
                step[3]
                for step in execute(f"EXPLAIN QUERY PLAN {text}", [None] * parameters_of(text))
            }
            for file in Path(sql.__file__).parent.glob("*.sql")
            if file.stem != "schema"
            for name, text in statements_in(file).items()
        }
    assert {
        key for key, steps in plans.items() if steps & {"SCAN message", "SCAN event"}
    } == MEANT_TO


def parameters_of(statement: str) -> int:
    return max(map(int, re.findall(r"\?(\d+)", statement)), default=0)
