"""The context of a distributed trace that a program gives a message: the property `traceparent`
(W3C Trace Context).
"""

import re
from typing import NamedTuple

from mqsc.store.rules.properties import message_data
from mqsc.store.rules.properties.property_names import USR, PropertyName

TRACEPARENT = "traceparent"
_PROPERTY = PropertyName(USR, TRACEPARENT)
# How its name is written in the character sets that an MQRFH2 may have. Most messages with
# properties have no such one, and looking for it takes a tenth of the time of reading them.
_SPELLINGS = tuple(TRACEPARENT.encode(each) for each in ("ascii", "utf-16-be", "utf-16-le"))
# Version, trace-id, parent-id and flags. A later version may have more after another hyphen.
_FORM = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-[!-~]*)?")
_FIRST_VERSION = "00-"
_LENGTH = 55
_SAMPLED = 1


class TraceContext(NamedTuple):
    """The trace that a message belongs to, and the span of the program that put it.

    The identifiers are hexadecimal, as W3C Trace Context and OTLP in JSON write them.
    """

    trace_id: str
    span_id: str
    is_sampled: bool


def context_of(text: object) -> TraceContext | None:
    """The context in the value of a `traceparent`; None if it is not a valid one."""
    found = _FORM.fullmatch(text) if isinstance(text, str) else None
    if found is None or (found.string.startswith(_FIRST_VERSION) and len(found.string) != _LENGTH):
        return None
    trace_id, span_id, flags = found.groups()
    if not (int(trace_id, 16) and int(span_id, 16)):
        return None
    return TraceContext(trace_id, span_id, bool(int(flags, 16) & _SAMPLED))


def traceparent_in(format: str, body: bytes, encoding: int, ccsid: int) -> str | None:
    """The valid `traceparent` of a message whose MQMD describes its data so, also behind a
    transmission or dead-letter header; None if it has none.

    Of a later version only the part that all versions have: nothing else of it is known.
    """
    if not (message_data.may_carry(format) and any(each in body for each in _SPELLINGS)):
        return None
    carried = message_data.carried(format, body, encoding, ccsid)
    found = None if carried is None else carried.properties.get(_PROPERTY)
    if found is None or context_of(found.value) is None:
        return None
    return str(found.value)[:_LENGTH]
