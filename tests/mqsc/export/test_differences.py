"""What is different between two queue managers, as a page of text."""

from __future__ import annotations

import mqsc
from mqsc.export.differences import differences
from mqsc.script import run
from store.environment import Environment
from store.queue_manager import QueueManager
from tests.conftest import START

HERE = """\
ALTER QMGR DEADQ(MY.DLQ)
DEFINE QLOCAL(MY.DLQ) MAXDEPTH(10) DESCR('what is left')
DEFINE QLOCAL(GONE)
DEFINE QLOCAL(TURNED)
ALTER QLOCAL(SYSTEM.CICS.INITIATION.QUEUE) PUT(DISABLED)
DEFINE NAMELIST(NL) NAMES(A)
DEFINE CHANNEL(C) CHLTYPE(SVR) XMITQ(X) PASSWORD('secret')
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)
"""
THERE = """\
DEFINE QLOCAL(MY.DLQ) MAXDEPTH(20) TRIGGER
DEFINE QREMOTE(TURNED) RNAME('far') RQMNAME(QM2)
DEFINE NAMELIST(NL) NAMES(A,B)
DEFINE CHANNEL(C) CHLTYPE(SVR) XMITQ(X)
DEFINE CHANNEL(NEW) CHLTYPE(RCVR)
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET,PUT)
"""
PAGE = """\
UPDATE     QMGR
           DEADQ  'MY.DLQ' -> ' '
UPDATE     NAMELIST(NL)
           NAMES  'A' -> 'A','B'
DELETE     QLOCAL(GONE)
UPDATE     QLOCAL(MY.DLQ)
           DESCR     'what is left' -> ' '
           MAXDEPTH  10 -> 20
           TRIGGER   NOTRIGGER -> TRIGGER
UPDATE     QLOCAL(SYSTEM.CICS.INITIATION.QUEUE)
           PUT  DISABLED -> ENABLED
DELETE     QLOCAL(TURNED)
CREATE     QREMOTE(TURNED)
           RNAME    'far'
           RQMNAME  'QM2'
CREATE     CHANNEL(NEW)
           CHLTYPE  RCVR
UPDATE     AUTHREC(A)
           AUTHLIST  GET -> GET,PUT
"""


def test_a_page(qmgr: QueueManager) -> None:
    run(qmgr, HERE)
    with mqsc.open_store("sqlite://", environment=Environment.frozen(at=START)) as store:
        wanted = store.create_queue_manager("QM1")
        run(wanted, THERE)
        found = [*differences(qmgr, wanted)]
    assert "".join(f"{line}\n" for each in found for line in each.lines()) == PAGE
    assert found[1].as_json() == {
        "action": "UPDATE",
        "type": "NAMELIST",
        "name": "NL",
        "changes": {"NAMES": {"old": ["A"], "new": ["A", "B"]}},
    }


def test_no_difference(qmgr: QueueManager) -> None:
    assert [*differences(qmgr, qmgr)] == []
