"""Definitions: scripts of dmpmqcfg in all its forms, of CSQUTIL, and initialization data sets of
z/OS (import §6).

The commands declare definitions, as for `mqsc apply`: importing them again changes nothing. All are
performed in one transaction. What is no definition, is not supported or has no effect here is
listed with the reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from mqsc.console.target import (
    FIRST_QUEUE_MANAGER,
    has_had_queue_manager,
    running,
    unknown_queue_manager,
)
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.imports.authority_commands import with_authorities_as_mqsc
from mqsc.imports.data_sets import records_of
from mqsc.imports.definition_events import defined_in, heading_of, oldest_first, record_past
from mqsc.imports.destination import (
    COPY,
    check_store_of_named,
    destination,
    name_here,
    planned_or_done,
)
from mqsc.imports.recognition import Imported, ImportFile, ImportOptions, Remark
from mqsc.language.hidden_secrets import as_declaration
from mqsc.language.inert import remarks
from mqsc.language.refusal import CommandRefusal
from mqsc.language.reply import Answer
from mqsc.language.request import Request, same_namespace
from mqsc.language.secrets import secret_keywords, without_secrets_of
from mqsc.language.support import unsupported_here
from mqsc.plan import DEFINING
from mqsc.script import is_ending, read_request
from mqsc.scripts.declarations import Declarations, is_absent, keys_of
from mqsc.scripts.planning import MOST_REPETITIONS, NOT_A_DEFINITION, request_of
from mqsc.store.admin.known_names import defined_names
from mqsc.store.client.plan_copy import DefinitionChange
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRCCF
from mqsc.verbs import perform_request


class Declared(NamedTuple):
    """A command with its place in the file."""

    line: int
    request: Request


class _NotKeptError(Exception):
    """Rolls a transaction back: a command was refused, or changed nothing."""


def import_definitions(
    format: str,
    files: Sequence[ImportFile],
    options: ImportOptions,
) -> Iterator[Imported]:
    """Import scripts of dmpmqcfg and others (MQSC, setmqaut, GRTMQMAUT), or output of CSQUTIL
    and data sets of z/OS.
    """
    check_store_of_named(options)
    return planned_or_done(options, partial(_imported, format, oldest_first(files, options.times)))


def _imported(
    format: str,
    files: Sequence[ImportFile],
    options: ImportOptions,
) -> Iterator[Imported]:
    for file in files:
        with file.opened() as stream:
            content = stream.read()
        if format == "zos":
            # Without job control and the statements of CSQUTIL.
            lines = ["" if _STATEMENT.match(line) else line for line in records_of(content)]
        else:
            lines = [
                line.rstrip("\r\n")
                for line in content.decode("utf-8", "surrogateescape").split("\n")
            ]
        heading = heading_of(lines, options.times)
        outcome = Imported(file.name, format, heading.qmgr)
        if "dmpmqcfg" in heading.command and "-a" not in heading.command.split():
            sentence = (
                "dumped without -a: attributes that were at their defaults get the defaults of "
                "this level"
            )
            outcome.remarks.append(Remark(outcome.file, sentence))
        requests = without_copies(
            [*_requests(outcome, _readable(outcome, lines), options)],
            outcome,
        )
        declare(outcome, requests, options)
        # Under another name it is a script, which says nothing about that queue manager's past.
        is_whole = not outcome.faults and not file.damage
        if (
            heading.is_of_dump
            and is_whole
            and heading.qmgr in (outcome.qmgr, outcome.qmgr.removesuffix(COPY))
        ):
            past = Imported(file.name, format)
            definitions = defined_in(requests, lines, options.times)
            is_ended = any(line.startswith("* Script ended on ") for line in lines)
            kept = replace(options, defined=frozenset((outcome.qmgr,)))
            record_past(heading, is_ended, definitions, past, kept)
            if past.counts:
                yield past
        yield outcome


# Job control, and the statements of CSQUTIL.
_STATEMENT = re.compile(r"//|/\*|\s*COMMAND\s+DDNAME|\s*SDEFS\b")
_BEGINNING = re.compile(
    r"\s*(?!@?rem\b)(?:\*|[A-Z]+\s+[A-Z]|(?:\S*[\\/@])?(?:setmqaut|grtmqmaut)\b)",
    re.IGNORECASE,
)
# Sequence numbers and dates that IBM i puts before the lines of a source member.
_SEQUENCE = re.compile(r"\d{12}")
# A line of a dump may be longer than any message.
_LONGEST_SENTENCE = 1000


def _readable(outcome: Imported, lines: list[str]) -> Iterator[str]:
    """The lines with commands of other shells as MQSC, without sequence numbers and what
    precedes the first command.
    """
    written = [line for line in lines if line.strip()]
    if written and all(map(_SEQUENCE.match, written)):
        lines = [line[12:] for line in lines]
    first = next((number for number, line in enumerate(lines) if _BEGINNING.match(line)), 0)
    if any(line.strip() for line in lines[:first]):
        outcome.remarks.append(
            Remark(f"{outcome.file}:1", "what precedes the first command is left out"),
        )
    text = "\n" * first + "\n".join(lines[first:])
    yield from with_authorities_as_mqsc(text).split("\n")


def without_copies(requests: list[Declared], outcome: Imported) -> list[Declared]:
    """The requests without the copies of objects whose GROUP object is there too."""
    of_group = {
        declared.request.name
        for declared in requests
        if declared.request.options.get("QSGDISP") == "GROUP"
    }
    kept = []
    for declared in requests:
        if declared.request.options.get("QSGDISP") == "COPY" and declared.request.name in of_group:
            outcome.remarks.append(
                _remark(outcome, declared, "the copy of a GROUP object is made from that object"),
            )
        else:
            kept.append(declared)
    return kept


# Commands as declarations.


def import_commands(
    outcome: Imported,
    commands: Iterable[tuple[int, str]],
    options: ImportOptions,
) -> None:
    """Bring about the definitions of commands, each with the line that it comes from; as
    `declare`.
    """
    requests = list[Declared]()
    for line, text in commands:
        read = Imported(outcome.file, outcome.format)
        declared_here = [*_requests(read, (text,), options)]
        place = f"{outcome.file}:{line}"
        requests += (Declared(line, replace(each.request, place=place)) for each in declared_here)
        outcome.faults += (replace(fault, place=place) for fault in read.faults)
        outcome.remarks += (replace(remark, place=place) for remark in read.remarks)
    declare(outcome, requests, options)


def _requests(
    outcome: Imported,
    lines: Iterable[str],
    options: ImportOptions,
) -> Iterator[Declared]:
    """The definitions among the commands; notes the others."""
    for item in logical_lines(lines, limited=False):
        if not isinstance(item, LogicalLine) or is_ending(item):
            continue
        line, request = item.source[0].number, read_request(item)
        if isinstance(request, CommandRefusal):
            sentence = without_secrets_of(item.text, request.sentence)
            sentence = (
                sentence
                if len(sentence) <= _LONGEST_SENTENCE
                else f"{sentence[:_LONGEST_SENTENCE]}…"
            )
            outcome.faults.append(
                Remark(f"{outcome.file}:{request.line}:{request.column}", sentence),
            )
            continue
        placed = replace(as_declaration(request), place=f"{outcome.file}:{line}")
        declared = Declared(line, placed)
        left_out = "" if request.verb in DEFINING else NOT_A_DEFINITION
        unsupported = unsupported_here(request)
        if unsupported and not options.skip_unsupported:
            outcome.faults.append(
                _remark(outcome, declared, f"{unsupported}; --skip-unsupported leaves it out"),
            )
        elif unsupported or left_out:
            outcome.remarks.append(
                _remark(outcome, declared, f"left out: {unsupported or left_out}"),
            )
        else:
            yield declared


def _remark(outcome: Imported, declared: Declared, sentence: str) -> Remark:
    request = declared.request
    named = f"({request.name})" if request.name else ""
    return Remark(
        f"{outcome.file}:{declared.line}",
        f"{request.verb} {request.noun}{named}: {sentence}",
    )


def said(answer: Answer) -> str:
    """The first line of an answer with its message."""
    return f"{answer.message_id}: {answer.text}".split("\n")[0]


def declare(outcome: Imported, requests: Sequence[Declared], options: ImportOptions) -> None:
    """Bring the definitions about, all or none; with `keep_going` all that are not refused.

    The queue manager is the one that was chosen, else the one that the file names, which is created
    if need be.
    """
    if outcome.faults and not options.keep_going:
        outcome.stopped = f"{outcome.file}:1"
        return
    _note_what_has_no_effect(outcome, requests)
    with destination(options) as store:
        try:
            with store.database.one_transaction():
                named, qmgr = outcome.qmgr, _queue_manager(options, store, outcome)
                _bring_about(
                    qmgr,
                    outcome,
                    requests,
                    mirrored=named in (qmgr.name, qmgr.name.removesuffix(COPY)),
                )
                if outcome.faults and not options.keep_going:
                    raise _NotKeptError
        except _NotKeptError:
            outcome.counts, outcome.stopped = {}, f"{outcome.file}:1"


def _note_what_has_no_effect(outcome: Imported, requests: Iterable[Declared]) -> None:
    """One remark for each reason, at its first place, with the number of further ones."""
    without_effect: dict[tuple[str, str], list[Declared]] = {}
    for declared in requests:
        for keyword, sentence in remarks(declared.request):
            # Behind the name of a secret, all output has asterisks.
            named = "" if keyword in secret_keywords() else keyword
            subject = f"{declared.request.noun} {named}".rstrip()
            without_effect.setdefault((subject, sentence), []).append(declared)
    for (word, sentence), places in without_effect.items():
        more = f" ({len(places) - 1} more)" if len(places) > 1 else ""
        outcome.remarks.append(
            Remark(f"{outcome.file}:{places[0].line}", f"{word}: {sentence}{more}"),
        )


def _queue_manager(options: ImportOptions, store: Store, outcome: Imported) -> QueueManager:
    """The queue manager of the outcome; CommandFailedError if one was chosen that does not
    exist.
    """
    names = [row.name for row in store.queue_managers()]
    chosen = options.choices.qmgr_name()
    if chosen and chosen not in names:
        raise unknown_queue_manager(chosen)
    wanted = chosen or name_here(store, outcome.qmgr)
    if wanted != (chosen or outcome.qmgr):
        sentence = (
            f"the history has imported events of {outcome.qmgr}, so its definitions are those of "
            f"{wanted} here"
        )
        outcome.remarks.append(Remark(outcome.file, sentence))
    if not wanted and not has_had_queue_manager(store):
        wanted = FIRST_QUEUE_MANAGER
    if wanted and wanted not in names:
        outcome.counts["queue manager created"] = 1
        qmgr = store.create_queue_manager(wanted)
    else:
        qmgr = running(store.queue_manager(wanted))
    outcome.qmgr = qmgr.name
    return qmgr


def _bring_about(
    qmgr: QueueManager,
    outcome: Imported,
    requests: Sequence[Declared],
    *,
    mirrored: bool,
) -> None:
    """Perform the declarations, those that need others once more after these; count what changed.

    If they are `mirrored`, those of the queue manager itself, an object may take the place of one
    of another type.
    """
    from mqsc.store.client.plan_copy import changes_since, last_change

    declarations = Declarations([declared.request for declared in requests])
    start = last_change(qmgr)
    todo = [
        Declared(declared.line, declaration)
        for declared in requests
        if (declaration := _declaration(declarations, declared.request))
    ]
    times = Counter(
        key
        for declared in requests
        if declared.request.verb == "DEFINE"
        for key in keys_of(declared.request)
    )
    performer, refused = _Performer(qmgr), list[tuple[Declared, Answer]]()
    for _ in range(MOST_REPETITIONS):
        answers = [(declared, performer.execute(declared.request)) for declared in todo]
        for at, (declared, answer) in enumerate(answers):
            if (
                mirrored
                and answer.reason == MQRCCF.OBJECT_WRONG_TYPE
                and times[keys_of(declared.request)[0]] == 1
            ):
                answers[at] = declared, performer.replace(declared.request, answer)
        refused = [
            pair
            for pair in answers
            if pair[1].completion == 2 and not is_absent(pair[0].request, pair[1])
        ]
        if not refused or len(refused) == len(todo):
            break
        todo = [declared for declared, _ in refused]
    for declared, answer in refused:
        if (
            answer.reason == MQRCCF.OBJECT_ALREADY_EXISTS
            and declared.request.options.get("REPLACE") == "NOREPLACE"
        ):
            outcome.remarks.append(
                _remark(outcome, declared, "left out: it exists, and NOREPLACE keeps it"),
            )
        else:
            outcome.faults.append(_remark(outcome, declared, said(answer)))
    _count(outcome, requests, filter(_is_change, changes_since(qmgr, start)))


class _Performer:
    """Performs commands; of one that changes nothing, not even the history has anything."""

    def __init__(self, qmgr: QueueManager) -> None:
        self._qmgr = qmgr
        # By namespace, the names that have an object.
        self._names: dict[str, set[str]] = {}
        # The last event, if no command was kept since that was read.
        self._last: int | None = None

    def execute(self, request: Request) -> Answer:
        """Perform a command."""
        from mqsc.store.client.plan_copy import changes_since, last_change

        last, self._last = self._last, None
        if self._is_new(request):
            return perform_request(self._qmgr, request)
        last = last_change(self._qmgr) if last is None else last
        with suppress(_NotKeptError), self._qmgr.store.database.one_transaction():
            answer = perform_request(self._qmgr, request)
            if answer.completion != 2 and not any(map(_is_change, changes_since(self._qmgr, last))):
                self._last = last
                raise _NotKeptError
        return answer

    def replace(self, request: Request, refused: Answer) -> Answer:
        """Perform a refused command after the deletion of the object of another type, if that
        can be deleted.
        """
        answer = refused
        with suppress(_NotKeptError), self._qmgr.store.database.one_transaction():
            commands = (
                f"DELETE {kind.keyword}('{request.name}')" for kind in same_namespace(request.kind)
            )
            if any(
                perform_request(self._qmgr, request_of(command)).completion != 2
                for command in commands
            ):
                answer = perform_request(self._qmgr, request)
            if answer.completion == 2:
                raise _NotKeptError
        return answer

    def _is_new(self, request: Request) -> bool:
        """Whether the command creates an object, if it succeeds."""
        if request.verb != "DEFINE" or "QSGDISP" in request.options:
            return False
        namespace = request.kind.namespace_of(
            str(request.attributes.get(request.kind.selector, ""))
        )
        if namespace not in self._names:
            self._names[namespace] = {*defined_names(self._qmgr.store, self._qmgr.name, namespace)}
        is_new = request.name not in self._names[namespace]
        self._names[namespace].add(request.name)
        return is_new


def _is_change(change: DefinitionChange) -> bool:
    """Whether it is one; of a secret that is given again, the history does not say whether it is
    the same.
    """
    return change.event in ("DEFINE", "DELETE") or any(
        old != new for old, new in change.values.values()
    )


def _declaration(declarations: Declarations, request: Request) -> Request | None:
    """The command that succeeds again; DEFINE NOREPLACE, which MAKEDEF writes, only creates."""
    declaration = declarations.declaration(request)
    return request if declaration and request.options.get("REPLACE") == "NOREPLACE" else declaration


def _count(
    outcome: Imported,
    requests: Iterable[Declared],
    changes: Iterable[DefinitionChange],
) -> None:
    created, changed = set[tuple[str, ...]](), set[tuple[str, ...]]()
    for change in changes:
        is_new = change.event == "DEFINE" or (
            change.event == "SET" and all(old is None for old, _ in change.values.values())
        )
        (created if is_new else changed).add(
            (change.type, change.name, change.disposition, *change.record)
        )
    named = len({key for declared in requests for key in keys_of(declared.request)})
    unchanged = max(0, named - len(created | changed))
    counts = {"created": len(created), "changed": len(changed - created), "unchanged": unchanged}
    outcome.counts |= {word: number for word, number in counts.items() if number}
