"""Completion of MQSC: text before the cursor in, the incomplete word and its candidates out."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.script import run
from mqsc.shell.command_text import last_command
from mqsc.shell.completion import MAX_NAMES, completions
from store.client.api import QueueManager, open_store

SCRIPT = """
DEFINE QLOCAL(ORDERS.IN)
DEFINE QLOCAL(ORDERS.OUT)
DEFINE QLOCAL('Orders.mixed')
DEFINE QALIAS(ORDERS.ALIAS) TARGET(ORDERS.IN)
DEFINE PROCESS(ORDERS.PROC) APPLICID('x')
DEFINE NAMELIST(ORDERS.NL) NAMES(ORDERS.IN)
DEFINE CHANNEL(ORDERS.CHL) CHLTYPE(SVRCONN)
DEFINE CHANNEL(ORDERS.CHL) CHLTYPE(CLNTCONN) CONNAME(X)
"""


def names_at(qmgr: QueueManager, text: str) -> tuple[str, list[str]]:
    found = completions(last_command(text), qmgr)
    return found.begun, [each.word for each in found.candidates]


@pytest.mark.parametrize(
    ("text", "offered", "not_offered"),
    [
        ("", "DEFINE DISPLAY", "QLOCAL ARCHIVE"),
        ("ARC", "ARCHIVE", ""),
        ("de", "define delete", "alter"),
        ("def q", "qlocal( qalias(", "process( queue("),
        ("display q", "queue( qmgr", ""),
        ("define b", "buffpool(", ""),
        ("define ", "QLOCAL(", "BUFFPOOL("),
        ("DEFINE QLOCAL(A) MAX", "MAXDEPTH( MAXMSGL(", "MAXUMSGS"),
        ("DEFINE QLOCAL('A (B') MAXDEPTH(5) MAX", "MAXMSGL(", "MAXDEPTH("),
        ("DEFINE QLOCAL(A) TRIGGER NOT", "", "NOTRIGGER"),
        ("DEFINE QLOCAL(A) NOT", "NOTRIGGER", ""),
        ("DEFINE QLOCAL(A) PUT(", "ENABLED DISABLED", "MAXDEPTH("),
        ("DEFINE QLOCAL(A) PUT(dis", "disabled", "enabled"),
        ("DEFINE QLOCAL(A) PUT('dis", "DISABLED", ""),
        ("DEFINE QLOCAL(A) PUT(ENABLED ", "", "DISABLED"),
        ("DISPLAY QLOCAL(A) CUR", "CURDEPTH", ""),
        ("DISPLAY QLOCAL(A) CURDEPTH CUR", "", "CURDEPTH"),
        ("PING QMGR; CLE", "CLEAR", ""),
        ("DEFINE CHL(A) CHLTYPE(SDR) ", "CONNAME( XMITQ(", "CHLTYPE( MCAUSERX("),
        ("DEFINE CHL(A) CHLTYPE(SVRCONN) ", "MAXINST(", "XMITQ("),
        ("DISPLAY QL(*) WHERE(CUR", "CURDEPTH", ""),
        ("DISPLAY QL(*) WHERE(CURDEPTH ", "LT GT EQ NE LE GE", "LK CT"),
        ("DISPLAY QL(*) WHERE(DESCR ", "LK NL", "CT"),
        ("DISPLAY NAMELIST(*) WHERE(NAMES ", "CT EXG", "LK"),
        ("DISPLAY QL(*) WHERE(TRIGTYPE EQ ", "FIRST DEPTH", ""),
        ("DISPLAY QL(*) WHERE(TRIGGER EQ ", "YES NO", ""),
        ("DISPLAY QL(*) WHERE(CURDEPTH GT 5 ", "", "GT"),
        ("DEFINE QLOCAL(A) +\n  maxd", "maxdepth(", ""),
        ("FOO ", "", "QLOCAL("),
        ("DEFINE ) ", "", "QLOCAL("),
        ("* de", "", "define DEFINE"),
    ],
)
def test_words(text: str, offered: str, not_offered: str) -> None:
    words = {f"{each.word}{each.after}" for each in completions(last_command(text), None).candidates}
    assert set(offered.split()) - words == set()
    assert set(not_offered.split()) & words == set()


def test_what_a_command_needs_comes_first_and_a_default_before_other_values() -> None:
    assert completions("define chl(x) ", None).candidates[0].word == "CHLTYPE"
    first, *_ = completions("define ql(x) maxdepth(", None).candidates
    assert (first.word, first.about) == ("5000", "default")
    (found,) = completions("define ql(x) maxd", None).candidates
    assert found.about == "The maximum number of messages on the queue."


@pytest.mark.parametrize(
    ("text", "begun", "names"),
    [
        ("DISPLAY QLOCAL(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
        ("dis ql(ord", "ord", ["orders.in", "orders.out"]),
        ("dis queue(orders.", "orders.", ["orders.alias", "orders.in", "orders.out"]),
        ("dis ql( 'Ord", "Ord", ["Orders.mixed"]),
        ("dis ql('ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
        ("alter +\n ql(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
        ("ping qmgr; clear qlocal(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
        ("dis chl(ORD", "ORD", ["ORDERS.CHL"]),
        ("dis qstatus(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
        ("dis qs(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
        ("define ql(X) like(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
        ("define ql(X) maxdepth(5) process(ORD", "ORD", ["ORDERS.PROC"]),
        ("define qa(X) target(ORDERS.A", "ORDERS.A", ["ORDERS.ALIAS"]),
        ("alter qmgr deadq(ORD", "ORD", ["ORDERS.ALIAS", "ORDERS.IN", "ORDERS.OUT"]),
        ("define qlocal(A) clusnl(ORD", "ORD", ["ORDERS.NL"]),
        ("dis ql(NONE", "NONE", []),
        ("define ql(ORD", "ORD", []),
        ("define ql(X) descr(ORD", "ORD", []),
        ("define qremote(X) rqmname(ORD", "ORD", []),
        ("define ql(X) nosuch(ORD", "ORD", []),
        ("frob ql(ORD", "ORD", []),
        ("dis frob(ORD", "ORD", []),
    ],
)
def test_names(qmgr: QueueManager, text: str, begun: str, names: list[str]) -> None:
    run(qmgr, SCRIPT)
    assert names_at(qmgr, text) == (begun, names)


def test_a_name_that_needs_quotes_has_them(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL('ORDERS.mixed')\nDEFINE QLOCAL('orders.lower')\nDEFINE QLOCAL(ORDERS)")
    assert names_at(qmgr, "dis ql(orders") == ("orders", ["orders", "'ORDERS.mixed'", "'orders.lower'"])
    assert names_at(qmgr, "dis ql('orders") == ("orders", ["orders.lower"])


def test_no_more_than_can_be_read(qmgr: QueueManager) -> None:
    run(qmgr, "\n".join(f"DEFINE NAMELIST(N{number})" for number in range(MAX_NAMES + 5)))
    assert len(names_at(qmgr, "dis namelist(N")[1]) == MAX_NAMES


def test_an_ended_queue_manager_tells_no_names(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    assert names_at(qmgr, "dis ql(SYS") == ("SYS", [])


def test_a_store_that_cannot_be_read_tells_no_names(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    with open_store(f"sqlite:///{path}") as store:
        qmgr = store.create_queue_manager("QM1")
        store.close()
        path.write_bytes(b"no database" * 1000)
        assert names_at(qmgr, "dis ql(SYS") == ("SYS", [])
