"""A queue manager with a queue that triggers."""

from __future__ import annotations

import pytest

from tests.mqsc.conftest import Command

SCRIPT = """
DEFINE QLOCAL(INIT1)
DEFINE QLOCAL(DLQ)
ALTER QMGR DEADQ(DLQ)
DEFINE PROCESS(P1) APPLICID('/bin/sh -c true') ENVRDATA('-v &')
DEFINE QLOCAL(APPQ) TRIGGER TRIGTYPE(EVERY) PROCESS(P1) INITQ(INIT1)
DEFINE QALIAS(FRONT) TARGET(APPQ)
"""


@pytest.fixture
def shop(mqsc: Command) -> Command:
    """The command line on a queue manager whose APPQ triggers to INIT1."""
    mqsc("qmgr", "create", "QM1")
    assert mqsc("run", "-c", SCRIPT).code == 0
    return mqsc
