"""Where the output of a command goes, and watch; texts in commands never write a file or start a
program.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import mqsc
from mqsc.console.options import Choices
from mqsc.language.reply import Reply
from mqsc.main import run_to_exit_code
from mqsc.shell.output_marks import Output, split_output
from mqsc.shell.own_commands import SessionSurroundings
from mqsc.shell.repeated_commands import read_watch
from mqsc.shell.session import ShellSession
from mqsc.shell.settings import SettingError, Settings
from mqsc.store.client.queue_manager import QueueManager
from tests.rows import rows
from tests.store.tables import verdicts

# Where the output of a command goes, and watch.


# What the end of a command says about its output.


@rows(
    ("dis ql(*)", "dis ql(*)", Output()),
    ("dis ql(*) > a.txt", "dis ql(*)", Output(file="a.txt")),
    ("dis ql(*) >> 'a b'", "dis ql(*)", Output(file="a b", append=True)),
    ("dis ql(*) | grep x | wc -l", "dis ql(*)", Output(pipe="grep x | wc -l")),
    ("put A 'x > y' > f", "put A 'x > y'", Output(file="f")),
    ("put A a>b c|d", "put A a>b c|d", Output()),
    ("dis ql(*) where(descr eq 'a > b')", "dis ql(*) where(descr eq 'a > b')", Output()),
    (
        "dis ql(*) where( descr eq ' > ' ) | cat",
        "dis ql(*) where( descr eq ' > ' )",
        Output(pipe="cat"),
    ),
    ("dis ql(*) >! f", "dis ql(*)", Output(file="f", replaces=True)),
    ("dis ql(*) | (cat)", "dis ql(*)", Output(pipe="(cat)")),
    ("put A C:\\format", "put A C:\\format", Output()),
)
def test_output(text: str, command: str, output: Output) -> None:
    assert split_output(text, Settings()) == (command, output, Settings())


def test_settings_for_one_command() -> None:
    found = split_output("dis ql(*) curdepth \\sort -curdepth \\format JSON > f", Settings())
    assert found == (
        "dis ql(*) curdepth",
        Output(file="f"),
        Settings(format="json", sort="-CURDEPTH"),
    )
    assert split_output("ping qmgr \\timing on", Settings())[2].timing is True


@rows(
    ("dis ql(*) >", "> must be followed by a file"),
    ("dis ql(*) |", "| must be followed by a shell command"),
    ("dis ql(*) > a b", "> takes one file; a name with blanks must be in quotes"),
    (
        "dis ql(*) \\format xml",
        "\\format takes table, vertical, classic, markdown, tsv, csv, json or jsonl, not 'xml'",
    ),
)
def test_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(
        SettingError,
        match=f"^{says.replace(chr(92), chr(92) * 2).replace('|', '[|]')}",
    ):
        split_output(text, Settings())


DEFINITIONS = (
    "DEFINE QLOCAL(R1) DESCR('{}')",
    "DEFINE QLOCAL(R1) DESCR( '{}' ) MAXDEPTH(5)",
    "DEFINE PROCESS(P9) APPLICID('{}')",
    "DEFINE PROCESS(P9) USERDATA('{}') ENVRDATA('{}')",
    "DEFINE QLOCAL(R1) +\n   TRIGDATA('{}') +\n   PUT(DISABLED)",
    "DISPLAY QLOCAL(*) CURDEPTH WHERE(DESCR EQ '{}')",
    "DISPLAY QLOCAL(*) WHERE(CURDEPTH {} 4)",
)
PIECES = (
    *(
        "'",
        '"',
        " > ",
        " >> ",
        " >! ",
        " | ",
        "\\format ",
        " \\sort x",
        "(",
        ")",
        " ",
        "out",
        "#",
        "+",
        "-",
        ";",
    ),
    "?",
)
TEXTS = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(st.characters(min_codepoint=32), max_size=4)),
    max_size=8,
)


def in_quotes(pieces: list[str]) -> str:
    return "".join(pieces).replace("'", "''")


@settings(deadline=None, max_examples=int(os.environ.get("MQSC_SHELL_FUZZ", "100")))
@given(st.sampled_from(DEFINITIONS[:-1]), TEXTS)
def test_no_text_in_quotes_is_a_redirection(definition: str, pieces: list[str]) -> None:
    """Whether the text is valid there or not."""
    command = definition.replace("{}", in_quotes(pieces))
    for typed in (command, f"watch 2 {command}"):
        assert split_output(typed, Settings()) == (typed, Output(), Settings())
    assert split_output(f"{command} \\format json > f", Settings()) in (
        (command, Output(file="f"), Settings(format="json")),
        # The command has a syntax error.
        (f"{command} \\format json > f", Output(), Settings()),
    )


@settings(deadline=None, max_examples=int(os.environ.get("MQSC_SHELL_FUZZ", "100")))
@given(TEXTS)
def test_no_text_in_quotes_of_an_own_command_is_a_redirection(pieces: list[str]) -> None:
    for command in (
        f"put A '{in_quotes(pieces)}'",
        f"explain trigger(A) if('{in_quotes(pieces)}')",
    ):
        assert split_output(command, Settings()) == (command, Output(), Settings())


@rows(
    "DEFINE QLOCAL(R1) DESCR('in > out')",
    "DEFINE QLOCAL(R1) DESCR('it''s > out')",
    "DEFINE QLOCAL(R1) DESCR('it's > out')",
    "DEFINE QLOCAL(R1) DESCR(in > out)",
    "DEFINE QLOCAL(R1) DESCR('in > out",
    "DEFINE QLOCAL(R1 > out",
    "DEFINE QLOCAL(R1) DESCR('a' > 'b') > out",
    "DISPLAY QLOCAL(*) WHERE(CURDEPTH > 4)",
    "DEFINE PROCESS(P9) APPLICID('/opt/app/run | tee TEE #')",
    "DEFINE PROCESS(P9) APPLICID('C:\\ \\format json')",
    *(
        "ALTER QLOCAL('A' | tee x",
        "put A 'x > y",
        "dis ql(*) curdpeth > x",
        "dis ql(*) \\frmat json > x",
    ),
)
def test_what_is_no_redirection(text: str) -> None:
    assert split_output(text, Settings()) == (text, Output(), Settings())


def test_a_redirection_on_a_further_line() -> None:
    found = split_output("dis ql(*) +\n* why\n  curdepth +\n  > f", Settings())
    assert found == ("dis ql(*) +\n* why\n  curdepth", Output(file="f"), Settings())


# watch: the interval, and the words that changed.


test_the_interval = verdicts(
    read_watch,
    *(("watch 5 dis ql(*)", (5.0, "dis ql(*)")), ("WATCH 0.5s dis ql(*)", (0.5, "dis ql(*)"))),
    *(("watch dis ql(*)", (2.0, "dis ql(*)")), ("watch 0 dis ql(*)", (0.1, "dis ql(*)"))),
    ("watch 2 history A\n", (2.0, "history A")),
)


@rows("watch", "watch ", "watch  \n")
def test_a_command_is_needed(text: str) -> None:
    with pytest.raises(ValueError, match="watch needs a command"):
        read_watch(text)


# Texts in commands typed in the shell: they arrive as with `mqsc run`, and never write a file or
# start a program.


DISPLAYS = (
    "DISPLAY QLOCAL(R1) DESCR TRIGDATA MAXDEPTH PUT",
    "DISPLAY PROCESS(P9) APPLICID USERDATA ENVRDATA",
)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShellSession]:
    with mqsc.open_store(f"sqlite:///{tmp_path_factory.mktemp('texts')}/store.db") as store:
        session = ShellSession(
            store.create_queue_manager("SHELL"),
            SessionSurroundings(Choices(), run_to_exit_code, lambda text: True),
            Settings(format="classic"),
        )
        store.create_queue_manager("RUN")
        yield session


def in_shell(session: ShellSession, *commands: str) -> list[str]:
    with redirect_stdout(StringIO()) as output:
        for command in commands:
            session.carry_out(command)
    return output.getvalue().splitlines()


def state(qmgr: QueueManager) -> list[list[dict[str, Any]]]:
    return [reply.rows for reply in mqsc.run(qmgr, "\n".join(DISPLAYS))]


@settings(deadline=None, max_examples=int(os.environ.get("MQSC_SHELL_FUZZ", "20")))
@given(TEXTS)
def test_every_text_survives_the_shell(shell: ShellSession, pieces: list[str]) -> None:
    run = shell.qmgr.store.queue_manager("RUN")
    here = {*os.listdir()}
    for definition in DEFINITIONS:
        command = (
            definition.replace("{}", in_quotes(pieces))
            .replace("1)", "1) REPLACE")
            .replace("9)", "9) REPLACE")
        )
        replies: list[Reply] = mqsc.run(run, command)
        lines = in_shell(shell, command)
        assert [line for line in lines if line.startswith(replies[0].message_id)], lines
        assert state(run) == state(shell.qmgr)
    assert {*os.listdir()} == here


def test_a_character_that_mqsc_cannot_read_is_refused(shell: ShellSession) -> None:
    for text in ("\ud800", "\ufffd\udcff"):
        command = f"DEFINE QLOCAL(UNREADABLE) DESCR('{text}')"
        assert any(line.startswith("AMQ8405I") for line in in_shell(shell, command))
        assert any(line.startswith("AMQ8405I") for line in in_shell(shell, f"PING QMGR\n{command}"))
    assert "UNREADABLE" not in "".join(in_shell(shell, "DISPLAY QLOCAL(*)"))
