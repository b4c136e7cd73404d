"""In which form a get returns the properties of a message: PROPCTL and the options of MQGMO (properties §5)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from store.constants import MQGMO

FORCE_MQRFH2, NO_PROPERTIES = int(MQGMO.PROPERTIES_FORCE_MQRFH2), int(MQGMO.NO_PROPERTIES)
IN_HANDLE, COMPATIBILITY = int(MQGMO.PROPERTIES_IN_HANDLE), int(MQGMO.PROPERTIES_COMPATIBILITY)
OPTIONS = FORCE_MQRFH2 | NO_PROPERTIES | IN_HANDLE | COMPATIBILITY
ALL, COMPAT, NONE, FORCE, V6COMPAT = "ALL", "COMPAT", "NONE", "FORCE", "V6COMPAT"
# Not a value of PROPCTL: the data as the store has it, for programs that move messages.
STORED = "STORED"
CONTROLS = (ALL, COMPAT, NONE, FORCE, V6COMPAT, STORED)


class Form(Enum):
    """What happens to the properties of a message on its way to the program."""

    RULES_HEADER = "all in an MQRFH2 before the data"
    COMPATIBLE = "all in an MQRFH2 if one is in mcd, jms, usr or mqext, else dropped"
    DROPPED = "dropped"
    HANDLE = "all in the message handle"
    AS_PUT = "the data as its program put it; what was set through a message handle is dropped"
    AS_PUT_AND_HANDLE = "the data as its program put it; what was set through a message handle is in the handle"
    STORED = "as the store has it"


class _Forms(NamedTuple):
    """Without and with a message handle."""

    without: Form
    with_handle: Form


_BY_OPTION: Mapping[int, Form] = {
    NO_PROPERTIES: Form.DROPPED,
    FORCE_MQRFH2: Form.RULES_HEADER,
    COMPATIBILITY: Form.COMPATIBLE,
    IN_HANDLE: Form.HANDLE,
}
_BY_CONTROL: Mapping[str, _Forms] = {
    ALL: _Forms(Form.RULES_HEADER, Form.HANDLE),
    COMPAT: _Forms(Form.COMPATIBLE, Form.HANDLE),
    NONE: _Forms(Form.DROPPED, Form.HANDLE),
    FORCE: _Forms(Form.RULES_HEADER, Form.RULES_HEADER),
    V6COMPAT: _Forms(Form.AS_PUT, Form.AS_PUT_AND_HANDLE),
    STORED: _Forms(Form.STORED, Form.STORED),
}
_USES_HANDLE = frozenset((Form.HANDLE, Form.AS_PUT_AND_HANDLE))


def form_of(options: int, control: str, *, has_handle: bool) -> Form:
    """The form that the options of a get ask for, or else PROPCTL of the object that was opened."""
    by_option = _BY_OPTION.get(options & OPTIONS)
    if by_option is not None:
        return by_option
    forms = _BY_CONTROL[control]
    return forms.with_handle if has_handle else forms.without


def uses_handle(form: Form) -> bool:
    """Whether the message handle receives properties and MQMD; otherwise it is ignored."""
    return form in _USES_HANDLE
