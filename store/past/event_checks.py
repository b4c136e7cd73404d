"""What is wrong with an event by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
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
    wrong = next((name for name, value in event._asdict().items() if not fits(name, value)), None)
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
    if value is None:
        return name not in ("seq", "kind", "qmgr")
    return isinstance(value, PastEvent.__annotations__[name])


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
