"""authority: literal rows in, rows out; and a history that was played (Z110).

Each case is a queue manager of its own.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mqsc.constants import MQOO
from mqsc.main import run_to_exit_code
from mqsc.reports.catalog import report
from mqsc.store import open_store
from tests.reports.history import Row, event
from tests.reports.tables import Answer, written
from tests.scenarios.authorities import grant, opening, outcome, prepare

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("authority")
RECORD = "OBJTYPE(QUEUE) ENTTYPE(PRINCIPAL) ENTITY(ann)"


def refuse(
    queue: str | None = "Q",
    when: float = 0,
    missing: str = "PUT QUEUE Q",
    **columns: Any,
) -> Row:
    """A refusal of user ann, by default of MQOPEN."""
    detail = {
        "call": "MQOPEN" if queue else "MQCONN",
        "missing": [missing],
        **columns.pop("detail", {}),
    }
    who = {"user": "ann", "application": "shop", "cause": "authority", **columns}
    return event("REFUSE", queue, when, detail=json.dumps(detail), **who)


def sets(
    profile: str,
    enttype: str = "PRINCIPAL",
    *,
    had: list[str] | None = None,
    has: list[str] | None = None,
    kind: str = "SET",
) -> Row:
    """A change of the authority record of ann, or of a group ann; without words before it is
    new.
    """
    identity = {"OBJTYPE": "QUEUE", "ENTTYPE": enttype, "ENTITY": "ann"}
    if kind == "DELETE":
        detail: dict[str, Any] = {word: [value, None] for word, value in identity.items()}
    else:
        detail = (
            {"record": identity}
            if had
            else {word: [None, value] for word, value in identity.items()}
        )
    if had or has:
        detail["AUTHLIST"] = [had, has]
    return event(kind, profile, target="AUTHREC", user="root", detail=json.dumps(detail))


def right(
    kind: str,
    queue: str,
    words: str = "GET PUT",
    objects: int | None = None,
    entity: str = "ann",
) -> Row:
    """A row about a user's authorities for queues."""
    of = {
        "type": "QUEUE",
        "entity_type": "PRINCIPAL",
        "entity": entity,
        "words": words,
        "objects": objects,
    }
    return {"kind": kind, "queue": queue, **of}


def opens(queue: str, when: float, user: str = "ann") -> Row:
    return event("OPEN", queue, when, user=user, detail="{}")


CASES = written(
    r"""
table refusals
    hour user call object cause missing refusals last cured_at
nothing was refused
    opens Q 0
counted ones too, by hour
    refuse, refuse when=9 detail={"repeated":4}, refuse when=3600
    => 0 ann MQOPEN Q authority "PUT QUEUE Q" 5 @9 -, 1 ann MQOPEN Q authority "PUT QUEUE Q" 1 @3600 -
Z110: the same object and user, later
    opens Q 1, refuse when=2, opens P 3, opens Q 4 bob, opens Q 5, opens Q 6
    => 0 ann MQOPEN Q authority "PUT QUEUE Q" 1 @2 @5
a connection
    refuse - 2 "CONNECT QMGR self", opens P 3
    => 0 ann MQCONN - authority "CONNECT QMGR self" 1 @2 @3

table users
    user cause refusals objects programs since last
by user and cause
    refuse, refuse P 1 detail={"repeated":2}, refuse when=3 user=bob cause=would-refuse application=x
    => ann authority 3 2 1 @0 @1, bob would-refuse 1 1 1 @3 @3

table grants
    user action type profile record attribute before after objects
authority records: a new one, a change, one that is gone, and one that grants nothing
    sets Q.* has=["GET"], sets Q.* had=["GET"] has=["GET","PUT"], sets P had=["GET"] kind=DELETE, sets Z GROUP
    left right record Q.* objects=5, right record Q.* objects=7 entity=bob, right effective P, right unused P
    => root SET AUTHREC Q.* $RECORD AUTHLIST - "[\"GET\"]" 5
    => root SET AUTHREC Q.* $RECORD AUTHLIST "[\"GET\"]" "[\"GET\",\"PUT\"]" 5
    => root DELETE AUTHREC P $RECORD AUTHLIST "[\"GET\"]" - -
    => root SET AUTHREC Z "OBJTYPE(QUEUE) ENTTYPE(GROUP) ENTITY(ann)" - - - -
rules of channels, and what else is set
    SET C.* target=CHLAUTH user=root detail={"TYPE":[null,"USERMAP"],"CLNTUSER":[null,"x"],"MCAUSER":[null,"ann"]},
    SET Q target=QLOCAL user=root detail={"GET":["ENABLED","DISABLED"]}
    => root SET CHLAUTH C.* "TYPE(USERMAP) CLNTUSER(x)" MCAUSER - ann -

table effective
    type object entity_type entity words
what somebody may do
    left right effective Q, right record Q.*, right unused Q.*
    => QUEUE Q PRINCIPAL ann "GET PUT"

table unused
    profile entity_type entity words
what nobody did
    left right effective Q, right record Q.*, right unused Q.* PUT
    => Q.* PRINCIPAL ann PUT
""",
    globals(),
)


def test_cases(table: str, case: str, found: dict[tuple[str, str], Answer]) -> None:
    assert found[table, case] == CASES[table][1][case].rows


def test_z110_what_a_store_grants(spark: SparkSession, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    with open_store(url) as store:
        prepare(store)
        qmgr = store.queue_manager("QM1")
        grant(qmgr, "get", "B.**", to="GROUP('apps')")
        assert outcome(qmgr, opening("Q", MQOO.OUTPUT)) == "put:Q"
        grant(qmgr, "put inq", "Q")
        assert outcome(qmgr, opening("Q", MQOO.OUTPUT)) == "0"
    run = ["report", "authority", "--store", url, "--out", str(tmp_path / "out"), "--quiet"]
    assert run_to_exit_code(run) == 0
    tables = {name: list(csv.DictReader(StringIO(text))) for name, text in _texts(tmp_path / "out")}
    (refused,) = tables["refusals"]
    assert (refused["refusals"], refused["missing"], bool(refused["cured_at"])) == (
        "1",
        "PUT QUEUE Q",
        True,
    )
    profiles = [(each["profile"], each["after"], each["objects"]) for each in tables["grants"]]
    assert profiles[-2:] == [("B.**", '["GET"]', "1"), ("Q", '["INQ","PUT"]', "1")]
    effective = [(each["object"], each["entity"], each["words"]) for each in tables["effective"]]
    connecting = [("self", user, "CONNECT") for user in ("app", "dev", "srv", "web")]
    assert effective == [
        *connecting,
        ("B", "apps", "GET"),
        ("B", "app", "GET"),
        ("Q", "app", "INQ PUT"),
    ]
    unused = [(each["profile"], each["entity"], each["words"]) for each in tables["unused"]]
    assert unused == [("B.**", "apps", "GET"), ("Q", "app", "INQ")]


def _texts(out: Path) -> Iterator[tuple[str, str]]:
    return (
        (each.name, (out / "authority" / f"{each.name}.csv").read_text("utf-8"))
        for each in REPORT.tables
    )
