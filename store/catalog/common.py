"""Types and rows that several kinds of object share."""

from __future__ import annotations

from store.catalog.attribute import HotColumn, defined, shown
from store.catalog.types import DATE, TIME, Flag, Name, Number, Text, Word

MOST = 999_999_999
MOST_MESSAGE = 104_857_600

COUNT = Number(0, MOST)
PRIORITY = Number(0, 9)
CAP_EXPIRY = Number(1, MOST, {"NOLIMIT": -1})
YES_NO = Word(("NO", "YES"))
ENABLED = Word(("ENABLED", "DISABLED"))
ON_OFF = Word(("ON", "OFF"))
QUEUE_NAME = Name(48, "QUEUE")
CHANNEL_LEVEL = Word(("QMGR", "OFF", "LOW", "MEDIUM", "HIGH"))


def enabled_column(name: str) -> HotColumn:
    """A hot column that is 1 for ENABLED."""
    return HotColumn(name, {"ENABLED": 1, "DISABLED": 0})


DESCR = defined("DESCR", Text(64), "", "What the object is for, in the administrator's own words.")
ALTDATE = shown("ALTDATE", DATE, "The day of the last change, UTC.")
ALTTIME = shown("ALTTIME", TIME, "The time of day of the last change, UTC.")
CRDATE = shown("CRDATE", DATE, "The day of creation, UTC.")
CRTIME = shown("CRTIME", TIME, "The time of day of creation, UTC.")
ALTERED_AT = (ALTDATE, ALTTIME)
CREATED_AT = (CRDATE, CRTIME)

CMDSCOPE = defined(
    "CMDSCOPE", Text(4), "", "Which queue managers of the queue-sharing group run the command: blank, a name or *.",
    platform="zos", option=True,
)  # fmt: skip
QSGDISP = defined(
    "QSGDISP", Word(("QMGR", "COPY", "GROUP", "PRIVATE")), "QMGR",
    "Where in the queue-sharing group the definition is kept.",
    platform="zos", option=True,
)  # fmt: skip
SHARED_QSGDISP = defined(
    "QSGDISP", Word(("QMGR", "COPY", "GROUP", "SHARED", "PRIVATE")), "QMGR",
    "Where in the queue-sharing group the definition and its messages are kept.",
    platform="zos", option=True,
)  # fmt: skip
GROUP_OPTIONS = (QSGDISP, CMDSCOPE)

CLUSTER = defined("CLUSTER", Name(48, "cluster"), "", "The cluster the object is made known in.")
CLUSNL = defined("CLUSNL", Name(48, "NAMELIST"), "", "The namelist of the clusters the object is made known in.")
CLWLPRTY = defined("CLWLPRTY", PRIORITY, 0, "Priority when a cluster chooses where a message goes; 9 comes first.")
CLWLRANK = defined("CLWLRANK", PRIORITY, 0, "Rank when a cluster chooses where a message goes, before its priority.")
CLUSDATE = shown("CLUSDATE", DATE, "The day the definition became known here.", quiet=True)
CLUSTIME = shown("CLUSTIME", TIME, "The time of day the definition became known here.", quiet=True)
CLUSQMGR = shown("CLUSQMGR", Name(48, "queue manager"), "The queue manager that hosts it.", quiet=True)
QMID = shown("QMID", Text(48), "The identifier of the queue manager that hosts it.", quiet=True)
CLUSTER_FACTS = (CLUSDATE, CLUSTIME, CLUSQMGR, QMID)
SYNCPT = Flag("SYNCPT")
