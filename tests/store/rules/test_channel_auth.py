"""Which record applies to an inbound connection, and which records SET CHLAUTH refuses."""

from typing import Any

from mqsc.store.constants import MQRCCF
from mqsc.store.rules.channel_auth import (
    ConnectingClient,
    deciding,
    fault,
    invalid_address,
    missing,
)
from tests.rows import rows
from tests.store.tables import giving, verdicts

ALICE = ConnectingClient("APP.ONE", "10.1.2.3", peer="CN=alice,O=X", issuer="CN=ca", user="alice")
QM2 = ConnectingClient("TO.QM1", "10.1.2.3", queue_manager="QM2")


def record(name: str, profile: str, type: str, **said: Any) -> dict[str, Any]:
    """Return a record that maps to a user of its own name unless `said` overrides that."""
    return {
        "name": name,
        "CHLAUTH": profile,
        "TYPE": type,
        "USERSRC": "MAP",
        "MCAUSER": name,
        "WARN": "NO",
        **said,
    }


ANY = record("any", "*", "ADDRESSMAP", ADDRESS="*")
APP = record("app", "APP.*", "ADDRESSMAP", ADDRESS="*")
HERE = record("here", "APP.*", "ADDRESSMAP", ADDRESS="10.1.2.*")
HOST = record("host", "APP.*", "ADDRESSMAP", ADDRESS="*.example.com")
USER = record("user", "APP.*", "USERMAP", CLNTUSER="alice")
USER_HERE = record("user here", "APP.*", "USERMAP", CLNTUSER="alice", ADDRESS="10.1.*")
BOB = record("bob", "APP.*", "USERMAP", CLNTUSER="bob")
PEER = record("peer", "APP.*", "SSLPEERMAP", SSLPEER="O=X")
ISSUED = record("issued", "APP.*", "SSLPEERMAP", SSLPEER="O=X", SSLCERTI="CN=ca")
CLOSER = record("closer", "APP.*", "SSLPEERMAP", SSLPEER="CN=alice,O=X")
ONE = record("one", "APP.ONE", "ADDRESSMAP", ADDRESS="*")
PARTNER = record("partner", "TO.*", "QMGRMAP", QMNAME="QM*")
EXACTLY = record("exactly", "TO.*", "QMGRMAP", QMNAME="QM2")
WARNS = record(
    "warns",
    "APP.*",
    "ADDRESSMAP",
    ADDRESS="10.1.2.3",
    USERSRC="NOACCESS",
    MCAUSER="",
    WARN="YES",
)
NOBODY = record("nobody", "APP.*", "ADDRESSMAP", ADDRESS="10.1.2.3", USERSRC="NOACCESS", MCAUSER="")
OWN = record("own", "APP.*", "ADDRESSMAP", ADDRESS="*", USERSRC="CHANNEL", MCAUSER="")
BLOCKED = record("blocked", "*", "BLOCKUSER", USERLIST=["app", "alice"])
NOT_HERE = record("not here", "APP.*", "BLOCKUSER", USERLIST=["nobody"])
ADMINS = record("admins", "*", "BLOCKUSER", USERLIST=["*MQADMIN"])
ROOT = record("mqm", "APP.*", "ADDRESSMAP", ADDRESS="*")
SHUT_OUT = record("shut out", "*", "BLOCKADDR", ADDRLIST=["10.9.*", "10.1.2.1-5"])


@rows(
    *giving(
        [],
        (ALICE, []),
        (ALICE, [PARTNER, BOB, HOST]),
        (ALICE._replace(user="bob"), [BLOCKED]),
    ),
    (ALICE, [ANY], ["any"]),
    *giving(
        ["app"],
        (ALICE, [ANY, APP]),
        (ALICE._replace(peer=""), [PEER, APP]),
        (ALICE, [APP, BLOCKED, NOT_HERE]),
    ),
    (ALICE, [APP, ADMINS], ["app"]),
    (ALICE, [ONE, CLOSER], ["one"]),
    (ALICE._replace(address="10.1.2.6"), [ONE, SHUT_OUT], ["one"]),
    (ALICE, [APP, HERE], ["here"]),
    (ALICE, [HERE, USER], ["user"]),
    (ALICE, [USER, USER_HERE], ["user here"]),
    (ALICE, [USER_HERE, PEER], ["peer"]),
    (ALICE, [PEER, ISSUED], ["issued"]),
    (ALICE, [ISSUED, CLOSER], ["closer"]),
    (ALICE._replace(address="www.example.com"), [HOST], ["host"]),
    (QM2, [ANY, PARTNER], ["partner"]),
    (QM2, [EXACTLY, PARTNER], ["exactly"]),
    *giving(["nobody"], (ALICE, [HERE, NOBODY]), (ALICE, [NOBODY, BLOCKED])),
    (ALICE, [HERE, WARNS], ["warns", "here"]),
    *giving(["blocked"], (ALICE, [APP, BLOCKED]), (ALICE, [OWN, BLOCKED]), (ALICE, [BLOCKED])),
    (ALICE._replace(channel_user="svc"), [OWN, BLOCKED], ["own"]),
    (ALICE, [ROOT, ADMINS], ["admins"]),
    (ALICE, [ONE, SHUT_OUT], ["shut out"]),
)
def test_who_decides(
    caller: ConnectingClient,
    records: list[dict[str, Any]],
    decides: list[str],
) -> None:
    for order in (records, records[::-1]):
        assert [each["name"] for each in deciding(order, caller)] == decides


