"""Words that the shell understands in addition to MQSC."""

from __future__ import annotations

import re

import pytest

from mqsc.shell.own_commands import SYNTAX, OwnCommandError, shell_answer
from store.client.api import QueueManager
from tests.scenarios.trigger_play import TriggerPlay


@pytest.mark.parametrize("text", ["DISPLAY QLOCAL(APPQ)", "", "* explain", "explain trigger(A)\ndisplay qmgr"])
def test_what_is_mqsc_is_left_to_it(qmgr: QueueManager, text: str) -> None:
    assert shell_answer(qmgr, text) is None


def said(qmgr: QueueManager, text: str) -> list[str]:
    answer = shell_answer(qmgr, text)
    assert answer is not None
    return list(answer)


@pytest.mark.parametrize("text", ["explain trigger(appq)", "EXPLAIN TRIGGER('APPQ')", "explain +\n trigger(appq)"])
def test_a_queue_is_explained(qmgr: QueueManager, text: str) -> None:
    TriggerPlay(qmgr)
    lines = said(qmgr, text)
    assert lines[0].startswith("APPQ at 2023-11-14T22:13:20Z: depth 0")
    assert "A put now would trigger (cause put):" in lines
    assert not any(line.startswith("If ") for line in lines)


def test_a_put_is_imagined(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr)
    lines = said(qmgr, "explain trigger(APPQ) if('put priority 5 syncpoint')")
    assert "If put priority 5 syncpoint:" in lines


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("explain", f"syntax: {SYNTAX}"),
        ("explain trigger()", f"syntax: {SYNTAX}"),
        ("explain queue(APPQ)", f"syntax: {SYNTAX}"),
        ("explain trigger(APPQ) trigger(APPQ)", f"syntax: {SYNTAX}"),
        ("explain trigger(APPQ", f"syntax: {SYNTAX}"),
        ("explain trigger(NOQ)", "2085 MQRC_UNKNOWN_OBJECT_NAME (NOQ)"),
        ("explain trigger(APPQ) if('get')", "IF expects a put, for example: put"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(qmgr: QueueManager, text: str, says: str) -> None:
    TriggerPlay(qmgr)
    with pytest.raises(OwnCommandError, match=f"^{re.escape(says)}"):
        said(qmgr, text)
