"""Publications in the past: audits, the state as it was, and what if."""

from __future__ import annotations

import pytest

from mqsc.store import open_store
from mqsc.store.constants import MQOT, MQPMO, MQSO
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.subscription_descriptor import SubscriptionDescriptor
from tests.mqsc.session import Session


@pytest.fixture
def shop(session: Session) -> Session:
    """Publications that are got, dropped with their queue, retained, cleared, dead-lettered, and
    backed out.
    """
    session("""
        qmgr create QM1 --clock manual
        clock set 2026-03-01T09:00:00
        DEFINE QLOCAL(Q)
        DEFINE QLOCAL(DEAD)
        DEFINE QLOCAL(FULL) MAXDEPTH(0)
        ALTER QMGR DEADQ(DEAD)
        DEFINE SUB(A) TOPICSTR('a/#') DEST(Q)
        DEFINE SUB(LOST) TOPICSTR('a/b') DEST(FULL)
        clock advance 1m
        put --topic a/b one two => 0
        clock advance 1m
        put --topic a/c --retain --persistent three four => 0
        get Q --limit 2 => 0
        clock advance 1m
    """)
    with (
        open_store("sqlite:///store.db") as store,
        store.queue_manager().connect() as connection,
    ):
        subscription = connection.subscribe(
            SubscriptionDescriptor(MQSO.CREATE | MQSO.MANAGED, object_string="a/#")
        )
        for options in (MQPMO.SYNCPOINT, MQPMO.SYNCPOINT | MQPMO.RETAIN):
            connection.put1(
                "",
                Message(b"undone"),
                PutMessageOptions(options),
                object_type=MQOT.TOPIC,
                object_string="a/c",
            )
        connection.back()
        subscription.close()
    session("""
        clock advance 1m
        CLEAR TOPICSTR('a/c') CLRTYPE(RETAINED)
    """)
    return session


def test_each_copy_is_accounted_for(shop: Session) -> None:
    shop("reconcile => 0")


def test_as_it_was(shop: Session) -> None:
    """A copy that was got since is on its queue again."""
    shop("""
        run -e -c 'DISPLAY QLOCAL(Q) CURDEPTH' --as-of 2026-03-01T09:01:30Z => 0
            > CURDEPTH(2)
        run -c 'DISPLAY QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) CURDEPTH' --as-of 2026-03-01T09:02:30Z => 0
            > CURDEPTH(1)
    """)


def test_what_if_copies_had_another_queue(shop: Session) -> None:
    """Copies are played as the puts that they were."""
    shop("""
        whatif --since 2026-03-01T09:00:30Z --until 2026-03-01T09:01:30Z 'ALTER QLOCAL(Q) MAXDEPTH(1)' => 2
            > 1 call would have failed
            ~ Traceback
        whatif --since 2026-03-01T09:00:30Z --until 2026-03-01T09:01:30Z "ALTER QLOCAL(Q) DESCR('other')" => 0
        whatif --since 2026-03-01T09:00:30Z 'ALTER QLOCAL(FULL) MAXDEPTH(5)' => 2
            > dead letter would not have been put
            ~ Traceback
    """)
