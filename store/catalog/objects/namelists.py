"""The attributes of namelists, in the order of DISPLAY."""

from mqsc.store.catalog.attribute import DISPLAYED, Attribute
from mqsc.store.catalog.object_kind import make_kind
from mqsc.store.catalog.objects import shared
from mqsc.store.catalog.types import Items, Name, Number, Word

_ATTRIBUTES = (
    Attribute(
        "NAMCOUNT", Number(0, 999999999), "The number of names in the list.", verbs=DISPLAYED
    ),
    Attribute("NAMES", Items(Name(48), 256), "The names in the list, in order.", default=[]),
    shared.DESCR,
    shared.ALTDATE,
    shared.ALTTIME,
    Attribute(
        "NLTYPE",
        Word(("NONE", "CLUSTER", "AUTHINFO", "QUEUE"), {"Q": "QUEUE"}),
        "The type of object that the names refer to.",
        default="NONE",
        platform="zos",
        display_filter=Word(("ALL", "NONE", "CLUSTER", "AUTHINFO", "QUEUE"), {"Q": "QUEUE"}),
    ),
    shared.QSGDISP,
    shared.CMDSCOPE,
)
NAMELIST = make_kind(
    "NAMELIST",
    Name(48),
    _ATTRIBUTES,
    key=("NAMELIST",),
    heading_id="AMQ8550I",
    heading="Display namelist details.",
    synonyms=("NL",),
    default_objects={"": "SYSTEM.DEFAULT.NAMELIST"},
)
