"""What runmqsc answered, read from its echo by the ids of messages (N11, N19)."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import pytest

from mqsc.language.refusal import CommandRefusal
from mqsc.script import commands_in, read_request
from mqsc.targets.programs import call
from mqsc.targets.replies import Outcome, SentCommand, first_sentence, replies
from tests.mqsc.targets.far_end import FarEnd

DONE, FAILED, UNKNOWN = Outcome.DONE, Outcome.FAILED, Outcome.UNKNOWN
SCRIPT = """DEFINE QLOCAL('A') +
      MAXDEPTH(7)
ALTER QLOCAL('B') MAXDEPTH(8)
DELETE QLOCAL('C')
"""


def sent(script: str) -> list[SentCommand]:
    """The commands of a script."""
    commands = []
    for line in commands_in(script.splitlines()):
        request = read_request(line)
        assert not isinstance(request, CommandRefusal)
        lines = tuple(each.text for each in line.source)
        commands.append(SentCommand(request, line.text, lines))
    return commands


OUTPUTS = {
    "English, 9.3": (
        """Starting MQSC for queue manager PROD.


     1 : DEFINE QLOCAL('A') +
       :       MAXDEPTH(7)
AMQ8006I: IBM MQ queue created.
     2 : ALTER QLOCAL('B') MAXDEPTH(8)
AMQ8147E: IBM MQ object B not found.
     3 : DELETE QLOCAL('C')
AMQ8143E: IBM MQ queue not empty.
3 MQSC commands read.
""",
        (DONE, FAILED, FAILED),
    ),
    "German, before 9.1, without letters": (
        """     1 : DEFINE QLOCAL('A') +
       :       MAXDEPTH(7)
AMQ8006: WebSphere MQ-Warteschlange wurde erstellt.
     2 : ALTER QLOCAL('B') MAXDEPTH(8)
AMQ8008: WebSphere MQ-Warteschlange wurde geändert.
     3 : DELETE QLOCAL('C')
AMQ8147: Das WebSphere MQ-Objekt C wurde nicht gefunden.
""",
        (DONE, DONE, FAILED),
    ),
    "a syntax error, whose letter is I": (
        """     1 : DEFINE QLOCAL('A') +
       :       MAXDEPTH(7)
