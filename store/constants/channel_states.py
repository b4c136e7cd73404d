"""Types of channels, and the states that they are in."""

from __future__ import annotations

import enum


class MQCHT(enum.IntEnum):
    """Channel types."""

    SENDER = 1
    SERVER = 2
    RECEIVER = 3
    REQUESTER = 4
    ALL = 5
    CLNTCONN = 6
    SVRCONN = 7
    CLUSRCVR = 8
    CLUSSDR = 9
    MQTT = 10
    AMQP = 11


class MQCHS(enum.IntEnum):
    """Channel states."""

    INACTIVE = 0
    BINDING = 1
    STARTING = 2
    RUNNING = 3
    STOPPING = 4
    RETRYING = 5
    STOPPED = 6
    REQUESTING = 7
    PAUSED = 8
    DISCONNECTED = 9
    INITIALIZING = 13
    SWITCHING = 14
