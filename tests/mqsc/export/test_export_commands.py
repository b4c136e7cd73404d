"""The commands of an export and their order, as a page of MQSC."""

from __future__ import annotations

import pytest

from mqsc.script import run
from mqsc.scripts.export import SYSTEM, ExportSelection, export_commands, kinds_in_order, shipped
from mqsc.scripts.export_output import HEADING, Lines, command_lines, script_lines
from mqsc.scripts.selection import Selection
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager

MADE = """\
ALTER QMGR DEADQ(MY.DLQ) DESCR('it''s mine')
ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(77)
ALTER QLOCAL(SYSTEM.CICS.INITIATION.QUEUE) DESCR('')
DELETE QLOCAL(SYSTEM.BROKER.ADMIN.STREAM)
DELETE QLOCAL(SYSTEM.REST.REPLY.QUEUE)
DEFINE QALIAS(SYSTEM.REST.REPLY.QUEUE) TARGET(MY.DLQ)
DEFINE SUB('Orders to me') TOPICSTR('orders') DEST(MY.DLQ)
DEFINE TOPIC(ORDERS) TOPICSTR('orders')
DEFINE QLOCAL(MY.DLQ)
DEFINE SUB('Orders to me') TOPICOBJ(ORDERS) DEST(MY.DLQ)
DEFINE QLOCAL('orders.in') MAXDEPTH(5000) TRIGGER +
  DESCR('It''s + long, it''s * long, it''s nearly as long as can be, it ends')
DEFINE NAMELIST(NL) NAMES('a', B)
DEFINE CHANNEL(C) CHLTYPE(SVR) XMITQ(X) CONVERT(YES)
SET CHLAUTH(C) TYPE(USERMAP) CLNTUSER('x') MCAUSER('y')
SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN') ACTION(REMOVE)
SET AUTHREC PROFILE('A.**') OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET, PUT)
SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('p') AUTHADD(CONNECT)
"""
EXPORTED = """\
ALTER QMGR DEADQ('MY.DLQ') DESCR('it''s mine')

ALTER QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') MAXDEPTH(77)

ALTER QLOCAL('SYSTEM.CICS.INITIATION.QUEUE') DESCR(' ')

DELETE QLOCAL('SYSTEM.BROKER.ADMIN.STREAM') IGNSTATE(YES)

DEFINE NAMELIST('NL') NAMES('a','B') REPLACE

DEFINE QLOCAL('MY.DLQ') REPLACE

DEFINE QLOCAL('orders.in') +
   DESCR('It''s + long, it''s * long, it''s nearly as long as can be, +
      it ends') +
   MAXDEPTH(5000) TRIGGER REPLACE

DEFINE CHANNEL('C') CHLTYPE(SVR) CONVERT(YES) XMITQ('X') REPLACE

DEFINE TOPIC('ORDERS') TOPICSTR('orders') REPLACE

DEFINE SUB('Orders to me') DEST('MY.DLQ') TOPICOBJ('ORDERS') REPLACE

SET CHLAUTH('C') TYPE(USERMAP) CLNTUSER('x') MCAUSER('y') +
   ACTION(REPLACE)

SET CHLAUTH('*') TYPE(BLOCKUSER) +
   DESCR('Default rule to disallow privileged users') +
   USERLIST('*MQADMIN') ACTION(REPLACE)

SET CHLAUTH('*') TYPE(BLOCKUSER) ACTION(REMOVEALL)

DELETE QLOCAL('SYSTEM.REST.REPLY.QUEUE') IGNSTATE(YES)

DEFINE QALIAS('SYSTEM.REST.REPLY.QUEUE') TARGET('MY.DLQ') REPLACE

SET AUTHREC PROFILE('A.**') OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET,PUT)

SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('p') AUTHADD(CONNECT)
"""


def exported(
    qmgr: QueueManager,
    selection: ExportSelection,
    *,
    one_line: bool = False,
) -> list[str]:
    commands = export_commands(qmgr, selection)
    if one_line:
        return [line for command in commands for line in command_lines(command, Lines.ONE)]
    heading, *lines = script_lines(commands)
    assert heading == HEADING
    return lines[1:]


def test_a_page(qmgr: QueueManager) -> None:
    run(qmgr, MADE)
    assert exported(qmgr, ExportSelection()) == EXPORTED.splitlines()


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        # The default object, which was altered, is not in the export, so that what comes of it is.
        (Selection(("MY*",)), ["DEFINE QLOCAL('MY.DLQ') MAXDEPTH(77) REPLACE"]),
        (Selection(("*.DLQ", "NONE")), ["DEFINE QLOCAL('MY.DLQ') MAXDEPTH(77) REPLACE"]),
        (
            Selection(("MY*", "N*"), exclude=("N*",)),
            ["DEFINE QLOCAL('MY.DLQ') MAXDEPTH(77) REPLACE"],
        ),
        (
            Selection(kinds=frozenset({"NAMELIST"})),
            ["DEFINE NAMELIST('NL') NAMES('a','B') REPLACE"],
        ),
        (Selection(kinds=frozenset({"QMGR"})), ["ALTER QMGR DEADQ('MY.DLQ') DESCR('it''s mine')"]),
        (Selection(kinds=frozenset({"PROCESS"})), []),
    ],
)
def test_selections(qmgr: QueueManager, selection: Selection, expected: list[str]) -> None:
    run(qmgr, MADE)
    assert exported(qmgr, ExportSelection(selection=selection), one_line=True) == expected


