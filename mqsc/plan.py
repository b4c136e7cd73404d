"""Tries the commands of a script on a copy of the queue manager, and adds up the changes of each
object.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, TypeAlias

from msgspec import Struct, field, structs

from mqsc.language.command_table import READING
from mqsc.language.reply import Answer, failed, message_text
from mqsc.language.request import Request
from mqsc.script import SKIPPED, Answered
from mqsc.store.admin.expiry import expiry_preview
from mqsc.store.catalog import defaults
from mqsc.store.client.plan_copy import (
    DefinitionChange,
    SubscriptionOnCopy,
    changes_since,
    depth,
    last_change,
    remove,
    subscription,
)
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MQError
from mqsc.verbs import rehearse
from mqsc.verbs.scope import names_members, perform_in_scope


class Action(Enum):
    """The planned change to an object; the value is the phrase in the summary."""

    CREATE = "to create"
    UPDATE = "to update"
    DELETE = "to delete"
    UNCHANGED = "unchanged"
    ACTION = "to carry out"
    # Only `mqsc apply` and `mqsc diff` keep objects that may not be deleted, find what differs from
    # a new queue manager without a command that says so, and skip commands that define nothing; all
    # skip what is unsupported, if asked to.
    KEPT = "kept"
    DIFFERS = "different"
    SKIPPED = "skipped"
    ERROR = "in error"


CHANGING = frozenset({Action.CREATE, Action.UPDATE, Action.DELETE, Action.ACTION})
_OF_EVENT = {
    "DEFINE": Action.CREATE,
    "ALTER": Action.UPDATE,
    "SET": Action.UPDATE,
    "DELETE": Action.DELETE,
}
# Verbs that define. The effect of any other verb that changes something is listed as ACTION.
DEFINING = frozenset({"DEFINE", "ALTER", "DELETE", "SET"})
# Verbs that leave the queue that they name empty.
_EMPTYING = frozenset({"CLEAR", "MOVE", "DELETE"})
# The warnings among the lines of an answer.
_WARNING = re.compile(r"(?:AMQ|MQSC)\d{4}W: ")
# Objects of the group, which have no member.
OF_GROUP = frozenset({"GROUP", "SHARED"})
# Verbs whose effect cannot be undone, or continues outside the transaction.
_NOT_ATOMIC = frozenset({"START", "STOP", "MOVE", "REFRESH"})


class Planned(Struct, frozen=True):
    """The planned change of one command to one object, or the error with which it would fail.

    `changes` are keyword → (value before, value after), with None for no value. `messages` is the
    number of messages that would be deleted or moved, None if the change does not concern messages.
    `message_id`, `text` and `position` (line and column, if it is in the command's text) describe
    an ERROR. `disposition` is GROUP, COPY or SHARED in a queue-sharing group, else blank; `member`
    is another member whose object it is, else blank. `record` are the values that distinguish a
    record from others of its profile. `warnings` are those of the command's reply; the first change
    of the command has them. `inherited` maps the changed attributes that come from a default
    object, because that differs from the default object of a new queue manager, to its name.
    """

    file: str | None
    line: int
    command: str
    action: Action
    type: str = ""
    name: str = ""
    changes: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    messages: int | None = None
    message_id: str = ""
    text: str = ""
    position: tuple[int, int] | None = None
    disposition: str = ""
    member: str = ""
    warnings: tuple[str, ...] = ()
    record: tuple[str, ...] = ()
    inherited: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_inherited(self) -> bool:
        """Whether the object changes only because a default object was changed."""
        is_update = self.action is Action.UPDATE and bool(self.changes)
        return is_update and self.changes.keys() == self.inherited.keys()


class ChangedDefault(Struct, frozen=True):
    """A default object that differs from that of a new queue manager, and the attributes that no
    command gives.
    """

    kind: str
    name: str
    changes: Mapping[str, tuple[Any, Any]]


# The file, line and command of an effect, before its object is known.
_NOWHERE = (None, 0, "")


class Trial:
    """Performs commands on a copy of a queue manager and remembers the effects of the last one.

    With `atomic`, commands that cannot be part of a transaction are refused.
    """

    def __init__(self, qmgr: QueueManager, copy: QueueManager, *, atomic: bool = False) -> None:
        self._qmgr = qmgr
        self._copy = copy
        self._atomic = atomic
        self._effects: list[Planned] = []
        # Queues whose expired messages an earlier command of the script would have removed.
        self._without_expired: set[str] = set()
        # The copies of other members of the group, for commands that CMDSCOPE sends there.
        self._of_members: dict[str, Trial] = {}

    def carry_out(self, request: Request) -> Answer:
        """Perform a command on the copy; return the answer it would get."""
        self._effects = []
        if self._atomic and request.verb in _NOT_ATOMIC:
            return Answer(
                "MQSC0020E",
                message_text("MQSC0020E", f"{request.verb} {request.noun}"),
                2,
            )
        if not names_members(self._copy, request):
            return self._carry_out_here(request)
        try:
            return perform_in_scope(self._copy, request, self._carry_out_on_member)
        except MQError as error:
            return failed(error)

    def _carry_out_on_member(self, copy: QueueManager, request: Request) -> Answer:
        """Perform a command on the copy of one member; its effects are added to those of the
        command.
        """
        if copy.name == self._copy.name:
            trial = self
        else:
            original = self._qmgr.store.queue_manager(copy.name)
            trial = self._of_members.setdefault(
                copy.name,
                Trial(original, copy, atomic=self._atomic),
            )
        earlier = self._effects
        answer = trial._carry_out_here(request)
        made = [] if answer.completion == 2 else trial._effects
        if trial is not self:
            made = [
                structs.replace(each, member="" if each.disposition in OF_GROUP else copy.name)
                for each in made
            ]
        self._effects = [*earlier, *made]
        return answer

    def _carry_out_here(self, request: Request) -> Answer:
        before = last_change(self._copy)
        was = self._subscription(request)
        count = _MESSAGES_AFFECTED.get(request.verb)
        affected = count(self, request) if count else None
        answer = rehearse(self._copy, request)
        if answer.completion == 2:
            return answer
        self._reduce_depths(request)
        if was is not None and was.is_of_program:
            self._effects = [self._effect_on(was, request)]
            return answer
        if was is not None:
            affected = was.messages or None
        self._effects = list(self._effects_of(request, before, affected))
        return answer

    def _subscription(self, request: Request) -> SubscriptionOnCopy | None:
        """The subscription that a command names; None for other commands."""
        if request.noun != "SUB" or request.verb in READING:
            return None
        return subscription(self._copy, request.name, str(request.options.get("SUBID", "")))

    def _effect_on(self, was: SubscriptionOnCopy, request: Request) -> Planned:
        """What a command does to a subscription of a program, which is no definition."""
        now = self._subscription(request)
        if now is None:
            messages = was.messages or None
            return Planned(*_NOWHERE, Action.DELETE, "SUB", was.name, messages=messages)
        changes = {
            word: (was.attributes[word], value)
            for word, value in now.attributes.items()
            if value != was.attributes[word]
        }
        action = Action.UPDATE if changes else Action.UNCHANGED
        return Planned(*_NOWHERE, action, "SUB", was.name, changes)

    def planned(self, answered: Answered) -> Iterator[Planned]:
        """The planned changes of the command that was just answered; none if it only reads."""
        effects, self._effects = self._effects, []
        file = answered.file
        line = answered.line
        command = answered.command
        answer = answered.answer
        if answer.completion == 2:
            failure = Planned(
                file,
                line,
                command,
                Action.ERROR,
                message_id=answer.message_id,
                text=answer.text,
            )
            yield structs.replace(failure, position=answer.position)
        if answer.message_id == SKIPPED:
            yield Planned(file, line, command, Action.SKIPPED, text=answer.text)
        warnings = tuple(filter(_WARNING.match, answer.text.splitlines()))
        for number, each in enumerate(effects):
            of_command = () if number else warnings
            yield structs.replace(each, file=file, line=line, command=command, warnings=of_command)

    def _effects_of(self, request: Request, before: int, affected: int | None) -> Iterator[Planned]:
        if request.verb in READING:
            return
        if request.verb not in DEFINING:
            yield Planned(*_NOWHERE, Action.ACTION, request.noun, request.name, messages=affected)
            return
        found = changes_since(self._copy, before)
        if request.noun == "SUB":
            # The queue of a managed one goes with it.
            found = [each for each in found if each.type == "SUB"]
        if not found:
            yield Planned(*_NOWHERE, Action.UNCHANGED, request.noun, request.name)
        for change in found:
            # Messages belong to the queue, not to the authority records deleted with it.
            effect = _effect_of(change, affected if change.type == request.noun else None)
            yield structs.replace(effect, inherited=_inherited(request, change))

    def depth_of(self, request: Request) -> int | None:
        """The number of messages on the named queue at this point of the script; None if it is
        not a queue.
        """
        # A GROUP object has no messages.
        has_messages = (
            request.kinds[0].namespace == "queue" and request.options.get("QSGDISP") != "GROUP"
        )
        return depth(self._copy, request.name) if has_messages else None

    def expired_on(self, request: Request) -> int | None:
        """The number of messages that an expiry scan would discard."""
        if request.options.get("TYPE") != "EXPIRY":
            return None
        return sum(discarded for _, discarded in self._expired(request))

    def _expired(self, request: Request) -> Iterator[tuple[str, int]]:
        """The messages that a scan would discard, by queue. The copy has no messages, so this
        reads the original.
        """
        for each in expiry_preview(self._qmgr, str(request.options.get("NAME", "*"))):
            if each.queue not in self._without_expired:
                yield each.queue, each.scan_discards

    def _reduce_depths(self, request: Request) -> None:
        """Reduce the depths on the copy, which has no messages, by the messages that the command
        would remove.
        """
        affected = self.depth_of(request) if request.verb in _EMPTYING else None
        if affected is not None:
            gone = {request.name: affected}
            if request.verb == "MOVE":
                remove(self._copy, str(request.options["TOQLOCAL"]), -affected)
        elif request.options.get("TYPE") == "EXPIRY":
            gone = dict(self._expired(request))
        else:
            return
        for name, messages in gone.items():
            remove(self._copy, name, messages)
        self._without_expired |= gone.keys()


_MESSAGES_AFFECTED: Mapping[str, Callable[[Trial, Request], int | None]] = {
    "CLEAR": Trial.depth_of,
    "MOVE": Trial.depth_of,
    "DELETE": lambda trial, request: trial.depth_of(request) or None,
    "REFRESH": Trial.expired_on,
}


def _inherited(request: Request, change: DefinitionChange) -> dict[str, str]:
    """The attributes that a DEFINE takes from a changed default object, each with the name of
    that object.
    """
    kind = request.kind
    subtype = str(request.attributes.get(kind.selector, ""))
    source = kind.default_object_of(subtype)
    starts_there = (
        request.verb == "DEFINE" and "LIKE" not in request.options and change.disposition != "COPY"
    )
    if not source or source == request.name or not starts_there:
        return {}
    base = defaults(kind, subtype)
    of_new = {
        word: after for word, (_, after) in change.values.items() if word not in request.attributes
    }
    return {word: source for word, after in of_new.items() if word in base and base[word] != after}


def _effect_of(change: DefinitionChange, messages: int | None) -> Planned:
    action = _OF_EVENT[change.event]
    if action is Action.UPDATE and not change.values:
        action = Action.UNCHANGED
    values = {word: (before, after) for word, (before, after) in change.values.items()}
    if change.event == "SET" and values and all(before is None for before, _ in values.values()):
        action = Action.CREATE
    messages = messages if action is Action.DELETE else None
    effect = Planned(*_NOWHERE, action, change.type, change.name, values, messages)
    return structs.replace(
        effect,
        disposition=change.disposition,
        member=change.member,
        record=change.record,
    )


# The net change to each object: several commands on one object may cancel each other.

# Type, name, disposition, member, and what distinguishes records of one name.
ObjectKey: TypeAlias = tuple[str, ...]
Changes: TypeAlias = Mapping[str, tuple[Any, Any]]
# The changes between the object as it is and as it would be, for one that is deleted and defined
# again.
Comparison: TypeAlias = Callable[[Planned], Changes]


def object_key(planned: Planned) -> ObjectKey:
    return (planned.type, planned.name, planned.disposition, planned.member, *planned.record)


def net_changes(rows: Iterable[Planned], compared: Comparison) -> dict[ObjectKey, Planned]:
    """One row for each object, at the place of its first, with all its changes together; errors
    are left out.
    """
    of_object: dict[ObjectKey, list[Planned]] = {}
    for row in rows:
        of_object.setdefault(object_key(row), []).append(row)
    return {key: _net(found, compared) for key, found in of_object.items()}


def _net(rows: list[Planned], compared: Comparison) -> Planned:
    first = rows[0]
    changing = [row for row in rows if row.action is not Action.UNCHANGED] or rows[:1]
    is_new, is_gone = changing[0].action is Action.CREATE, changing[-1].action is Action.DELETE
    if is_gone:
        return structs.replace(
            changing[-1],
            action=Action.UNCHANGED if is_new else Action.DELETE,
            changes={},
        )
    is_recreated = any(row.action is Action.DELETE for row in rows)
    changes = compared(first) if is_recreated and not is_new else _together(rows)
    if is_new:
        changes, action = {word: (None, new) for word, (_, new) in changes.items()}, Action.CREATE
    else:
        changes = {word: (old, new) for word, (old, new) in changes.items() if old != new}
        action = Action.UPDATE if changes else Action.UNCHANGED
    inherited = {word: source for word, source in _inherited_value(rows).items() if word in changes}
    return structs.replace(
        first,
        action=action,
        changes=changes,
        messages=None,
        inherited=inherited,
        warnings=tuple(dict.fromkeys(each for row in rows for each in row.warnings)),
    )


def _together(rows: Iterable[Planned]) -> Changes:
    together: dict[str, tuple[Any, Any]] = {}
    for row in rows:
        for word, (old, new) in row.changes.items():
            together[word] = (together[word][0] if word in together else old, new)
    return together


def _inherited_value(rows: Iterable[Planned]) -> dict[str, str]:
    """The default object that the last change of an attribute took it from, if it did."""
    sources = {word: row.inherited.get(word, "") for row in rows for word in row.changes}
    return {word: source for word, source in sources.items() if source}
