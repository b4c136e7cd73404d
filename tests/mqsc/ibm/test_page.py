"""docs/named-commands.md shows the usage of every command as the command itself prints it."""

from __future__ import annotations

import tomllib

from mqsc.dlq.notices import TEXTS, USAGE
from mqsc.ibm import agents, managers, samples, scripts
from mqsc.ibm.options import IbmCommand, IbmOption
from tests.source import ROOT

PAGE = (ROOT / "docs" / "named-commands.md").read_text("utf-8")
MODULES = (agents, managers, samples, scripts)
FOUND = [each for module in MODULES for each in vars(module).values() if isinstance(each, IbmCommand)]


def test_every_command_is_there() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert {each.name for each in FOUND} | {"mqsc"} == {*scripts}
    rows = [line.split("`")[1].split()[0] for line in PAGE.splitlines() if line.startswith("| `")]
    assert {*rows} == {*scripts} - {"mqsc"}


def test_the_usage_is_that_of_the_command() -> None:
    lines = [each.usage for each in FOUND] + [TEXTS[USAGE].removeprefix("Usage: ").removesuffix(" < RulesTable")]
    escaped = [f"| `{line.replace('|', chr(92) + '|')}` |" for line in lines]
    assert [line for line in escaped if line not in PAGE] == []


def test_the_usage_has_every_option_that_has_a_meaning() -> None:
    taken = [
        (each.usage, option.opts[0])
        for each in FOUND
        for option in each.params
        if isinstance(option, IbmOption) and not option.reason
    ]
    assert [(usage, option) for usage, option in taken if f"{option} " not in usage.replace("]", " ")] == []
