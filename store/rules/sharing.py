"""Objects of a queue-sharing group, shared queues and their structures (sharing §1, §3, §4)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mqsc.store.catalog import Kind, Stored
from mqsc.store.constants import MQRC, MQRCCF

# QSGDISP of an object: of the queue manager alone, a copy of an object of the group, that object,
# and shared.
QMGR = "QMGR"
COPY = "COPY"
GROUP = "GROUP"
SHARED = "SHARED"
_OWN = frozenset((QMGR, COPY))
# Words that mean several of them in commands.
PRIVATE, LIVE = "PRIVATE", "LIVE"
# The objects that QSGDISP of a command means.
MEANT: Mapping[str, frozenset[str]] = {
    **{each: frozenset((each,)) for each in (QMGR, COPY, GROUP, SHARED)},
    PRIVATE: _OWN,
    LIVE: _OWN | {SHARED},
    "ALL": _OWN | {SHARED, GROUP},
}
# The objects in whose presence none of that name can be defined, by the disposition of the new one.
# A GROUP object is possible beside a QMGR object: that queue manager keeps its own.
_IN_THE_WAY: Mapping[str, frozenset[str]] = {
    QMGR: frozenset((COPY, SHARED)),
    COPY: frozenset((QMGR, SHARED)),
    GROUP: frozenset((SHARED,)),
    SHARED: _OWN | {GROUP},
}
# The longest message of a structure of CFLEVEL 3 or below, and of one above.
SHORT, LONG = 64_512, 104_857_600
LEVEL_FOR_LONG, LEVEL_FOR_GROUPS = 4, 3
MOST_QUEUES_OF_STRUCTURE = 512
# INDXTYPE as a number of its column.
NO_INDEX = 0
BY_MSG_ID = 1
BY_CORREL_ID = 2
BY_GROUP_ID = 5

OF_SYSTEM, ALLOWED_OF_SYSTEM = "SYSTEM.", ("SYSTEM.ADMIN.", "SYSTEM.DEFAULT.LOCAL.QUEUE")


def owner_of(kind: Kind, queue_manager: str, group: str, disposition: str) -> str:
    """The owner of an object of that disposition. Structures are always the group's."""
    of_group = group and (kind.keyword == "CFSTRUCT" or disposition in (GROUP, SHARED))
    return group if of_group else queue_manager


def in_the_way(disposition: str, dispositions: Iterable[str]) -> list[str]:
    """Which of the dispositions that objects of a name have prevent a definition of another one."""
    return sorted(_IN_THE_WAY[disposition].intersection(dispositions))


def definition_fault(name: str, attributes: Mapping[str, Stored]) -> int:
    """The reason why no shared queue can be defined like that, or 0."""
    of_system = name.startswith(OF_SYSTEM) and not name.startswith(ALLOWED_OF_SYSTEM)
    if of_system or not attributes.get("CFSTRUCT") or attributes.get("INDXTYPE") == "MSGTOKEN":
        return int(MQRCCF.DISPOSITION_CONFLICT)
    return 0


class CouplingStructure(NamedTuple):
    """The attributes of a structure that matter to its queues. Level 0: it has been deleted."""

    level: int
    recovers: bool

    @property
    def longest(self) -> int:
        """The longest message that it stores."""
        return LONG if self.level >= LEVEL_FOR_LONG else SHORT

    @property
    def keeps_persistent(self) -> bool:
        """Whether it stores persistent messages."""
        return self.recovers and self.level >= LEVEL_FOR_GROUPS


DELETED = CouplingStructure(0, recovers=False)


def structure_of(attributes: Mapping[str, Stored]) -> CouplingStructure:
    """The structure with these attributes of a CFSTRUCT."""
    return CouplingStructure(int(str(attributes["CFLEVEL"])), attributes["RECOVER"] == "YES")


def needs_unused_queues(before: CouplingStructure, after: CouplingStructure) -> bool:
    """Whether a change of a structure needs all its queues empty and closed."""
    return after.level < before.level or (before.recovers and not after.recovers)


def open_fault(level: int, index: int) -> int:
    """The reason why a shared queue in a structure of that level cannot be opened, or 0."""
    if not level:
        return int(MQRC.CF_STRUC_ERROR)
    return int(MQRC.WRONG_CF_LEVEL) if index == BY_GROUP_ID and level < LEVEL_FOR_GROUPS else 0


def selection_fault(
    index: int,
    *,
    msg_id: bool,
    correl_id: bool,
    group_id: bool,
    logical_order: bool,
) -> int:
    """The reason why a get from a shared queue cannot select by these, given its INDXTYPE; else
    0.
    """
    if logical_order and index != BY_GROUP_ID:
        return int(MQRC.Q_INDEX_TYPE_ERROR)
    if group_id and index != BY_GROUP_ID:
        return int(MQRC.MATCH_OPTIONS_ERROR)
    if msg_id and correl_id:
        return 0 if index in (BY_MSG_ID, BY_CORREL_ID) else int(MQRC.MSG_ID_ERROR)
    if msg_id and index not in (NO_INDEX, BY_MSG_ID):
        return int(MQRC.MSG_ID_ERROR)
    return int(MQRC.CORREL_ID_ERROR) if correl_id and index != BY_CORREL_ID else 0
