"""Why a command in PCF is refused: the reason code, and the parameter that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from store.constants import MQIA, MQIACF, MQIACH, MQRCCF
from store.headers.pcf import Filter, Parameter, Value


class PcfRefusedError(Exception):
    """A command is refused with `reason`; `parameters` are those of the response."""

    def __init__(self, reason: int, parameters: Sequence[Parameter] = ()) -> None:
        super().__init__(int(reason), tuple(parameters))
        self.reason = int(reason)
        self.parameters = tuple(parameters)


def wrong_parameter(reason: int, number: int) -> PcfRefusedError:
    """The refusal of a request because of one of its parameters."""
    return PcfRefusedError(reason, [Parameter(int(MQIACF.PARAMETER_ID), number)])


def wrong_selector(reason: int, number: int) -> PcfRefusedError:
    """The refusal of an inquiry because of an attribute that it asks for."""
    return PcfRefusedError(reason, [Parameter(int(MQIACF.SELECTOR), number)])


def wrong_value(number: int) -> PcfRefusedError:
    """The refusal of a value; some parameters have a reason of their own."""
    return wrong_parameter(_OF_VALUES.get(number, MQRCCF.ATTR_VALUE_ERROR), number)


_OF_VALUES: Mapping[int, int] = {
    MQIA.Q_TYPE: MQRCCF.Q_TYPE_ERROR,
    MQIACF.FORCE: MQRCCF.FORCE_VALUE_ERROR,
    MQIACF.REPLACE: MQRCCF.REPLACE_VALUE_ERROR,
    MQIACF.PURGE: MQRCCF.PURGE_VALUE_ERROR,
    MQIACF.MODE: MQRCCF.MODE_VALUE_ERROR,
    MQIACF.ESCAPE_TYPE: MQRCCF.ESCAPE_TYPE_ERROR,
    MQIACF.ACTION: MQRCCF.ACTION_VALUE_ERROR,
    MQIACH.CHANNEL_TYPE: MQRCCF.CHANNEL_TYPE_ERROR,
    MQIACH.IN_DOUBT: MQRCCF.INDOUBT_VALUE_ERROR,
}
# By structure: the reason for a parameter that the command does not have or that is out of order, for one that is given
# twice, and for an operator that does not go with the attribute.
_INTEGER, _STRING, _INTEGERS, _STRINGS, _BYTES, _GROUP = "integer", "string", "integers", "strings", "bytes", "group"
_UNEXPECTED: Mapping[str, int] = {
    _INTEGER: MQRCCF.CFIN_PARM_ID_ERROR,
    _STRING: MQRCCF.CFST_PARM_ID_ERROR,
    _INTEGERS: MQRCCF.CFIL_PARM_ID_ERROR,
    _STRINGS: MQRCCF.CFSL_PARM_ID_ERROR,
    _BYTES: MQRCCF.CFBS_PARM_ID_ERROR,
    _GROUP: MQRCCF.CFGR_PARM_ID_ERROR,
}
_TWICE: Mapping[str, int] = {
    _INTEGER: MQRCCF.CFIN_DUPLICATE_PARM,
    _STRING: MQRCCF.CFST_DUPLICATE_PARM,
    _INTEGERS: MQRCCF.CFIN_DUPLICATE_PARM,
    _STRINGS: MQRCCF.CFSL_DUPLICATE_PARM,
    _BYTES: MQRCCF.CFBS_DUPLICATE_PARM,
    _GROUP: MQRCCF.CFGR_PARM_ID_ERROR,
}
_UNEXPECTED_FILTER: Mapping[str, int] = {
    _INTEGER: MQRCCF.CFIF_PARM_ID_ERROR,
    _STRING: MQRCCF.CFSF_PARM_ID_ERROR,
    _BYTES: MQRCCF.CFBF_PARM_ID_ERROR,
}
_OPERATOR: Mapping[str, int] = {
    _INTEGER: MQRCCF.CFIF_OPERATOR_ERROR,
    _STRING: MQRCCF.CFSF_OPERATOR_ERROR,
    _BYTES: MQRCCF.CFBF_OPERATOR_ERROR,
}


def unexpected(parameter: Parameter) -> PcfRefusedError:
    """The refusal of a parameter that the command does not have, or not at this place."""
    value = parameter.value
    if isinstance(value, Filter):
        return wrong_parameter(_UNEXPECTED_FILTER[_structure(value.value)], parameter.number)
    return wrong_parameter(_UNEXPECTED[_structure(value)], parameter.number)


def given_twice(parameter: Parameter) -> PcfRefusedError:
    """The refusal of a second parameter with the same number."""
    return wrong_parameter(_TWICE[_structure(parameter.value)], parameter.number)


def wrong_operator(parameter: Parameter, filter: Filter) -> PcfRefusedError:
    """The refusal of a filter whose operator does not go with its attribute."""
    return wrong_parameter(_OPERATOR[_structure(filter.value)], parameter.number)


def _structure(value: Value) -> str:
    if isinstance(value, list):
        return _STRINGS if any(isinstance(each, str) for each in value) else _INTEGERS
    return next(name for type_, name in _TYPES.items() if isinstance(value, type_))


_TYPES: Mapping[type, str] = {int: _INTEGER, str: _STRING, bytes: _BYTES, tuple: _GROUP}
