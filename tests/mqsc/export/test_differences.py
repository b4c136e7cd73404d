"""The differences between two queue managers, as a page of text."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mqsc
from mqsc.export.definition import definitions
from mqsc.export.differences import differences
from mqsc.script import run
from store.admin.altering import change
from store.catalog import KINDS, Kind, Stored
from store.client.api import QueueManager
from store.environment import Environment
from store.error import MQError
from tests.conftest import START
from tests.mqsc.export.test_round_trip import Made, exported, make, new_queue_manager, objects
from tests.mqsc.export.values import attributes

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


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(objects(), st.data())
def test_what_was_altered_since_an_export_is_all_that_is_different(made: Made, data: st.DataObject) -> None:
    with new_queue_manager() as qmgr, new_queue_manager() as wanted:
        with suppress(MQError):
            make(qmgr, made)
        run(wanted, exported(qmgr, everything=False))
        assert [*differences(qmgr, wanted)] == []
        keyword, name, values = made
        kind = KINDS[keyword]
        subtype = str(values.get(kind.selector, ""))
        before = held(qmgr, kind, name)
        with suppress(MQError):
            change(qmgr, kind, name, data.draw(attributes(kind, "ALTER", subtype)))
        after = held(qmgr, kind, name)
        found = [(each.action, each.definition.title, dict(each.changes)) for each in differences(qmgr, wanted)]
    changes = {word: (after[word], value) for word, value in before.items() if after[word] != value}
    assert found == ([("UPDATE", f"{keyword}({name})", changes)] if changes else [])


def held(qmgr: QueueManager, kind: Kind, name: str) -> Mapping[str, Stored]:
    """Return the attributes of an object, empty if it could not be created."""
    return next((each.values for each in definitions(qmgr, kind) if each.name == name), {})


def test_no_difference(qmgr: QueueManager) -> None:
    assert [*differences(qmgr, qmgr)] == []
