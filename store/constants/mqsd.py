from typing import Final


class MQSD:
    """Version, length and identifier of the subscription descriptor."""

    VERSION_1: Final = 1
    CURRENT_VERSION: Final = 1
    LENGTH_1: Final = 344
    CURRENT_LENGTH: Final = 344
    STRUC_ID: Final = "SD  "
