"""Carries a plan out in one transaction, unless definitions changed after it was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.apply.planning import ApplyPlan
from mqsc.language.request import Request
from mqsc.reply import Answer
from mqsc.script import Answered
from mqsc.verbs import perform

if TYPE_CHECKING:
    from store.client.api import QueueManager


class OutdatedPlanError(Exception):
    """The plan no longer fits the queue manager; the message says why. Nothing was changed."""


def carry_out(qmgr: QueueManager, plan: ApplyPlan) -> None:
    """Perform the requests of the plan; OutdatedPlanError rolls everything back."""
    from store.client.plan_copy import definitions_changed_since

    with qmgr.store.database.one_transaction():
        changed = definitions_changed_since(qmgr, plan.bound)
        if changed:
            raise OutdatedPlanError(f"{' and '.join(changed[:2])} changed after the plan was made")
        for answered, request in plan.steps:
            answer = perform(qmgr, request)
            if answer.completion == 2:
                raise OutdatedPlanError(_failure(answered, request, answer))


def _failure(answered: Answered, request: Request, answer: Answer) -> str:
    file = f"{answered.file}, " if answered.file else ""
    place = f"{file}line {answered.line}: " if answered.line else ""
    first, *_ = f"{answer.message_id}: {answer.text}".split("\n")
    return f"{place}{request.verb} {request.noun}({request.name}) failed after the plan succeeded: {first}"
