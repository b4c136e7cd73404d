"""What DISPLAY ENTAUTH shows, in its order."""

from mqsc.store.catalog.object_kind import displayed, make_kind
from mqsc.store.catalog.status.shared_types import ANY_TEXT, NAME
from mqsc.store.catalog.types import Items, Word

_ATTRIBUTES = (
    displayed("OBJTYPE", ANY_TEXT, "The type of object."),
    displayed("ENTITY", ANY_TEXT, "The user or group."),
    displayed("ENTTYPE", ANY_TEXT, "Whether ENTITY is a user or a group."),
    displayed("AUTHLIST", Items(Word(()), 256), "The authorities of the user or group."),
)
ENTAUTH = make_kind(
    "ENTAUTH",
    NAME,
    _ATTRIBUTES,
    key=("OBJTYPE",),
    heading_id="AMQ8865I",
    heading="Display entity authority details.",
)
