from typing import Final


class MQSS:
    """Status of a segment of a message."""

    LAST_SEGMENT: Final = "L"
    NOT_A_SEGMENT: Final = " "
    SEGMENT: Final = "S"
