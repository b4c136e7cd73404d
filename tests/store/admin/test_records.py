"""SET, DELETE and DISPLAY of AUTHREC and CHLAUTH, topics and subscriptions: what they must name,
and what is shown.
"""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.authority_records import (
    authority_records,
    delete_authority,
    entity_authority,
    set_authority,
)
from mqsc.store.admin.channel_auth_records import channel_rules, deciding_rules, set_channel_rule
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
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.rules.channel_auth import ConnectingClient
from tests.store.admin.looking import history, refused, shown

JOE, CLERKS = ("PRINCIPAL", "joe"), ("GROUP", "clerks")
ORDERS = ("ORDERS.**", "QUEUE")
CHANNEL, TOPIC, SUB = KINDS["CHANNEL"], KINDS["TOPIC"], KINDS["SUB"]


def held(qmgr: QueueManager) -> dict[tuple[str, str], list[str]]:
    """Return the authorities by profile and entity."""
    return {(row["PROFILE"], row["ENTITY"]): row["AUTHLIST"] for row in authority_records(qmgr, "")}


def test_authorities_are_merged(qmgr: QueueManager) -> None:
    set_authority(qmgr, ORDERS, [JOE, CLERKS], ["PUT", "GET"], [])
    set_authority(qmgr, ORDERS, [JOE], ["INQ"], ["GET"])
    assert held(qmgr) == {
        ("ORDERS.**", "clerks"): ["GET", "PUT"],
        ("ORDERS.**", "joe"): ["INQ", "PUT"],
    }
    set_authority(qmgr, ORDERS, [JOE], ["BROWSE"], ["ALL"])
    set_authority(qmgr, ORDERS, [CLERKS], [], ["ALL"])
    assert held(qmgr) == {("ORDERS.**", "clerks"): [], ("ORDERS.**", "joe"): ["BROWSE"]}


def test_rights_are_those_of_the_type_and_a_user_is_no_group(qmgr: QueueManager) -> None:
    with refused(MQRCCF.AUTH_VALUE_ERROR):
        set_authority(qmgr, ORDERS, [JOE], ["PUT", "CONNECT"], [])
    for given, taken in (["DSP"], ["ALLADM"]), (["PUT"], ["GET", "PUT"]), (["ALL"], ["ALL"]):
        with refused(MQRCCF.AUTH_VALUE_ERROR):
            set_authority(qmgr, ORDERS, [JOE], given, taken)
    assert held(qmgr) == {}
    set_authority(qmgr, ORDERS, [CLERKS], ["ALLMQI"], [])
    set_authority(qmgr, ORDERS, [JOE], ["ALL"], ["ALLADM"])
    assert held(qmgr)["ORDERS.**", "joe"] == held(qmgr)["ORDERS.**", "clerks"]
    delete_authority(qmgr, ORDERS, [JOE, CLERKS])
    set_authority(qmgr, ORDERS, [JOE, ("GROUP", "joe")], ["PUT"], [])
    assert [row["ENTTYPE"] for row in authority_records(qmgr, "")] == ["GROUP", "PRINCIPAL"]


def test_which_records_are_shown(qmgr: QueueManager) -> None:
    set_authority(qmgr, ("**", "TOPIC"), [JOE], ["PUB"], [])
    set_authority(qmgr, ("ORDERS", "QUEUE"), [JOE], ["PUT"], [])
    set_authority(qmgr, ORDERS, [CLERKS], ["GET"], [])
    set_authority(qmgr, ("self", "QMGR"), [CLERKS], ["CONNECT"], [])
    rows: list[tuple[str, str, list[tuple[str, str]], str, list[str]]] = [
        ("", "ALL", [], "PROFILE", ["**", "ORDERS", "ORDERS.**", "self"]),
        ("", "QMGR", [], "PROFILE", ["self"]),
        ("ORDERS.NEW", "ALL", [], "PROFILE", ["**", "ORDERS.**"]),
        ("ORDERS", "QUEUE", [], "MEMBERSHIP", ["ORDERS", "ORDERS.**"]),
        ("ORDERS", "ALL", [], "EXACT", ["ORDERS"]),
        ("ORDERS.**", "ALL", [], "EXACT", ["ORDERS.**"]),
        ("", "ALL", [JOE], "PROFILE", ["**", "ORDERS"]),
        ("", "ALL", [("GROUP", "joe")], "PROFILE", []),
    ]
    for profile, type, entities, match, found in rows:
        records = authority_records(qmgr, profile, type, entities, match)
        assert [row["PROFILE"] for row in records] == found, (profile, type, entities, match)


