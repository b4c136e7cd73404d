"""Which record applies to an inbound connection, which records SET CHLAUTH refuses, and what
patterns match.
"""

from typing import Any

from mqsc.store.constants import MQRCCF
from mqsc.store.rules import channel_auth
from mqsc.store.rules.channel_auth import (
    ConnectingClient,
    deciding,
    fault,
    invalid_address,
    missing,
)
from tests.rows import rows
from tests.store.tables import giving, verdicts


@rows(
    *giving(
        True,
        ("*", ""),
        ("*", "A.B"),
        ("A.*", "A.B.C"),
        ("*.SVRCONN", "APP.SVRCONN"),
        ("A*C", "AC"),
    ),
    ("A*C", "ABBC", True),
    *giving(False, ("A*C", "ABD"), ("A.B", "AXB"), ("a", "A")),
)
def test_asterisks_anywhere(pattern: str, name: str, fits: bool) -> None:
    assert channel_auth.fits(pattern, name) is fits


@rows(("APP.ONE", "APP.*"), ("APP.*", "*"), ("APP.ON*", "APP.*"), ("*.LONG.END", "APP.*"))
def test_specificity(better: str, worse: str) -> None:
    assert channel_auth.specificity(better) > channel_auth.specificity(worse)


test_addresses = verdicts(
    channel_auth.address_fits,
    *giving(
        True,
        ("*", "10.1.2.3"),
        ("10.1.2.3", "10.1.2.3"),
        ("10.1.*", "10.1.2.3"),
        ("10.1.2.3-8", "10.1.2.3"),
    ),
    *giving(True, ("10.*.2.3", "10.9.2.3"), ("10.*.3", "10.1.2.3")),
    *giving(
        False,
        ("10.1.*", "10.2.2.3"),
        ("10.1.2.3-8", "10.1.2.9"),
        ("10.1.2", "10.1.2.3"),
        ("10.*.3", "10.1.2.4"),
    ),
    # The last asterisk stands for all parts that are omitted.
    *giving(
        True,
        ("*.5.*", "10.5.2.3"),
        ("2001:*:1", "2001:DB8::1"),
        ("2001:db8::1", "2001:DB8:0:0:0:0:0:1"),
    ),
    *giving(True, ("face.cafe", "FACE.CAFE"), ("2001:db8:*", "2001:DB8:0:0:0:0:0:1")),
    *giving(True, ("*.example.com", "www.example.com"), ("host", "HOST")),
    *giving(
        False,
        ("*.5.*", "10.1.5.3"),
        ("2001:db8:0:0:0:0:0:0-8", "2001:DB8::9"),
        ("*.example.com", "10.1.2.3"),
    ),
)

test_distinguished_names = verdicts(
    channel_auth.distinguished_name,
    ("", []),
    (
        "CN=Fred Bloggs, OU=Sales;O=Example",
        [("CN", "Fred Bloggs"), ("OU", "Sales"), ("O", "Example")],
    ),
    ('cn="Bloggs, Fred",c=US', [("CN", "Bloggs, Fred"), ("C", "US")]),
    (r"CN=a\,b", [("CN", r"a\,b")]),
    ("OU=a,OU=b", [("OU", "a"), ("OU", "b")]),
    ("CN=", [("CN", "")]),
    ("no name", None),
    ("XX=unknown", None),
    ("CN=a,,O=b", None),
)

test_peers = verdicts(
    channel_auth.peer_fits,
    *giving(
        True,
        ("O=Example", "CN=a,OU=b,O=Example"),
        ("CN=a*,O=Example", "CN=ab,OU=b,O=Example"),
    ),
    *giving(True, ("OU=x", "CN=a,OU=b,OU=x,O=Example"), ("", "CN=a")),
    *giving(False, ("CN=b", "CN=a,O=Example"), ("O=Example", "nonsense")),
)


def test_patterns_of_addresses_that_are_not_valid() -> None:
    expected = {
        MQRCCF.IPADDR_ERROR: "300.1.1.1 10.1.1 10.1.1.1.1 10.1*.1.1 10.1.*.* 10.1-300.1.1 10.-5.1.1 2001:db8 "
        "1:2:3:4:5:6:7:g 2001::* 1:2:3:4:5:6:7:fffff 2001::1::2",
        MQRCCF.IPADDR_RANGE_ERROR: "10.5-0.* 10.5-5.1.1 2001:DB8:0:0:0:0:0:8-0",
    }
    found = {
        pattern: channel_auth.address_fault(pattern, host_names=True)
        for patterns in expected.values()
        for pattern in patterns.split()
    }
    assert found == {
        pattern: reason for reason, patterns in expected.items() for pattern in patterns.split()
    }


def test_patterns_of_addresses_that_are_valid() -> None:
    patterns = (
        "192.0.2.0 192.0.2.* 192.0.* 192.0.*.2 192.*.2 * 192.0.2.1-8 192.0.*.1-8 "
        "2001:DB8:0:0:0:0:0:0 "
        "2001:DB8:0:0:0:*:0:1 2001:*:1 2001:DB8:0:0:0:0:0:0-8 ::1 2001:db8:: 2001:DB8:0:0:0:*"
    )
    assert [
        each for each in patterns.split() if channel_auth.address_fault(each, host_names=False)
    ] == []


def test_host_names_are_valid_only_where_they_are_allowed() -> None:
    assert channel_auth.address_fault("*.example.com", host_names=True) == 0
    assert channel_auth.address_fault("*.example.com", host_names=False) == MQRCCF.IPADDR_ERROR


@rows(
    *giving(True, ("10.1-5.*", "10.3-8.*"), ("2001:1-5:*", "2001:3-8:*")),
    *giving(
        False,
        ("10.1-5.*", "10.1-8.*"),
        ("10.1-5.*", "10.6-8.*"),
        ("10.1-5.1.1", "10.3-8.2.1"),
    ),
    *giving(False, ("10.1-5.*", "10.*"), ("10.1-5.*", "*.example.com")),
)
def test_overlapping_ranges(one: str, other: str, overlap: bool) -> None:
    assert channel_auth.overlap(one, other) is overlap
    assert channel_auth.overlap(other, one) is overlap


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
