"""What `mqsc whatif` found, as lines: a title for each kind of difference, and the first of
them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mqsc.console.parameters import iso
from mqsc.console.text.reasons import counted
from mqsc.store.past.clocks import Moment

_SHOWN = 10
Row = Mapping[str, Any]


def lines(rows: Sequence[Row], since: Moment, until: Moment, played: int) -> Iterator[str]:
    """What would have been different between two moments, in which so many calls and commands
    were played.
    """
    begin, end = (f"{iso(each.at)[:19]}Z (event {each.seq})" for each in (since, until))
    yield f"{begin} to {end}: {counted(played, 'call')} and commands played"
    if not rows:
        yield "nothing would have been different"
    for title, line, found in _groups(rows):
        yield ""
        yield f"{title}:"
        yield from (f"  {line(each)}" for each in found[:_SHOWN])
        if len(found) > _SHOWN:
            yield f"  and {len(found) - _SHOWN} more"


Group = tuple[str, Callable[[Row], str], list[Row]]


def _groups(rows: Sequence[Row]) -> Iterator[Group]:
    """The rows with their titles, and with what writes a row as a line, in their order."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for each in rows:
        result = (bool(each["reason"]) or each["call"]) if each["type"] == "call" else None
        key = each["type"], result, each.get("fate"), each.get("would_have")
        groups.setdefault(key, []).append(each)
    for (kind, result, fate, would_have), found in groups.items():
        times = counted(len(found), "time" if "trigger" in str(fate) else "message")
        call = f"{counted(len(found), 'call')} would have failed", _call_line
        get = f"{counted(len(found), 'get')} would have had another result", _get_line
        letters = counted(len(found), "dead letter")
        put = (
            f"{letters} would not have been put, because the destination would take the message",
            _put_line,
        )
        title, line = {
            "call": call if result is True else put if result == "MQPUT" else get,
            "program": ("no longer followed after that", _program_line),
            "message": (f"{times} would {'' if would_have else 'not '}have {fate}", _message_line),
            "depth": ("depths", _depth_line),
        }[kind]
        yield title, line, found


def _who(row: Row) -> str:
    connection = f", connection {row['connection']}" if row["connection"] is not None else ""
    return f"by {row['application'] or 'the queue manager'}{connection}"


def _call_line(row: Row) -> str:
    on = f" on {row['queue']}" if row["queue"] else ""
    return (
        f"{row['at']}  {row['call']}{on} {_who(row)}: {row['reason']} {row['name'] or ''} (event "
        f"{row['seq']})"
    )


def _get_line(row: Row) -> str:
    msg_id, received = str(row["msg_id"]).upper(), row["received"]
    what = f"MsgId {str(received).upper()} in place of {msg_id}"
    if received is None:
        what = f"not MsgId {msg_id}, which had been backed out too often"
    elif received == row["msg_id"]:
        what = f"MsgId {msg_id}, which was moved because it had been backed out too often"
    return f"{row['at']}  {row['queue']} {_who(row)}: {what} (event {row['seq']})"


def _put_line(row: Row) -> str:
    return (
        f"{row['at']}  {row['queue']} {_who(row)}: MsgId {str(row['msg_id']).upper()} (event "
        f"{row['seq']})"
    )


def _program_line(row: Row) -> str:
    return (
        f"{row['application'] or 'a program'}, connection {row['connection']}: "
        f"{counted(row['not_played'], 'call')}"
    )


def _message_line(row: Row) -> str:
    to = f" to {row['target']}" if row["target"] and row["target"] != row["queue"] else ""
    about = f" MsgId {row['msg_id'].upper()}" if row["msg_id"] else ""
    why = f" {row['reason']} {row['name'] or ''}".rstrip() if row["reason"] else ""
    instead = f", before at {row['before']}" if "before" in row else ""
    return f"{row['at']}  {row['queue']}{to}{about}{why}{instead}"


def _depth_line(row: Row) -> str:
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