def test_all_attributes(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QALIAS(A) TARGET(B)")
    (line,) = exported(
        qmgr,
        ExportSelection(True, Selection(("A",), kinds=frozenset({"QALIAS"}))),
        one_line=True,
    )
    assert line == (
        "DEFINE QALIAS('A') CAPEXPRY(NOLIMIT) CLUSNL(' ') CLUSTER(' ') CLWLPRTY(0) CLWLRANK(0) "
        "CUSTOM(' ') "
        "DEFBIND(OPEN) DEFPRESP(SYNC) DEFPRTY(0) DEFPSIST(NO) DEFREADA(NO) DESCR(' ') GET(ENABLED) "
        "PROPCTL(COMPAT) "
        "PUT(ENABLED) SCOPE(QMGR) TARGET('B') TARGTYPE(QUEUE) REPLACE"
    )


def test_attributes_of_one_platform_are_written_only_when_not_default(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) INDXTYPE(MSGID)")
    first, second = exported(
        qmgr,
        ExportSelection(True, Selection(kinds=frozenset({"QLOCAL"}))),
        one_line=True,
    )
    assert "INDXTYPE" not in first
    assert "INDXTYPE(MSGID)" in second


def test_secrets_are_comments(qmgr: QueueManager) -> None:
    run(
        qmgr,
        "ALTER QMGR KEYRPWD('open sesame')\nDEFINE CHANNEL(C) CHLTYPE(SVR) XMITQ(X) USERID('u') "
        "PASSWORD('secret')",
    )
    lines = exported(qmgr, ExportSelection())
    assert "* KEYRPWD of QMGR is not shown. Set it by hand." in lines
    assert "* PASSWORD of CHANNEL(C) is not shown. Set it by hand." in lines
    assert not [line for line in lines if "sesame" in line or "secret" in line or "****" in line]
    assert not [line for line in lines if line.startswith("ALTER QMGR")]


def test_deleted_objects_that_a_subscription_needs_are_comments(qmgr: QueueManager) -> None:
    made = [
        "DEFINE QLOCAL(Q)",
        "DEFINE TOPIC(T) TOPICSTR('t')",
        "DEFINE SUB(S) TOPICOBJ(T) DEST(Q)",
    ]
    run(qmgr, "\n".join(made))
    assert not [line for line in exported(qmgr, ExportSelection()) if line.startswith("*")]
    run(qmgr, "DELETE QLOCAL(Q)\nDELETE TOPIC(T)")
    assert exported(qmgr, ExportSelection()) == [
        "* TOPICOBJ of SUB(S) is missing. Define T first.",
        "* DEST of SUB(S) is missing. Define Q first.",
        "DEFINE SUB('S') DEST('Q') TOPICOBJ('T') REPLACE",
    ]


def test_values_that_mqsc_cannot_express_are_comments(qmgr: QueueManager) -> None:
    from mqsc.store.admin.defining import create

    create(qmgr, KINDS["QLOCAL"], "A", {"TRIGDATA": "two\nlines", "MAXDEPTH": 7})
    assert exported(qmgr, ExportSelection()) == [
        "* TRIGDATA of QLOCAL(A) has a value that MQSC cannot express",
        "DEFINE QLOCAL('A') MAXDEPTH(7) REPLACE",
    ]


def test_every_shipped_object_is_found_by_its_name() -> None:
    assert [
        each.name
        for each in shipped().values()
        if not each.kind.identity and not each.name.startswith(SYSTEM)
    ] == []


def test_every_kind_is_in_the_order() -> None:
    assert sorted(kind.keyword for kind in kinds_in_order()) == sorted(KINDS)


def test_what_others_need_is_put_back_and_deleted_late(qmgr: QueueManager) -> None:
    run(
        qmgr,
        """
        DEFINE QLOCAL(A)
        DELETE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE)
        DEFINE QALIAS(SYSTEM.DEFAULT.LOCAL.QUEUE)
        DELETE CHANNEL(SYSTEM.DEF.CLNTCONN) CHLTABLE(CLNTTBL)
        """,
        check=True,
    )
    assert exported(qmgr, ExportSelection(), one_line=True) == [
        "DELETE QALIAS('SYSTEM.DEFAULT.LOCAL.QUEUE') IGNSTATE(YES)",
        "DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') REPLACE",
        "DELETE CHANNEL('SYSTEM.DEF.CLNTCONN') CHLTABLE(CLNTTBL) IGNSTATE(YES)",
        "DEFINE QLOCAL('A') REPLACE",
        "DELETE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') IGNSTATE(YES)",
        "DEFINE QALIAS('SYSTEM.DEFAULT.LOCAL.QUEUE') REPLACE",
    ]
