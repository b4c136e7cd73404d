"""Makes a store with the program of a version, and asks it questions:
`python -m tests.mqsc.kept_stores.make MQSC`, where MQSC is the path of that version's `mqsc`.

It writes `schema-N.sql.xz` and `schema-N.answers.xz` beside this file. Make them once for each
number of the schema, before it grows, and never again: `tests/mqsc/test_kept_stores.py` compares
what later versions answer.
"""

from __future__ import annotations

import json
import lzma
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SCRIPT = """
DEFINE QLOCAL(DEAD)
ALTER QMGR DEADQ(DEAD) EXPRYINT(60)
DEFINE QLOCAL(A) MAXDEPTH(5000) BOTHRESH(2) BOQNAME(A.BACKOUT) DESCR('It''s the first')
DEFINE QLOCAL(A.BACKOUT)
DEFINE QLOCAL(INIT)
DEFINE PROCESS(P) APPLICID('/bin/true')
DEFINE QLOCAL(TRIG) TRIGGER TRIGTYPE(EVERY) INITQ(INIT) PROCESS(P)
DEFINE QLOCAL(FULL) MAXDEPTH(2)
DEFINE QLOCAL(CAPPED) CAPEXPRY(3000)
DEFINE QLOCAL(COPY)
DEFINE QLOCAL(STREAMED) STREAMQ(COPY) STRMQOS(MUSTDUP)
DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN)
DEFINE QALIAS(ALIAS) TARGET(A)
DEFINE NAMELIST(NL) NAMES(A,B)
DEFINE TOPIC(T) TOPICSTR('prices')
DEFINE SUB(S) TOPICSTR('prices/#') DEST(COPY)
DEFINE QLOCAL(QM2) USAGE(XMITQ)
DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(QM2) XMITQ(QM2)
DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('localhost(1414)') XMITQ(QM2) BATCHSZ(5)
DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)
DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1414)
DEFINE AUTHINFO(USE.PW) AUTHTYPE(IDPWOS)
SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)
"""
PARTNER = """
DEFINE QLOCAL(THERE)
DEFINE CHANNEL(TO.QM2) CHLTYPE(RCVR)
DEFINE QLOCAL(DEAD)
ALTER QMGR DEADQ(DEAD)
"""
SHARED = """
DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)
DEFINE QLOCAL(SHARED) QSGDISP(SHARED) CFSTRUCT(APPL1)
DEFINE QLOCAL(G) QSGDISP(GROUP)
"""
TWICE = "DEFINE QLOCAL(GONE)\nDELETE QLOCAL(GONE)\nDEFINE QLOCAL(GONE)\n"
REFRESH = "REFRESH QMGR TYPE(EXPIRY)"
# Messages that were backed out, and a unit of work of a program that was killed.
PROGRAM = """
import os
try:
    from mqsc.store import GetMessageOptions, Message, MessageDescriptor, PutMessageOptions, open_store
    from mqsc.store.constants import MQGMO, MQOO, MQPMO
except ImportError:
    from store import GetMessageOptions, Message, MessageDescriptor, PutMessageOptions, open_store
    from store.constants import MQGMO, MQOO, MQPMO
connection = open_store(os.environ["MQSC_STORE"]).queue_manager("QM1").connect()
queue = connection.open("A", MQOO.INPUT_SHARED | MQOO.OUTPUT)
for _ in range(3):
    queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
    connection.back()
copies = connection.open("COPY", MQOO.OUTPUT)
copies.put(Message(b"in a unit"), PutMessageOptions(MQPMO.SYNCPOINT))
connection.commit()
persistent = MessageDescriptor(persistence=1)
copies.put(Message(b"killed", persistent), PutMessageOptions(MQPMO.SYNCPOINT))
queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
os._exit(0)
"""
STEPS: Sequence[Sequence[str]] = (
    ("qmgr", "create", "QM1", "--clock", "manual"),
    ("clock", "set", "2026-03-02T09:00:00Z"),
    ("qmgr", "create", "QM2", "--clock", "manual"),
    ("run", "-c", SCRIPT),
    ("run", "-m", "QM2", "-c", PARTNER),
    ("channel", "map", "localhost(1414)", "QM2"),
    ("put", "A", "one", "--persistent"),
    ("put", "A", "two", "--count", "3"),
    ("put", "A", "expires", "--count", "2", "--expiry", "100"),
    ("put", "A", "with properties", "--property", "colour=red"),
    ("put", "A", "a request", "--reply-to-q", "ALIAS", "--priority", "7"),
    ("put", "CAPPED", "capped", "--count", "2"),
    ("put", "TRIG", "triggers"),
    ("put", "FULL", "x", "--count", "2"),
    ("put", "STREAMED", "streamed"),
    ("put", "FAR", "for there", "--count", "3", "--persistent"),
    ("clock", "advance", "20s"),
    ("get", "A"),
    ("browse", "A"),
    ("run", "-c", REFRESH),
    ("channel", "run", "TO.QM2", "--until-empty"),
    ("qmgr", "end", "QM2"),
    ("qmgr", "start", "QM2"),
    ("run", "-c", TWICE),
    ("put", "A", "after", "--count", "2", "--persistent"),
    ("clock", "advance", "1h"),
    ("put", "A", "soon expired", "--expiry", "10"),
    ("clock", "advance", "10s"),
    ("channel", "fault", "TO.QM2", "break", "--at", "R2-after"),
    ("put", "FAR", "in doubt", "--persistent", "--count", "2"),
    # It ends with the failure that was asked for.
    ("!channel", "run", "TO.QM2", "--until-empty"),
    ("qmgr", "create", "QM3", "--group", "QSG1", "--clock", "manual"),
    ("run", "-m", "QM3", "-c", SHARED),
    ("put", "-m", "QM3", "SHARED", "shared message", "--count", "2", "--persistent"),
    ("put", "A", "the last", "--persistent"),
)
DISPLAYS = (
    "QMGR ALL",
    "QUEUE(*) ALL",
    "CHANNEL(*) ALL",
    "CHSTATUS(*) ALL",
    "QSTATUS(*) ALL",
    "NAMELIST(*) ALL",
    "PROCESS(*) ALL",
    "TOPIC(*) ALL",
    "SUB(*) ALL",
    "LISTENER(*) ALL",
    "AUTHINFO(*) ALL",
    "CHLAUTH(*) ALL",
    "CFSTRUCT(*) ALL",
)
QUEUES = ("A", "A.BACKOUT", "TRIG", "FULL", "CAPPED", "COPY", "STREAMED", "INIT", "QM2")


