"""The state of a queue manager elsewhere as a store of its own, on which the ordinary code runs
(targets §3).

Its definitions come from dmpmqcfg, its level and states from runmqsc, its messages from dmpmqmsg,
each called once, and the last two only if a command needs them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import click
from msgspec import Struct
from msgspec.structs import replace

from mqsc.console.elsewhere import UnknownAttributes
from mqsc.console.options import Choices
from mqsc.console.terminal import printable
from mqsc.console.text.reasons import counted
from mqsc.grammar.lines import COMMAND_LENGTH, LogicalLine, logical_lines
from mqsc.grammar.tree import Parameter
from mqsc.imports.definition_events import Heading, heading_of
from mqsc.imports.definitions import Declared, declare, without_copies
from mqsc.imports.loading import load_messages
from mqsc.imports.qload import Position, read_qload
from mqsc.imports.recognition import Imported, ImportFile, ImportOptions, Remark
from mqsc.imports.source_text import LocalTimes
from mqsc.imports.transcript import shown_by
from mqsc.language.command_table import unsupported_here
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.language.secrets import masked, without_secrets
from mqsc.plan import DEFINING
from mqsc.script import is_ending
from mqsc.scripts.declarations import keys_of
from mqsc.scripts.export import ExportCommand, definitions, shipped
from mqsc.scripts.export_output import one_line
from mqsc.scripts.planning import request_of
from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.user_accounts import set_mode
from mqsc.store.catalog import KINDS
from mqsc.store.client.api import QueueManager, open_store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.descriptor import put_moment
from mqsc.store.engine import depth
from mqsc.store.headers import mqxqh
from mqsc.store.headers.layout import HeaderError
from mqsc.store.message import Message
from mqsc.store.past.as_of import temporary_folder
from mqsc.store.rules.authorization import ENFORCE
from mqsc.store.sql import messages, queues
from mqsc.store.sqlite.database import Transaction
from mqsc.targets.declared import target_named
from mqsc.targets.programs import LIMIT_SECONDS, read
from mqsc.targets.short_commands import shortened
from mqsc.targets.target import MOST_MESSAGES, Target, TargetError
from mqsc.targets.unknown_attributes import read_with_unknown
from mqsc.verbs import perform_request

_FILE = "target.db"
_LEVEL = re.compile(r"^\* Queue manager command level: *\((\d+)", re.MULTILINE)
_PLATFORM = re.compile(r"^\* Queue manager platform: *(\S+)", re.MULTILINE)
# What dmpmqcfg writes first and last.
_BEGIN, _END = "* Script", "* Script ended"
_MOST_REMARKS = 5
_LONGEST_REMARK = 300
_DEAD_LETTER = "MQDEAD"
# What could keep a message of the queue elsewhere from being put on the copy, or would have
# effects here that were had there long ago.
_OPENED = {
    "PUT": "ENABLED",
    "MAXDEPTH": 999_999_999,
    "MAXMSGL": 104_857_600,
    "TRIGGER": "NOTRIGGER",
    "STREAMQ": "",
}


class Facts(NamedTuple):
    """What runmqsc shows of a queue manager elsewhere: its level, version and platform (0 and
    blank if it does not say so), its dead-letter queue, the depth of each local queue, the number
    of its handles for input and output, and the status of each channel that has one.
    """

    level: int = 0
    version: str = ""
    platform: str = ""
    dead_letter_queue: str = ""
    depths: Mapping[str, int] = {}
    handles: Mapping[str, tuple[int, int]] = {}
    channels: Mapping[str, str] = {}


class Dump(Struct, frozen=True):
    """The output of dmpmqcfg, whole, and what its heading says."""

    content: bytes
    lines: Sequence[str]
    heading: Heading
    level: int = 0
    platform: str = ""


class TargetState:
    """A queue manager elsewhere, as it was read into the store of `choices`.

    `dump` is what dmpmqcfg wrote. `unknown` are the attributes that the catalog does not know,
    `unread` the commands of the dump that it does not know, as they are written.
    """

    def __init__(
        self,
        target: Target,
        choices: Choices,
        dump: Dump,
        *,
        most: int,
        can_call: bool,
    ) -> None:
        self.target = target
        # Whether IBM's programs can be called: not for a dump from a file.
        self.can_call = can_call
        self.dump = dump
        self.unknown: UnknownAttributes = {}
        self.unread: tuple[str, ...] = ()
        self.choices = choices._replace(elsewhere=self)
        self.most = most
        self._has_states = False
        self._brought = set[str]()
        # The nouns and keywords that are only known there.
        self._words = set[tuple[str, str]]()

    @property
    def level(self) -> int:
        """The command level; 0 if it is not known."""
        return self.dump.level or (self.facts.level if self.can_call else 0)

    @property
    def platform(self) -> str:
        """The platform in words of MQ, such as UNIX; blank if it is not known."""
        return self.dump.platform or (self.facts.platform if self.can_call else "")

    @cached_property
    def facts(self) -> Facts:
        """What runmqsc shows; read when it is first needed. TargetError if it cannot be called."""
        if not self.can_call:
            raise TargetError(f"{self.target.name} is a file, which does not say this")
        return facts_of(self.target)

    def read_request(self, line: LogicalLine) -> Request | CommandRefusal:
        """The request in a logical line of a file, which may have attributes that objects of the
        dump have.
        """
        return read_with_unknown(
            line,
            lambda noun, parameter: (noun, parameter.keyword) in self._words,
        )

    def bring_messages(self, qmgr: QueueManager, pattern: str) -> None:
        """Copy the messages of a queue, or of those with messages that a generic name selects.

        TargetError if dmpmqmsg cannot be called.
        """
        for queue in self._queues(qmgr, pattern):
            if queue not in self._brought:
                self._brought.add(queue)
                self._bring(qmgr, queue)

    def bring_states(self, qmgr: QueueManager) -> None:
        """Set depths and handles as they are there, once: without them it would not be known
        whether a queue is full, or in use. Nothing for a dump from a file.

        A queue whose messages are not brought has a depth, and no messages.
        """
        if self._has_states or not self.can_call:
            return
        self._has_states = True
        with Transaction(qmgr.store.database, durable=False) as tx:
            for name, handles in self.facts.handles.items():
                queue = queues.by_name(tx, qmgr.name, name)
                if queue is not None:
                    for_input, for_output = handles
                    queues.count_handles(tx, queue.id, qmgr.name, for_input, 0, for_output)
                    depth.corrected(tx, queue.id, self.facts.depths[name] - queue.depth)

    def _queues(self, qmgr: QueueManager, pattern: str) -> list[str]:
        names = [str(each["QUEUE"]) for each in inquire(qmgr, (KINDS["QLOCAL"],), pattern)]
        if pattern.endswith("*"):
            return [name for name in names if self.facts.depths.get(name)]
        aliases = inquire(qmgr, (KINDS["QALIAS"],), pattern)
        return names or [str(each["TARGET"]) for each in aliases if each["TARGET"]]

    def _bring(self, qmgr: QueueManager, queue: str) -> None:
        if not self.can_call:
            raise TargetError(
                f"{self.target.name} has definitions and no messages; name a target with --on",
            )
        output = read(self.target, "messages", queue=queue, most=self.most)
        file = ImportFile(f"{self.target.name}: {queue}", partial(io.BytesIO, output.out))
        options = ImportOptions(
            self.choices,
            keep_going=True,
            queue=queue,
            store=qmgr.store,
        )
        with self._without_states(qmgr, queue), _taking_everything(qmgr, queue):
            for outcome in load_messages("qload", [file], options):
                if outcome.refusal is not None:
                    raise outcome.refusal
                _inform_about(self.choices, "not in the copy", outcome.faults)
                if outcome.counts.get("message", 0) == self.most:
                    self.choices.inform(
                        f"mqsc: only the first {counted(self.most, 'message')} of {queue} were "
                        "read; --most reads more",
                    )
        _set_arrivals(qmgr, queue, output.out)

    @contextmanager
    def _without_states(self, qmgr: QueueManager, name: str) -> Iterator[None]:
        """Let a queue have only the depth of its messages for the block, and then again the one
        that it has there.
        """
        if not self._has_states:
            yield
            return
        _set_depth(qmgr, name, 0)
        try:
            yield
        finally:
            _set_depth(qmgr, name, self.facts.depths.get(name, 0))

    def take(self, qmgr: QueueManager) -> None:
        """Bring the definitions of the dump about in the copy, where authorities are enforced as
        everywhere.
        """
        set_mode(qmgr, ENFORCE)
        outcome = Imported(self.target.name, "dmpmqcfg", qmgr.name)
        # A DEFINE starts from the default object as it is there.
        in_order = sorted(self._declared(outcome), key=lambda each: not _is_default(each.request))
        declared = without_copies(in_order, outcome)
        options = ImportOptions(
            self.choices,
            keep_going=True,
            skip_unsupported=True,
            store=qmgr.store,
        )
        _inform_about(self.choices, "kept as it is written", outcome.faults)
        outcome.faults = []
        declare(outcome, declared, options)
        if self.dump.heading.command:
            _remove_others(qmgr, declared)
        _inform_about(self.choices, "not in the copy", outcome.faults)

    def _declared(self, outcome: Imported) -> Iterator[Declared]:
        """The definitions in the dump; notes what is not known here."""
        unknown: dict[tuple[str, ...], Mapping[str, str]] = {}
        unread = list[str]()
        for item in logical_lines(shortened(self.dump.lines), limited=False):
            if not isinstance(item, LogicalLine) or is_ending(item):
                continue
            line = item.source[0].number
            place = f"{outcome.file}:{line}"
            if len(item.text) > COMMAND_LENGTH:
                sentence = f"left out: a command has at most {COMMAND_LENGTH} characters"
                outcome.faults.append(Remark(place, sentence))
                continue
            request = read_with_unknown(item, self._accept)
            if isinstance(request, CommandRefusal):
                unread.append(masked(item.text.strip()))
                sentence = without_secrets(request.sentence)
                outcome.faults.append(Remark(f"{place}:{request.column}", sentence))
            elif unsupported_here(request):
                unread.append(masked(item.text.strip()))
            elif request.verb in DEFINING:
                if request.unknown:
                    unknown |= dict.fromkeys(keys_of(request), request.unknown)
                yield Declared(line, replace(request, place=place))
        self.unknown, self.unread = unknown, tuple(unread)

    def _accept(self, noun: str, parameter: Parameter) -> bool:
        self._words.add((noun, parameter.keyword))
        return True


def _is_default(request: Request) -> bool:
    """Whether the command defines a default object."""
    kind = request.kinds[0]
    subtype = str(request.attributes.get(kind.selector, ""))
    return bool(request.name) and request.name == kind.default_object_of(subtype)


def _inform_about(choices: Choices, what: str, remarks: Sequence[Remark]) -> None:
    """Say on stderr `what` became of parts of a dump that are not known, or refused, here."""
    for remark in remarks[:_MOST_REMARKS]:
        sentence = printable(without_secrets(f"{remark.place}: {remark.sentence}"))
        choices.inform(f"mqsc: {what}: {sentence[:_LONGEST_REMARK]}")
    if len(remarks) > _MOST_REMARKS:
        choices.inform(f"mqsc: {what}: {len(remarks) - _MOST_REMARKS} more")


def _remove_others(qmgr: QueueManager, declared: Sequence[Declared]) -> None:
    """Remove the records of a new queue manager that the dump does not have."""
    named = {key for each in declared for key in keys_of(each.request)}
    with qmgr.store.database.one_transaction():
        for record in shipped().values():
            if record.kind.identity and record.key not in named:
                perform_request(qmgr, request_of(one_line(ExportCommand("DELETE", record, {}))))


@contextmanager
def _taking_everything(qmgr: QueueManager, queue: str) -> Iterator[None]:
    """Let a queue of the copy take any message for the block."""
    kind = KINDS["QLOCAL"]
    definition = next(definitions(qmgr, kind, queue), None)
    if definition is None:
        yield
        return
    before = {word: definition.values[word] for word in _OPENED}
    _alter(qmgr, queue, _OPENED)
    try:
        yield
    finally:
        _alter(qmgr, queue, before)


def _set_arrivals(qmgr: QueueManager, name: str, content: bytes) -> None:
    """Set when the messages came to the queue, as far as they say it: to hundredths of a second."""
    with Transaction(qmgr.store.database, durable=False) as tx:
        queue = queues.by_name(tx, qmgr.name, name)
        if queue is None:
            return
        for read_messages in read_qload(io.BytesIO(content), Position()):
            for message in read_messages.messages:
                arrived = _arrival(message)
                if arrived is not None:
                    messages.set_put_at(tx, queue.id, message.descriptor.msg_id, arrived)


def _arrival(message: Message) -> int | None:
    """When a message was put: a dead letter by its dead-letter header, because its context is that
    of the first put.
    """
    descriptor = message.descriptor
    if descriptor.format.strip() == _DEAD_LETTER:
        try:
            header = mqxqh.unpack_mqdlh(
                message.body,
                descriptor.encoding,
                descriptor.coded_char_set_id,
            )
        except HeaderError:
            pass
        else:
            return put_moment(header.put_date, header.put_time)
    return put_moment(descriptor.put_date, descriptor.put_time)


def _set_depth(qmgr: QueueManager, name: str, number: int) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        queue = queues.by_name(tx, qmgr.name, name)
        if queue is not None:
            depth.corrected(tx, queue.id, number - queue.depth)


def _alter(qmgr: QueueManager, queue: str, values: Mapping[str, object]) -> None:
    answer = perform_request(
        qmgr,
        Request("ALTER", "QLOCAL", (KINDS["QLOCAL"],), queue, dict(values)),  # type: ignore[arg-type]
    )
    assert answer.completion != 2, answer.text


# Reading.


def target_of(
    choices: Choices,
    on: str | None,
    from_file: Path | None,
    beside: Sequence[str] = (),
) -> Target:
    """The target that --on names; for --from-file alone, one for the queue manager of -m or of
    the file.
    """
    if on is not None:
        if choices.store is not None:
            raise click.UsageError("--store and --on cannot be used together")
        target = target_named(on, beside)
        if choices.qmgr not in (None, target.queue_manager):
            raise click.UsageError(
                f"{on} is the queue manager {target.queue_manager}; leave -m {choices.qmgr} out",
            )
        return target
    return Target(str(from_file), choices.qmgr or "")


def dump_of(
    target: Target,
    from_file: Path | None = None,
    limit_seconds: float = LIMIT_SECONDS,
) -> Dump:
    """The dump of a target, from dmpmqcfg or from a file; TargetError if it is none, or not
    whole.
    """
    if from_file is None:
        content = read(target, "definitions", limit_seconds=limit_seconds).out
    else:
        try:
            content = from_file.read_bytes()
        except OSError as error:
            raise TargetError(f"{from_file}: {error.strerror}") from error
    text = content.decode("utf-8", "surrogateescape")
    lines = [line.rstrip("\r") for line in text.split("\n")]
    # Other files may have definitions that nobody dumped.
    is_dump = from_file is None or text.lstrip().startswith(_BEGIN)
    if is_dump and not any(line.startswith(_END) for line in reversed(lines)):
        raise TargetError(
            f"{target.name}: the dump was cut, or is none: its last lines ({_END}) are missing",
        )
    heading = heading_of(lines, LocalTimes())
    level, platform = _LEVEL.search(text), _PLATFORM.search(text)
    if target.queue_manager and heading.qmgr not in ("", target.queue_manager):
        raise TargetError(
            f"{target.name}: the dump is of {printable(heading.qmgr)}, not of "
            f"{target.queue_manager}",
        )
    return Dump(
        content,
        lines,
        heading,
        int(level[1]) if level else 0,
        platform[1] if platform else "",
    )


@contextmanager
def read_target(
    choices: Choices,
    target: Target,
    from_file: Path | None = None,
    *,
    most: int = MOST_MESSAGES,
    limit_seconds: float = LIMIT_SECONDS,
) -> Iterator[TargetState]:
    """The state of a target, for the block; TargetError if it cannot be read."""
    dump = dump_of(target, from_file, limit_seconds)
    with state_of(choices, target, dump, most=most, can_call=from_file is None) as state:
        yield state


@contextmanager
def state_of(
    choices: Choices,
    target: Target,
    dump: Dump,
    *,
    most: int = MOST_MESSAGES,
    can_call: bool = True,
) -> Iterator[TargetState]:
    """The state that a dump has, in a store that is removed at the end of the block."""
    name = target.queue_manager or dump.heading.qmgr
    if not name:
        raise TargetError(
            f"{target.name} does not say which queue manager it is of; name it with -m",
        )
    with temporary_folder() as folder:
        url = url_of_file(folder / _FILE)
        copy = choices._replace(store=url, qmgr=name, user="")
        state = TargetState(target, copy, dump, most=most, can_call=can_call)
        with open_store(url, create=True) as store:
            state.take(store.create_queue_manager(name))
        yield state


def facts_of(target: Target, limit_seconds: float = LIMIT_SECONDS) -> Facts:
    """What runmqsc shows of a target; TargetError if it cannot be called."""
    output = read(target, "state", limit_seconds=limit_seconds)
    queues = dict[str, Mapping[str, str]]()
    channels = dict[str, str]()
    manager: Mapping[str, str] = {}
    text = output.out.decode("utf-8", "replace")
    for shown in shown_by(iter(text.splitlines())):
        word = next(iter(shown.values), "")
        if word == "QMNAME":
            manager = shown.values
        elif word == "QUEUE":
            queues[shown.name] = shown.values
        elif "STATUS" in shown.values:
            channels[shown.name] = shown.values["STATUS"]
    if not manager:
        raise TargetError(
            f"{target.name}: runmqsc shows nothing of {target.queue_manager}{_refusal(text)}",
        )
    return Facts(
        _number(manager.get("CMDLEVEL", "")),
        manager.get("VERSION", ""),
        manager.get("PLATFORM", ""),
        manager.get("DEADQ", ""),
        {name: _number(values.get("CURDEPTH", "")) for name, values in queues.items()},
        {
            name: (_number(values.get("IPPROCS", "")), _number(values.get("OPPROCS", "")))
            for name, values in queues.items()
        },
        channels,
    )


_MESSAGE = re.compile(r"^(AMQ\d{4}[A-Z]?: .*|.*\bCSQ\w+ .*)$", re.MULTILINE)


def _refusal(text: str) -> str:
    found = _MESSAGE.search(text)
    return f": {printable(found[1])[:_LONGEST_REMARK]}" if found else ""


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
