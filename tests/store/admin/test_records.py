"""SET, DELETE and DISPLAY of AUTHREC and CHLAUTH, topics and subscriptions: what they must name, and what is shown."""

from __future__ import annotations

from typing import Any

import pytest

from store.admin.altering import change
from store.admin.defining import create
from store.admin.deleting import delete
from store.admin.records import (
    authority_records,
    channel_rules,
    deciding_rules,
    delete_authority,
    entity_authority,
    publish_subscribe_status,
    set_authority,
    set_channel_rule,
    subscription_status,
    subscriptions,
    topic_status,
)
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQRC, MQRCCF
from store.rules.channel_auth import ConnectingClient
from tests.store.admin.looking import history, refused, shown

JOE = ("PRINCIPAL", "joe")
CLERKS = ("GROUP", "clerks")
ORDERS = ("ORDERS.**", "QUEUE")


def held(qmgr: QueueManager, profile: str = "", type: str = "ALL") -> dict[tuple[str, str], list[str]]:
    """Return the authorities by profile and entity."""
    return {(row["PROFILE"], row["ENTITY"]): row["AUTHLIST"] for row in authority_records(qmgr, profile, type)}


def test_authorities_are_merged(qmgr: QueueManager) -> None:
    set_authority(qmgr, ORDERS, [JOE, CLERKS], ["PUT", "GET"], [])
    set_authority(qmgr, ORDERS, [JOE], ["INQ"], ["GET"])
    assert held(qmgr) == {("ORDERS.**", "clerks"): ["GET", "PUT"], ("ORDERS.**", "joe"): ["INQ", "PUT"]}
    set_authority(qmgr, ORDERS, [JOE], ["BROWSE"], ["ALL"])
    set_authority(qmgr, ORDERS, [CLERKS], [], ["ALL"])
    assert held(qmgr) == {("ORDERS.**", "clerks"): [], ("ORDERS.**", "joe"): ["BROWSE"]}


def test_a_user_and_a_group_of_one_name_are_two(qmgr: QueueManager) -> None:
    set_authority(qmgr, ORDERS, [JOE, ("GROUP", "joe")], ["PUT"], [])
    assert [row["ENTTYPE"] for row in authority_records(qmgr, "")] == ["GROUP", "PRINCIPAL"]


def test_a_right_that_is_not_for_the_type_changes_nothing(qmgr: QueueManager) -> None:
    with refused(MQRCCF.AUTH_VALUE_ERROR):
        set_authority(qmgr, ORDERS, [JOE], ["PUT", "CONNECT"], [])
    assert held(qmgr) == {}


@pytest.mark.parametrize(
    ("profile", "type", "entities", "match", "found"),
    [
        ("", "ALL", [], "PROFILE", ["**", "ORDERS", "ORDERS.**", "self"]),
        ("", "QMGR", [], "PROFILE", ["self"]),
        ("ORDERS.NEW", "ALL", [], "PROFILE", ["**", "ORDERS.**"]),
        ("ORDERS", "QUEUE", [], "MEMBERSHIP", ["ORDERS", "ORDERS.**"]),
        ("ORDERS", "ALL", [], "EXACT", ["ORDERS"]),
        ("ORDERS.**", "ALL", [], "EXACT", ["ORDERS.**"]),
        ("", "ALL", [JOE], "PROFILE", ["**", "ORDERS"]),
        ("", "ALL", [("GROUP", "joe")], "PROFILE", []),
    ],
)
def test_which_records_are_shown(
    qmgr: QueueManager, profile: str, type: str, entities: list[tuple[str, str]], match: str, found: list[str]
) -> None:
    set_authority(qmgr, ("**", "TOPIC"), [JOE], ["PUB"], [])
    set_authority(qmgr, ("ORDERS", "QUEUE"), [JOE], ["PUT"], [])
    set_authority(qmgr, ORDERS, [CLERKS], ["GET"], [])
    set_authority(qmgr, ("self", "QMGR"), [CLERKS], ["CONNECT"], [])
    assert [row["PROFILE"] for row in authority_records(qmgr, profile, type, entities, match)] == found


