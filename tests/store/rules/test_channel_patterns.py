"""Patterns of channel names, addresses and distinguished names: what they match, and which is more specific."""

import pytest

from store.rules import channel_patterns


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
    assert channel_patterns.fits(pattern, name) is fits


@pytest.mark.parametrize(
    ("better", "worse"), [("APP.ONE", "APP.*"), ("APP.*", "*"), ("APP.ON*", "APP.*"), ("*.LONG.END", "APP.*")]
)
def test_specificity(better: str, worse: str) -> None:
    assert channel_patterns.specificity(better) > channel_patterns.specificity(worse)


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
    assert channel_patterns.address_fits(pattern, address) is fits


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
    assert channel_patterns.distinguished_name(text) == parts


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
    assert channel_patterns.peer_fits(pattern, name) is fits
