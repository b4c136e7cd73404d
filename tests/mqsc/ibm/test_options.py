"""The arguments of IBM's commands: how they are parsed, and the errors that print the usage."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Sequence
from importlib import import_module

import click
import pytest

from mqsc.console.plain_failure import PlainFailureError
from mqsc.dlq.notices import TEXTS, USAGE
from mqsc.ibm import (
    agents,
    authority,
    command_server,
    displaying,
    dmpmqcfg,
    managers,
    message_copies,
    mqrc,
    runmqsc,
    samples,
    topic_samples,
    version,
)
from mqsc.ibm.failures import ExitCodes, WrongArgumentsError
from mqsc.ibm.options import (
    IbmCommand,
    IbmOption,
    IgnoredOption,
    choice,
    flag,
    ibm_command,
    ignored_flag,
    ignored_value,
    number,
    refused_flag,
    refused_value,
    text,
    texts,
)
from mqsc.main import COMMANDS
from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.rows import csv_rows, rows
from tests.source import ROOT


@ibm_command(
    "cmd",
    "[-e] [-v] [-lc] [-f File] [-n Number] [-o What]... [Name [Other]]",
    codes=ExitCodes(36),
)
@flag("-e", "e")
@flag("-v", "v")
@flag("-lc", "lc")
@text("-f", "f")
@number("-n", "n")
@texts("-o", "o")
@ignored_flag("-i", "-li", why="none here")
@ignored_value("-j", why="none here")
@refused_flag("-x", "-lx", why="no")
@refused_value("-w", why="no")
@click.argument("name", required=False)
@click.argument("other", required=False)
def cmd(
    context: click.Context,
    e: bool,
    v: bool,
    lc: bool,
    f: str | None,
    n: int | None,
    o: Sequence[str],
    name: str | None,
    other: str | None,
) -> None:
    """For the tests below."""


mqsc = conftest.mqsc
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]


@ibm_command("need", "Name")
@click.argument("name")
def need(context: click.Context, name: str) -> None:
    """A command that needs a name."""


def given(arguments: Sequence[str], of: IbmCommand = cmd) -> dict[str, object]:
    """The options and names that a command is called with, without those that were not given."""
    context = of.make_context("cmd", [*arguments])
    return {
        name: value
        for name, value in context.params.items()
        if value or (value == 0 and value is not False)
    }


@rows(
    ("", {}),
    ("-e A", {"e": True, "name": "A"}),
    ("A -e", {"e": True, "name": "A"}),
    ("-ev A B", {"e": True, "v": True, "name": "A", "other": "B"}),
    ("-lc", {"lc": True}),
    ("-f a.mqsc", {"f": "a.mqsc"}),
    ("-fa.mqsc", {"f": "a.mqsc"}),
    ("-f=a", {"f": "=a"}),
    ("-f -e", {"f": "-e"}),
    ("-ef a.mqsc", {"e": True, "f": "a.mqsc"}),
    ("-n 12", {"n": 12}),
    ("-n0", {"n": 0}),
    ("-o a -ob", {"o": ("a", "b")}),
    ("-", {"name": "-"}),
    ("-- -x", {"name": "-x"}),
)
def test_read(arguments: str, found: dict[str, object]) -> None:
    assert given(arguments.split()) == found


@rows(
    ("-q", "unknown option -q\nusage: cmd "),
    ("-quit", "unknown option -quit"),
    ("-eq", "-q in -eq is not a flag"),
    ("-e -e", "-e is given twice"),
    ("-ee", "-e is given twice"),
    ("-f a -fb", "-f is given twice"),
    ("-f", "-f needs a value"),
    ("-ef", "-f needs a value"),
    ("-n x", "-n takes a number, not x"),
    ("-n-1", "-n takes a number, not -1"),
    (f"-n {'9' * 5000}", "-n takes a number, not 9999"),
    ("A B C D", "unexpected argument D"),
    ("-x", "cmd -x is not supported: no"),
    ("-lx", "cmd -lx is not supported: no"),
    ("-ex", "cmd -x is not supported: no"),
    ("-w 5", "cmd -w is not supported: no"),
    ("-w5", "cmd -w is not supported: no"),
    ("-w", "cmd -w is not supported: no"),
    ("-i -i", "-i is given twice"),
    ("-j", "-j needs a value"),
)
def test_refused(arguments: str, why: str) -> None:
    with pytest.raises(PlainFailureError, match=why) as caught:
        given(arguments.split())
    assert caught.value.exit_code == 36
    assert caught.value.message.endswith("\nusage: " + cmd.usage)


@rows(
    *csv_rows(__file__, "refused.csv"),
    ("crtmqm", 39, "a name is missing\nusage: crtmqm"),
    ("dspmq -o running", 36, "not running\nusage: dspmq"),
    ("amqsput", 99, "a name is missing\nusage: amqsput QName"),
    (
        "runmqsc -z",
        20,
        "unknown option -z\nusage: runmqsc [-e] [-v] [-f File] [-u User] [QMgrName]",
    ),
    ("runmqtrm -x", 20, "unknown option -x\nusage: runmqtrm"),
    ("dmpmqcfg -y", 20, "unknown option -y\nusage: dmpmqcfg"),
    ("mqrc", 20, "give one code, symbol, message or range\nusage: mqrc"),
)
def test_a_command_that_is_refused(mqsc: Command, line: str, code: int, said: str) -> None:
    """QM1 runs, QM2 does not. Nothing is printed on stdout."""
    mqsc("qmgr", "create", "QM1")
    mqsc("crtmqm", "QM2")
    ended = mqsc(*shlex.split(line), stdin=b"DEFINE QLOCAL(A)\n")
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert "mqsc:" not in ended.err


@rows(*csv_rows(__file__, "ignored.csv"))
def test_an_option_without_meaning_is_named(mqsc: Command, line: str, said: str) -> None:
    """QM1 runs, QM2 does not. The command does its work, with its usual output."""
    mqsc("qmgr", "create", "QM1")
    mqsc("crtmqm", "QM2")
    ended = mqsc(*shlex.split(line), stdin=b"DEFINE QLOCAL(A)\n")
    assert (ended.code, ended.err.count("\n")) == (0, 1)
    assert said in ended.err
    assert "ignored" not in ended.out


@rows(("crtmqm -z QM1", 8), ("strmqm -z NONE", 16), ("endmqm -z NONE", 16), ("dltmqm -z QM1", 5))
def test_no_error_message_with_z(mqsc: Command, line: str, code: int) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(*line.split())
    assert (ended.code, ended.out, ended.err) == (code, "", "")


def test_choices_and_names_that_are_needed() -> None:
    known, refused = {"all": "ALL", "a": "ALL"}, {"x": "there is none"}
    with cmd.make_context("cmd", []) as context:
        assert choice(context, "-f", "a", known, refused) == "ALL"
        with pytest.raises(WrongArgumentsError, match="cmd -f x is not supported: there is none"):
            choice(context, "-f", "x", known, refused)
        with pytest.raises(WrongArgumentsError, match="-f takes all, a, not y\nusage: cmd"):
            choice(context, "-f", "y", known, refused)
    assert given(["A"], need) == {"name": "A"}
    with pytest.raises(PlainFailureError, match="a name is missing\nusage: need Name"):
        given([], need)


def test_every_console_script_leads_to_a_function() -> None:
    """Each console script is also known to `mqsc` under its name."""
    for name, target in SCRIPTS.items():
        module, function = target.split(":")
        assert callable(getattr(import_module(module), function))
        assert name == "mqsc" or name in COMMANDS


@pytest.mark.parametrize("command", sorted({*SCRIPTS} - {"mqsc"}))
def test_letters_are_those_of_ibm(mqsc: Command, command: str) -> None:
    """Help lists no one-letter options of our own; single-hyphen options are IBM's."""
    ended = mqsc(command, "--help")
    _, shown = ended.out.split("Options:\n")
    assert ended.code == 0
    assert {line.split()[0] for line in shown.splitlines() if line.startswith("  --")} >= {"--help"}
    assert "  -m" not in shown