def test_the_most_specific_record_is_what_a_user_has(qmgr: QueueManager) -> None:
    set_authority(qmgr, ORDERS, [JOE], ["PUT"], [])
    set_authority(qmgr, ("ORDERS.NEW", "QUEUE"), [JOE], ["GET"], [])
    assert entity_authority(qmgr, "ORDERS.NEW", "QUEUE", JOE)["AUTHLIST"] == ["GET"]
    assert entity_authority(qmgr, "ORDERS.OLD", "QUEUE", JOE)["AUTHLIST"] == ["PUT"]
    assert entity_authority(qmgr, "OTHER", "QUEUE", JOE)["AUTHLIST"] == []
    assert entity_authority(qmgr, "ORDERS.OLD", "TOPIC", JOE)["AUTHLIST"] == []


def test_records_are_deleted_all_or_none(qmgr: QueueManager) -> None:
    set_authority(qmgr, ORDERS, [JOE], ["PUT"], [])
    with refused(MQRCCF.PROFILE_NAME_ERROR):
        delete_authority(qmgr, ORDERS, [JOE, CLERKS])
    assert len(held(qmgr)) == 1
    delete_authority(qmgr, ORDERS, [JOE])
    assert held(qmgr) == {}


@pytest.mark.parametrize(
    ("kind", "given", "type"),
    [
        ("QLOCAL", {}, "QUEUE"),
        ("QALIAS", {"TARGET": "X"}, "QUEUE"),
        ("TOPIC", {"TOPICSTR": "x"}, "TOPIC"),
        ("NAMELIST", {}, "NAMELIST"),
        ("CHANNEL", {"CHLTYPE": "SVRCONN"}, "CHANNEL"),
    ],
)
def test_an_object_takes_its_records_with_it(qmgr: QueueManager, kind: str, given: dict[str, str], type: str) -> None:
    """Only those with exactly its name and type; AUTHREC(NO) keeps them."""
    others = [("A*", type), ("AB", type), ("A", "PROCESS")]
    for authority in [("A", type), *others]:
        set_authority(qmgr, authority, [JOE], ["CHG"], [])
    for kept in (True, False):
        create(qmgr, KINDS[kind], "A", given)
        delete(qmgr, KINDS[kind], "A", with_authority=not kept)
        left = {(row["PROFILE"], row["OBJTYPE"]) for row in authority_records(qmgr, "")}
        assert left == {*others, *([("A", type)] if kept else [])}


def test_a_client_connection_has_records_of_its_own(qmgr: QueueManager) -> None:
    channel = KINDS["CHANNEL"]
    for type in ("CHANNEL", "CLNTCONN"):
        set_authority(qmgr, ("A", type), [JOE], ["CHG"], [])
    create(qmgr, channel, "A", {"CHLTYPE": "CLNTCONN", "CONNAME": "x"})
    delete(qmgr, channel, "A", client=True)
    assert [row["OBJTYPE"] for row in authority_records(qmgr, "")] == ["CHANNEL"]


def test_the_history_has_before_and_after(store: Store, qmgr: QueueManager) -> None:
    set_authority(qmgr, ("A", "QUEUE"), [JOE], ["PUT"], [])
    set_authority(qmgr, ("A", "QUEUE"), [JOE], ["GET"], [])
    delete_authority(qmgr, ("A", "QUEUE"), [JOE])
    events = [(each.kind, each.cause, each.target, each.detail) for each in history(store, "A")]
    assert events[0][:3] == ("SET", "command", "AUTHREC")
    assert events[0][3]["AUTHLIST"] == [None, ["PUT"]]
    record = {"OBJTYPE": "QUEUE", "ENTTYPE": "PRINCIPAL", "ENTITY": "joe"}
    assert events[1] == ("SET", "command", "AUTHREC", {"record": record, "AUTHLIST": [["PUT"], ["GET", "PUT"]]})
    assert events[2][:3] == ("DELETE", None, "AUTHREC")
    assert events[2][3]["AUTHLIST"] == [["GET", "PUT"], None]


MAP = {"TYPE": "ADDRESSMAP", "ADDRESS": "10.*", "MCAUSER": "joe"}
SHIPPED = [("*", "BLOCKUSER"), ("SYSTEM.*", "ADDRESSMAP"), ("SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP")]


