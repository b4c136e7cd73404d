"""A target named far, whose far end is another store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.targets.far_end import FarEnd


@pytest.fixture
def far(tmp_path: Path, mqsc: Command) -> FarEnd:
    """A far end on a store with the queue manager QM1, declared in targets.toml."""
    far = FarEnd(tmp_path / "far").on_a_store()
    there = ("--store", str(far.store))
    mqsc(*there, "qmgr", "create", "QM1")
    mqsc(*there, "run", "-c", SCRIPT)
    far.declare(tmp_path / "targets.toml")
    return far


SCRIPT = """\
ALTER QMGR DEADQ(DLQ)
DEFINE QLOCAL(DLQ)
DEFINE QLOCAL(ORDERS) MAXDEPTH(7) DESCR('it''s for orders') TRIGGER PROCESS(P) INITQ(INIT)
DEFINE QLOCAL(INIT)
DEFINE PROCESS(P) APPLICID('app')
DEFINE QALIAS(SALES) TARGET(ORDERS)
DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('host2') XMITQ(INIT)
SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT)
"""
