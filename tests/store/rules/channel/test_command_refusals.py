"""The refusals of commands on channels by status."""

from __future__ import annotations

import pytest

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQCHS, MQRCCF
from mqsc.store.rules.channel import command_refusals
from mqsc.store.rules.channel.command_refusals import COMMAND_TYPES
from tests.store.tables import giving, verdicts

IN_USE, NOT_ACTIVE, IN_DOUBT = (
    MQRCCF.CHANNEL_IN_USE,
    MQRCCF.CHANNEL_NOT_ACTIVE,
    MQRCCF.CHANNEL_INDOUBT,
)
TYPES = KINDS["CHANNEL"].attributes["CHLTYPE"].type.words
# The refusal of each command when the channel is active, STARTING, RETRYING, STOPPED, INACTIVE, and
# in doubt, or None.
ANSWERS = {
    "START": (IN_USE, IN_USE, None, None, None, None),
    "STOP": (None, None, None, NOT_ACTIVE, NOT_ACTIVE, None),
    "RESET": (None, None, None, None, None, IN_DOUBT),
    "RESOLVE": (IN_USE, None, None, None, None, None),
    "PING": (IN_USE, None, None, None, None, None),
    "ALTER": (None, None, None, None, None, IN_DOUBT),
    "DELETE": (IN_USE, None, None, None, None, IN_DOUBT),
}


@pytest.mark.parametrize(("command", "answers"), ANSWERS.items())
def test_each_command_in_each_status(command: str, answers: tuple[MQRCCF | None, ...]) -> None:
    statuses = (MQCHS.RUNNING, MQCHS.STARTING, MQCHS.RETRYING, MQCHS.STOPPED, MQCHS.INACTIVE)
    found = [
        command_refusals.refusal(command, command_refusals.ChannelSituation(status))
        for status in statuses
    ]
    assert (
        *found,
        command_refusals.refusal(
            command, command_refusals.ChannelSituation(MQCHS.RETRYING, in_doubt=True)
        ),
    ) == answers


def test_the_active_statuses() -> None:
    """Ch5: current, except RETRYING, STOPPED and STARTING."""
    others = sorted(MQCHS(each).name for each in set(MQCHS) - command_refusals.ACTIVE)
    assert others == ["INACTIVE", "RETRYING", "STARTING", "STOPPED"]


def test_the_types_that_each_command_takes() -> None:
    refused = {command: sorted(set(TYPES) - types) for command, types in COMMAND_TYPES.items()}
    assert refused["START"] == refused["STOP"] == ["CLNTCONN"]
    assert refused["RESET"] == ["AMQP", "CLNTCONN", "MQTT", "SVRCONN"]
    assert COMMAND_TYPES["RESOLVE"] == COMMAND_TYPES["PING"] == {"SDR", "SVR", "CLUSSDR"}


test_what_a_start_needs = verdicts(
    command_refusals.start_fault,
    ("SDR", "h", "X", "XMITQ", None),
    ("SDR", "h", "X", "", MQRCCF.MQOPEN_FAILED),
    ("SDR", "h", "X", "NORMAL", MQRCCF.NOT_XMIT_Q),
    ("SVR", "", "X", "XMITQ", MQRCCF.WRONG_CHANNEL_TYPE),
    ("SVR", "h", "X", "XMITQ", None),
    ("RQSTR", "h", None, "", None),
)

test_stop_chinit_is_gentle_with_senders = verdicts(
    command_refusals.mode_of_chinit,
    *giving("QUIESCE", "SDR", "SVR"),
    *giving("FORCE", "RCVR", "RQSTR"),
)
