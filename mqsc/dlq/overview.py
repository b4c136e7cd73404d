"""Messages of a dead-letter or backout queue, counted by reason and destination, or by origin and last backout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from mqsc.dlq.dead_letter_text import duration_text, printed_table, reason_name, reason_text, target_text
from mqsc.dlq.dead_letters import DeadLetter


class DeadLetterKey(NamedTuple):
    """Reason, DestQName and DestQMgrName of an MQDLH."""

    reason: int
    queue: str
    queue_manager: str


class PlainKey(NamedTuple):
    """The origin of messages without an MQDLH, None if unknown, and the program that backed them out last."""

    origin: tuple[str, str] | None
    backed_out_by: str | None


GroupKey = DeadLetterKey | PlainKey
Key = TypeVar("Key")


class Subtotal(Struct):
    """How many messages a group has; `oldest` is the earliest arrival, microseconds UTC."""

    messages: int = 0
    oldest: int | None = None

    def add(self, messages: int, oldest: int | None) -> None:
        self.messages += messages
        if oldest is not None:
            self.oldest = oldest if self.oldest is None else min(self.oldest, oldest)


def overview_of(dead_letters: Iterable[DeadLetter]) -> dict[GroupKey, Subtotal]:
    """The groups, the largest first."""
    groups: dict[GroupKey, Subtotal] = {}
    for each in dead_letters:
        groups.setdefault(_key(each), Subtotal()).add(1, each.descriptor.put_at)
    return _largest_first(groups)


def overview_lines(groups: dict[GroupKey, Subtotal], now: int, width: int) -> Iterator[str]:
    """A table of the dead letters, and one of the other messages if the history tells anything about them."""
    plain = {key: group for key, group in groups.items() if isinstance(key, PlainKey)}
    has_dead_letters = len(plain) < len(groups)
    if has_dead_letters:
        yield from _dead_letter_table(groups, now, width)
    if any(key.origin for key in plain) or not has_dead_letters:
        yield from ("",) if has_dead_letters else ()
        rows = [
            (group.messages, _origin(key), key.backed_out_by or "-", _age(group, now)) for key, group in plain.items()
        ]
        yield from printed_table(("MESSAGES", "ORIGIN", "LAST BACKED OUT BY", "OLDEST"), rows, width)


def overview_rows(groups: dict[GroupKey, Subtotal], now: int) -> Iterator[dict[str, Any]]:
    for key, group in groups.items():
        reason, queue, queue_manager = key if isinstance(key, DeadLetterKey) else (None, None, None)
        origin, backed_out_by = key if isinstance(key, PlainKey) else (None, None)
        yield {
            "reason": reason,
            "reason_name": None if reason is None else reason_name(reason),
            "dest_q_name": queue,
            "dest_q_mgr_name": queue_manager,
            "origin": origin[0] if origin else None,
            "backed_out_by": backed_out_by,
            "messages": group.messages,
            "oldest_put_at": group.oldest,
            "oldest_age": None if group.oldest is None else max(0, now - group.oldest),
        }


def _key(dead_letter: DeadLetter) -> GroupKey:
    header, origin = dead_letter.header, dead_letter.origin
    if header is not None:
        return DeadLetterKey(header.reason, header.dest_q_name, header.dest_q_mgr_name)
    backouts = None if origin is None else origin.backouts
    return PlainKey(dead_letter.destination, None if backouts is None else backouts.application)


def _dead_letter_table(groups: dict[GroupKey, Subtotal], now: int, width: int) -> Iterator[str]:
    """All messages without an MQDLH are one row."""
    merged: dict[DeadLetterKey | None, Subtotal] = {}
    for key, group in groups.items():
        row = merged.setdefault(key if isinstance(key, DeadLetterKey) else None, Subtotal())
        row.add(group.messages, group.oldest)
    sorted_groups = _largest_first(merged).items()
    rows = [(group.messages, *_reason_and_destination(key), _age(group, now)) for key, group in sorted_groups]
    return printed_table(("MESSAGES", "REASON", "DESTINATION", "OLDEST"), rows, width)


def _reason_and_destination(key: DeadLetterKey | None) -> tuple[str, str]:
    return ("no MQDLH", "-") if key is None else (reason_text(key.reason), target_text(key[1:]))


def _origin(key: PlainKey) -> str:
    return "unknown" if key.origin is None else target_text(key.origin)


def _largest_first(groups: dict[Key, Subtotal]) -> dict[Key, Subtotal]:
    return dict(sorted(groups.items(), key=lambda item: -item[1].messages))


def _age(group: Subtotal, now: int) -> str:
    return "-" if group.oldest is None else duration_text(now - group.oldest)
