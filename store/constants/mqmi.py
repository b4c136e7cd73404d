from typing import Final


class MQMI:
    """Message identifiers."""

    NONE: Final = bytes(24)
