"""`runmqtrm` with the arguments of IBM's command. The monitor itself is tested in tests/mqsc/agents."""

from __future__ import annotations

import pytest

from tests.mqsc import conftest
from tests.mqsc.conftest import Command

mqsc = conftest.mqsc


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("-x",), 20, "unknown option -x\nusage: runmqtrm"),
        (("-r",), 20, "runmqtrm -r is not supported: there are no client connections"),
        (("-q",), 20, "-q needs a value"),
        (("-q", "A", "-q", "B"), 20, "-q is given twice"),
        (("--once",), 20, "No such option"),
        (("-q", "NOQ"), 10, "cannot open the initiation queue NOQ"),
        (("-m", "QM9"), 10, "AMQ8118E"),
        (("-m", "QM1", "INIT1"), 20, "unexpected argument INIT1"),
        (("-m", "QM2"), 20, "2059 MQRC_Q_MGR_NOT_AVAILABLE"),
    ],
)
def test_nothing_is_monitored(mqsc: Command, arguments: tuple[str, ...], code: int, said: str) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("crtmqm", "QM2")
    ended = mqsc("runmqtrm", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
