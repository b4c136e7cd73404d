"""When and where something happens to messages, `name` being that of the queue, and the user who
caused it.
"""

CAUSE = ("now", "qmgr", "name", "connection", "application", "user")
Cause = tuple[int, str, str, int | None, str, str]