def users(qmgr: QueueManager, profile: str) -> list[str]:
    """Return the USERLIST of the only BLOCKUSER record of a profile."""
    (found,) = (row["USERLIST"] for row in channel_rules(qmgr, profile) if row["TYPE"] == "BLOCKUSER")
    return list(found)


def test_a_new_queue_manager_has_three(qmgr: QueueManager) -> None:
    assert [(row["CHLAUTH"], row["TYPE"]) for row in channel_rules(qmgr, "*")] == SHIPPED


def test_records_of_one_profile_are_told_apart_by_what_they_look_at(qmgr: QueueManager) -> None:
    set_channel_rule(qmgr, "A", MAP, "ADD")
    set_channel_rule(qmgr, "A", {**MAP, "ADDRESS": "11.*"}, "ADD")
    set_channel_rule(qmgr, "A", {"TYPE": "USERMAP", "CLNTUSER": "x", "USERSRC": "CHANNEL"}, "ADD")
    assert [(row["TYPE"], row["ADDRESS"]) for row in channel_rules(qmgr, "A")] == [
        ("ADDRESSMAP", "10.*"),
        ("ADDRESSMAP", "11.*"),
        ("USERMAP", ""),
    ]


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        ([("ADD", MAP), ("ADD", MAP)], MQRCCF.CHLAUTH_ALREADY_EXISTS),
        ([("REMOVE", {"TYPE": "ADDRESSMAP", "ADDRESS": "10.*"})], MQRCCF.CHLAUTH_NOT_FOUND),
        ([("ADD", MAP), ("REMOVE", {"TYPE": "ADDRESSMAP", "ADDRESS": "11.*"})], MQRCCF.CHLAUTH_NOT_FOUND),
        ([("REMOVEALL", {"TYPE": "ADDRESSMAP"})], MQRCCF.CHLAUTH_NOT_FOUND),
        ([("ADD", {"TYPE": "BLOCKUSER"})], MQRCCF.PARM_MISSING),
        ([("REMOVE", {"TYPE": "BLOCKUSER", "USERLIST": ["x"]})], MQRCCF.CHLAUTH_NOT_FOUND),
        (
            [("ADD", {"TYPE": "BLOCKUSER", "USERLIST": ["a"]}), ("REMOVE", {"TYPE": "BLOCKUSER", "USERLIST": ["x"]})],
            MQRCCF.CHLAUTH_NOT_FOUND,
        ),
        ([("ADD", {"TYPE": "BLOCKADDR", "ADDRLIST": ["*"]})], MQRCCF.CHLAUTH_NAME_ERROR),
        ([("ADD", {**MAP, "ADDRESS": "10.5-0.*"})], MQRCCF.IPADDR_RANGE_ERROR),
        ([("ADD", {**MAP, "ADDRESS": "300.1.1.1"})], MQRCCF.IPADDR_ERROR),
        (
            [("ADD", {**MAP, "ADDRESS": "10.1-5.*"}), ("ADD", {**MAP, "ADDRESS": "10.3-8.*"})],
            MQRCCF.IPADDR_RANGE_CONFLICT,
        ),
    ],
)
def test_what_channel_rules_refuse(qmgr: QueueManager, actions: list[tuple[str, dict[str, Any]]], reason: int) -> None:
    *before, last = actions
    for action, given in before:
        set_channel_rule(qmgr, "A", given, action)
    had = [*channel_rules(qmgr, "*")]
    with refused(reason):
        set_channel_rule(qmgr, "A", last[1], last[0])
    assert [*channel_rules(qmgr, "*")] == had


def test_replace_resets_what_is_not_given(qmgr: QueueManager) -> None:
    set_channel_rule(qmgr, "A", {**MAP, "DESCR": "x", "WARN": "YES"}, "REPLACE")
    set_channel_rule(qmgr, "A", {**MAP, "MCAUSER": "jim"}, "REPLACE")
    (row,) = channel_rules(qmgr, "A")
    assert (row["MCAUSER"], row["DESCR"], row["WARN"]) == ("jim", "", "NO")


