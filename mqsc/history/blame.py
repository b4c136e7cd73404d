"""Who set the attributes of an object: the value of each, the event that set it, and the values before.

All of it follows from the events on the definition of the object (design §2.3): DEFINE, ALTER and SET have the values
before and after of what they changed, DELETE ends everything before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from mqsc.console.parameters import iso
from mqsc.history.event_text import value_text
from store.rules.message_trace import TracedEvent

KINDS = frozenset({"DEFINE", "ALTER", "SET", "DELETE"})
_DEFAULT = "default"


class Given(NamedTuple):
    """A value of an attribute and the event that gave it; None if the history no longer has that."""

    value: Any
    event: TracedEvent | None


class Blame(NamedTuple):
    """The event that defined an object, None if the history no longer has it, and the values of each attribute that
    was given one since, the present value last. `deleted` is the event that deleted the object, if it is gone.
    """

    defined: TracedEvent | None
    values: Mapping[str, list[Given]]
    deleted: TracedEvent | None


def blame(events: Iterable[TracedEvent]) -> Blame:
    """The blame for an object, from the events on its definition in their order."""
    found = Blame(None, {}, None)
    for event in events:
        if event.kind == "DELETE":
            found = found._replace(deleted=event)
            continue
        is_new = event.kind == "DEFINE"
        values: dict[str, list[Given]] = {} if is_new else {**found.values}
        for keyword, pair in event.detail.items():
            if keyword.isupper() and isinstance(pair, list):
                before, after = pair
                # Before it was changed for the first time, it had the value with which the object was defined.
                first = [] if is_new or before is None else [Given(before, found.defined)]
                values[keyword] = [*values.get(keyword, first), Given(after, event)]
        found = Blame(event if is_new else found.defined, values, None)
    return found


def blame_rows(found: Blame, present: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each attribute of an object as DISPLAY shows it: its value, who gave it, and the earlier ones."""
    for keyword, value in present.items():
        *earlier, last = found.values.get(keyword) or [Given(value, None)]
        yield {
            "attribute": keyword,
            "value": value,
            **_set(last),
            "earlier": [{"value": each.value, **_set(each)} for each in reversed(earlier)],
        }


def _set(given: Given) -> dict[str, Any]:
    event = given.event
    return {
        "set_at": None if event is None else iso(event.at),
        "by": None if event is None else event.application,
        "user": None if event is None else event.user,
        "command": None if event is None else f"{event.kind}{f' ({event.cause})' if event.cause else ''}",
        "place": None if event is None else event.detail.get("place"),
        "event": None if event is None else event.seq,
    }


def blame_cells(row: Mapping[str, Any]) -> list[str]:
    """A row as the cells of a table."""
    where = row["place"] or (f"event {row['event']}" if row["event"] else "")
    earlier = (
        f"{value_text(each['value'])} ({_moment(each)})" if each["set_at"] else value_text(each["value"])
        for each in row["earlier"]
    )
    command = row["command"] or _DEFAULT
    return [
        row["attribute"],
        value_text(row["value"]),
        _moment(row),
        command,
        row["user"] or "",
        where,
        ", ".join(earlier),
    ]


HEADINGS = ("ATTRIBUTE", "VALUE", "SINCE", "COMMAND", "USER", "WHERE", "EARLIER")


def _moment(row: Mapping[str, Any]) -> str:
    return (row["set_at"] or "")[:19].replace("T", " ")
