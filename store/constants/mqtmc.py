from typing import Final


class MQTMC:
    """Versions, length and identifier of the trigger message in characters."""

    VERSION_1: Final = "   1"
    CURRENT_VERSION: Final = "   2"
    VERSION_2: Final = "   2"
    CURRENT_LENGTH: Final = 684
    LENGTH_1: Final = 684
    STRUC_ID: Final = "TMC "
