"""The refusals of commands on channels by status (channel-commands §1).

Each command has its checks in MQ's order: the type of the channel, then its status, then doubt.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQCHS, MQRCCF

# Current is any status but INACTIVE.
_CURRENT = frozenset(MQCHS) - {MQCHS.INACTIVE}
ACTIVE = _CURRENT - {MQCHS.RETRYING, MQCHS.STOPPED, MQCHS.STARTING}
# The ends that read a transmission queue, can be in doubt, and try again when they fail.
SENDING = frozenset({"SDR", "SVR", "CLUSSDR"})
# The ends that a program here runs.
RUN_HERE = frozenset({"SDR", "SVR", "RQSTR"})
# Attributes that may not change while a batch is in doubt: it would be resolved with another
# partner, queue or numbers.
FIXED_IN_DOUBT = frozenset({"CHLTYPE", "CONNAME", "XMITQ", "SEQWRAP"})
# The application name of a program that runs a channel.
CHANNEL_APPLICATION = "runmqchl"

_WITH_STATUS = frozenset(KINDS["CHANNEL"].attributes["CHLTYPE"].type.words) - {"CLNTCONN"}
# The types of channel that a command takes; AMQ9502E for another.
COMMAND_TYPES: Mapping[str, frozenset[str]] = {
    "START": _WITH_STATUS,
    "STOP": _WITH_STATUS,
    "RESET": frozenset(KINDS["CHANNEL"].attributes["SEQWRAP"].only_for),
    "RESOLVE": SENDING,
    "PING": SENDING,
}


class ChannelSituation(NamedTuple):
    """The status of a channel, or of one instance of it, and whether a batch of it is in doubt."""

    status: MQCHS = MQCHS.INACTIVE
    in_doubt: bool = False


_Check = tuple[Callable[[ChannelSituation], bool], MQRCCF]


def is_active(now: ChannelSituation) -> bool:
    return now.status in ACTIVE


_IN_DOUBT: _Check = (lambda now: now.in_doubt, MQRCCF.CHANNEL_INDOUBT)
_CHECKS: Mapping[str, tuple[_Check, ...]] = {
    "START": ((lambda now: is_active(now) or now.status == MQCHS.STARTING, MQRCCF.CHANNEL_IN_USE),),
    "STOP": (
        (lambda now: now.status in (MQCHS.INACTIVE, MQCHS.STOPPED), MQRCCF.CHANNEL_NOT_ACTIVE),
    ),
    "RESET": (_IN_DOUBT,),
    "RESOLVE": ((is_active, MQRCCF.CHANNEL_IN_USE),),
    "PING": ((is_active, MQRCCF.CHANNEL_IN_USE),),
    "ALTER": (_IN_DOUBT,),
    "DELETE": ((is_active, MQRCCF.CHANNEL_IN_USE), _IN_DOUBT),
}


def refusal(command: str, now: ChannelSituation) -> MQRCCF | None:
    """Why a command is refused in this situation; None when it is not."""
    return next((reason for applies, reason in _CHECKS[command] if applies(now)), None)


def start_fault(
    type: str,
    connection_name: str,
    transmission_queue: str | None,
    usage: str,
) -> MQRCCF | None:
    """Why a channel of that definition cannot start. `transmission_queue`: None when it has none or
    needs none.

    `usage` is USAGE of the local queue of that name, blank when there is none.
    """
    if type == "SVR" and not connection_name:
        return MQRCCF.WRONG_CHANNEL_TYPE
    if transmission_queue is None or usage == "XMITQ":
        return None
    return MQRCCF.NOT_XMIT_Q if usage else MQRCCF.MQOPEN_FAILED


def mode_of_chinit(type: str) -> str:
    """The mode in which STOP CHINIT stops a channel of that type."""
    return "QUIESCE" if type in ("SDR", "SVR") else "FORCE"
