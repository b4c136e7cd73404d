"""The message that a command about the history names: the first digits of its MsgId."""

from collections.abc import Sequence
from functools import partial

from mqsc.console.msg_ids import MOST_CANDIDATES, only_id
from mqsc.console.options import Choices
from mqsc.console.target import CommandFailedError
from mqsc.store.admin.message_trace import ID_LENGTH, matching_ids
from mqsc.store.engine.state import StoreState


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
            "ACCTQ(OFF), the "
            "history has no puts and gets",
        )
    return msg_id
