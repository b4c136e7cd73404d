from typing import Final


class MQBO:
    """Options of MQBEGIN."""

    NONE: Final = 0
    CURRENT_VERSION: Final = 1
    VERSION_1: Final = 1
    CURRENT_LENGTH: Final = 12
    LENGTH_1: Final = 12
    STRUC_ID: Final = "BO  "
