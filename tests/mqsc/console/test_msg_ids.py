"""The first digits of a MsgId are enough for every command that takes one; ambiguous ones are
refused.
"""

from __future__ import annotations

import pytest

from mqsc.console.msg_ids import MOST_CANDIDATES, MOST_LISTED, only_id
from mqsc.console.target import NothingRunError
from tests.mqsc.conftest import Command
from tests.rows import rows

ONE, TWO = "41424344" + "AA" * 20, "41425566" + "BB" * 20


@pytest.fixture(autouse=True)
def _messages(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc(
        "run",
        "-c",
        "DEFINE QLOCAL(A)",
        "-c",
        "DEFINE QALIAS(B) TARGET(A)",
        "-c",
        "DEFINE QLOCAL(C)",
    )
    for msg_id, text in ((ONE, "one"), (TWO, "two")):
        mqsc("put", "A", text, "--msg-id", msg_id)


COMMANDS = (
    "browse A --msg-id",
    "browse B --msg-id",
    "browse A --as-of 0s --msg-id",
    "get A --msg-id",
    "get A --explain --msg-id",
    "dlq show A --msg-id",
    "dlq retry A --plan --msg-id",
    "dlq forward A --to C --msg-id",
    "dlq discard A --plan --msg-id",
    "dlq discard A --msg-id",
    "history --msg-id",
    "trace",
    "reproduce",
)


TAKING = ("get A --msg-id", "dlq forward A --to C --msg-id", "dlq discard A --msg-id")


@rows(*((command, digits) for command in COMMANDS for digits in ("4142434", "41424344aa")))
def test_the_first_digits_are_enough(mqsc: Command, command: str, digits: str) -> None:
    ended = mqsc(*command.split(), digits)
    assert "two" not in ended.out
    assert "BBBB" not in ended.out.upper()
    left = mqsc("browse", "A").out
    assert ("one" in left, "two" in left) == (command not in TAKING, True)


@rows(*COMMANDS)
def test_ambiguous_ones_are_refused(mqsc: Command, command: str) -> None:
    ended = mqsc(*command.split(), "4142")
    assert (ended.code, ended.out) == (20, "")
    assert ended.err.splitlines()[-3:] == [
        "mqsc: 2 MsgIds begin with 4142; write more digits:",
        f"  {ONE}",
        f"  {TWO}",
    ]
    assert len(mqsc("browse", "A").lines) == 3


def test_an_identifier_that_ends_with_zeros_is_written_without_them(mqsc: Command) -> None:
    mqsc("put", "A", "short", "--msg-id", "4142")
    assert mqsc("get", "A", "--msg-id", "4142").out == "short\n"
    assert mqsc("get", "A", "--msg-id", "4142").code == 20


def test_digits_that_no_message_has(mqsc: Command) -> None:
    ended = mqsc("get", "A", "--msg-id", "77")
    assert (ended.code, ended.err) == (0, "mqsc: no matching message on A\n")
    assert mqsc("browse", "C", "--msg-id", "41").err == "mqsc: no matching message on C\n"
    assert mqsc("get", "NONE", "--msg-id", "41").code == 10


@rows((0, None), (1, b"a"))
def test_no_candidate_or_one(number: int, found: bytes | None) -> None:
    assert only_id([b"a"] * number, "61") == found


def test_many_candidates() -> None:
    with pytest.raises(NothingRunError) as refused:
        only_id([b"%02d" % number for number in range(MOST_CANDIDATES)], "3")
    first, *listed = str(refused.value).splitlines()
    assert (first, len(listed)) == (
        "more than 10 MsgIds begin with 3; write more digits:",
        MOST_LISTED,
    )
