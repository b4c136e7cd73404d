"""`mqrc` with IBM's arguments."""

from __future__ import annotations

from pathlib import Path

from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.mqsc.ibm.programs import as_program
from tests.rows import rows

mqsc = conftest.mqsc
FULL = "      2053  0x00000805  MQRC_Q_FULL"
EMPTY = "      2033  0x000007f1  MQRC_NO_MSG_AVAILABLE"
SYNTAX = "AMQ8405I: Syntax error detected at or near end of command segment below:-"


@rows(
    *(
        (arguments, [FULL])
        for arguments in ("2053", "0x805", "0x00000805", "-r 2053", "MQRC_Q_FULL", "-s mqrc_q_full")
    ),
    *(
        ("-R -f 2053", [FULL]),
        ("-f 2052 -l 2053", ["      2052  0x00000804  MQRC_Q_DELETED", FULL]),
    ),
    ("3228", ["      3228  0x00000c9c  MQRCCF_PARM_MISSING"]),
    ("0", ["         0  0x00000000  MQRC_NONE"]),
    ("-a 0", ["         0  0x00000000  MQRC_NONE", "         0  0x00000000  MQFB_NONE"]),
    *(
        (arguments, [SYNTAX])
        for arguments in ("-b AMQ8405", "-b -m amq8405i", "-b -m 8405", "-ab AMQ8405E")
    ),
    ("-b AMQ8750", ["AMQ8750: No rule in the table"]),
    ("-b amq8709i", ["AMQ8709: The dead-letter handler is ending."]),
    ("-b amq8709", ["AMQ8709: The dead-letter handler is ending."]),
    ("-b -M -f 8426", ["AMQ8426I: Valid MQSC commands are:"]),
)
def test_what_is_printed(mqsc: Command, arguments: str, lines: list[str]) -> None:
    ended = mqsc("mqrc", *arguments.split())
    assert (ended.code, ended.err, ended.lines) == (0, "", ["", *lines, ""])


def test_every_code_a_message_and_words_from_standard_input(mqsc: Command) -> None:
    lines = mqsc("mqrc", "-R").lines
    assert len(lines) > 900
    assert {EMPTY, FULL} < {*lines}
    ended = mqsc("mqrc", "AMQ8405")
    assert ended.lines[1] == SYNTAX
    assert {line.split(":")[0].strip() for line in ended.lines} >= {"severity", "cause", "action"}
    ended = mqsc("mqrc", "-", stdin=b"2053 nothing\n2033\n")
    assert (ended.code, ended.lines) == (10, ["", FULL, "", "", EMPTY, ""])
    assert ended.err == "nothing is not a known reason code or message\n"


def test_mqrc_as_a_program(tmp_path: Path) -> None:
    ended = as_program("mqrc", "2053", store=tmp_path / "none.db")
    assert (ended.returncode, ended.stdout.decode(), ended.stderr) == (0, f"\n{FULL}\n\n", b"")
