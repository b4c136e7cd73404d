from typing import Final


class MQTM:
    """Version, length and identifier of the trigger message."""

    CURRENT_VERSION: Final = 1
    VERSION_1: Final = 1
    CURRENT_LENGTH: Final = 684
    LENGTH_1: Final = 684
    STRUC_ID: Final = "TM  "
