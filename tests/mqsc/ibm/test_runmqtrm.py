"""`runmqtrm` with the arguments of IBM's command. The monitor itself is tested in tests/mqsc/agents."""

from __future__ import annotations

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command

mqsc = conftest.mqsc


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-x",), "unknown option -x\nusage: runmqtrm"),
        (("-r",), "runmqtrm -r is not supported: there are no client connections"),
        (("-q",), "-q needs a value"),
        (("-q", "A", "-q", "B"), "-q is given twice"),
        (("--once",), "No such option"),
        (("-q", "NOQ"), "cannot open the initiation queue NOQ"),
        (("-m", "QM9"), "AMQ8118E"),
        (("-m", "QM1", "INIT1"), "unexpected argument INIT1"),
        (("-m", "QM2"), "2059 MQRC_Q_MGR_NOT_AVAILABLE"),
    ],
)
def test_nothing_is_monitored(mqsc: Command, arguments: tuple[str, ...], said: str) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("crtmqm", "QM2")
    ended = mqsc("runmqtrm", *arguments)
    assert (ended.code, ended.out) == (20, "")
    assert said in ended.err
