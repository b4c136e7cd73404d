"""Refusals: the text, the segment of the command, the reason code, and the counter in the tally."""

from __future__ import annotations

from grammar.lines import LogicalLine, logical_lines
from mqsc.language.refusal import REASONS, CommandRefusal, segment
from mqsc.language.reply import Answer
from mqsc.script import read_request


def refused(text: str) -> Answer:
    (line,) = logical_lines(text.split("\n"))
    assert isinstance(line, LogicalLine)
    refusal = read_request(line)
    assert isinstance(refusal, CommandRefusal)
    return refusal.answer(line, "a.mqsc")


def test_an_unknown_verb_lists_the_verbs() -> None:
    answer = refused("FOO")
    assert answer.text.splitlines()[:3] == ["Valid MQSC commands are:", "", "    ALTER"]
    assert answer.text.splitlines()[-1] == "a.mqsc, line 1, column 1: 'FOO' is not an MQSC verb"
    assert (answer.completion, answer.reason, answer.syntax_error) == (2, 0, True)


def test_a_syntax_error_shows_the_segment_and_the_syntax() -> None:
    lines = refused("PING QMGR +\n  FOO(1) BAR").text.splitlines()
    assert lines[:6] == [
        "Syntax error detected at or near end of command segment below:-",
        "PING QMGR FOO",
        "",
        "a.mqsc, line 2, column 3: 'FOO' is not a keyword of PING QMGR",
        "AMQ8427I: Valid syntax for the MQSC command:",
        "",
    ]


def test_a_word_that_spans_two_lines_lacks_a_blank() -> None:
    hint = "(lines are joined without a blank: leave one before + or -)"
    assert refused("PING QMGR+\nFOO").text.splitlines()[-1].endswith(hint)
    assert hint not in refused("PING QMGR +\nFOO").text
    assert hint not in refused("DEFINE QLOCAL(A) DESCR('a+\n b') FOO").text


def test_some_refusals_count_as_valid_commands_that_failed() -> None:
    found = {
        text: (refused(text).message_id, refused(text).syntax_error, refused(text).reason)
        for text in ("DEFINE QLOCAL('a b')", "DEFINE QLOCAL(A) MAXDEPTH(1000000000)", "DEFINE QLOCAL(A) +")
    }
    assert found == {
        "DEFINE QLOCAL('a b')": ("AMQ8424E", False, REASONS["AMQ8424E"]),
        "DEFINE QLOCAL(A) MAXDEPTH(1000000000)": ("AMQ8412E", True, 4005),
        "DEFINE QLOCAL(A) +": ("AMQ8406I", True, 0),
    }


def test_secrets_are_masked_in_the_segment_and_in_the_sentence() -> None:
    text = refused("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) PASSWORD('hunter2') FOO(1)").text
    assert "hunter2" not in text
    assert "********" in text


def test_empty_parentheses_belong_to_the_segment() -> None:
    (line,) = logical_lines(["DEFINE QLOCAL( ) MAXDEPTH(5)"])
    assert isinstance(line, LogicalLine)
    assert segment(line, 1, 8) == "DEFINE QLOCAL( )"
    assert segment(line, 1, 18) == "DEFINE QLOCAL( ) MAXDEPTH"
