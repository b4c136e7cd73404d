"""Where messages go that were backed out too often, as the definitions say now: BOTHRESH, BOQNAME
and DEADQ.
"""

from typing import NamedTuple

from mqsc.store.catalog import KINDS
from mqsc.store.engine import name_resolution
from mqsc.store.engine.definitions import complete
from mqsc.store.rules.poison_message import LEADS_BACK, NOT_NAMED
from mqsc.store.sql import objects
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sqlite.queries import Queries

_QLOCAL = KINDS["QLOCAL"]


class Target(NamedTuple):
    """A queue for such messages. `fault` is NOT_NAMED or LEADS_BACK when no put to it may be tried,
    else 0.

    `owner` is that of the local queue to which it leads; blank if there is none.
    """

    queue: str
    fault: int
    owner: str = ""


class BackoutSettings(NamedTuple):
    """BOTHRESH and BOQNAME of a local queue."""

    threshold: int
    backout_queue: Target


def backout_settings(tx: Queries, qmgr: ManagerRow, queue: str) -> BackoutSettings:
    """The settings of the local queue. A BOQNAME that leads back to it, directly or not, is of
    no use (poison B42).
    """
    threshold, named = _attributes(tx, qmgr, queue)
    return BackoutSettings(
        threshold,
        Target(named, _leads_back(tx, qmgr, queue, named) if named else NOT_NAMED),
    )


def dead_letter_target(tx: Queries, qmgr: ManagerRow, queue: str) -> Target:
    """The dead-letter queue for messages of a local queue, which cannot be that queue itself."""
    named = qmgr.dead_letter_queue
    if not named:
        return Target("", NOT_NAMED)
    local, owner = _local_queue(tx, qmgr, named)
    return Target(named, LEADS_BACK if local == queue else 0, owner)


def _leads_back(tx: Queries, qmgr: ManagerRow, queue: str, named: str) -> int:
    passed: set[str] = set()
    while named:
        local, _ = _local_queue(tx, qmgr, named)
        if local == queue:
            return LEADS_BACK
        if not local or local in passed:
            return 0
        passed.add(local)
        _, named = _attributes(tx, qmgr, local)
    return 0


def _local_queue(tx: Queries, qmgr: ManagerRow, name: str) -> tuple[str, str]:
    """The local queue that is the final destination of a put to `name`, and its owner; blank
    when there is none.
    """
    _, found = name_resolution.destination(tx, qmgr, name, "")
    return ("", "") if found is None or found.is_remote else (found.queue.name, found.queue.owner)


def _attributes(tx: Queries, qmgr: ManagerRow, queue: str) -> tuple[int, str]:
    """BOTHRESH and BOQNAME; (0, blank) for a queue that has been deleted."""
    definition = objects.by_name(tx, qmgr.name, _QLOCAL.namespace, queue)
    if definition is None and qmgr.sharing_group:
        definition = objects.by_name(tx, qmgr.sharing_group, _QLOCAL.namespace, queue)
    if definition is None:
        return 0, ""
    attributes = complete(_QLOCAL, definition.attributes)
    return int(str(attributes["BOTHRESH"])), str(attributes["BOQNAME"])