def test_before_between_and_after(mqsc: Command) -> None:
    for name in ("QM1", "QM2"):
        mqsc("qmgr", "create", name)
    one = mqsc("--qmgr", "QM2", "dspmq").lines
    assert one == mqsc("dspmq", "--qmgr", "QM2").lines == mqsc("dspmq", "-m", "QM2").lines
    assert one[0].startswith("QMNAME(QM2) ")
    assert mqsc("dspmq", "-o", "status", "--quiet").lines == mqsc("dspmq").lines
    assert mqsc("dspmq", "-m", "QM1", "--store=sqlite:///none.db").code == 72


PAGE = (ROOT / "docs" / "named-commands.md").read_text("utf-8")
MODULES = (
    agents,
    authority,
    command_server,
    displaying,
    dmpmqcfg,
    managers,
    mqrc,
    message_copies,
    samples,
    runmqsc,
    topic_samples,
    version,
)
FOUND = [
    each for module in MODULES for each in vars(module).values() if isinstance(each, IbmCommand)
]


def test_every_command_is_there() -> None:
    assert {each.name for each in FOUND} | {"mqsc"} == {*SCRIPTS}
    there, _, _ = PAGE.partition("| command of IBM's |")
    rows = [line.split("`")[1].split()[0] for line in there.splitlines() if line.startswith("| `")]
    assert {*rows} == {*SCRIPTS} - {"mqsc"}


def test_the_usage_is_that_of_the_command() -> None:
    lines = [each.usage for each in FOUND] + [
        TEXTS[USAGE].removeprefix("Usage: ").removesuffix(" < RulesTable"),
    ]
    escaped = [f"| `{line.replace('|', chr(92) + '|')}` |" for line in lines]
    assert [line for line in escaped if line not in PAGE] == []


def test_the_usage_has_every_option_that_has_a_meaning() -> None:
    taken = [
        (each.usage, option)
        for each in FOUND
        for option in each.params
        if isinstance(option, IbmOption)
    ]
    told = [
        (usage, option.opts[0]) for usage, option in taken if not isinstance(option, IgnoredOption)
    ]
    assert [
        (usage, option) for usage, option in told if f"{option} " not in usage.replace("]", " ")
    ] == []
