"""The dead-letter queue of a trigger monitor: kept open, for trigger messages that start no
program.
"""

from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQCA, MQOO, MQOT, MQPMO, MQRC
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.rules.dead_letter import DeliveryFailure, dead_letter, put_by_program


class DeadLetterOutput:
    """The queue manager's dead-letter queue, open for output; `fault` is the error when it is
    not.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._handle: ObjectHandle | None = None
        self.queue = dead_letter_queue(connection)
        self.fault = MQError(MQRC.UNKNOWN_OBJECT_NAME, "no DEADQ")
        if self.queue:
            try:
                options = MQOO.OUTPUT | MQOO.PASS_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
                self._handle = connection.open(self.queue, options, dynamic_name=None)
            except MQError as fault:
                self.fault = fault

    @property
    def is_open(self) -> bool:
        """Whether a dead-letter queue is defined and could be opened."""
        return self._handle is not None

    def put(self, message: Message, reason: int, source: ObjectHandle, *, syncpoint: bool) -> None:
        """Put the message just got through `source`, behind an MQDLH with `reason` (an MQFB) and
        that queue.

        The message context is passed on. Raises MQError when the put fails.
        """
        if self._handle is None:
            raise self.fault
        qmgr = self._connection.qmgr
        failure = DeliveryFailure(reason, source.name, qmgr.name)
        put = put_by_program(self._connection.application, qmgr.now(), qmgr.row().ccsid)
        descriptor, body = dead_letter(message.descriptor, message.body, failure, put)
        # No FAIL_IF_QUIESCING: the message has already left its queue.
        options = MQPMO.PASS_ALL_CONTEXT | (MQPMO.SYNCPOINT if syncpoint else MQPMO.NO_SYNCPOINT)
        self._handle.put(Message(body, descriptor), PutMessageOptions(options, context=source))


def dead_letter_queue(connection: Connection) -> str:
    """The DEADQ attribute of the queue manager, blank when there is none."""
    handle = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
    name = handle.inquire(MQCA.DEAD_LETTER_Q_NAME)[MQCA.DEAD_LETTER_Q_NAME]
    handle.close()
    return str(name)
