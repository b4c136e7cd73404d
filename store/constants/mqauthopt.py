import enum


class MQAUTHOPT(enum.IntEnum):
    """Which authority records an inquiry finds."""

    ENTITY_EXPLICIT = 1
    ENTITY_SET = 2
    NAME_EXPLICIT = 16
    NAME_ALL_MATCHING = 32
    NAME_AS_WILDCARD = 64
    CUMULATIVE = 256
    EXCLUDE_TEMP = 512
