"""The arguments of IBM's commands: how they are parsed, and the errors that print the usage."""

import tomllib

import pytest

from mqsc.console.target import NothingRunError
from mqsc.ibm.arguments import FLAG, VALUE, VALUES, Usage, choice, number_in, read_arguments, unsupported
from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.source import ROOT

USAGE = Usage(
    "cmd", "cmd [-e] [-v] [-f File] Name", {"-e": FLAG, "-v": FLAG, "-f": VALUE, "-x": unsupported("no")}, 0, 2
)


@pytest.mark.parametrize(
    ("arguments", "options", "names"),
    [
        ((), {}, ()),
        (("-e", "A"), {"-e": ""}, ("A",)),
        (("A", "-e"), {"-e": ""}, ("A",)),
        (("-ev", "A", "B"), {"-e": "", "-v": ""}, ("A", "B")),
        (("-f", "a.mqsc"), {"-f": "a.mqsc"}, ()),
        (("-fa.mqsc"), {"-f": "a.mqsc"}, ()),
        (("-f", "-e"), {"-f": "-e"}, ()),
        (("-",), {}, ("-",)),
    ],
)
def test_read(arguments: tuple[str, ...] | str, options: dict[str, str], names: tuple[str, ...]) -> None:
    given = read_arguments(USAGE, [arguments] if isinstance(arguments, str) else arguments)
    assert (given.options, given.names) == (options, names)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-q",), "unknown option -q"),
        (("-eq",), "-q in -eq is not a flag"),
        (("-ef",), "-f in -ef is not a flag"),
        (("-e", "-e"), "-e is given twice"),
        (("-f",), "-f needs a value"),
        (("A", "B", "C"), "unexpected argument C"),
        (("-x",), "cmd -x is not supported: no"),
        (("-ex",), "cmd -x is not supported: no"),
    ],
)
def test_refused(arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(NothingRunError, match=why) as caught:
        read_arguments(USAGE, arguments)
    assert caught.value.exit_code == 20


def test_numbers() -> None:
    given = read_arguments(USAGE, ["-f", "12"])
    assert number_in(USAGE, given, "-f") == 12
    with pytest.raises(NothingRunError, match="-f takes a number, not x"):
        number_in(USAGE, read_arguments(USAGE, ["-f", "x"]), "-f")


def test_an_option_may_come_often() -> None:
    usage = Usage("cmd", "cmd [-o What]...", {"-o": VALUES}, 0, 0)
    assert read_arguments(usage, ["-o", "a", "-ob"]).options == {"-o": "a,b"}


def test_choices() -> None:
    known, refused = {"all": "ALL", "a": "ALL"}, {"x": "there is none"}
    assert choice(USAGE, "-f", "a", known, refused) == "ALL"
    with pytest.raises(NothingRunError, match="cmd -f x is not supported: there is none"):
        choice(USAGE, "-f", "x", known, refused)
    with pytest.raises(NothingRunError, match="-f takes all, a, not y\nusage: cmd"):
        choice(USAGE, "-f", "y", known, refused)


def test_a_name_may_be_needed() -> None:
    with pytest.raises(NothingRunError, match="a name is missing"):
        read_arguments(Usage("cmd", "cmd Name", {}, 1, 1), [])


def test_every_console_script_leads_to_a_function() -> None:
    """Each console script is also known to `mqsc` under its name."""
    from importlib import import_module

    from mqsc.cli.main import COMMANDS

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
    assert mqsc("dspmq", "-o", "--quiet", "status").lines == mqsc("dspmq").lines
    assert mqsc("dspmq", "--store=sqlite:///none.db").code == 20
