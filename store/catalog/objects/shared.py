"""Attributes that several kinds of object have in different places."""

from mqsc.store.catalog.attribute import DISPLAYED, Attribute
from mqsc.store.catalog.types import DATE, TIME, Name, Text, Word

ALTDATE = Attribute("ALTDATE", DATE, "The date of the last change, UTC.", verbs=DISPLAYED)
ALTTIME = Attribute("ALTTIME", TIME, "The time of the last change, UTC.", verbs=DISPLAYED)
CLUSDATE = Attribute(
    "CLUSDATE",
    DATE,
    "The date on which this queue manager learned of the definition.",
    verbs=DISPLAYED,
    hidden=True,
)
CLUSQMGR = Attribute(
    "CLUSQMGR",
    Name(48, of="queue manager"),
    "The queue manager that hosts the object.",
    verbs=DISPLAYED,
    hidden=True,
)
CLUSTER = Attribute(
    "CLUSTER", Name(48, of="cluster"), "The cluster in which the object is advertised.", default=""
)
CLUSTIME = Attribute(
    "CLUSTIME",
    TIME,
    "The time at which this queue manager learned of the definition.",
    verbs=DISPLAYED,
    hidden=True,
)
CMDSCOPE = Attribute(
    "CMDSCOPE",
    Text(48),
    "Which queue managers of the queue-sharing group run the command: blank, a name or *.",
    default="",
    platform="zos",
    option=True,
)
CONTROL = Attribute(
    "CONTROL",
    Word(("MANUAL", "QMGR", "STARTONLY")),
    "Whether it starts and ends with the queue manager.",
    default="MANUAL",
)
CRDATE = Attribute("CRDATE", DATE, "The date of creation, UTC.", verbs=DISPLAYED)
CRTIME = Attribute("CRTIME", TIME, "The time of creation, UTC.", verbs=DISPLAYED)
DESCR = Attribute(
    "DESCR", Text(64), "A description of the object, for information only.", default=""
)
QMID = Attribute(
    "QMID",
    Text(48),
    "The identifier of the queue manager that hosts the object.",
    verbs=DISPLAYED,
    hidden=True,
)
QSGDISP = Attribute(
    "QSGDISP",
    Word(("QMGR", "COPY", "GROUP", "PRIVATE")),
    "Where in the queue-sharing group the definition is kept.",
    default="QMGR",
    platform="zos",
    option=True,
)