def test_lists_grow_and_shrink(qmgr: QueueManager) -> None:
    def said(action: str, *names: str) -> None:
        set_channel_rule(qmgr, "A", {"TYPE": "BLOCKUSER", **({"USERLIST": [*names]} if names else {})}, action)

    said("ADD", "a", "b")
    said("ADD", "b", "c")
    assert users(qmgr, "A") == ["a", "b", "c"]
    said("REMOVE", "a", "nobody")
    assert users(qmgr, "A") == ["b", "c"]
    said("REPLACE", "d")
    assert users(qmgr, "A") == ["d"]
    said("REMOVE", "d")
    assert [*channel_rules(qmgr, "A")] == []
    said("ADD", "a")
    said("REMOVEALL")
    assert [*channel_rules(qmgr, "A")] == []


def test_removing_all_of_a_type_leaves_the_others(qmgr: QueueManager) -> None:
    for address in ("10.*", "11.*"):
        set_channel_rule(qmgr, "A", {**MAP, "ADDRESS": address}, "ADD")
    set_channel_rule(qmgr, "A", {"TYPE": "USERMAP", "CLNTUSER": "x", "USERSRC": "CHANNEL"}, "ADD")
    set_channel_rule(qmgr, "AB", MAP, "ADD")
    set_channel_rule(qmgr, "A", {"TYPE": "ADDRESSMAP"}, "REMOVEALL")
    assert [(row["CHLAUTH"], row["TYPE"]) for row in channel_rules(qmgr, "A*")] == [
        ("A", "USERMAP"),
        ("AB", "ADDRESSMAP"),
    ]


@pytest.mark.parametrize(
    ("profile", "match", "found"),
    [
        ("APP.*", "EXACT", ["APP.*"]),
        ("APP.ONE", "EXACT", ["APP.ONE"]),
        ("APP.*", "GENERIC", ["APP.*", "APP.ONE"]),
        ("*.ONE", "GENERIC", ["APP.ONE"]),
        ("APP.ONE", "GENERIC", ["APP.ONE"]),
        ("APP.ONE", "ALL", ["*", "APP.*", "APP.ONE"]),
    ],
)
def test_how_records_are_found(qmgr: QueueManager, profile: str, match: str, found: list[str]) -> None:
    for each in ("APP.*", "APP.ONE", "OTHER"):
        set_channel_rule(qmgr, each, MAP, "ADD")
    assert [row["CHLAUTH"] for row in channel_rules(qmgr, profile, match)] == found


def test_the_channel_tells_who_a_caller_is(qmgr: QueueManager) -> None:
    set_channel_rule(qmgr, "APP", {"TYPE": "ADDRESSMAP", "ADDRESS": "*", "USERSRC": "CHANNEL"}, "ADD")
    set_channel_rule(qmgr, "APP", {"TYPE": "BLOCKUSER", "USERLIST": ["svc"]}, "ADD")
    caller = ConnectingClient("APP", "10.1.1.1", user="joe")
    assert [row["TYPE"] for row in deciding_rules(qmgr, caller)[0]] == ["ADDRESSMAP"]
    create(qmgr, KINDS["CHANNEL"], "APP", {"CHLTYPE": "SVRCONN", "MCAUSER": "svc"})
    assert [row["TYPE"] for row in deciding_rules(qmgr, caller)[0]] == ["BLOCKUSER"]


def test_the_history_of_a_channel_rule(store: Store, qmgr: QueueManager) -> None:
    set_channel_rule(qmgr, "A", MAP, "ADD")
    set_channel_rule(qmgr, "A", {**MAP, "MCAUSER": "jim"}, "REPLACE")
    set_channel_rule(qmgr, "A", {"TYPE": "ADDRESSMAP", "ADDRESS": "10.*"}, "REMOVE")
    events = [(each.kind, each.cause, each.target, each.detail) for each in history(store, "A")]
    made = {"TYPE": [None, "ADDRESSMAP"], "ADDRESS": [None, "10.*"], "MCAUSER": [None, "joe"]}
    assert events[0] == ("SET", "command", "CHLAUTH", made)
    record = {"TYPE": "ADDRESSMAP", "ADDRESS": "10.*"}
    assert events[1] == ("SET", "command", "CHLAUTH", {"record": record, "MCAUSER": ["joe", "jim"]})
    assert events[2][:3] == ("DELETE", None, "CHLAUTH")
    assert events[2][3]["MCAUSER"] == ["jim", None]
    assert {each.user for each in history(store, "A")} == {"tester"}


