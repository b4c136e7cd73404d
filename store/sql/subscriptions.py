"""Subscriptions, retained publications, and who publishes to what."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from mqsc.store.sql.results import every_row, first_column, first_row
from mqsc.store.sql.rows import PublisherRow, RetainedRow, SubscriptionRow
from mqsc.store.sql.texts import json_list, named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)
# The bucket of subscriptions that every publication looks at.
EVERYWHERE = ""


def add(tx: Transaction, row: Mapping[str, Any]) -> int:
    """Store a subscription; return its number."""
    return tx.insert("subscription", row)


def by_id(tx: Queries, id: int) -> SubscriptionRow | None:
    """Return a subscription by its number, or None."""
    return first_row(SubscriptionRow, tx.execute(SQL["by_id"], (id,)))


def by_name(tx: Queries, qmgr: str, name: str) -> SubscriptionRow | None:
    """Return the subscription of that name, or None; those without a name are not found."""
    return first_row(SubscriptionRow, tx.execute(SQL["by_name"], (qmgr, name)))


def by_identifier(tx: Queries, qmgr: str, identifier: str) -> SubscriptionRow | None:
    """Return the subscription with that identifier, in hexadecimal, or None."""
    return first_row(SubscriptionRow, tx.execute(SQL["by_identifier"], (qmgr, identifier)))


def of_handle(tx: Queries, handle: int) -> SubscriptionRow | None:
    """Return the subscription that a handle has open, or None."""
    return first_row(SubscriptionRow, tx.execute(SQL["of_handle"], (handle,)))


def in_buckets(tx: Queries, qmgr: str, buckets: Iterable[str]) -> list[SubscriptionRow]:
    """Return the subscriptions in these buckets, oldest first."""
    listed = json_list([EVERYWHERE, *buckets])
    return every_row(SubscriptionRow, tx.execute(SQL["in_buckets"], (qmgr, listed)))


def of_queue_manager(tx: Queries, qmgr: str) -> list[SubscriptionRow]:
    """Return all subscriptions by name; those without one first, oldest first."""
    return every_row(SubscriptionRow, tx.execute(SQL["of_queue_manager"], (qmgr,)))


def of_queue(tx: Queries, qmgr: str, name: str) -> list[SubscriptionRow]:
    """Return the subscriptions whose destination has that name."""
    return every_row(SubscriptionRow, tx.execute(SQL["of_queue"], (qmgr, name)))


def expired(tx: Queries, qmgr: str, now: int) -> list[SubscriptionRow]:
    """Return the subscriptions whose time is over."""
    return every_row(SubscriptionRow, tx.execute(SQL["expired"], (qmgr, now)))


@lru_cache(maxsize=64)
def _update_text(names: tuple[str, ...]) -> str:
    changes = ", ".join(f'"{name}" = ?' for name in names)
    return f"UPDATE subscription SET {changes} WHERE id = ?"


def set_columns(tx: Transaction, id: int, values: Mapping[str, Any]) -> None:
    """Update columns of a subscription."""
    tx.execute(_update_text(tuple(values)), (*values.values(), id))


def note_delivery(tx: Transaction, ids: list[int], now: int) -> int:
    """Count a publication that was put for each of these subscriptions."""
    if len(ids) == 1:
        # A list takes three times as long as the rest of the statement.
        return tx.execute(SQL["note_one_delivery"], (ids[0], now)).rowcount
    return tx.execute(SQL["note_delivery"], (json_list(ids), now)).rowcount


def remove(tx: Transaction, id: int) -> int:
    """Remove a subscription."""
    return tx.execute(SQL["remove"], (id,)).rowcount


def forget_programs(tx: Transaction, qmgr: str, now: int) -> None:
    """In a copy of an earlier state: no program has subscriptions open, and what was delivered
    later is not counted.
    """
    tx.execute(SQL["close_all"], (qmgr,))
    tx.execute(SQL["count_anew"], (qmgr, now))


def topic_objects(tx: Queries, owner: str, strings: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the attributes of the topic objects with these topic strings, by topic string, with
    the name of the object as TOPIC.
    """
    found = tx.execute(SQL["topic_objects"], (owner, json_list([*strings]))).fetchall()
    objects: dict[str, dict[str, Any]] = {}
    for name, text in found:
        attributes = json.loads(text)
        objects[attributes["TOPICSTR"]] = {**attributes, "TOPIC": name}
    return objects


def add_retained(
    tx: Transaction, qmgr: str, topic_string: str, message: int, queue: int, sequence: int
) -> int:
    """Note which message is the retained publication of a topic string, once it is committed;
    return the number of the note.
    """
    return tx.insert(
        "retained",
        {
            "qmgr": qmgr,
            "topic_string": topic_string,
            "message": message,
            "queue": queue,
            "sequence": sequence,
        },
    )


def retained_between(tx: Queries, qmgr: str, low: str, high: str) -> list[RetainedRow]:
    """Return the retained publications of the topic strings from `low` to below `high`, by topic
    string. Those that an open unit of work replaces are still there.
    """
    return every_row(RetainedRow, tx.execute(SQL["retained_between"], (qmgr, low, high)))


def forget_removed(tx: Transaction, qmgr: str, topic_string: str) -> int:
    """Remove the notes about messages that are no longer there."""
    return tx.execute(SQL["forget_removed"], (qmgr, topic_string)).rowcount


def forget_earlier(tx: Transaction, qmgr: str, topic_string: str, than: int) -> int:
    """Remove the notes about messages that were retained before the note with that number."""
    return tx.execute(SQL["forget_earlier"], (qmgr, topic_string, than)).rowcount


def forget_all_retained(tx: Transaction) -> int:
    """Remove the notes of all queue managers, in a copy of an earlier state."""
    return tx.execute(SQL["forget_all_retained"], ()).rowcount


def note_topic(tx: Transaction, qmgr: str, topic_string: str, published_at: int) -> int:
    """Note that a topic string was published to."""
    return tx.execute(SQL["note_topic"], (qmgr, topic_string, published_at)).rowcount


def forget_topics(tx: Transaction, qmgr: str, until: int) -> int:
    """Remove the topic strings that were last published to by that time."""
    return tx.execute(SQL["forget_topics"], (qmgr, until)).rowcount


def topics_since(tx: Queries, qmgr: str, since: int) -> list[str]:
    """Return the topic strings that were published to after that time."""
    return first_column(tx.execute(SQL["topics_since"], (qmgr, since)))


def add_publisher(tx: Transaction, row: Mapping[str, Any]) -> int:
    """Note that a handle is open for publishing."""
    return tx.insert("publisher", row)


def publishers(tx: Queries, qmgr: str) -> list[PublisherRow]:
    """Return the handles that are open for publishing, oldest first."""
    return every_row(PublisherRow, tx.execute(SQL["publishers"], (qmgr,)))


def note_publications(tx: Transaction, handle: int, now: int, count: int) -> int:
    """Count publications of a handle."""
    return tx.execute(SQL["note_publications"], (handle, now, count)).rowcount


def remove_publisher(tx: Transaction, handle: int) -> int:
    """Note that a handle was closed."""
    return tx.execute(SQL["remove_publisher"], (handle,)).rowcount
