"""SET, DELETE and DISPLAY AUTHREC, DISPLAY ENTAUTH."""

from __future__ import annotations

import pytest

from store.admin.defining import create
from store.admin.deleting import delete
from store.admin.records import authority_records, delete_authority, entity_authority, set_authority
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQRCCF
from store.error import MQError
from tests.store.admin.looking import history

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
    with pytest.raises(MQError) as caught:
        set_authority(qmgr, ORDERS, [JOE], ["PUT", "CONNECT"], [])
    assert caught.value.reason == MQRCCF.AUTH_VALUE_ERROR
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
    with pytest.raises(MQError) as caught:
        delete_authority(qmgr, ORDERS, [JOE, CLERKS])
    assert caught.value.reason == MQRCCF.PROFILE_NAME_ERROR
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
