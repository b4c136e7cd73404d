"""The common options and the command group."""

from __future__ import annotations

import io
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mqsc.console.options import Choices, LazyGroup, choices_of, common_options, wants_colour
from mqsc.console.terminal import default_store, is_terminal


def test_the_store_is_an_option_a_variable_or_a_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert Choices().store_url() == f"sqlite:///{default_store()}" == f"sqlite:///{tmp_path}/data/mqsc/mqsc.db"
    assert (tmp_path / "data" / "mqsc").stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("MQSC_STORE", "other.db")
    assert Choices().store_url() == "sqlite:///other.db"
    assert Choices(store="sqlite://").store_url() == "sqlite://"


def test_a_missing_store(tmp_path: Path) -> None:
    (tmp_path / "there.db").touch()
    assert not Choices(store=str(tmp_path / "there.db")).store_is_missing()
    assert Choices(store=str(tmp_path / "none.db")).store_is_missing()
    assert not Choices(store="sqlite://").store_is_missing()


def test_the_queue_manager_is_an_option_or_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Choices().qmgr_name() is None
    monkeypatch.setenv("MQSC_QMGR", "QM2")
    assert (Choices().qmgr_name(), Choices(qmgr="QM1").qmgr_name()) == ("QM2", "QM1")


def test_quiet_suppresses_information(capsys: pytest.CaptureFixture[str]) -> None:
    Choices().inform("said")
    Choices(quiet=True).inform("not said")
    assert capsys.readouterr() == ("", "said\n")


@click.group(cls=LazyGroup, rows={"show": (__name__, "show", "Show the options."), "end": ("none", "end", "End.")})
@common_options
def group() -> None:
    """Stands for `mqsc`."""


@click.command()
@common_options
@click.pass_context
def show(context: click.Context) -> None:
    """Show the options given."""
    click.echo(choices_of(context))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--qmgr", "A", "--quiet", "show", "-m", "B"], "Choices(store=None, qmgr='B', format=None, quiet=True)"),
        (["--format", "json", "show"], "format='json'"),
        (["--help"], "show  Show the options."),
        (["shwo"], "No such command 'shwo'; did you mean show?"),
        (["display", "qmgr"], "No such command 'display'; to run MQSC, use `mqsc run -c 'display qmgr'`."),
        (["frobnicate"], "No such command 'frobnicate'."),
    ],
)
def test_a_group(arguments: list[str], says: str) -> None:
    assert says in CliRunner().invoke(group, arguments).output


class Closed(io.StringIO):
    """A stream whose isatty fails."""

    def isatty(self) -> bool:
        raise ValueError("I/O operation on closed file")


def test_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert [is_terminal(stream) for stream in (Terminal(), io.StringIO(), Closed(), None)] == [
        True,
        False,
        False,
        False,
    ]
    monkeypatch.setattr("sys.stderr", Terminal())
    assert wants_colour()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour()
