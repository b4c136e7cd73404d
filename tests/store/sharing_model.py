"""Three members of a queue-sharing group with shared queues, written the slow obvious way.

It adds to the reference model what the group does: members that end and start, handles that share
queues or not, and what a queue's INDXTYPE lets a get select by. test_sharing_model.py holds the
store against it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.store.reference_model import Model, Wanted

IN_USE, NOT_FOR_BROWSE, NOT_FOR_INPUT, NOT_FOR_OUTPUT = 2042, 2036, 2037, 2039
MSG_ID_ERROR, CORREL_ID_ERROR = 2206, 2207
MEMBERS = 3
INPUT = ("shared", "exclusive")
# What a queue's handles may do, besides getting.
BROWSING = (*INPUT, "browse")
PUTTING = (*INPUT, "output")


def member_of(connection: int) -> int:
    """The member that a connection was made to; it stays the same."""
    return connection % MEMBERS


@dataclass
class GroupModel(Model):
    """`handles` are the modes of open handles by connection and queue; `by_correl_id` are queues
    with that INDXTYPE.
    """

    by_correl_id: frozenset[str] = frozenset()
    running: set[int] = field(default_factory=set)
    handles: dict[tuple[int, str], str] = field(default_factory=dict)

    def inputs(self, queue: str) -> list[str]:
        """The modes of the handles of the whole group that are open for input."""
        return [mode for (_, name), mode in self.handles.items() if name == queue and mode in INPUT]

    def open(self, connection: int, queue: str, mode: str) -> int:
        """Open a queue; the reason why not, or 0."""
        inputs = self.inputs(queue)
        if (mode == "exclusive" and inputs) or (mode == "shared" and "exclusive" in inputs):
            return IN_USE
        self.handles[connection, queue] = mode
        return 0

    def close(self, connection: int, queue: str) -> None:
        """Close a handle: its lock and its cursor go."""
        self.unlock(connection, queue)
        self.cursors.pop((connection, queue), None)
        del self.handles[connection, queue]

    def disconnect(self, connection: int) -> None:
        """The handles of a connection close."""
        for number, queue in list(self.handles):
            if number == connection:
                self.close(number, queue)

    def selection_fault(self, queue: str, wanted: Wanted) -> int:
        """The reason why a get cannot select by those, or 0."""
        indexed = queue in self.by_correl_id
        if wanted.msg_id and wanted.correl_id:
            return 0 if indexed else MSG_ID_ERROR
        if wanted.msg_id and indexed:
            return MSG_ID_ERROR
        return CORREL_ID_ERROR if wanted.correl_id and not indexed else 0

    def end(self, member: int, connections: list[int]) -> None:
        """A member ends at once: its units of work are backed out, those of other members are
        not.
        """
        for connection in connections:
            self.back(connection)
            self.disconnect(connection)
        self.running.remove(member)

    def start(self, member: int) -> None:
        """A member starts; nothing that was committed is dropped. Alone, it discards what has
        expired.
        """
        if not self.running:
            for queue in self.queues:
                self.refresh(queue)
        self.running.add(member)