def test_the_most_specific_record_is_what_a_user_has(qmgr: QueueManager) -> None:
    set_authority(qmgr, ORDERS, [JOE], ["PUT"], [])
    set_authority(qmgr, ("ORDERS.NEW", "QUEUE"), [JOE], ["GET"], [])
    for name, type, has in (
        *(("ORDERS.NEW", "QUEUE", ["GET"]), ("ORDERS.OLD", "QUEUE", ["PUT"])),
        *(("OTHER", "QUEUE", []), ("ORDERS.OLD", "TOPIC", [])),
    ):
        assert entity_authority(qmgr, name, type, JOE)["AUTHLIST"] == has, (name, type)


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
        ("PROCESS", {}, "PROCESS"),
        ("CHANNEL", {"CHLTYPE": "SVRCONN"}, "CHANNEL"),
    ],
)
def test_an_object_takes_its_records_with_it(
    qmgr: QueueManager,
    kind: str,
    given: dict[str, str],
    type: str,
) -> None:
    """Only those with exactly its name and type; AUTHREC(NO) keeps them."""
    others = [("A*", type), ("AB", type), ("A", "LISTENER")]
    for authority in [("A", type), *others]:
        set_authority(qmgr, authority, [JOE], ["CHG"], [])
    for kept in (True, False):
        create(qmgr, KINDS[kind], "A", given)
        delete(qmgr, KINDS[kind], "A", with_authority=not kept)
        left = {(row["PROFILE"], row["OBJTYPE"]) for row in authority_records(qmgr, "")}
        assert left == {*others, *([("A", type)] if kept else [])}


def test_a_client_connection_has_records_of_its_own(qmgr: QueueManager) -> None:
    for type in ("CHANNEL", "CLNTCONN"):
        set_authority(qmgr, ("A", type), [JOE], ["CHG"], [])
    create(qmgr, CHANNEL, "A", {"CHLTYPE": "CLNTCONN", "CONNAME": "x"})
    delete(qmgr, CHANNEL, "A", client=True)
    assert [row["OBJTYPE"] for row in authority_records(qmgr, "")] == ["CHANNEL"]


def test_the_history_has_authorities_before_and_after(store: Store, qmgr: QueueManager) -> None:
    set_authority(qmgr, ("A", "QUEUE"), [JOE], ["PUT"], [])
    set_authority(qmgr, ("A", "QUEUE"), [JOE], ["GET"], [])
    delete_authority(qmgr, ("A", "QUEUE"), [JOE])
    first, second, last = [
        (each.kind, each.cause, each.target, each.detail) for each in history(store, "A")
    ]
    assert (*first[:3], first[3]["AUTHLIST"]) == ("SET", "command", "AUTHREC", [None, ["PUT"]])
    record = {"OBJTYPE": "QUEUE", "ENTTYPE": "PRINCIPAL", "ENTITY": "joe"}
    assert second == (
        "SET",
        "command",
        "AUTHREC",
        {"record": record, "AUTHLIST": [["PUT"], ["GET", "PUT"]]},
    )
    assert (*last[:3], last[3]["AUTHLIST"]) == ("DELETE", None, "AUTHREC", [["GET", "PUT"], None])


MAP = {"TYPE": "ADDRESSMAP", "ADDRESS": "10.*", "MCAUSER": "joe"}
USER_MAP = {"TYPE": "USERMAP", "CLNTUSER": "x", "USERSRC": "CHANNEL"}


def rules(qmgr: QueueManager, profile: str, key: str) -> list[tuple[str, str]]:
    return [(row[key], row["TYPE"]) for row in channel_rules(qmgr, profile)]


