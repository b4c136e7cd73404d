"""What the patterns of channel authentication records match."""

from mqsc.store.constants import MQRCCF
from mqsc.store.rules import channel_auth_patterns
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
    assert channel_auth_patterns.fits(pattern, name) is fits


@rows(("APP.ONE", "APP.*"), ("APP.*", "*"), ("APP.ON*", "APP.*"), ("*.LONG.END", "APP.*"))
def test_specificity(better: str, worse: str) -> None:
    assert channel_auth_patterns.specificity(better) > channel_auth_patterns.specificity(worse)


test_addresses = verdicts(
    channel_auth_patterns.address_fits,
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
    channel_auth_patterns.distinguished_name,
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
    channel_auth_patterns.peer_fits,
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
        pattern: channel_auth_patterns.address_fault(pattern, host_names=True)
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
        each
        for each in patterns.split()
        if channel_auth_patterns.address_fault(each, host_names=False)
    ] == []


def test_host_names_are_valid_only_where_they_are_allowed() -> None:
    assert channel_auth_patterns.address_fault("*.example.com", host_names=True) == 0
    assert (
        channel_auth_patterns.address_fault("*.example.com", host_names=False)
        == MQRCCF.IPADDR_ERROR
    )


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
    assert channel_auth_patterns.overlap(one, other) is overlap
    assert channel_auth_patterns.overlap(other, one) is overlap
