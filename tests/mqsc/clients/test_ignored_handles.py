"""The line on stderr about a message handle that an old MQGMO cannot name."""

from __future__ import annotations

import pytest

from mqsc.clients.connection_settings import VARIABLE, ClientSettings, as_text
from mqsc.store.constants import MQGMO
from tests.mqsc.clients.caller import Caller, gmo, md

IN_HANDLE = int(MQGMO.PROPERTIES_IN_HANDLE)
LINE = "mqsc: 2460: MsgHandle is ignored in an MQGMO of version 1; set Version to MQGMO_VERSION_4\n"


def test_an_ignored_handle_is_explained_once(
    caller: Caller, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, as_text(ClientSettings()))
    queue = caller.open("Q")
    for version, said in ((4, ""), (1, LINE), (1, "")):
        options = gmo(version, options=IN_HANDLE)
        assert caller.MQGET(queue, md(), options, 9)[-2:] == (2, 2460)
        assert capsys.readouterr().err == said


def test_other_programs_say_nothing(
    caller: Caller, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    options = gmo(1, options=IN_HANDLE)
    assert caller.MQGET(caller.open("Q"), md(), options, 9)[-1] == 2460
    assert capsys.readouterr().err == ""
