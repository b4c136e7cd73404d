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
