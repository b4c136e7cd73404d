"""Synchronization records: how far a channel has come (channels Ch4).

A record is a message on SYSTEM.CHANNEL.SYNCQ, one for each channel, role and partner. It is
replaced in the unit of work of the batch, so that it is committed, backed out and in doubt together
with the messages.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import NamedTuple

from mqsc.channels.end import RECEIVER, SENDER, ChannelEnd, text
from mqsc.channels.run_failures import QUEUE_MANAGER_ENDS, ChannelEndedError
from mqsc.console.getting import get_or_none
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.channel.sync_records import QUEUE, saved_records
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQGMO, MQMO, MQOO, MQPER, MQPMO
from mqsc.store.descriptor import ID_LENGTH, MessageDescriptor
from mqsc.store.engine.recovery import recover
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules.channel.partner import PartnerIdentity
from mqsc.store.sql.rows import MessageState

FORMAT = "MQSTR"
# The get and the put of a record.
_CALLS = 2
# How long a channel waits while another program backs out what a killed one has left.
PATIENCE_SECONDS = 2.0


class SyncRecord(NamedTuple):
    """The LUWID of the last committed batch, and the sequence number of its last message.

    `is_kept` is False for an end without a record. A receiver keeps one from the first time that it
    is bound, with a blank LUWID until it has committed a batch.
    """

    luwid: str = ""
    sequence: int = 0
    is_kept: bool = True


_NONE = SyncRecord(is_kept=False)


class SyncRecords:
    """The record of one end; `last` is that of the last committed batch."""

    def __init__(self, connection: Connection, end: ChannelEnd, partner: PartnerIdentity) -> None:
        self._connection = connection
        self._end = end
        self._partner_created_at = partner.created_at
        self._names = {"channel": end.channel, "partner": partner.name, "role": end.role}
        self._id = sha256("|".join((end.role, end.channel, partner.name)).encode()).digest()[
            :ID_LENGTH
        ]
        self._handle: ObjectHandle = connection.open(
            QUEUE,
            MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING,
            dynamic_name=None,
        )

    def read(self) -> SyncRecord:
        """The record, or one that is not kept.

        ChannelEndedError while a unit of work holds it: a channel that did not know its last batch
        would begin at 1.
        """
        looked_again = False
        while True:
            # Before the browse, so that a record that is released in between is found.
            is_held = self._is_held()
            with self._failing("AMQ9510E"):
                message = get_or_none(self._handle, self._matching(MQGMO.BROWSE_FIRST))
            if message is not None:
                return _record(message)
            if not is_held:
                return _NONE
            # Another process may be about to recover the one that was killed during a batch, or
            # have done so.
            if not recover(self._end.qmgr.store, PATIENCE_SECONDS) and looked_again:
                raise ChannelEndedError(self._held(SENDER), self._held(RECEIVER))
            looked_again = True

    def _is_held(self) -> bool:
        qmgr = self._end.qmgr
        records = qmgr.store.read(saved_records, qmgr.name)
        held = [record for record in records if record.state == MessageState.GOT]
        return any(
            {word: getattr(each, word) for word in self._names} == self._names for each in held
        )

    def _held(self, role: str) -> str:
        if role != self._end.role:
            return text("AMQ9558E", name=self._end.channel, partner=self._end.qmgr.name)
        detail = (
            f"a unit of work that is not complete holds the record of channel {self._end.channel}"
        )
        return text("AMQ9510E", object=QUEUE, detail=detail)

    def replace(self, record: SyncRecord, now: int) -> None:
        """Replace the record in the open unit of work."""
        # MAXUMSGS limits the messages of the program, and BATCHSZ was agreed accordingly.
        self._connection.unit.count -= _CALLS
        with self._failing("AMQ9510E"):
            get_or_none(self._handle, self._matching(MQGMO.SYNCPOINT))
        known = {**self._names, "partner_created_at": self._partner_created_at}
        body = json.dumps({**known, "luwid": record.luwid, "sequence": record.sequence, "at": now})
        descriptor = MessageDescriptor(
            format=FORMAT,
            persistence=MQPER.PERSISTENT,
            correl_id=self._id,
        )
        with self._failing("AMQ9511E"):
            self._handle.put(Message(body.encode(), descriptor), PutMessageOptions(MQPMO.SYNCPOINT))

    @contextmanager
    def _failing(self, message: str) -> Iterator[None]:
        """Raise a failure of a call as the end of the channel, with the queue of the records in
        its message.
        """
        try:
            yield
        except MQError as error:
            if error.reason in QUEUE_MANAGER_ENDS:
                raise
            failed = text(message, object=QUEUE, detail=error_text(error).rstrip("."))
            ends = (failed, "") if self._end.role == SENDER else (text("AMQ9506E"), failed)
            raise ChannelEndedError(*ends, int(error.reason)) from error

    def _matching(self, options: int) -> GetMessageOptions:
        return GetMessageOptions(
            int(options),
            match_options=MQMO.MATCH_CORREL_ID,
            correl_id=self._id,
        )


def _record(message: Message) -> SyncRecord:
    try:
        values = json.loads(message.body)
        return SyncRecord(str(values["luwid"]), int(values["sequence"]))
    except (ValueError, TypeError, KeyError):
        # Another program has put it there.
        return _NONE
