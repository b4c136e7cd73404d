"""The messages that the handler has seen and left on the queue (dlq-rules §4.3), in memory only.

Messages with the same MsgId and CorrelId share an entry, and so their attempts: nothing else
identifies a message (dlq-rules §7, 25).
"""

from msgspec import Struct

from mqsc.dlq.browse_state import MessageKey


class SeenMessage(Struct):
    """`met_at` is the time when it was last met, `scan` the number of the last scan that met it,
    with `copies` in it.

    `has_failed` tells whether the message stays because an action for it failed.
    """

    met_at: int
    scan: int
    copies: int = 1
    attempts: int = 0
    has_failed: bool = False


class SeenMessages:
    """Counts the attempts for each message, from when it is first seen until it has left the
    queue.
    """

    def __init__(self) -> None:
        self._entries: dict[MessageKey, SeenMessage] = {}
        self._scan = 0

    def start_scan(self) -> None:
        self._scan += 1

    def end_scan(self) -> None:
        """Forget the messages that the scan did not find: they have left the queue."""
        for key in [key for key, entry in self._entries.items() if entry.scan != self._scan]:
            del self._entries[key]

    def meet(self, key: MessageKey, arrived: int, now: int, *, is_scanning: bool) -> bool:
        """Note that a message stays on the queue; True when it is new.

        A message that arrived after it was last seen had left the queue in between, and starts with
        no attempts made.
        """
        entry = self._entries.get(key)
        if entry is None or arrived > entry.met_at:
            self._entries[key] = SeenMessage(now, self._scan)
            return True
        if is_scanning:
            entry.copies = entry.copies + 1 if entry.scan == self._scan else 1
        entry.scan, entry.met_at = self._scan, now
        return False

    def attempts(self, key: MessageKey, arrived: int) -> int:
        """The number of attempts made for a message that arrived at that time."""
        entry = self._entries.get(key)
        return 0 if entry is None or arrived > entry.met_at else entry.attempts

    def count_attempt(self, key: MessageKey) -> int:
        """Count a failed attempt for a message that was met; how many there are now."""
        entry = self._entries[key]
        entry.attempts += 1
        entry.has_failed = True
        return entry.attempts

    def forget(self, key: MessageKey) -> None:
        """Forget a message that was moved or discarded."""
        self._entries.pop(key, None)

    def remaining(self) -> tuple[int, int]:
        """How many messages stay because an action failed, and how many for other reasons."""
        failed = sum(entry.copies for entry in self._entries.values() if entry.has_failed)
        return failed, sum(entry.copies for entry in self._entries.values()) - failed
