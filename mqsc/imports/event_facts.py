"""The facts of an event message, from which events of the history are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mqsc.imports.event_messages import EventMessage
from mqsc.imports.log_events import Origin, detail_text
from mqsc.imports.source_text import ZonedTime
from mqsc.store.sql.rows import EventRow


class EventFacts:
    """A message, the name of its queue manager, and the interval that it is about."""

    def __init__(
        self,
        message: EventMessage,
        qmgr: str,
        origin: Origin,
        start: ZonedTime | None,
        end: ZonedTime | None,
    ) -> None:
        self.message = message
        self.data = message.data
        self.qmgr = qmgr
        self.start = start
        self.end = end
        self._common = origin.detail(message.piece.line, message.precision, "")

    def event(
        self,
        kind: str,
        detail: Mapping[str, Any] | None = None,
        columns: Mapping[str, Any] | None = None,
    ) -> EventRow:
        """An event of that kind at the time of the message, unless `columns` say otherwise;
        blanks become NULL.
        """
        text = detail_text({**self._common, **(detail or {})})
        known = (
            (name, value) for name, value in (columns or {}).items() if value not in (None, "")
        )
        row_columns = {
            name: value
            for name, value in known
            if not isinstance(value, int) or -(1 << 63) <= value < 1 << 63
        }
        defaults = {
            "at": self.message.at,
            "qmgr": self.qmgr,
            "kind": kind,
            "application": "",
            "user": "",
            "detail": text,
        }
        return EventRow(**{**defaults, **row_columns})

    def who(self) -> dict[str, Any]:
        """The columns of the application and the user that a message names."""
        data, users = self.data, ("userIdentifier", "clientUserIdentifier", "eventUserId", "userId")
        user = next((text for name in users if (text := text_of(data, name))), "")
        return {
            "application": text_of(data, "applName") or text_of(data, "eventApplName"),
            "user": user,
        }


def text_of(data: Mapping[str, Any], name: str) -> str:
    """The value of a parameter as text, without blanks around it; blank for one that is missing."""
    value = data.get(name)
    if isinstance(value, str):
        return value.strip()
    return "" if value is None else str(value)


def group_of(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The parameters of a group; none if there is no such group."""
    value = data.get(name)
    return value if isinstance(value, Mapping) else {}
