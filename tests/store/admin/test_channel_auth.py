"""SET CHLAUTH: records are added, changed and removed; the history shows them before and after."""

from __future__ import annotations

from typing import Any

import pytest

from store.admin.defining import create
from store.admin.records import channel_rules, deciding_rules, set_channel_rule
from store.catalog import KINDS
from store.client.api import QueueManager, Store
from store.constants import MQRC, MQRCCF
from store.error import MQError
from store.rules.channel_auth import ConnectingClient
from tests.store.admin.looking import history

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
def test_refused(qmgr: QueueManager, actions: list[tuple[str, dict[str, Any]]], reason: int) -> None:
    *before, last = actions
    for action, given in before:
        set_channel_rule(qmgr, "A", given, action)
    had = [*channel_rules(qmgr, "*")]
    with pytest.raises(MQError) as caught:
        set_channel_rule(qmgr, "A", last[1], last[0])
    assert caught.value.reason == reason
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


def test_the_history_has_before_and_after(store: Store, qmgr: QueueManager) -> None:
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
    with pytest.raises(MQError) as caught:
        set_channel_rule(qmgr, "A", MAP, "ADD")
    assert caught.value.reason == MQRC.Q_MGR_NOT_AVAILABLE
