"""The plan of an `mqsc apply`: every command is tried on a copy, and the changes of each object are added up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from grammar.lines import LogicalLine, logical_lines
from mqsc.apply.declarations import (
    Declarations,
    DeclaredCommand,
    copies_what_changes_later,
    is_absent,
    keys_of,
    record_of,
)
from mqsc.apply.net_changes import Changes, ObjectKey, net_changes, object_key
from mqsc.export.definition import SYSTEM, Definition, definitions, kinds_in_order, shipped
from mqsc.export.mqsc_output import deletion
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request, same_namespace
from mqsc.plan import CHANGING, Action, Planned, Trial
from mqsc.script import Answered, read_request
from store.admin.inquiring import inquire
from store.catalog import KINDS
from store.constants import MQRCCF

if TYPE_CHECKING:
    from store.client.api import QueueManager

_WRONG_TYPE = int(MQRCCF.OBJECT_WRONG_TYPE)
_PREDEFINED = "PREDEFINED"
# Where a deletion comes from that no command asks for.
PRUNED = "--prune"
NOT_A_DEFINITION = "not a definition; use mqsc run"
# Only a longer chain of objects, each LIKE one that is defined after it, would need more repetitions.
MOST_REPETITIONS = 9


class ApplyPlan(Struct, frozen=True):
    """The rows to show, one for each object, and the requests that bring them about, with their positions.

    `bound` is the last event of the store before the plan was made.
    """

    rows: tuple[Planned, ...]
    steps: tuple[tuple[Answered, Request], ...]
    bound: int

    @property
    def changes_something(self) -> bool:
        return any(row.action in CHANGING for row in self.rows)

    @property
    def has_errors(self) -> bool:
        return any(row.action is Action.ERROR for row in self.rows)


class _Tried(Struct, frozen=True):
    """A command that was tried on the copy, with its rows; without a request if there is nothing to perform."""

    answered: Answered
    request: Request | None
    rows: tuple[Planned, ...]


def plan_to_apply(qmgr: QueueManager, statements: Sequence[DeclaredCommand], *, prune: bool) -> ApplyPlan:
    """Plan the definitions among the commands; with `prune` also the deletion of what no command defines."""
    from store.client.plan_copy import tried_out

    bound = qmgr.store.bound().seq
    with tried_out(qmgr) as copy:
        planner = _Planner(qmgr, copy, statements, prune=prune)
        planner.try_all(statements)
        if prune and not planner.failures:
            planner.prune_others()
        return planner.plan(bound)


class _Planner:
    """Tries commands on the copy, and keeps their rows and requests."""

    def __init__(
        self, qmgr: QueueManager, copy: QueueManager, statements: Sequence[DeclaredCommand], *, prune: bool
    ) -> None:
        self._qmgr = qmgr
        self._copy = copy
        self._trial = Trial(qmgr, copy)
        self._declarations = Declarations(statements)
        self._prune = prune
        self._tried: list[_Tried] = []
        self._kept: dict[ObjectKey, Planned] = {}
        self._skipped: list[Planned] = []
        self.failures: list[Planned] = []

    def try_all(self, statements: Sequence[DeclaredCommand]) -> None:
        defining: list[tuple[Answered, Request]] = []
        for statement in statements:
            answered = statement.answered
            if statement.request is None:
                self.failures += self._trial.planned(answered)
            elif statement.is_definition:
                defining.append((answered, statement.request))
                self._try(*defining[-1])
            elif not statement.only_reads:
                where = answered.file, answered.line, answered.command
                self._skipped.append(Planned(*where, Action.SKIPPED, text=NOT_A_DEFINITION))
        if copies_what_changes_later(request for _, request in defining):
            self._repeat(statements, defining)

    def _repeat(self, statements: Sequence[DeclaredCommand], defining: Iterable[tuple[Answered, Request]]) -> None:
        """Try the definitions again until nothing changes: applying the same files again must change nothing."""
        for _ in range(MOST_REPETITIONS):
            if self.failures:
                return
            self._declarations = Declarations(statements)
            tried = len(self._tried)
            for answered, request in defining:
                self._try(answered, request)
            if not self._changed_since(tried):
                return

    def _changed_since(self, tried: int) -> bool:
        """Whether the commands tried since then made a change that none of them undid."""
        rows = (row for each in self._tried[tried:] for row in each.rows)
        return any(row.action in CHANGING for row in net_changes(rows, self._compared).values())

    def prune_others(self) -> None:
        """Delete the objects that no command names, in the opposite order of an export, and then records.

        The records of an object that is kept are kept too.
        """
        objects = [kind for kind in reversed(kinds_in_order()) if not kind.identity]
        for kind in (*objects, *(each for each in kinds_in_order() if each.identity)):
            kept = {row.name for row in self._kept.values()} if kind.identity else ()
            # Read to the end first, because the deletions change what is read.
            for definition in [*definitions(self._copy, kind)]:
                is_wanted = definition.key in self._declarations.named or definition.name in kept
                if not is_wanted and self._may_be_pruned(definition):
                    self._delete(definition)

    def plan(self, bound: int) -> ApplyPlan:
        net = net_changes((row for each in self._tried for row in each.rows), self._compared)
        needed = {key for key, row in net.items() if row.action in CHANGING}
        rows = (*net.values(), *self._kept.values(), *self._skipped, *self.failures)
        tried = ((each, each.request) for each in self._tried)
        steps = tuple(
            (each.answered, request)
            for each, request in tried
            if request is not None and self._is_needed(request, each.rows, needed)
        )
        return ApplyPlan(rows, steps, bound)

    def _is_needed(self, request: Request, rows: Iterable[Planned], needed: set[ObjectKey]) -> bool:
        """Whether the command changes an object, or one that a LIKE copies, if only for later commands to undo it."""
        copied = request.name in self._declarations.copied
        return any(object_key(row) in needed or (copied and row.action is not Action.UNCHANGED) for row in rows)

    def _try(self, answered: Answered, request: Request) -> None:
        declaration = self._declarations.declaration(request)
        if declaration is None:
            return
        answer = self._trial.carry_out(declaration)
        # The files themselves may have defined the other object; then this is an error.
        is_first = declaration is not request
        if self._prune and is_first and answer.reason == _WRONG_TYPE and self._makes_way(request):
            answer = self._trial.carry_out(declaration)
        if is_absent(request, answer):
            where = answered.file, answered.line, answered.command
            absent = Planned(*where, Action.UNCHANGED, request.noun, request.name, text="not there")
            self._tried.append(_Tried(answered, None, (_of_record(absent, request),)))
            return
        rows = tuple(self._trial.planned(replace(answered, answer=answer)))
        if answer.completion == 2:
            self.failures += rows
            return
        self._tried.append(_Tried(answered, declaration, tuple(_of_record(row, request) for row in rows)))

    def _makes_way(self, request: Request) -> bool:
        """Delete the object of another type that has the name; whether it is gone."""
        subtype = str(request.given.get(request.kind.selector, ""))
        namespace = request.kind.namespace_of(subtype)
        found = [
            each
            for kind in same_namespace(request.kind)
            for each in definitions(self._copy, kind, request.name)
            if each.key[0] == namespace and not each.disposition
        ]
        return bool(found) and all(self._may_be_pruned(each) and self._delete(each) for each in found)

    def _may_be_pruned(self, definition: Definition) -> bool:
        """Whether a file should define it: not what every queue manager has, a group shares, or programs create."""
        return not (
            definition.kind.keyword == "QMGR"
            or definition.name.startswith(SYSTEM)
            or definition.disposition
            or definition.key in shipped()
            or (definition.kind.keyword == "QLOCAL" and definition.name in self._dynamic)
        )

    @cached_property
    def _dynamic(self) -> frozenset[str]:
        """The permanent dynamic queues."""
        rows = inquire(self._copy, (KINDS["QLOCAL"],), "*", as_defined=True)
        return frozenset(str(row["QUEUE"]) for row in rows if row["DEFTYPE"] != _PREDEFINED)

    def _delete(self, definition: Definition) -> bool:
        """Delete an object that the files do not define; it is kept, with the reason, if that fails."""
        command = deletion(definition)
        (line,) = (each for each in logical_lines((command,)) if isinstance(each, LogicalLine))
        request = read_request(line)
        assert not isinstance(request, CommandRefusal)
        answer = self._trial.carry_out(request)
        answered = Answered(PRUNED, 0, command, answer)
        rows = tuple(self._trial.planned(answered))
        if answer.completion != 2:
            record = _record_of(definition)
            self._tried.append(_Tried(answered, request, tuple(_with_record(row, record) for row in rows)))
            return True
        reason = f"{answer.message_id}: {answer.text}"
        kept = Planned(PRUNED, 0, command, Action.KEPT, definition.kind.keyword, definition.name, text=reason)
        kept = replace(kept, record=_record_of(definition), messages=self._trial.depth_of(request) or None)
        self._kept[object_key(kept)] = kept
        return False

    def _compared(self, row: Planned) -> Changes:
        """The changes of an object that is deleted and defined again."""
        before, after = (self._values(qmgr, row) for qmgr in (self._qmgr, self._copy))
        return {word: (before.get(word), after.get(word)) for word in sorted({*before, *after})}

    def _values(self, qmgr: QueueManager, row: Planned) -> dict[str, object]:
        kind = KINDS[row.type]
        found = (each for each in definitions(qmgr, kind, row.name) if each.disposition in ("", row.disposition))
        return next((dict(each.values) for each in found if _record_of(each) == row.record), {})


def _record_of(definition: Definition) -> tuple[str, ...]:
    return record_of(definition.kind, definition.values)


def _of_record(row: Planned, request: Request) -> Planned:
    """The row with the record that the command names, which the history does not say of an unchanged one."""
    keys = keys_of(request)
    if row.type != request.noun or len(keys) != 1:
        return row
    kind = request.kinds[0]
    namespace, _, *identity = keys[0]
    record = identity[: len(kind.identity)] if namespace == kind.namespace else [namespace.upper()]
    return _with_record(row, tuple(record))


def _with_record(row: Planned, record: tuple[str, ...]) -> Planned:
    return replace(row, record=record) if record and not any(row.record) else row
