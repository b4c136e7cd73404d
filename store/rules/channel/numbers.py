"""Numbers and names of a channel: sequence numbers, batches, averages, the partner, and what a
CONNAME leads to.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

# Numbers of messages on a channel: SEQWRAP, RESET CHANNEL, and ends that disagree.
#
# See channels Ch3, H26, H27; poison H48; channel-commands L22, L23.

NO_RESET = 0


class SequenceRecord(NamedTuple):
    """The numbers that an end keeps: the last message of a committed batch, and a reset not yet
    used, or 0.
    """

    last: int = 0
    reset: int = NO_RESET


class SequenceStart(NamedTuple):
    """How a start compares: the number that the sender will use next, and the one that the
    receiver expects.
    """

    sent: int
    expected: int

    @property
    def agrees(self) -> bool:
        """Whether the channel can start; AMQ9526E if not."""
        return self.sent == self.expected


def following(number: int, wrap: int) -> int:
    """The number after `number`: 1 after SEQWRAP."""
    return 1 if number >= wrap else number + 1


def preceding(number: int, wrap: int) -> int:
    """The number before `number`: the `last` of an end that will use `number` next, 0 before the
    first ever.
    """
    return 0 if number <= 1 else min(number, wrap) - 1


def next_number(record: SequenceRecord, wrap: int) -> int:
    """The number of the next message of that end."""
    return record.reset or following(record.last, wrap)


def start(sender: SequenceRecord, receiver: SequenceRecord, wrap: int) -> SequenceStart:
    """The numbers with which a start begins. A RESET at the sender resets the receiver too, not the
    other way round.

    A receiver that wrapped and a sender that never sent agree, because both go on with 1.
    """
    sent = next_number(sender, wrap)
    return SequenceStart(sent, sent if sender.reset else next_number(receiver, wrap))


# Identifiers of batches, as CURLUWID and LSTLUWID show them (channel-commands §2).

NONE = "0" * 16
_FIXED = 0x0010
_MOST_SECONDS, _MOST_BATCHES = 1 << 32, 1 << 16
MICROSECONDS = 1_000_000


def start_after(now: int, *committed: str) -> int:
    """The start of a channel program at `now` (microseconds UTC), in a later second than those of
    committed batches.

    A batch in doubt that had the identifier of an earlier one would be taken for it, and its
    messages would be lost: a channel can be started twice in a second, and clocks are set back. A
    blank identifier stands for no batch.
    """
    latest = max((int(each[:8], 16) for each in committed if each), default=0)
    return max(now, (latest + 1) * MICROSECONDS)


def batch_identifier(started_at: int, batch: int) -> str:
    """The LUWID of a batch: when the channel program started (microseconds UTC), and the number
    of the batch from 0.
    """
    seconds = started_at // MICROSECONDS % _MOST_SECONDS
    return f"{seconds:08X}{(batch + 1) % _MOST_BATCHES:04X}{_FIXED:04X}"


# Two averages of a measurement of a channel: of the last 8 values and of the last 128 (XQTIME,
# NETTIME, XBATCHSZ).

RECENT, LONG = 8, 128
NOT_MONITORED = "0,0"


def averages(values: Sequence[int]) -> str:
    """The averages of the latest values as DISPLAY CHSTATUS shows them: `recent,long`."""
    if not values:
        return NOT_MONITORED
    recent, long = values[-RECENT:], values[-LONG:]
    return f"{sum(recent) // len(recent)},{sum(long) // len(long)}"


def is_monitored(channel: str, queue_manager: str) -> bool:
    """Whether values are collected: by MONCHL of the channel or the queue manager, whose NONE
    overrides all.
    """
    if queue_manager == "NONE":
        return False
    return (queue_manager if channel == "QMGR" else channel) != "OFF"


# When a batch ends: BATCHSZ, BATCHLIM, BATCHINT, or an empty transmission queue (channel-commands
# §3).

KILOBYTE = 1024
MILLISECOND = 1000


class BatchLimits(NamedTuple):
    """BATCHSZ as agreed; BATCHLIM in kilobytes, 0 for no limit; BATCHINT in milliseconds."""

    messages: int
    kilobytes: int
    interval: int


class BatchSoFar(NamedTuple):
    """Messages and bytes sent, and when the first was sent (microseconds)."""

    messages: int
    bytes: int
    began: int


def is_full(limits: BatchLimits, batch: BatchSoFar) -> bool:
    """Whether no further message may join the batch."""
    if batch.messages >= limits.messages:
        return True
    return bool(limits.kilobytes) and batch.bytes >= limits.kilobytes * KILOBYTE


def waits_until(limits: BatchLimits, batch: BatchSoFar) -> int:
    """Until when the batch stays open while the transmission queue is empty (microseconds)."""
    return batch.began + limits.interval * MILLISECOND


def ends(limits: BatchLimits, batch: BatchSoFar, now: int, *, queue_is_empty: bool) -> bool:
    """Whether the batch ends now; a batch without messages never does."""
    if not batch.messages:
        return False
    return is_full(limits, batch) or (queue_is_empty and now >= waits_until(limits, batch))


# Which queue manager a batch was sent to: two in different stores may have the same name.


class PartnerIdentity(NamedTuple):
    """A queue manager: its name, and the moment of its creation (microseconds UTC), None if no
    record has it.
    """

    name: str
    created_at: int | None = None


def is_another(known: PartnerIdentity, found: PartnerIdentity) -> bool:
    """Whether `found` is certainly not the queue manager that a record names; the name is blank
    if it names none.
    """
    if not known.name:
        return False
    created = {known.created_at, found.created_at} - {None}
    return known.name != found.name or len(created) > 1


# The target of a CONNAME: a queue manager of this store, of another store, or a host that a map
# translates.

LOCAL, STORE = "local", "sqlite://"
DEFAULT_PORT = "1414"
_WITH_ARGUMENT = re.compile(r"(?P<before>.*?)\s*\(\s*(?P<inside>[^()]*?)\s*\)\s*")
# Commas separate addresses, but not inside a path that follows sqlite://, which ends at its
# parenthesis.
_ADDRESSES = re.compile(r"(?:sqlite://[^()]*|[^,()]*)(?:\([^()]*\))?")


class Address(NamedTuple):
    """One address of a CONNAME: as written, the URL of a store (blank: this one), and a queue
    manager (blank: any).

    `is_host`: only the map can tell where it leads; a name without a port may also be a queue
    manager of this store.
    """

    text: str
    store: str = ""
    queue_manager: str = ""
    is_host: bool = False


def addresses(connection_name: str) -> list[Address]:
    """The addresses of a CONNAME in the order in which they are tried."""
    texts = (found.group().strip() for found in _ADDRESSES.finditer(connection_name))
    return [address(text) for text in texts if text]


def address(text: str) -> Address:
    """One address: `QM2`, `local(QM2)`, `sqlite:///other.db(QM2)`, `sqlite:///other.db` or
    `host(1414)`.
    """
    found = _WITH_ARGUMENT.fullmatch(text)
    before, inside = (found["before"], found["inside"]) if found else (text, "")
    if before.lower() == LOCAL and found:
        return Address(text, queue_manager=inside)
    if before.lower().startswith(STORE):
        return Address(text, store=before, queue_manager=inside)
    return Address(text, queue_manager="" if found else text, is_host=True)


def map_key(text: str) -> str:
    """An address of a host as the map has it: lower case, without blanks, and with its port,
    1414 if it names none.
    """
    found = _WITH_ARGUMENT.fullmatch(text.strip())
    host, port = (found["before"], found["inside"]) if found else (text.strip(), "")
    return f"{host.lower()}({port or DEFAULT_PORT})"
