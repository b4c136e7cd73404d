"""What several reports read.

A read that is gathered beside others is given them under their names here, in lower case: a report
that has UNDONE also has LOSSES as `losses` and UNITS as `units`, before it.
"""

from mqsc.reports.declaration import ALL_ROWS, Reads
from mqsc.reports.earlier_rows import EARLIER
from mqsc.reports.units import (
    IMPORTED,
    TARGET_OWNER,
    in_detail,
    listed_units,
    losses,
    undone,
    unrecorded,
)
from mqsc.store.published import EVENT, KEPT

# Of all queue managers: the backout of a unit of work is an event of a member of a queue-sharing
# group, what it undid on shared queues belongs to the group.
BACKOUTS = Reads(
    EVENT,
    columns=("seq", "at", "qmgr", "kind", "cause", "queue", "unit", "detail"),
    where="kind = 'BACKOUT' AND unit IS NOT NULL",
    chosen_by="queue",
    apart=True,
    owner="",
)
LOSSES = BACKOUTS._replace(gather=losses)
# Only events of these units of work are joined with losses, which can be so many that a join would
# move all events.
UNITS = BACKOUTS._replace(gather=listed_units, beside=("losses",))
UNDONE = Reads(
    EVENT,
    columns=(
        "seq",
        "at",
        "qmgr",
        "kind",
        "cause",
        "queue",
        "msg_id",
        "length",
        "put_at",
        "unit",
        "detail",
    ),
    where="kind IN ('PUT', 'GET') AND unit IS NOT NULL",
    gather=undone,
    beside=("losses", "units"),
    chosen_by="queue",
    apart=True,
)

# The messages that MOVE QLOCAL brought to its target.
ARRIVALS = Reads(
    EVENT,
    columns=("seq", "at", "qmgr", "kind", "queue", "target", "detail"),
    where="kind = 'MOVE'",
    chosen_by="target",
    owner=TARGET_OWNER,
)

_TURNED_OFF = f"kind IN ('DEFINE', 'ALTER') AND {in_detail('ACCTQ')} LIKE '%\"OFF\"%'"
_PARTLY_RECORDED = f"kind IN ('PUT', 'GET') AND {IMPORTED}"
DYNAMIC = Reads(
    EVENT,
    columns=("at", "qmgr", "kind", "cause", "queue", "rule"),
    where="kind = 'DEFINE' AND cause = 'dynamic'",
    chosen_by="queue",
)
UNRECORDED = Reads(
    EVENT,
    columns=("at", "qmgr", "kind", "queue", "detail"),
    where=f"{_TURNED_OFF} OR {_PARTLY_RECORDED}",
    gather=unrecorded,
    beside=("dynamic",),
    chosen_by="queue",
)

KEPT_DATA = Reads(
    KEPT,
    columns=("id", "qmgr", "queue", "msg_id", "put_at", "size", "body"),
    where="TRUE",
)
# Of events before the period that are not read.
EARLIER_SUMS = Reads(
    EARLIER,
    columns=("qmgr", "queue", "ending", "cause", "messages", "undone"),
    where=ALL_ROWS,
)
