-- Made from core/past.py by `python -m mqsc.store.sql.core`.

-- name: event_at
SELECT event.seq, event.at
FROM event
WHERE event.seq <= ?1 ORDER BY event.seq DESC
 LIMIT 1

-- name: last_before
SELECT max(event.seq) AS max_1
FROM event
WHERE event.at <= ?1 AND event.qmgr IN (SELECT anon_1.value
FROM json_each(?2) AS anon_1)

-- name: last_time
SELECT event.at
FROM event
WHERE event.seq <= ?1 AND event.qmgr IN (SELECT anon_1.value
FROM json_each(?2) AS anon_1) ORDER BY event.seq DESC
 LIMIT 1

-- name: next_clock_changes
SELECT event.qmgr, min(event.seq) AS min_1, event.kind, event.at, event.detail
FROM event
WHERE event.seq > ?1 AND event.kind IN ('CLOCK', 'JOIN') AND (event.qmgr NOT IN (SELECT imported_manager.name
FROM imported_manager)) GROUP BY event.qmgr

-- name: model_of
SELECT event.rule
FROM event
WHERE event.seq < ?3 AND event.kind IN ('DEFINE') AND event.cause IN ('dynamic') AND event.qmgr = ?1
  AND event.queue = ?2 ORDER BY event.seq DESC
 LIMIT 1

-- name: of_messages
SELECT event.seq, event.kind, event.qmgr, event.queue, event.target, event.msg_id, event.unit, event.put_at,
  event.detail
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND (event.qmgr NOT IN (SELECT imported_manager.name
FROM imported_manager)) AND event.kind IN (SELECT anon_1.value
FROM json_each(?3) AS anon_1) AND (event.queue IS NULL OR event.queue IN (SELECT anon_2.value
FROM json_each(?4) AS anon_2) OR event.kind IN ('TRIGGER', 'DEAD_LETTER'))
  AND coalesce(coalesce(event.qmgr IN (SELECT imported_manager.name
FROM imported_manager), 0) = 0 AND event.cause IS NULL
  AND (event.detail IS NULL OR instr(event.detail, '"mark"') = 0)
  AND (event.kind IN ('PUT', 'GET') AND event.qmgr < x'' AND event.queue < x'' AND event.msg_id >= x''
  AND length(event.msg_id) = 24 OR event.kind IN ('COMMIT') AND event.unit IS NOT NULL AND event.queue IS NULL
  AND event.msg_id IS NULL), 0) = 0 ORDER BY event.seq

-- name: of_connections
SELECT event.seq, event.kind, event.qmgr, event.queue, event.target, event.msg_id, event.unit, event.put_at,
  event.detail
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND (event.qmgr NOT IN (SELECT imported_manager.name
FROM imported_manager)) AND event.kind IN (SELECT anon_1.value
FROM json_each(?3) AS anon_1) AND (event.unit >> 32) IN (SELECT anon_2.value
FROM json_each(?4) AS anon_2) ORDER BY event.seq DESC

-- name: of_msg_ids
SELECT event.seq, event.kind, event.qmgr, event.queue, event.target, event.msg_id, event.unit, event.put_at,
  event.detail
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND (event.qmgr NOT IN (SELECT imported_manager.name
FROM imported_manager)) AND event.kind IN (SELECT anon_1.value
FROM json_each(?3) AS anon_1)
  AND (event.kind IN ('BACKOUT', 'MOVE') OR event.msg_id IN (SELECT unhex(anon_2.value) AS unhex_1
FROM json_each(?4) AS anon_2)) ORDER BY event.seq DESC

-- name: of_objects
SELECT event.seq, event.at, event.qmgr, event.kind, coalesce(event.cause, '') AS coalesce_1,
  coalesce(event.queue, '') AS coalesce_2, coalesce(event.target, '') AS coalesce_3,
  coalesce(event.detail, '') AS coalesce_4
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND (event.qmgr NOT IN (SELECT imported_manager.name
FROM imported_manager)) AND event.kind IN (SELECT anon_1.value
FROM json_each(?3) AS anon_1) ORDER BY event.seq

