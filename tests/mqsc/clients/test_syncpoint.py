"""MQBEGIN (callbacks §5)."""

from __future__ import annotations

import pytest

from mqsc.clients.mqi import Mqi
from mqsc.clients.structures import MQBO
from store.constants import MQCNO
from tests.mqsc.clients.caller import SHARED, cno

SERVER, CLIENT = 0, int(MQCNO.CLIENT_BINDING)


@pytest.mark.parametrize(
    ("connect", "options", "answer"),
    [
        (SERVER, None, (1, 2121)),
        (SERVER, MQBO.new(1), (1, 2121)),
        (SERVER, MQBO.new(1, options=1), (2, 2046)),
        (SERVER, b"XXXX" + bytes(8), (2, 2134)),
        (SHARED, None, (2, 2018)),
        (CLIENT, None, (2, 2012)),
    ],
)
def test_begin(mqi: Mqi, connect: int, options: bytes | None, answer: tuple[int, int]) -> None:
    number, *_ = mqi.MQCONNX(b"QM1", cno(options=connect))
    assert mqi.MQBEGIN(number, options) == answer
    if answer[0] == 1:
        assert mqi.MQBEGIN(number, options) == (2, 2128)
