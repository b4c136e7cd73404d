"""What a pattern of names, addresses or distinguished names means, and which of two says it better."""

import pytest

from store.rules import profiles


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("*", "", True),
        ("*", "A.B", True),
        ("A.*", "A.B.C", True),
        ("*.SVRCONN", "APP.SVRCONN", True),
        ("A*C", "AC", True),
        ("A*C", "ABBC", True),
        ("A*C", "ABD", False),
        ("A.B", "AXB", False),
        ("a", "A", False),
    ],
)
def test_asterisks_anywhere(pattern: str, name: str, fits: bool) -> None:
    assert profiles.fits(pattern, name) is fits


@pytest.mark.parametrize(
    ("better", "worse"), [("APP.ONE", "APP.*"), ("APP.*", "*"), ("APP.ON*", "APP.*"), ("*.LONG.END", "APP.*")]
)
def test_the_more_is_said_the_better(better: str, worse: str) -> None:
    assert profiles.specificity(better) > profiles.specificity(worse)


@pytest.mark.parametrize(
    ("profile", "name", "fits"),
    [
        ("**", "A.B.C", True),
        ("A.**", "A.B.C", True),
        ("A.**", "A", True),
        ("A.**", "AB", False),
        ("A.*", "A.B", True),
        ("A.*", "A.B.C", False),
        ("A.?", "A.B", True),
        ("A.?", "A.BC", False),
        ("A.?.C", "A...C", False),
        ("A.**.C", "A.X.Y.C", True),
        ("A", "A", True),
        ("A", "A.B", False),
    ],
)
def test_authority_profiles(profile: str, name: str, fits: bool) -> None:
    assert profiles.profile_fits(profile, name) is fits


def test_the_profile_that_says_most_is_asked() -> None:
    ordered = ["**", "A.**", "A.B.*", "A.B.C"]
    assert sorted(ordered, key=profiles.profile_specificity) == ordered


@pytest.mark.parametrize(
    ("pattern", "address", "fits"),
    [
        ("*", "10.1.2.3", True),
        ("10.1.2.3", "10.1.2.3", True),
        ("10.1.*", "10.1.2.3", True),
        ("10.1.*", "10.2.2.3", False),
        ("10.1.2.3-8", "10.1.2.3", True),
        ("10.1.2.3-8", "10.1.2.9", False),
        ("10.*.2.3", "10.9.2.3", True),
        ("10.1.2", "10.1.2.3", False),
        ("2001:db8:*", "2001:DB8:0:0:0:0:0:1", True),
        ("*.example.com", "www.example.com", True),
        ("*.example.com", "10.1.2.3", False),
        ("host", "HOST", True),
    ],
)
def test_addresses(pattern: str, address: str, fits: bool) -> None:
    assert profiles.address_fits(pattern, address) is fits


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("CN=Fred Bloggs, OU=Sales;O=Example", [("CN", "Fred Bloggs"), ("OU", "Sales"), ("O", "Example")]),
        ('cn="Bloggs, Fred",c=US', [("CN", "Bloggs, Fred"), ("C", "US")]),
        (r"CN=a\,b", [("CN", r"a\,b")]),
        ("OU=a,OU=b", [("OU", "a"), ("OU", "b")]),
        ("CN=", [("CN", "")]),
        ("no name", None),
        ("XX=unknown", None),
        ("CN=a,,O=b", None),
    ],
)
def test_distinguished_names(text: str, parts: list[tuple[str, str]] | None) -> None:
    assert profiles.distinguished_name(text) == parts


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("O=Example", "CN=a,OU=b,O=Example", True),
        ("CN=a*,O=Example", "CN=ab,OU=b,O=Example", True),
        ("OU=x", "CN=a,OU=b,OU=x,O=Example", True),
        ("CN=b", "CN=a,O=Example", False),
        ("O=Example", "nonsense", False),
        ("", "CN=a", True),
    ],
)
def test_peers(pattern: str, name: str, fits: bool) -> None:
    assert profiles.peer_fits(pattern, name) is fits
