"""Topics and subscriptions: what they must name, and the topic tree."""

from __future__ import annotations

from typing import Any

import pytest

from store.admin.altering import change
from store.admin.defining import create
from store.admin.deleting import delete
from store.admin.records import publish_subscribe_status, subscription_status, subscriptions, topic_status
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQRC, MQRCCF
from store.error import MQError
from tests.store.admin.looking import shown

TOPIC, SUB = KINDS["TOPIC"], KINDS["SUB"]


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "NEWS", {})
    create(qmgr, TOPIC, "PRICES", {"TOPICSTR": "prices", "PUB": "DISABLED"})
    create(qmgr, TOPIC, "FRUIT", {"TOPICSTR": "prices/fruit", "DEFPRTY": 5})
    return qmgr


@pytest.mark.parametrize(
    ("given", "reason", "name"),
    [
        ({"TOPICSTR": "x", "DEST": "NEWS"}, 0, ""),
        ({"TOPICOBJ": "FRUIT", "DEST": "NEWS"}, 0, ""),
        ({"TOPICSTR": "x", "DESTCLAS": "MANAGED"}, 0, ""),
        ({"TOPICSTR": "x", "DEST": "FAR", "DESTQMGR": "QM2"}, 0, ""),
        ({"DEST": "NEWS"}, MQRCCF.PARM_MISSING, "TOPICSTR or TOPICOBJ"),
        ({"TOPICSTR": "x"}, MQRCCF.PARM_MISSING, "DEST"),
        ({"TOPICSTR": "x", "DEST": "NONE"}, MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
        ({"TOPICSTR": "x", "DEST": "NONE", "DESTQMGR": "QM1"}, MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
        ({"TOPICOBJ": "NONE", "DEST": "NEWS"}, MQRC.UNKNOWN_OBJECT_NAME, "NONE"),
    ],
)
def test_what_a_subscription_must_name(qmgr: QueueManager, given: dict[str, Any], reason: int, name: str) -> None:
    if not reason:
        create(qmgr, SUB, "S", given)
        return
    with pytest.raises(MQError) as caught:
        create(qmgr, SUB, "S", given)
    assert (caught.value.reason, caught.value.object_name) == (reason, name)


def test_every_subscription_has_an_identifier_of_its_own(qmgr: QueueManager) -> None:
    for name in ("A", "B"):
        create(qmgr, SUB, name, {"TOPICSTR": "x", "DEST": "NEWS"})
    create(qmgr, SUB, "C", {}, like="A")
    found = [row["SUBID"] for row in subscriptions(qmgr, "*")]
    assert len({*found}) == len(found) == 4
    before = shown(qmgr, "SUB", "A")["SUBID"]
    change(qmgr, SUB, "A", {"USERDATA": "x"})
    create(qmgr, SUB, "A", {"TOPICSTR": "y", "DEST": "NEWS"}, replace=True)
    assert shown(qmgr, "SUB", "A")["SUBID"] == before


def test_no_two_topics_stand_at_one_string(qmgr: QueueManager) -> None:
    with pytest.raises(MQError) as caught:
        create(qmgr, TOPIC, "OTHER", {"TOPICSTR": "prices"})
    assert (caught.value.reason, caught.value.object_name) == (MQRCCF.TOPICSTR_ALREADY_EXISTS, "prices")
    create(qmgr, TOPIC, "PRICES", {"TOPICSTR": "prices"}, replace=True)
    delete(qmgr, TOPIC, "PRICES")
    create(qmgr, TOPIC, "OTHER", {"TOPICSTR": "prices"})


@pytest.mark.parametrize(
    ("given", "resolved"),
    [
        ({"TOPICOBJ": "FRUIT"}, "prices/fruit"),
        ({"TOPICOBJ": "FRUIT", "TOPICSTR": "apples"}, "prices/fruit/apples"),
        ({"TOPICSTR": "apples"}, "apples"),
    ],
)
def test_the_string_subscribed_to(qmgr: QueueManager, given: dict[str, str], resolved: str) -> None:
    create(qmgr, SUB, "S", {**given, "DEST": "NEWS"})
    (row,) = subscriptions(qmgr, "S")
    (defined,) = subscriptions(qmgr, "S", resolved=False)
    assert (row["TOPICSTR"], defined["TOPICSTR"]) == (resolved, given.get("TOPICSTR", ""))
    (status,) = subscription_status(qmgr, "S")
    assert (status["TOPICSTR"], status["NUMMSGS"], status["SUBID"]) == (resolved, 0, row["SUBID"])


def test_the_tree(qmgr: QueueManager) -> None:
    create(qmgr, SUB, "S", {"TOPICOBJ": "FRUIT", "TOPICSTR": "red/apples", "DEST": "NEWS"})
    found = {
        row["TOPICSTR"]: (row["ADMIN"], row["PUB"], row["DEFPRTY"], row["SUBCOUNT"])
        for row in topic_status(qmgr, "prices/#")
    }
    assert found == {
        "prices": ("PRICES", "DISABLED", 0, 0),
        "prices/fruit": ("FRUIT", "DISABLED", 5, 0),
        "prices/fruit/red": ("", "DISABLED", 5, 0),
        "prices/fruit/red/apples": ("", "DISABLED", 5, 1),
    }
    assert [row["SUB"] for row in topic_status(qmgr, "prices/#", "SUB")] == ["S"]
    assert [*topic_status(qmgr, "prices", "SUB")] == []
    assert [*topic_status(qmgr, "#", "PUB")] == []
    (status,) = publish_subscribe_status(qmgr)
    assert (status["STATUS"], status["SUBCOUNT"]) == ("INACTIVE", 1)
    assert [*publish_subscribe_status(qmgr, "", "CHILD")] == []
