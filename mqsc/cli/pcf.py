"""`mqsc pcf`: PCF messages in readable form."""

from __future__ import annotations

import binascii
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import click

from mqsc.console.inputs import opened_file
from mqsc.console.json_output import JSON_FORMATS, JsonRows
from mqsc.console.message_selection import get_or_none
from mqsc.console.message_text import MessageFormatError, from_json_line
from mqsc.console.options import Choices, choices_of, common_options
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns, printable, wrapped
from mqsc.pcf.readable import as_json, heading_lines, messages_in, parameter_lines
from store import GetMessageOptions, Message
from store.constants import MQGMO, MQOO
from store.headers.chain import data_after_headers
from store.headers.layout import NATIVE
from store.headers.pcf import PcfError

_STANDARD_INPUT = "-"


class Found(NamedTuple):
    """Data that should be PCF: where it is from, and how it is written."""

    place: str
    data: bytes
    encoding: int
    ccsid: int


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE|-]...")
@click.option("--queue", metavar="QUEUE", help="Show the messages on QUEUE instead, without removing them.")
@click.option("--encoding", type=int, default=NATIVE, metavar="N", help="The Encoding of files (default: 546).")
@click.option("--ccsid", type=int, default=1208, metavar="N", help="The CCSID of files (default: 1208).")
@common_options
@click.pass_context
def pcf(context: click.Context, files: tuple[str, ...], queue: str | None, encoding: int, ccsid: int) -> None:
    """Show commands, responses and event messages in PCF, with the names of their numbers.

    A FILE holds messages one after the other: their bytes, these in hexadecimal, or JSON as `mqsc browse` writes it.
    Without FILE, standard input is read. Headers before the PCF, such as that of a dead letter, are skipped.
    """
    choices = choices_of(context)
    if queue and files:
        raise click.UsageError("give FILE or --queue, not both", context)
    found = _on_queue(choices, queue) if queue else _in_files(choices, files or (_STANDARD_INPUT,), encoding, ccsid)
    faults = list(_written(choices, found))
    for fault in faults:
        click.echo(f"mqsc: {fault}", err=True)
    if faults:
        context.exit(10)


def _on_queue(choices: Choices, queue: str) -> Iterator[Found]:
    options = GetMessageOptions(int(MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING))
    with opened_queue_manager(choices) as qmgr, qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING)
        number = 0
        while message := get_or_none(handle, options):
            number += 1
            yield _of_message(f"message {number} on {queue}", message, qmgr.row().ccsid)
        if not number:
            choices.inform(f"mqsc: no message on {queue}")


def _of_message(place: str, message: Message, ccsid: int) -> Found:
    d = message.descriptor
    end = data_after_headers(d.format, message.body, d.encoding, d.coded_char_set_id)
    return Found(place, message.body[end.at :], end.encoding, end.ccsid or ccsid)


def _in_files(choices: Choices, files: Iterable[str], encoding: int, ccsid: int) -> Iterator[Found]:
    for file in files:
        name = "standard input" if file == _STANDARD_INPUT else file
        if file == _STANDARD_INPUT:
            data = sys.stdin.buffer.read()
        else:
            with opened_file(file, choices.store_url().removeprefix("sqlite:///")) as stream:
                data = stream.read()
        if data.lstrip()[:1] in (b"[", b"{"):
            yield from _in_json(name, data, ccsid)
        else:
            yield Found(name, _bytes_of(data), encoding, ccsid)


def _in_json(name: str, data: bytes, ccsid: int) -> Iterator[Found]:
    for number, line in enumerate(data.splitlines(), 1):
        try:
            message = from_json_line(line)
        except MessageFormatError as error:
            raise CommandFailedError(f"{name}, line {number}: {error}") from None
        if message is not None:
            yield _of_message(f"{name}, line {number}", message, ccsid)


def _bytes_of(data: bytes) -> bytes:
    """The bytes that a text in hexadecimal stands for; other data as it is. PCF never begins with a digit."""
    try:
        return binascii.unhexlify(b"".join(data.split()))
    except binascii.Error:
        return data


def _hanging(line: str) -> str:
    """The indentation of what continues a line."""
    return " " * (len(line) - len(line.lstrip(" ")) + 3)


def _written(choices: Choices, found: Iterable[Found]) -> Iterator[str]:
    """Print the messages; what is wrong with the others."""
    if choices.format in JSON_FORMATS:
        with JsonRows(sys.stdout, array=choices.format == "json") as rows:
            for each in found:
                try:
                    for message in messages_in(each.data, each.encoding, each.ccsid):
                        rows.write({"source": each.place, **as_json(message)})
                except PcfError as error:
                    yield f"{each.place}: {error}"
        return
    for each in found:
        try:
            for message in messages_in(each.data, each.encoding, each.ccsid):
                for line in (each.place, *heading_lines(message), *parameter_lines(message), ""):
                    click.echo("\n".join(wrapped(printable(line), columns(), hanging=_hanging(line))))
        except PcfError as error:
            yield f"{each.place}: {error}"
