"""Statements about subscriptions, retained publications and publishers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mqsc.store.client.store import Store, open_store
from mqsc.store.rules.topics.wildcards import TopicPattern, buckets
from mqsc.store.sql import subscriptions
from mqsc.store.sqlite.database import Reading, Transaction


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store("sqlite://") as opened:
        yield opened


def test_a_publication_finds_the_subscriptions_of_its_branch(store: Store) -> None:
    with Transaction(store.database, durable=False) as tx:
        for string in ("a/b", "a/+", "#", "b", "a/c/#"):
            bucket = TopicPattern(string, by_character=False).bucket
            subscriptions.add(tx, {"qmgr": "QM1", "topic_string": string, "bucket": bucket})
        subscriptions.add(tx, {"qmgr": "QM1", "topic_string": "old"})
        found = subscriptions.in_buckets(tx, "QM1", buckets("a/b"))
    assert [each.topic_string for each in found] == ["a/b", "a/+", "#", "old"]


def test_the_plan_of_the_look_up_uses_the_index(store: Store) -> None:
    with Reading(store.database) as reading:
        query = f"EXPLAIN QUERY PLAN {subscriptions.SQL['in_buckets']}"
        plan = reading.execute(query, ("QM1", "[]")).fetchall()
    assert "subscription_in_bucket" in str(plan)


def test_names_are_unique_but_for_blank_ones(store: Store) -> None:
    with Transaction(store.database, durable=False) as tx:
        for name in ("", "", "D"):
            subscriptions.add(tx, {"qmgr": "QM1", "name": name})
        assert subscriptions.by_name(tx, "QM1", "") is None
        found = subscriptions.by_name(tx, "QM1", "D")
        assert found is not None
        subscriptions.note_delivery(tx, [found.id], 7)
        subscriptions.set_columns(tx, found.id, {"user": "anna"})
        again = subscriptions.by_id(tx, found.id)
    assert again is not None
    assert (again.delivered, again.delivered_at, again.user) == (1, 7, "anna")


def test_topics_are_forgotten_after_their_time(store: Store) -> None:
    with Transaction(store.database, durable=False) as tx:
        subscriptions.note_topic(tx, "QM1", "a", 5)
        subscriptions.note_topic(tx, "QM1", "b", 9)
        subscriptions.note_topic(tx, "QM1", "a", 6)
        assert subscriptions.topics_since(tx, "QM1", 5) == ["a", "b"]
        assert subscriptions.forget_topics(tx, "QM1", 6) == 1
        assert subscriptions.topics_since(tx, "QM1", 0) == ["b"]


def test_a_note_about_a_message_that_is_gone_is_no_retained_publication(store: Store) -> None:
    with Transaction(store.database, durable=False) as tx:
        subscriptions.add_retained(tx, "QM1", "a", 1, 1, 1)
        assert subscriptions.retained_between(tx, "QM1", "a", "b") == []
        assert subscriptions.forget_removed(tx, "QM1", "a") == 1
