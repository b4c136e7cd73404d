"""How the events of a history changed the depth of a queue: got messages do not count, uncommitted
puts do.

`store/past/depths.py` says the same of an event that was read.
"""

from __future__ import annotations

from sqlalchemy import ClauseElement, text

from mqsc.store.sql.core.declaring import Placeholder, statement

# How many messages a CLEAR or MOVE took that no unit of work had got.
_TAKEN = "(coalesce(detail ->> '$.messages', 0) - coalesce(detail ->> '$.got', 0))"
# No name of a queue has a quote.
_PATH = "('$.\"' || :queue_ || '\".{}')"
_UNDONE = (
    f"(coalesce(detail ->> {_PATH.format('gets')}, 0) - coalesce(detail ->> "
    f"{_PATH.format('puts')}, 0))"
)
_CHANGE = f"""CASE kind
   WHEN 'PUT' THEN 1 WHEN 'GET' THEN -1 WHEN 'EXPIRE' THEN -1 WHEN 'DISCARD' THEN -1
   WHEN 'CLEAR' THEN -{_TAKEN}
   WHEN 'MOVE' THEN IIF(queue = :queue_ AND qmgr = :owner_, -{_TAKEN}, {_TAKEN})
   ELSE {_UNDONE} END"""
# An EXPIRE or DISCARD in a unit of work describes a get; without the time of its put, a channel
# carried the message.
_IS_OF_QUEUE = """(queue = :queue_ AND qmgr = :owner_ AND (kind IN ('PUT', 'GET', 'CLEAR', 'MOVE')
      OR (kind IN ('EXPIRE', 'DISCARD') AND unit IS NULL AND put_at IS NOT NULL))
   OR (kind = 'MOVE' AND target = :queue_ AND coalesce(detail ->> '$.target_owner', qmgr) = :owner_)
   OR (kind = 'BACKOUT' AND qmgr IN (SELECT value FROM json_each(:members_))))"""
_CHANGES = (
    f"SELECT seq, at, kind, {_CHANGE} AS change FROM event WHERE seq BETWEEN :first_ AND :last_ "
    f"AND {_IS_OF_QUEUE}"
)


@statement
def changes(
    first: Placeholder,
    last: Placeholder,
    queue: Placeholder,
    owner: Placeholder,
    members: Placeholder,
) -> ClauseElement:
    return text(f"SELECT seq, at, kind, change FROM ({_CHANGES}) WHERE change <> 0 ORDER BY seq")


@statement
def sum_of_changes(
    first: Placeholder,
    last: Placeholder,
    queue: Placeholder,
    owner: Placeholder,
    members: Placeholder,
) -> ClauseElement:
    return text(f"SELECT sum(change) FROM ({_CHANGES})")
