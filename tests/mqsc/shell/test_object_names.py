"""Completion of object names: text before the cursor in, the word to replace and the names out."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.script import run
from mqsc.shell.object_names import MAX_NAMES, names_at
from store.client.api import QueueManager
from store.client.open_store import open_store

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


@pytest.mark.parametrize(
    ("text", "begun", "names"),
    [
        ("DISPLAY QLOCAL(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
        ("dis ql(ord", "ord", ["ORDERS.IN", "ORDERS.OUT"]),
        ("dis queue(orders.", "orders.", ["ORDERS.ALIAS", "ORDERS.IN", "ORDERS.OUT"]),
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
        ("dis ql(ORDERS.IN) maxd", "", []),
        ("define ql(X) descr(ORD", "", []),
        ("define qremote(X) rqmname(ORD", "", []),
        ("define ql(X) nosuch(ORD", "", []),
        ("frob ql(ORD", "", []),
        ("dis frob(ORD", "", []),
        ("dis", "", []),
        ("", "", []),
    ],
)
def test_names(qmgr: QueueManager, text: str, begun: str, names: list[str]) -> None:
    run(qmgr, SCRIPT)
    assert names_at(qmgr, text) == (begun, names)


def test_a_name_that_needs_quotes_has_them(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL('ORDERS.mixed')")
    assert names_at(qmgr, "dis ql(orders") == ("orders", ["'ORDERS.mixed'"])


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
