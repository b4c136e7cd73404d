from typing import Final


class MQACT:
    """Actions of commands: on logs, statistics, publish/subscribe and channel authentication records."""

    FORCE_REMOVE: Final = 1
    ADVANCE_LOG: Final = 2
    COLLECT_STATISTICS: Final = 3
    PUBSUB: Final = 4
    ADD: Final = 5
    REPLACE: Final = 6
    REMOVE: Final = 7
    REMOVEALL: Final = 8
    FAIL: Final = 9
    REDUCE_LOG: Final = 10
    ARCHIVE_LOG: Final = 11
    NONE: Final = bytes(32)
