"""Columns that several reports have."""

from mqsc.reports.columns import BYTES, CODE, IDENTIFIER, NUMBER, TEXT, TIME, Column
from mqsc.reports.expressions import base64_of, reason_name, text_of
from mqsc.store.published import KEPT_BYTES

QMGR = Column("qmgr", TEXT, "The queue manager.")
QUEUE = Column("queue", TEXT, "The local queue.")
MSG_ID = Column("msg_id", IDENTIFIER, "MsgId, hexadecimal.")
CORREL_ID = Column("correl_id", IDENTIFIER, "CorrelId, hexadecimal; empty for 24 zero bytes.")
# Of the column `reason`.
REASON_NAME = Column("reason_name", TEXT, "Its name.", sql=reason_name("reason"))
STATE = Column("state", TEXT, "AVAILABLE, or PUT or GOT by a unit of work that is still open.")
IN_UNITS = Column("in_units", NUMBER, "How many of them an open unit of work has put or got.")
MOVED_IN = Column("moved_in", NUMBER, "Messages that MOVE QLOCAL brought.")
UNRECORDED = Column(
    "unrecorded",
    CODE,
    "1 if the queue has, or once had, ACCTQ(OFF), or if its puts and gets were imported: they are "
    "not all in the history then. Otherwise 0.",
)
NOW = Column("now", TIME, "The queue manager's time when the report was made.")

# The data of a message that was kept when it left its queue, as `expressions.with_kept_data` adds
# it.

KEPT_SIZE = Column(
    "kept_bytes",
    BYTES,
    "Bytes of its data as it was kept: masks change it. Empty if all of it is masked.",
    sql="size",
)
DATA_AS_TEXT = Column(
    "text",
    TEXT,
    f"The first {KEPT_BYTES:,} of these bytes, if they are text in UTF-8 without control "
    "characters.",
    sql=text_of("body"),
)
DATA_IN_BASE64 = Column("base64", TEXT, "Otherwise the same in base64.", sql=base64_of("body"))
