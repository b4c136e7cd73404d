"""`dmpmqmsg`: messages of a queue written to a file or copied to another queue, and those of a file
put on a queue, with IBM's arguments.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

import click
from msgspec import Struct

from mqsc.console.getting import get_or_none
from mqsc.console.inputs import InputError, is_store_file
from mqsc.console.target import CommandFailedError, opened_queue_manager, path_of_file
from mqsc.console.terminal import in_utf8
from mqsc.ibm.message_selection import MessageRange, MessageSelection, age_limits, message_range
from mqsc.ibm.options import (
    OPENED_DIRECTLY,
    choices_with,
    flag,
    ibm_command,
    ignored_flag,
    ignored_value,
    number,
    refused_flag,
    refused_value,
    text,
    wrong,
)
from mqsc.store import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.constants import MQGMO, MQIA, MQOO, MQPMO
from mqsc.store.message_times import MICROSECONDS
from mqsc.store.rules.properties.delivery import STORED
from mqsc.store.sqlite.files import OWNER_ONLY

if TYPE_CHECKING:
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.object_handle import ObjectHandle
    from mqsc.store.client.queue_manager import QueueManager

_Writer = Callable[[list[Message]], object]
# A file of this name is standard output.
_STDOUT = "stdout"
# The most messages in a unit of work.
_UNIT = 250
# The largest values of -t and -w.
_MOST = 999_999
_BROWSE = MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING
_TAKE = GetMessageOptions(
    MQGMO.MSG_UNDER_CURSOR | MQGMO.SYNCPOINT | MQGMO.NO_WAIT | MQGMO.FAIL_IF_QUIESCING,
    property_control=STORED,
)
_PUT = PutMessageOptions(MQPMO.SET_ALL_CONTEXT | MQPMO.SYNCPOINT | MQPMO.FAIL_IF_QUIESCING)
_PUT_OPEN = MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING


class _Copy(Struct, frozen=True):
    """What is copied: from a queue or, without one, from the file, to a queue or to the file."""

    source: str | None
    takes: bool
    file: str | None
    replaces: bool
    target: str | None
    selection: MessageSelection
    seconds: int
    unit: int

    @property
    def wait(self) -> int:
        """How long to wait for each message, in milliseconds."""
        return 1000 * self.seconds

    @property
    def loads(self) -> bool:
        """Whether the messages come from a file."""
        return self.source is None


class _Count(Struct):
    """What was read or written."""

    files: int = 0
    messages: int = 0
    data_bytes: int = 0

    def add(self, message: Message) -> None:
        self.messages += 1
        self.data_bytes += len(message.body)

    def line(self, word: str) -> str:
        """The line that says so."""
        return (
            f"{word:<8}- Files:{self.files:4d}  Messages:{self.messages:6d}  "
            f"Bytes:{self.data_bytes:10d}"
        )


@ibm_command(
    "dmpmqmsg",
    "[-m QMgrName] [-i QName | -I QName] [-f File | -F File] [-o QName] [-q] [-r Range] [-t Limit] "
    "[-T Age] [-w Seconds]",
    common=("store", "qmgr", "quiet"),
)
@text("-m", "qmgr_name")
@text("-i", "browsed")
@text("-I", "taken")
@text("-f", "file")
@text("-F", "replaced_file")
@text("-o", "target")
@flag("-q", "without_counts")
@text("-r", "places")
@number("-t", "limit")
@text("-T", "ages")
@number("-w", "seconds")
@ignored_flag("-c", why=OPENED_DIRECTLY)
@ignored_value("-l", why=OPENED_DIRECTLY)
@ignored_value("-d", why="the data is written in hexadecimal, and everything else is written too")
@refused_value("-a", why="a file is written anew")
@refused_value("-C", why="messages keep their whole context")
@refused_value("-D", why="messages are copied at once")
@refused_value("-g", why="`mqsc get` and `mqsc browse` select by identifier")
@refused_flag("-h", why="`mqsc dlq retry` and `mqsc dlq forward` put messages without their header")
@refused_flag("-p", why="-I removes the messages that it copies, and CLEAR QLOCAL all others")
@refused_value("-P", why="data is not converted")
@refused_value("-s", "-S", "-e", "-E", "-x", "-X", why="messages are not selected by their data")
@refused_value("-u", why="MQSC_USER names the user to act as")
def dmpmqmsg(
    context: click.Context,
    qmgr_name: str | None,
    browsed: str | None,
    taken: str | None,
    file: str | None,
    replaced_file: str | None,
    target: str | None,
    without_counts: bool,
    places: str | None,
    limit: int | None,
    ages: str | None,
    seconds: int | None,
) -> None:
    """Write messages of a queue to a file (-i and -f), put those of such a file on a queue (-f and
    -o), or copy messages from queue to queue (-i and -o).

    -I removes the messages from the queue that they come from. -F replaces a file that exists; -f
    stdout prints. -r copies only some by their place: x, x..y, x#y (y messages from x on) or #x (the
    first x). -T copies only old ones: minutes, HH:MM or DD:HH:MM, and after a comma an age that they
    do not have yet. -w waits for each message. -t is the most messages in a unit of work. A file has
    all fields and the data in hexadecimal. Exit code 10 when it failed, 20 when nothing was done.
    """
    if browsed is not None and taken is not None:
        raise wrong(context, "give only one of -i and -I")
    if file is not None and replaced_file is not None:
        raise wrong(context, "give only one of -f and -F")
    copy = _Copy(
        source=browsed if taken is None else taken,
        takes=taken is not None,
        file=file if replaced_file is None else replaced_file,
        replaces=replaced_file is not None,
        target=target,
        selection=_selection(context, places, ages),
        seconds=0 if seconds is None else seconds,
        unit=_UNIT if limit is None else limit,
    )
    fault = _fault(copy)
    if fault:
        raise wrong(context, fault)
    only_reads = not copy.takes and copy.target is None
    choices = choices_with(context, qmgr_name, only_reads=only_reads)
    read, written = _Count(), _Count(files=int(copy.target is None))
    with (
        opened_queue_manager(choices) as qmgr,
        qmgr.connect(application="dmpmqmsg") as connection,
        ExitStack() as stack,
    ):
        # Now the store has a log, too.
        if copy.file is not None and is_store_file(copy.file, path_of_file(choices)):
            raise InputError(f"{copy.file} is the store itself")
        messages = _messages(connection, copy, stack, read)
        write = _writer(connection, copy, stack)
        try:
            _write(connection, messages, write, copy.unit, written)
        finally:
            if not without_counts:
                choices.inform(read.line("Read"))
                choices.inform(written.line("Written"))


def _selection(context: click.Context, places: str | None, ages: str | None) -> MessageSelection:
    try:
        return MessageSelection(
            MessageRange() if places is None else message_range(places),
            None if ages is None else age_limits(ages),
        )
    except ValueError as fault:
        raise wrong(context, str(fault)) from fault


def _fault(copy: _Copy) -> str:
    """What is wrong with the arguments together; blank if nothing is."""
    if not 1 <= copy.unit <= _MOST:
        return f"-t takes a number from 1 to {_MOST}"
    if copy.seconds > _MOST:
        return f"-w takes a number of seconds from 0 to {_MOST}"
    if copy.file is not None and "%" in copy.file:
        return "-f takes no insert such as %n: all messages are in one file"
    if copy.loads:
        if copy.file is None or copy.target is None or copy.file == _STDOUT or copy.replaces:
            return "name the queue to read with -i or -I, or a file with -f and a queue with -o"
        return ""
    if (copy.file is None) == (copy.target is None):
        return "name either a file with -f or -F, or a queue with -o, for the messages"
    if copy.source == copy.target:
        return "-o names the queue that the messages come from"
    return ""


def _messages(
    connection: Connection, copy: _Copy, stack: ExitStack, read: _Count
) -> Iterator[Message]:
    """The messages to copy, counted. The queue or the file is opened at once."""
    if copy.source is None:
        read.files = 1
        found = _of_file(copy, _source_file(copy, stack), connection.qmgr.now())
    else:
        access = MQOO.BROWSE | MQOO.INQUIRE | MQOO.FAIL_IF_QUIESCING
        taking = MQOO.INPUT_SHARED if copy.takes else 0
        handle = connection.open(copy.source, access | taking, dynamic_name=None)
        found = _of_queue(handle, copy, connection.qmgr.now())
    return _counted(found, read)


def _counted(messages: Iterator[Message], count: _Count) -> Iterator[Message]:
    for message in messages:
        count.add(message)
        yield message


def _of_queue(handle: ObjectHandle, copy: _Copy, now: int) -> Iterator[Message]:
    """The messages of a queue, taken from it in a unit of work if that is asked for.

    Those that come later are left where they are when they are copied to a queue, which could be
    the same one under another name.
    """
    waits = MQGMO.WAIT if copy.wait else MQGMO.NO_WAIT
    browse = GetMessageOptions(_BROWSE | waits, wait_interval=copy.wait, property_control=STORED)
    depth = int(handle.inquire(MQIA.CURRENT_Q_DEPTH)[MQIA.CURRENT_Q_DEPTH])
    ends = depth if copy.target is not None and not copy.wait else None
    place = 1
    while ends is None or place <= ends:
        if copy.selection.range.ends_before(place):
            return
        message = get_or_none(handle, browse)
        if message is None:
            return
        if copy.selection.has(place, message.descriptor, now):
            # Another program may have got it in the meantime.
            kept = get_or_none(handle, _TAKE) if copy.takes else message
            if kept is not None:
                yield kept
        place += 1


def _source_file(copy: _Copy, stack: ExitStack) -> BinaryIO:
    assert copy.file is not None
    with _file_errors(copy.file):
        return stack.enter_context(Path(copy.file).open("rb"))


def _of_file(copy: _Copy, stream: BinaryIO, now: int) -> Iterator[Message]:
    from mqsc.imports.qload import Position, read_qload

    place = 0
    for chunk in read_qload(stream, Position()):
        if chunk.fault:
            raise CommandFailedError(f"{copy.file}:{chunk.fault_line}: {chunk.fault}")
        for message in chunk.messages:
            place += 1
            if copy.selection.has(place, message.descriptor, now):
                yield message


def _writer(connection: Connection, copy: _Copy, stack: ExitStack) -> _Writer:
    """What puts a unit of messages on the queue, or writes it to the file, which are opened at
    once.
    """
    if copy.target is None:
        return _file_writer(connection.qmgr, copy, _opened_file(copy, stack))
    # Not a dynamic queue, which would be gone with its messages.
    handle = connection.open(copy.target, _PUT_OPEN, dynamic_name=None)
    return lambda messages: handle.put(messages, _PUT)


def _file_writer(qmgr: QueueManager, copy: _Copy, out: IO[str]) -> _Writer:
    from mqsc.imports.qload_output import heading, qload_lines

    assert copy.source is not None
    created = time.asctime(time.gmtime(qmgr.now() // MICROSECONDS))
    out.writelines(f"{line}\n" for line in heading(qmgr.name, copy.source, created))

    def write(messages: list[Message]) -> None:
        for message in messages:
            out.writelines(f"{line}\n" for line in qload_lines(message))
        out.flush()

    def write_safely(messages: list[Message]) -> None:
        with _file_errors(str(copy.file)):
            write(messages)
            os.fsync(out.fileno())

    return write if copy.file == _STDOUT else write_safely


def _opened_file(copy: _Copy, stack: ExitStack) -> IO[str]:
    assert copy.file is not None
    if copy.file == _STDOUT:
        return in_utf8(sys.stdout)
    with _file_errors(copy.file):
        mode = "w" if copy.replaces else "x"
        # A full disk is an error when the file is closed, too.
        stack.enter_context(_file_errors(copy.file))
        return stack.enter_context(open(copy.file, mode, encoding="utf-8", opener=_private))


def _private(path: str, flags: int) -> int:
    """Open a file; a new one is readable only by its owner, as the store is."""
    return os.open(path, flags, OWNER_ONLY)


@contextmanager
def _file_errors(path: str) -> Iterator[None]:
    try:
        yield
    except FileExistsError as error:
        raise CommandFailedError(f"File '{path}' already exists; -F replaces it.") from error
    except OSError as error:
        raise CommandFailedError(f"{path}: {error.strerror}") from error


def _write(
    connection: Connection,
    messages: Iterator[Message],
    write: _Writer,
    most: int,
    written: _Count,
) -> None:
    """Copy the messages in units of work: a message leaves its queue once its copy is safe."""
    while unit := [*islice(messages, most)]:
        write(unit)
        connection.commit()
        for message in unit:
            written.add(message)
