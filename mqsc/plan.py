"""What a script would do, object by object, tried on a copy in memory: nothing is written (design §3.16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from mqsc.language.request import Request
from mqsc.reply import Answer, text_of
from mqsc.script import Answered
from mqsc.verbs import perform

if TYPE_CHECKING:
    from store.client.api import QueueManager
    from store.client.plan_copy import Change


class Action(Enum):
    """What becomes of an object; the value is how it is counted."""

    CREATE = "to create"
    UPDATE = "to update"
    DELETE = "to delete"
    UNCHANGED = "unchanged"
    ACTION = "to carry out"
    ERROR = "in error"


CHANGING = frozenset({Action.CREATE, Action.UPDATE, Action.DELETE, Action.ACTION})
_OF_EVENT: Mapping[str, Action] = {
    "DEFINE": Action.CREATE,
    "ALTER": Action.UPDATE,
    "SET": Action.UPDATE,
    "DELETE": Action.DELETE,
}
# Verbs that only look, and verbs that define. What any other does is no definition: it is listed as ACTION.
_LOOKING = frozenset({"DISPLAY", "PING"})
_DEFINING = frozenset({"DEFINE", "ALTER", "DELETE", "SET"})
# Verbs after which the queue they name holds nothing.
_EMPTYING = frozenset({"CLEAR", "MOVE", "DELETE"})
# What these do cannot be taken back, or goes on beside the commands.
_NOT_ATOMIC = frozenset({"START", "STOP", "MOVE", "REFRESH"})


@dataclass(frozen=True, slots=True)
class Planned:
    """What one command would do to one object, or why it would fail.

    `changes` are keyword → (value before, value after), None where there was none; `messages` how many messages would
    go or be moved, None where it is not about messages; `message_id` and `text` what an ERROR is answered with.
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


@dataclass(frozen=True, slots=True)
class _Effect:
    """What a command did to the copy."""

    action: Action
    type: str
    name: str
    changes: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    messages: int | None = None


class Trial:
    """Carries commands out on a copy of a queue manager; holds what the last one did, to be planned.

    With `atomic`, commands that cannot be part of a transaction are refused.
    """

    def __init__(self, qmgr: QueueManager, copy: QueueManager, *, atomic: bool = False) -> None:
        self._qmgr = qmgr
        self._copy = copy
        self._atomic = atomic
        self._effects: list[_Effect] = []
        # Queues whose messages that have expired are gone by now.
        self._without_expired: set[str] = set()

    def carry_out(self, request: Request) -> Answer:
        """The answer that the command would get."""
        from store.client.plan_copy import last_change

        if self._atomic and request.verb in _NOT_ATOMIC:
            return Answer("MQSC0020E", text_of("MQSC0020E", f"{request.verb} {request.noun}"), 2)
        before = last_change(self._copy)
        met = _MET.get(request.verb, _none)(self, request)
        answer = perform(self._copy, request)
        if answer.completion == 2:
            return answer
        self._count_down(request)
        self._effects = list(self._effects_of(request, before, met))
        return answer

    def planned(self, answered: Answered) -> Iterator[Planned]:
        """What the command that was answered would do; nothing for one that only looks."""
        effects, self._effects = self._effects, []
        where = (answered.file, answered.line, answered.command)
        answer = answered.answer
        if answer.completion == 2:
            yield Planned(*where, Action.ERROR, message_id=answer.message_id, text=answer.text)
        for each in effects:
            yield Planned(*where, each.action, each.type, each.name, each.changes, each.messages)

    def _effects_of(self, request: Request, before: int, met: int | None) -> Iterator[_Effect]:
        from store.client.plan_copy import changes_since

        if request.verb in _LOOKING:
            return
        if request.verb not in _DEFINING:
            yield _Effect(Action.ACTION, request.noun, request.name, messages=met)
            return
        found = changes_since(self._copy, before)
        if not found:
            yield _Effect(Action.UNCHANGED, request.noun, request.name)
        for change in found:
            # Authority records that go with a queue hold none of its messages.
            yield _effect_of(change, met if change.type == request.noun else None)

    def depth_of(self, request: Request) -> int | None:
        """The messages of the queue that a command names, as it stands by then; None for what is no queue."""
        from store.client.plan_copy import depth

        return depth(self._copy, request.name) if request.kinds[0].namespace == "queue" else None

    def purged_from(self, request: Request) -> int | None:
        """The messages that go with a queue."""
        return self.depth_of(request) or None

    def expired_on(self, request: Request) -> int | None:
        """The messages that an expiry scan would discard."""
        if request.options.get("TYPE") != "EXPIRY":
            return None
        return sum(discarded for _, discarded in self._expired(request))

    def _expired(self, request: Request) -> Iterator[tuple[str, int]]:
        """What a scan would discard, by queue; the copy has no messages, so the queue manager itself is asked."""
        from store.admin.expiry import preview

        for each in preview(self._qmgr, str(request.options.get("NAME", "*"))):
            if each.queue not in self._without_expired:
                yield each.queue, each.scan_discards

    def _count_down(self, request: Request) -> None:
        """Take from the depths of the copy what the command would have removed of messages that are not there."""
        from store.client.plan_copy import remove

        met = self.depth_of(request) if request.verb in _EMPTYING else None
        if met is not None:
            gone = {request.name: met}
            if request.verb == "MOVE":
                remove(self._copy, str(request.options["TOQLOCAL"]), -met)
        elif request.options.get("TYPE") == "EXPIRY":
            gone = dict(self._expired(request))
        else:
            return
        for name, messages in gone.items():
            remove(self._copy, name, messages)
        self._without_expired |= gone.keys()


def _none(trial: Trial, request: Request) -> int | None:
    return None


_MET: Mapping[str, Callable[[Trial, Request], int | None]] = {
    "CLEAR": Trial.depth_of,
    "MOVE": Trial.depth_of,
    "DELETE": Trial.purged_from,
    "REFRESH": Trial.expired_on,
}


def _effect_of(change: Change, messages: int | None) -> _Effect:
    action = _OF_EVENT[change.event]
    if action is Action.UPDATE and not change.values:
        action = Action.UNCHANGED
    values = {word: (before, after) for word, (before, after) in change.values.items()}
    if change.event == "SET" and values and all(before is None for before, _ in values.values()):
        action = Action.CREATE
    return _Effect(action, change.type, change.name, values, messages if action is Action.DELETE else None)
