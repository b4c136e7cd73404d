"""The arguments of IBM's commands: what is read, and what ends a command with its usage."""

import tomllib

import pytest

from mqsc.console.target import NothingRunError
from mqsc.ibm.arguments import FLAG, VALUE, VALUES, Usage, choice, number_in, pointless, read
from tests.source import ROOT

USAGE = Usage("cmd", "cmd [-e] [-v] [-f File] Name", {"-e": FLAG, "-v": FLAG, "-f": VALUE, "-x": pointless("no")}, 0, 2)


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
    given = read(USAGE, [arguments] if isinstance(arguments, str) else arguments)
    assert (given.options, given.names) == (options, names)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-q",), "-q is no option"),
        (("-eq",), "-q in -eq is no option without a value"),
        (("-ef",), "-f in -ef is no option without a value"),
        (("-e", "-e"), "-e is given twice"),
        (("-f",), "-f needs a value"),
        (("A", "B", "C"), "there is no use for C"),
        (("-x",), "cmd -x has no meaning here: no"),
        (("-ex",), "cmd -x has no meaning here: no"),
    ],
)
def test_refused(arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(NothingRunError, match=why) as caught:
        read(USAGE, arguments)
    assert caught.value.exit_code == 20


def test_numbers() -> None:
    given = read(USAGE, ["-f", "12"])
    assert number_in(USAGE, given, "-f") == 12
    with pytest.raises(NothingRunError, match="-f takes a number, not x"):
        number_in(USAGE, read(USAGE, ["-f", "x"]), "-f")


def test_an_option_may_come_often() -> None:
    usage = Usage("cmd", "cmd [-o What]...", {"-o": VALUES}, 0, 0)
    assert read(usage, ["-o", "a", "-ob"]).options == {"-o": "a,b"}


def test_choices() -> None:
    known, refused = {"all": "ALL", "a": "ALL"}, {"x": "there is none"}
    assert choice(USAGE, "-f", "a", known, refused) == "ALL"
    with pytest.raises(NothingRunError, match="cmd -f x has no meaning here: there is none"):
        choice(USAGE, "-f", "x", known, refused)
    with pytest.raises(NothingRunError, match="-f takes all, a, not y\nusage: cmd"):
        choice(USAGE, "-f", "y", known, refused)


def test_a_name_may_be_needed() -> None:
    with pytest.raises(NothingRunError, match="a name is missing"):
        read(Usage("cmd", "cmd Name", {}, 1, 1), [])


def test_every_console_script_leads_to_a_function() -> None:
    """Each under the name that `mqsc` knows the command by, too."""
    from importlib import import_module

    from mqsc.cli.main import COMMANDS

    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    for name, target in scripts.items():
        module, function = target.split(":")
        assert callable(getattr(import_module(module), function))
        assert name == "mqsc" or name in COMMANDS
