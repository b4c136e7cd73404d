"""Advice on queues and on what the queue manager does about them."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.lint.rule import Rule
from mqsc.lint.scripts import Defined, Scripts, is_shipped
from mqsc.lint.statement import Hit, Statement
from mqsc.lint.triggering import QUEUES
from store.catalog import QUEUES as QUEUE_KINDS
from store.catalog.common import MOST

DEPTH_EVENTS = ("QDPHIEV", "QDPLOEV", "QSVCIEV")
DEFAULT_OBJECTS = frozenset(kind.default_object for kind in QUEUE_KINDS)


def no_room(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """MAXDEPTH(0) is allowed (objects, QLOCAL)."""
    if queue.get("MAXDEPTH") == 0:
        message = f"{queue.name} is full without a message: every put fails with MQRC_Q_FULL"
        yield Hit(queue.at("MAXDEPTH"), message, "PUT(DISABLED) if no message is wanted")


def longer_than_the_queue_manager(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """A message must fit the queue manager too (MQRC 2031)."""
    if scripts.qmgr is None or not (queue.known and queue.kind.keyword in QUEUES and "MAXMSGL" in queue.said):
        return
    length, most = queue.get("MAXMSGL"), scripts.qmgr.get("MAXMSGL")
    if isinstance(length, int) and isinstance(most, int) and length > most:
        message = f"{queue.name} takes {length} bytes, but the queue manager no more than {most}"
        yield Hit(queue.at("MAXMSGL"), message, f"ALTER QMGR MAXMSGL({length})")


def low_above_high(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """High is above low."""
    low, high = queue.get("QDEPTHLO"), queue.get("QDEPTHHI")
    if queue.known and isinstance(low, int) and isinstance(high, int) and low >= high:
        message = f"QDEPTHLO({low}) of {queue.name} is not below QDEPTHHI({high})"
        yield Hit(queue.at("QDEPTHLO" if "QDEPTHLO" in queue.said else "QDEPTHHI"), message, "QDEPTHLO below QDEPTHHI")


def events_without_monitoring(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """Performance events need PERFMEV."""
    if scripts.qmgr is None or scripts.qmgr.get("PERFMEV") == "ENABLED" or not queue.known:
        return
    word = next((each for each in DEPTH_EVENTS if queue.get(each) not in (None, "DISABLED", "NONE")), "")
    if word and queue.kind.keyword in QUEUES:
        message = f"{word} of {queue.name} makes no event as long as PERFMEV of the queue manager is DISABLED"
        yield Hit(queue.at(word), message, "ALTER QMGR PERFMEV(ENABLED)")


def service_without_interval(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """Service interval events need an interval that can pass."""
    if queue.known and queue.get("QSVCIEV") in ("HIGH", "OK") and queue.get("QSVCINT") == MOST:
        message = f"QSVCIEV of {queue.name} compares with QSVCINT({MOST}), which is 11 days"
        yield Hit(queue.at("QSVCIEV"), message, "QSVCINT(milliseconds)")


def default_changed(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """DEFINE starts from the default object as it is (common rules of DEFINE)."""
    is_queue = statement.kind is not None and statement.kind.namespace == "queue"
    if is_queue and statement.verb == "ALTER" and statement.name in DEFAULT_OBJECTS and statement.given:
        message = f"every later DEFINE without LIKE starts from {statement.name} as it is then"
        yield Hit(statement.at(), message, "LIKE with an object of your own")


def remote_to_nowhere(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """RNAME on no queue manager; the default object, which nobody opens, names none."""
    where = ("RQMNAME", "XMITQ")
    remote = queue.kind.keyword == "QREMOTE" and queue.known and not is_shipped(queue.name)
    if remote and not any(queue.get(word) for word in where):
        message = f"{queue.name} names no queue manager"
        yield Hit(queue.at("RNAME"), message, "RQMNAME(the queue manager of RNAME)")


RULES = (
    Rule(
        "MQSC-C28",
        "warning",
        "MAXDEPTH(0)",
        "The queue is full from the beginning. PUT(DISABLED) says the same plainly, with MQRC_PUT_INHIBITED.",
        "DEFINE QLOCAL(A) MAXDEPTH(0)\n",
        "DEFINE QLOCAL(A) PUT(DISABLED)\n",
        of_object=no_room,
    ),
    Rule(
        "MQSC-C29",
        "warning",
        "MAXMSGL beyond the queue manager's",
        "A message must be within MAXMSGL of the queue and of the queue manager, 4 MB unless changed. Reported where "
        "the same files set up the queue manager.",
        "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)\nDEFINE QLOCAL(A) MAXMSGL(104857600)\n",
        "ALTER QMGR MAXMSGL(104857600)\nDEFINE QLOCAL(A) MAXMSGL(104857600)\n",
        of_object=longer_than_the_queue_manager,
    ),
    Rule(
        "MQSC-C30",
        "warning",
        "QDEPTHLO not below QDEPTHHI",
        "The queue is high and low at once, and the two events make no sense.",
        "DEFINE QLOCAL(A) QDEPTHHI(10)\n",
        "DEFINE QLOCAL(A) QDEPTHHI(10) QDEPTHLO(5)\n",
        of_object=low_above_high,
    ),
    Rule(
        "MQSC-C31",
        "note",
        "Queue events while PERFMEV is off",
        "Depth and service interval events are performance events: without PERFMEV(ENABLED) the queue manager makes "
        "none. Reported where the same files set up the queue manager.",
        "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)\nDEFINE QLOCAL(A) QDPHIEV(ENABLED)\n",
        "ALTER QMGR PERFMEV(ENABLED)\nDEFINE QLOCAL(A) QDPHIEV(ENABLED)\n",
        of_object=events_without_monitoring,
    ),
    Rule(
        "MQSC-C32",
        "note",
        "Service interval of 11 days",
        "QSVCIEV asks whether a get follows a put within QSVCINT milliseconds; left at 999999999 it hardly ever does "
        "not.",
        "DEFINE QLOCAL(A) QSVCIEV(HIGH)\n",
        "DEFINE QLOCAL(A) QSVCIEV(HIGH) QSVCINT(60000)\n",
        of_object=service_without_interval,
    ),
    Rule(
        "MQSC-C33",
        "note",
        "Default queue changed",
        "Whatever is changed in a SYSTEM.DEFAULT queue is in all queues of that type that are defined from then on, "
        "also by others.",
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(100000)\n",
        "DEFINE QLOCAL(OURS) MAXDEPTH(100000)\nDEFINE QLOCAL(A) LIKE(OURS)\n",
        of_statement=default_changed,
    ),
    Rule(
        "MQSC-C34",
        "warning",
        "Remote queue on no queue manager",
        "A remote definition says where the queue is by RQMNAME, or which way to go by XMITQ. With neither, opening it "
        "fails with MQRC_UNKNOWN_REMOTE_Q_MGR.",
        "DEFINE QREMOTE(R) RNAME(A)\n",
        "DEFINE QREMOTE(R) RNAME(A) RQMNAME(QM2)\n",
        of_object=remote_to_nowhere,
    ),
)
