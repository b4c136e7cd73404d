from typing import Final


class MQOD:
    """Versions, lengths and identifier of the object descriptor."""

    VERSION_1: Final = 1
    VERSION_2: Final = 2
    VERSION_3: Final = 3
    CURRENT_VERSION: Final = 4
    VERSION_4: Final = 4
    LENGTH_1: Final = 168
    LENGTH_2: Final = 208
    LENGTH_3: Final = 344
    CURRENT_LENGTH: Final = 424
    LENGTH_4: Final = 424
    STRUC_ID: Final = "OD  "