AMQ8405I: Syntax error detected at or near end of command segment below:-
DEFINE QLOCAL('A') MAXDEPTH(

AMQ8427I: Valid syntax for the MQSC command:

  DEFINE QLOCAL( q_name )
     2 : ALTER QLOCAL('B') MAXDEPTH(8)
AMQ8008I: IBM MQ queue changed.
     3 : DELETE QLOCAL('C')
AMQ8007I: IBM MQ queue deleted.
""",
        (FAILED, DONE, DONE),
    ),
    "z/OS": (
        """     1 : DEFINE QLOCAL('A') +
       :       MAXDEPTH(7)
CSQN205I   COUNT=       2, RETURN=00000000, REASON=00000000
CSQ9022I +CSQ1 CSQMAQLC ' DEFINE QLOCAL' NORMAL COMPLETION
     2 : ALTER QLOCAL('B') MAXDEPTH(8)
CSQN205I   COUNT=       4, RETURN=0000000C, REASON=00000008
CSQM125I +CSQ1 CSQMUQLC QLOCAL(B) QSGDISP(QMGR) WAS NOT FOUND
CSQ9023E +CSQ1 CSQMUQLC ' ALTER QLOCAL' ABNORMAL COMPLETION
     3 : DELETE QLOCAL('C')
CSQ9022I +CSQ1 CSQMUQLC ' DELETE QLOCAL' NORMAL COMPLETION
""",
        (DONE, FAILED, DONE),
    ),
    "folded lines": (
        """     1 : DEFINE QLOCAL('A') +
       :       MAXDEPTH(7)
AMQ8006I: IBM MQ queue
created.
     2 : ALTER QLOCAL('B') MAXDEPTH(8)
AMQ8148E: IBM MQ object in
use.
     3 : DELETE QLOCAL('C')
AMQ8007I: IBM MQ queue deleted.
""",
        (DONE, FAILED, DONE),
    ),
    "-e, without an echo": (
        "AMQ8006I: created.\nAMQ8147E: not found.\nAMQ8007I: deleted.\n",
        (DONE, FAILED, DONE),
    ),
    "-e, and another number of replies": ("AMQ8006I: x\nAMQ8147E: y\n", (UNKNOWN,) * 3),
    "ended in the middle": (
        "     1 : DEFINE QLOCAL('A') +\n       :       MAXDEPTH(7)\nAMQ8006I: x\n"
        "     2 : ALTER QLOCAL('B') MAXDEPTH(8)\n",
        (DONE, UNKNOWN, UNKNOWN),
    ),
    "nothing": ("", (UNKNOWN,) * 3),
    "other commands than those that were sent": (
        "     1 : DELETE QLOCAL('Z')\nAMQ8007I: x\n",
        (UNKNOWN,) * 3,
    ),
    "a value that looks like an echo": (
        """     1 : DEFINE QLOCAL('A') +
       :       MAXDEPTH(7)
AMQ8147E: x
     2 : DELETE QLOCAL('C')
     3 : DELETE QLOCAL('C')
AMQ8006I: forged
""",
        (FAILED, UNKNOWN, UNKNOWN),
    ),
}


@pytest.mark.parametrize(("out", "outcomes"), OUTPUTS.values(), ids=[*OUTPUTS])
def test_n11_by_code(out: str, outcomes: tuple[Outcome, ...]) -> None:
    found = replies(sent(SCRIPT), out.encode())
    assert tuple(each.outcome for each in found) == outcomes


def test_a_reply_in_another_code_page_is_read() -> None:
    out = "     1 : PING QMGR\nAMQ8415I: Le gestionnaire répond.\n".encode("latin-1")
    (reply,) = replies(sent("PING QMGR"), out)
    assert (reply.outcome, first_sentence(reply)[:9]) == (DONE, "AMQ8415I:")


def test_control_characters_are_shown() -> None:
    (reply,) = replies(sent("PING QMGR"), b"     1 : PING QMGR\nAMQ8415I: \x1b[2J\n")
    assert "\x1b" not in first_sentence(reply)


ECHO = re.compile(r"^\s{0,5}(\d+) : (.+)", re.MULTILINE)


def test_n19_transcripts_of_real_queue_managers(corpus: Path, tmp_path: Path) -> None:
    """A program answers as was recorded. Each reply is that of its command: what succeeded and
    failed there.
    """
    far = FarEnd(tmp_path / "far")
    outcomes: dict[Outcome, int] = dict.fromkeys(Outcome, 0)
    for path in sorted((corpus / "transcripts").iterdir()):
        text = path.read_text("utf-8", "replace")
        # Some begin in the middle of a session.
        numbers = count(1)
        text = ECHO.sub(lambda echo: f"{next(numbers):>6} : {echo[2]}", text)  # noqa: B023
        echoes = ECHO.findall(text)
        if any(command.rstrip().endswith(("+", "-")) for _, command in echoes):
            continue
        lines = list(commands_in([command for _, command in echoes]))
        requests = [read_request(line) for line in lines]
        if len(lines) != len(echoes) or any(isinstance(each, CommandRefusal) for each in requests):
            continue
        commands = [
            SentCommand(request, line.text, (line.text,))
            for request, line in zip(requests, lines, strict=True)
            if not isinstance(request, CommandRefusal)
        ]
        far.writes("runmqsc", text.encode())
        given = "".join(f"{line.text}\n" for line in lines).encode()
        answered = call(far.target, "runmqsc", ["QM1"], standard_input=given)
        for reply in replies(commands, answered.out):
            outcomes[reply.outcome] += 1
            said = first_sentence(reply)
            assert (reply.outcome is Outcome.UNKNOWN) == (said == "no reply"), (path.name, reply)
            if reply.outcome is Outcome.FAILED:
                assert re.search(
                    r"not found|already|in use|error|not empty|damaged|not currently active", said
                ), said
    assert outcomes[Outcome.DONE] > 10
