"""`explain trigger(QUEUE) [if('put priority 5')]`, as one types it beside MQSC."""

from __future__ import annotations

import re

_EXPLAIN_TRIGGER = re.compile(
    r"explain\s+trigger\s*\(\s*([^()]*?)\s*\)(?:\s*if\s*\(\s*('(?:[^']|'')*')\s*\))?\s*;?",
    re.IGNORECASE,
)


def as_trigger_explain(text: str) -> str:
    """The command `trigger explain` that such a text stands for; other text as it is."""
    match = _EXPLAIN_TRIGGER.fullmatch(text)
    if match is None:
        return text
    hypothesis = f" --if {match[2]}" if match[2] else ""
    return f"trigger explain {match[1]}{hypothesis}"
