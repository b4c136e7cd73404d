"""The next program reports the end of a channel whose own program was killed."""

from mqsc.store.constants import MQCHS, MQRQ

MESSAGE = 9999
TEXT = "Channel '{name}' to host '{partner}' ended abnormally"


def killed(channel: str, partner: str) -> str:
    """The message about it; `partner` is what CONNAME has at a sender, and the queue manager at
    a receiver.
    """
    return (
        f"AMQ{MESSAGE}E: {TEXT.format(name=channel, partner=partner)}: the program that ran it was "
        "killed."
    )


def qualifier(status: MQCHS, *, stop_requested: bool) -> MQRQ:
    """The qualifier of the event 2283 about it, by the status that follows. `stop_requested`: a
    command had asked for a stop.
    """
    if stop_requested:
        return MQRQ.CHANNEL_STOPPED_DISABLED
    return MQRQ.CHANNEL_STOPPED_RETRY if status == MQCHS.RETRYING else MQRQ.CHANNEL_STOPPED_ERROR
