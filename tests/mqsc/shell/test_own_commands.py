"""The table of the shell's own commands agrees with MQSC and with the command line."""

from __future__ import annotations

from mqsc.language.command_table import verb_of
from mqsc.main import COMMANDS, mqsc
from mqsc.shell.own_commands import OWN_COMMANDS, is_own_command
from mqsc.shell.start import command_at


def test_every_command_of_the_command_line_works_in_the_shell() -> None:
    assert {*COMMANDS} < {*OWN_COMMANDS}
    assert all(command_at(mqsc, row.path[0]) is not None for row in OWN_COMMANDS.values() if row.path)


def test_two_verbs_of_mqsc_have_such_a_name() -> None:
    assert [name for name in OWN_COMMANDS if verb_of(name.upper())] == ["backup", "archive"]
    texts = ["archive log", "ARCHIVE LOG MODE(QUIESCE)", "backup cfstruct(C1)", "archive list /a", "backup copy.db"]
    assert [is_own_command(text) for text in texts] == [False] * 3 + [True] * 2


def test_what_is_for_the_shell() -> None:
    texts = ["put A x", "? ", "\\format", "! ls", "help define", "define ql(put)", "end", "", "putty"]
    assert [is_own_command(text) for text in texts] == [True] * 5 + [False] * 4
