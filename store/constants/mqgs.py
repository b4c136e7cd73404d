from typing import Final


class MQGS:
    """Status of a message in its group."""

    LAST_MSG_IN_GROUP: Final = "L"
    MSG_IN_GROUP: Final = "G"
    NOT_IN_GROUP: Final = " "
