"""The two stores of the day: what is defined in them, and where everything is."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

import mqsc
from mqsc.store.admin.channel import starts
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store

HERE, THERE = "HERE", "THERE"
MINUTE = 60 * 1_000_000
# Monday, 2 March 2026, 00:00 UTC.
MIDNIGHT = 1_772_409_600_000_000
SUBSCRIPTION = "PRICES"
INITIATION_QUEUE = "SYSTEM.CHANNEL.INITQ"

_DEFINED_HERE = """
DEFINE QLOCAL(ORDERS) DEFPSIST(YES) MAXDEPTH(999999)
DEFINE QLOCAL(QUOTES) MAXDEPTH(999999)
DEFINE QLOCAL(TO.THERE) USAGE(XMITQ) MAXDEPTH(999999) +
       TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)
DEFINE QREMOTE(FAR.ORDERS) RNAME(ORDERS) RQMNAME(THERE) XMITQ(TO.THERE)
DEFINE QREMOTE(FAR.SMALL) RNAME(SMALL) RQMNAME(THERE) XMITQ(TO.THERE)
DEFINE QREMOTE(FAR.NOWHERE) RNAME(NOWHERE) RQMNAME(THERE) XMITQ(TO.THERE)
DEFINE CHANNEL(HERE.THERE) CHLTYPE(SDR) XMITQ(TO.THERE) CONNAME('{there}(THERE)') +
       NPMSPEED(NORMAL) DISCINT(1800) SHORTTMR(60) BATCHSZ(20)
ALTER QMGR EXPRYINT(1800)
"""
_DEFINED_THERE = """
DEFINE QLOCAL(ORDERS) DEFPSIST(YES) MAXDEPTH(999999)
DEFINE QLOCAL(SMALL) MAXDEPTH(10)
DEFINE QLOCAL(SET.ASIDE) MAXDEPTH(999999)
DEFINE QLOCAL(DEAD) MAXDEPTH(999999)
DEFINE CHANNEL(HERE.THERE) CHLTYPE(RCVR) MRRTY(0)
ALTER QMGR DEADQ(DEAD) EXPRYINT(1800)
"""
# What cannot be delivered: fast and forgotten, set aside, or tried again when there may be room.
RULES = """
INPUTQM(THERE) INPUTQ(DEAD) WAIT(YES) RETRYINT(60)
PERSIST(MQPER_NOT_PERSISTENT) ACTION(DISCARD)
REASON(MQRC_UNKNOWN_OBJECT_NAME) ACTION(FWD) FWDQ(SET.ASIDE) HEADER(NO)
REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(3)
ACTION(FWD) FWDQ(SET.ASIDE) HEADER(NO)
"""


class Place(Struct, frozen=True):
    """The folder of a day. Its programs keep their temporary files in `temporary`."""

    folder: Path

    @property
    def temporary(self) -> Path:
        return self.folder / "temporary"

    @property
    def archive(self) -> Path:
        return self.folder / "archive"

    @property
    def rules(self) -> Path:
        return self.folder / "rules.txt"

    def store(self, queue_manager: str) -> Path:
        """The folder of a store has nothing else, so that its files can be counted."""
        return self.folder / queue_manager.lower() / "day.db"

    def url(self, queue_manager: str) -> str:
        return f"sqlite:///{self.store(queue_manager)}"

    def journal(self, program: str) -> Path:
        return self.folder / "journals" / program

    def log(self, program: str) -> Path:
        return self.folder / "logs" / program


class World:
    """Both queue managers, as the program that directs the day sees them."""

    def __init__(self, place: Place) -> None:
        """Make the folders and the stores."""
        self.place = place
        for name in ("journals", "logs", "temporary", "backups", HERE.lower(), THERE.lower()):
            (place.folder / name).mkdir(parents=True)
        place.rules.write_text(RULES.lstrip())
        self._stores: dict[str, Store] = {}
        for name, script in ((HERE, _DEFINED_HERE), (THERE, _DEFINED_THERE)):
            store = mqsc.open_store(place.url(name))
            self._stores[name] = store
            made = store.create_queue_manager(name, manual_clock_at=MIDNIGHT)
            mqsc.run(made, script.format(there=place.url(THERE)), check=True)

    def queue_manager(self, name: str) -> QueueManager:
        return self._stores[name].queue_manager(name)

    def advance(self, minutes: int) -> None:
        """Let the time pass on both sides."""
        for name in self._stores:
            self.queue_manager(name).advance_clock(minutes * MINUTE)

    def let_channels_try_again(self) -> None:
        """Let a minute pass if a channel waits for the time of its next attempt.

        A killed program may be noticed only after the last step of an hour, when nothing else moves
        the clocks.
        """
        due = starts.due(self.queue_manager(HERE), INITIATION_QUEUE)
        if due.next_retry is not None:
            self.advance(1)

    def refresh(self) -> None:
        """Discard what has expired on both sides."""
        for name in self._stores:
            mqsc.run(self.queue_manager(name), "REFRESH QMGR TYPE(EXPIRY) NAME('*')", check=True)

    def depths(self) -> dict[str, int]:
        """The depths of the queues of programs that hold anything, by queue manager and name."""
        return {
            f"{name} {row['QUEUE']}": int(row["CURDEPTH"])
            for name in self._stores
            for row in self._depth_rows(name)
        }

    def _depth_rows(self, name: str) -> list[dict[str, str]]:
        command = "DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 0)"
        replies = mqsc.run(self.queue_manager(name), command)
        rows = [row for reply in replies for row in reply.rows]
        return [row for row in rows if _is_of_programs(row["QUEUE"])]

    def close(self) -> None:
        for store in self._stores.values():
            store.close()


def _is_of_programs(queue: str) -> bool:
    return not queue.startswith("SYSTEM.") or queue.startswith("SYSTEM.MANAGED.")
