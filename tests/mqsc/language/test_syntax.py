"""The syntax of commands: the words that each accepts, and how help prints it."""

from __future__ import annotations

import pytest

from mqsc.language.command_table import COMMANDS, syntax_lines
from mqsc.language.request import Naming
from mqsc.verbs.analysis import syntax_begun_by, syntax_of


def test_every_command_has_a_syntax_with_its_title() -> None:
    wrong = [
        f"{verb} {noun}"
        for verb, nouns in COMMANDS.items()
        for noun in nouns
        if (syntax := syntax_of(verb, noun)).title != f"{verb} {noun}" or len(syntax.name_types) != len(syntax.kinds)
    ]
    assert wrong == []


def test_words_of_a_verb() -> None:
    define, alter = syntax_of("DEFINE", "QLOCAL"), syntax_of("ALTER", "QLOCAL")
    display, delete = syntax_of("DISPLAY", "QLOCAL"), syntax_of("DELETE", "QLOCAL")
    assert {*define.words} >= {"MAXDEPTH", "TRIGGER", "NOTRIGGER", "LIKE", "REPLACE", "NOREPLACE"}
    assert {*define.words} - {*alter.words} == {"LIKE", "REPLACE", "NOREPLACE"}
    assert {*alter.words} - {*define.words} == {"FORCE"}
    assert "MAXDEPTH" in display.listed
    assert not {"MAXDEPTH", "CURDEPTH"} & {*display.words}
    assert not delete.listed
    assert (define.naming, display.naming) == (Naming.EXACT, Naming.GENERIC)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("def ql(a) maxdepth(", "DEFINE QLOCAL"),
        ("DISPLAY QUEUE", "DISPLAY QUEUE"),
        ("DEFINE", None),
        ("DEFINE NOSUCH(A)", None),
        ("", None),
    ],
)
def test_the_syntax_that_a_text_begins_with(text: str, title: str | None) -> None:
    found = syntax_begun_by(text)
    assert (found.title if found else None) == title


def test_the_help_prints_names_required_and_optional_parameters() -> None:
    assert syntax_lines(syntax_of("PING", "CHANNEL")) == [
        "  PING CHANNEL( channel_name )",
        f"   {'[ CHLDISP( DEFAULT | PRIVATE | SHARED ) ]'}",
        f"   {'[ CMDSCOPE( string ) ]':<40}[ DATALEN( integer ) ]",
    ]
    assert syntax_lines(syntax_of("RESOLVE", "CHANNEL"))[1] == "   ACTION( COMMIT | BACKOUT )"
    assert syntax_lines(syntax_of("REFRESH", "SECURITY"))[0] == "  REFRESH SECURITY [ ( security_name ) ]"


def test_the_help_of_a_subtype_leaves_out_what_it_does_not_take() -> None:
    channel = syntax_of("DEFINE", "CHANNEL")
    text = "\n".join(syntax_lines(channel, "SVRCONN"))
    assert "CHLTYPE( SVRCONN )" in text
    assert "XMITQ" not in text
    assert "XMITQ" in "\n".join(syntax_lines(channel, "SDR"))


def test_alter_requires_only_what_says_which_object_it_is() -> None:
    lines = syntax_lines(syntax_of("ALTER", "CHANNEL"), "SDR")
    assert lines[1] == "   CHLTYPE( SDR )"
    assert not [line for line in lines[2:] if not line.startswith("   [")]
