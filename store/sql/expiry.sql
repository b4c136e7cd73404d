-- Made from core/expiry.py by `python -m mqsc.store.sql.core`.

-- name: record_batch
INSERT INTO event (at, qmgr, queue, msg_id, correl_id, priority, persistence, length, put_at, expires_at,
  put_application, put_user, connection, application, user, kind, cause, detail) SELECT ?1 AS at, ?2 AS qmgr,
  ?3 AS queue, message.msg_id AS msg_id, message.correl_id AS correl_id, message.priority AS priority,
  message.persistence AS persistence, message.length AS length, message.put_at AS put_at,
  message.expires_at AS expires_at, message.put_appl_name AS put_application,
  message.user_identifier AS put_user, ?4 AS connection, ?5 AS application, ?6 AS user, 'EXPIRE' AS kind,
  ?7 AS cause, ?8 AS detail
FROM message
WHERE message.id IN (SELECT message.id
FROM message
WHERE message.queue = ?9 AND message.expires_at IS NOT NULL AND message.expires_at <= ?1 AND state = 0
  AND message.locked_by IS NULL AND (message.report & 2097152) = 0 ORDER BY message.expires_at
 LIMIT ?10)

-- name: remove_batch
DELETE FROM message WHERE message.id IN (SELECT message.id
FROM message
WHERE message.queue = ?1 AND message.expires_at IS NOT NULL AND message.expires_at <= ?2 AND state = 0
  AND message.locked_by IS NULL AND (message.report & 2097152) = 0 ORDER BY message.expires_at
 LIMIT ?3)

-- name: asking_for_report
SELECT message.id, message.queue, message.sequence, message.state, message.unit, message.rank,
  message.kept_at_backout, message.locked_by, message.marked_until, message.put_at, message.expires_at,
  message.length, message.report, message.msg_type, message.expiry, message.feedback, message.encoding,
  message.coded_char_set_id, message.format, message.priority, message.persistence, message.msg_id,
  message.correl_id, message.backout_count, message.reply_to_q, message.reply_to_q_mgr,
  message.user_identifier, message.accounting_token, message.appl_identity_data, message.put_appl_type,
  message.put_appl_name, message.put_date, message.put_time, message.appl_origin_data, message.group_id,
  message.msg_seq_number, message."offset", message.msg_flags, message.original_length, message.body
FROM message
WHERE message.queue = ?1 AND message.expires_at IS NOT NULL AND message.expires_at <= ?2 AND state = 0
  AND message.locked_by IS NULL AND (message.report & 2097152) != 0 ORDER BY message.expires_at
 LIMIT ?3

-- name: discardable
SELECT message.id, message.queue, message.sequence, message.state, message.unit, message.rank,
  message.kept_at_backout, message.locked_by, message.marked_until, message.put_at, message.expires_at,
  message.length, message.report, message.msg_type, message.expiry, message.feedback, message.encoding,
  message.coded_char_set_id, message.format, message.priority, message.persistence, message.msg_id,
  message.correl_id, message.backout_count, message.reply_to_q, message.reply_to_q_mgr,
  message.user_identifier, message.accounting_token, message.appl_identity_data, message.put_appl_type,
  message.put_appl_name, message.put_date, message.put_time, message.appl_origin_data, message.group_id,
  message.msg_seq_number, message."offset", message.msg_flags, message.original_length, x'' AS body
FROM message
WHERE message.queue = ?1 AND message.expires_at IS NOT NULL AND message.expires_at <= ?2 AND state = 0
  AND message.locked_by IS NULL ORDER BY message.expires_at
 LIMIT ?3

-- name: set_earliest_expiry
UPDATE queue SET earliest_expiry=(SELECT min(message.expires_at) AS min_1
FROM message
WHERE message.queue = ?1 AND message.expires_at IS NOT NULL) WHERE queue.id = ?1

-- name: count_expired
SELECT count(*) AS count_1
FROM message
WHERE message.queue = ?1 AND message.expires_at IS NOT NULL AND message.expires_at <= ?2 AND state <> 2

-- name: expired_counts
SELECT count(*) AS count_1, coalesce(sum(state = 0 AND message.locked_by IS NULL), 0) AS coalesce_1,
  coalesce(sum(state = 0 AND message.locked_by IS NULL AND (message.report & 2097152) != 0), 0) AS coalesce_2,
  min(message.expires_at) AS min_1, coalesce(sum(message.length), 0) AS coalesce_3
FROM message
WHERE message.queue = ?1 AND state <> 2 AND message.expires_at IS NOT NULL AND message.expires_at <= ?2

-- name: first_live
SELECT message.rank, message.sequence
FROM message
WHERE message.queue = ?1 AND state <> 2 AND state = 0 AND message.locked_by IS NULL
  AND (message.expires_at IS NULL OR message.expires_at > ?2) ORDER BY message.rank DESC, message.sequence
 LIMIT 1

-- name: count_before
SELECT count(*) AS count_1
FROM message
WHERE message.queue = ?1 AND state <> 2 AND state = 0 AND message.locked_by IS NULL
  AND (message.rank > ?2 OR message.rank = ?2 AND message.sequence < ?3)

-- name: next_expiries
SELECT message.expires_at, count(*) AS count_1
FROM message
WHERE message.queue = ?1 AND state <> 2 AND message.expires_at > ?2 GROUP BY message.expires_at
  ORDER BY message.expires_at
 LIMIT ?3

-- name: putters
SELECT message.put_appl_name, message.user_identifier, count(*) AS count_1, min(message.expires_at) AS min_1
FROM message
WHERE message.queue = ?1 AND state <> 2 AND message.expires_at IS NOT NULL AND message.expires_at <= ?2
  GROUP BY message.put_appl_name, message.user_identifier ORDER BY count(*) DESC, message.put_appl_name,
  message.user_identifier