def test_rules_are_shipped_changed_and_replaced(qmgr: QueueManager) -> None:
    shipped = [
        ("*", "BLOCKUSER"),
        ("SYSTEM.*", "ADDRESSMAP"),
        ("SYSTEM.ADMIN.SVRCONN", "ADDRESSMAP"),
    ]
    assert rules(qmgr, "*", "CHLAUTH") == shipped
    steps: list[tuple[str, list[str], list[list[str]]]] = [
        *(("ADD", ["a", "b"], [["a", "b"]]), ("ADD", ["b", "c"], [["a", "b", "c"]])),
        *(
            ("REMOVE", ["a", "nobody"], [["b", "c"]]),
            ("REPLACE", ["d"], [["d"]]),
            ("REMOVE", ["d"], []),
        ),
        *(("ADD", ["a"], [["a"]]), ("REMOVEALL", [], [])),
    ]
    for action, names, lists in steps:
        set_channel_rule(
            qmgr,
            "A",
            {"TYPE": "BLOCKUSER", **({"USERLIST": names} if names else {})},
            action,
        )
        assert [row["USERLIST"] for row in channel_rules(qmgr, "A")] == lists, (action, names)
    set_channel_rule(qmgr, "A", {**MAP, "DESCR": "x", "WARN": "YES"}, "REPLACE")
    set_channel_rule(qmgr, "A", {**MAP, "MCAUSER": "jim"}, "REPLACE")
    (row,) = channel_rules(qmgr, "A")
    assert (row["MCAUSER"], row["DESCR"], row["WARN"]) == ("jim", "", "NO")
    qmgr.end(immediate=True)
    with refused(MQRC.Q_MGR_NOT_AVAILABLE):
        set_channel_rule(qmgr, "A", MAP, "ADD")


def test_rules_of_one_profile_are_told_apart_by_what_they_look_at(qmgr: QueueManager) -> None:
    """Removing all of a type leaves the others."""
    for profile, given in (
        ("A", MAP),
        ("A", {**MAP, "ADDRESS": "11.*"}),
        ("A", USER_MAP),
        ("AB", MAP),
    ):
        set_channel_rule(qmgr, profile, given, "ADD")
    assert rules(qmgr, "A", "ADDRESS") == [
        ("10.*", "ADDRESSMAP"),
        ("11.*", "ADDRESSMAP"),
        ("", "USERMAP"),
    ]
    set_channel_rule(qmgr, "A", {"TYPE": "ADDRESSMAP"}, "REMOVEALL")
    assert rules(qmgr, "A*", "CHLAUTH") == [("A", "USERMAP"), ("AB", "ADDRESSMAP")]


BLOCK = {"TYPE": "BLOCKUSER", "USERLIST": ["x"]}
# The last of these actions is refused: (action, what is given), ..., reason.
NOT_SET: list[tuple[list[tuple[str, dict[str, Any]]], int]] = [
    ([("ADD", MAP), ("ADD", MAP)], MQRCCF.CHLAUTH_ALREADY_EXISTS),
    ([("REMOVE", {"TYPE": "ADDRESSMAP", "ADDRESS": "10.*"})], MQRCCF.CHLAUTH_NOT_FOUND),
    (
        [("ADD", MAP), ("REMOVE", {"TYPE": "ADDRESSMAP", "ADDRESS": "11.*"})],
        MQRCCF.CHLAUTH_NOT_FOUND,
    ),
    ([("REMOVEALL", {"TYPE": "ADDRESSMAP"})], MQRCCF.CHLAUTH_NOT_FOUND),
    ([("ADD", {"TYPE": "BLOCKUSER"})], MQRCCF.PARM_MISSING),
    ([("REMOVE", BLOCK)], MQRCCF.CHLAUTH_NOT_FOUND),
    ([("ADD", {**BLOCK, "USERLIST": ["a"]}), ("REMOVE", BLOCK)], MQRCCF.CHLAUTH_NOT_FOUND),
    ([("ADD", {"TYPE": "BLOCKADDR", "ADDRLIST": ["*"]})], MQRCCF.CHLAUTH_NAME_ERROR),
    ([("ADD", {**MAP, "ADDRESS": "10.5-0.*"})], MQRCCF.IPADDR_RANGE_ERROR),
    ([("ADD", {**MAP, "ADDRESS": "300.1.1.1"})], MQRCCF.IPADDR_ERROR),
    (
        [("ADD", {**MAP, "ADDRESS": each}) for each in ("10.1-5.*", "10.3-8.*")],
        MQRCCF.IPADDR_RANGE_CONFLICT,
    ),
]


