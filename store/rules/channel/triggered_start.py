"""Which channel a trigger message on a channel initiation queue starts, if any (channel-commands
§5).
"""

from collections.abc import Sequence

from mqsc.store.constants import MQCHS


def channel_of(trigger_data: str, user_data: str, of_queue: Sequence[str]) -> str:
    """The name of the channel: TRIGDATA, else USERDATA of the process, else the first channel of
    the queue; or blank.

    `of_queue` are the sending channels of the transmission queue that triggered, by name.
    """
    return trigger_data.strip() or user_data.strip() or next(iter(of_queue), "")


def starts(status: MQCHS) -> bool:
    """Whether a trigger starts a channel in that status. Otherwise the trigger message has no
    effect.
    """
    return status == MQCHS.INACTIVE
