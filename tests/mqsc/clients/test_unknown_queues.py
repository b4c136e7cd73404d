"""The line on stderr about a queue that does not exist."""

from __future__ import annotations

import pytest

from mqsc.clients.connection_settings import VARIABLE, ClientSettings, as_text
from mqsc.clients.unknown_queues import missing_queue
from mqsc.store.constants import MQOT
from tests.mqsc.clients.caller import Caller, md, od, pmo

WRONG = "SYSTEM.DEFAULT.LOCAL.QEUUE"
LINE = f"mqsc: 2085: QM1 has no {WRONG}; did you mean SYSTEM.DEFAULT.LOCAL.QUEUE?\n"


def test_the_sentence() -> None:
    known = ["APP.ORDERS", "OTHER"]
    assert missing_queue("QM1", "APP.ORDRES", known) == (
        "QM1 has no APP.ORDRES; did you mean APP.ORDERS?"
    )
    assert missing_queue("QM1", "XYZ", known) == "QM1 has no XYZ"


def test_a_queue_that_does_not_exist_is_explained_once(
    caller: Caller, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, as_text(ClientSettings()))
    assert caller.MQOPEN(od(WRONG), 16)[2:] == (2, 2085)
    assert capsys.readouterr().err == LINE
    assert caller.MQOPEN(od(WRONG), 16)[2:] == (2, 2085)
    assert caller.MQOPEN(od("NONE", object_type=int(MQOT.PROCESS)), 32)[2:] == (2, 2085)
    assert capsys.readouterr().err == ""
    assert caller.MQPUT1(od("XYZ"), md(), pmo(), b"")[-1] == 2085
    assert capsys.readouterr().err == "mqsc: 2085: QM1 has no XYZ\n"


def test_other_programs_say_nothing(
    caller: Caller, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert caller.MQOPEN(od(WRONG), 16)[2:] == (2, 2085)
    assert capsys.readouterr().err == ""