-- name: puts
SELECT event.seq, event.msg_id, event.correl_id, event.priority, event.persistence, event.length,
  event.put_at, event.expires_at, event.put_application, event.put_user
FROM event
WHERE event.seq IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1)

-- name: local_queues
SELECT queue.owner, queue.name, queue.id, queue.fifo, queue.recorded
FROM queue
WHERE queue.type = 'QLOCAL'

-- name: present
SELECT message.id, message.msg_id, message.put_at, message.sequence, message.state, message.unit,
  message.backout_count
FROM message
WHERE message.id IN (SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 0 UNION ALL SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 1 UNION ALL SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 2 AND unit IS NOT NULL) ORDER BY message.sequence

-- name: remove_messages
DELETE FROM message WHERE message.id IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1)

-- name: place
UPDATE message SET sequence=?2, state=?3, unit=?4, locked_by=NULL, marked_until=NULL, backout_count=?5
  WHERE message.id = ?1

-- name: count
UPDATE queue SET depth=(SELECT count(*) AS count_1
FROM message
WHERE message.id IN (SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 0 UNION ALL SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 1 UNION ALL SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 2 AND unit IS NOT NULL) AND message.state != 2), next_sequence=?2,
  earliest_expiry=(SELECT min(message.expires_at) AS min_1
FROM message
WHERE message.id IN (SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 0 UNION ALL SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 1 UNION ALL SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 2 AND unit IS NOT NULL)) WHERE queue.id = ?1

-- name: last_uses
SELECT event.qmgr, event.queue, event.kind, max(event.seq) AS max_1, event.at
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND event.queue IN (SELECT anon_1.value
FROM json_each(?3) AS anon_1)
  AND (event.kind IN ('PUT', 'GET') OR event.kind IN ('DELETE') AND event.target IN ('QLOCAL'))
  GROUP BY event.qmgr, event.queue, event.kind

-- name: open_units
SELECT DISTINCT message.unit
FROM message
WHERE message.unit IS NOT NULL

-- name: ask_for_reports
UPDATE message SET report=?3, reply_to_q=?4 WHERE message.msg_id = ?1 AND message.put_at = ?2
  AND message.report = 0

-- name: ask_when_moved
UPDATE message SET report=(message.report | ?4), reply_to_q=?5 WHERE message.id = (SELECT message.id
FROM message
WHERE message.queue = ?1 AND message.msg_id = ?2 AND state = 0 ORDER BY (message.report & ?4) != 0 DESC,
  message.sequence
 LIMIT 1 OFFSET ?3) AND (message.report & ?4) = 0

-- name: remove_events
DELETE FROM event WHERE event.seq > ?1

-- name: remove_definition
DELETE FROM object WHERE object.owner = ?1 AND object.namespace = ?2 AND object.name = ?3

-- name: rewrite_times
UPDATE object SET created_at=?4, altered_at=?5 WHERE object.owner = ?1 AND object.namespace = ?2
  AND object.name = ?3

-- name: empty_queues
UPDATE queue SET depth=0, earliest_expiry=NULL

-- name: temporary_queues
SELECT queue.owner, queue.name, queue.id
FROM queue
WHERE queue.definition_type = 3

-- name: deleted_queues
SELECT queue.owner, queue.name, queue.id
FROM queue
WHERE queue.logically_deleted = 1

-- name: mark_as_deleted
UPDATE queue SET logically_deleted=1 WHERE queue.id IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1)

-- name: forget_creators
UPDATE queue SET creator=NULL, logically_deleted=0

-- name: enable_gets
UPDATE queue SET get_enabled=1

-- name: deletions
SELECT event.qmgr, event.queue, event.kind
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND event.queue IN (SELECT anon_1.value
FROM json_each(?3) AS anon_1)
  AND (event.kind IN ('DEFINE') AND event.cause IN ('dynamic') OR event.kind IN ('CLOSE')
  AND instr(event.detail, '"deletes"') > 0) ORDER BY event.seq DESC

-- name: close_handles
UPDATE queue_member SET input_handles=0, exclusive_handles=0, output_handles=0
