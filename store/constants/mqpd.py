import enum


class MQPD(enum.IntEnum):
    """Support and context of a message property."""

    NONE = 0
    NO_CONTEXT = 0
    SUPPORT_OPTIONAL = 1
    USER_CONTEXT = 1
    SUPPORT_REQUIRED_IF_LOCAL = 1024
    SUPPORT_REQUIRED = 1048576
