"""Event messages as text, as amqsevt prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from mqsc.imports.error_log import Damaged, NotARecordError
from mqsc.imports.event_messages import EventMessage
from mqsc.imports.event_parameters import (
    key_as_written,
    merged_parameters,
    name_text,
    number_of,
    with_lists,
)
from mqsc.imports.source_text import LocalTimes, Opened, Piece, decoded, microseconds, pieces

_MESSAGE = re.compile(rb"^(?=\*\*\*\* Message #\d+ \()", re.MULTILINE)
_HEADING = re.compile(
    r"\*\*\*\* Message #\d+ \((?P<length>\d+) Bytes?\) on (?:Queue|Topic) (?P<queue>\S+) \*\*\*\*",
)
_NUMBER = re.compile(r"\[(\d{1,18})\]\s*$")
_CREATED = re.compile(r"(\d{4})/(\d\d)/(\d\d) (\d\d):(\d\d):(\d\d)\.(\d\d) GMT")


def text_messages(
    file: Opened,
    _: LocalTimes,
    encoding: str,
    __: bool,
) -> Iterator[EventMessage | Damaged]:
    """The messages of amqsevt's text."""
    for piece in pieces(file, _MESSAGE):
        text = decoded(piece.data, encoding)
        if _HEADING.match(text) is None:
            continue
        try:
            yield _text_message(piece, text)
        except (NotARecordError, RecursionError, ValueError) as fault:
            yield Damaged(piece, str(fault))


def _text_message(piece: Piece, text: str) -> EventMessage:
    heading, *lines = text.split("\n")
    named = _HEADING.match(heading)
    tree = _tree([line for line in lines if line.strip()])
    head = {
        key: tree.pop(key, None)
        for key in ("eventType", "reason", "eventCreated", "objectState", "correlationId")
    }
    type_, reason = (
        number_of(head[name], family)
        for name, family in (("eventType", "MQCMD"), ("reason", "MQRC"))
    )
    created = _CREATED.search(str(head["eventCreated"] or ""))
    if named is None or created is None or type_ is None:
        raise NotARecordError(
            "an event message without its type, or the time at which it was created",
        )
    *parts, hundredths = map(int, created.groups())
    at = microseconds(datetime(*parts, hundredths * 10_000, tzinfo=UTC))  # type: ignore[misc,arg-type]
    data = with_lists(tree)
    return EventMessage(
        piece,
        type_,
        reason or 0,
        at,
        "hundredth",
        name_text(data.get("queueMgrName") or data.get("eventQueueMgr")),
        named["queue"],
        str(head["objectState"] or "").partition(" ")[0],
        name_text(head["correlationId"]),
        data,
    )


def _tree(lines: Sequence[str]) -> dict[str, Any]:
    """The values of lines by key; deeper lines belong to the group, a line without a colon,
    above them.
    """
    pairs: list[tuple[str, Any]] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        depth = len(line) - len(line.lstrip())
        label = line.partition(":")[0].strip()
        gap = ":" in line
        value = line.partition(":")[2].strip()
        at += 1
        if not gap:
            inner = at
            while at < len(lines) and len(lines[at]) - len(lines[at].lstrip()) > depth:
                at += 1
            pairs.append((_key_of_label(label), _tree(lines[inner:at])))
        elif label:
            pairs.append((_key_of_label(label), _typed(value)))
        elif pairs:
            pairs.append((pairs[-1][0], _typed(value)))
    return merged_parameters(pairs)


def _key_of_label(label: str) -> str:
    if label.isupper() and "_" not in label:
        return label
    first, *others = key_as_written(label).split(" ")
    return "".join(
        [first[:1].lower() + first[1:], *(each[:1].upper() + each[1:] for each in others)],
    )


def _typed(value: str) -> Any:
    number = _NUMBER.search(value)
    if number is not None and value != number[0]:
        return {"name": value[: number.start()].strip(), "value": int(number[1])}
    return int(value) if re.fullmatch(r"0|[1-9][0-9]{0,17}", value) else value
