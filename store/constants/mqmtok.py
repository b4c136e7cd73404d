from typing import Final


class MQMTOK:
    """Message tokens."""

    NONE: Final = bytes(16)
