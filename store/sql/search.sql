-- Made from core/search.py by `python -m mqsc.store.sql.core`.

-- name: queue_is_defined
SELECT 1
FROM queue
WHERE queue.name >= ?1 AND (?2 = '' OR queue.name < ?2) AND (?3 = '' OR queue.owner = ?3)
 LIMIT 1

-- name: names_of_queues
SELECT DISTINCT event.queue
FROM event
WHERE event.queue IS NOT NULL
  AND (kind NOT IN ('DEFINE', 'ALTER', 'SET', 'DELETE') OR target IN ('QLOCAL', 'QMODEL', 'QALIAS', 'QREMOTE'))
  AND (?1 = '' OR event.qmgr = ?1)

-- name: bounds
SELECT coalesce((SELECT min(event.seq) AS min_1
FROM event), 1) AS coalesce_1, coalesce((SELECT max(event.seq) AS max_1
FROM event), 0) AS coalesce_2

-- name: ids
SELECT event.msg_id
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 UNION SELECT event.correl_id
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 UNION SELECT unhex(json_extract(event.detail, '$.original')) AS unhex_1
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND event.kind IN ('REPORT', 'REPORT_LOST', 'DEAD_LETTER')

-- name: units
SELECT DISTINCT event.unit
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND event.unit IS NOT NULL

-- name: facts
SELECT DISTINCT event.kind, event.cause, event.queue, event.target, event.connection,
  event.unit >> 32 AS anon_1
FROM event
WHERE event.seq BETWEEN ?1 AND ?2

-- name: queues_backed_out
SELECT DISTINCT anon_1."key"
FROM event, json_each(event.detail) AS anon_1
WHERE event.seq BETWEEN ?1 AND ?2 AND event.kind IN ('BACKOUT')

-- name: times
SELECT min(event.at) AS min_1, max(event.at) AS max_1
FROM event
WHERE event.seq BETWEEN ?1 AND ?2

-- name: entries
SELECT event_segment.segment, event_segment.earliest, event_segment.latest, event_segment.prints
FROM event_segment
WHERE event_segment.segment BETWEEN ?1 AND ?2 ORDER BY event_segment.segment

-- name: known
SELECT event_segment.segment
FROM event_segment
WHERE event_segment.segment BETWEEN ?1 AND ?2 ORDER BY event_segment.segment

-- name: add_entry
INSERT OR IGNORE INTO event_segment (segment, earliest, latest, prints) VALUES (?1, ?2, ?3, ?4)

-- name: remove_entry
DELETE FROM event_segment WHERE event_segment.segment = ?1

-- name: events
SELECT event.seq, event.at, event.qmgr, event.kind, event.cause, event.queue, event.target, event.msg_id,
  event.correl_id, event.priority, event.persistence, event.length, event.put_at, event.expires_at,
  event.put_application, event.put_user, event.unit, event.connection, event.application, event.user,
  event.reason, event.rule, event.detail
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND (event.msg_id IN (SELECT unhex(anon_1.value) AS unhex_1
FROM json_each(?3) AS anon_1) OR event.correl_id IN (SELECT unhex(anon_1.value) AS unhex_1
FROM json_each(?3) AS anon_1) OR event.kind IN ('CLEAR', 'MOVE', 'DELETE') OR event.kind = 'CHANNEL'
  AND event.cause IN ('batch', 'in-doubt', 'resolved') OR event.kind IN ('COMMIT', 'BACKOUT')
  AND event.unit IN (SELECT anon_2.value
FROM json_each(?4) AS anon_2) OR event.kind IN ('REPORT', 'REPORT_LOST', 'DEAD_LETTER')
  AND unhex(json_extract(event.detail, '$.original')) IN (SELECT unhex(anon_1.value) AS unhex_1
FROM json_each(?3) AS anon_1)) ORDER BY event.seq

-- name: ids_of_events
SELECT DISTINCT event.msg_id, CASE
  WHEN (event.put_application = substr(event.qmgr, 1, 28)) THEN event.correl_id END AS anon_1
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND (event.msg_id BETWEEN ?3 AND ?4 OR event.correl_id BETWEEN ?3 AND ?4)

-- name: ids_of_messages
SELECT DISTINCT message.msg_id
FROM queue JOIN message ON message.queue = queue.id
WHERE state = 0 AND message.msg_id BETWEEN ?1 AND ?2
 LIMIT ?3

-- name: messages
SELECT queue.owner, queue.name, message.msg_id, message.correl_id, message.state, message.put_at,
  message.expires_at, message.put_appl_name, (SELECT prepared_unit.name
FROM prepared_unit
WHERE prepared_unit.number = message.unit) AS anon_1
FROM queue JOIN message ON message.queue = queue.id
WHERE state = 0 AND message.msg_id = ?1 UNION ALL SELECT queue.owner, queue.name, message.msg_id,
  message.correl_id, message.state, message.put_at, message.expires_at, message.put_appl_name,
  (SELECT prepared_unit.name
FROM prepared_unit
WHERE prepared_unit.number = message.unit) AS anon_1
FROM queue JOIN message ON message.queue = queue.id
WHERE state = 0 AND state = 0 AND message.correl_id IS NOT NULL AND message.correl_id = ?1
  AND message.msg_id != ?1 UNION ALL SELECT queue.owner, queue.name, message.msg_id, message.correl_id,
  message.state, message.put_at, message.expires_at, message.put_appl_name, (SELECT prepared_unit.name
FROM prepared_unit
WHERE prepared_unit.number = message.unit) AS anon_1
FROM queue JOIN message ON message.queue = queue.id
WHERE unit IS NOT NULL AND (message.msg_id = ?1 OR message.correl_id = ?1)

