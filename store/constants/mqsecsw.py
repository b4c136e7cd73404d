import enum


class MQSECSW(enum.IntEnum):
    """Switches of security on z/OS, and their states."""

    PROCESS = 1
    NAMELIST = 2
    Q = 3
    TOPIC = 4
    CONTEXT = 6
    ALTERNATE_USER = 7
    COMMAND = 8
    CONNECTION = 9
    SUBSYSTEM = 10
    COMMAND_RESOURCES = 11
    Q_MGR = 15
    QSG = 16
    OFF_FOUND = 21
    ON_FOUND = 22
    OFF_NOT_FOUND = 23
    ON_NOT_FOUND = 24
    OFF_ERROR = 25
    ON_OVERRIDDEN = 26
