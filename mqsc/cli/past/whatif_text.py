"""What `mqsc whatif` found, as lines: a title for each kind of difference, and the first of
them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from mqsc.console.parameters import iso
from mqsc.console.text.reasons import counted
from mqsc.store.past.clocks import Moment

_SHOWN = 10
DifferenceRow = Mapping[str, Any]


class Group(Struct):
    """Rows that have one title: how many, and the first of them."""

    number: int = 0
    first: list[DifferenceRow] = field(default_factory=list)

    def take(self, row: DifferenceRow) -> None:
        """Take the next row."""
        self.number += 1
        if len(self.first) < _SHOWN:
            self.first.append(row)


def lines(
    rows: Iterable[DifferenceRow], since: Moment, until: Moment, played: int
) -> Iterator[str]:
    """What would have been different between two moments, between which `played` calls and commands
    were played again.
    """
    begin, end = (f"{iso(each.at)[:19]}Z (event {each.seq})" for each in (since, until))
    groups: dict[tuple[Any, ...], Group] = {}
    for row in rows:
        groups.setdefault(_key(row), Group()).take(row)
    yield f"{begin} to {end}: {counted(played, 'call')} and commands played"
    if not groups:
        yield "nothing would have been different"
    for key, group in groups.items():
        title, line = _title(key, group.number)
        yield ""
        yield f"{title}:"
        yield from (f"  {line(each)}" for each in group.first)
        if group.number > _SHOWN:
            yield f"  and {group.number - _SHOWN} more"


def _key(row: DifferenceRow) -> tuple[Any, ...]:
    """What rows have in common that have one title."""
    result = (bool(row["reason"]) or row["call"]) if row["type"] == "call" else None
    return row["type"], result, row.get("fate"), row.get("would_have")


def _title(key: tuple[Any, ...], number: int) -> tuple[str, Callable[[DifferenceRow], str]]:
    """The title of a group of `number` rows, and what writes one of them as a line."""
    kind, result, fate, would_have = key
    if kind == "program":
        return "no longer followed after that", _program_line
    if kind == "message":
        times = counted(number, "time" if "trigger" in str(fate) else "message")
        return f"{times} would {'' if would_have else 'not '}have {fate}", _message_line
    if kind == "copy":
        copies = "copy of a publication" if number == 1 else "copies of publications"
        return f"{number} {copies} would have {fate}", _copy_line
    if kind == "depth":
        return "depths", _depth_line
    if result is True:
        return f"{counted(number, 'call')} would have failed", _call_line
    if result == "MQPUT":
        letters = counted(number, "dead letter")
        return (
            f"{letters} would not have been put, because the destination would take the message",
            _put_line,
        )
    return f"{counted(number, 'get')} would have had another result", _get_line


def _who(row: DifferenceRow) -> str:
    connection = f", connection {row['connection']}" if row["connection"] is not None else ""
    return f"by {row['application'] or 'the queue manager'}{connection}"


def _call_line(row: DifferenceRow) -> str:
    on = f" on {row['queue']}" if row["queue"] else ""
    return (
        f"{row['at']}  {row['call']}{on} {_who(row)}: {row['reason']} {row['name'] or ''} (event "
        f"{row['seq']})"
    )


def _get_line(row: DifferenceRow) -> str:
    msg_id, received = str(row["msg_id"]).upper(), row["received"]
    what = f"MsgId {str(received).upper()} in place of {msg_id}"
    if received is None:
        what = f"not MsgId {msg_id}, which had been backed out too often"
    elif received == row["msg_id"]:
        what = f"MsgId {msg_id}, which was moved because it had been backed out too often"
    return f"{row['at']}  {row['queue']} {_who(row)}: {what} (event {row['seq']})"


def _put_line(row: DifferenceRow) -> str:
    return (
        f"{row['at']}  {row['queue']} {_who(row)}: MsgId {str(row['msg_id']).upper()} (event "
        f"{row['seq']})"
    )


def _program_line(row: DifferenceRow) -> str:
    return (
        f"{row['application'] or 'a program'}, connection {row['connection']}: "
        f"{counted(row['not_played'], 'call')}"
    )


def _message_line(row: DifferenceRow) -> str:
    to = f" to {row['target']}" if row["target"] and row["target"] != row["queue"] else ""
    about = f" MsgId {row['msg_id'].upper()}" if row["msg_id"] else ""
    why = f" {row['reason']} {row['name'] or ''}".rstrip() if row["reason"] else ""
    instead = f", before at {row['before']}" if "before" in row else ""
    return f"{row['at']}  {row['queue']}{to}{about}{why}{instead}"


def _copy_line(row: DifferenceRow) -> str:
    return (
        f"{row['at']}  {row['queue']} for {row['subscription']}: {row['reason']} "
        f"{row['name'] or ''} (event {row['seq']})"
    )


def _depth_line(row: DifferenceRow) -> str:
    pairs = (
        ("at most", "would_be_greatest", "greatest"),
        ("at the end", "would_be_at_end", "at_end"),
    )
    told = (
        f"{when} {row[would]} in place of {row[was]}"
        for when, would, was in pairs
        if row[would] != row[was]
    )
    return f"{row['queue']}: {', '.join(told)}"
