"""What the end of a command says about its output."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqsc.shell.command_text import SettingError, Settings
from mqsc.shell.output import Output, split_output


@pytest.mark.parametrize(
    ("text", "command", "output"),
    [
        ("dis ql(*)", "dis ql(*)", Output()),
        ("dis ql(*) > a.txt", "dis ql(*)", Output(file="a.txt")),
        ("dis ql(*) >> 'a b'", "dis ql(*)", Output(file="a b", append=True)),
        ("dis ql(*) | grep x | wc -l", "dis ql(*)", Output(pipe="grep x | wc -l")),
        ("put A 'x > y' > f", "put A 'x > y'", Output(file="f")),
        ("put A a>b c|d", "put A a>b c|d", Output()),
        ("dis ql(*) where(descr eq 'a > b')", "dis ql(*) where(descr eq 'a > b')", Output()),
        ("dis ql(*) where( descr eq ' > ' ) | cat", "dis ql(*) where( descr eq ' > ' )", Output(pipe="cat")),
        ("dis ql(*) >! f", "dis ql(*)", Output(file="f", replaces=True)),
        ("dis ql(*) | (cat)", "dis ql(*)", Output(pipe="(cat)")),
        ("put A C:\\format", "put A C:\\format", Output()),
    ],
)
def test_output(text: str, command: str, output: Output) -> None:
    assert split_output(text, Settings()) == (command, output, Settings())


def test_settings_for_one_command() -> None:
    found = split_output("dis ql(*) curdepth \\sort -curdepth \\format JSON > f", Settings())
    assert found == ("dis ql(*) curdepth", Output(file="f"), Settings(format="json", sort="-CURDEPTH"))
    assert split_output("ping qmgr \\timing on", Settings())[2].timing is True


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("dis ql(*) >", "> must be followed by a file"),
        ("dis ql(*) |", "| must be followed by a shell command"),
        ("dis ql(*) > a b", "> takes one file; a name with blanks must be in quotes"),
        ("dis ql(*) \\format xml", "\\format takes table, vertical, classic, markdown, tsv, csv or json, not 'xml'"),
    ],
)
def test_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(SettingError, match=f"^{says.replace(chr(92), chr(92) * 2).replace('|', '[|]')}"):
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
    "?",
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(st.characters(min_codepoint=32), max_size=4)), max_size=8)


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
    for command in (f"put A '{in_quotes(pieces)}'", f"explain trigger(A) if('{in_quotes(pieces)}')"):
        assert split_output(command, Settings()) == (command, Output(), Settings())


@pytest.mark.parametrize(
    "text",
    [
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
        "ALTER QLOCAL('A' | tee x",
        "put A 'x > y",
        "dis ql(*) curdpeth > x",
        "dis ql(*) \\frmat json > x",
    ],
)
def test_what_is_no_redirection(text: str) -> None:
    assert split_output(text, Settings()) == (text, Output(), Settings())


def test_a_redirection_on_a_further_line() -> None:
    found = split_output("dis ql(*) +\n* why\n  curdepth +\n  > f", Settings())
    assert found == ("dis ql(*) +\n* why\n  curdepth", Output(file="f"), Settings())
