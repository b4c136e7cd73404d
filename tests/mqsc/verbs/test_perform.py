"""Each request is performed by its verb. Failures become replies, and only successful commands are command events."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from store.constants import MQRC, MQRCCF
from tests.mqsc.verbs.asking import answers, bodies, set_up

# (value of CMDEV, command, whether it causes an event)
EVENTS = [
    ("DISABLED", "DEFINE QLOCAL(NEW)", False),
    ("ENABLED", "DEFINE QLOCAL(NEW)", True),
    ("ENABLED", "DEFINE QLOCAL(A)", False),
    ("ENABLED", "DELETE QLOCAL(NONE)", False),
    ("ENABLED", "DISPLAY QLOCAL(A)", True),
    ("NODISPLAY", "DISPLAY QLOCAL(A)", False),
    ("NODISPLAY", "DEFINE QLOCAL(NEW)", True),
    ("ENABLED", "ALTER QMGR CMDEV(DISABLED)", True),
    ("DISABLED", "ALTER QMGR CMDEV(ENABLED)", True),
]


@pytest.mark.parametrize(("cmdev", "command", "is_event"), EVENTS)
def test_a_command_that_succeeds_is_an_event_if_cmdev_says_so(
    qmgr: QueueManager, cmdev: str, command: str, is_event: bool
) -> None:
    set_up(qmgr, f"DEFINE QLOCAL(A)\nALTER QMGR CMDEV({cmdev})")
    bodies(qmgr, "SYSTEM.ADMIN.COMMAND.EVENT")
    answers(qmgr, command)
    assert len(bodies(qmgr, "SYSTEM.ADMIN.COMMAND.EVENT")) == is_event


def test_a_refusal_of_the_store_is_the_answer(qmgr: QueueManager) -> None:
    wanted = {
        "DELETE QLOCAL(NONE)": ("AMQ8147E", MQRC.UNKNOWN_OBJECT_NAME),
        "ALTER CHANNEL(NONE) CHLTYPE(SDR) DESCR('x')": ("AMQ8227E", MQRCCF.CHANNEL_NOT_FOUND),
        "DEFINE BUFFPOOL(1)": ("MQSC0003E", 0),
    }
    assert answers(qmgr, *wanted) == wanted
