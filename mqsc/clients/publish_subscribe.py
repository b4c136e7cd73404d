"""Publish/subscribe, which is not available: its calls fail, and the log says why, once in a
process.
"""

import logging
from functools import cache
from typing import NoReturn

from mqsc.clients.process import LinkedConnection
from mqsc.store.constants import MQOT, MQRC
from mqsc.store.error import MQError, refuse_if

_LOG = logging.getLogger("mqsc.clients")
_TOPIC, _QUEUE = int(MQOT.TOPIC), int(MQOT.Q)


@cache
def _explain() -> None:
    _LOG.warning(
        "mqsc: publish/subscribe is not available on a store: "
        "MQSUB and MQSUBRQ fail with 2298, and opening a topic with 2043",
    )


def refuse_subscription(linked: LinkedConnection, *_: object) -> NoReturn:
    """MQError 2298."""
    _explain()
    raise MQError(MQRC.FUNCTION_NOT_SUPPORTED)


def refuse_topic(object_type: int) -> None:
    """MQError 2043 for a topic."""
    if object_type == _TOPIC:
        _explain()
        raise MQError(MQRC.OBJECT_TYPE_ERROR)


def refuse_all_but_queues(object_type: int) -> None:
    """MQError 2043 for an object that messages cannot be put on."""
    refuse_topic(object_type)
    refuse_if(object_type != _QUEUE, MQRC.OBJECT_TYPE_ERROR)
