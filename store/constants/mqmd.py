from typing import Final


class MQMD:
    """Versions, lengths and identifier of the message descriptor."""

    VERSION_1: Final = 1
    CURRENT_VERSION: Final = 2
    VERSION_2: Final = 2
    LENGTH_1: Final = 324
    CURRENT_LENGTH: Final = 364
    LENGTH_2: Final = 364
    STRUC_ID: Final = "MD  "
