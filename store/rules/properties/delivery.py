"""Which properties a message takes along when it is delivered."""

from collections.abc import Mapping
from enum import Enum

from mqsc.store.constants import MQGMO

FORCE_MQRFH2, NO_PROPERTIES = int(MQGMO.PROPERTIES_FORCE_MQRFH2), int(MQGMO.NO_PROPERTIES)
IN_HANDLE, COMPATIBILITY = int(MQGMO.PROPERTIES_IN_HANDLE), int(MQGMO.PROPERTIES_COMPATIBILITY)
OPTIONS = FORCE_MQRFH2 | NO_PROPERTIES | IN_HANDLE | COMPATIBILITY
ALL = "ALL"
COMPAT = "COMPAT"
NONE = "NONE"
FORCE = "FORCE"
V6COMPAT = "V6COMPAT"
# Not a value of PROPCTL: the data as the store has it, for programs that move messages.
STORED = "STORED"
CONTROLS = (ALL, COMPAT, NONE, FORCE, V6COMPAT, STORED)


class Form(Enum):
    """The form in which a program gets the properties of a message."""

    RULES_HEADER = "all in an MQRFH2 before the data"
    COMPATIBLE = "all in an MQRFH2 if one is in mcd, jms, usr or mqext, else dropped"
    DROPPED = "dropped"
    HANDLE = "all in the message handle"
    AS_PUT = "the data as its program put it; what was set through a message handle is dropped"
    AS_PUT_AND_HANDLE = (
        "the data as its program put it; what was set through a message handle is in the handle"
    )
    STORED = "as the store has it"


_BY_OPTION: Mapping[int, Form] = {
    NO_PROPERTIES: Form.DROPPED,
    FORCE_MQRFH2: Form.RULES_HEADER,
    COMPATIBILITY: Form.COMPATIBLE,
    IN_HANDLE: Form.HANDLE,
}
# Without and with a message handle.
_BY_CONTROL: Mapping[str, tuple[Form, Form]] = {
    ALL: (Form.RULES_HEADER, Form.HANDLE),
    COMPAT: (Form.COMPATIBLE, Form.HANDLE),
    NONE: (Form.DROPPED, Form.HANDLE),
    FORCE: (Form.RULES_HEADER, Form.RULES_HEADER),
    V6COMPAT: (Form.AS_PUT, Form.AS_PUT_AND_HANDLE),
    STORED: (Form.STORED, Form.STORED),
}
_USES_HANDLE = frozenset((Form.HANDLE, Form.AS_PUT_AND_HANDLE))


def form_of(options: int, control: str, *, has_handle: bool) -> Form:
    """The form that the options of a get ask for, or else PROPCTL of the object that was opened."""
    return _BY_OPTION.get(options & OPTIONS) or _BY_CONTROL[control][has_handle]


def uses_handle(form: Form) -> bool:
    """Whether the message handle receives properties and MQMD; otherwise it is ignored."""
    return form in _USES_HANDLE
