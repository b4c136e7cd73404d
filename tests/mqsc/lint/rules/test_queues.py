"""Lint rules on queues, beyond their own examples."""

from __future__ import annotations

from tests.mqsc.lint.violations import Case, wrong


def test_queues() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(A) MAXMSGL(104857600) QDPHIEV(ENABLED)"], []),
        (["ALTER QMGR MAXMSGL(5000000)", "DEFINE QLOCAL(A) MAXMSGL(6000000)"], [("C29", 2)]),
        (["ALTER QLOCAL(SYSTEM.DEAD.LETTER.QUEUE) MAXDEPTH(9)"], []),
        (["DEFINE QREMOTE(SYSTEM.DEFAULT.REMOTE.QUEUE) RNAME(' ') RQMNAME(' ') REPLACE"], []),
    ]
    assert wrong(cases) == []