def questions() -> Iterator[Sequence[str]]:
    """Commands whose answers in JSON stay what they were."""
    for name in ("QM1", "QM2", "QM3"):
        for display in DISPLAYS:
            yield ("run", "-m", name, "--format", "json", "-c", f"DISPLAY {display}")
        yield ("history", "-m", name, "--format", "json")
    for name in QUEUES:
        yield ("browse", "-m", "QM1", name, "--format", "json")
    yield ("browse", "-m", "QM2", "THERE", "--format", "json")
    yield ("browse", "-m", "QM3", "SHARED", "--format", "json")


def _run(mqsc: str, environment: Mapping[str, str], *command: str) -> str:
    may_fail = command[0].startswith("!") or "-c" in command
    words = [command[0].removeprefix("!"), *command[1:]]
    return subprocess.run(
        [mqsc, *words],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=not may_fail,
    ).stdout


def _contents(path: Path) -> tuple[int, str]:
    """The number of the schema, and the store as SQL."""
    with closing(sqlite3.connect(path)) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (application,) = database.execute("PRAGMA application_id").fetchone()
        pragmas = f"PRAGMA user_version = {version};\nPRAGMA application_id = {application};\n"
        return version, pragmas + "\n".join(database.iterdump())


def make(mqsc: str) -> None:
    """Write the two files for the schema of this `mqsc`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        environment = {**os.environ, "MQSC_STORE": f"sqlite:///{path}", "MQSC_QMGR": "QM1"}
        for step in STEPS:
            _run(mqsc, environment, *step)
        python = str(Path(mqsc).parent / "python")
        # In the folder, so that the packages of that version are imported.
        subprocess.run([python, "-c", PROGRAM], env=environment, cwd=folder, check=True)
        version, text = _contents(path)
        answers: list[dict[str, Any]] = []
        for question in questions():
            said = _run(mqsc, environment, *question)
            answers.append({"command": question, "answer": json.loads(said)})
    for suffix, content in (("sql", text), ("answers", json.dumps(answers))):
        (FOLDER / f"schema-{version}.{suffix}.xz").write_bytes(lzma.compress(content.encode()))


if __name__ == "__main__":
    make(sys.argv[1])
