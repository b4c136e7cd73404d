"""Topics and subscriptions: what they must name, and what is shown."""

from __future__ import annotations

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.admin.topics import (
    publish_subscribe_status,
    subscription_status,
    subscriptions,
    topic_status,
)
from mqsc.store.catalog import KINDS, Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from tests.store.admin.looking import refused, shown

TOPIC, SUB = KINDS["TOPIC"], KINDS["SUB"]


@pytest.fixture
def broker(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "NEWS", {})
    create(qmgr, TOPIC, "PRICES", {"TOPICSTR": "prices", "PUB": "DISABLED"})
    create(qmgr, TOPIC, "FRUIT", {"TOPICSTR": "prices/fruit", "DEFPRTY": 5})
    return qmgr


NAMED: list[dict[str, Stored]] = [
    {"TOPICSTR": "x", "DEST": "NEWS"},
    {"TOPICOBJ": "FRUIT", "DEST": "NEWS"},
    {"TOPICSTR": "x", "DESTCLAS": "MANAGED"},
    {"TOPICSTR": "x", "DEST": "FAR", "DESTQMGR": "QM2"},
]


def test_what_a_subscription_must_name(broker: QueueManager) -> None:
    for number, named in enumerate(NAMED):
        create(broker, SUB, f"S{number}", named)
    for given, reason, name in (
        ({"DEST": "NEWS"}, MQRCCF.PARM_MISSING, "TOPICSTR or TOPICOBJ"),
        ({"TOPICSTR": "x"}, MQRCCF.PARM_MISSING, "DEST"),
        ({"TOPICSTR": "x", "DEST": "NONE"}, MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
        ({"TOPICSTR": "x", "DEST": "NONE", "DESTQMGR": "QM1"}, MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
        ({"TOPICOBJ": "NONE", "DEST": "NEWS"}, MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
    ):
        with refused(reason, name):
            create(broker, SUB, "S", given)


def test_every_subscription_has_an_identifier_and_every_topic_a_string_of_its_own(
    broker: QueueManager,
) -> None:
    for name in ("A", "B"):
        create(broker, SUB, name, {"TOPICSTR": "x", "DEST": "NEWS"})
    create(broker, SUB, "C", {}, like="A")
    found = [row["SUBID"] for row in subscriptions(broker, "*")]
    assert len({*found}) == len(found) == 4
    before = shown(broker, "SUB", "A")["SUBID"]
    change(broker, SUB, "A", {"USERDATA": "x"})
    with refused(MQRC.TOPIC_NOT_ALTERABLE, "A"):
        create(broker, SUB, "A", {"TOPICSTR": "y", "DEST": "NEWS"}, replace=True)
    create(broker, SUB, "A", {"TOPICSTR": "x", "DEST": "NEWS", "PUBPRTY": 5}, replace=True)
    assert shown(broker, "SUB", "A")["SUBID"] == before
    with refused(MQRCCF.TOPICSTR_ALREADY_EXISTS, "prices"):
        create(broker, TOPIC, "OTHER", {"TOPICSTR": "prices"})
    create(broker, TOPIC, "PRICES", {"TOPICSTR": "prices"}, replace=True)
    delete(broker, TOPIC, "PRICES")
    create(broker, TOPIC, "OTHER", {"TOPICSTR": "prices"})


def test_the_string_subscribed_to(broker: QueueManager) -> None:
    for name, given, resolved in (
        ("S1", {"TOPICOBJ": "FRUIT"}, "prices/fruit"),
        ("S2", {"TOPICOBJ": "FRUIT", "TOPICSTR": "apples"}, "prices/fruit/apples"),
        ("S3", {"TOPICSTR": "apples"}, "apples"),
    ):
        create(broker, SUB, name, {**given, "DEST": "NEWS"})
        (row,), (defined,) = (
            subscriptions(broker, name),
            subscriptions(broker, name, resolved=False),
        )
        assert (row["TOPICSTR"], defined["TOPICSTR"]) == (resolved, given.get("TOPICSTR", ""))
        (status,) = subscription_status(broker, name)
        assert (status["TOPICSTR"], status["NUMMSGS"], status["SUBID"]) == (
            resolved,
            0,
            row["SUBID"],
        )


def test_the_tree(broker: QueueManager) -> None:
    create(broker, SUB, "S", {"TOPICOBJ": "FRUIT", "TOPICSTR": "red/apples", "DEST": "NEWS"})
    words = ("ADMIN", "PUB", "DEFPRTY", "SUBCOUNT")
    found = {
        row["TOPICSTR"]: tuple(row[word] for word in words)
        for row in topic_status(broker, "prices/#")
    }
    assert found == {
        "prices": ("PRICES", "DISABLED", 0, 0),
        "prices/fruit": ("FRUIT", "DISABLED", 5, 0),
        "prices/fruit/red": ("", "DISABLED", 5, 0),
        "prices/fruit/red/apples": ("", "DISABLED", 5, 1),
    }
    assert [row["SUB"] for row in topic_status(broker, "prices/#", "SUB")] == ["S"]
    assert [*topic_status(broker, "prices", "SUB"), *topic_status(broker, "#", "PUB")] == []
    (status,) = publish_subscribe_status(broker)
    assert (status["STATUS"], status["SUBCOUNT"]) == ("ACTIVE", 1)
    assert [*publish_subscribe_status(broker, "", "CHILD")] == []
