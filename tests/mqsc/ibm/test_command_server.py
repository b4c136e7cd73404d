"""`strmqcsv`, `endmqcsv` and `dspmqcsv`: the state of the command server."""

from __future__ import annotations

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command

mqsc = conftest.mqsc


@pytest.fixture(autouse=True)
def _manager(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")


def state(mqsc: Command) -> str:
    """The last word of dspmqcsv, which scripts look at."""
    ended = mqsc("dspmqcsv", "QM1")
    assert (ended.code, len(ended.lines)) == (0, 1)
    return ended.lines[0].split()[-1]


def test_states(mqsc: Command) -> None:
    assert state(mqsc) == "Running"
    assert mqsc("endmqcsv", "-c", "QM1").code == 0
    assert state(mqsc) == "Stopped"
    assert "STATUS(STOPPED)" in mqsc("run", "-c", "DISPLAY CMDSERV").out
    assert mqsc("strmqcsv", "QM1").code == 0
    assert state(mqsc) == "Running"
    assert mqsc("endmqcsv", "-i", "QM1").lines == [
        "The command server of queue manager 'QM1' is stopped now."
    ]


def test_after_the_next_start(mqsc: Command) -> None:
    """SCMDSERV decides, whatever was done by hand."""
    mqsc("endmqcsv", "QM1")
    mqsc("endmqm", "QM1")
    mqsc("strmqm", "QM1")
    assert state(mqsc) == "Running"


def test_a_user_needs_control(mqsc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    mqsc("user", "add", "ann", stdin=b"a-long-password-1\n")
    monkeypatch.setenv("MQSC_USER", "ann")
    ended = mqsc("endmqcsv", "QM1")
    assert ended.code in (10, 20)
    monkeypatch.delenv("MQSC_USER")
    assert state(mqsc) == "Running"
