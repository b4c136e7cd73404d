"""docs/named-commands.md shows the usage of every command as the command itself prints it."""

from __future__ import annotations

import tomllib

from mqsc.dlq.notices import TEXTS, USAGE
from mqsc.ibm import dmpmqcfg, manager_usages, mqrc, runmqchi, runmqchl, runmqsc, runmqtrm, samples
from mqsc.ibm.arguments import Usage
from tests.source import ROOT

PAGE = (ROOT / "docs" / "named-commands.md").read_text("utf-8")
MODULES = (dmpmqcfg, manager_usages, mqrc, runmqchi, runmqchl, runmqsc, runmqtrm, samples)
USAGES = [each for module in MODULES for each in vars(module).values() if isinstance(each, Usage)]


def test_every_command_is_there() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert {usage.command for usage in USAGES} | {"mqsc", "runmqdlq"} == {*scripts}
    rows = [line.split("`")[1].split()[0] for line in PAGE.splitlines() if line.startswith("| `")]
    assert {*rows} == {*scripts} - {"mqsc"}


def test_the_usage_is_that_of_the_command() -> None:
    lines = [usage.line for usage in USAGES] + [TEXTS[USAGE].removeprefix("Usage: ").removesuffix(" < RulesTable")]
    escaped = [f"| `{line.replace('|', chr(92) + '|')}` |" for line in lines]
    assert [line for line in escaped if line not in PAGE] == []
