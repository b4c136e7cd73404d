"""One end of a channel that runs: its definition, its row of status, and its part of the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from store.admin import channel_status
from store.admin.history import record
from store.catalog import Stored
from store.constants import MQCHS
from store.engine.channel_event import ChannelEvent
from store.environment import MICROSECONDS, elapsed_real_seconds
from store.put_timestamp import put_date_and_time
from store.rules.channel.luwid import NONE
from store.rules.channel.partner_identity import PartnerIdentity
from store.rules.channel.status import CHANNEL_APPLICATION

if TYPE_CHECKING:
    from store.client.api import Connection, QueueManager

APPLICATION = CHANNEL_APPLICATION
# A batch that takes long shows its figures this often.
REFRESH_SECONDS = 1.0
SENDER, RECEIVER = "sender", "receiver"
STOPS_AT_ONCE = frozenset({"FORCE", "TERMINATE"})
Figure = int | str
Reporter = Callable[[str], None]


class ChannelEnd:
    """The end of a channel at one queue manager.

    `key` is the `partner` of its row of status: blank at the sending end. `partner` is the queue manager at the other
    end, blank until it is known. Changes of `figures` are written by `show`, or by `refresh` when they are old.
    """

    def __init__(
        self,
        qmgr: QueueManager,
        channel: str,
        role: str,
        definition: Mapping[str, Stored],
        report: Reporter,
        *,
        key: str = "",
    ) -> None:
        self.qmgr = qmgr
        self.channel = channel
        self.role = role
        self.key = key
        self.partner = key
        self.definition = definition
        self.queue = str(definition.get("XMITQ", "")) if role == SENDER else ""
        # Its number is in the history.
        self.connection: Connection | None = None
        self.stop_requested: Callable[[], bool] = lambda: False
        self._report = report
        self._changed: dict[str, Figure] = {}
        self._shown_at = 0.0

    @property
    def identity(self) -> PartnerIdentity:
        """The queue manager of this end, as records of the other end have it."""
        return PartnerIdentity(self.qmgr.name, self.qmgr.row().created_at)

    def number(self, keyword: str) -> int:
        """A numeric attribute of the definition."""
        return int(str(self.definition[keyword]))

    def claim(self, status: MQCHS, figures: Mapping[str, Figure]) -> channel_status.ChannelInstance:
        """Become the program that runs this end; ChannelInUseError when another one does."""
        return channel_status.claim(self.qmgr, self.channel, self.key, status, figures)

    def let_go(self) -> None:
        """This process does not run this end any more, whatever its row says."""
        channel_status.let_go(self.qmgr, self.channel, self.key)

    def set(self, **figures: Figure) -> None:
        """Change figures that the next `show` writes."""
        self._changed.update(figures)

    def show(self, status: MQCHS | None = None, **figures: Figure) -> None:
        """Write the status and all changed figures. A disk that is full does not keep it from that."""
        self._write(status, figures)

    def wait_for_retry(self, at: int, **figures: Figure) -> None:
        """Write the status RETRYING with the time of the next attempt."""
        self._write(MQCHS.RETRYING, figures, retry_at=at)

    def _write(self, status: MQCHS | None, figures: Mapping[str, Figure], retry_at: int | None = None) -> None:
        changed = {**self._changed, **figures}
        self._changed = {}
        self._shown_at = elapsed_real_seconds()
        self.qmgr.store.database.with_reserve(
            lambda: channel_status.change(
                self.qmgr, self.channel, self.key, status=status, figures=changed, retry_at=retry_at
            )
        )

    def refresh(self, **figures: Figure) -> None:
        """Change figures, and write them if nothing was written for a second."""
        self._changed.update(figures)
        if elapsed_real_seconds() - self._shown_at >= REFRESH_SECONDS:
            self.show()

    def requested(self) -> str:
        """The stop that was requested: QUIESCE, FORCE, TERMINATE, or blank."""
        asked, _ = channel_status.requested(self.qmgr, self.channel, self.key)
        if asked in channel_status.STOPS:
            return asked
        return "QUIESCE" if self.stop_requested() else ""

    def status_after_stop(self) -> MQCHS:
        """STOPPED or INACTIVE, as the command said; a signal to the program leaves the channel INACTIVE."""
        _, status = channel_status.requested(self.qmgr, self.channel, self.key)
        return MQCHS.STOPPED if status == channel_status.STOPPED else MQCHS.INACTIVE

    def report(self, message: str) -> None:
        """Tell the operator."""
        self._report(f"{self.qmgr.name}: {message}")

    def event(self, cause: str, message: str = "", **detail: Any) -> ChannelEvent:
        """An event of the history about this end."""
        facts = {"partner": self.partner, "role": self.role, **({"message": message} if message else {}), **detail}
        return ChannelEvent(cause, self.channel, self.queue, detail=facts)

    def record(self, cause: str, message: str = "", *, reason: int = 0, **detail: Any) -> None:
        """Append such an event to the history, in a transaction of its own."""
        made = self.event(cause, message, **detail)
        columns = {"queue": made.queue, "target": made.channel, "reason": reason or None, "application": APPLICATION}
        if self.connection is not None:
            columns["connection"] = self.connection.number
        self.qmgr.store.database.with_reserve(
            lambda: record(self.qmgr, "CHANNEL", cause, detail=made.detail, **columns)
        )

    def forget(self) -> None:
        """The channel is inactive at this end."""
        self.qmgr.store.database.with_reserve(lambda: channel_status.forget(self.qmgr, self.channel, self.key))


def start_figures(now: int) -> dict[str, Figure]:
    """The figures of an attempt that starts at `now` (microseconds UTC)."""
    day, time = put_date_and_time(now)
    return {
        "CHSTADA": f"{day[:4]}-{day[4:6]}-{day[6:]}",
        "CHSTATI": f"{time[:2]}.{time[2:4]}.{time[4:6]}",
        "MCASTAT": "RUNNING",
        "BATCHES": 0,
        "MSGS": 0,
        "BUFSSENT": 0,
        "BYTSSENT": 0,
        "BUFSRCVD": 0,
        "BYTSRCVD": 0,
        "CURMSGS": 0,
        "CURLUWID": NONE,
        "LSTMSGDA": "",
        "LSTMSGTI": "",
        "RQMNAME": "",
        "RVERSION": "",
        "RPRODUCT": "",
        "STOPREQ": "NO",
        "XQTIME": "0,0",
        "NETTIME": "0,0",
        "XBATCHSZ": "0,0",
    }


def last_message(now: int) -> dict[str, Figure]:
    """The figures LSTMSGDA and LSTMSGTI of a message moved at `now`."""
    day, time = put_date_and_time(now)
    return {"LSTMSGDA": f"{day[:4]}-{day[4:6]}-{day[6:]}", "LSTMSGTI": f"{time[:2]}.{time[2:4]}.{time[4:6]}"}


def milliseconds(microseconds: int) -> int:
    """Whole milliseconds, never negative: clocks differ."""
    return max(0, microseconds) * 1000 // MICROSECONDS
