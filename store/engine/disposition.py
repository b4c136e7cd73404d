"""What became of messages that an agent took off a queue, as the history tells it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Disposition:
    """`kind` and `cause` of the event as `store.published` lists them, `target` the queue that the message went to.

    `reason` is why it lay where it was got from, `rule` what decided, `detail` the keys that the kind documents.
    """

    kind: str
    cause: str
    target: str | None = None
    reason: int | None = None
    rule: str | None = None
    detail: Mapping[str, Any] | None = None

    def event(self) -> tuple[str, dict[str, Any]]:
        """The kind of the event, and the columns that the message does not tell."""
        columns = {
            "cause": self.cause,
            "target": self.target,
            "reason": self.reason,
            "rule": self.rule,
            "detail": json.dumps(self.detail, ensure_ascii=False) if self.detail else None,
        }
        return self.kind, columns
