"""The MsgId that a command names: its first digits are enough if no other message has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mqsc.console.target import NothingRunError
from mqsc.store.descriptor import ID_LENGTH

if TYPE_CHECKING:
    from mqsc.store.engine.state import QueueManagerState

# How many candidates an ambiguous identifier lists.
MOST_LISTED = 10
# Enough to know that there are more than those.
MOST_CANDIDATES = MOST_LISTED + 1


def only_id(candidates: Sequence[bytes], digits: str) -> bytes | None:
    """The only candidate, None if there is none; NothingRunError with the candidates if there
    are several.
    """
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    number = f"more than {MOST_LISTED}" if len(candidates) > MOST_LISTED else f"{len(candidates)}"
    listed = "".join(f"\n  {each.hex().upper()}" for each in candidates[:MOST_LISTED])
    raise NothingRunError(f"{number} MsgIds begin with {digits}; write more digits:{listed}")


def msg_id_on(qmgr: QueueManagerState, queue: str, digits: str | None) -> bytes | None:
    """The MsgId of a message on the queue that begins with these digits; None for no digits.

    If no message there has it, the digits are those of a whole MsgId that ends with zeros.
    NothingRunError as `only_id`, MQError if the name does not lead to a local queue.
    """
    from mqsc.store.admin.queue_message_ids import matching_ids_on

    if digits is None:
        return None
    found = only_id(matching_ids_on(qmgr, queue, digits, MOST_CANDIDATES), digits)
    return bytes.fromhex(digits.ljust(2 * ID_LENGTH, "0")) if found is None else found