def test_rules_that_are_refused(qmgr: QueueManager) -> None:
    for number, ((*before, (last, refuse)), reason) in enumerate(NOT_SET):
        for action, given in before:
            set_channel_rule(qmgr, f"A{number}", given, action)
        had = [*channel_rules(qmgr, "*")]
        with refused(reason):
            set_channel_rule(qmgr, f"A{number}", refuse, last)
        assert [*channel_rules(qmgr, "*")] == had


def test_how_rules_are_found_and_who_a_caller_is(qmgr: QueueManager) -> None:
    for each in ("APP.*", "APP.ONE", "OTHER"):
        set_channel_rule(qmgr, each, MAP, "ADD")
    for profile, match, found in (
        ("APP.*", "EXACT", ["APP.*"]),
        ("APP.ONE", "EXACT", ["APP.ONE"]),
        ("APP.*", "GENERIC", ["APP.*", "APP.ONE"]),
        ("*.ONE", "GENERIC", ["APP.ONE"]),
        ("APP.ONE", "GENERIC", ["APP.ONE"]),
        ("APP.ONE", "ALL", ["*", "APP.*", "APP.ONE"]),
    ):
        assert [row["CHLAUTH"] for row in channel_rules(qmgr, profile, match)] == found, (
            profile,
            match,
        )
    set_channel_rule(
        qmgr,
        "APP",
        {"TYPE": "ADDRESSMAP", "ADDRESS": "*", "USERSRC": "CHANNEL"},
        "ADD",
    )
    set_channel_rule(qmgr, "APP", {"TYPE": "BLOCKUSER", "USERLIST": ["svc"]}, "ADD")
    caller = ConnectingClient("APP", "10.1.1.1", user="joe")
    assert [row["TYPE"] for row in deciding_rules(qmgr, caller)[0]] == ["ADDRESSMAP"]
    create(qmgr, CHANNEL, "APP", {"CHLTYPE": "SVRCONN", "MCAUSER": "svc"})
    assert [row["TYPE"] for row in deciding_rules(qmgr, caller)[0]] == ["BLOCKUSER"]


def test_the_history_has_rules_before_and_after(store: Store, qmgr: QueueManager) -> None:
    set_channel_rule(qmgr, "A", MAP, "ADD")
    set_channel_rule(qmgr, "A", {**MAP, "MCAUSER": "jim"}, "REPLACE")
    set_channel_rule(qmgr, "A", {"TYPE": "ADDRESSMAP", "ADDRESS": "10.*"}, "REMOVE")
    first, second, last = [
        (each.kind, each.cause, each.target, each.detail) for each in history(store, "A")
    ]
    assert first == (
        "SET",
        "command",
        "CHLAUTH",
        {word: [None, value] for word, value in MAP.items()},
    )
    record = {"TYPE": "ADDRESSMAP", "ADDRESS": "10.*"}
    assert second == ("SET", "command", "CHLAUTH", {"record": record, "MCAUSER": ["joe", "jim"]})
    assert (*last[:3], last[3]["MCAUSER"]) == ("DELETE", None, "CHLAUTH", ["jim", None])
    assert {each.user for each in history(store, "A")} == {"tester"}


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
    create(broker, SUB, "A", {"TOPICSTR": "y", "DEST": "NEWS"}, replace=True)
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
    assert (status["STATUS"], status["SUBCOUNT"]) == ("INACTIVE", 1)
    assert [*publish_subscribe_status(broker, "", "CHILD")] == []
