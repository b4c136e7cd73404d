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
            > 2 dead letters would not have been put
            ~ Traceback
    """)


def test_what_if_the_queue_of_a_dead_lettered_copy_took_it(session: Session) -> None:
    """The copies are on that queue then, and the publisher goes on as it did."""
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
        put --topic a/b three --persistent => 0
        clock advance 1m
        audit => 0
        whatif --since 2026-03-01T09:00:30Z 'ALTER QLOCAL(FULL) MAXDEPTH(5)' => 2
            > 3 dead letters would not have been put
            > DEAD: at most 0 in place of 3, at the end 0 in place of 3
            > FULL: at most 3 in place of 0, at the end 3 in place of 0
            ~ no longer followed
            ~ Q: at most
        whatif --since 2026-03-01T09:00:30Z 'ALTER QLOCAL(FULL) MAXDEPTH(2)' => 2
            > 2 dead letters would not have been put
            > DEAD: at most 1 in place of 3, at the end 1 in place of 3
            > FULL: at most 2 in place of 0, at the end 2 in place of 0
    """)


def test_subscriptions_as_they_were(session: Session) -> None:
    """Those that ended since are there again, those that were made since are not, and what was
    altered is as it was.
    """
    session("""
        qmgr create QM1 --clock manual
        clock set 2026-03-01T09:00:00
        DEFINE QLOCAL(Q)
        DEFINE QLOCAL(R)
        DEFINE SUB(KEPT) TOPICSTR('a/#') DEST(Q)
        clock advance 1m
        subscribe 'a/*' --by-character --durable GONE --wait 0
        DEFINE SUB(ENDED) TOPICSTR('b') DEST(Q) SUBLEVEL(3)
        clock advance 1m
        put --topic a/b one => 0
        ALTER SUB(KEPT) DEST(R)
        DELETE SUB(GONE)
        DELETE SUB(ENDED)
        subscribe c --durable NEW --wait 0
        DEFINE SUB(GONE) TOPICSTR('d') DEST(Q)
        clock advance 1m
        run -e -c 'DISPLAY SUB(*) SUMMARY' --as-of 2026-03-01T09:01:30Z => 0
            > SUB(KEPT)
            > DEST(Q)
            ~ DEST(R)
            > SUB(ENDED)
            > SUBTYPE(API)
            > TOPICSTR(a/*)
            ~ SUB(NEW)
            ~ TOPICSTR(d)
        run -e -c 'DISPLAY SBSTATUS(*) NUMMSGS' --as-of 2026-03-01T09:01:30Z => 0
            > SUB(GONE)
            > NUMMSGS(0)
            ~ NUMMSGS(1)
        run -e -c 'DISPLAY QLOCAL(SYSTEM.MANAGED.*) CURDEPTH' --as-of 2026-03-01T09:01:30Z => 0
            > CURDEPTH(0)
        run -e -c 'DISPLAY SUB(*) SUMMARY' --as-of 2026-03-01T09:00:30Z => 0
            > SUB(KEPT)
            ~ SUB(ENDED)
            ~ SUBTYPE(API)
    """)
