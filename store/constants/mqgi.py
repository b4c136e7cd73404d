from typing import Final


class MQGI:
    """Group identifiers."""

    NONE: Final = bytes(24)
