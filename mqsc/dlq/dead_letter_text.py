"""Dead letters as text for people and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mqsc.console.message_text import as_json
from mqsc.console.parameter_types import iso
from mqsc.console.terminal import printable
from mqsc.dlq.dead_letters import DeadLetter
from mqsc.dlq.redrive import Step
from mqsc.dlq.values import name_of_number
from store.constants import MQPER, name_of
from store.headers import mqdlh
from store.message import Message

SECOND = 1_000_000
# The largest unit that a span has, and the next one.
SPANS = (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1))
ENDED = {
    "moved": "done",
    "failed": "failed: {reason} {name}",
    "returned": "left: it came back {times} times",
    "no header": "left: no valid MQDLH says where it should go",
    "gone": "gone meanwhile",
}
FORESEEN = {**ENDED, "moved": "would be done", "failed": "would fail: {reason} {name}"}


def reason_text(reason: int) -> str:
    """An MQRC or MQFB as number and name."""
    name = name_of_number(reason, ("MQRC", "MQFB"))
    return str(reason) if name == str(reason) else f"{reason} {name}"


def target_text(target: tuple[str, str]) -> str:
    """A queue, and its queue manager where one is named."""
    queue, queue_manager = target
    return f"{queue or '(blank)'} on {queue_manager}" if queue_manager else queue or "(blank)"


def span_text(microseconds: int) -> str:
    """A length of time in its two largest units: 2d 3h, 5m 0s, 0s."""
    left = max(0, microseconds) // SECOND
    parts: list[str] = []
    for unit, seconds in SPANS:
        count, left = divmod(left, seconds)
        if count or parts or unit == "s":
            parts.append(f"{count}{unit}")
    return " ".join(parts[:2])


def letter_lines(letter: DeadLetter, now: int) -> Iterator[str]:
    """What a person wants to know of a letter: why and whereto first, then who, when and what."""
    d, header = letter.descriptor, letter.header
    if header is None:
        yield f"{letter.number}  {letter.fault}"
    else:
        place = target_text((header.dest_q_name, header.dest_q_mgr_name))
        yield printable(f"{letter.number}  {reason_text(header.reason)}, for {place}")
    if d.put_at is not None:
        yield f"   on this queue since {iso(d.put_at)}, {span_text(now - d.put_at)}; {_expiry(letter, now)}"
    yield printable(f"   put {_moment(d.put_date, d.put_time)}{_by(d.put_appl_name)}, user {d.user_identifier or '-'}")
    if header is not None:
        yield printable(f"   dead-lettered {_moment(header.put_date, header.put_time)}{_by(header.put_appl_name)}")
    length = letter.length - (0 if header is None else mqdlh.LENGTH)
    persistent = "persistent" if d.persistence == MQPER.PERSISTENT else "not persistent"
    format = (d.format if header is None else header.format) or "(none)"
    yield printable(
        f"   format {format}, {length} {'byte' if length == 1 else 'bytes'}, priority {d.priority}, {persistent}, "
        f"backed out {d.backout_count} {'time' if d.backout_count == 1 else 'times'}"
    )
    yield f"   MsgId {d.msg_id.hex().upper()}"


def letter_row(letter: DeadLetter, now: int) -> dict[str, Any]:
    """The message as every command prints it, and beside it what the header and the queue tell."""
    row = as_json(Message(letter.body, letter.descriptor))
    put_at = letter.descriptor.put_at
    return {
        **row,
        "dead_letter": _header_row(letter),
        "put_at": put_at,
        "age": None if put_at is None else max(0, now - put_at),
        "expires_at": letter.expires_at,
        "expired": letter.is_expired,
    }


def step_line(step: Step, *, foreseen: bool = False) -> str:
    """What became of one letter, or would become, in a line."""
    letter, header = step.letter, step.letter.header
    words = FORESEEN if foreseen else ENDED
    what = words[step.ended].format(times=step.times, reason=step.reason, name=name_of("MQRC", step.reason))
    reason = "no MQDLH" if header is None else reason_text(header.reason)
    to = f" to {target_text(step.target)}" if step.target else ""
    return printable(f"{letter.descriptor.msg_id.hex().upper()}  {reason}{to}  {what}")


def step_row(step: Step) -> dict[str, Any]:
    """What became of one letter, as an object."""
    return {
        "msg_id": step.letter.descriptor.msg_id.hex(),
        "correl_id": step.letter.descriptor.correl_id.hex(),
        "dead_letter": _header_row(step.letter),
        **target_row(step.target),
        "result": step.ended,
        "put_reason": step.reason,
        "times": step.times,
    }


def target_row(target: tuple[str, str] | None) -> dict[str, Any]:
    """Where a letter goes, as two keys."""
    queue, queue_manager = target or (None, None)
    return {"target": queue, "target_queue_manager": queue_manager}


def _moment(date: str, time: str) -> str:
    """A PutDate and PutTime as a person reads them; as they are when they are no date and time."""
    if not re.fullmatch(r"\d{8} \d{8}", f"{date} {time}", re.ASCII):
        return f"{date} {time}".strip() or "at an unknown time"
    return f"{date[:4]}-{date[4:6]}-{date[6:]} {time[:2]}:{time[2:4]}:{time[4:6]}.{time[6:]}"


def _by(application: str) -> str:
    return f" by {application}" if application else ""


def _header_row(letter: DeadLetter) -> dict[str, Any] | None:
    header = letter.header
    if header is None:
        return None
    return {
        "reason": header.reason,
        "reason_name": name_of_number(header.reason, ("MQRC", "MQFB")),
        "dest_q_name": header.dest_q_name,
        "dest_q_mgr_name": header.dest_q_mgr_name,
        "encoding": header.encoding,
        "coded_char_set_id": header.coded_char_set_id,
        "format": header.format,
        "put_appl_type": header.put_appl_type,
        "put_appl_name": header.put_appl_name,
        "put_date": header.put_date,
        "put_time": header.put_time,
    }


def _expiry(letter: DeadLetter, now: int) -> str:
    if letter.expires_at is None:
        return "never expires"
    if letter.is_expired:
        return f"expired {span_text(now - letter.expires_at)} ago"
    return f"expires in {span_text(letter.expires_at - now)}"
