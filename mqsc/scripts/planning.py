"""The plan of an `mqsc apply`: every command is tried on a copy, and the changes of each object
are added up.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.language import refusal, support
from mqsc.language.reply import Answer
from mqsc.language.request import Request, same_namespace
from mqsc.plan import (
    CHANGING,
    Action,
    ChangedDefault,
    Changes,
    ObjectKey,
    Planned,
    Trial,
    net_changes,
    object_key,
)
from mqsc.script import Answered, read_request
from mqsc.scripts import declarations, export_output
from mqsc.scripts.deletions import PlanWithUses
from mqsc.scripts.export import (
    SYSTEM,
    Definition,
    DefinitionKey,
    ExportCommand,
    definitions,
    kinds_in_order,
    shipped,
)
from mqsc.scripts.selection import EVERYTHING, Selection
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.client.plan_copy import subscription, tried_out
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.rules.authorization import ADMINISTRATOR_GROUP

_WRONG_TYPE = int(MQRCCF.OBJECT_WRONG_TYPE)
# Why a subscription cannot be replaced by another, which can take its place once it is deleted.
_NOT_ALTERABLE = frozenset(
    map(
        int,
        (
            MQRC.TOPIC_NOT_ALTERABLE,
            MQRC.SELECTOR_NOT_ALTERABLE,
            MQRC.DEST_CLASS_NOT_ALTERABLE,
            MQRC.SUBLEVEL_NOT_ALTERABLE,
        ),
    )
)
MADE_ANEW = "it is deleted and defined anew, because no ALTER sets this"
_WITH_PRUNE = (
    "With --prune it is deleted and defined anew, unless messages wait on its managed queue."
)
_PREDEFINED = "PREDEFINED"
# The refusals of stream queues, which depend on other definitions (streaming §5).
_UNTIL_OTHERS_CHANGE = frozenset(
    map(int, (MQRCCF.STREAMQ_CONFLICT, MQRCCF.STREAMQ_DEST_CONFLICT, MQRCCF.STREAMQ_DEST_NOT_SUPP)),
)
# The source of a deletion that no command asks for.
PRUNED = "--prune"
NOT_A_DEFINITION = "not a definition; use mqsc run"
# Only a longer chain of objects, each LIKE one that is defined after it, would need more
# repetitions.
MOST_REPETITIONS = 9


class ApplyPlan(Struct, frozen=True):
    """The rows to show, one for each object, and the requests that bring them about, with their
    positions.

    `changed_defaults` are the default objects that the files' objects start from and that are not
    as on a new queue manager, though the files do not say so. `bound` is the last event of the
    store before the plan was made. `requests` are the definitions of the files for the selection,
    `left_out` is the number of those outside.
    """

    rows: tuple[Planned, ...]
    steps: tuple[tuple[Answered, Request], ...]
    changed_defaults: tuple[ChangedDefault, ...]
    bound: int
    requests: Sequence[Request] = ()
    left_out: int = 0

    @property
    def is_different(self) -> bool:
        """Whether the queue manager differs from the files, even where no command may change
        that.
        """
        return any(
            row.action in CHANGING or row.action in (Action.KEPT, Action.DIFFERS)
            for row in self.rows
        )

    @property
    def changes_something(self) -> bool:
        return any(row.action in CHANGING for row in self.rows)

    @property
    def has_errors(self) -> bool:
        return any(row.action is Action.ERROR for row in self.rows)


class _Tried(Struct, frozen=True):
    """A command that was tried on the copy, with its rows; without a request if there is nothing
    to perform.
    """

    answered: Answered
    request: Request | None
    rows: tuple[Planned, ...]


def plan_to_apply(
    qmgr: QueueManager,
    statements: Sequence[declarations.DeclaredCommand],
    *,
    prune: bool,
    skip_unsupported: bool = False,
    selection: Selection = EVERYTHING,
) -> ApplyPlan:
    """Plan the definitions among the commands; with `prune` also the deletion of objects that no
    command defines.

    Objects outside the selection are left as they are. With `skip_unsupported` a command that is
    not supported here is skipped, and is not an error.
    """
    bound = qmgr.store.bound().seq
    with tried_out(qmgr) as copy:
        planner = _Planner(qmgr, copy, selection, prune=prune)
        planner.settle(planner.definitions_among(statements, skip_unsupported=skip_unsupported))
        return planner.plan(bound)


def plan_in_order(qmgr: QueueManager, commands: Iterable[str], bound: int) -> ApplyPlan:
    """Plan commands that are to be performed one after the other; `bound` is the last event that
    they are based on.
    """
    with tried_out(qmgr) as copy:
        planner = _Planner(qmgr, copy, EVERYTHING, prune=False)
        for command in commands:
            planner.take(command)
        return planner.plan(bound)


class _Planner:
    """Tries commands on the copy, and keeps their rows and requests."""

    def __init__(
        self,
        qmgr: QueueManager,
        copy: QueueManager,
        selection: Selection,
        *,
        prune: bool,
    ) -> None:
        self._qmgr = qmgr
        self._copy = copy
        self._trial = Trial(qmgr, copy)
        self._declarations = declarations.Declarations(())
        self._selection = selection
        self._left_out = 0
        self._prune = prune
        self._tried: list[_Tried] = []
        self._kept: dict[ObjectKey, Planned] = {}
        self._skipped: list[Planned] = []
        # Errors that last, and those of the last repetition by the object that the command names.
        self._failures: list[Planned] = []
        self._refused: dict[DefinitionKey, list[Planned]] = {}

    def definitions_among(
        self,
        statements: Iterable[declarations.DeclaredCommand],
        *,
        skip_unsupported: bool,
    ) -> list[declarations.DeclaredCommand]:
        """The commands that define; notes those that cannot be read, and those to skip."""
        defining: list[declarations.DeclaredCommand] = []
        for statement in statements:
            answered, request = statement.answered, statement.request
            unsupported = support.unsupported_here(request) if skip_unsupported and request else ""
            if request is None:
                self._failures += self._trial.planned(answered)
            elif statement.is_definition and not declarations.is_selected(self._selection, request):
                self._left_out += 1
            elif statement.is_definition and not unsupported:
                defining.append(statement)
            elif unsupported or not statement.only_reads:
                where = answered.file, answered.line, answered.command
                self._skipped.append(
                    Planned(*where, Action.SKIPPED, text=unsupported or NOT_A_DEFINITION),
                )
        return defining

    def settle(self, defining: Sequence[declarations.DeclaredCommand]) -> None:
        """Try the commands again and again until nothing changes: applying the same files again
        must change nothing.

        A command that others refuse for now, such as a DEFINE of a stream queue whose roles are
        exchanged, succeeds after them. What no command names is deleted, with `prune`, once the
        rest has settled, which may help too. Of a repetition only the commands are performed that
        change something.
        """
        self._repeat(defining)
        if self._prune and not self._selection.only_defined and not self._failures:
            tried = len(self._tried)
            self._prune_others()
            if self._refused or len(self._tried) > tried:
                self._repeat(defining)

    def take(self, command: str) -> None:
        """Try one command as it is."""
        request = request_of(command)
        answered = Answered(None, 0, command, self._trial.carry_out(request))
        rows = tuple(self._trial.planned(answered))
        if answered.answer.completion == 2:
            self._failures += rows
        else:
            self._tried.append(
                _Tried(answered, request, tuple(_of_record(row, request) for row in rows)),
            )

    def _repeat(self, defining: Sequence[declarations.DeclaredCommand]) -> None:
        requests = [(each.answered, each.request) for each in defining if each.request is not None]
        copies = declarations.copies_what_changes_later(request for _, request in requests)
        for _ in range(MOST_REPETITIONS):
            tried, self._refused = len(self._tried), {}
            self._declarations = declarations.Declarations([request for _, request in requests])
            for answered, request in requests:
                self._try(answered, request)
            attempts = self._tried[tried:]
            is_deleting = any(
                row.action is Action.DELETE for attempt in attempts for row in attempt.rows
            )
            net = self._net(attempts)
            if tried:
                needed = self._needed(attempts, net)
                self._tried[tried:] = [
                    attempt if number in needed else structs.replace(attempt, request=None)
                    for number, attempt in enumerate(attempts)
                ]
            is_changed = any(row.action in CHANGING for row in net.values())
            if not (copies or self._refused or is_deleting) or not is_changed:
                return

    def _net(self, attempts: Iterable[_Tried]) -> dict[ObjectKey, Planned]:
        """The changes of these commands that no later one undoes, by object."""
        return net_changes((row for each in attempts for row in each.rows), self._compared)

    def _prune_others(self) -> None:
        """Delete the objects that no command names, in the opposite order of an export, and then
        records.

        The records of an object that is kept are kept too.
        """
        objects = [
            kind
            for kind in reversed(kinds_in_order())
            if not kind.identity and kind.keyword != "QMGR"
        ]
        for kind in (*objects, *(each for each in kinds_in_order() if each.identity)):
            kept = {row.name for row in self._kept.values()} if kind.identity else ()
            # Read to the end first, because the deletions change what is read.
            for definition in [*prunable(self._copy, kind, self._selection)]:
                if definition.key in self._declarations.named or definition.name in kept:
                    continue
                reason = self._reason_to_keep(definition)
                if reason:
                    self._keep(
                        definition,
                        export_output.one_line(ExportCommand("DELETE", definition, {})),
                        reason,
                    )
                else:
                    self._delete(definition)

    def plan(self, bound: int) -> ApplyPlan:
        net = self._net(self._tried)
        refused = [row for rows in self._refused.values() for row in rows]
        drift = (
            declarations.differing_objects(self._copy, self._declarations, self._selection)
            if self._prune
            else ()
        )
        changed = map(PlanWithUses(self._qmgr, self._copy).row_with_uses, net.values())
        rows = (
            *changed,
            *self._kept.values(),
            *drift,
            *self._skipped,
            *self._failures,
            *refused,
        )
        changed_defaults = tuple(declarations.differing_defaults(self._copy, self._declarations))
        requests = self._declarations.requests
        return ApplyPlan(rows, self._steps(net), changed_defaults, bound, requests, self._left_out)

    def _steps(self, net: Mapping[ObjectKey, Planned]) -> tuple[tuple[Answered, Request], ...]:
        """The commands to perform, in order."""
        needed = self._needed(self._tried, net)
        tried = (self._tried[number] for number in sorted(needed))
        return tuple(
            (attempt.answered, attempt.request) for attempt in tried if attempt.request is not None
        )

    def _needed(self, attempts: Sequence[_Tried], net: Mapping[ObjectKey, Planned]) -> set[int]:
        """The numbers of the commands that change objects with a net change, or objects that one of
        these commands changes too.

        So a record is set again that is deleted with its object, although it is the same
        afterwards.
        """
        needed = {key for key, planned in net.items() if planned.action in CHANGING}
        step_numbers: set[int] = set()
        if not needed:
            return step_numbers
        about = defaultdict[ObjectKey, list[int]](list)
        waiting: list[int] = []
        for number, attempt in enumerate(attempts):
            if attempt.request is None:
                continue
            if self._is_copied(attempt.request, attempt.rows):
                waiting.append(number)
            for row in attempt.rows:
                about[object_key(row)].append(number)
        for key in needed:
            waiting += about[key]
        while waiting:
            number = waiting.pop()
            if number in step_numbers:
                continue
            step_numbers.add(number)
            changed = {object_key(row) for row in attempts[number].rows if row.action in CHANGING}
            for key in changed - needed:
                waiting += about[key]
            needed |= changed
        return step_numbers

    def _is_copied(self, request: Request, rows: Iterable[Planned]) -> bool:
        """Whether the command changes an object that a LIKE copies, if only for later commands to
        undo it.
        """
        copied = (request.noun, request.name) in self._declarations.copied
        return copied and any(row.action is not Action.UNCHANGED for row in rows)

    def _try(self, answered: Answered, request: Request) -> None:
        declaration = self._declarations.declaration(request)
        if declaration is None:
            return
        answer = self._trial.carry_out(declaration)
        # The files themselves may have defined the other object; then this is an error.
        is_first = declaration is not request
        is_made_anew = False
        is_in_the_way = answer.reason == _WRONG_TYPE or answer.reason in _NOT_ALTERABLE
        if self._prune and is_first and is_in_the_way and self._makes_way(request):
            is_made_anew = answer.reason in _NOT_ALTERABLE
            answer = self._trial.carry_out(declaration)
        elif is_first and answer.reason in _NOT_ALTERABLE:
            answer = structs.replace(answer, text=f"{answer.text} {_WITH_PRUNE}")
        if declarations.is_absent(request, answer):
            where = answered.file, answered.line, answered.command
            absent = Planned(*where, Action.UNCHANGED, request.noun, request.name, text="not there")
            self._tried.append(_Tried(answered, None, (_of_record(absent, request),)))
            return
        rows = tuple(self._trial.planned(structs.replace(answered, answer=answer)))
        if answer.completion == 2:
            self._refuse(request, answer, rows)
            return
        if is_made_anew:
            rows = tuple(structs.replace(row, warnings=(*row.warnings, MADE_ANEW)) for row in rows)
        self._tried.append(
            _Tried(answered, declaration, tuple(_of_record(row, request) for row in rows)),
        )

    def _refuse(self, request: Request, answer: Answer, rows: Iterable[Planned]) -> None:
        """Keep the error: until the next repetition if other commands may remove its cause."""
        keys = declarations.keys_of(request)
        may_pass = request.verb == "DEFINE" or answer.reason in _UNTIL_OTHERS_CHANGE
        if keys and (may_pass or not self._refused.keys().isdisjoint(keys)):
            self._refused[keys[0]] = [*self._refused.get(keys[0], ()), *rows]
        else:
            self._failures += rows

    def _makes_way(self, request: Request) -> bool:
        """Delete the object of another type that has the name; whether it was deleted."""
        subtype = str(request.attributes.get(request.kind.selector, ""))
        namespace = request.kind.namespace_of(subtype)
        in_the_way = [
            each
            for kind in same_namespace(request.kind)
            for each in prunable(self._copy, kind, self._selection, request.name)
            if each.key[0] == namespace and not each.disposition
        ]
        return (
            bool(in_the_way)
            and not any(map(self._reason_to_keep, in_the_way))
            and all(map(self._delete, in_the_way))
        )

    def _reason_to_keep(self, definition: Definition) -> str:
        """Why --prune does not even try to delete an object that no command names; blank if it
        does.
        """
        if definition.name.startswith(SYSTEM):
            return "the names of objects of MQ begin with SYSTEM"
        if definition.kind is KINDS["SUB"]:
            found = subscription(self._copy, definition.name, "")
            if found is not None and found.messages:
                return f"messages wait on its managed queue: {found.messages}"
        is_structure = definition.kind.keyword == "CFSTRUCT" and self._qmgr.row().sharing_group
        return (
            "other members of the queue-sharing group have it too"
            if is_structure or definition.disposition
            else ""
        )

    def _delete(self, definition: Definition) -> bool:
        """Delete an object that the files do not define; it is kept, with the reason, if that
        fails.
        """
        command = export_output.one_line(ExportCommand("DELETE", definition, {}))
        request = request_of(command)
        answer = self._trial.carry_out(request)
        answered = Answered(PRUNED, 0, command, answer)
        rows = tuple(self._trial.planned(answered))
        if answer.completion != 2:
            record = declarations.record_of(definition.kind, definition.values)
            self._tried.append(
                _Tried(answered, request, tuple(_with_record(row, record) for row in rows)),
            )
            return True
        messages = self._trial.depth_of(request) or None
        self._keep(definition, command, f"{answer.message_id}: {answer.text}", messages)
        return False

    def _keep(
        self,
        definition: Definition,
        command: str,
        reason: str,
        messages: int | None = None,
    ) -> None:
        kept = Planned(
            PRUNED,
            0,
            command,
            Action.KEPT,
            definition.kind.keyword,
            definition.name,
            text=reason,
        )
        record = declarations.record_of(definition.kind, definition.values)
        disposition = definition.disposition
        kept = structs.replace(kept, record=record, disposition=disposition, messages=messages)
        self._kept[object_key(kept)] = kept

    def _compared(self, planned: Planned) -> Changes:
        return compared(self._qmgr, self._copy, planned)


def compared(before: QueueManager, after: QueueManager, planned: Planned) -> Changes:
    """The changes of an object that is deleted and defined again."""
    was, now = (_values(qmgr, planned) for qmgr in (before, after))
    return {word: (was.get(word), now.get(word)) for word in sorted({*was, *now})}


def _values(qmgr: QueueManager, planned: Planned) -> Mapping[str, object]:
    kind = KINDS[planned.type]
    # The records of a profile, which may look generic, are found by the beginning of their key.
    named = definitions(qmgr, kind, f"{planned.name}*" if kind.identity else planned.name)
    matching = (
        each
        for each in named
        if each.name == planned.name and each.disposition in ("", planned.disposition)
    )
    return next(
        (
            dict(each.values)
            for each in matching
            if declarations.record_of(kind, each.values) == planned.record
        ),
        {},
    )


def request_of(command: str) -> Request:
    """The request in a command that this program wrote."""
    (line,) = (each for each in logical_lines((command,)) if isinstance(each, LogicalLine))
    request = read_request(line)
    assert not isinstance(request, refusal.CommandRefusal)
    return request


def prunable(
    qmgr: QueueManager,
    kind: Kind,
    selection: Selection,
    pattern: str = "*",
) -> Iterator[Definition]:
    """The selected objects or records that --prune may delete: no shipped ones, no queues that
    programs made, and no records of the administrators, which MQ makes with each object.
    """
    dynamic = dynamic_queues(qmgr, pattern) if kind.keyword == "QLOCAL" else frozenset()
    for each in definitions(qmgr, kind, pattern):
        is_free = each.key not in shipped() and each.name not in dynamic
        is_free &= each.values.get("ENTITY") != ADMINISTRATOR_GROUP
        if is_free and selection.has(kind.keyword, each.name):
            yield each


def dynamic_queues(qmgr: QueueManager, pattern: str = "*") -> frozenset[str]:
    """The names of the queues that programs made from model queues."""
    queues = inquire(qmgr, (KINDS["QLOCAL"],), pattern, as_defined=True)
    return frozenset(str(row["QUEUE"]) for row in queues if row["DEFTYPE"] != _PREDEFINED)


def _of_record(planned: Planned, request: Request) -> Planned:
    """The row with the record that the command names, which the history does not say of an
    unchanged one.
    """
    keys = declarations.keys_of(request)
    if planned.type != request.noun or len(keys) != 1:
        return planned
    kind = request.kinds[0]
    namespace, _, *identity = keys[0]
    record = identity[: len(kind.identity)] if namespace == kind.namespace else [namespace.upper()]
    return _with_record(planned, tuple(record))


def _with_record(planned: Planned, record: tuple[str, ...]) -> Planned:
    return (
        structs.replace(planned, record=record) if record and not any(planned.record) else planned
    )
