"""Queues for the commands that put and get messages, and queues with expired ones."""

from __future__ import annotations

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.session import Session


@pytest.fixture
def queues(mqsc: Command) -> None:
    """The queues A, R and FULL, which holds three messages."""
    mqsc(
        "run",
        "-c",
        "DEFINE QLOCAL(A) MAXDEPTH(1500)\nDEFINE QLOCAL(R)\nDEFINE QLOCAL(FULL) MAXDEPTH(3)",
    )


@pytest.fixture
def with_queue(mqsc: Command) -> Command:
    """The command line, with a queue manager QM1 that has a queue A."""
    mqsc("run", "-c", "DEFINE QLOCAL(A) MAXDEPTH(7)")
    return mqsc


def bodies(mqsc: Command, queue: str = "A") -> list[str]:
    """Return the texts of the messages on a queue."""
    return [row["body"]["text"] for row in mqsc("browse", queue, "--format", "jsonl").rows]


@pytest.fixture
def expired(session: Session) -> Session:
    """APP.A holds three expired messages, then a live one, then an expired one; APP.B holds a
    live one.
    """
    session("""
        qmgr create QM1 --clock manual
        DEFINE QLOCAL(APP.A)
        DEFINE QLOCAL(APP.B)
        put APP.A old --count 3 --expiry 10
        put APP.A live --expiry 6000
        put APP.A old --expiry 10 --report expiration --reply-to-q APP.B
        put APP.B live
        clock advance 60s
    """)
    return session


@pytest.fixture
def failures(session: Session) -> Session:
    """A consumer of A cannot move a message that failed; one of C may fail as often as it likes."""
    session("""
        DEFINE QLOCAL(A) BOTHRESH(1) BOQNAME(B) DEFPSIST(YES)
        DEFINE QLOCAL(B) MAXDEPTH(0)
        DEFINE QLOCAL(C)
        put A m1
        put C m2
        consume A --limit 1 -- false
        consume C --limit 2 -- false
    """)
    return session
