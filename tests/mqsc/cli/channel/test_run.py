"""`mqsc channel run` and `runmqchl`: exit codes and output (channel-commands §6, L48)."""

from __future__ import annotations

import pytest

from tests.mqsc.conftest import Command

SENDER = "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('local(QM2)')"
AT_QM1 = f"DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)\n{SENDER}"
AT_QM2 = "DEFINE QLOCAL(Q)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)"


@pytest.fixture
def network(mqsc: Command) -> Command:
    """Two queue managers with a channel, and one message for it to move."""
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "create", "QM2")
    assert mqsc("-m", "QM1", "run", "-c", AT_QM1).code == 0
    assert mqsc("-m", "QM2", "run", "-c", AT_QM2).code == 0
    mqsc("-m", "QM1", "put", "RQ", "hello")
    return mqsc


def test_until_the_transmission_queue_is_empty(network: Command) -> None:
    ended = network("-m", "QM1", "channel", "run", "C", "--until-empty")
    assert (ended.code, ended.out) == (0, "")
    assert ended.err.splitlines() == [
        "QM1: AMQ9002I: Channel 'C' is starting.",
        "QM2: AMQ9002I: Channel 'C' is starting.",
        "QM2: AMQ9001I: Channel 'C' ended normally.",
        "QM1: AMQ9001I: Channel 'C' ended normally.",
    ]
    assert network("-m", "QM2", "get", "Q").out == "hello\n"


def test_l48_the_disconnect_interval(network: Command) -> None:
    network("-m", "QM1", "run", "-c", "ALTER CHANNEL(C) CHLTYPE(SDR) DISCINT(1)")
    ended = network("runmqchl", "-c", "C", "-m", "QM1")
    assert (ended.code, ended.out) == (0, "")
    assert "QM1: AMQ9545I" in ended.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("-c", "NOPE", "-m", "QM1"), 10, "mqsc: AMQ9519E: Channel 'NOPE' not found."),
        (("-c", "C", "-m", "QM2"), 20, "AMQ9502E"),
        (("-c", "C", "-m", "QM9"), 10, "AMQ8118E"),
        (("-m", "QM1"), 20, "-c ChannelName is missing"),
        (("-c", "C", "-x"), 20, "unknown option -x"),
    ],
)
def test_nothing_is_run(network: Command, arguments: tuple[str, ...], code: int, said: str) -> None:
    ended = network("runmqchl", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err


def test_a_queue_manager_that_has_ended(network: Command) -> None:
    network("qmgr", "end", "QM1")
    ended = network("-m", "QM1", "channel", "run", "C")
    assert ended.code == 20
    assert "2059" in ended.err


def test_l21_a_failure(network: Command) -> None:
    network("qmgr", "end", "QM2")
    ended = network("-m", "QM1", "channel", "run", "C")
    assert (ended.code, ended.out) == (10, "")
    assert "QM1: AMQ9524E" in ended.err
    assert "QM1: AMQ9999E: Channel 'C' to host 'local(QM2)' ended abnormally." in ended.err


def test_quiet_leaves_only_problems(network: Command) -> None:
    assert network("-m", "QM1", "channel", "run", "C", "--until-empty", "--quiet").err == ""
    network("qmgr", "end", "QM2")
    assert "AMQ9524E" in network("-m", "QM1", "channel", "run", "C", "--quiet").err
