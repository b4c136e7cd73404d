"""The message that a command about the history names: the first digits of its MsgId."""

from collections.abc import Sequence
from functools import partial

from mqsc.console.msg_ids import MOST_CANDIDATES, only_id
from mqsc.console.options import Choices
from mqsc.console.removed import READ_REMOVED
from mqsc.console.target import CommandFailedError
from mqsc.store.admin.message_trace import ID_LENGTH, matching_ids
from mqsc.store.engine.state import StoreState
from mqsc.store.past.removed import missed
from mqsc.store.published import removed_events


def inform_about_index(choices: Choices) -> None:
    """Explain why a look-up takes seconds."""
    choices.inform("mqsc: indexing the history; the next look-up will be fast")


def the_id(stores: Sequence[StoreState], digits: str, choices: Choices) -> bytes:
    """The only MsgId in the histories that begins with these digits.

    CommandFailedError if there is none, NothingRunError with the candidates if there are several.
    """
    candidates = matching_ids(
        stores,
        digits,
        MOST_CANDIDATES,
        inform=partial(inform_about_index, choices),
    )
    msg_id = only_id(candidates, digits)
    if msg_id is None:
        begins = "is" if len(digits) == 2 * ID_LENGTH else "begins with"
        raise CommandFailedError(
            f"no message here, and none in the history, has a MsgId that {begins} {digits}; with "
            f"ACCTQ(OFF), the history has no puts and gets{_removed(stores, digits)}",
        )
    return msg_id


def _removed(stores: Sequence[StoreState], digits: str) -> str:
    """Where the message may be if the history of a store is not whole; blank if all are."""
    pruned = max((missed(each) for each in stores), default=0)
    if not pruned:
        return ""
    return f"; {removed_events(pruned)}: `mqsc trace {digits} {READ_REMOVED}` reads them, too"
