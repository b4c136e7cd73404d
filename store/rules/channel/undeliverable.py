"""What a channel does with a message that it cannot deliver, at either end (expiry-backout-channels
Ch4).
"""

from enum import Enum
from typing import NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.rules.report_message import DISCARD_MSG, EXCEPTION

# The outcome of a put to the dead-letter queue when the queue manager names none.
NOT_NAMED = -1
# Reasons that may pass by themselves, so that the receiving end tries the put again.
RETRIED = frozenset({int(MQRC.PUT_INHIBITED), int(MQRC.Q_FULL), int(MQRC.PAGESET_FULL)})
EXPIRED = int(MQRC.EXPIRY_ERROR)


class Action(Enum):
    """The outcome for the message and, with END, for the channel."""

    RETRY = "retry"
    EXPIRE = "expire"
    DISCARD = "discard"
    DEAD_LETTER = "dead-letter"
    DROP = "drop"
    END = "end"


class UndeliverableFacts(NamedTuple):
    """The facts that decide.

    `reason` is the MQRC or MQFB of the failure; `retries` how many retries of the put are left,
    always 0 at the sending end. `fast`: the message was sent outside the batch.
    `use_dead_letter_queue` is USEDLQ of the end where it failed. `dead_letter` is the outcome of a
    put to DEADQ: 0 if it works or has not been tried, the MQRC that it failed with, or NOT_NAMED.
    `expired`: its Expiry has run out in the meantime.
    """

    reason: int
    retries: int
    report: int
    fast: bool
    use_dead_letter_queue: bool
    dead_letter: int = 0
    expired: bool = False


def decide(facts: UndeliverableFacts) -> Action:
    """The action for the message. If the put to the dead-letter queue fails, ask again with that
    outcome.
    """
    if facts.expired:
        return Action.EXPIRE
    if facts.retries and facts.reason in RETRIED:
        return Action.RETRY
    if facts.report & DISCARD_MSG:
        return Action.DISCARD
    if facts.use_dead_letter_queue and not facts.dead_letter:
        return Action.DEAD_LETTER
    return Action.DROP if facts.fast else Action.END


def reports_exception(action: Action, report: int) -> bool:
    """Whether the action makes an exception report, whose Feedback is the reason.

    None is made before the outcome is certain: a message that ends the channel is sent again.
    """
    return action in (Action.DISCARD, Action.DEAD_LETTER, Action.DROP) and EXCEPTION.is_requested(
        report,
    )
