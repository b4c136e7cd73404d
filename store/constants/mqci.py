from typing import Final


class MQCI:
    """Correlation identifiers."""

    NEW_SESSION: Final = b"AMQ!NEW_SESSION_CORRELID"
    NONE: Final = bytes(24)
