"""A wait that goes on because a manual clock stands still: one line on stderr for each process."""

from __future__ import annotations

import asyncio
import io
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

import mqsc
from mqsc.clients.mqi import Mqi
from mqsc.clients.process import ClientProcess
from mqsc.console import stopped_waits
from mqsc.store.constants import MQGMO
from mqsc.store.mqi import get_wait
from tests.mqsc.clients.caller import Caller

MINUTE = timedelta(minutes=1)
SAID = "mqsc: QM1 has a manual clock: the wait ends when `mqsc clock` moves it\n"


class Reader(io.StringIO):
    """A person who reads stderr, and moves the clock by two minutes then."""

    def __init__(self, advance: Callable[[int], object]) -> None:
        super().__init__()
        self._advance = advance

    def write(self, text: str) -> int:
        self._advance(120_000_000)
        return super().write(text)


def get_in_session(place: Path) -> None:
    with mqsc.connect(place) as session, pytest.raises(mqsc.NoMessage):
        session.queue("ORDERS").get(MINUTE)


def get_in_task(place: Path) -> None:
    async def main() -> None:
        async with mqsc.aconnect(place) as session:
            with pytest.raises(mqsc.NoMessage):
                await session.queue("ORDERS").get(MINUTE)

    asyncio.run(main())


def get_as_client(place: Path) -> None:
    process = ClientProcess(f"sqlite:///{place}")
    caller = Caller(Mqi(process))
    caller.get(caller.open("ORDERS"), (2, 2033), options=int(MQGMO.WAIT), wait_interval=60_000)
    caller.MQDISC()
    process.close()


@pytest.mark.parametrize("get", [get_in_session, get_in_task, get_as_client])
def test_a_long_wait_by_a_manual_clock_is_explained(
    get: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "test.db"
    with mqsc.open_store(f"sqlite:///{place}") as store:
        made = store.create_queue_manager("QM1", manual_clock_at=store.environment.clock.now())
        mqsc.run(made, "DEFINE QLOCAL(ORDERS)")
        stderr = Reader(made.advance_clock)
        monkeypatch.setattr(get_wait, "LONG_WAIT_SECONDS", 0.0)
        monkeypatch.setattr(stopped_waits, "_told", threading.Lock())
        monkeypatch.setattr(sys, "stderr", stderr)
        get(place)
        stopped_waits.tell_once("QM1")
    assert stderr.getvalue() == SAID
