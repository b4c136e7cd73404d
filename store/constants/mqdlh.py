from typing import Final


class MQDLH:
    """Version, length and identifier of the dead-letter header."""

    CURRENT_VERSION: Final = 1
    VERSION_1: Final = 1
    CURRENT_LENGTH: Final = 172
    LENGTH_1: Final = 172
    STRUC_ID: Final = "DLH "
