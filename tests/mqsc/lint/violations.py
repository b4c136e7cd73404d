"""Runs the lint rules on scripts that are given as lines."""

from __future__ import annotations

from collections.abc import Iterable

from mqsc.lint.script_check import DEPENDS_ON_QUEUE_MANAGER, check_script

INITQ = "INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)"
# With these objects, a queue with TRIGGER(FIRST) and PROCESS(P) has no violation.
COMPLETE = ("ALTER QMGR TRIGINT(60000)", "DEFINE PROCESS(P)")
# A script, and the expected diagnostics as (id without MQSC-, line).
Case = tuple[list[str], list[tuple[str, int]]]


def diagnostics(lines: list[str]) -> list[tuple[str, int]]:
    found = check_script([f"{line}\n" for line in lines])
    # Many test scripts refer to objects that they do not define, or that have no effect here.
    left_out = (DEPENDS_ON_QUEUE_MANAGER, "MQSC-C39")
    return [(each.rule_id.removeprefix("MQSC-"), each.line) for each in found if each.rule_id not in left_out]


def wrong(cases: Iterable[Case]) -> list[object]:
    """Return the cases whose diagnostics differ from those expected."""
    found = [(lines, expected, diagnostics(lines)) for lines, expected in cases]
    return [each for each in found if each[1] != each[2]]
