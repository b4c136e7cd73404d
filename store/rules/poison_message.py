"""The action of a consumer on a message that was backed out too often (expiry-backout-channels J1-J7)."""

from enum import Enum
from typing import NamedTuple

from mqsc.store.rules.report_message import DISCARD_MSG, EXCEPTION

# Outcomes of a put that is not tried: no queue is named, or the message would come back to the
# queue it is taken from.
NOT_NAMED, LEADS_BACK = -1, -2


class Action(Enum):
    """The action on the message: the program gets it, or it is moved, discarded, or kept where
    it is.
    """

    DELIVER = "deliver"
    REQUEUE = "requeue"
    DEAD_LETTER = "dead-letter"
    DISCARD = "discard"
    KEEP = "keep"


class PoisonFacts(NamedTuple):
    """The facts: BackoutCount, Report and Persistence of the message, BOTHRESH of the queue, and
    two outcomes.

    `requeue` and `dead_letter` are the outcomes of a put to BOQNAME and DEADQ: 0 if it works or has
    not been tried, the MQRC that it failed with, NOT_NAMED or LEADS_BACK.
    """

    backout_count: int
    threshold: int
    requeue: int
    report: int
    persistence: int
    dead_letter: int


def decide(facts: PoisonFacts) -> Action:
    """The action for a message. If a put fails, the consumer asks again with that outcome."""
    if facts.threshold == 0 or facts.backout_count < facts.threshold:
        return Action.DELIVER
    if not facts.requeue:
        return Action.REQUEUE
    if facts.report & DISCARD_MSG:
        return Action.DISCARD
    if not facts.dead_letter:
        return Action.DEAD_LETTER
    return Action.KEEP if facts.persistence else Action.DISCARD


def reports_exception(action: Action, report: int) -> bool:
    """Whether the action makes an exception report, with Feedback 2362 (backout J7)."""
    return action in (Action.DEAD_LETTER, Action.DISCARD) and EXCEPTION.is_requested(report)
