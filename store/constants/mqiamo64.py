import enum


class MQIAMO64(enum.IntEnum):
    """64-bit parameters of accounting and statistics."""

    AVG_Q_TIME = 703
    Q_TIME_AVG = 741
    Q_TIME_MAX = 742
    Q_TIME_MIN = 743
    BROWSE_BYTES = 745
    BYTES = 746
    GET_BYTES = 747
    PUT_BYTES = 748
    TOPIC_PUT_BYTES = 783
    PUBLISH_MSG_BYTES = 785
    HIGHRES_TIME = 838
    QMGR_OP_DURATION = 844
    MONITOR_INTERVAL = 845
