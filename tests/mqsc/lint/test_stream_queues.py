"""`check`, `run --plan` and `run` agree on the definitions that streaming queues rule out."""

from __future__ import annotations

import pytest

import mqsc
from mqsc.lint.script_check import check_script
from mqsc.plan import Action, Planned, Trial
from mqsc.script import Answered, Script
from store.client.api import QueueManager
from store.client.plan_copy import tried_out

ALLOWED = ("DEFINE QLOCAL(B)", "DEFINE QLOCAL(C)", "DEFINE QLOCAL(A) STREAMQ(B)", "DEFINE QALIAS(AL) TARGET(C)")
TOPIC = "DEFINE TOPIC(T) TOPICSTR(t)"
REFUSED = (
    ("DEFINE QLOCAL(Z) STREAMQ(A)",),
    ("DEFINE QLOCAL(Z) STREAMQ(Z)",),
    ("ALTER QLOCAL(B) STREAMQ(Z)",),
    ("ALTER QLOCAL(A) USAGE(XMITQ)",),
    ("ALTER QLOCAL(B) USAGE(XMITQ)",),
    ("DEFINE QLOCAL(X) USAGE(XMITQ) STREAMQ(B)",),
    ("DEFINE QMODEL(M)", "DEFINE QLOCAL(Z) STREAMQ(M)"),
    ("DEFINE QLOCAL(Z) STREAMQ(SYSTEM.DEFAULT.MODEL.QUEUE)",),
    ("ALTER QLOCAL(SYSTEM.CHANNEL.INITQ) STREAMQ(B)",),
    ("DEFINE QLOCAL(Z) STREAMQ(AL)", "ALTER QLOCAL(C) STREAMQ(B)"),
    ("DEFINE QLOCAL(Z) STREAMQ(AL)", "ALTER QALIAS(AL) TARGET(A)"),
    (TOPIC, "DEFINE SUB(S) TOPICOBJ(T) DEST(A)"),
    (TOPIC, "DEFINE SUB(S) TOPICOBJ(T) DEST(C)", "ALTER QLOCAL(C) STREAMQ(B)"),
    ("DEFINE QLOCAL(A2) LIKE(A)", "DEFINE QLOCAL(Z) LIKE(A) STREAMQ(A2)"),
)
UNUSUAL = (
    (),
    ("DEFINE QLOCAL(Z) LIKE(A)",),
    ("DEFINE QLOCAL(Z) STREAMQ(AL)", "ALTER QALIAS(AL) TARGET(B)"),
    ("ALTER QLOCAL(A) STREAMQ(' ') USAGE(XMITQ)",),
    ("ALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) STREAMQ(B)",),
    ("ALTER QLOCAL(A) STREAMQ(' ')", "ALTER QLOCAL(B) STREAMQ(A)"),
)


def plan_of(qmgr: QueueManager, lines: list[str]) -> list[Planned]:
    with tried_out(qmgr) as copy:
        trial = Trial(qmgr, copy)
        answers = Script(None, carry_out=trial.carry_out).steps(f"{line}\n" for line in lines)
        return [planned for step in answers if isinstance(step, Answered) for planned in trial.planned(step)]


@pytest.mark.parametrize("commands", [*REFUSED, *UNUSUAL])
def test_the_same_commands_are_refused(qmgr: QueueManager, commands: tuple[str, ...]) -> None:
    script = [*ALLOWED, *commands]
    refused = [len(script)] if commands in REFUSED else []
    planned = [each.line for each in plan_of(qmgr, script) if each.action is Action.ERROR]
    ran = [reply.line for reply in mqsc.run(qmgr, "\n".join(script)) if reply.completion]
    checked = [each.line for each in check_script([f"{line}\n" for line in script]) if each.severity == "error"]
    assert (checked, planned, ran) == (refused, refused, refused)


def test_the_error_is_at_the_value_and_says_why() -> None:
    (error,) = check_script(["DEFINE QLOCAL(A) STREAMQ(A)\n"])
    assert (error.rule_id, error.line, error.column) == ("AMQ8425E", 1, 26)
    assert error.message.endswith("A stream queue cannot have a STREAMQ itself, and cannot be the queue itself.")


def test_a_queue_defined_elsewhere_cannot_stream_to_itself() -> None:
    found = check_script(["ALTER QLOCAL(A) STREAMQ(A)\n"])
    assert [(each.rule_id, each.severity, each.column) for each in found] == [
        ("MQSC-C38", "note", 7), ("AMQ8425E", "error", 25)
    ]  # fmt: skip
