"""SET, DELETE and DISPLAY AUTHREC, DISPLAY ENTAUTH: authority records."""

from __future__ import annotations

import pytest

from mqsc.store.admin.authority_records import (
    authority_records,
    delete_authority,
    entity_authority,
    set_authority,
)
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRCCF
from tests.store.admin.looking import history, refused

JOE, CLERKS = ("PRINCIPAL", "joe"), ("GROUP", "clerks")
ORDERS = ("ORDERS.**", "QUEUE")

CHANNEL = KINDS["CHANNEL"]


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
