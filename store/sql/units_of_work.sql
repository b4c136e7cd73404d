-- Made from core/units_of_work.py by `python -m mqsc.store.sql.core`.

-- name: remove_got
DELETE FROM message WHERE message.unit = ?1 AND state = 2 AND unit IS NOT NULL

-- name: release_put
UPDATE message SET state=0, unit=NULL WHERE message.unit = ?1 AND state = 1 AND unit IS NOT NULL

-- name: remove_put
DELETE FROM message WHERE message.unit = ?1 AND state = 1 AND unit IS NOT NULL AND message.kept_at_backout = 0

-- name: release_got
UPDATE message SET state=0, unit=NULL, backout_count=(message.backout_count + 1) WHERE message.unit = ?1
  AND state = 2 AND unit IS NOT NULL AND message.id != ?2

-- name: move_message
UPDATE message SET unit=?3 WHERE message.id = ?1 AND message.unit = ?2

-- name: shares
SELECT message.queue, sum(CASE WHEN (state = 1 AND message.kept_at_backout = 0) THEN 1 ELSE 0 END) AS sum_1,
  sum(CASE WHEN state = 2 THEN 1 ELSE 0 END) AS sum_2, max(message.persistence) AS max_1,
  min(message.expires_at) AS min_1
FROM message
WHERE message.unit = ?1 AND unit IS NOT NULL GROUP BY message.queue

-- name: between
SELECT DISTINCT message.unit
FROM message
WHERE message.unit >= ?1 AND message.unit < ?2 AND unit IS NOT NULL
  AND (message.unit NOT IN (SELECT prepared_unit.number
FROM prepared_unit))

-- name: got
SELECT message.id, message.queue, message.sequence, message.state, message.unit, message.rank,
  message.kept_at_backout, message.locked_by, message.marked_until, message.put_at, message.expires_at,
  message.length, message.report, message.msg_type, message.expiry, message.feedback, message.encoding,
  message.coded_char_set_id, message.format, message.priority, message.persistence, message.msg_id,
  message.correl_id, message.backout_count, message.reply_to_q, message.reply_to_q_mgr,
  message.user_identifier, message.accounting_token, message.appl_identity_data, message.put_appl_type,
  message.put_appl_name, message.put_date, message.put_time, message.appl_origin_data, message.group_id,
  message.msg_seq_number, message."offset", message.msg_flags, message.original_length, x'' AS body
FROM message
WHERE message.unit = ?1 AND state = 2 AND unit IS NOT NULL

-- name: numbers_held
SELECT message.id
FROM message JOIN queue ON queue.id = message.queue
WHERE message.unit = ?1 AND unit IS NOT NULL AND queue.name = ?2 ORDER BY message.id

-- name: uncommitted_on_queue
SELECT count(*) AS count_1
FROM message
WHERE message.queue = ?1 AND message.unit IS NOT NULL AND unit IS NOT NULL

-- name: got_on_queue
SELECT count(*) AS count_1
FROM message
WHERE message.queue = ?1 AND state = 2 AND unit IS NOT NULL

-- name: prepared
SELECT prepared_unit.number, prepared_unit.qmgr, prepared_unit.name, prepared_unit.luwid,
  prepared_unit.prepared_at, prepared_unit.application, prepared_unit.user, prepared_unit.recorded,
  prepared_unit.outcomes
FROM prepared_unit
WHERE prepared_unit.qmgr = ?1 AND prepared_unit.name = ?2 AND prepared_unit.luwid = ?3

-- name: remove_prepared
DELETE FROM prepared_unit WHERE prepared_unit.number = ?1

-- name: in_doubt
SELECT prepared_unit.name, prepared_unit.luwid, prepared_unit.prepared_at,
  coalesce(sum(CASE WHEN state = 1 THEN 1 ELSE 0 END), 0) AS coalesce_1,
  coalesce(sum(CASE WHEN state = 2 THEN 1 ELSE 0 END), 0) AS coalesce_2, prepared_unit.application,
  prepared_unit.user, prepared_unit.number
