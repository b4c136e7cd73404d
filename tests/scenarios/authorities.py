"""The set-up of the scenarios of authorities: users app, web, srv, dev and adm, queues, and what
a call came to.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import mqsc
from mqsc import Message, PutMessageOptions
from mqsc.store.admin.user_accounts import add_user, set_mode
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.error import MQError
from mqsc.store.sqlite.database import Reading
from tests.scenarios.looking import events_on

DEFINITIONS = """
DEFINE QLOCAL(Q)
DEFINE QLOCAL(B)
DEFINE QALIAS(A) TARGET(B)
DEFINE QLOCAL(X) USAGE(XMITQ)
DEFINE QREMOTE(R) RNAME(RQ) RQMNAME(QM2) XMITQ(X)
DEFINE QREMOTE(QM2A) RNAME('') RQMNAME(QM2) XMITQ(X)
DEFINE QREMOTE(ME) RNAME('') RQMNAME(QM1)
DEFINE QMODEL(T) DEFTYPE(TEMPDYN)
DEFINE QMODEL(P) DEFTYPE(PERMDYN) SHARE DEFSOPT(SHARED)
DEFINE NAMELIST(N) NAMES(Q)
DEFINE PROCESS(PR) APPLICID('x')
DEFINE QLOCAL(DLQ)
ALTER QMGR DEADQ(DLQ) AUTHOREV(ENABLED) CHLEV(ENABLED)
"""
PASSWORD = "a password"
REFUSALS = "SELECT cause, user, detail FROM event WHERE kind = 'REFUSE' ORDER BY seq"


def prepare(store: Store) -> None:
    qmgr = store.create_queue_manager("QM1")
    mqsc.run(qmgr, DEFINITIONS, check=True)
    add_user(store, "adm", PASSWORD, administrator=True)
    add_user(store, "app", PASSWORD, groups=["apps"])
    set_mode(qmgr, "enforce")
    for user in ("app", "web", "srv", "dev"):
        mqsc.run(
            qmgr,
            f"SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{user}') AUTHADD(CONNECT)",
            check=True,
        )


def grant(
    qmgr: QueueManager,
    words: str,
    on: str,
    *,
    to: str = "PRINCIPAL('app')",
    type: str = "QUEUE",
) -> None:
    words = ",".join(words.upper().split())
    mqsc.run(qmgr, f"SET AUTHREC PROFILE('{on}') OBJTYPE({type}) {to} AUTHADD({words})", check=True)


def grant_qmgr(qmgr: QueueManager, words: str, to: str = "PRINCIPAL('app')") -> None:
    grant(qmgr, words, "self", to=to, type="QMGR")


def raised(qmgr: QueueManager) -> list[list[Any]]:
    """The parameters of the event messages on SYSTEM.ADMIN.QMGR.EVENT, which are got; without
    the start.
    """
    return [
        event.values
        for event in events_on(qmgr, "SYSTEM.ADMIN.QMGR.EVENT")
        if event.header.reason == 2035
    ]


def refusals(qmgr: QueueManager) -> list[tuple[str, str, str]]:
    """(cause, user, what is missing) of every REFUSE."""
    with Reading(qmgr.store.database) as reading:
        found = [tuple(row) for row in reading.all(REFUSALS)]
    return [(cause, user, _missing(detail)) for cause, user, detail in found]


def _missing(detail: str | None) -> str:
    said = json.loads(detail or "{}").get("missing", [])
    return " ".join(f"{word.lower()}:{name}" for word, _, name in map(str.split, said))


def outcome(qmgr: QueueManager, call: Callable[[Connection], Any], user: str = "app") -> str:
    """What a call of the user came to: 0, the reason, or what is missing."""
    try:
        with qmgr.connect("shop", user) as connection:
            call(connection)
    except MQError as error:
        if error.reason != 2035:
            return str(int(error.reason))
        refusal = getattr(error, "refusal", None)
        return (
            "2035"
            if refusal is None
            else " ".join(f"{w.word.lower()}:{w.name}" for w in refusal.missing)
        )
    return "0"


def opening(name: str, options: int, **how: Any) -> Callable[[Connection], Any]:
    return lambda connection: connection.open(name, int(options), **how)


def putting(name: str, options: int = 0, **how: Any) -> Callable[[Connection], Any]:
    return lambda connection: connection.put1(
        name,
        Message(b"m"),
        PutMessageOptions(int(options)),
        **how,
    )
