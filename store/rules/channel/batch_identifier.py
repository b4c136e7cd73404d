"""Identifiers of batches, as CURLUWID and LSTLUWID show them (channel-commands §2)."""

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
