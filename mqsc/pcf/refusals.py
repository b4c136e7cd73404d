"""Refusals of commands in PCF: the reason code, and the parameter that names the cause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mqsc.pcf.meanings import WRONG_VALUE
from mqsc.store.constants import MQIACF, MQRCCF
from mqsc.store.headers.pcf import Filter, Parameter, Value


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
    return wrong_parameter(WRONG_VALUE.get(number, MQRCCF.ATTR_VALUE_ERROR), number)


# The structure of a value, alone and in a filter, as the names of its reasons begin.
_STRUCTURES: Mapping[type, tuple[str, str]] = {
    int: ("CFIN", "CFIF"),
    str: ("CFST", "CFSF"),
    bytes: ("CFBS", "CFBF"),
    tuple: ("CFGR", ""),
}


def _structure(value: Value) -> str:
    if isinstance(value, Filter):
        return _structures(value.value)[1]
    if isinstance(value, list):
        return "CFSL" if any(isinstance(item, str) for item in value) else "CFIL"
    return _structures(value)[0]


def _structures(value: Value) -> tuple[str, str]:
    return next(names for type, names in _STRUCTURES.items() if isinstance(value, type))


def unexpected(parameter: Parameter) -> PcfRefusedError:
    """The refusal of a parameter that the command does not have, or not at this place."""
    return wrong_parameter(MQRCCF[f"{_structure(parameter.value)}_PARM_ID_ERROR"], parameter.number)


def given_twice(parameter: Parameter) -> PcfRefusedError:
    """The refusal of a second parameter with the same number."""
    # Groups have no reason of their own for it, and lists of numbers share that of numbers.
    reason = {"CFGR": "CFGR_PARM_ID_ERROR", "CFIL": "CFIN_DUPLICATE_PARM"}
    name = _structure(parameter.value)
    return wrong_parameter(MQRCCF[reason.get(name, f"{name}_DUPLICATE_PARM")], parameter.number)


def wrong_operator(parameter: Parameter) -> PcfRefusedError:
    """The refusal of a filter whose operator does not go with its attribute."""
    return wrong_parameter(
        MQRCCF[f"{_structure(parameter.value)}_OPERATOR_ERROR"],
        parameter.number,
    )
