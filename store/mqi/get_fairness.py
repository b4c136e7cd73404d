"""Whose turn it is: of the gets that wait, those that only certain messages can serve go first (mqi-semantics §4.3).

Such a get leaves a row while it waits, for other processes to see. A get that waits for any message leaves those that
somebody waits for by MsgId, CorrelId or GroupId, for a while. Gets that do not wait take what they find, as on MQ.
"""

from __future__ import annotations

from store.mqi.selection import Selection
from store.mqi.state import HandleState
from store.mqi.waiting import LOOKS_PER_LIVENESS_CHECK
from store.rules import getting
from store.sql import messages, waiters
from store.sqlite.database import Transaction

_IDS = frozenset(("msg_id", "correl_id", "group_id"))
# As many looks in a row may leave a message. By then the rows of dead processes are gone, and who has not taken it in a
# second does not run.
PATIENCE = LOOKS_PER_LIVENESS_CHECK


class GetFairness:
    """One get among those that wait; of no account for one that browses or does not wait."""

    __slots__ = ("_competes", "_handle", "_looked", "_patience", "_stands", "left_something")

    def __init__(self, handle: HandleState, asked: int, wait_interval: int) -> None:
        self._handle = handle
        waits = bool(asked & getting.WAIT) and wait_interval != 0
        self._competes = waits and not asked & (getting.BROWSE | getting.MSG_UNDER_CURSOR)
        self._looked = self._stands = False
        self._patience = PATIENCE
        # Whether the last look found only messages that others wait for.
        self.left_something = False

    def of(self, chosen: Selection) -> Selection:
        """What this look may take."""
        if not self._looked or not self._patience or chosen.conditions & _IDS:
            return chosen
        return chosen._replace(conditions=chosen.conditions | {"unwanted"})

    def found_nothing(self, tx: Transaction, queue: int, chosen: Selection) -> None:
        """The look is over: from now on the get waits."""
        if not self._competes:
            return
        if chosen.conditions & _IDS:
            if not self._stands:
                wanted = {name: chosen.values[name] for name in waiters.WANTED if name in chosen.conditions}
                waiters.add(tx, self._handle.number, queue, wanted)
                self._stands = True
        else:
            self.left_something = self._looked and messages.first(tx, chosen.conditions, chosen.values) is not None
            self._patience = self._patience - 1 if self.left_something else PATIENCE
        self._looked = True

    def found(self, tx: Transaction) -> None:
        """A message is handed over in this transaction."""
        if self._stands:
            waiters.remove(tx, self._handle.number)

    def over(self) -> None:
        """The get ends without a message: nobody need leave it any."""
        if self._stands:
            with Transaction(self._handle.connection.store.database, durable=False) as tx:
                waiters.remove(tx, self._handle.number)
            self._stands = False
