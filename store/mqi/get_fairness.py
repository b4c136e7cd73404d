"""Fairness among waiting gets: those that select certain messages come before those that take any
(mqi-semantics §4.3).

While a selective get waits, a row tells other processes. For a while, a get that waits for any
message leaves those that another get waits for by MsgId, CorrelId or GroupId. Gets that do not
wait take what they find, as on MQ.
"""

from __future__ import annotations

from msgspec.structs import replace

from mqsc.store.mqi import selection_strings
from mqsc.store.mqi.get_wait import LOOKS_PER_LIVENESS_CHECK
from mqsc.store.mqi.message_choice import Selection
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules import getting
from mqsc.store.sql import messages
from mqsc.store.sql.selection import WANTED
from mqsc.store.sqlite.database import Transaction

_IDS = frozenset(("msg_id", "correl_id", "group_id"))
# For this many looks in a row a get leaves a message to a waiter. After that second, dead processes
# have been recovered, and a waiter that has not taken the message is not running.
PATIENCE = LOOKS_PER_LIVENESS_CHECK


class GetFairness:
    """Fairness for one get with MQGMO_WAIT; a get that browses or waits 0 ms takes no part in
    it.
    """

    __slots__ = ("_competes", "_handle", "_looked", "_patience", "_waits_here", "left_something")

    def __init__(self, handle: HandleState, option_bits: int, wait_interval: int) -> None:
        self._handle = handle
        waits = bool(option_bits & getting.WAIT) and wait_interval != 0
        self._competes = waits and not option_bits & (getting.BROWSE | getting.MSG_UNDER_CURSOR)
        self._looked = self._waits_here = False
        self._patience = PATIENCE
        # Whether the last look found only messages that others wait for.
        self.left_something = False

    def narrowed(self, chosen: Selection) -> Selection:
        """The messages that this look may take."""
        if not self._looked or not self._patience or chosen.conditions & _IDS:
            return chosen
        return replace(chosen, conditions=chosen.conditions | {"unwanted"})

    def found_nothing(self, tx: Transaction, queue: int, chosen: Selection, now: int) -> None:
        """The look found nothing: from now on the get waits."""
        if not self._competes:
            return
        if chosen.conditions & _IDS:
            if not self._waits_here:
                wanted = {name: chosen.values[name] for name in WANTED if name in chosen.conditions}
                messages.add_waiter(tx, self._handle.number, queue, wanted)
                self._waits_here = True
        else:
            selector = self._handle.selector
            self.left_something = self._looked and selection_strings.exists(
                tx,
                selector,
                chosen,
                now,
            )
            self._patience = self._patience - 1 if self.left_something else PATIENCE
        self._looked = True

    def found_message(self, tx: Transaction) -> None:
        """This transaction returns a message."""
        if self._waits_here:
            messages.remove_waiter(tx, self._handle.number)

    def over(self) -> None:
        """The get ends without a message: others may take the ones it wanted."""
        if self._waits_here:
            with Transaction(self._handle.connection.store.database, durable=False) as tx:
                messages.remove_waiter(tx, self._handle.number)
            self._waits_here = False
