"""The arguments of IBM's commands: how they are parsed, and the errors that print the usage."""

import tomllib
from collections.abc import Sequence

import pytest

from mqsc.console.target import NothingRunError
from mqsc.ibm.options import IbmCommand, Number, choice, command, flag, names, refused, value
from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.source import ROOT


@command("cmd [-e] [-v] [-lc] [-f File] [-n Number] [-o What]... [Name [Other]]")
@flag("-e", "e")
@flag("-v", "v")
@flag("-lc", "lc")
@value("-f", "f")
@value("-n", "n", type=Number())
@value("-o", "o", repeatable=True)
@refused("-x -lx", "no")
@refused("-w", "no", value=True)
@names("name?", "other?")
def cmd() -> None:
    """For the tests below."""


@command("need Name")
@names("name")
def need() -> None:
    """A command that needs a name."""


def given(arguments: Sequence[str], of: IbmCommand = cmd) -> dict[str, object]:
    """The options and names that a command is called with, without those that were not given."""
    context = of.make_context("cmd", [*arguments])
    return {name: value for name, value in context.params.items() if value or (value == 0 and value is not False)}


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ((), {}),
        (("-e", "A"), {"e": True, "name": "A"}),
        (("A", "-e"), {"e": True, "name": "A"}),
        (("-ev", "A", "B"), {"e": True, "v": True, "name": "A", "other": "B"}),
        (("-lc",), {"lc": True}),
        (("-f", "a.mqsc"), {"f": "a.mqsc"}),
        (("-fa.mqsc",), {"f": "a.mqsc"}),
        (("-f=a",), {"f": "=a"}),
        (("-f", "-e"), {"f": "-e"}),
        (("-ef", "a.mqsc"), {"e": True, "f": "a.mqsc"}),
        (("-n", "12"), {"n": 12}),
        (("-n0",), {"n": 0}),
        (("-o", "a", "-ob"), {"o": ("a", "b")}),
        (("-",), {"name": "-"}),
        (("--", "-x"), {"name": "-x"}),
    ],
)
def test_read(arguments: tuple[str, ...], found: dict[str, object]) -> None:
    assert given(arguments) == found


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-q",), "unknown option -q\nusage: cmd "),
        (("-quit",), "unknown option -quit"),
        (("-eq",), "-q in -eq is not a flag"),
        (("-e", "-e"), "-e is given twice"),
        (("-ee",), "-e is given twice"),
        (("-f", "a", "-fb"), "-f is given twice"),
        (("-f",), "-f needs a value"),
        (("-ef",), "-f needs a value"),
        (("-n", "x"), "-n takes a number, not x"),
        (("-n-1",), "-n takes a number, not -1"),
        (("A", "B", "C", "D"), "unexpected argument D"),
        (("-x",), "cmd -x is not supported: no"),
        (("-lx",), "cmd -lx is not supported: no"),
        (("-ex",), "cmd -x is not supported: no"),
        (("-w", "5"), "cmd -w is not supported: no"),
        (("-w5",), "cmd -w is not supported: no"),
        (("-w",), "cmd -w is not supported: no"),
    ],
)
def test_refused(arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(NothingRunError, match=why) as caught:
        given(arguments)
    assert caught.value.exit_code == 20


def test_choices() -> None:
    known, refused = {"all": "ALL", "a": "ALL"}, {"x": "there is none"}
    with cmd.make_context("cmd", []) as context:
        assert choice(context, "-f", "a", known, refused) == "ALL"
        with pytest.raises(NothingRunError, match="cmd -f x is not supported: there is none"):
            choice(context, "-f", "x", known, refused)
        with pytest.raises(NothingRunError, match="-f takes all, a, not y\nusage: cmd"):
            choice(context, "-f", "y", known, refused)


def test_a_name_may_be_needed() -> None:
    assert given(["A"], need) == {"name": "A"}
    with pytest.raises(NothingRunError, match="a name is missing\nusage: need Name"):
        given([], need)


def test_every_console_script_leads_to_a_function() -> None:
    """Each console script is also known to `mqsc` under its name."""
    from importlib import import_module

    from mqsc.main import COMMANDS

    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    for name, target in scripts.items():
        module, function = target.split(":")
        assert callable(getattr(import_module(module), function))
        assert name == "mqsc" or name in COMMANDS


mqsc = conftest.mqsc
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
NAMED = sorted({*SCRIPTS} - {"mqsc"})


@pytest.mark.parametrize("command", NAMED)
def test_letters_are_those_of_ibm(mqsc: Command, command: str) -> None:
    """Help lists no one-letter options of our own; single-hyphen options are IBM's."""
    ended = mqsc(command, "--help")
    _, shown = ended.out.split("Options:\n")
    assert ended.code == 0
    assert {line.split()[0] for line in shown.splitlines() if line.startswith("  --")} >= {"--help"}
    assert "  -m" not in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("dspmq", "--format", "json"), "No such option '--format'"),
        (("crtmqm", "--qmgr", "QM2", "QM2"), "No such option '--qmgr'"),
        (("endmqm", "--immediate", "QM1"), "No such option '--immediate'"),
        (("mqrc", "--store", "x", "2053"), "No such option '--store'"),
        (("dspmq", "--store"), "requires an argument"),
    ],
)
def test_what_would_be_ignored_is_refused(mqsc: Command, arguments: tuple[str, ...], said: str) -> None:
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (20, "")
    assert said in ended.err


def test_before_between_and_after(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "create", "QM2")
    one = mqsc("--qmgr", "QM2", "dspmq").lines
    assert one == mqsc("dspmq", "--qmgr", "QM2").lines == mqsc("dspmq", "-m", "QM2").lines
    assert one[0].startswith("QMNAME(QM2) ")
    assert mqsc("dspmq", "-o", "status", "--quiet").lines == mqsc("dspmq").lines
    assert mqsc("dspmq", "--store=sqlite:///none.db").code == 20
