"""What still names an object that a command deletes, said in the reply or in the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqsc.console.text.uses import still_named
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.store.admin.object_uses import NamesInDefinitions, ObjectUse, uses_of
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager

if TYPE_CHECKING:
    from mqsc.plan import Planned


class AnswersWithUses:
    """Adds to the answer of a DELETE a line about what still names the object.

    It holds the names in definitions from the first DELETE of a run on, so pass it every command of
    the run.
    """

    def __init__(self, qmgr: QueueManager) -> None:
        self._qmgr = qmgr
        self._names: NamesInDefinitions | None = None

    def answer_with_uses(self, request: Request, answer: Answer) -> Answer:
        """The answer to a command that was carried out."""
        if self._names is not None:
            self._names.add(request.attributes.values())
        is_deletion = request.verb == "DELETE" and not request.kinds[0].identity
        if not is_deletion or answer.completion or not answer.text:
            return answer
        if self._names is None:
            self._names = NamesInDefinitions(self._qmgr)
        if request.name not in self._names:
            return answer
        uses = uses_of(self._qmgr, request.kinds[0].namespace, request.name)
        if not uses:
            return answer
        return replace(answer, text=f"{answer.text}\n{still_named(uses, self._qmgr.name)}")


class PlanWithUses:
    """Adds to the row of a deletion in a plan a warning about what still names the object.

    The copy is the queue manager after the commands, which may still go on; other queue managers
    are as they are.
    """

    def __init__(self, qmgr: QueueManager, copy: QueueManager) -> None:
        self._qmgr, self._copy = qmgr, copy
        self._names: NamesInDefinitions | None = None
        self._names_elsewhere: NamesInDefinitions | None = None

    def row_with_uses(self, planned: Planned) -> Planned:
        """A row of the plan, in the order of the commands."""
        from mqsc.plan import Action

        if self._names is not None:
            self._names.add(after for _, after in planned.changes.values())
        kind = KINDS.get(planned.type)
        if planned.action is not Action.DELETE or kind is None or kind.identity or planned.member:
            return planned
        uses = [
            *self._uses(kind.namespace, planned.name),
            *self._uses_elsewhere(kind.namespace, planned.name),
        ]
        if not uses:
            return planned
        return replace(planned, warnings=(*planned.warnings, still_named(uses, self._qmgr.name)))

    def _uses(self, namespace: str, name: str) -> list[ObjectUse]:
        if self._names is None:
            self._names = NamesInDefinitions(self._copy)
        return uses_of(self._copy, namespace, name) if name in self._names else []

    def _uses_elsewhere(self, namespace: str, name: str) -> list[ObjectUse]:
        if self._names_elsewhere is None:
            self._names_elsewhere = NamesInDefinitions(self._qmgr)
        if name not in self._names_elsewhere:
            return []
        found = uses_of(self._qmgr, namespace, name)
        return [each for each in found if each.qmgr != self._qmgr.name]