test_what_is_not_taken = verdicts(
    fault,
    ("*", {"TYPE": "BLOCKADDR", "ADDRLIST": ["*"]}, "ADD", 0),
    ("A", {"TYPE": "BLOCKADDR", "ADDRLIST": ["*"]}, "ADD", MQRCCF.CHLAUTH_NAME_ERROR),
    ("A", {"TYPE": "ADDRESSMAP", "USERSRC": "NOACCESS"}, "ADD", 0),
    ("A", {"TYPE": "ADDRESSMAP", "MCAUSER": "x"}, "ADD", 0),
    ("A", {"TYPE": "ADDRESSMAP"}, "ADD", MQRCCF.WRONG_CHLAUTH_USERSRC),
    (
        "A",
        {"TYPE": "ADDRESSMAP", "USERSRC": "CHANNEL", "MCAUSER": "x"},
        "ADD",
        MQRCCF.WRONG_CHLAUTH_USERSRC,
    ),
    ("A", {"TYPE": "ADDRESSMAP"}, "REMOVE", 0),
    ("A", {"TYPE": "ADDRESSMAP", "DESCR": "x"}, "REMOVE", MQRCCF.WRONG_CHLAUTH_ACTION),
    ("A", {"TYPE": "BLOCKUSER", "USERLIST": ["x"]}, "REMOVE", 0),
    ("A", {"TYPE": "BLOCKUSER", "USERLIST": ["x"]}, "REMOVEALL", MQRCCF.WRONG_CHLAUTH_ACTION),
    (
        "A",
        {"TYPE": "SSLPEERMAP", "SSLPEER": "x", "MCAUSER": "x"},
        "ADD",
        MQRCCF.SSL_PEER_NAME_ERROR,
    ),
    (
        "A",
        {"TYPE": "SSLPEERMAP", "SSLCERTI": "x", "MCAUSER": "x"},
        "ADD",
        MQRCCF.SSL_PEER_NAME_ERROR,
    ),
)

test_a_list_that_is_missing = verdicts(
    missing,
    ({"TYPE": "BLOCKUSER"}, "ADD", "USERLIST"),
    ({"TYPE": "BLOCKUSER", "USERLIST": []}, "REPLACE", "USERLIST"),
    ({"TYPE": "BLOCKADDR"}, "ADD", "ADDRLIST"),
    ({"TYPE": "BLOCKUSER"}, "REMOVEALL", ""),
    ({"TYPE": "BLOCKUSER", "USERLIST": ["x"]}, "ADD", ""),
    ({"TYPE": "ADDRESSMAP"}, "ADD", ""),
)


# (type, addresses, addresses of other records of the profile, reason, the address that is wrong)
@rows(
    ("BLOCKADDR", ["10.1.1.1"], [], 0, ""),
    ("BLOCKADDR", ["10.1.1.1", "10.2.*", "10.1.1-9.1"], ["10.3.*"], 0, ""),
    # One range contains the other, so the narrower one decides.
    ("BLOCKADDR", ["10.1.1-9.1", "10.1.2-3.1"], [], 0, ""),
    ("BLOCKADDR", ["10.1.1-5.1", "10.1.3-9.1"], [], MQRCCF.IPADDR_RANGE_CONFLICT, "10.1.3-9.1"),
    (
        "BLOCKADDR",
        ["10.1.1-5.1"],
        ["10.2.*", "10.1.3-9.1"],
        MQRCCF.IPADDR_RANGE_CONFLICT,
        "10.1.1-5.1",
    ),
    ("BLOCKADDR", ["10.1.1.1", "300.1.1.1"], [], MQRCCF.IPADDR_ERROR, "300.1.1.1"),
    ("BLOCKADDR", ["10.1.5-5.1"], [], MQRCCF.IPADDR_RANGE_ERROR, "10.1.5-5.1"),
    ("BLOCKADDR", ["www.example.com"], [], MQRCCF.IPADDR_ERROR, "www.example.com"),
)
def test_addresses_of_a_record(
    type: str,
    addresses: list[str],
    others: list[str],
    reason: int,
    wrong: str,
) -> None:
    assert invalid_address({"TYPE": type, "ADDRLIST": addresses}, others) == (reason, wrong)


def test_a_single_address_may_be_a_host_name() -> None:
    assert invalid_address({"TYPE": "ADDRESSMAP", "ADDRESS": "www.example.com"}, ["10.1.*"]) == (
        0,
        "",
    )
    assert invalid_address({"TYPE": "ADDRESSMAP"}, ["10.1.*"]) == (0, "")
