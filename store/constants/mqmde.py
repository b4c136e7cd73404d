from typing import Final


class MQMDE:
    """Version, length and identifier of the message descriptor extension."""

    CURRENT_VERSION: Final = 2
    VERSION_2: Final = 2
    CURRENT_LENGTH: Final = 72
    LENGTH_2: Final = 72
    STRUC_ID: Final = "MDE "
