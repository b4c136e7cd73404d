"""What still names an object that a command deletes, said in the reply or in the plan."""

from __future__ import annotations

from msgspec.structs import replace

from mqsc.console.text.uses import still_named
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.plan import Action, Planned
from mqsc.store.admin.object_uses import ObjectUse, uses_of
from mqsc.store.catalog import KINDS
from mqsc.store.client.api import QueueManager


def answer_with_uses(qmgr: QueueManager, request: Request, answer: Answer) -> Answer:
    """The answer to a command; that to a DELETE with a line about what still names the object."""
    is_deletion = request.verb == "DELETE" and not request.kinds[0].identity
    if not is_deletion or answer.completion or not answer.text:
        return answer
    uses = uses_of(qmgr, request.kinds[0].namespace, request.name)
    if not uses:
        return answer
    return replace(answer, text=f"{answer.text}\n{still_named(uses, qmgr.name)}")


def planned_with_uses(qmgr: QueueManager, copy: QueueManager, row: Planned) -> Planned:
    """The row of a plan; that of a deletion with a warning about what still names the object.

    The copy is the queue manager after the commands; other queue managers are as they are.
    """
    kind = KINDS.get(row.type)
    if row.action is not Action.DELETE or kind is None or kind.identity or row.member:
        return row
    uses = [
        *uses_of(copy, kind.namespace, row.name),
        *_uses_elsewhere(qmgr, kind.namespace, row.name),
    ]
    if not uses:
        return row
    return replace(row, warnings=(*row.warnings, still_named(uses, qmgr.name)))


def _uses_elsewhere(qmgr: QueueManager, namespace: str, name: str) -> list[ObjectUse]:
    return [each for each in uses_of(qmgr, namespace, name) if each.qmgr != qmgr.name]
