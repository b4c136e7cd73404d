"""Reason codes as text: number, name, and the sentence that `mqsc explain` prints as the cause."""

from __future__ import annotations

from store.constants import name_of
from store.error import MQError


def error_text(error: MQError) -> str:
    """An error of the MQI in one line, such as `2053 MQRC_Q_FULL (ORDERS): The queue holds MAXDEPTH messages.`"""
    return _explained(str(error), int(error.reason))


def reason_text(reason: int) -> str:
    """A reason code in the same form, without the name of an object."""
    return _explained(f"{reason} {name_of('MQRC', reason)}", reason)


def meaning_of(reason: int) -> list[str]:
    """The sentence on a reason code; none for a code that is not explained."""
    from mqsc.explain.codes import codes_of, reasons

    return [reasons()[code.name].cause for code in codes_of(str(reason)) if code.name in reasons()][:1]


def _explained(text: str, reason: int) -> str:
    return ": ".join([text, *meaning_of(reason)])
