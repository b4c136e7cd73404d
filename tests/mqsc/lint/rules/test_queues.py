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


def test_quiet_on_what_ibm_ships() -> None:
    cases: list[Case] = [
        (["DEFINE QLOCAL(SYSTEM.FTE.AUTHADM1) MAXDEPTH(0)"], []),
        (["START SERVICE(system.amqp.service)"], []),
        (
            ["ALTER QMGR DESCR('x')", "DEFINE QLOCAL(A) QDPHIEV(ENABLED)", "DEFINE QLOCAL(B) QDPHIEV(ENABLED)"],
            [("C31", 2)],
        ),
    ]
    assert wrong(cases) == []
