"""Where a message of a channel ends, as the specification says, without any code of the product.

The tables are expiry-backout-channels Ch4 and mqi-semantics §2.3. Both queue managers have the same
queues.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

# What an MQPUT1 to each kind of queue answers, and the local queue that the message is then on.
QUEUES = {
    "LOCAL": (0, "LOCAL"),
    "ALIAS": (0, "LOCAL"),
    "REMOTE": (0, "ELSEWHERE"),
    "FULL": (2053, ""),
    "INHIBITED": (2051, ""),
    "CLOSED": (2051, ""),
    "MISSING": (2085, ""),
    "TEMPORARY": (2057, ""),
    "PERMANENT": (2057, ""),
    "OVER.MODEL": (2001, ""),
    "OVER.NOTHING": (2082, ""),
    "NO.ROUTE": (2087, ""),
}
DEFINITIONS = (
    "DEFINE QLOCAL(LOCAL)",
    "DEFINE QALIAS(ALIAS) TARGET(LOCAL)",
    "DEFINE QLOCAL(ELSEWHERE) USAGE(XMITQ)",
    "DEFINE QREMOTE(REMOTE) RNAME(Q) RQMNAME(QM3) XMITQ(ELSEWHERE)",
    "DEFINE QLOCAL(FULL) MAXDEPTH(0)",
    "DEFINE QLOCAL(INHIBITED) PUT(DISABLED)",
    "DEFINE QALIAS(CLOSED) TARGET(LOCAL) PUT(DISABLED)",
    "DEFINE QMODEL(TEMPORARY) DEFTYPE(TEMPDYN)",
    "DEFINE QMODEL(PERMANENT) DEFTYPE(PERMDYN)",
    "DEFINE QALIAS(OVER.MODEL) TARGET(TEMPORARY)",
    "DEFINE QALIAS(OVER.NOTHING) TARGET(NOTHING)",
    "DEFINE QREMOTE(NO.ROUTE) RNAME(Q) RQMNAME(QM9)",
)
RETRIED = (2051, 2053)
UNSENDABLE = {"junk": 271, "long": 2218}
LONGEST = 1000


class Case(NamedTuple):
    """One message and the ends that it meets.

    `fault` is blank, or why the sender cannot send it; the rest is then about the sender's end,
    else the receiver's. `dead_letters` is DEADQ, blank for none; BACK is a remote queue on the
    channel's own transmission queue.
    """

    fault: str
    target: str
    dead_letters: str
    uses_dead_letters: bool
    fast_sender: bool
    fast_receiver: bool
    persistent: bool
    discard: bool
    exception: bool
    reply_to: str
    retries: int


class Outcome(NamedTuple):
    """What becomes of the message.

    `action` is deliver, dead-letter, discard, drop or end; `queue` is where it then is, blank for
    nowhere, and `reason` the MQRC or MQFB. `retries` of the put came before. `report` is the queue
    with the exception report, blank for none.
    """

    action: str
    reason: int
    queue: str = ""
    retries: int = 0
    report: str = ""


def chosen(chance: Random) -> Case:
    """A case by chance."""
    fault = chance.choice(("", "", "", "", "junk", "long"))
    dead_letters = ("", *QUEUES, "BACK") if fault else ("", *QUEUES)
    return Case(
        fault,
        chance.choice(list(QUEUES)),
        chance.choice(dead_letters),
        uses_dead_letters=chance.random() < 0.7,
        fast_sender=chance.random() < 0.7,
        fast_receiver=chance.random() < 0.7,
        persistent=chance.random() < 0.5,
        discard=chance.random() < 0.2,
        exception=chance.random() < 0.4,
        reply_to=chance.choice(list(QUEUES)),
        retries=chance.choice((0, 0, 2)),
    )


def outcome(case: Case) -> Outcome:
    """What becomes of the message."""
    reason, queue = (UNSENDABLE[case.fault], "") if case.fault else QUEUES[case.target]
    if not reason:
        return Outcome("deliver", 0, queue)
    # Junk has the descriptor of the transmission queue, which asks for nothing.
    discard, exception = (case.discard, case.exception) if case.fault != "junk" else (False, False)
    retries = case.retries if reason in RETRIED else 0
    usable = _usable(case) if case.uses_dead_letters else ""
    if discard:
        found = Outcome("discard", reason, "", retries)
    elif usable:
        found = Outcome("dead-letter", reason, usable, retries)
    elif not case.persistent and case.fast_sender and case.fast_receiver:
        found = Outcome("drop", reason, "", retries)
    else:
        return Outcome("end", reason, "X", retries)
    return found._replace(report=_report(case)) if exception else found


def _usable(case: Case) -> str:
    """The queue with the dead letter; blank when DEADQ takes none."""
    return QUEUES[case.dead_letters][1] if case.dead_letters in QUEUES else ""


def _report(case: Case) -> str:
    """The queue with the report: that of the reply queue, else of the dead-letter queue, else
    none.
    """
    back = "X" if case.dead_letters == "BACK" else ""
    return QUEUES[case.reply_to][1] or _usable(case) or back
