"""The options with two hyphens that commands under IBM's names take beside IBM's own."""

from __future__ import annotations

import tomllib

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.source import ROOT

mqsc = conftest.mqsc
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
NAMED = sorted({*SCRIPTS} - {"mqsc"})


@pytest.mark.parametrize("command", NAMED)
def test_letters_are_those_of_ibm(mqsc: Command, command: str) -> None:
    """Nothing that help shows among our options is a letter, and whatever it shows is taken."""
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
