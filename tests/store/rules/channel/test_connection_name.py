"""The addresses in a CONNAME."""

from __future__ import annotations

from mqsc.store.rules.channel import connection_name
from mqsc.store.rules.channel.connection_name import Address
from tests.store.tables import giving, verdicts

test_addresses = verdicts(
    connection_name.addresses,
    ("QM2", [Address("QM2", "", "QM2", is_host=True)]),
    ("local(QM2)", [Address("local(QM2)", "", "QM2")]),
    ("LOCAL( QM2 )", [Address("LOCAL( QM2 )", "", "QM2")]),
    ("sqlite:///other.db(QM2)", [Address("sqlite:///other.db(QM2)", "sqlite:///other.db", "QM2")]),
    (
        "sqlite:////srv/a,b.db(QM2)",
        [Address("sqlite:////srv/a,b.db(QM2)", "sqlite:////srv/a,b.db", "QM2")],
    ),
    ("sqlite:///other.db", [Address("sqlite:///other.db", "sqlite:///other.db")]),
    ("host.example.com(1414)", [Address("host.example.com(1414)", is_host=True)]),
    (
        "host(1414), backup(1415)",
        [Address("host(1414)", is_host=True), Address("backup(1415)", is_host=True)],
    ),
    ("local(QM2),QM3", [Address("local(QM2)", "", "QM2"), Address("QM3", "", "QM3", is_host=True)]),
    *giving([], "", " , "),
)

test_a_host_has_one_key_in_the_map = verdicts(
    connection_name.map_key,
    *giving("host(1414)", "Host", "host(1414)", " HOST( 1414 )", "host()"),
    ("host(1415)", "host(1415)"),
)
