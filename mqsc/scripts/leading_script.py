"""The MQSC that leads from the definitions of one queue manager to those of another.

Each command is tried on a copy of the first, in the order of an export: definitions before those
that name them, SET after DEFINE, DELETE last. What a command leaves different is compared again, so
that a record is set again that went with its object, and a command succeeds after others that it
depends on. What no command can change is left as a difference.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from msgspec import Struct, structs

from mqsc.language.refusal import CommandRefusal
from mqsc.language.reply import Answer
from mqsc.language.secrets import masked
from mqsc.plan import CHANGING, Action, Planned, Trial, net_changes
from mqsc.script import Answered, commands_in, read_request
from mqsc.scripts.declarations import record_of
from mqsc.scripts.export import (
    Definition,
    DefinitionKey,
    ExportCommand,
    attributes_to_write,
    can_be_altered,
    changed_words,
    definitions,
    kinds_in_order,
)
from mqsc.scripts.export_output import (
    COLUMNS,
    REMOVED_RIGHTS,
    command_lines,
    one_line as one_line_of,
)
from mqsc.scripts.planning import MOST_REPETITIONS, compared, dynamic_queues
from mqsc.scripts.selection import EVERYTHING, Selection
from mqsc.store.admin.records import list_of
from mqsc.store.catalog import Stored, defaults
from mqsc.store.client.api import QueueManager
from mqsc.store.client.plan_copy import tried_out

# Values that no state shows, by object: what is to be set, whatever is there.
Secrets = Mapping[DefinitionKey, Mapping[str, Stored]]
State = Mapping[DefinitionKey, Definition]


class LeadingScript(Struct, frozen=True):
    """The commands in their order, a row for each object that they change, and the commands that
    would change the rest but are refused, each with the answer that it gets.
    """

    commands: tuple[ExportCommand, ...]
    rows: tuple[Planned, ...]
    refused: tuple[tuple[ExportCommand, Answer], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether both states are the same."""
        return not (self.commands or self.refused)

    def lines(self, *, one_line: bool = False) -> Iterator[str]:
        """The commands without their secrets, in lines of at most 72 columns or with `one_line` a
        line each, and comments for what they leave out.
        """
        for command in map(without_secrets, self.commands):
            for line in command_lines(command, one_line=one_line):
                yield from _comment(line) if line.startswith("*") else (line,)
        for command, answer in self.refused:
            first = f"{answer.message_id}: {answer.text}".splitlines()[0]
            yield from _comment(f"* Left out: {one_line_of(command)}: {first}")


def without_secrets(command: ExportCommand) -> ExportCommand:
    """The command without the values of secrets, which it names instead."""
    rows = command.definition.kind.attributes
    secrets = [word for word in command.values if word in rows and rows[word].secret]
    if not secrets:
        return command
    values = {word: value for word, value in command.values.items() if word not in secrets}
    definition = command.definition
    named = structs.replace(definition, secrets=tuple(sorted({*secrets, *definition.secrets})))
    # An ALTER of secrets alone becomes a comment.
    is_left = command.verb != "ALTER" or not values.keys() <= {definition.kind.selector}
    return structs.replace(command, definition=named, values=values if is_left else {})


def _comment(line: str) -> list[str]:
    """A comment in lines of at most COLUMNS columns."""
    return textwrap.wrap(line, COLUMNS, subsequent_indent="* ")


def leading_script(
    before: QueueManager,
    after: QueueManager,
    selection: Selection = EVERYTHING,
    secrets: Secrets | None = None,
) -> LeadingScript:
    """The script that leads from the selected definitions of `before` to those of `after`.

    Neither is changed. Secrets are compared only by whether they are set; those in `secrets` are
    set in any case.
    """
    wanted = state_of(after, selection)
    with tried_out(before) as copy:
        attempt = _Attempt(before, copy, after)
        commands = [*differing(state_of(copy, selection), wanted, secrets or {})]
        # Programs made these, and will delete them.
        dynamic = dynamic_queues(before) if any(map(_deletes_queue, commands)) else ()
        for _ in range(MOST_REPETITIONS):
            kept = (
                each
                for each in commands
                if not _deletes_queue(each) or each.definition.name not in dynamic
            )
            if not attempt.perform(kept):
                break
            commands = [*differing(state_of(copy, selection), wanted, {})]
        return attempt.script()


def _deletes_queue(command: ExportCommand) -> bool:
    return command.verb == "DELETE" and command.definition.kind.keyword == "QLOCAL"


class _Attempt:
    """Performs commands on a copy of the first state, and remembers those that succeeded."""

    def __init__(self, before: QueueManager, copy: QueueManager, after: QueueManager) -> None:
        self._before, self._after = before, after
        self._trial = Trial(before, copy)
        self._commands: list[ExportCommand] = []
        self._rows: list[Planned] = []
        self._refused: list[tuple[ExportCommand, Answer]] = []

    def perform(self, commands: Iterable[ExportCommand]) -> bool:
        """Perform the commands; whether one succeeded, so that the states must be compared
        again.
        """
        self._refused = []
        succeeded = len(self._commands)
        for command in commands:
            text = one_line_of(command)
            (line,) = commands_in([text])
            request = read_request(line)
            answer = (
                request.answer(line, None)
                if isinstance(request, CommandRefusal)
                else self._trial.carry_out(request)
            )
            rows = [*self._trial.planned(Answered(None, 0, masked(text), answer))]
            if not any(row.action in CHANGING for row in rows):
                self._refused.append((command, answer))
                continue
            self._commands.append(command)
            self._rows += (_of_record(each, command.definition) for each in rows)
        return len(self._commands) > succeeded

    def script(self) -> LeadingScript:
        """What was performed so far."""
        net = net_changes(self._rows, partial(compared, self._before, self._after))
        rows = (row for row in net.values() if row.action is not Action.UNCHANGED)
        return LeadingScript(tuple(self._commands), tuple(rows), tuple(self._refused))


