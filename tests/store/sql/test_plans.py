"""The query plans of the statements: work on one queue does not read the messages of all queues."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from store import sql
from store.client.open_store import open_store
from store.sqlite.statement import Statement

LARGE = ("SCAN message", "SCAN event")
# `mqsc doctor` counts all rows; dltmqm removes the messages of all queues of a queue manager; `mqsc report` looks for a
# queue that no longer exists.
MEANT_TO = {"health._ORPHANS", "queue_managers._REMOVE_MESSAGES", "queue_names._RECORDED"}


def statements() -> Iterator[tuple[str, Statement]]:
    """Yield every statement that is a global of a module, with its name."""
    for found in pkgutil.iter_modules(sql.__path__):
        module = import_module(f"store.sql.{found.name}")
        for name, value in vars(module).items():
            if isinstance(value, Statement):
                yield f"{found.name}.{name}", value


def test_no_statement_reads_all_messages_or_the_whole_history() -> None:
    with open_store("sqlite://") as store:
        connection = store.database.acquire_connection()
        scanning = set()
        for name, statement in statements():
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement.text}", [None] * statement.text.count("?"))
            if any(step[3] in LARGE for step in plan):
                scanning.add(name)
    assert scanning == MEANT_TO