FROM prepared_unit LEFT OUTER JOIN message ON message.unit = prepared_unit.number AND message.unit IS NOT NULL
WHERE prepared_unit.qmgr = ?1 GROUP BY prepared_unit.number ORDER BY prepared_unit.prepared_at,
  prepared_unit.number

-- name: in_doubt_hold_messages_of
SELECT 1
FROM prepared_unit JOIN message ON message.unit = prepared_unit.number AND message.unit IS NOT NULL
WHERE message.queue = ?1
 LIMIT 1

-- name: got_data
SELECT coalesce(sum(max(message.length - ?2, 0)), 0) AS coalesce_1
FROM message
WHERE message.unit = ?1 AND state = 2 AND message.queue != ?3

-- name: got_messages
SELECT message.format, message.encoding, message.coded_char_set_id, message.length,
  substr(message.body, 1, ?4) AS substr_1
FROM message
WHERE message.unit = ?1 AND state = 2 AND message.queue = ?2 ORDER BY message.rank DESC, message.sequence
 LIMIT ?3

-- name: held_on_queue
SELECT message.unit, queue.name, message.state, count(*) AS count_1, min(message.put_at) AS min_1,
  max(message.kept_at_backout) AS max_1, coalesce(connection.id, 0) AS coalesce_1,
  coalesce(connection.application, prepared_unit.application) AS coalesce_2,
  coalesce(connection.user, prepared_unit.user) AS coalesce_3, coalesce(process.file, '') AS coalesce_4,
  coalesce(prepared_unit.name, '') AS coalesce_5
FROM message JOIN queue ON queue.id = message.queue LEFT OUTER
  JOIN prepared_unit ON prepared_unit.number = message.unit LEFT OUTER
  JOIN connection ON connection.id = (message.unit >> 32) AND prepared_unit.number IS NULL LEFT OUTER
  JOIN process ON process.id = connection.process
WHERE message.unit IS NOT NULL AND unit IS NOT NULL
  AND (connection.id IS NOT NULL OR prepared_unit.number IS NOT NULL) AND message.queue = ?1
  AND message.rank >= ?2 GROUP BY message.unit, queue.name, message.state ORDER BY min(message.put_at),
  message.unit, message.state

-- name: held_trigger_messages
SELECT message.unit, queue.name, message.state, count(*) AS count_1, min(message.put_at) AS min_1,
  max(message.kept_at_backout) AS max_1, coalesce(connection.id, 0) AS coalesce_1,
  coalesce(connection.application, prepared_unit.application) AS coalesce_2,
  coalesce(connection.user, prepared_unit.user) AS coalesce_3, coalesce(process.file, '') AS coalesce_4,
  coalesce(prepared_unit.name, '') AS coalesce_5
FROM message JOIN queue ON queue.id = message.queue LEFT OUTER
  JOIN prepared_unit ON prepared_unit.number = message.unit LEFT OUTER
  JOIN connection ON connection.id = (message.unit >> 32) AND prepared_unit.number IS NULL LEFT OUTER
  JOIN process ON process.id = connection.process
WHERE message.unit IS NOT NULL AND unit IS NOT NULL
  AND (connection.id IS NOT NULL OR prepared_unit.number IS NOT NULL) AND state = 1 AND queue.owner = ?1
  AND (message.format = ?3 AND substr(message.body, 1, ?6) = ?2 OR message.format = ?5
  AND substr(message.body, ?4 + 1, ?6) = ?2) GROUP BY message.unit, queue.name, message.state
  ORDER BY min(message.put_at), message.unit, message.state

-- name: gets
SELECT min(event.at) AS min_1, count(*) AS count_1
FROM event
WHERE event.seq > (SELECT max(event.seq) AS max_1
FROM event) - 100000 AND event.kind = 'GET' AND event.queue = ?1 AND event.unit = ?2
