"""Which authorities commands need, and of what (authority §5)."""

from enum import Enum, auto
from typing import NamedTuple


class Subject(Enum):
    """What an authority is asked of."""

    # Each row of a DISPLAY.
    ROWS = auto()
    # The object that the command names.
    OBJECT = auto()
    # A new object of its type.
    NEW = auto()
    # The root of the topic tree.
    TOPIC = auto()
    QMGR = auto()


class Permission(NamedTuple):
    """The authorities for the commands of these verbs on these nouns; no nouns are all others."""

    verbs: tuple[str, ...]
    nouns: tuple[str, ...]
    of: Subject
    authorities: tuple[str, ...]


_OBJECTS = (
    "QLOCAL",
    "QALIAS",
    "QMODEL",
    "QREMOTE",
    "PROCESS",
    "NAMELIST",
    "CHANNEL",
    "LISTENER",
    "SERVICE",
    "TOPIC",
    "AUTHINFO",
    "COMMINFO",
)
# The first row that fits counts.
PERMISSIONS = (
    Permission(
        ("DISPLAY",),
        (
            "QUEUE",
            "QLOCAL",
            "QALIAS",
            "QMODEL",
            "QREMOTE",
            "QSTATUS",
            "PROCESS",
            "NAMELIST",
            "CHANNEL",
            "CHSTATUS",
            "LISTENER",
            "LSSTATUS",
            "SERVICE",
            "SVSTATUS",
            "TOPIC",
            "AUTHINFO",
            "COMMINFO",
        ),
        Subject.ROWS,
        ("DSP",),
    ),
    Permission(("DISPLAY",), ("TPSTATUS", "SBSTATUS", "SUB"), Subject.TOPIC, ("DSP",)),
    Permission(("DISPLAY",), (), Subject.QMGR, ("DSP",)),
    Permission(("ALTER",), _OBJECTS, Subject.OBJECT, ("CHG",)),
    Permission(("ALTER", "DELETE"), ("SUB",), Subject.TOPIC, ("CTRL",)),
    Permission(("DELETE",), _OBJECTS, Subject.OBJECT, ("DLT",)),
    Permission(("DEFINE",), _OBJECTS, Subject.NEW, ("CRT",)),
    Permission(("DEFINE",), ("SUB",), Subject.TOPIC, ("CTRL",)),
    Permission(("CLEAR",), ("QLOCAL",), Subject.OBJECT, ("CLR",)),
    Permission(("CLEAR",), ("TOPICSTR",), Subject.TOPIC, ("CLR",)),
    Permission(("MOVE",), ("QLOCAL",), Subject.OBJECT, ("CLR",)),
    Permission(("START", "STOP", "PING"), ("CHANNEL",), Subject.OBJECT, ("CTRL",)),
    Permission(("START", "STOP"), ("LISTENER", "SERVICE"), Subject.OBJECT, ("CTRL",)),
    Permission(("START", "STOP"), ("CHINIT", "CMDSERV"), Subject.QMGR, ("CTRL",)),
    Permission(("PING",), ("QMGR",), Subject.QMGR, ("DSP",)),
    Permission(("RESET", "RESOLVE"), ("CHANNEL",), Subject.OBJECT, ("CTRLX",)),
    Permission(("RESET",), ("QSTATS",), Subject.OBJECT, ("DSP", "CHG")),
)
