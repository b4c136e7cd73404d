"""The state of a queue manager elsewhere as a store of its own, on which the ordinary code runs
(targets §3).

Its definitions come from dmpmqcfg, its level and states from runmqsc, its messages from dmpmqmsg,
each called once, and the last two only if a command needs them.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path

import click
from msgspec.structs import replace

from mqsc.console.elsewhere import UnknownAttributes
from mqsc.console.options import Choices
from mqsc.console.terminal import printable
from mqsc.console.text.reasons import counted
from mqsc.grammar.lines import COMMAND_LENGTH, LogicalLine, logical_lines
from mqsc.grammar.tree import Parameter
from mqsc.imports.definitions import Declared, declare, without_copies
from mqsc.imports.loading import load_messages
from mqsc.imports.recognition import Imported, ImportFile, ImportOptions, Remark
from mqsc.language.foreign_secrets import without_secrets
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.language.secrets import masked
from mqsc.language.support import unsupported_here
from mqsc.plan import DEFINING
from mqsc.script import is_ending
from mqsc.scripts.declarations import keys_of
from mqsc.scripts.export import ExportCommand, shipped
from mqsc.scripts.export_output import one_line
from mqsc.scripts.planning import request_of
from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.user_accounts import set_mode
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.past.temporary_folders import temporary_folder
from mqsc.store.rules.authorization import ENFORCE
from mqsc.targets.calls import LIMIT_SECONDS
from mqsc.targets.copied_queue import set_arrivals, set_depth, set_states, taking_everything
from mqsc.targets.declared import target_named
from mqsc.targets.dump import Dump, dump_of
from mqsc.targets.facts import Facts, facts_of
from mqsc.targets.programs import read
from mqsc.targets.short_commands import shortened
from mqsc.targets.target import MOST_MESSAGES, Target, TargetError
from mqsc.targets.unknown_attributes import read_with_unknown
from mqsc.verbs import perform_request

_FILE = "target.db"
_CORRELATION = "DESTCORL"
# What identifiers that a queue manager makes begin with: AMQ.
_GENERATED = "414D51"
_MOST_REMARKS = 5
_LONGEST_REMARK = 300


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
        set_states(qmgr, self.facts.depths, self.facts.handles)

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
        with self._without_states(qmgr, queue), taking_everything(qmgr, queue):
            for outcome in load_messages("qload", [file], options):
                if outcome.refusal is not None:
                    raise outcome.refusal
                _inform_about(self.choices, "not in the copy", outcome.faults)
                if outcome.counts.get("message", 0) == self.most:
                    self.choices.inform(
                        f"mqsc: only the first {counted(self.most, 'message')} of {queue} were "
                        "read; --most reads more",
                    )
        set_arrivals(qmgr, queue, output.out)

    @contextmanager
    def _without_states(self, qmgr: QueueManager, name: str) -> Iterator[None]:
        """Let a queue have only the depth of its messages for the block, and then again the one
        that it has there.
        """
        if not self._has_states:
            yield
            return
        set_depth(qmgr, name, 0)
        try:
            yield
        finally:
            set_depth(qmgr, name, self.facts.depths.get(name, 0))

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
        """The definitions in the dump; notes what is not known here. TargetError for a command that
        cannot be read, unless dmpmqcfg has written it.
        """
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
                sentence = without_secrets(request.sentence)
                if not self.dump.is_dump:
                    raise TargetError(printable(f"{place}:{request.column}: {sentence}"))
                unread.append(masked(item.text.strip()))
                outcome.faults.append(Remark(f"{place}:{request.column}", sentence))
            elif unsupported_here(request):
                unread.append(masked(item.text.strip()))
            elif request.verb in DEFINING:
                if request.unknown:
                    unknown |= dict.fromkeys(keys_of(request), request.unknown)
                if self.dump.is_dump:
                    request = _without_generated(request)
                yield Declared(line, replace(request, place=place))
        self.unknown, self.unread = unknown, tuple(unread)

    def _accept(self, noun: str, parameter: Parameter) -> bool:
        self._words.add((noun, parameter.keyword))
        return True


def _without_generated(request: Request) -> Request:
    """The request without a DESTCORL that the queue manager made: no definition has it, and a
    subscription that is made anew gets another.
    """
    given = request.attributes
    if not str(given.get(_CORRELATION, "")).startswith(_GENERATED):
        return request
    kept = {word: value for word, value in given.items() if word != _CORRELATION}
    return replace(request, attributes=kept)


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
