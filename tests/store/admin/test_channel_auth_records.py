"""SET CHLAUTH and DISPLAY CHLAUTH: channel authentication records."""

from __future__ import annotations

from typing import Any

from mqsc.store.admin.channel_auth_records import channel_rules, deciding_rules, set_channel_rule
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.rules.channel_auth import ConnectingClient
from tests.store.admin.looking import history, refused

CHANNEL = KINDS["CHANNEL"]


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
