"""`mqsc put --topic` and `mqsc subscribe`."""

from __future__ import annotations

import pytest

from mqsc.store import open_store
from mqsc.store.admin.topics import subscriptions
from mqsc.store.client.queue_manager import QueueManager
from tests.mqsc.session import Session


@pytest.fixture
def shop(session: Session) -> Session:
    session("qmgr create QM1")
    return session


def names(qmgr: QueueManager) -> list[str]:
    """The topic strings of all subscriptions of programs."""
    return [str(row["TOPICSTR"]) for row in subscriptions(qmgr, "*") if row["SUBTYPE"] == "API"]


def test_what_was_retained_is_printed(shop: Session) -> None:
    shop("""
        put --topic prices/tea --retain 3.20 => !| mqsc: 1 message published to prices/tea
        put --topic prices/ink --retain 5 => 0
        put --topic prices/tea 3.30 => 0
        subscribe prices/# --wait 0 => 0
            | 5
            | 3.20
        subscribe prices/# --wait 0 --topics --limit 1 => 0
            | prices/ink	5
        subscribe prices/# --wait 0 --new-only => 0
            |
    """)


def test_properties_and_selectors(shop: Session) -> None:
    shop("""
        put --topic prices/tea --retain --property color=green 3.20 => 0
        put --topic prices/ink --retain --property color=blue 5 => 0
    """)
    [row] = shop("subscribe prices/+ --wait 0 --selector \"color = 'green'\" --format jsonl").rows
    assert row["properties"] == {
        "color": "green",
        "MQTopicString": "prices/tea",
        "MQIsRetained": True,
    }


def test_a_durable_subscription_is_resumed(shop: Session) -> None:
    shop("""
        subscribe prices/+ --durable TEA --wait 0 => 0
        put --topic prices/tea 1 2 3 => 0
        subscribe prices/+ --durable TEA --wait 0 --limit 2 => 0
            | 1
            | 2
        subscribe prices/+ --durable TEA --wait 0 => 0
            | 3
        subscribe prices/* --durable TEA --wait 0 => 10
            ! the subscription TEA is to prices/+; end it with DELETE SUB('TEA')
        subscribe prices/+ --durable TEA --by-character --wait 0 => 10 ! TEA is to prices/+;
        DELETE SUB(TEA)
        subscribe prices/+ --wait 0 => 0
            |
    """)
    with open_store("sqlite:///store.db") as store:
        assert names(store.queue_manager()) == []


def test_by_character(shop: Session) -> None:
    shop("""
        put --topic prices/tea --retain 1 => 0
        subscribe prices*a --by-character --wait 0 => 0
            | 1
        subscribe a%b --by-character --wait 0 => 10 ! 2425
    """)


def test_texts_of_publications(shop: Session) -> None:
    """With --topic every argument is a text, also one that could not be the name of a queue."""
    shop("""
        subscribe a --durable D --wait 0 => 0
        put --topic a 'not a name' two => !| mqsc: 2 messages published to a
        put 'also text' --topic a => 0
        put --topic a - << three\\nfour\\n => 0
        subscribe a --durable D --wait 0 => 0
            | not a name
            | two
            | also text
            | three
            | four
    """)


def test_wrong_input(shop: Session) -> None:
    shop("""
        DEFINE QLOCAL(Q)
        put => 20 ! name a QUEUE, or a topic with --topic STRING
        put --topic a => 20 ! nothing to put
        put Q --retain x => 20 ! --retain needs --topic
        put --topic '' x => 20 ! the topic string is empty
        subscribe '' --wait 0 => 20 ! the topic string is empty
        subscribe a --selector 'color =' => 20 ! --selector
        subscribe a --limit 0 => 20 ! 0
    """)


def test_disabled_topics(shop: Session) -> None:
    shop("""
        DEFINE TOPIC(T) TOPICSTR('a') PUB(DISABLED) SUB(DISABLED)
        put --topic a/b x => 10 ! 2051
        subscribe a/b --wait 0 => 10 ! 2503
    """)
