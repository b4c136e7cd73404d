"""Dead letters counted by reason and destination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mqsc.console.terminal import printable
from mqsc.console.text_table import table_lines
from mqsc.dlq.dead_letter_text import duration_text, reason_name, reason_text, target_text
from mqsc.dlq.dead_letters import DeadLetter

# A name is not cut or wrapped.
WIDTH = 1_000_000
# Reason, DestQName and DestQMgrName; None for messages without a valid MQDLH.
GroupKey = tuple[int, str, str] | None


@dataclass(slots=True)
class Group:
    """The messages with one reason and destination; `oldest` is the earliest arrival, microseconds UTC."""

    messages: int = 0
    oldest: int | None = None


def overview_of(dead_letters: Iterable[DeadLetter]) -> dict[GroupKey, Group]:
    """The groups, the largest first."""
    groups: dict[GroupKey, Group] = {}
    for each in dead_letters:
        header, put_at = each.header, each.descriptor.put_at
        key = None if header is None else (header.reason, header.dest_q_name, header.dest_q_mgr_name)
        group = groups.setdefault(key, Group())
        group.messages += 1
        if put_at is not None:
            group.oldest = put_at if group.oldest is None else min(group.oldest, put_at)
    return dict(sorted(groups.items(), key=lambda item: -item[1].messages))


def overview_lines(groups: dict[GroupKey, Group], now: int) -> Iterator[str]:
    rows = [
        (
            group.messages,
            "no MQDLH" if key is None else reason_text(key[0]),
            "-" if key is None else target_text(key[1:]),
            "-" if group.oldest is None else duration_text(now - group.oldest),
        )
        for key, group in groups.items()
    ]
    return (printable(line) for line in table_lines(("MESSAGES", "REASON", "DESTINATION", "OLDEST"), rows, WIDTH))


def overview_rows(groups: dict[GroupKey, Group], now: int) -> Iterator[dict[str, Any]]:
    for key, group in groups.items():
        reason, queue, queue_manager = key or (None, None, None)
        yield {
            "reason": reason,
            "reason_name": None if reason is None else reason_name(reason),
            "dest_q_name": queue,
            "dest_q_mgr_name": queue_manager,
            "messages": group.messages,
            "oldest_put_at": group.oldest,
            "oldest_age": None if group.oldest is None else max(0, now - group.oldest),
        }
