"""What commands need to know of a queue manager elsewhere, of which the store is a copy (`--on`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from mqsc.grammar.lines import LogicalLine
    from mqsc.language.refusal import CommandRefusal
    from mqsc.language.request import Request
    from mqsc.store.client.queue_manager import QueueManager

# By definition (namespace, name and the rest of its key): attributes that the catalog does not
# know, as they are written, by keyword.
UnknownAttributes: TypeAlias = Mapping[tuple[str, ...], Mapping[str, str]]


class Elsewhere(Protocol):
    """A queue manager elsewhere, as it was read."""

    @property
    def unknown(self) -> UnknownAttributes:
        """The attributes that the catalog does not know."""

    @property
    def unread(self) -> tuple[str, ...]:
        """The commands of its dump that are not known here, as they are written, without
        secrets.
        """

    def read_request(self, line: LogicalLine) -> Request | CommandRefusal:
        """The request in a logical line, which may have attributes that are only known there."""

    def bring_states(self, qmgr: QueueManager) -> None:
        """Set the depth of each local queue, and the number of handles that programs have for it,
        as they are elsewhere.
        """

    def bring_messages(self, qmgr: QueueManager, pattern: str) -> None:
        """Copy the messages of a queue, or of all local queues that a generic name selects; once."""
