"""`mqsc get` and `mqsc browse`."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec import Struct

from mqsc.console.msg_ids import msg_id_on
from mqsc.console.object_names import ObjectName
from mqsc.console.options import AS_USER, Choices, command, earlier_word
from mqsc.console.parameters import TENTH_OF_A_SECOND, WAIT_OR_FOR_EVER, iso, span_text
from mqsc.console.shared_options import identifier_options, selector_option
from mqsc.console.tables import GAP, SAMPLE, Screen, cell_len, cut, table, value_text
from mqsc.console.target import CommandFailedError, inform_about_manual_clock, opened_queue_manager
from mqsc.console.terminal import columns, is_terminal, json_rows, print_data, print_rows, printable
from mqsc.console.text import messages as message_text
from mqsc.console.text.messages import BODIES
from mqsc.console.text.reasons import counted
from mqsc.store import GetMessageOptions, Message
from mqsc.store.constants import MQGMO, MQOO
from mqsc.targets.on_target import most_option, on_target

if TYPE_CHECKING:
    from mqsc.store.client.api import ObjectHandle, QueueManager
    from mqsc.store.client.message_handle import MessageHandle


# Messages are committed only after they have been written, so a closed pipe loses none.
COMMIT_EVERY = 100


@command(common=AS_USER)
@click.argument("queue", type=ObjectName())
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Get at most N messages (default: 1).",
)
@earlier_word("--count", now="--limit")
@click.option("--all", "everything", is_flag=True, help="Get every message.")
@click.option(
    "--wait",
    type=WAIT_OR_FOR_EVER,
    help=(
        "Wait up to this long for each message, such as 30s; a bare number means milliseconds, -1 "
        "forever."
    ),
)
@click.option("--no-newline", "-n", is_flag=True, help="Write no newline after each body.")
@click.option(
    "--explain",
    is_flag=True,
    help="Get nothing; say which message would be found, or why none.",
)
@identifier_options
@selector_option
def get(
    choices: Choices,
    queue: str,
    limit: int | None,
    everything: bool,
    wait: int | None,
    no_newline: bool,
    explain: bool,
    msg_id: str | None,
    correl_id: bytes | None,
    group_id: bytes | None,
    selector: str,
) -> None:
    """Get messages from QUEUE and print their bodies, each followed by a newline.

    --format json or jsonl prints whole messages. An empty queue is not an error: the exit code is
    0.
    """
    wanted = GetRequest.of(
        queue,
        limit=limit,
        everything=everything,
        wait=wait,
        msg_id=msg_id,
        correl_id=correl_id,
        group_id=group_id,
        selector=selector,
        no_newline=no_newline,
    )
    if explain:
        explain_get(choices, wanted)
        return
    with opened_queue_manager(choices, for_users=True) as qmgr, qmgr.connect() as connection:
        if wanted.wait:
            inform_about_manual_clock(choices, qmgr)
        handle = message_text.opened(
            connection,
            queue,
            MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING,
            wanted.selector,
        )
        got = get_all(handle, wanted, choices.format, GetUnit(MQGMO.SYNCPOINT, connection.commit))
    message_text.inform_about_discarded(choices, connection)
    if not got:
        choices.inform(f"mqsc: {wanted.nothing}")


def explain_get(choices: Choices, request: GetRequest) -> None:
    """Print which message a get would find, or why it would find none; nothing changes."""
    from mqsc.console.text.get_outlook import Wanted, outlook, outlook_lines, outlook_row
    from mqsc.store.rules.selector.conditions import SelectorFault
    from mqsc.store.rules.selector.reading import parse

    try:
        selector = parse(request.selector) if request.selector else None
    except SelectorFault as fault:
        raise click.UsageError(
            printable(f"--selector: {fault.fault}, at character {fault.position}"),
        ) from fault
    with opened_queue_manager(choices) as qmgr:
        found = outlook(qmgr, request.queue, Wanted(**request.matching(qmgr), selector=selector))
    print_rows(choices.format, [outlook_row(found)], outlook_lines(found))


class GetRequest(Struct, frozen=True):
    """What to get: at most `limit` messages, all if it is None, with a wait in milliseconds for
    each.

    `msg_id` are the first digits of a MsgId, `identifiers` the others.
    """

    queue: str
    limit: int | None
    wait: int | None
    msg_id: str | None
    identifiers: Mapping[str, bytes | None]
    selector: str
    newline: bool

    @staticmethod
    def of(
        queue: str,
        *,
        limit: int | None,
        everything: bool,
        wait: int | None,
        msg_id: str | None,
        correl_id: bytes | None,
        group_id: bytes | None,
        selector: str,
        no_newline: bool,
    ) -> GetRequest:
        """The request that the options of `get` make; UsageError if they do not fit."""
        if everything and limit is not None:
            raise click.UsageError("--all and --limit cannot be used together")
        return GetRequest(
            queue,
            limit=None if everything else limit or 1,
            wait=wait,
            msg_id=msg_id,
            identifiers={"correl_id": correl_id, "group_id": group_id},
            selector=selector,
            newline=not no_newline,
        )

    def matching(self, qmgr: QueueManager) -> dict[str, bytes | None]:
        """All identifiers; MQError if the name does not lead to a local queue, NothingRunError
        for too few digits.
        """
        return {"msg_id": msg_id_on(qmgr, self.queue, self.msg_id), **self.identifiers}

    @property
    def nothing(self) -> str:
        """The sentence when there was no message."""
        matching = (
            "matching " if self.msg_id or any(self.identifiers.values()) or self.selector else ""
        )
        return f"no {matching}message on {self.queue}"


class GetUnit(NamedTuple):
    """The unit of work of the messages: its options, how messages that were written are committed,
    and what is called after each message has been written.
    """

    options: int
    commit: Callable[[], None]
    written: Callable[[Message], None] = lambda message: None


def get_all(handle: ObjectHandle, wanted: GetRequest, format: str | None, unit: GetUnit) -> int:
    """Get the messages, write them on stdout, and return how many there were."""
    identifiers = wanted.matching(handle.connection.qmgr)
    options = message_text.options_matching(identifiers, unit.options | MQGMO.FAIL_IF_QUIESCING)
    properties = message_text.with_properties(handle.connection, options)
    return _write(
        _messages(handle, options, wanted, unit),
        properties,
        format,
        unit,
        newline=wanted.newline,
    )


def _messages(
    handle: ObjectHandle,
    options: GetMessageOptions,
    wanted: GetRequest,
    unit: GetUnit,
) -> Iterator[Message]:
    """Get messages; those already consumed are committed every COMMIT_EVERY messages, and before
    a wait.
    """
    count = 0
    while wanted.limit is None or count < wanted.limit:
        message = message_text.get_or_none(handle, options)
        if message is None and wanted.wait:
            unit.commit()
            options.options |= MQGMO.WAIT
            options.wait_interval = wanted.wait
            message = message_text.get_or_none(handle, options)
            options.options &= ~MQGMO.WAIT
        if message is None:
            break
        yield message
        count += 1
        if count % COMMIT_EVERY == 0 or wanted.wait:
            sys.stdout.flush()
            unit.commit()
    sys.stdout.flush()
    unit.commit()


def _write(
    messages: Iterator[Message],
    properties: MessageHandle,
    format: str | None,
    unit: GetUnit,
    *,
    newline: bool,
) -> int:
    """Write the messages and return how many there were; `properties` holds those of the message
    at hand.
    """
    written = 0
    with json_rows(format) as rows:
        for message in messages:
            written += 1
            if rows is not None:
                rows.write(message_text.message_as_json(message, properties))
            elif is_terminal(sys.stdout):
                click.echo("\n".join(message_text.body_lines(message.body)))
            else:
                _write_bytes(message.body + (b"\n" if newline else b""))
            unit.written(message)
    return written


def _write_bytes(data: bytes) -> None:
    """Write bytes on stdout, as they are where it takes bytes."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8", "backslashreplace"))
    else:
        buffer.write(data)


# `mqsc browse`: the messages on a queue, one line each; some of them, or all, in full.

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


@command(common=AS_USER, past=True)
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
        handle = message_text.opened(
            connection,
            queue,
            MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING,
            selector,
        )
        identifiers = {
            "msg_id": msg_id_on(qmgr, queue, msg_id),
            "correl_id": correl_id,
            "group_id": group_id,
        }
        options = message_text.options_matching(
            identifiers,
            MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING,
        )
        properties = message_text.with_properties(connection, options)
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
    message_text.inform_about_discarded(choices, connection)
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
    while number < count and (message := message_text.get_or_none(handle, options)):
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
    shown = message_text.properties_as_json(properties) if names else {}
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
    yield from message_text.descriptor_lines(message.descriptor)
    yield from message_text.property_lines(properties)
    if _is_gone(message):
        size = counted(message.data_length, "byte")
        yield f"   body, {size}: not kept, nor are format, report options, reply queue and group"
        yield ""
        return
    yield f"   body, {counted(len(message.body), 'byte')}:"
    yield from BODIES[body](message.body) if body else message_text.body_lines(message.body)
    yield ""
