"""Plans in files: what `apply --out` writes, with the state that the plan was made for, and what
changed since.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct, structs

from mqsc.console.target import NothingRunError
from mqsc.grammar.lines import LogicalLine, SourceLine
from mqsc.language.hidden_secrets import as_declaration
from mqsc.language.refusal import CommandRefusal
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.language.secrets import HIDDEN
from mqsc.plan import CHANGING, Action, Changes, Planned
from mqsc.script import Answered, read_request
from mqsc.scripts.declarations import keys_of, record_of, source_of
from mqsc.scripts.export import Definition, DefinitionKey, definitions, key_of, kinds_in_order
from mqsc.scripts.plan_output import as_row, planned_of
from mqsc.scripts.planning import ApplyPlan, prunable
from mqsc.scripts.selection import Selection
from mqsc.store.catalog import KINDS, Kind, Stored, defaults
from mqsc.store.client.queue_manager import QueueManager

# To be raised when a reader of the former format would misunderstand a file.
FORMAT = 1
CHANGED, NEW, GONE = (
    f"{each} after the plan was made" for each in ("changed", "defined", "deleted")
)


class SavedStep(Struct, frozen=True):
    """A command to perform: where it was, as typed, and the options it has as declared."""

    file: str | None
    line: int
    command: str
    options: dict[str, str | int | list[str]]

    @property
    def place(self) -> str:
        """Where the command was, for the history; blank for a deletion that no file asks for."""
        return f"{self.file}:{self.line}" if self.file and self.line else ""


class SavedDefinition(Struct, frozen=True):
    """A definition that the plan depends on; `values` are those that differ from MQ's defaults."""

    type: str
    name: str
    values: dict[str, str | int | list[str]]
    secrets: tuple[str, ...] = ()


class _Marked(Struct):
    mqsc_plan: int


class SavedPlan(Struct, frozen=True, dict=True):
    """A plan for a queue manager. `rows` are those of every plan in JSON, `steps` what brings them
    about.

    `state` has the definitions that the plan depends on: those whose key is in `concerned`, or
    begins with a key there, and what `prune` selects, which is None without --prune. `digest` tells
    whether the file was changed by hand.
    """

    mqsc_plan: int
    queue_manager: str
    rows: list[dict[str, Any]]
    steps: list[SavedStep]
    concerned: frozenset[tuple[str, ...]]
    prune: Selection | None
    state: list[SavedDefinition]
    digest: str = ""

    @cached_property
    def planned(self) -> tuple[Planned, ...]:
        """The rows, but for the positions of errors."""
        return tuple(map(planned_of, self.rows))

    def performable(self) -> Iterator[tuple[Answered, Request]]:
        """The commands in order, with their positions."""
        for step in self.steps:
            line = LogicalLine(
                (SourceLine(step.line, step.command),),
                step.command,
                ((0, step.line, 1),),
            )
            request = read_request(line)
            assert not isinstance(request, CommandRefusal)
            answered = Answered(step.file, step.line, step.command, Answer(""))
            options = {**request.options, **step.options}
            declared = as_declaration(request)
            yield answered, structs.replace(declared, options=options, place=step.place)


def saved_plan(qmgr: QueueManager, plan: ApplyPlan, prune: Selection | None) -> SavedPlan:
    """The plan with the present state of what it depends on."""
    steps = [
        SavedStep(
            at.file,
            at.line,
            request.text,
            {word: _plain(each) for word, each in request.options.items()},
        )
        for at, request in plan.steps
    ]
    concerned = frozenset(_concerned(plan))
    state = [_saved(each) for each in _state(qmgr, concerned, prune).values()]
    return SavedPlan(
        FORMAT,
        qmgr.name,
        [as_row(row) for row in plan.rows],
        steps,
        concerned,
        prune,
        state,
    )


def encoded(plan: SavedPlan) -> bytes:
    signed = structs.replace(plan, digest=_digest(plan))
    return msgspec.json.format(msgspec.json.encode(signed), indent=1) + b"\n"


def _digest(plan: SavedPlan) -> str:
    return sha256(
        msgspec.json.encode(structs.replace(plan, digest=""), order="deterministic"),
    ).hexdigest()


