"""`mqrc` with the arguments of IBM's command, and its layout."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command

mqsc = conftest.mqsc
FULL = "      2053  0x00000805  MQRC_Q_FULL"
EMPTY = "      2033  0x000007f1  MQRC_NO_MSG_AVAILABLE"
SYNTAX = "AMQ8405I: Syntax error detected at or near end of command segment below:-"


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ("2053", [FULL]),
        ("0x805", [FULL]),
        ("0x00000805", [FULL]),
        ("-r 2053", [FULL]),
        ("MQRC_Q_FULL", [FULL]),
        ("-s mqrc_q_full", [FULL]),
        ("3228", ["      3228  0x00000c9c  MQRCCF_PARM_MISSING"]),
        ("0", ["         0  0x00000000  MQRC_NONE"]),
        ("-a 0", ["         0  0x00000000  MQRC_NONE", "         0  0x00000000  MQFB_NONE"]),
        ("-f 2052 -l 2053", ["      2052  0x00000804  MQRC_Q_DELETED", FULL]),
        ("-R -f 2053", [FULL]),
        ("-b AMQ8405", [SYNTAX]),
        ("-b -m amq8405i", [SYNTAX]),
        ("-b -m 8405", [SYNTAX]),
        ("-ab AMQ8405E", [SYNTAX]),
        ("-b AMQ8750", ["AMQ8750: No rule in the table"]),
        ("-b amq8709", ["AMQ8709: The dead-letter handler is ending."]),
        ("-b -M -f 8426", ["AMQ8426I: Valid MQSC commands are:"]),
    ],
)  # fmt: skip
def test_what_is_printed(mqsc: Command, arguments: str, lines: list[str]) -> None:
    ended = mqsc("mqrc", *arguments.split())
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines == ["", *lines, ""]


def test_every_code(mqsc: Command) -> None:
    lines = mqsc("mqrc", "-R").lines
    assert len(lines) > 900
    assert {EMPTY, FULL} < {*lines}


def test_a_message_is_explained(mqsc: Command) -> None:
    ended = mqsc("mqrc", "AMQ8405")
    assert ended.lines[1] == SYNTAX
    assert {line.split(":")[0].strip() for line in ended.lines} >= {"severity", "cause", "action"}


def test_words_from_standard_input(mqsc: Command) -> None:
    ended = mqsc("mqrc", "-", stdin=b"2053 nothing\n2033\n")
    assert (ended.code, ended.lines) == (10, ["", FULL, "", "", EMPTY, ""])
    assert ended.err == "mqsc: nothing is not a known reason code or message\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ("4711", 10, "4711 is not a known reason code or message"),
        ("AMQ8405E", 10, "AMQ8405E is not a known reason code or message"),
        ("-r MQRC_Q_FULL", 10, "MQRC_Q_FULL is not a known reason code or message"),
        ("-s 2053", 10, "2053 is not a known reason code or message"),
        ("-m 2053", 10, "2053 is not a known reason code or message"),
        ("-f 1500 -l 1600", 10, "there is no code or message from 1500 to 1600"),
        ("", 20, "give one code, symbol, message or range\nusage: mqrc"),
        ("2053 -f 1", 20, "give one code"),
        ("-R 2053", 20, "give one code"),
        ("-r 1 -s x", 20, "give one code"),
        ("-M", 20, "a range needs -f First"),
        ("-R -l 5", 20, "a range needs -f First"),
        ("-f one", 20, "-f takes a number, not one"),
        ("-d Fr_FR 2053", 20, "mqrc -d is not supported: there is only one language"),
        ("-i json", 20, "mqrc -i is not supported: there are no error logs"),
        ("-z", 20, "unknown option -z"),
        ("1 2", 20, "unexpected argument 2"),
    ],
)
def test_refused(mqsc: Command, arguments: str, code: int, said: str) -> None:
    ended = mqsc("mqrc", *arguments.split())
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err


def test_as_a_program() -> None:
    code = "from mqsc.ibm.scripts import main_mqrc; main_mqrc()"
    ended = subprocess.run([sys.executable, "-c", code, "2053"], capture_output=True, env=os.environ, check=False)
    assert (ended.returncode, ended.stdout.decode(), ended.stderr) == (0, f"\n{FULL}\n\n", b"")
