import enum


class MQFIELD(enum.IntEnum):
    """Fields of the workload record that an exit of a cluster reads."""

    WQR_StrucId = 8000
    WQR_Version = 8001
    WQR_StrucLength = 8002
    WQR_QFlags = 8003
    WQR_QName = 8004
    WQR_QMgrIdentifier = 8005
    WQR_ClusterRecOffset = 8006
    WQR_QType = 8007
    WQR_QDesc = 8008
    WQR_DefBind = 8009
    WQR_DefPersistence = 8010
    WQR_DefPriority = 8011
    WQR_InhibitPut = 8012
    WQR_CLWLQueuePriority = 8013
    WQR_CLWLQueueRank = 8014
    WQR_DefPutResponse = 8015
    WQR_CapExpiry = 8016