def test_a_queue_manager_that_does_not_run(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        set_channel_rule(qmgr, "A", MAP, "ADD")


TOPIC, SUB = KINDS["TOPIC"], KINDS["SUB"]


@pytest.fixture
def broker(qmgr: QueueManager) -> QueueManager:
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
def test_what_a_subscription_must_name(broker: QueueManager, given: dict[str, Any], reason: int, name: str) -> None:
    if not reason:
        create(broker, SUB, "S", given)
        return
    with refused(reason, name):
        create(broker, SUB, "S", given)


def test_every_subscription_has_an_identifier_of_its_own(broker: QueueManager) -> None:
    for name in ("A", "B"):
        create(broker, SUB, name, {"TOPICSTR": "x", "DEST": "NEWS"})
    create(broker, SUB, "C", {}, like="A")
    found = [row["SUBID"] for row in subscriptions(broker, "*")]
    assert len({*found}) == len(found) == 4
    before = shown(broker, "SUB", "A")["SUBID"]
    change(broker, SUB, "A", {"USERDATA": "x"})
    create(broker, SUB, "A", {"TOPICSTR": "y", "DEST": "NEWS"}, replace=True)
    assert shown(broker, "SUB", "A")["SUBID"] == before


def test_no_two_topics_stand_at_one_string(broker: QueueManager) -> None:
    with refused(MQRCCF.TOPICSTR_ALREADY_EXISTS, "prices"):
        create(broker, TOPIC, "OTHER", {"TOPICSTR": "prices"})
    create(broker, TOPIC, "PRICES", {"TOPICSTR": "prices"}, replace=True)
    delete(broker, TOPIC, "PRICES")
    create(broker, TOPIC, "OTHER", {"TOPICSTR": "prices"})


@pytest.mark.parametrize(
    ("given", "resolved"),
    [
        ({"TOPICOBJ": "FRUIT"}, "prices/fruit"),
        ({"TOPICOBJ": "FRUIT", "TOPICSTR": "apples"}, "prices/fruit/apples"),
        ({"TOPICSTR": "apples"}, "apples"),
    ],
)
def test_the_string_subscribed_to(broker: QueueManager, given: dict[str, str], resolved: str) -> None:
    create(broker, SUB, "S", {**given, "DEST": "NEWS"})
    (row,) = subscriptions(broker, "S")
    (defined,) = subscriptions(broker, "S", resolved=False)
    assert (row["TOPICSTR"], defined["TOPICSTR"]) == (resolved, given.get("TOPICSTR", ""))
    (status,) = subscription_status(broker, "S")
    assert (status["TOPICSTR"], status["NUMMSGS"], status["SUBID"]) == (resolved, 0, row["SUBID"])


def test_the_tree(broker: QueueManager) -> None:
    create(broker, SUB, "S", {"TOPICOBJ": "FRUIT", "TOPICSTR": "red/apples", "DEST": "NEWS"})
    found = {
        row["TOPICSTR"]: (row["ADMIN"], row["PUB"], row["DEFPRTY"], row["SUBCOUNT"])
        for row in topic_status(broker, "prices/#")
    }
    assert found == {
        "prices": ("PRICES", "DISABLED", 0, 0),
        "prices/fruit": ("FRUIT", "DISABLED", 5, 0),
        "prices/fruit/red": ("", "DISABLED", 5, 0),
        "prices/fruit/red/apples": ("", "DISABLED", 5, 1),
    }
    assert [row["SUB"] for row in topic_status(broker, "prices/#", "SUB")] == ["S"]
    assert [*topic_status(broker, "prices", "SUB")] == []
    assert [*topic_status(broker, "#", "PUB")] == []
    (status,) = publish_subscribe_status(broker)
    assert (status["STATUS"], status["SUBCOUNT"]) == ("INACTIVE", 1)
    assert [*publish_subscribe_status(broker, "", "CHILD")] == []
