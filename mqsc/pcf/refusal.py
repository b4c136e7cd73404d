"""Why a command in PCF is refused: the reason code, and the parameter that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

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


class _StructureReasons(NamedTuple):
    """The reasons for a parameter that the command does not have or that is out of order, and for one that is given
    twice; for a filter that the command does not have, and for an operator that does not go with the attribute.
    """

    unexpected: int
    twice: int
    unexpected_filter: int = 0
    operator: int = 0


_F = MQRCCF
_INTEGERS = _StructureReasons(_F.CFIL_PARM_ID_ERROR, _F.CFIN_DUPLICATE_PARM)
_STRINGS = _StructureReasons(_F.CFSL_PARM_ID_ERROR, _F.CFSL_DUPLICATE_PARM)
_PLAIN = (
    (int, (_F.CFIN_PARM_ID_ERROR, _F.CFIN_DUPLICATE_PARM, _F.CFIF_PARM_ID_ERROR, _F.CFIF_OPERATOR_ERROR)),
    (str, (_F.CFST_PARM_ID_ERROR, _F.CFST_DUPLICATE_PARM, _F.CFSF_PARM_ID_ERROR, _F.CFSF_OPERATOR_ERROR)),
    (bytes, (_F.CFBS_PARM_ID_ERROR, _F.CFBS_DUPLICATE_PARM, _F.CFBF_PARM_ID_ERROR, _F.CFBF_OPERATOR_ERROR)),
    (tuple, (_F.CFGR_PARM_ID_ERROR, _F.CFGR_PARM_ID_ERROR)),
)


def _structure(value: Value) -> _StructureReasons:
    if isinstance(value, list):
        return _STRINGS if any(isinstance(each, str) for each in value) else _INTEGERS
    return next(_StructureReasons(*reasons) for type, reasons in _PLAIN if isinstance(value, type))


def unexpected(parameter: Parameter) -> PcfRefusedError:
    """The refusal of a parameter that the command does not have, or not at this place."""
    value = parameter.value
    if isinstance(value, Filter):
        return wrong_parameter(_structure(value.value).unexpected_filter, parameter.number)
    return wrong_parameter(_structure(value).unexpected, parameter.number)


def given_twice(parameter: Parameter) -> PcfRefusedError:
    """The refusal of a second parameter with the same number."""
    return wrong_parameter(_structure(parameter.value).twice, parameter.number)


def wrong_operator(parameter: Parameter, filter: Filter) -> PcfRefusedError:
    """The refusal of a filter whose operator does not go with its attribute."""
    return wrong_parameter(_structure(filter.value).operator, parameter.number)
