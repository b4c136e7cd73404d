"""The order of files and -c texts."""

from __future__ import annotations

import click
import pytest

from mqsc.scripts.run import InOrder, sources_of


@click.command(cls=InOrder)
@click.argument("inputs", nargs=-1)
@click.option("-c", "--command", multiple=True)
@click.option("-e", "--no-echo", is_flag=True)
@click.option("--set", "settings", multiple=True)
def command(
    inputs: tuple[str, ...],
    command: tuple[str, ...],
    no_echo: bool,
    settings: tuple[str, ...],
) -> None:
    """Stands for `mqsc run`."""


@pytest.mark.parametrize(
    ("arguments", "inputs", "no_echo"),
    [
        (["a", "-c", "PING", "b"], ["a", "PING", "b"], False),
        (["-cPING", "a"], ["PING", "a"], False),
        (["--command", "PING", "a", "--command=END"], ["PING", "a", "END"], False),
        (["-ec", "PING", "a"], ["PING", "a"], True),
        (["--set", "-c", "a"], ["a"], False),
        (["a", "-c", "one", "--", "-c"], ["a", "one", "-c"], False),
    ],
)
def test_order(arguments: list[str], inputs: list[str], no_echo: bool) -> None:
    context = command.make_context("run", arguments)
    sources = sources_of(context.params["inputs"])
    assert [source.text or source.path for source in sources] == inputs
    assert context.params["no_echo"] is no_echo


def test_a_missing_text_is_an_error() -> None:
    with pytest.raises(click.UsageError, match="requires an argument"):
        command.make_context("run", ["a", "-c"])
