from typing import Final


class MQXQH:
    """Version, length and identifier of the transmission-queue header."""

    CURRENT_VERSION: Final = 1
    VERSION_1: Final = 1
    CURRENT_LENGTH: Final = 428
    LENGTH_1: Final = 428
    STRUC_ID: Final = "XQH "
