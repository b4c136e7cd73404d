"""`mqsc pcf`: PCF messages in readable form."""

import binascii
import os
import string
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import click

from mqsc.console import inputs, json_rows, target, terminal
from mqsc.console.getting import get_or_none, inform_about_discarded, opened_to_browse
from mqsc.console.object_names import ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.text.messages import MessageFormatError, from_json_line
from mqsc.pcf.readable import PcfMessage, as_json, heading_lines, messages_in, parameter_lines
from mqsc.store import GetMessageOptions, Message
from mqsc.store.client.store_url import path_of
from mqsc.store.constants import MQGMO
from mqsc.store.headers.chain import data_after_headers
from mqsc.store.headers.layout import NATIVE
from mqsc.store.headers.pcf import PcfError

_STANDARD_INPUT = "-"
_HEXADECIMAL = string.hexdigits.encode()


class PcfData(NamedTuple):
    """Data that should be PCF: where it is from, how it is written, and what is wrong if it
    cannot be read at all.
    """

    place: str
    data: bytes = b""
    encoding: int = NATIVE
    ccsid: int = 0
    fault: str = ""


@command(past=True, reads=True)
@click.argument("files", nargs=-1, metavar="[FILE|-]...")
@click.option(
    "--queue",
    type=ObjectName(),
    metavar="QUEUE",
    help="Show the messages on QUEUE instead, which stay there.",
)
@click.option(
    "--ccsid",
    type=int,
    default=1208,
    metavar="N",
    help="The CCSID of files (default: 1208).",
)
@click.option(
    "--encoding",
    type=int,
    default=546,
    metavar="N",
    help="The Encoding of files (default: 546).",
)
def pcf(
    choices: Choices,
    files: tuple[str, ...],
    queue: str | None,
    encoding: int,
    ccsid: int,
) -> int:
    """Show commands, responses and event messages in PCF, with the names of their numbers.

    A FILE holds one message after the other: as bytes, in hexadecimal, or as the JSON that `mqsc
    browse` writes. Without FILE, standard input is read. Headers before the PCF, such as that of a
    dead letter, are skipped.
    """
    if queue and files:
        raise click.UsageError("give FILE or --queue, not both")
    if not queue and click.get_current_context().params["as_of"] is not None:
        raise click.UsageError("--as-of is for the messages on a queue; give --queue")
    pcf_data = (
        _on_queue(choices, queue)
        if queue
        else _in_files(choices, files or (_STANDARD_INPUT,), encoding, ccsid)
    )
    with json_rows.json_rows(choices.format) as rows:
        show = (
            _print
            if rows is None
            else lambda place, message: rows.write({"source": place, **as_json(message)})
        )
        all_shown = _show_all(pcf_data, show)
    if not all_shown:
        return 10
    return 0


def _on_queue(choices: Choices, queue: str) -> Iterator[PcfData]:
    options = GetMessageOptions(int(MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING))
    with target.opened_queue_manager(choices) as qmgr, qmgr.connect() as connection:
        handle = opened_to_browse(choices, connection, queue)
        number = 0
        while message := get_or_none(handle, options):
            number += 1
            yield _of_message(f"message {number} on {queue}", message, qmgr.row().ccsid)
        inform_about_discarded(choices, connection)
        if not number:
            choices.inform(f"mqsc: no message on {queue}")


def _of_message(place: str, message: Message, ccsid: int) -> PcfData:
    d = message.descriptor
    end = data_after_headers(d.format, message.body, d.encoding, d.coded_char_set_id)
    return PcfData(place, message.body[end.at :], end.encoding, end.ccsid or ccsid)


def _in_files(
    choices: Choices,
    files: Iterable[str],
    encoding: int,
    ccsid: int,
) -> Iterator[PcfData]:
    for file in files:
        name = "standard input" if file == _STANDARD_INPUT else file
        data = _content(file, choices)
        if not data.strip():
            yield PcfData(name, fault="it is empty")
        elif data.lstrip()[:1] in (b"[", b"{"):
            yield from _in_json(name, data, ccsid)
        else:
            yield _in_bytes(name, data, encoding, ccsid)


def _content(file: str, choices: Choices) -> bytes:
    try:
        with inputs.opened_file(file, path_of(choices.store_url())) as stream:
            return stream.read()
    except inputs.InputError as error:
        if os.path.lexists(file):
            raise
        raise inputs.InputError(
            f"{error}; for the messages on a queue, use --queue {file}",
        ) from error


def _in_json(name: str, data: bytes, ccsid: int) -> Iterator[PcfData]:
    for number, line in enumerate(data.splitlines(), 1):
        place = f"{name}, line {number}"
        try:
            message = from_json_line(line)
        except MessageFormatError as error:
            yield PcfData(place, fault=str(error))
        else:
            if message is not None:
                yield _of_message(place, message, ccsid)


def _in_bytes(name: str, data: bytes, encoding: int, ccsid: int) -> PcfData:
    """Data as it is, or the bytes that a text in hexadecimal stands for. PCF never begins with a
    digit.
    """
    digits = b"".join(data.split())
    if digits.strip(_HEXADECIMAL):
        return PcfData(name, data, encoding, ccsid)
    if len(digits) % 2:
        return PcfData(name, fault=f"{len(digits)} hexadecimal digits, which is an odd number")
    return PcfData(name, binascii.unhexlify(digits), encoding, ccsid)


def _print(place: str, message: PcfMessage) -> None:
    for line in (place, *heading_lines(message), *parameter_lines(message), ""):
        # Lines that continue one are indented a little more.
        terminal.print_line(terminal.printable(line), " " * (len(line) - len(line.lstrip(" ")) + 3))


def _show_all(pcf_data: Iterable[PcfData], show: Callable[[str, PcfMessage], object]) -> bool:
    """Show the messages, and say what is wrong with the others; whether all could be shown."""
    all_shown = True
    for item in pcf_data:
        fault, shown = item.fault, 0
        try:
            for message in () if fault else messages_in(item.data, item.encoding, item.ccsid):
                show(item.place, message)
                shown += 1
        except PcfError as error:
            fault = str(error)
        if fault:
            all_shown = False
            which = f", message {shown + 1}" if shown else ""
            terminal.notice(f"mqsc: {item.place}{which}: {fault}")
    return all_shown
