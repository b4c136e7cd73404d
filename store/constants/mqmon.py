import enum


class MQMON(enum.IntEnum):
    """Levels of monitoring, accounting and statistics."""

    Q_MGR = -3
    NONE = -1
    NOT_AVAILABLE = -1
    OFF = 0
    DISABLED = 0
    ENABLED = 1
    ON = 1
    LOW = 17
    MEDIUM = 33
    HIGH = 65
