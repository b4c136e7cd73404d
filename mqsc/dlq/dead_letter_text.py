"""Dead letters as text and as JSON."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import structs

from mqsc.console.parameters import iso, iso_or_none
from mqsc.console.terminal import printable
from mqsc.console.text.messages import message_as_json
from mqsc.console.text.reasons import counted
from mqsc.dlq.dead_letter import DeadLetter
from mqsc.dlq.origin_text import by, origin_lines, origin_row, origin_text, reason_unknown
from mqsc.dlq.redrive import RedriveResult
from mqsc.dlq.text_parts import duration_text, reason_name, reason_text, target_text, texts_of
from mqsc.store.constants import MQPER, name_of
from mqsc.store.headers import mqdlh
from mqsc.store.message import Message


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
    texts = texts_of(
        "outcome", *["preview"] * preview, *["outcome by origin"] * (origin is not None)
    )
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
