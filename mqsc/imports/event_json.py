"""Event messages as JSON, as amqsevt prints them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mqsc.imports.error_log import Damaged, NotARecordError
from mqsc.imports.event_messages import EventMessage
from mqsc.imports.event_parameters import END_OF_TIME, merged_parameters, name_text, with_lists
from mqsc.imports.source_text import LocalTimes, Opened, Piece, json_text, pieces

# The beginning of a message, not of an object in it; in a text, the quotes would be escaped.
_KEYS = b"eventSource|eventType|eventReason|eventCreation|eventData|objectState|correlationID|callbackReason"
_OBJECT = re.compile(rb'\{(?=\s*"(?:' + _KEYS + rb')"\s*:)')
_DECODER = json.JSONDecoder(object_pairs_hook=merged_parameters, strict=False)
# Digits that are no number: `"connTag" : 000012`. A comma that is missing behind an empty list.
_LEADING_ZEROS = re.compile(r'("\s*:\s*)(0\d+)(?=\s*[,}\]])')
_MISSING_COMMA = re.compile(r'(\[\s*\])(\s*")')


def json_messages(
    file: Opened,
    _: LocalTimes,
    encoding: str,
    __: bool,
) -> Iterator[EventMessage | Damaged]:
    """The messages of amqsevt's JSON: objects one after the other, one a line, or as an array."""
    for piece in pieces(file, _OBJECT):
        values, fault = _values(json_text(piece.data, encoding))
        for value in values:
            try:
                yield _json_message(piece, value)
            except NotARecordError as why:
                yield Damaged(piece, str(why))
        if fault:
            yield Damaged(piece, f"not JSON: {fault}")


def _values(text: str) -> tuple[list[Any], str]:
    """The values of a text, and what is wrong behind them, blank if nothing is."""
    values: list[Any] = []
    is_repaired = False
    at = _after_separators(text, 0)
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except RecursionError:
            return values, "too many objects in one another"
        except ValueError as fault:
            if is_repaired:
                return values, str(fault.args[0]).partition(":")[0].lower()
            text = _MISSING_COMMA.sub(r"\1,\2", _LEADING_ZEROS.sub(r'\1"\2"', text[at:]))
            is_repaired = True
            at = 0
            continue
        values.append(value)
        at = _after_separators(text, at)
    return values, ""


def _after_separators(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,[]":
        at += 1
    return at


def _json_message(piece: Piece, value: Any) -> EventMessage:
    try:
        source, created = value["eventSource"], value["eventCreation"]
        type_, reason = (int(value[name]["value"]) for name in ("eventType", "eventReason"))
        qmgr = name_text(source.get("queueMgr"))
        queue = name_text(source.get("objectName"))
        at = int(created["epoch"])
        data = with_lists(value.get("eventData") or {})
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        needed = "eventSource, eventType, eventReason and eventCreation"
        raise NotARecordError(f"not an event message of amqsevt: {needed} are needed") from None
    if not 0 <= at < END_OF_TIME or max(type_, reason) >= 1 << 31:
        raise NotARecordError(
            f"an event message with the time {at}, the type {type_} and the reason {reason}",
        )
    state = str(value.get("objectState", "")).partition(" ")[0]
    correlation = str(value.get("correlationID", ""))
    return EventMessage(
        piece,
        type_,
        reason,
        at * 1_000_000,
        "second",
        qmgr,
        queue,
        state,
        correlation,
        data,
    )
