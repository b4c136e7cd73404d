"""What a CONNAME refers to (poison-and-channels §3.2)."""

from __future__ import annotations

import pytest

from store.rules.channel.numbers import Address, addresses, map_key
from tests.store.tables import verdicts

test_addresses = verdicts(
    addresses,
    ("QM2", [Address("QM2", "", "QM2", is_host=True)]),
    ("local(QM2)", [Address("local(QM2)", "", "QM2")]),
    ("LOCAL( QM2 )", [Address("LOCAL( QM2 )", "", "QM2")]),
    ("sqlite:///other.db(QM2)", [Address("sqlite:///other.db(QM2)", "sqlite:///other.db", "QM2")]),
    ("sqlite:////srv/a,b.db(QM2)", [Address("sqlite:////srv/a,b.db(QM2)", "sqlite:////srv/a,b.db", "QM2")]),
    ("sqlite:///other.db", [Address("sqlite:///other.db", "sqlite:///other.db")]),
    ("host.example.com(1414)", [Address("host.example.com(1414)", is_host=True)]),
    ("host(1414), backup(1415)", [Address("host(1414)", is_host=True), Address("backup(1415)", is_host=True)]),
    ("local(QM2),QM3", [Address("local(QM2)", "", "QM2"), Address("QM3", "", "QM3", is_host=True)]),
    ("", []),
    (" , ", []),
)


@pytest.mark.parametrize("text", ["Host", "host(1414)", " HOST( 1414 )", "host()"])
def test_a_host_has_one_key_in_the_map(text: str) -> None:
    assert map_key(text) == "host(1414)"


def test_ports_differ() -> None:
    assert map_key("host(1415)") == "host(1415)"
