"""What is wrong with an event by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from types import NoneType
from typing import Any

from mqsc.store.past.messages import PastEvent
from mqsc.store.published import KINDS

# Without these there is nothing that such an event could be about.
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "PUT": ("queue", "msg_id"),
    "GET": ("queue", "msg_id"),
    "CLEAR": ("queue",),
    "MOVE": ("queue", "target"),
    "COMMIT": ("unit",),
}
WRONG = "its details are not those of such an event"
DEFINED = frozenset({"DEFINE", "ALTER", "SET"})


def checked(event: PastEvent) -> tuple[list[str], dict[str, Any] | None]:
    """What is wrong with an event by itself, and its details; None if it cannot be followed."""
    wrong = _wrong_field(tuple(map(type, event)))
    if wrong is not None:
        return [f"its {wrong} is of a wrong type"], None
    faults, kind = [], KINDS.get(event.kind)
    if kind is None:
        faults.append(f"{event.kind} is no kind of event")
    elif event.cause is not None and event.cause not in kind.causes:
        faults.append(f"{event.kind} has no cause {event.cause}")
    absent = [each for each in _NEEDED.get(event.kind, ()) if getattr(event, each) is None]
    detail = _detail(event)
    if detail is None:
        faults.append("its details are not a JSON object")
    elif absent:
        faults.append(f"{event.kind} without its {' and '.join(absent)}")
    elif (
        event.kind == "EXPIRE"
        and event.put_at is not None
        and (event.cause is None or event.expires_at is None)
    ):
        faults.append("expired, but had no expiry or no cause")
    elif not _is_complete(event.kind, detail):
        faults.append(WRONG)
        detail = None
    return faults, None if absent else detail


def missing(first: int, last: int) -> str:
    return f"events {first} to {last} are missing" if last > first else f"event {first} is missing"


def fits(name: str, value: Any) -> bool:
    return _fits_type(name, type(value))


# The events of a history have few combinations of types, and many events.
@lru_cache
def _wrong_field(types: tuple[type, ...]) -> str | None:
    """The first field of an event that cannot have a value of its type."""
    fields = zip(PastEvent._fields, types, strict=True)
    return next((name for name, of_value in fields if not _fits_type(name, of_value)), None)


def _fits_type(name: str, of_value: type) -> bool:
    if of_value is NoneType:
        return name not in ("seq", "kind", "qmgr")
    return issubclass(of_value, PastEvent.__annotations__[name])


def _is_complete(kind: str, detail: Mapping[str, Any]) -> bool:
    """Whether an event about a handle has its numbers, and one about a definition each value
    before and after.
    """
    if kind in ("OPEN", "CLOSE"):
        return all(
            isinstance(detail.get(each), int)
            for each in ("handle", "options")[: 1 + (kind == "OPEN")]
        )
    pairs = [value for word, value in detail.items() if word.isupper() and isinstance(value, list)]
    return kind not in DEFINED | {"DELETE"} or all(len(pair) == 2 for pair in pairs)


def _detail(event: PastEvent) -> dict[str, Any] | None:
    try:
        detail = json.loads(event.detail) if event.detail else {}
    except ValueError:
        return None
    return detail if isinstance(detail, dict) else None
