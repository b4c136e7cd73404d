"""The synchronization records: messages on SYSTEM.CHANNEL.SYNCQ that say how far a channel has come.

There is one for each channel, role and partner. It is replaced in the unit of work of the batch, so that it is
committed, backed out and in doubt together with the messages.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from mqsc.console.message_selection import get_or_none
from store.constants import MQGMO, MQMO, MQOO, MQPER, MQPMO
from store.descriptor import ID_LENGTH, MessageDescriptor
from store.message import GetMessageOptions, Message, PutMessageOptions

if TYPE_CHECKING:
    from mqsc.channels.end import ChannelEnd
    from store.client.api import Connection, ObjectHandle

QUEUE = "SYSTEM.CHANNEL.SYNCQ"
FORMAT = "MQSTR"
# The get and the put of a record.
_CALLS = 2


class SyncRecord(NamedTuple):
    """The LUWID of the last committed batch, and the sequence number of its last message."""

    luwid: str = ""
    sequence: int = 0


class SyncRecords:
    """The record of one end; `last` is that of the last committed batch."""

    def __init__(self, connection: Connection, end: ChannelEnd, partner: str) -> None:
        self._connection = connection
        self._names = {"channel": end.channel, "partner": partner, "role": end.role}
        self._id = sha256("|".join((end.role, end.channel, partner)).encode()).digest()[:ID_LENGTH]
        self._handle: ObjectHandle = connection.open(
            QUEUE, MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING
        )

    def read(self) -> SyncRecord:
        """The record, or one without a LUWID before the first batch."""
        found = get_or_none(self._handle, self._matching(MQGMO.BROWSE_FIRST))
        if found is None:
            return SyncRecord()
        try:
            values = json.loads(found.body)
            return SyncRecord(str(values["luwid"]), int(values["sequence"]))
        except (ValueError, TypeError, KeyError):
            # Another program has put it there.
            return SyncRecord()

    def replace(self, record: SyncRecord, now: int) -> None:
        """Replace the record in the open unit of work."""
        # MAXUMSGS limits the messages of the program, and BATCHSZ was agreed accordingly.
        self._connection.unit.count -= _CALLS
        get_or_none(self._handle, self._matching(MQGMO.SYNCPOINT))
        body = json.dumps({**self._names, "luwid": record.luwid, "sequence": record.sequence, "at": now})
        descriptor = MessageDescriptor(format=FORMAT, persistence=MQPER.PERSISTENT, correl_id=self._id)
        self._handle.put(Message(body.encode(), descriptor), PutMessageOptions(MQPMO.SYNCPOINT))

    def _matching(self, options: int) -> GetMessageOptions:
        return GetMessageOptions(int(options), match_options=MQMO.MATCH_CORREL_ID, correl_id=self._id)
