"""`mqsc explain` on the command line."""

from __future__ import annotations

import json

import pytest

from tests.mqsc.conftest import Command


def test_a_reason_code(mqsc: Command) -> None:
    ended = mqsc("explain", "2053")
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines[0] == "2053 0x00000805 MQRC_Q_FULL"
    assert ended.lines[1].startswith("  cause:     The queue holds MAXDEPTH messages")
    assert mqsc("explain", "MQRC_Q_FULL").out == mqsc("explain", "q_full").out == ended.out


def test_several_words_and_json(mqsc: Command) -> None:
    rows = json.loads(mqsc("explain", "AMQ8147", "MAXDEPTH", "--format", "json").out)
    assert [(row["kind"], row["name"]) for row in rows] == [("message", "AMQ8147E"), ("keyword", "MAXDEPTH")]
    assert rows[1]["takes"] == "a number from 0 to 999999999"
    assert rows[1]["default"] == "5000"


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("MAXDEPHT", "did you mean MAXDEPTH?"),
        ("MQRC_Q_FUL", "did you mean MQRC_Q_FULL?"),
        ("MQSC-C99", "did you mean MQSC-C"),
        ("1500", "'1500' is not a known code, message, rule, keyword, object, verb or concept"),
        ("2054", "did you mean 2053?"),
        ("", "'' is not a known code, message, rule, keyword, object, verb or concept"),
    ],
)
def test_what_nobody_knows(mqsc: Command, word: str, says: str) -> None:
    ended = mqsc("explain", "--", word)
    assert (ended.code, ended.out) == (10, "")
    assert says in ended.err


def test_every_word_that_nobody_knows_has_a_line_of_its_own(mqsc: Command) -> None:
    ended = mqsc("explain", "1500", "MAXDEPHT")
    unknown = "is not a known code, message, rule, keyword, object, verb or concept"
    assert ended.err == f"mqsc: '1500' {unknown}\nmqsc: 'MAXDEPHT' {unknown}; did you mean MAXDEPTH?\n"
