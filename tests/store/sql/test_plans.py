"""The query plans of the statements: work on one queue does not read the messages of all queues."""

from __future__ import annotations

from store.client.api import open_store
from store.sql.statements import all_statements

LARGE = ("SCAN message", "SCAN event")
# `mqsc doctor` counts all rows; dltmqm removes the messages of all queues of a queue manager; `mqsc report` looks for a
# queue that no longer exists.
MEANT_TO = {"maintenance.messages_without_queue", "managers._remove_messages", "search.names_of_queues"}


def test_no_statement_reads_all_messages_or_the_whole_history() -> None:
    with open_store("sqlite://") as store:
        connection = store.database.acquire_connection()
        scanning = set()
        for statement in all_statements():
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement.text}", [None] * statement.text.count("?"))
            if any(step[3] in LARGE for step in plan):
                scanning.add(statement.key)
    assert scanning == MEANT_TO
