"""What became of messages that an agent took off a queue, as an event of the history."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class MessageOutcome(Struct, frozen=True):
    """`kind` and `cause` are those of `store.published`, `target` is the queue that the message went to.

    `reason` is the reason in its dead-letter header, `rule` the rule that decided, `detail` the keys documented for the
    kind.
    """

    kind: str
    cause: str
    target: str | None = None
    reason: int | None = None
    rule: str | None = None
    detail: Mapping[str, Any] | None = None

    def event(self) -> tuple[str, dict[str, Any]]:
        """The kind of the event, and the columns that do not come from the message."""
        detail = json.dumps(self.detail, ensure_ascii=False) if self.detail else None
        columns = {"cause": self.cause, "target": self.target, "reason": self.reason, "rule": self.rule}
        return self.kind, {**columns, "detail": detail}