-- name: addresses
SELECT DISTINCT json_extract(object.attributes, '$.CONNAME') AS json_extract_1
FROM object
WHERE object.namespace = 'channel'

-- name: targets
SELECT channel_host.target
FROM channel_host

-- name: moving_events
SELECT event.kind, event.cause, event.queue, event.target, event.msg_id, event.correl_id, event.put_at,
  event.unit, event.at, event.application, event.user, event.detail
FROM event
WHERE event.seq BETWEEN ?3 AND ?4 AND event.qmgr = ?1
  AND (event.kind = 'BACKOUT' OR event.kind IN ('PUT', 'GET', 'REQUEUE', 'FORWARD', 'DISCARD')
  AND (EXISTS (SELECT message.id
FROM message
WHERE message.queue = ?2 AND state = 0 AND message.msg_id = event.msg_id))) ORDER BY event.seq

-- name: calls
SELECT json_group_array(event.seq) AS json_group_array_1,
  json_group_array((event.qmgr || ' ') || event.queue) AS json_group_array_2,
  json_group_array(event.kind = 'PUT') AS json_group_array_3,
  json_group_array(event.put_at + 0) AS json_group_array_4,
  json_group_array(event.unit + 0) AS json_group_array_5,
  CAST(group_concat(coalesce(msg_id, zeroblob(24)), '') AS BLOB)
FROM event
WHERE coalesce(event.qmgr IN (SELECT imported_manager.name
FROM imported_manager), 0) = 0 AND event.cause IS NULL
  AND (event.detail IS NULL OR instr(event.detail, '"mark"') = 0)
  AND (event.kind IN ('PUT', 'GET') AND event.qmgr < x'' AND event.queue < x'' AND event.msg_id >= x''
  AND length(event.msg_id) = 24 OR event.kind IN ('COMMIT') AND event.unit IS NOT NULL AND event.queue IS NULL
  AND event.msg_id IS NULL) AND event.seq BETWEEN ?1 AND ?2

-- name: calls_on
SELECT json_group_array(event.seq) AS json_group_array_1,
  json_group_array((event.qmgr || ' ') || event.queue) AS json_group_array_2,
  json_group_array(event.kind = 'PUT') AS json_group_array_3,
  json_group_array(event.put_at + 0) AS json_group_array_4,
  json_group_array(event.unit + 0) AS json_group_array_5,
  CAST(group_concat(coalesce(msg_id, zeroblob(24)), '') AS BLOB)
FROM event
WHERE coalesce(event.qmgr IN (SELECT imported_manager.name
FROM imported_manager), 0) = 0 AND event.cause IS NULL
  AND (event.detail IS NULL OR instr(event.detail, '"mark"') = 0)
  AND (event.kind IN ('PUT', 'GET') AND event.qmgr < x'' AND event.queue < x'' AND event.msg_id >= x''
  AND length(event.msg_id) = 24 OR event.kind IN ('COMMIT') AND event.unit IS NOT NULL AND event.queue IS NULL
  AND event.msg_id IS NULL) AND event.seq BETWEEN ?1 AND ?2
  AND (event.queue IS NULL OR event.queue IN (SELECT anon_1.value
FROM json_each(?3) AS anon_1))

-- name: no_calls
SELECT event.seq, CASE WHEN (coalesce(event.qmgr IN (SELECT imported_manager.name
FROM imported_manager), 0) = 1) THEN 'LOG' ELSE event.kind END AS anon_1, event.qmgr, event.queue,
  event.target, event.msg_id, event.unit, event.put_at, CASE
  WHEN (coalesce(event.qmgr IN (SELECT imported_manager.name
FROM imported_manager), 0) = 1) THEN NULL ELSE event.detail END AS anon_2, CASE
  WHEN (coalesce(event.qmgr IN (SELECT imported_manager.name
FROM imported_manager), 0) = 1) THEN NULL ELSE event.cause END AS anon_3, event.rule, event.expires_at
FROM event
WHERE event.seq BETWEEN ?1 AND ?2 AND coalesce(coalesce(event.qmgr IN (SELECT imported_manager.name
FROM imported_manager), 0) = 0 AND event.cause IS NULL
  AND (event.detail IS NULL OR instr(event.detail, '"mark"') = 0)
  AND (event.kind IN ('PUT', 'GET') AND event.qmgr < x'' AND event.queue < x'' AND event.msg_id >= x''
  AND length(event.msg_id) = 24 OR event.kind IN ('COMMIT') AND event.unit IS NOT NULL AND event.queue IS NULL
  AND event.msg_id IS NULL), 0) = 0 ORDER BY event.seq

-- name: messages_there
SELECT queue.owner, queue.name, message.msg_id, message.unit, message.state, message.locked_by IS NOT NULL
  AND (message.locked_by NOT IN (SELECT handle.id
FROM handle)) AS anon_1
FROM queue JOIN message ON message.queue = queue.id

-- name: reply_queues
SELECT DISTINCT queue.name, message.report, message.reply_to_q, message.reply_to_q_mgr
FROM queue JOIN message ON message.queue = queue.id
WHERE queue.owner = ?1 AND message.reply_to_q != '' ORDER BY queue.name, message.report, message.reply_to_q,
  message.reply_to_q_mgr

-- name: queues_there
SELECT queue.owner, queue.name, queue.depth, (SELECT count(*) AS count_1
FROM message
WHERE message.queue = queue.id AND NOT state = 2) AS anon_1, queue.recorded
FROM queue

-- name: events_of_messages
SELECT event.msg_id, event.seq, event.kind, event.qmgr, event.queue
FROM event
WHERE event.seq BETWEEN ?2 AND ?3 AND event.msg_id IS NOT NULL
  AND event.msg_id IN (SELECT unhex(anon_1.value) AS unhex_1
FROM json_each(?1) AS anon_1) ORDER BY event.seq
