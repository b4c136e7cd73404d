"""Names as arguments: one rule for all commands, completion, and what was meant, also by a
mistaken command.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from mqsc.console.object_names import FishScript, ObjectName
from mqsc.ibm.options import IbmCommand
from mqsc.main import mqsc as group, mqsc as program
from mqsc.shell.start import command_at
from tests.mqsc.conftest import Command
from tests.rows import rows


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
    if isinstance(each, click.Argument)
    and each.name in ("queue", "name")
    and path not in ("qmgr create", "user add")
]


def test_every_name_of_an_object_is_read_by_the_rule() -> None:
    # Names of users and of commands under IBM's names are exact.
    other = [
        path
        for path, each in NAMED
        if not isinstance(each.type, ObjectName) and not path.startswith("user ")
    ]
    assert other == []
    assert len(NAMED) > 15


@rows(
    ("put ordres x", "Did you mean ORDERS?"),
    ("browse ORDRS", "Did you mean ORDERS?"),
    ("trigger explain ordres", "Did you mean ORDERS?"),
    ("dlq show ordres", "Did you mean ORDERS?"),
    ("expiry ordres", "Did you mean ORDERS?"),
    ("channel explain to.qm3", "Did you mean TO.QM2?"),
    ("qmgr end qm1", "Did you mean QM1?"),
    ("get ORDERS -m QM2", "Did you mean QM1?"),
    ("get SOMETHING.ELSE", "does not exist here."),
    ("dlq show \udcff", "object \\udcff not found."),
)
def test_what_was_probably_meant(mqsc: Command, arguments: str, says: str) -> None:
    mqsc(
        "run",
        "-c",
        "DEFINE QLOCAL(ORDERS)",
        "-c",
        "DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) XMITQ(X) CONNAME('x')",
    )
    ended = mqsc(*arguments.split())
    assert ended.code >= 10
    assert ended.err.rstrip().endswith(says)


def test_a_name_means_itself_or_else_the_name_in_upper_case(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS)", "-c", "DEFINE QLOCAL('Mixed')")
    for typed, meant in (("orders", "ORDERS"), ("Mixed", "Mixed"), ("ORDERS", "ORDERS")):
        assert mqsc("put", typed, "x").err == f"mqsc: 1 message put on {meant}\n"
    says = "(mixed): The object does not exist here. Did you mean Mixed?\n"
    assert mqsc("put", "mixed", "x").err.endswith(says)
    mqsc("run", "-c", "DEFINE QLOCAL('orders')")
    assert mqsc("put", "orders", "x").err == "mqsc: 1 message put on orders\n"
    assert mqsc("history", "ord*", "--kind", "PUT").out.count("message put on") == 1


def offered(*words: str) -> list[str]:
    *before, incomplete = words
    return [
        each.value
        for each in ShellComplete(program, {}, "mqsc", "").get_completions([*before], incomplete)
    ]


def test_names_are_completed(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "create", "QM2")
    mqsc(
        "run",
        "-m",
        "QM1",
        "-c",
        "DEFINE QLOCAL(ORDERS)",
        "-c",
        "DEFINE QALIAS(OTHERS)",
        "-c",
        "DEFINE QLOCAL('low')",
    )
    mqsc("run", "-m", "QM2", "-c", "DEFINE QLOCAL(ORDERS.TWO)")
    assert (offered("-m", ""), offered("put", "-m", "qm2")) == (["QM1", "QM2"], ["QM2"])
    assert (offered("put", "O"), offered("get", "ord")) == (["ORDERS", "OTHERS"], ["ORDERS"])
    assert (offered("browse", ""), offered("-m", "QM2", "history", "")) == (
        ["ORDERS", "OTHERS", "low"],
        ["ORDERS.TWO"],
    )
    assert offered("expiry", "SYSTEM.ADMIN.C")[:2] == [
        "SYSTEM.ADMIN.CHANNEL.EVENT",
        "SYSTEM.ADMIN.COMMAND.EVENT",
    ]


@pytest.mark.parametrize("content", [None, b"no store"])
def test_without_a_store_nothing_is_offered_or_made(
    mqsc: Command,
    tmp_path: Path,
    content: bytes | None,
) -> None:
    if content is not None:
        (tmp_path / "store.db").write_bytes(content)
    assert (offered("put", "O"), offered("-m", "Q")) == ([], [])
    assert [each for each in os.listdir(tmp_path) if content is None] == []


def test_rules_are_completed() -> None:
    """Fish splits a completion at its first comma only, which depends on a line of click's own."""
    assert offered("check", "--ignore", "C08")[0] == "C08"
    assert offered("check", "--ignore", "C08,MQSC-C0")[0] == "C08,MQSC-C01"
    assert offered("check", "--select", "n") == ["note"]
    assert isinstance(program, click.Group)
    script = FishScript(click.Command("mqsc"), {}, "mqsc", "_MQSC_COMPLETE").source()
    assert 'string split --max 1 ","' in script
    assert 'string split ","' not in script


