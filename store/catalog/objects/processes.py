"""The attributes of processes, in the order of DISPLAY."""

from mqsc.store.catalog.attribute import Attribute
from mqsc.store.catalog.object_kind import make_kind
from mqsc.store.catalog.objects import shared
from mqsc.store.catalog.types import Name, Number, Text

_ATTRIBUTES = (
    shared.ALTDATE,
    shared.ALTTIME,
    Attribute(
        "APPLICID",
        Text(256),
        "The program that a trigger monitor starts: a command or a transaction.",
        default="",
    ),
    Attribute(
        "APPLTYPE",
        Number(
            0,
            999999999,
            {
                "CICS": 1,
                "MVS": 2,
                "IMS": 3,
                "DOS": 5,
                "UNIX": 6,
                "OS400": 8,
                "WINDOWS": 9,
                "WINDOWSNT": 11,
                "VMS": 12,
                "NSK": 13,
                "NOTESAGENT": 22,
                "USER": 25,
            },
            {"DEF": "UNIX"},
        ),
        "The type of the program.",
        default="UNIX",
    ),
    shared.DESCR,
    Attribute(
        "ENVRDATA",
        Text(128),
        "Environment data in the trigger message, for the trigger monitor.",
        default="",
    ),
    Attribute(
        "USERDATA", Text(128), "User data in the trigger message, for the program.", default=""
    ),
    shared.QSGDISP,
    shared.CMDSCOPE,
)
PROCESS = make_kind(
    "PROCESS",
    Name(48),
    _ATTRIBUTES,
    key=("PROCESS",),
    heading_id="AMQ8407I",
    heading="Display Process details.",
    synonyms=("PRO",),
    default_objects={"": "SYSTEM.DEFAULT.PROCESS"},
)
