"""Publish/subscribe, which is not available: its calls fail, and the log says why, once in a process."""

from __future__ import annotations

import logging
from functools import cache
from typing import NoReturn

from store.constants import MQOT, MQRC
from store.error import MQError

_LOG = logging.getLogger("mqsc.clients")
_TOPIC, _QUEUE = int(MQOT.TOPIC), int(MQOT.Q)


@cache
def _explain() -> None:
    _LOG.warning(
        "mqsc: publish/subscribe is not available on a store: "
        "MQSUB and MQSUBRQ fail with 2298, and opening a topic with 2043"
    )


def refuse_subscription() -> NoReturn:
    """MQError 2298."""
    _explain()
    raise MQError(MQRC.FUNCTION_NOT_SUPPORTED)


def refuse_topic(object_type: int) -> None:
    """MQError 2043 for a topic."""
    if object_type == _TOPIC:
        _explain()
        raise MQError(MQRC.OBJECT_TYPE_ERROR)


def refuse_all_but_queues(object_type: int) -> None:
    """MQError 2043 for what messages cannot be put on."""
    refuse_topic(object_type)
    if object_type != _QUEUE:
        raise MQError(MQRC.OBJECT_TYPE_ERROR)
