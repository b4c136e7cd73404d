"""How far the events of a store were archived and removed."""

from mqsc.store.engine.state import StoreState
from mqsc.store.past.clocks import number_at, owners_by_clock, owners_with_clock
from mqsc.store.sql import maintenance


def missed(store: StoreState, since: int | None = None, qmgr: str | None = None) -> int:
    """The number up to which events were archived and removed, if some of those may be of the time
    from `since` on (microseconds UTC), by the clock of `qmgr`, or of any queue manager; otherwise
    0.
    """
    row = store.read(maintenance.archiving)
    pruned = 0 if row is None else row.pruned
    if not pruned or since is None:
        return pruned
    clocks = owners_by_clock(store) if qmgr is None else [owners_with_clock(store, qmgr)]
    # After an event that was kept, none was removed but those before it.
    is_missed = any(number_at(store, since, owners) <= pruned for owners in clocks)
    return pruned if is_missed else 0