def _of_record(planned: Planned, definition: Definition) -> Planned:
    """The row with what tells the record from others, which the history says of a change only."""
    is_same = planned.type == definition.kind.keyword and planned.name == definition.name
    if not is_same or any(planned.record):
        return planned
    return structs.replace(planned, record=record_of(definition.kind, definition.values))


def state_of(
    qmgr: QueueManager, selection: Selection = EVERYTHING
) -> dict[DefinitionKey, Definition]:
    """The selected definitions by their keys, in an order in which they can be made."""
    return {
        each.key: each
        for kind in kinds_in_order()
        for each in definitions(qmgr, kind)
        if selection.has(kind.keyword, each.name)
    }


def differing(now: State, wanted: State, secrets: Secrets) -> Iterator[ExportCommand]:
    """The commands for the differences of two states, in the order in which to try them.

    Objects that are in the way of others of their name are deleted first, the rest last.
    """
    yield from _in_the_way(now, wanted)
    bringing = (
        command
        for key, definition in wanted.items()
        for command in _bringing(definition, now.get(key), (now, wanted), secrets.get(key, {}))
    )
    yield from sorted(bringing, key=_stage)
    gone = [definition for key, definition in reversed([*now.items()]) if key not in wanted]
    # Records go with their object: those that are left come after it.
    for definition in sorted(gone, key=lambda each: bool(each.kind.identity)):
        yield _command("DELETE", definition, {})


def _stage(command: ExportCommand) -> int:
    """When a command comes: first what a DEFINE starts from, and new objects before those that
    may name them.
    """
    definition = command.definition
    if definition.name and definition.name == definition.kind.default_object_of(definition.subtype):
        return 0
    return ("DEFINE", "ALTER", "SET").index(command.verb) + 1


def _bringing(
    definition: Definition,
    present: Definition | None,
    states: tuple[State, State],
    secret: Mapping[str, Stored],
) -> Iterator[ExportCommand]:
    """The command that brings an object or record to its definition, if it is not there yet."""
    if present is None or not _can_become(present, definition):
        values = {**_values_of_new(definition, *states), **secret}
        secrets_left = tuple(word for word in definition.secrets if word not in secret)
        made = structs.replace(definition, secrets=secrets_left)
        yield _command("SET" if definition.kind.identity else "DEFINE", made, values)
    elif (changed := changed_words(present, definition)) | secret.keys():
        yield _change(present, definition, changed, secret)


def _in_the_way(now: State, wanted: State) -> Iterator[ExportCommand]:
    """DELETE for objects that must be made anew, because no ALTER turns them into what is
    wanted.
    """
    for key, definition in now.items():
        if key in wanted and not _can_become(definition, wanted[key]):
            yield _command("DELETE", definition, {})


def _can_become(present: Definition, definition: Definition) -> bool:
    """Whether a command can change the one definition into the other."""
    if not present.is_like(definition):
        return False
    is_record = bool(definition.kind.identity)
    return is_record or can_be_altered(definition.kind, changed_words(present, definition))


def _values_of_new(definition: Definition, now: State, wanted: State) -> dict[str, Stored]:
    """The attributes of a DEFINE: those that differ from the default object as it is then."""
    kind, subtype = definition.kind, definition.subtype
    source = (kind.namespace_of(subtype), kind.default_object_of(subtype))
    start = wanted.get(source) or now.get(source)
    base = defaults(kind, subtype)
    if start is not None and start.key != definition.key and start.is_like(definition):
        base = {**base, **start.values}
    return attributes_to_write(definition, base)


def _change(
    present: Definition,
    definition: Definition,
    changed: Iterable[str],
    secret: Mapping[str, Stored],
) -> ExportCommand:
    kind = definition.kind
    # Those that are there already need no remark.
    definition = structs.replace(definition, secrets=())
    if kind.keyword == "AUTHREC":
        return _command("SET", definition, _rights(present, definition))
    if kind.identity:
        # SET CHLAUTH replaces a record as a whole.
        base = defaults(kind, definition.subtype)
        return _command("SET", definition, attributes_to_write(definition, base))
    named = {*changed, kind.selector} & definition.values.keys()
    return _command(
        "ALTER",
        definition,
        {**{word: definition.values[word] for word in named}, **secret},
    )


def _rights(present: Definition, definition: Definition) -> dict[str, Stored]:
    """The authorities to add and to remove, of which SET AUTHREC has a list each."""
    was, now = (list_of(each.values, "AUTHLIST") for each in (present, definition))
    added = [each for each in now if each not in was]
    removed = [each for each in was if each not in now]
    return {
        **({"AUTHLIST": added} if added else {}),
        **({REMOVED_RIGHTS: removed} if removed else {}),
    }


def _command(verb: str, definition: Definition, values: Mapping[str, Stored]) -> ExportCommand:
    of_group = {"QSGDISP": definition.disposition} if definition.disposition else {}
    return ExportCommand(verb, definition, {**values, **of_group}, repeatable=False)
