"""`mqsc browse`: the messages on a queue, one line each; some of them, or all, in full."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from mqsc.console import getting
from mqsc.console.json_rows import print_data
from mqsc.console.msg_ids import msg_id_on
from mqsc.console.object_names import ObjectName
from mqsc.console.options import AS_USER, Choices, command, earlier_word
from mqsc.console.parameters import TENTH_OF_A_SECOND, iso, span_text
from mqsc.console.shared_options import identifier_options, selector_option
from mqsc.console.tables import GAP, SAMPLE, Screen, cell_len, cut, table, value_text
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns, fitted
from mqsc.console.text import message_properties, messages as message_text
from mqsc.console.text.messages import BODIES
from mqsc.console.text.reasons import counted
from mqsc.store import GetMessageOptions, Message
from mqsc.store.constants import MQGMO
from mqsc.targets.on_target import most_option, on_target

if TYPE_CHECKING:
    from mqsc.store.client.message_handle import MessageHandle
    from mqsc.store.client.object_handle import ObjectHandle

# The columns before the first characters of the data, and the narrowest screen that has room for
# each.
_COLUMNS = {"#": 0, "PUT": 0, "PROGRAM": 80, "PRI": 64, "SIZE": 50, "EXPIRES": 60}
_PROGRAM_WIDTH = 14
_WIDE_PROGRAM_WIDTH = 28
_WIDE = 110
_PROPERTY_WIDTH = 16
_GONE = "(data not kept)"
_DATA = "DATA"
# The least number of characters of the data, and that where no screen limits it.
_LEAST_DATA, _DATA_IN_PIPES = 10, 60


@command(common=AS_USER, past=True, reads=True)
@click.argument("queue", type=ObjectName())
@click.argument("numbers", type=click.IntRange(min=1), nargs=-1, metavar="[NUMBER]...")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Browse only the first N messages.",
)
@earlier_word("--count", now="--limit")
@click.option(
    "--property",
    "names",
    multiple=True,
    metavar="NAME",
    help="List this message property as well; repeatable.",
)
@click.option(
    "--body",
    type=click.Choice([*BODIES]),
    help="How bodies are shown (default: text, if it is text).",
)
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="Show every message in full, not one line each.",
)
@identifier_options
@selector_option
@on_target
@most_option
def browse(
    choices: Choices,
    queue: str,
    numbers: tuple[int, ...],
    limit: int | None,
    names: tuple[str, ...],
    body: str | None,
    verbose: bool,
    msg_id: str | None,
    correl_id: bytes | None,
    group_id: bytes | None,
    selector: str,
) -> int | None:
    """List the messages on QUEUE, which stay there. With NUMBER, show these in full: descriptor,
    properties, body.

    As every browse, it discards expired messages, and says how many.
    --format json or jsonl prints JSON for `mqsc put --json`.
    """
    with opened_queue_manager(choices, for_users=True) as qmgr, qmgr.connect() as connection:
        choices.bring_messages(qmgr, queue)
        handle = getting.opened_to_browse(choices, connection, queue, selector)
        identifiers = {
            "msg_id": msg_id_on(qmgr, queue, msg_id),
            "correl_id": correl_id,
            "group_id": group_id,
        }
        options = getting.options_matching(
            identifiers,
            MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING,
        )
        properties = getting.with_properties(connection, options)
        last = min(limit or sys.maxsize, max(numbers, default=sys.maxsize))
        wanted = (
            each
            for each in enumerate(_browsed(handle, options, last), 1)
            if not numbers or each[0] in numbers
        )
        seen = _Seen(wanted)
        if print_data(
            choices.format,
            (message_text.message_as_json(message, properties) for _, message in seen),
        ):
            pass
        elif numbers or verbose or body:
            for number, message in seen:
                click.echo("\n".join(_lines(number, queue, message, properties, body)))
        else:
            width = columns()
            rows = (
                _message_row(number, message, properties, names, width) for number, message in seen
            )
            for line in table(_with_data_cut(rows, width), Screen(width)):
                click.echo(line)
    getting.inform_about_discarded(choices, connection)
    missing = [number for number in sorted({*numbers}) if number not in seen.numbers]
    if missing:
        raise CommandFailedError(f"there is no message {', '.join(map(str, missing))} on {queue}")
    if not seen.numbers:
        is_selected = options.match_options or selector
        choices.inform(f"mqsc: no {'matching ' if is_selected else ''}message on {queue}")
    return None


class _Seen:
    """Messages with their numbers, which are remembered."""

    def __init__(self, messages: Iterator[tuple[int, Message]]) -> None:
        self.numbers: set[int] = set()
        self._messages = messages

    def __iter__(self) -> Iterator[tuple[int, Message]]:
        for number, message in self._messages:
            self.numbers.add(number)
            yield number, message


def _browsed(handle: ObjectHandle, options: GetMessageOptions, count: int) -> Iterator[Message]:
    number = 0
    while number < count and (message := getting.get_or_none(handle, options)):
        yield message
        number += 1


def _message_row(
    number: int,
    message: Message,
    properties: MessageHandle,
    names: tuple[str, ...],
    width: int,
) -> dict[str, Any]:
    """A line of the list: the columns that the width has room for, the properties, the first
    characters of the data, as many as any screen shows.
    """
    descriptor = message.descriptor
    cells = {
        "#": number,
        "PUT": "" if descriptor.put_at is None else iso(descriptor.put_at)[:19].replace("T", " "),
        "PROGRAM": descriptor.put_appl_name.strip().rpartition("/")[2],
        "PRI": descriptor.priority,
        "SIZE": message.data_length,
        "EXPIRES": span_text(descriptor.expiry * TENTH_OF_A_SECOND)
        if descriptor.expiry >= 0
        else "",
    }
    shown = message_properties.properties_as_json(properties) if names else {}
    program_width = _WIDE_PROGRAM_WIDTH if width >= _WIDE else _PROGRAM_WIDTH
    cells["PROGRAM"] = cut(str(cells["PROGRAM"]), program_width)
    row = {name: cells[name] for name, narrowest in _COLUMNS.items() if width >= narrowest}
    row |= {name: cut(_property_text(shown.get(name, "")), _PROPERTY_WIDTH) for name in names}
    most = _most_data(width)
    data = _GONE if _is_gone(message) else _beginning(message.body, most)
    return {**row, _DATA: data}


def _most_data(width: int) -> int:
    return _DATA_IN_PIPES if width == sys.maxsize else max(width, _LEAST_DATA)


def _with_data_cut(rows: Iterator[dict[str, Any]], width: int) -> Iterator[dict[str, Any]]:
    """The rows, with as much of the data as fits beside the other columns of the first rows."""
    sample = [*islice(rows, SAMPLE)]
    if not sample:
        return
    others = [name for name in sample[0] if name != _DATA]
    taken = sum(
        max(map(cell_len, (name, *(value_text(row[name]) for row in sample)))) + len(GAP)
        for name in others
    )
    room = max(min(width - taken, _most_data(width)), _LEAST_DATA)
    for row in chain(sample, rows):
        yield {**row, _DATA: cut(row[_DATA], room)}


def _is_gone(message: Message) -> bool:
    """Whether a message of the past has gone since, so that only the length of its data is
    known.
    """
    return not message.body and message.data_length > 0


def _property_text(value: Any) -> str:
    """A property in a cell of the list, without its type."""
    (plain,) = value.values() if isinstance(value, dict) else (value,)
    return plain if isinstance(plain, str) else json.dumps(plain)


def _beginning(body: bytes, most: int) -> str:
    """The first characters of data as one line: its text, or its bytes in hexadecimal when it is
    not text.
    """
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(body[: most * 4 + 4])
    except UnicodeDecodeError:
        text = "\0"
    return body[:most].hex(" ", -2) if "\0" in text else " ".join(text.split())


def _lines(
    number: int,
    queue: str,
    message: Message,
    properties: MessageHandle,
    body: str | None,
) -> Iterator[str]:
    yield f"message {number} on {queue}"
    for line in message_text.descriptor_lines(message.descriptor):
        yield from fitted(line, columns())
    yield from message_properties.property_lines(properties)
    if _is_gone(message):
        size = counted(message.data_length, "byte")
        yield f"   body, {size}: not kept, nor are format, report options, reply queue and group"
        yield ""
        return
    yield f"   body, {counted(len(message.body), 'byte')}:"
    yield from BODIES[body](message.body) if body else message_text.body_lines(message.body)
    yield ""
