import enum


class MQAUTH(enum.IntEnum):
    """Authorities of users over objects."""

    ALL_MQI = -3
    ALL_ADMIN = -2
    ALL = -1
    NONE = 0
    ALT_USER_AUTHORITY = 1
    BROWSE = 2
    CHANGE = 3
    CLEAR = 4
    CONNECT = 5
    CREATE = 6
    DELETE = 7
    DISPLAY = 8
    INPUT = 9
    INQUIRE = 10
    OUTPUT = 11
    PASS_ALL_CONTEXT = 12
    PASS_IDENTITY_CONTEXT = 13
    SET = 14
    SET_ALL_CONTEXT = 15
    SET_IDENTITY_CONTEXT = 16
    CONTROL = 17
    CONTROL_EXTENDED = 18
    PUBLISH = 19
    SUBSCRIBE = 20
    RESUME = 21
    SYSTEM = 22
