-- Made from core/messages.py by `python -m mqsc.store.sql.core`.

-- name: by_id
SELECT message.id, message.queue, message.sequence, message.state, message.unit, message.rank,
  message.kept_at_backout, message.locked_by, message.marked_until, message.put_at, message.expires_at,
  message.length, message.report, message.msg_type, message.expiry, message.feedback, message.encoding,
  message.coded_char_set_id, message.format, message.priority, message.persistence, message.msg_id,
  message.correl_id, message.backout_count, message.reply_to_q, message.reply_to_q_mgr,
  message.user_identifier, message.accounting_token, message.appl_identity_data, message.put_appl_type,
  message.put_appl_name, message.put_date, message.put_time, message.appl_origin_data, message.group_id,
  message.msg_seq_number, message."offset", message.msg_flags, message.original_length, message.body
FROM message
WHERE message.id = ?1

-- name: without_body
SELECT message.id, message.queue, message.sequence, message.state, message.unit, message.rank,
  message.kept_at_backout, message.locked_by, message.marked_until, message.put_at, message.expires_at,
  message.length, message.report, message.msg_type, message.expiry, message.feedback, message.encoding,
  message.coded_char_set_id, message.format, message.priority, message.persistence, message.msg_id,
  message.correl_id, message.backout_count, message.reply_to_q, message.reply_to_q_mgr,
  message.user_identifier, message.accounting_token, message.appl_identity_data, message.put_appl_type,
  message.put_appl_name, message.put_date, message.put_time, message.appl_origin_data, message.group_id,
  message.msg_seq_number, message."offset", message.msg_flags, message.original_length, x'' AS body
FROM message
WHERE message.id = ?1

-- name: remove
DELETE FROM message WHERE message.id = ?1

-- name: remove_range
DELETE FROM message WHERE message.id BETWEEN ?1 AND ?2

-- name: reserve
UPDATE message SET state=2, unit=?2, locked_by=NULL WHERE message.id = ?1

-- name: reserve_range
UPDATE message SET state=2, unit=?3, locked_by=NULL WHERE message.id BETWEEN ?1 AND ?2

-- name: lock
UPDATE message SET locked_by=?2 WHERE message.id = ?1

-- name: unlock
UPDATE message SET locked_by=NULL WHERE message.locked_by = ?1 AND message.locked_by IS NOT NULL

-- name: mark
UPDATE message SET marked_until=?2 WHERE message.id = ?1

-- name: clear
DELETE FROM message WHERE message.id IN (SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 0 UNION ALL SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 1 UNION ALL SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 2 AND unit IS NOT NULL)

-- name: remove_before
DELETE FROM message WHERE message.id IN (SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 0 AND message.sequence < ?2
 LIMIT ?3)

-- name: nonpersistent
SELECT message.id, message.queue, message.sequence, message.state, message.unit, message.rank,
  message.kept_at_backout, message.locked_by, message.marked_until, message.put_at, message.expires_at,
  message.length, message.report, message.msg_type, message.expiry, message.feedback, message.encoding,
  message.coded_char_set_id, message.format, message.priority, message.persistence, message.msg_id,
  message.correl_id, message.backout_count, message.reply_to_q, message.reply_to_q_mgr,
  message.user_identifier, message.accounting_token, message.appl_identity_data, message.put_appl_type,
  message.put_appl_name, message.put_date, message.put_time, message.appl_origin_data, message.group_id,
  message.msg_seq_number, message."offset", message.msg_flags, message.original_length, x'' AS body
FROM message JOIN queue ON queue.id = message.queue
WHERE queue.owner = ?1 AND queue.keep_nonpersistent = 0 AND message.persistence = 0 AND message.unit IS NULL
  AND message.id > ?2 ORDER BY message.id
 LIMIT ?3

-- name: set_backout_count
UPDATE message SET backout_count=?3 WHERE message.queue = ?1 AND state = 0 AND message.msg_id = ?2

-- name: set_put_at
UPDATE message SET put_at=?3 WHERE message.queue = ?1 AND state = 0 AND message.msg_id = ?2

-- name: backed_out
SELECT message.id, message.queue, message.sequence, message.state, message.unit, message.rank,
  message.kept_at_backout, message.locked_by, message.marked_until, message.put_at, message.expires_at,
  message.length, message.report, message.msg_type, message.expiry, message.feedback, message.encoding,
  message.coded_char_set_id, message.format, message.priority, message.persistence, message.msg_id,
  message.correl_id, message.backout_count, message.reply_to_q, message.reply_to_q_mgr,
  message.user_identifier, message.accounting_token, message.appl_identity_data, message.put_appl_type,
  message.put_appl_name, message.put_date, message.put_time, message.appl_origin_data, message.group_id,
  message.msg_seq_number, message."offset", message.msg_flags, message.original_length, x'' AS body
FROM message
WHERE message.queue = ?1 AND state = 0 AND message.backout_count > 0
  AND (message.rank < ?2 OR message.rank = ?2 AND message.sequence > ?3) ORDER BY message.rank DESC,
  message.sequence
 LIMIT 500

-- name: remove_waiter
DELETE FROM waiter WHERE waiter.handle = ?1

-- name: move_batch
SELECT count(*) AS count_1, coalesce(min(batch.sequence), 0) AS coalesce_1,
  coalesce(max(batch.sequence), 0) AS coalesce_2, coalesce(max(batch.length), 0) AS coalesce_3,
  min(batch.expires_at) AS min_1, coalesce(sum(batch.asks), 0) AS coalesce_4
FROM (SELECT message.sequence AS sequence, message.length AS length, message.expires_at AS expires_at,
  (message.report & ?4) != 0 AS asks
FROM message
WHERE message.queue = ?1 AND state = 0 AND message.sequence < ?2 ORDER BY message.sequence
 LIMIT ?3) AS batch

-- name: move
UPDATE message SET queue=?3, sequence=(message.sequence + ?4), rank=CASE WHEN (?5 = 1) THEN ?6
  ELSE min(message.priority, 9) END WHERE message.queue = ?1 AND state = 0 AND message.sequence <= ?2

-- name: moved_ranks
SELECT message.rank
FROM message
WHERE message.queue = ?1 AND state = 0 AND message.sequence BETWEEN ?2 AND ?3 ORDER BY message.sequence

-- name: moved_asking
SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 0 AND message.sequence BETWEEN ?2 AND ?3 AND (message.report & ?4) != 0
  ORDER BY message.sequence

-- name: ids_between
SELECT DISTINCT message.msg_id
FROM message
WHERE message.queue = ?1 AND state = 0 AND message.msg_id BETWEEN ?2 AND ?3 ORDER BY message.msg_id
 LIMIT ?4
