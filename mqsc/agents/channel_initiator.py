"""The channel initiator: gets trigger messages, and says which channels start.

It is an ordinary MQI program. Its decisions are one step, `look`, so that tests need no thread.
"""

from collections.abc import Callable

from mqsc.channels.end import text
from mqsc.console.getting import get_or_none
from mqsc.store.admin.channel import commands, starts, status
from mqsc.store.client.connection import Connection
from mqsc.store.constants import MQCHS, MQGMO, MQOO, MQRC
from mqsc.store.error import MQError
from mqsc.store.headers import layout, mqtm
from mqsc.store.headers.mqtm import TriggerMessage
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.rules.channel import triggered_start
from mqsc.store.sqlite.database import Reading

APPLICATION = "runmqchi"
DEFAULT_QUEUE = status.INITIATION_QUEUE
_FIRST, _NEXT, _GET = (
    GetMessageOptions(int(each | MQGMO.NO_SYNCPOINT | MQGMO.FAIL_IF_QUIESCING))
    for each in (MQGMO.BROWSE_FIRST, MQGMO.BROWSE_NEXT, MQGMO.MSG_UNDER_CURSOR)
)


class ChannelInitiator:
    """An initiator with its initiation queue open; opening it can itself cause trigger messages
    (occasion O-OPEN).

    `start` is called with the channels to start, also with one that it has not got to start yet.
    """

    def __init__(
        self,
        connection: Connection,
        queue: str,
        start: Callable[[str], None],
        report: Callable[[str], None],
    ) -> None:
        """Raises MQError: 2085 when there is no such queue, 2042 when another initiator reads
        it, 2092 for an XMITQ.
        """
        self._qmgr = connection.qmgr
        self.name = queue
        self._start = start
        self._report = report
        with Reading(connection.qmgr.store.database) as reading:
            if commands.usage_of(reading, connection.qmgr.name, queue) == "XMITQ":
                # Nobody could send its messages while it is open here.
                raise MQError(MQRC.XMIT_Q_USAGE_ERROR, queue)
        self._queue = connection.open(
            queue,
            MQOO.INPUT_EXCLUSIVE | MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING,
            dynamic_name=None,
        )
        self._leaves_some = False

    def close(self) -> None:
        """Close the initiation queue, so that another initiator can read it."""
        self._queue.close()

    def look(self) -> int | None:
        """Start the channels that are due; return when the next retry is due (microseconds UTC),
        None for no retry.

        MQError when a call fails: 2016 when gets are inhibited, 2009 or 2161 when the queue manager
        ends.
        """
        while (message := self._next()) is not None:
            self._obey(message)
        due = starts.due(self._qmgr, self.name)
        for name in due.channels:
            self._start(name)
        return due.next_retry

    def _next(self) -> TriggerMessage | None:
        """Get the next trigger message. All other messages are left on the queue."""
        browsed = get_or_none(self._queue, _FIRST)
        if browsed is None:
            self._leaves_some = False
        while browsed is not None:
            message = _trigger_message(browsed)
            if message is not None:
                return None if get_or_none(self._queue, _GET) is None else message
            self._leave()
            # An application may have put many.
            if not starts.has_trigger_message(self._qmgr, self.name):
                return None
            browsed = get_or_none(self._queue, _NEXT)
        return None

    def _leave(self) -> None:
        if not self._leaves_some:
            self._leaves_some = True
            self._say(f"{self.name} has messages that are not trigger messages; they stay there")

    def _obey(self, message: TriggerMessage) -> None:
        """Start the channel of a trigger message. A message that starts no channel is dropped,
        as in IBM MQ.
        """
        queue, data, user_data = (
            _text(each) for each in (message.q_name, message.trigger_data, message.user_data)
        )
        name = starts.triggered(self._qmgr, queue, data, user_data)
        if not name:
            self._say(f"AMQ9519E: No channel has XMITQ({queue}); the trigger message was dropped")
        elif not starts.is_startable(self._qmgr, name):
            self._say(f"{text('AMQ9519E', name=name)} The trigger message of {queue} was dropped")
        elif triggered_start.starts(self._status(name)):
            self._say(f"{queue} triggers channel {name}")
            self._start(name)

    def _status(self, name: str) -> MQCHS:
        statuses = (
            instance.status
            for instance in status.instances(self._qmgr, name)
            if not instance.partner
        )
        return next(statuses, MQCHS.INACTIVE)

    def _say(self, sentence: str) -> None:
        self._report(f"{self._qmgr.name}: {sentence}")


def _trigger_message(message: Message) -> TriggerMessage | None:
    descriptor = message.descriptor
    try:
        return mqtm.unpack_mqtm(message.body, descriptor.encoding, descriptor.coded_char_set_id)
    except layout.HeaderError:
        return None


def _text(field: str) -> str:
    """A text field ends at a NUL, as everywhere in MQ."""
    return field.partition("\0")[0].strip()