@rows(
    (
        ("QM1",),
        "QM1 is a queue manager: use `mqsc -m QM1` for its shell, `mqsc run -m QM1 FILE` for a "
        "file.",
    ),
    (("QM2",), "did you mean the queue manager QM1? Use `mqsc -m QM1` for its shell."),
    (("a b.mqsc",), "a b.mqsc is a file: to run its MQSC, use `mqsc run 'a b.mqsc'`."),
    (("setup",), "setup is a folder: to run its MQSC, use `mqsc run setup`."),
    (("DEFINE", "QLOCAL(A)"), "to run MQSC, use `mqsc run -c 'DEFINE QLOCAL(A)'`."),
    (("qmg",), "did you mean qmgr?"),
    (("PUT",), "did you mean put?"),
    (("QMGR1",), "did you mean the queue manager QM1? Use `mqsc -m QM1` for its shell."),
    (("INVOICE",), "No such command 'INVOICE'."),
    (("orders",), "ORDERS is a queue: use `mqsc browse ORDERS` for its messages."),
    (
        ("displ",),
        "did you mean DISPLAY? DISPLAY is a command of MQSC: use `mqsc run -c 'DISPLAY ...'`, or "
        "`mqsc` for the shell.",
    ),
    (("alt",), "ALT is a command of MQSC: use `mqsc run -c 'alt ...'`, or `mqsc` for the shell."),
    (
        ("displ", "qlocal(*)"),
        "did you mean DISPLAY? To run MQSC, use `mqsc run -c 'DISPLAY qlocal(*)'`.",
    ),
    (
        ("resovle", "CHANNEL(A)"),
        "did you mean RESOLVE? To run MQSC, use `mqsc run -c 'RESOLVE CHANNEL(A)'`.",
    ),
    (("dis qlocal(*)",), "to run MQSC, use `mqsc run -c 'dis qlocal(*)'`."),
    (("start", "QM1"), "did you mean qmgr start?"),
    (("start", "CHANNEL(A)"), "to run MQSC, use `mqsc run -c 'start CHANNEL(A)'`."),
    (("xyzzy",), "No such command 'xyzzy'."),
)
def test_what_a_mistaken_command_was_meant_to_be(
    mqsc: Command,
    tmp_path: Path,
    words: tuple[str, ...],
    says: str,
) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS)")
    (tmp_path / "a b.mqsc").touch()
    (tmp_path / "setup").mkdir()
    ended = mqsc(*words)
    assert (ended.code, ended.out) == (20, "")
    assert ended.err.splitlines()[-1].endswith(says)


def test_no_store_is_made_to_find_out(mqsc: Command, tmp_path: Path) -> None:
    assert (mqsc("QM1").code, [*tmp_path.iterdir()]) == (20, [])
    (tmp_path / "store.db").write_bytes(b"no store")
    assert mqsc("QM1").err.endswith("for the shell of a queue manager QM1, use `mqsc -m QM1`.\n")


def test_runmqsc_with_a_file(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    (tmp_path / "a.mqsc").write_text("DISPLAY QMGR\n")
    ended = mqsc("runmqsc", "a.mqsc")
    said = "a.mqsc is a file: use `runmqsc -f a.mqsc` or `runmqsc < a.mqsc`\n"
    assert (ended.code, ended.err) == (
        20,
        f"AMQ8118E: IBM MQ queue manager 'a.mqsc' does not exist.\n{said}",
    )
