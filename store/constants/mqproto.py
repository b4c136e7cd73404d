import enum


class MQPROTO(enum.IntEnum):
    """Protocols of a telemetry or AMQP channel."""

    MQTTV3 = 1
    HTTP = 2
    AMQP = 3
    MQTTV311 = 4
