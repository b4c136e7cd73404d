import enum


class MQCAMO(enum.IntEnum):
    """Character parameters of accounting and statistics."""

    CLOSE_DATE = 2701
    CLOSE_TIME = 2702
    CONN_DATE = 2703
    CONN_TIME = 2704
    DISC_DATE = 2705
    DISC_TIME = 2706
    END_DATE = 2707
    END_TIME = 2708
    OPEN_DATE = 2709
    OPEN_TIME = 2710
    START_DATE = 2711
    START_TIME = 2712
    MONITOR_CLASS = 2713
    MONITOR_TYPE = 2714
    MONITOR_DESC = 2715
    FIRST = 2701
