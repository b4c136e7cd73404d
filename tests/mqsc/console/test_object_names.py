"""Names as arguments: one rule for all commands, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from mqsc.console.object_names import ObjectName, similar
from mqsc.ibm.options import IbmCommand
from mqsc.main import mqsc as group
from mqsc.shell.start import command_at
from tests.mqsc.conftest import Command


@pytest.mark.parametrize(
    ("name", "found"),
    [("ordres", "ORDERS"), ("ORDRS", "ORDERS"), ("orders", "ORDERS"), ("ORDERS", ""), ("mixed", "Mixed"), ("xyz", "")],
)
def test_similar_names(name: str, found: str) -> None:
    assert similar(name, ["ORDERS", "Mixed", "INVOICES"]) == found


def commands(path: str = "") -> Iterator[tuple[str, click.Command]]:
    command = command_at(group, path)
    assert command is not None
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from commands(f"{path} {name}".strip())
    else:
        yield path, command


NAMED = [
    (path, each)
    for path, command in commands()
    if not isinstance(command, IbmCommand)
    for each in command.params
    if isinstance(each, click.Argument) and each.name in ("queue", "name") and path not in ("qmgr create", "user add")
]


def test_every_name_of_an_object_is_read_by_the_rule() -> None:
    # Names of users and of commands under IBM's names are exact.
    other = [path for path, each in NAMED if not isinstance(each.type, ObjectName) and not path.startswith("user ")]
    assert other == []
    assert len(NAMED) > 15


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("put ordres x", "Did you mean ORDERS?"),
        ("browse ORDRS", "Did you mean ORDERS?"),
        ("trigger explain ordres", "Did you mean ORDERS?"),
        ("dlq show ordres", "Did you mean ORDERS?"),
        ("expiry ordres", "Did you mean ORDERS?"),
        ("channel explain to.qm3", "Did you mean TO.QM2?"),
        ("qmgr end qm1", "Did you mean QM1?"),
        ("get ORDERS -m QM2", "Did you mean QM1?"),
        ("get SOMETHING.ELSE", "does not exist here."),
    ],
)
def test_what_was_probably_meant(mqsc: Command, arguments: str, says: str) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS)", "-c", "DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) XMITQ(X) CONNAME('x')")
    ended = mqsc(*arguments.split())
    assert ended.code >= 10
    assert ended.err.rstrip().endswith(says)


def test_a_name_means_itself_or_else_the_name_in_upper_case(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS)", "-c", "DEFINE QLOCAL('Mixed')")
    for typed, meant in (("orders", "ORDERS"), ("Mixed", "Mixed"), ("ORDERS", "ORDERS")):
        assert mqsc("put", typed, "x").err == f"mqsc: 1 message put on {meant}\n"
    assert (
        mqsc("put", "mixed", "x").err.rstrip().endswith("(mixed): The object does not exist here. Did you mean Mixed?")
    )
    mqsc("run", "-c", "DEFINE QLOCAL('orders')")
    assert mqsc("put", "orders", "x").err == "mqsc: 1 message put on orders\n"
    assert mqsc("history", "ord*", "--kind", "PUT").out.count("message put on") == 1
