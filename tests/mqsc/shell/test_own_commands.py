"""The table of the shell's own commands agrees with MQSC and with the command line."""

from __future__ import annotations

import pytest

from mqsc.language.command_table import verb_of
from mqsc.main import mqsc
from mqsc.shell.own_commands import OWN_COMMANDS, ROWS, OwnCommand, is_own_command
from mqsc.shell.start import command_at


def test_no_verb_of_mqsc_has_such_a_name() -> None:
    assert [name for name in OWN_COMMANDS if verb_of(name.upper())] == []


@pytest.mark.parametrize("row", [row for row in ROWS if row.path], ids=lambda row: row.name)
def test_commands_of_the_command_line_exist(row: OwnCommand) -> None:
    assert command_at(mqsc, row.path[0]) is not None
    assert [name for name in row.subcommands if command_at(mqsc, f"{row.name} {name}") is None] == []


def test_what_is_for_the_shell() -> None:
    texts = ["put A x", "? ", "\\format", "help define", "define ql(put)", "end", "", "putty"]
    assert [is_own_command(text) for text in texts] == [True] * 4 + [False] * 4
