"""Every command has a row, every row is in the docs, and every command does what its row says.

Run as a module with --write to rewrite the table in docs/commands.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mqsc.language.command_table import COMMANDS, CommandSupport, Effect, answer_with_reason, support_table
from mqsc.language.messages import TEXTS
from mqsc.script import run
from store.client.api import QueueManager
from tests.source import ROOT

PAGE = ROOT / "docs" / "commands.md"
HEAD = ["| command | here | reply | |", "|---|---|---|---|"]
ROWS = support_table()
# For commands without effect that require a name or value for their object.
NAMED = {
    ("START", "CHANNEL"): "(TO.X)",
    ("START", "SERVICE"): "(S)",
    ("STOP", "SERVICE"): "(S)",
    ("CLEAR", "TOPICSTR"): "(x) CLRTYPE(RETAINED)",
    ("REFRESH", "CLUSTER"): "(*)",
    ("RESET", "CLUSTER"): "(C) ACTION(FORCEREMOVE)",
    ("RESET", "QMGR"): " TYPE(STATISTICS)",
    ("RESUME", "QMGR"): " CLUSTER(C)",
    ("SUSPEND", "QMGR"): " CLUSTER(C)",
    ("PING", "CHANNEL"): "(TO.X)",
    ("RESOLVE", "CHANNEL"): "(TO.X) ACTION(COMMIT)",
}
SETTING = "DEFINE CHANNEL(TO.X) CHLTYPE(SDR) XMITQ(X) CONNAME(x); DEFINE SERVICE(S)"


def table() -> list[str]:
    """Return the rows for the docs, in the order of the commands."""
    rows = (f"| {row.verb} {row.noun} | {row.effect.value} | {row.message_id} | {row.sentence} |" for row in ROWS)
    return [*HEAD, *rows]


def test_every_command_has_a_row() -> None:
    assert {(row.verb, row.noun) for row in ROWS} == {(verb, noun) for verb in COMMANDS for noun in COMMANDS[verb]}
    assert len(ROWS) == len({(row.verb, row.noun) for row in ROWS})


def test_the_docs_have_the_table() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert lines[lines.index(HEAD[0]) :] == table()


def test_what_is_not_done_says_why() -> None:
    assert [row for row in ROWS if row.effect is not Effect.DONE and not row.sentence] == []
    assert {row.message_id for row in ROWS if row.effect is not Effect.DONE} <= {*TEXTS}


def with_effect(effect: Effect) -> list[CommandSupport]:
    """Return the rows with one effect."""
    return [row for row in ROWS if row.effect is effect]


def test_a_command_without_effect_says_why(qmgr: QueueManager) -> None:
    run(qmgr, SETTING)
    wrong = []
    for row in with_effect(Effect.NOTHING):
        (reply,) = run(qmgr, f"{row.verb} {row.noun}{NAMED.get((row.verb, row.noun), '')}")
        if (reply.message_id, reply.completion, reply.text.splitlines()[-1]) != (row.message_id, 0, row.sentence):
            wrong.append((row, reply))
    assert wrong == []


def test_a_refusal_says_why(qmgr: QueueManager) -> None:
    run(qmgr, SETTING)
    wrong = []
    for row in with_effect(Effect.REFUSED):
        given = NAMED.get((row.verb, row.noun))
        found = {
            (reply.message_id, reply.completion, reply.text)
            for name in ((given,) if given else ("", "(X)"))
            for reply in run(qmgr, f"{row.verb} {row.noun}{name}")
            if reply.message_id != "AMQ8405I"
        }
        answer = answer_with_reason(row.verb, row.noun)
        if found != {(row.message_id, 2, answer.text)} or row.sentence[1:] not in answer.text:
            wrong.append((row, found))
    assert wrong == []


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    before = PAGE.read_text(encoding="utf-8").split(HEAD[0])[0]
    Path(PAGE).write_text(before + "\n".join(table()) + "\n", encoding="utf-8")
