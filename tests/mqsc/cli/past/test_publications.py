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


def test_what_was_retained(shop: Session) -> None:
    """Also what was cleared since, of which only the history is left."""
    shop("""
        put --topic a/d --retain five => 0
        clock advance 1m
        put --topic a/d --retain six => 0
        run -c "DISPLAY TPSTATUS('a/+') RETAINED" --as-of 2026-03-01T09:01:30Z => 0
            ~ RETAINED(YES)
        run -c "DISPLAY TPSTATUS('a/c') RETAINED" --as-of 2026-03-01T09:02:30Z => 0
            > RETAINED(YES)
        run -c "DISPLAY TPSTATUS('a/c') RETAINED" --as-of 2026-03-01T09:03:30Z => 0
            > RETAINED(YES)
        run -c "DISPLAY TPSTATUS('a/c') RETAINED" --as-of 2026-03-01T09:04:30Z => 0
            ~ RETAINED(YES)
        run -c "DISPLAY TPSTATUS('a/d') RETAINED" --as-of 2026-03-01T09:04:30Z => 0
            > RETAINED(YES)
        run -c "DISPLAY TPSTATUS('a/d') RETAINED" => 0
            > RETAINED(YES)
    """)


def test_what_if_copies_had_another_queue(shop: Session) -> None:
    """Copies are played as the puts that they were."""
    shop("""
        whatif --since 2026-03-01T09:00:30Z --until 2026-03-01T09:01:30Z 'ALTER QLOCAL(Q) MAXDEPTH(1)' => 2
            > 1 copy of a publication would have been dead-lettered
            > Q for A: 2053 MQRC_Q_FULL
            > DEAD: at most 3 in place of 2
            ~ no longer followed
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


REFUSED = """
    qmgr create QM1 --clock manual
    clock set 2026-03-01T09:00:00
    DEFINE QLOCAL(Q)
    DEFINE QLOCAL(R)
    DEFINE QLOCAL(DEAD)
    {definitions}
    DEFINE SUB(A) TOPICSTR('a/#') DEST(Q)
    DEFINE SUB(B) TOPICSTR('a/b') DEST(R)
    clock advance 1m
    put --topic a/b one two three --persistent => 0
    put R four => 0
    clock advance 1m
"""


def test_what_if_a_queue_had_refused_copies(session: Session) -> None:
    """They are dead letters then, in their unit of work, and the publisher goes on as it did."""
    session(REFUSED.format(definitions="ALTER QMGR DEADQ(DEAD)"))
    session("""
        whatif --since 2026-03-01T09:00:30Z 'ALTER QLOCAL(Q) PUT(DISABLED)' => 2
            > 3 copies of publications would have been dead-lettered
            > Q for A: 2051 MQRC_PUT_INHIBITED
            > DEAD: at most 3 in place of 0, at the end 3 in place of 0
            > Q: at most 0 in place of 3, at the end 0 in place of 3
            ~ R: at most
            ~ no longer followed
            ~ would have failed
        whatif --since 2026-03-01T09:00:30Z 'ALTER QLOCAL(Q) MAXDEPTH(2)' 'ALTER QLOCAL(DEAD) MAXDEPTH(0)' => 2
            > no longer followed
            > 2502 MQRC_PUBLICATION_FAILURE
        whatif --since 2026-03-01T09:00:30Z 'ALTER QLOCAL(Q) MAXDEPTH(2)' --format jsonl => 2
            > "type": "copy", "fate": "been dead-lettered"
            > "subscription": "A"
    """)


def test_what_if_refused_copies_were_lost(session: Session) -> None:
    """There is no dead-letter queue, and the topic says that the rest is delivered."""
    session(
        REFUSED.format(definitions="DEFINE TOPIC(T) TOPICSTR('a') PMSGDLV(ALLAVAIL) USEDLQ(NO)")
    )
    session("""
        whatif --since 2026-03-01T09:00:30Z 'ALTER QLOCAL(Q) MAXDEPTH(2)' => 2
            > 1 copy of a publication would have been lost
            > Q for A: 2053 MQRC_Q_FULL
            > Q: at most 2 in place of 3, at the end 2 in place of 3
            ~ R: at most
            ~ DEAD: at most
            ~ no longer followed
        whatif --since 2026-03-01T09:00:30Z 'ALTER TOPIC(T) PMSGDLV(ALLDUR)' 'ALTER QLOCAL(Q) MAXDEPTH(2)' => 2
            > 1 call would have failed
            > 2502 MQRC_PUBLICATION_FAILURE
            > Q: at most 2 in place of 3, at the end 2 in place of 3
        whatif --since 2026-03-01T09:00:30Z 'ALTER TOPIC(T) PMSGDLV(ALL)' 'ALTER QLOCAL(R) MAXDEPTH(0)' => 2
            > 2502 MQRC_PUBLICATION_FAILURE
            > at the end 0 in place of 3
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
