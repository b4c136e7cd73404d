"""\\tee, \\once, \\e, \\f, `!` and foreach."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mqsc.shell.session import ShellSession
from tests.mqsc.shell.conftest import Asked, Run


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


def test_tee_copies_what_is_shown_with_its_errors(shown: Run, tmp_path: Path) -> None:
    file = tmp_path / "all.txt"
    lines = [*shown(f"\\tee {file}", "dis ql(orders) maxdepth"), *shown("alter ql(nope) descr(x)")]
    assert file.read_text().splitlines() == lines
    shown("\\tee", "ping qmgr")
    assert file.read_text().splitlines() == lines
    assert "Is a directory" in " ".join(" ".join(shown(f"\\tee {tmp_path}")).split())


def test_once_sends_the_output_of_the_next_command(shown: Run, tmp_path: Path) -> None:
    assert shown(f"\\once {tmp_path}/one", "dis ql(orders) maxdepth") == []
    assert (tmp_path / "one").read_text().startswith("QUEUE")
    assert shown("dis ql(orders) maxdepth")[0].startswith("QUEUE")
    assert shown(f"\\once | cat > {tmp_path}/two", "dis ql(orders) maxdepth") == []
    assert (tmp_path / "two").read_text() == (tmp_path / "one").read_text()


def test_saved_commands(shown: Run, session: ShellSession, tmp_path: Path) -> None:
    assert shown("\\f") == []
    assert shown("\\fs depth dis ql(orders) curdepth", "\\f") == ["depth: dis ql(orders) curdepth"]
    assert shown("\\f depth")[:2] == ["dis ql(orders) curdepth", "QUEUE   TYPE    CURDEPTH  FULL"]
    assert os.stat(tmp_path / "mqsc" / "saved" / "depth.mqsc").st_mode & 0o777 == 0o600
    assert session.exit_code == 0
    refusals = {
        "\\f nope": "no command is saved as nope; saved are: depth",
        "\\fs ../x ping qmgr": "'../x' cannot be the name of a saved command",
        "\\fs x": "\\fs takes NAME COMMAND",
        "\\fs x alter channel(c) chltype(svrconn) password(geheim)": "a command with a password is not saved",
    }
    for command, sentence in refusals.items():
        assert sentence in " ".join(" ".join(shown(command)).split())
    assert shown("\\fd depth", "\\f") == []


def test_an_edited_command_is_in_the_line_to_edit(
    shown: Run,
    session: ShellSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/orders/errors/ "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    shown("dis ql(orders)", "\\e")
    assert (session.take_draft(), session.take_draft()) == ("dis ql(errors)", "")
    shown("\\e clear ql(orders)")
    assert session.take_draft() == "clear ql(errors)"
    monkeypatch.setenv("VISUAL", "/nowhere/editor")
    assert "/nowhere/editor" in " ".join(shown("\\e"))


def test_a_command_of_the_own_shell(shown: Run) -> None:
    assert sorted(shown("! echo hi; false")) == ["(exit code 1)", "hi"]
    assert "cannot start programs" in " ".join(shown("ping qmgr\n! touch /tmp/never"))
    assert "is typed alone" in " ".join(shown("ping qmgr\n\\tee x"))


def test_foreach_lists_what_it_will_do_and_asks(shown: Run, session: ShellSession, asked: Asked) -> None:
    shown("define ql('lower.case') maxdepth(20)", "put orders a b", "put errors c")
    command = "foreach ql(*) where(maxdepth lt 11) do clear ql({})"
    lines = shown(command)
    assert asked.questions == ["Run 2 commands? [y/N] "]
    assert lines == ["  clear ql('ERRORS')", "  clear ql('ORDERS')", "Nothing was run."]
    asked.answer = True
    assert shown(command)[-1] == "(2 commands, none failed)"
    assert len(asked.questions) == 2
    assert shown(command.replace("11", "1"))[0].startswith("AMQ8147E")
    shown("foreach ql('lower*') do alter ql({}) descr('a do b')", "foreach ql('l*') do alter ql('{}') maxdepth(7)")
    assert shown("dis ql('lower.case') maxdepth \\format tsv")[1].endswith("\t7")
    assert session.exit_code == 10


def test_foreach_that_only_reads_does_not_ask(shown: Run, asked: Asked, tmp_path: Path) -> None:
    shown("put orders a", "put errors b")
    done = "(2 commands, none failed)"
    assert shown(f"foreach ql(*) where(maxdepth lt 11) do browse {{}} > {tmp_path}/out") == [done]
    assert (tmp_path / "out").read_text().count("PUT") == 2
    lines = shown("foreach ql(*) where(maxdepth lt 11) do dis ql({}) curdepth \\format tsv")
    assert lines[1::2] == [f"{name}\tQLOCAL\t1" for name in ("ERRORS", "ORDERS")]
    assert asked.questions == []


@pytest.mark.parametrize(
    "command",
    [
        "foreach",
        "foreach ql(*)",
        "foreach ql(*) where(curdepth > 4)",
        "foreach ql(*) do",
        "foreach nothing(*) do ping qmgr",
    ],
)
def test_foreach_says_what_it_takes(shown: Run, command: str) -> None:
    assert "foreach takes an object, a condition and a command" in " ".join(shown(command))


def test_foreach_needs_a_place_for_the_name(shown: Run) -> None:
    assert "needs {} where the name goes" in " ".join(shown("foreach ql(*) do clear ql(orders)"))


def test_system_objects_are_hidden_from_generic_names(shown: Run) -> None:
    lines = shown("\\system off", "dis ql(*) curdepth")
    assert [line.split()[0] for line in lines[1:-1]] == ["ERRORS", "ORDERS"]
    assert lines[-1].startswith("(2 rows, ")
    assert "SYSTEM.DEAD.LETTER.QUEUE" in shown("dis ql(SYSTEM.DEAD*) curdepth")[1]
