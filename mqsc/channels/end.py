"""One end of a channel, and the texts and figures about it."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from mqsc.language.reply import TEXTS
from mqsc.store.admin.channel import status as channel_status
from mqsc.store.admin.history import record
from mqsc.store.catalog import Stored
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCHS
from mqsc.store.engine.channel_event import ChannelEvent
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds
from mqsc.store.message_times import put_date_and_time
from mqsc.store.rules.channel.batch_identifier import NONE
from mqsc.store.rules.channel.command_refusals import CHANNEL_APPLICATION
from mqsc.store.rules.channel.partner import PartnerIdentity

APPLICATION = CHANNEL_APPLICATION
# A batch that takes long shows its figures this often.
REFRESH_SECONDS = 1.0
SENDER, RECEIVER = "sender", "receiver"
STOPS_AT_ONCE = frozenset({"FORCE", "TERMINATE"})
Figure = int | str
Reporter = Callable[[str], None]


class ChannelEnd(Struct, eq=False):
    """The end of a channel at one queue manager.

    `key` is the `partner` of its row of status: blank at the sending end. `partner` is the queue
    manager at the other end, blank until it is known. Changes of figures are written by `show`, or
    by `refresh` when they are old.
    """

    qmgr: QueueManager
    channel: str
    role: str
    definition: Mapping[str, Stored]
    reporter: Reporter
    key: str = ""
    partner: str = ""
    queue: str = ""
    # The user of a receiving end whose authorities puts need; blank for the user who runs the
    # channel.
    user: str = ""
    # Its number is in the history.
    connection: Connection | None = None
    stop_requested: Callable[[], bool] = lambda: False
    changed: dict[str, Figure] = field(default_factory=dict)
    shown_at: float = 0.0

    def __post_init__(self) -> None:
        self.partner = self.key
        self.queue = str(self.definition.get("XMITQ", "")) if self.role == SENDER else ""

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
        """Note that this process no longer runs this end, whatever its row says."""
        channel_status.let_go(self.qmgr, self.channel, self.key)

    def set(self, **figures: Figure) -> None:
        """Change figures that the next `show` writes."""
        self.changed.update(figures)

    def show(
        self,
        status: MQCHS | None = None,
        retry_at: int | None = None,
        /,
        **figures: Figure,
    ) -> None:
        """Write the status, the time of the next attempt (for RETRYING), and all changed figures.

        A disk that is full does not keep it from that.
        """
        changed = {**self.changed, **figures}
        self.changed = {}
        self.shown_at = elapsed_real_seconds()
        self.qmgr.store.database.with_reserve(
            lambda: channel_status.change(
                self.qmgr,
                self.channel,
                self.key,
                status=status,
                figures=changed,
                retry_at=retry_at,
            ),
        )

    def refresh(self, **figures: Figure) -> None:
        """Change figures, and write them if nothing was written for a second."""
        self.changed.update(figures)
        if elapsed_real_seconds() - self.shown_at >= REFRESH_SECONDS:
            self.show()

    def requested(self) -> str:
        """The stop that was requested: QUIESCE, FORCE, TERMINATE, or blank."""
        request, _ = channel_status.requested(self.qmgr, self.channel, self.key)
        if request in channel_status.STOPS:
            return request
        return "QUIESCE" if self.stop_requested() else ""

    def status_after_stop(self) -> MQCHS:
        """STOPPED or INACTIVE, as the command said; a signal to the program leaves the channel
        INACTIVE.
        """
        _, status = channel_status.requested(self.qmgr, self.channel, self.key)
        return MQCHS.STOPPED if status == channel_status.STOPPED else MQCHS.INACTIVE

    def report(self, message: str) -> None:
        """Report a message of this end to the operator."""
        self.reporter(f"{self.qmgr.name}: {message}")

    def event(
        self,
        cause: str,
        message: str = "",
        detail: Mapping[str, Any] | None = None,
    ) -> ChannelEvent:
        """An event of the history about this end."""
        facts: dict[str, Any] = {"partner": self.partner, "role": self.role}
        if message:
            facts["message"] = message
        if detail:
            facts.update(detail)
        return ChannelEvent(cause, self.channel, self.queue, detail=facts)

    def record(
        self,
        cause: str,
        message: str = "",
        detail: Mapping[str, Any] | None = None,
        *,
        reason: int = 0,
    ) -> None:
        """Append such an event to the history, in a transaction of its own."""
        event = self.event(cause, message, detail)
        columns = {
            "queue": event.queue,
            "target": event.channel,
            "reason": reason or None,
            "application": APPLICATION,
        }
        if self.connection is not None:
            columns["connection"] = self.connection.number
        self.qmgr.store.database.with_reserve(
            lambda: record(self.qmgr, "CHANNEL", cause, detail=event.detail, **columns),
        )

    def forget(self) -> None:
        """Remove the status of this end, which is inactive from now on."""
        self.qmgr.store.database.with_reserve(
            lambda: channel_status.forget(self.qmgr, self.channel, self.key),
        )


_AT_START: dict[str, Figure] = {
    "MCASTAT": "RUNNING",
    "CURLUWID": NONE,
    "STOPREQ": "NO",
    **dict.fromkeys("BATCHES MSGS BUFSSENT BYTSSENT BUFSRCVD BYTSRCVD CURMSGS".split(), 0),
    **dict.fromkeys("LSTMSGDA LSTMSGTI RQMNAME RVERSION RPRODUCT".split(), ""),
    **dict.fromkeys("XQTIME NETTIME XBATCHSZ".split(), "0,0"),
}


def start_figures(end: ChannelEnd, *words: str, **figures: Figure) -> dict[str, Figure]:
    """The figures of an attempt that starts now, among them these attributes of the definition."""
    date, time = _date_and_time(end.qmgr.now())
    own = {word: end.definition[word] for word in words}
    texts = {word: value if isinstance(value, int) else str(value) for word, value in own.items()}
    return {**_AT_START, "CHSTADA": date, "CHSTATI": time, **texts, **figures}


def last_message(now: int) -> dict[str, Figure]:
    """The figures LSTMSGDA and LSTMSGTI of a message moved at `now`."""
    return dict(zip(("LSTMSGDA", "LSTMSGTI"), _date_and_time(now), strict=True))


def _date_and_time(at: int) -> tuple[str, str]:
    day, time = put_date_and_time(at)
    return f"{day[:4]}-{day[4:6]}-{day[6:]}", f"{time[:2]}.{time[2:4]}.{time[4:6]}"


def milliseconds(microseconds: int) -> int:
    """Whole milliseconds, never negative: clocks differ."""
    return max(0, microseconds) * 1000 // MICROSECONDS


_DETAIL = "{detail}"


def text(message: str, **values: object) -> str:
    """A message with its id in front; a `detail` that it has no place for follows it."""
    form = TEXTS[message]
    if "detail" in values and _DETAIL not in form:
        form = f"{form.removesuffix('.')}: {_DETAIL}."
    return f"{message}: {form.format(**values)}"


def is_informational(reported: str) -> bool:
    """Whether a line such as `QM1: AMQ8024I: ...` only informs, so that --quiet leaves it out."""
    return reported.partition(": ")[2][:8].endswith("I")
