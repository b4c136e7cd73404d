"""`mqsc explain` and `mqrc` as they are typed."""

from __future__ import annotations

import json

import pytest

from tests.mqsc.commands.conftest import Command


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
        ("1500", "nothing is known as '1500'"),
        ("2054", "did you mean 2053?"),
        ("", "nothing is known as ''"),
    ],
)
def test_what_nobody_knows(mqsc: Command, word: str, says: str) -> None:
    ended = mqsc("explain", "--", word)
    assert (ended.code, ended.out) == (10, "")
    assert says in ended.err


@pytest.mark.parametrize(
    ("arguments", "code", "out"),
    [
        (["2053"], 0, "2053 0x00000805 MQRC_Q_FULL\n"),
        (["0x805"], 0, "2053 0x00000805 MQRC_Q_FULL\n"),
        (["MQRC_NO_MSG_AVAILABLE"], 0, "2033 0x000007f1 MQRC_NO_MSG_AVAILABLE\n"),
        (["3228"], 0, "3228 0x00000c9c MQRCCF_PARM_MISSING\n"),
        (["0"], 0, "0 0x00000000 MQRC_NONE\n"),
        (["-a", "0"], 0, "0 0x00000000 MQRC_NONE\n0 0x00000000 MQFB_NONE\n"),
        (["-f", "2051", "-l", "2053"], 0, "2051 0x00000803 MQRC_PUT_INHIBITED\n2052 0x00000804 MQRC_Q_DELETED\n"
         "2053 0x00000805 MQRC_Q_FULL\n"),
        (["-b", "AMQ8426"], 0, "AMQ8426I: Valid MQSC commands are:\n"),
        (["4711"], 10, ""),
        (["-f", "1500", "-l", "1600"], 10, ""),
        ([], 20, ""),
        (["2053", "-f", "1"], 20, ""),
        (["-R", "2053"], 20, ""),
    ],
)  # fmt: skip
def test_mqrc(mqsc: Command, arguments: list[str], code: int, out: str) -> None:
    ended = mqsc("mqrc", *arguments)
    assert (ended.code, ended.out) == (code, out)
