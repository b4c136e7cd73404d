"""Expiry scans: who is said to have discarded a message (design §2.3), with and without a report."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from mqsc import run
from store import Environment, Message, MessageDescriptor
from store.admin.expiry import scan
from store.client.api import QueueManager
from store.constants import MQRO
from store.environment import FrozenClock
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement

_CAUSER = (event.c.cause, event.c.application, event.c.user, event.c.connection)
_EXPIRED = Statement(
    select(*_CAUSER, event.c.put_application, event.c.put_user)
    .where(event.c.kind == "EXPIRE")
    .order_by(event.c.seq.desc())
)


@pytest.mark.parametrize("report", [MQRO.NONE, MQRO.EXPIRATION])
def test_a_scan_that_comes_by_itself_is_caused_by_nobody(
    qmgr: QueueManager, environment: Environment[FrozenClock], report: int
) -> None:
    run(qmgr, "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)")
    causers = []
    for carry_out in (lambda: scan(qmgr), lambda: run(qmgr, "REFRESH QMGR TYPE(EXPIRY) NAME(Q)")):
        with qmgr.connect(application="billing", user="alice") as connection:
            connection.put1("Q", Message(b"x", MessageDescriptor(expiry=10, report=report, reply_to_q="R")))
        environment.clock.advance(seconds=2)
        carry_out()
        with Reading(qmgr.store.database) as reading:
            cause, application, user, number, *putter = reading.all(_EXPIRED)[0]
        assert (number, putter) == (None, ["billing", "alice"])
        causers.append((cause, application, user))
    assert causers == [("interval", "", ""), ("refresh", environment.application, environment.user)]
