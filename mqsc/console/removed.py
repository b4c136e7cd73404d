"""What commands on the past say of events that were archived and removed."""

from mqsc.console.choices import Choices
from mqsc.store.engine.state import StoreState
from mqsc.store.past.removed import missed
from mqsc.store.published import removed_events

# The options that read these events from an archive, for the state of now.
READ_REMOVED = "--as-of 0s --archive URL"


def inform_about_removed(
    choices: Choices,
    store: StoreState,
    consequence: str,
    *,
    since: int | None = None,
    qmgr: str | None = None,
) -> None:
    """Say up to which event the history was archived and removed, and what follows, if some of
    these events may be of the time from `since` on, by the clock of `qmgr`, or of any queue
    manager.
    """
    if pruned := missed(store, since, qmgr):
        choices.inform(f"mqsc: {removed_events(pruned)}: {consequence}")
