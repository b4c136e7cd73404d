"""Types and rows shared by several kinds of object."""

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
    return HotColumn(name, {"ENABLED": 1, "DISABLED": 0})


DESCR = defined("DESCR", Text(64), "", "A description of the object, for information only.")
ALTDATE = shown("ALTDATE", DATE, "The date of the last change, UTC.")
ALTTIME = shown("ALTTIME", TIME, "The time of the last change, UTC.")
CRDATE = shown("CRDATE", DATE, "The date of creation, UTC.")
CRTIME = shown("CRTIME", TIME, "The time of creation, UTC.")
ALTERED_AT = (ALTDATE, ALTTIME)
CREATED_AT = (CRDATE, CRTIME)

CMDSCOPE = defined(
    "CMDSCOPE", Text(48), "", "Which queue managers of the queue-sharing group run the command: blank, a name or *.",
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

CLUSTER = defined("CLUSTER", Name(48, "cluster"), "", "The cluster in which the object is advertised.")
CLUSNL = defined("CLUSNL", Name(48, "NAMELIST"), "", "The namelist of the clusters in which the object is advertised.")
CLWLPRTY = defined("CLWLPRTY", PRIORITY, 0, "The priority when a cluster chooses a destination; 9 is the highest.")
CLWLRANK = defined(
    "CLWLRANK", PRIORITY, 0, "The rank when a cluster chooses a destination, compared before the priority."
)
CLUSDATE = shown("CLUSDATE", DATE, "The date on which this queue manager learned of the definition.", hidden=True)
CLUSTIME = shown("CLUSTIME", TIME, "The time at which this queue manager learned of the definition.", hidden=True)
CLUSQMGR = shown("CLUSQMGR", Name(48, "queue manager"), "The queue manager that hosts the object.", hidden=True)
QMID = shown("QMID", Text(48), "The identifier of the queue manager that hosts the object.", hidden=True)
CLUSTER_FACTS = (CLUSDATE, CLUSTIME, CLUSQMGR, QMID)
SYNCPT = Flag("SYNCPT")
