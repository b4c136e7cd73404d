"""`explain trigger(QUEUE) [if('put priority 5')]`, as one types it beside MQSC."""

from __future__ import annotations

import re

_EXPLAIN_TRIGGER = re.compile(
    r"explain\s+trigger\s*\(\s*([^()]*?)\s*\)(?:\s*if\s*\(\s*('(?:[^']|'')*')\s*\))?\s*;?",
    re.IGNORECASE,
)


def as_trigger_explain(text: str) -> str:
    """The command `trigger explain` that such a text stands for; other text as it is."""
    found = _EXPLAIN_TRIGGER.fullmatch(text)
    if found is None:
        return text
    hypothesis = f" --if {found[2]}" if found[2] else ""
    return f"trigger explain {found[1]}{hypothesis}"
