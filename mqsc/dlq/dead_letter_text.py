"""Dead letters, their origin, and summaries of them as text and JSON."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, structs

from mqsc.console.parameters import iso, iso_or_none, span_text
from mqsc.console.tables import table_lines
from mqsc.console.terminal import printable
from mqsc.console.text.messages import message_as_json
from mqsc.console.text.reasons import counted
from mqsc.dlq.dead_letter import DeadLetter
from mqsc.dlq.keywords import name_of_number
from mqsc.dlq.redrive import RedriveResult
from mqsc.store.constants import MQPER, name_of
from mqsc.store.environment import MICROSECONDS
from mqsc.store.headers import mqdlh
from mqsc.store.message import Message
from mqsc.store.rules.message_origin import Backouts, Origin
from mqsc.store.table import cells

# Of messages without an MQDLH, whose destination is the queue that they were moved from, some
# outcomes read otherwise.
_TEXTS = cells(
    __file__,
    "dead_letter_texts.csv",
    ("of", "what", "text"),
    {
        "of": (
            "outcome",
            "outcome by origin",
            "origin unknown",
            "preview",
            "cause of a backout",
        ),
    },
)


def _texts(*of: str) -> dict[str, str]:
    """The texts of these kinds by what they are about; a later kind replaces those of an earlier
    one.
    """
    return {what: text for each in of for kind, what, text in _TEXTS if kind == each}


def reason_name(reason: int) -> str:
    """The name of an MQRC or MQFB, or its digits when it has none."""
    return name_of_number(reason, ("MQRC", "MQFB"))


def reason_text(reason: int) -> str:
    """An MQRC or MQFB as number and name."""
    name = reason_name(reason)
    return str(reason) if name == str(reason) else f"{reason} {name}"


def target_text(target: tuple[str, str]) -> str:
    """The queue, followed by its queue manager unless that is blank."""
    queue, queue_manager = target
    return f"{queue or '(blank)'} on {queue_manager}" if queue_manager else queue or "(blank)"


def printed_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[Any]],
    width: int,
) -> Iterator[str]:
    """The lines of a table; control characters in messages are shown, so that the terminal does
    not execute them.
    """
    return map(printable, table_lines(headings, rows, width))


def duration_text(microseconds: int) -> str:
    """A duration in its two largest units, in whole seconds: 2d3h, 5m, 0s."""
    return span_text(max(0, microseconds) // MICROSECONDS * MICROSECONDS)


def short_lines(dead_letter: DeadLetter, now: int) -> Iterator[str]:
    """Reason, destination, time on the queue and length; then the identifier, which other
    commands select by.
    """
    d = dead_letter.descriptor
    age = "" if d.put_at is None else f", {duration_text(now - d.put_at)} ago"
    yield f"{_heading(dead_letter)}{age}, {_length(dead_letter)}"
    yield f"   MsgId {d.msg_id.hex().upper()}"


def dead_letter_lines(dead_letter: DeadLetter, now: int) -> Iterator[str]:
    """The reason and the destination first, then who put it and when, then the message itself."""
    d, header = dead_letter.descriptor, dead_letter.header
    yield _heading(dead_letter)
    if d.put_at is not None:
        yield (
            f"   on this queue since {iso(d.put_at)}, {duration_text(now - d.put_at)}; "
            f"{_expiry(dead_letter, now)}"
        )
    yield printable(
        f"   put {_date_time(d.put_date, d.put_time)}{by(d.put_appl_name)}, user "
        f"{d.user_identifier or '-'}",
    )
    if dead_letter.origin is not None:
        yield from map(printable, origin_lines(dead_letter.origin))
    if header is not None:
        dead_lettered = _date_time(header.put_date, header.put_time)
        yield printable(f"   dead-lettered {dead_lettered}{by(header.put_appl_name)}")
    here = "" if dead_letter.origin is None else " here"
    persistent = "persistent" if d.persistence == MQPER.PERSISTENT else "not persistent"
    format = (d.format if header is None else header.format) or "(none)"
    yield printable(
        f"   format {format}, {_length(dead_letter)}, priority {d.priority}, {persistent}, "
        f"backed out {counted(d.backout_count, 'time')}{here}",
    )
    yield f"   MsgId {d.msg_id.hex().upper()}"


def body_of(dead_letter: DeadLetter) -> bytes:
    """The data after the MQDLH, or all data without one."""
    return (
        dead_letter.body if dead_letter.header is None else dead_letter.body[mqdlh.MQDLH_LENGTH :]
    )


def dead_letter_row(dead_letter: DeadLetter, now: int) -> dict[str, Any]:
    """The message as every command prints it, with the fields of the header and its time on the
    queue.
    """
    row = message_as_json(Message(dead_letter.body, dead_letter.descriptor))
    put_at = dead_letter.descriptor.put_at
    return {
        **row,
        "dead_letter": _header_row(dead_letter),
        "origin": origin_row(dead_letter.origin),
        "put_at": iso_or_none(put_at),
        "age": None if put_at is None else max(0, now - put_at),
        "expires_at": iso_or_none(dead_letter.expires_at),
        "expired": dead_letter.is_expired,
    }


def redrive_line(result: RedriveResult, *, preview: bool = False) -> str:
    dead_letter = result.dead_letter
    header = result.dead_letter.header
    origin = result.dead_letter.origin
    texts = _texts("outcome", *["preview"] * preview, *["outcome by origin"] * (origin is not None))
    name, why = name_of("MQRC", result.reason), "" if origin is None else reason_unknown(origin)
    outcome = texts[result.outcome].format(
        times=result.times,
        reason=result.reason,
        name=name,
        why=why,
    )
    reason = "no MQDLH" if header is None else reason_text(header.reason)
    to = f" to {target_text(result.target)}" if result.target else ""
    return printable(f"{dead_letter.descriptor.msg_id.hex().upper()}  {reason}{to}  {outcome}")


def reasons_of(result: RedriveResult) -> list[int]:
    """The reason codes in the line: that of the header, and that of a failed put."""
    header = result.dead_letter.header
    return [
        *([] if header is None else [header.reason]),
        *([result.reason] if result.outcome == "failed" else []),
    ]


def redrive_row(result: RedriveResult) -> dict[str, Any]:
    return {
        "msg_id": result.dead_letter.descriptor.msg_id.hex(),
        "correl_id": result.dead_letter.descriptor.correl_id.hex(),
        "dead_letter": _header_row(result.dead_letter),
        "origin": origin_row(result.dead_letter.origin),
        **target_row(result.target),
        "result": result.outcome,
        "put_reason": result.reason,
        "times": result.times,
    }


def target_row(target: tuple[str, str] | None) -> dict[str, Any]:
    queue, queue_manager = target or (None, None)
    return {"target": queue, "target_queue_manager": queue_manager}


def _date_time(date: str, time: str) -> str:
    """A PutDate and PutTime in readable form, or unchanged when they are not a date and a time."""
    if not re.fullmatch(r"\d{8} \d{8}", f"{date} {time}", re.ASCII):
        return f"{date} {time}".strip() or "at an unknown time"
    return f"{date[:4]}-{date[4:6]}-{date[6:]} {time[:2]}:{time[2:4]}:{time[4:6]}.{time[6:]}"


def _heading(dead_letter: DeadLetter) -> str:
    header = dead_letter.header
    if header is None:
        origin = dead_letter.origin
        return printable(
            f"{dead_letter.number}  {dead_letter.fault if origin is None else origin_text(origin)}",
        )
    destination = target_text((header.dest_q_name, header.dest_q_mgr_name))
    return printable(f"{dead_letter.number}  {reason_text(header.reason)}, for {destination}")


def _length(dead_letter: DeadLetter) -> str:
    length = dead_letter.length - (0 if dead_letter.header is None else mqdlh.MQDLH_LENGTH)
    return counted(length, "byte")


def _header_row(dead_letter: DeadLetter) -> dict[str, Any] | None:
    header = dead_letter.header
    if header is None:
        return None
    return {
        "reason": header.reason,
        "reason_name": reason_name(header.reason),
        **structs.asdict(header),
    }


def _expiry(dead_letter: DeadLetter, now: int) -> str:
    if dead_letter.expires_at is None:
        return "never expires"
    if dead_letter.is_expired:
        return f"expired {duration_text(now - dead_letter.expires_at)} ago"
    return f"expires in {duration_text(dead_letter.expires_at - now)}"


# Where a message without an MQDLH came from, as text and as JSON.

REASONS, BACKOUT_CAUSES = _texts("origin unknown"), _texts("cause of a backout")


def reason_unknown(origin: Origin) -> str:
    """Why the origin is unknown; blank when it is known."""
    return (
        REASONS[origin.unknown].format(application=origin.application or "a program")
        if origin.unknown
        else ""
    )


def origin_text(origin: Origin) -> str:
    """The queue and the last backout, in a few words."""
    if origin.unknown:
        return "no MQDLH, origin unknown"
    return (
        f"from {target_text((origin.queue, origin.queue_manager))}{_last_backout(origin.backouts)}"
    )


def origin_lines(origin: Origin) -> Iterator[str]:
    """Who moved the message and who backed it out last, or why that is unknown."""
    if origin.unknown:
        yield f"   origin unknown: {reason_unknown(origin)}"
        return
    if origin.at is not None:
        yield f"   moved {iso(origin.at)}{by(origin.application)}, user {origin.user or '-'}"
    backouts = origin.backouts
    if backouts is None:
        yield f"   no backout on {origin.queue} is recorded"
        return
    yield (
        f"   last backed out on {origin.queue} {iso(backouts.at)}{by(backouts.application)}, "
        f"user {backouts.user or '-'}{BACKOUT_CAUSES.get(backouts.cause, '')}"
    )


def origin_row(origin: Origin | None) -> dict[str, Any] | None:
    """The keys of `origin` in JSON; None for a message with an MQDLH."""
    if origin is None:
        return None
    backouts = origin.backouts
    return {
        "queue": origin.queue or None,
        "queue_manager": origin.queue_manager or None,
        "unknown": origin.unknown,
        "moved_by": origin.application or None,
        "moved_by_user": origin.user or None,
        "moved_at": iso_or_none(origin.at),
        "backouts": 0 if backouts is None else backouts.times,
        "backed_out_by": None if backouts is None else backouts.application,
        "backed_out_by_user": None if backouts is None else backouts.user,
        "backed_out_at": None if backouts is None else iso(backouts.at),
        "backout_cause": None if backouts is None else backouts.cause,
    }


def _last_backout(backouts: Backouts | None) -> str:
    if backouts is None:
        return ""
    times = "once" if backouts.times == 1 else f"{backouts.times} times, last"
    return f", backed out {times}{by(backouts.application)}"


def by(application: str) -> str:
    """The end of a clause: by which application; blank if that is not known."""
    return f" by {application}" if application else ""


# Messages of a dead-letter or backout queue, counted by reason and destination, or by origin and
# last backout.


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
