from typing import Final


class MQSEG:
    """Whether a message may be segmented."""

    ALLOWED: Final = "A"
    INHIBITED: Final = " "