def decoded(content: bytes, file: str) -> SavedPlan:
    """The plan in a file; NothingRunError if it is damaged, changed by hand, or of another
    version.
    """
    try:
        format = msgspec.json.decode(content, type=_Marked).mqsc_plan
        if format != FORMAT:
            raise NothingRunError(
                f"{file} is a plan in format {format}; this version reads format {FORMAT}",
            )
        plan = msgspec.json.decode(content, type=SavedPlan)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NothingRunError(f"{file} is a damaged plan: {error}") from error
    if plan.digest != _digest(plan):
        raise NothingRunError(
            f"{file} is a damaged plan: it was changed after it was saved; plan again",
        )
    return plan


def changed_since(qmgr: QueueManager, plan: SavedPlan) -> Iterator[Planned]:
    """A row for each definition that is not as it was when the plan was made: attributes then
    and now.
    """
    then = {key_of(KINDS[each.type], each.name, each.values): each for each in plan.state}
    now = _state(qmgr, plan.concerned, plan.prune)
    for key, present in now.items():
        if key not in then:
            yield _planned_difference(present.kind, present.name, present.values, {}, NEW)
        elif changes := _changes(then[key], present):
            yield _planned_difference(present.kind, present.name, present.values, changes, CHANGED)
    for key, was in then.items():
        if key not in now:
            yield _planned_difference(KINDS[was.type], was.name, was.values, {}, GONE)


def _concerned(plan: ApplyPlan) -> Iterator[DefinitionKey]:
    """The definitions that commands change, name or start from: their keys, or the beginnings of
    keys.
    """
    for planned in plan.rows:
        if planned.action in CHANGING:
            yield KINDS[planned.type].namespace, planned.name
        if planned.action is Action.DELETE:
            # These go with the object.
            yield KINDS["AUTHREC"].namespace, planned.name
    for request in plan.requests:
        removes_all = request.options.get("ACTION") == "REMOVEALL"
        for key in keys_of(request):
            yield key[:2] if removes_all or not request.kinds[0].identity else key
        if source := source_of(request):
            kind, subtype = request.kind, str(request.attributes.get(request.kind.selector, ""))
            yield key_of(kind, source, {kind.selector: subtype})[:2]


def _state(
    qmgr: QueueManager,
    concerned: frozenset[DefinitionKey],
    prune: Selection | None,
) -> dict[DefinitionKey, Definition]:
    state = {}
    for kind in kinds_in_order():
        is_pruned = prune is not None and kind.keyword != "QMGR"
        pruned = (
            {each.key for each in prunable(qmgr, kind, prune)}
            if prune is not None and is_pruned
            else set()
        )
        for each in definitions(qmgr, kind):
            if each.key in pruned or each.key in concerned or each.key[:2] in concerned:
                state[each.key] = each
    return state


def _saved(definition: Definition) -> SavedDefinition:
    kind = definition.kind
    base, keep = defaults(kind, definition.subtype), {kind.selector, *kind.identity}
    values = {
        word: _plain(value)
        for word, value in definition.values.items()
        if word in keep or base.get(word) != value
    }
    return SavedDefinition(kind.keyword, definition.name, values, definition.secrets)


def _plain(value: Stored) -> str | int | list[str]:
    return [*value] if isinstance(value, (list, tuple)) else value


def _changes(was: SavedDefinition, now: Definition) -> dict[str, tuple[Any, Any]]:
    kind = KINDS[was.type]
    before = {**defaults(kind, str(was.values.get(kind.selector, ""))), **was.values}
    words = sorted(now.values) if now.kind.keyword == was.type else ()
    changes: dict[str, tuple[Any, Any]] = {
        word: (before.get(word), now.values[word])
        for word in words
        if before.get(word) != now.values[word]
    }
    if now.kind.keyword != was.type:
        changes["TYPE"] = (was.type, now.kind.keyword)
    secrets = {*was.secrets} ^ {*now.secrets}
    return changes | {
        word: ("", HIDDEN) if word in now.secrets else (HIDDEN, "") for word in sorted(secrets)
    }


def _planned_difference(
    kind: Kind, name: str, values: Mapping[str, Any], changes: Changes, text: str
) -> Planned:
    row = Planned(None, 0, "", Action.DIFFERS, kind.keyword, name, changes, text=text)
    return structs.replace(
        row,
        record=record_of(kind, values),
        disposition=str(values.get("QSGDISP", "")),
    )
