"""Gets that wait in threads, and a clock that shows when they wait, so that no test needs to
sleep.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQMO, MQOO
from mqsc.store.environment import FrozenClock
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.sql import messages
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import waiter
from mqsc.store.sqlite.database import Reading, Transaction
from tests.scenarios.looking import queue_row
from tests.scenarios.play import Play, done
from tests.scenarios.words import IDS, Outcome, sorted_words

# Seconds; much longer than any machine needs, so a test that reaches it has failed.
PATIENCE = 60.0


class PauseCountingClock(FrozenClock):
    """A frozen clock that counts pauses: a waiting get pauses after each search of the queue."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self._pauses = 0
        self._paused = threading.Condition()

    def pause(self, seconds: float) -> None:
        """Count the pause, then wait as a frozen clock does."""
        with self._paused:
            self._pauses += 1
            self._paused.notify_all()
        super().pause(seconds)

    def wait_for_a_search(self) -> None:
        """Return when a waiting get has searched the queue and found nothing, both after this
        call.
        """
        with self._paused:
            # The next pause may follow a search that began before this call.
            enough = self._pauses + 2
            assert self._paused.wait_for(lambda: self._pauses >= enough, PATIENCE), (
                "no get is waiting"
            )


def registered(qmgr: QueueManager) -> int:
    """Return the number of registered gets that wait for a selected message."""
    with Reading(qmgr.store.database) as reading:
        return len(reading.all(text_of(waiter.select())))


def waiting_in(qmgr: QueueManager) -> int:
    """Return the number of gets of this process that have searched their queue and wait now."""
    watch = qmgr.store.change_watch
    return (watch._watcher is not None) + len(watch._sleepers)


class Waiter:
    """A program that waits for a message in its own thread; its outcome is that of its last get."""

    def __init__(
        self,
        qmgr: QueueManager,
        options: int = 0,
        *,
        wait_interval: int = -1,
        gets: int = 1,
        correl_id: bytes = b"",
        ids: Mapping[str, bytes] = MappingProxyType({}),
        selection: str = "",
    ) -> None:
        self._qmgr, self._gets, self._selection = qmgr, gets, selection
        ids = {**ids, "correl_id": correl_id} if correl_id else ids
        match = sum(int(MQMO[f"MATCH_{name.upper()}"]) for name in ids)
        asked = int(options | MQGMO.WAIT)
        self._asked = GetMessageOptions(asked, wait_interval=wait_interval, match_options=match)
        for name, value in ids.items():
            setattr(self._asked, name, value.ljust(24, b"\0"))
        self._outcome: Message | int | None = None
        self._thread = threading.Thread(target=self._wait)
        self._thread.start()

    def _wait(self) -> None:
        try:
            with self._qmgr.connect(application="waiter") as connection:
                handle = connection.open(
                    "Q",
                    MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.CO_OP,
                    selection=self._selection,
                )
                got = [handle.get(self._asked) for _ in range(self._gets)]
        except MQError as error:
            self._outcome = error.reason
        else:
            self._outcome = got[-1]

    def outcome(self) -> bytes | int:
        """The data of the message, or the reason of the failed get; waits for the thread."""
        self._thread.join(PATIENCE)
        assert self._outcome is not None, "still waiting"
        return self._outcome.body if isinstance(self._outcome, Message) else self._outcome

    @property
    def is_waiting(self) -> bool:
        """Whether the get has not returned."""
        return self._outcome is None


class WaitingPlay(Play):
    """Programs whose gets wait in threads; THERE is a program that uses another store on the same
    file.

    W: wait gets=2 correl_id=C wait_interval=10000   starts such a get, which has searched the queue
    when this returns searched                                         returns when a waiting get
    has searched again waiting => V W                                   the programs whose gets have
    not returned W: outcome => m                                  the data of the message, or the
    reason; waits for the get served => m                                      the same, while the
    clock ticks S: stopped correl_id=C                           registers a get that waits, of a
    program stopped before it searches registered => 1                                  the gets
    that wait for a selected message
    """

    def __init__(self, qmgr: QueueManager, there: QueueManager, clock: PauseCountingClock) -> None:
        super().__init__(qmgr)
        self.managers["THERE"] = there
        self.clock = clock
        self.waiters: dict[str, Waiter] = {}

    def _wait(self, who: str, words: list[str]) -> Outcome:
        _, fields, options = sorted_words(words, MQGMO, self.placed)
        ids = {name: value for name, value in fields.items() if name in IDS}
        others = {name: value for name, value in fields.items() if name not in IDS}
        self.waiters[who] = Waiter(self.at(who), options, ids=ids, **others)
        return self._searched(who, [])

    def _searched(self, who: str, words: list[str]) -> Outcome:
        self.clock.wait_for_a_search()
        return done

    def _waiting(self, who: str, words: list[str]) -> Outcome:
        names = [name for name, waiter in self.waiters.items() if waiter.is_waiting]
        return lambda wanted: names or ["nothing"]

    def _outcome(self, who: str, words: list[str]) -> Outcome:
        outcome = self.waiters[who].outcome()
        return lambda wanted: [
            outcome.decode() if isinstance(outcome, bytes) else str(int(outcome)),
        ]

    def _served(self, who: str, words: list[str]) -> Outcome:
        while self.waiters[who].is_waiting:
            self.clock.advance(0)
        return self._outcome(who, words)

    def _stopped(self, who: str, words: list[str]) -> Outcome:
        _, ids, _ = sorted_words(words, MQGMO, self.placed)
        handle = self.handle(who, "Q", "get", MQOO.INPUT_SHARED)
        with Transaction(self.qmgr.store.database, durable=False) as tx:
            messages.add_waiter(tx, handle.number, queue_row(self.qmgr, "Q").id, ids)
        return done

    def _registered(self, who: str, words: list[str]) -> Outcome:
        return lambda wanted: [str(registered(self.qmgr))]
