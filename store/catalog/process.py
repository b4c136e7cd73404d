"""The attributes of a process definition, which describes the program that a trigger starts."""

from __future__ import annotations

from store.catalog import common
from store.catalog.attribute import defined
from store.catalog.kind import make_kind
from store.catalog.types import Number, Text

# The MQAT number of each word; DEF means the type of the platform.
APPLICATION_TYPES = {
    "CICS": 1, "MVS": 2, "IMS": 3, "DOS": 5, "UNIX": 6, "OS400": 8, "WINDOWS": 9, "WINDOWSNT": 11, "VMS": 12,
    "NSK": 13, "NOTESAGENT": 22, "USER": 25,
}  # fmt: skip

PROCESS = make_kind(
    "PROCESS",
    (
        defined("APPLICID", Text(256), "", "The program that a trigger monitor starts: a command or a transaction."),
        defined("APPLTYPE", Number(0, common.MOST, APPLICATION_TYPES, {"DEF": "UNIX"}), "UNIX",
                "The type of the program."),
        common.DESCR,
        defined("ENVRDATA", Text(128), "", "Environment data in the trigger message, for the trigger monitor."),
        defined("USERDATA", Text(128), "", "User data in the trigger message, for the program."),
        *common.GROUP_OPTIONS,
        *common.ALTERED_AT,
    ),
    "PROCESS ALTDATE ALTTIME APPLICID APPLTYPE DESCR ENVRDATA USERDATA",
    synonyms=("PRO",),
    namespace="process",
    default_objects={"": "SYSTEM.DEFAULT.PROCESS"},
    heading_id="AMQ8407I",
    heading="Display Process details.",
    key=("PROCESS",),
)  # fmt: skip
