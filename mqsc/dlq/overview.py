"""Messages of a dead-letter or backout queue, counted by reason and destination, or by origin and
last backout.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.dlq.dead_letter import DeadLetter
from mqsc.dlq.text_parts import duration_text, printed_table, reason_name, reason_text, target_text


class GroupKey(NamedTuple):
    """Reason, DestQName and DestQMgrName of an MQDLH.

    Without one, the reason is None, and the others say where such messages were moved from, None if
    that is unknown, and which program backed them out last.
    """

    reason: int | None
    queue: str | None = None
    queue_manager: str | None = None
    origin: tuple[str, str] | None = None
    backed_out_by: str | None = None


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
    for dead_letter in dead_letters:
        groups.setdefault(_key(dead_letter), Subtotal()).add(1, dead_letter.descriptor.put_at)
    return _largest_first(groups)


def overview_lines(groups: dict[GroupKey, Subtotal], now: int, width: int) -> Iterator[str]:
    """A table of the dead letters, and one of the other messages if the history tells anything
    about them.
    """
    plain = {key: group for key, group in groups.items() if key.reason is None}
    has_dead_letters = len(plain) < len(groups)
    if has_dead_letters:
        yield from _dead_letter_table(groups, now, width)
    if any(key.origin for key in plain) or not has_dead_letters:
        yield from ("",) if has_dead_letters else ()
        rows = [
            (group.messages, _origin(key), key.backed_out_by or "-", _age(group, now))
            for key, group in plain.items()
        ]
        yield from printed_table(
            ("MESSAGES", "ORIGIN", "LAST BACKED OUT BY", "OLDEST"),
            rows,
            width,
        )


def overview_rows(groups: dict[GroupKey, Subtotal], now: int) -> Iterator[dict[str, Any]]:
    for key, group in groups.items():
        yield {
            "reason": key.reason,
            "reason_name": None if key.reason is None else reason_name(key.reason),
            "dest_q_name": key.queue,
            "dest_q_mgr_name": key.queue_manager,
            "origin": key.origin[0] if key.origin else None,
            "backed_out_by": key.backed_out_by,
            "messages": group.messages,
            "oldest_put_at": group.oldest,
            "oldest_age": None if group.oldest is None else max(0, now - group.oldest),
        }


def _key(dead_letter: DeadLetter) -> GroupKey:
    header, origin = dead_letter.header, dead_letter.origin
    if header is not None:
        return GroupKey(header.reason, header.dest_q_name, header.dest_q_mgr_name)
    backouts = None if origin is None else origin.backouts
    application = None if backouts is None else backouts.application
    return GroupKey(None, origin=dead_letter.destination, backed_out_by=application)


def _dead_letter_table(groups: dict[GroupKey, Subtotal], now: int, width: int) -> Iterator[str]:
    """All messages without an MQDLH are one row."""
    merged: dict[GroupKey, Subtotal] = {}
    for key, group in groups.items():
        row = merged.setdefault(GroupKey(*key[:3]), Subtotal())
        row.add(group.messages, group.oldest)
    sorted_groups = _largest_first(merged).items()
    rows = [
        (group.messages, *_reason_and_destination(key), _age(group, now))
        for key, group in sorted_groups
    ]
    return printed_table(("MESSAGES", "REASON", "DESTINATION", "OLDEST"), rows, width)


def _reason_and_destination(key: GroupKey) -> tuple[str, str]:
    if key.reason is None:
        return "no MQDLH", "-"
    return reason_text(key.reason), target_text((key.queue or "", key.queue_manager or ""))


def _origin(key: GroupKey) -> str:
    return "unknown" if key.origin is None else target_text(key.origin)


def _largest_first(groups: dict[GroupKey, Subtotal]) -> dict[GroupKey, Subtotal]:
    return dict(sorted(groups.items(), key=lambda item: -item[1].messages))


def _age(group: Subtotal, now: int) -> str:
    return "-" if group.oldest is None else duration_text(now - group.oldest)
