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

from mqsc.console.elsewhere import UnknownAttributes
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
    Lines,
    command_lines,
    one_line as one_line_of,
)
from mqsc.scripts.planning import MOST_REPETITIONS, compared, dynamic_queues
from mqsc.scripts.selection import EVERYTHING, Selection
from mqsc.store.admin.records import list_of
from mqsc.store.catalog import Stored, defaults
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.client.queue_manager import QueueManager

State = Mapping[DefinitionKey, Definition]


class Given(Struct, frozen=True):
    """What the two states do not show, by definition: `secrets` to set, whatever is there, and the
    attributes that the catalog does not know, before and after.
    """

    secrets: Mapping[DefinitionKey, Mapping[str, Stored]] = {}
    unknown_before: UnknownAttributes = {}
    unknown_after: UnknownAttributes = {}


NOTHING = Given()


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
            for line in command_lines(command, Lines.ONE if one_line else Lines.SHORT):
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
    given: Given | None = None,
) -> LeadingScript:
    """The script that leads from the selected definitions of `before` to those of `after`, with
    what is `given` beside them.

    Neither is changed. Secrets are compared only by whether they are set.
    """
    wanted = state_of(after, selection)
    with tried_out(before) as copy:
        attempt = _Attempt(before, copy, after)
        given = given or NOTHING
        commands = [*differing(state_of(copy, selection), wanted, given)]
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
            # The rest of what is given was set by then.
            given = Given(unknown_before=given.unknown_after, unknown_after=given.unknown_after)
            commands = [*differing(state_of(copy, selection), wanted, given)]
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
            text = one_line_of(structs.replace(command, unknown={}))
            (line,) = commands_in([text])
            request = read_request(line)
            answer = (
                request.answer(line, None)
                if isinstance(request, CommandRefusal)
                else self._trial.carry_out(request)
            )
            rows = [*self._trial.planned(Answered(None, 0, masked(text), answer))]
            if not (command.unknown or any(row.action in CHANGING for row in rows)):
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


def differing(now: State, wanted: State, given: Given) -> Iterator[ExportCommand]:
    """The commands for the differences of two states, in the order in which to try them.

    Objects that are in the way of others of their name are deleted first, the rest last.
    """
    in_the_way = [
        present
        for key, present in now.items()
        if key in wanted and not _can_become(present, wanted[key])
    ]
    # What others start from makes way only after them.
    late = {present.key for present in in_the_way if _is_default(present)}
    for present in in_the_way:
        if present.key not in late:
            yield _command("DELETE", present, {})
    bringing = [
        (key in late, command)
        for key, definition in wanted.items()
        for command in _bringing(definition, now.get(key), (now, wanted), given)
    ]
    yield from sorted((command for is_late, command in bringing if not is_late), key=_stage)
    gone = [definition for key, definition in reversed([*now.items()]) if key not in wanted]
    # Records go with their object: those that are left come after it.
    for definition in sorted(gone, key=lambda each: bool(each.kind.identity)):
        yield _command("DELETE", definition, {})
    for is_late, command in bringing:
        if is_late:
            yield _command("DELETE", now[command.definition.key], {})
            yield command


def _is_default(definition: Definition) -> bool:
    """Whether a DEFINE without LIKE starts from the object."""
    default = definition.kind.default_object_of(definition.subtype)
    return bool(definition.name) and definition.name == default


def _stage(command: ExportCommand) -> int:
    """When a command comes: first what a DEFINE starts from, and new objects before those that
    may name them.
    """
    if _is_default(command.definition):
        return 0
    return ("DEFINE", "ALTER", "SET").index(command.verb) + 1


def _bringing(
    definition: Definition,
    present: Definition | None,
    states: tuple[State, State],
    given: Given,
) -> Iterator[ExportCommand]:
    """The command that brings an object or record to its definition, if it is not there yet."""
    secret = given.secrets.get(definition.key, {})
    unknown = given.unknown_after.get(definition.key, {})
    if present is None or not _can_become(present, definition):
        values = {**_values_of_new(definition, *states), **secret}
        secrets_left = tuple(word for word in definition.secrets if word not in secret)
        made = structs.replace(definition, secrets=secrets_left)
        verb = "SET" if definition.kind.identity else "DEFINE"
        yield structs.replace(_command(verb, made, values), unknown=unknown)
        return
    known = given.unknown_before.get(definition.key, {})
    unknown = {word: text for word, text in unknown.items() if known.get(word) != text}
    changed = changed_words(present, definition)
    if changed or secret or unknown:
        yield structs.replace(_change(present, definition, changed, secret), unknown=unknown)


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
