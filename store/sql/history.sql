-- Made from core/history.py by `python -m mqsc.store.sql.core`.

-- name: record
INSERT INTO event (at, qmgr, queue, msg_id, correl_id, priority, persistence, length, put_at, expires_at,
  put_application, put_user, connection, application, user, kind, unit, cause, reason, detail) SELECT ?1 AS at,
  ?2 AS qmgr, ?3 AS queue, message.msg_id AS msg_id, message.correl_id AS correl_id,
  message.priority AS priority, message.persistence AS persistence, message.length AS length,
  message.put_at AS put_at, message.expires_at AS expires_at, message.put_appl_name AS put_application,
  message.user_identifier AS put_user, ?4 AS connection, ?5 AS application, ?6 AS user, ?7 AS kind,
  message.unit AS unit, ?8 AS cause, ?9 AS reason, ?10 AS detail
FROM message
WHERE message.id BETWEEN ?11 AND ?12 ORDER BY message.id

-- name: record_plainly
INSERT INTO event (at, qmgr, queue, msg_id, correl_id, priority, persistence, length, put_at, expires_at,
  put_application, put_user, connection, application, user, kind, unit) SELECT ?1 AS at, ?2 AS qmgr,
  ?3 AS queue, message.msg_id AS msg_id, message.correl_id AS correl_id, message.priority AS priority,
  message.persistence AS persistence, message.length AS length, message.put_at AS put_at,
  message.expires_at AS expires_at, message.put_appl_name AS put_application,
  message.user_identifier AS put_user, ?4 AS connection, ?5 AS application, ?6 AS user, ?7 AS kind,
  message.unit AS unit
FROM message
WHERE message.id BETWEEN ?8 AND ?9 ORDER BY message.id

-- name: record_copy
INSERT INTO event (at, qmgr, queue, msg_id, correl_id, priority, persistence, length, put_at, expires_at,
  put_application, put_user, connection, application, user, kind, unit, cause, detail) SELECT ?1 AS at,
  ?2 AS qmgr, ?3 AS queue, message.msg_id AS msg_id, message.correl_id AS correl_id,
  message.priority AS priority, message.persistence AS persistence, message.length AS length,
  message.put_at AS put_at, message.expires_at AS expires_at, message.put_appl_name AS put_application,
  message.user_identifier AS put_user, ?4 AS connection, ?5 AS application, ?6 AS user, 'PUT' AS kind,
  message.unit AS unit, 'publication' AS cause, ?7 AS detail
FROM message
WHERE message.id = ?8

-- name: record_copies
INSERT INTO event (at, qmgr, queue, msg_id, correl_id, priority, persistence, length, put_at, expires_at,
  put_application, put_user, connection, application, user, kind, unit, cause, detail) SELECT ?1 AS at,
  ?2 AS qmgr, ?3 AS queue, message.msg_id AS msg_id, message.correl_id AS correl_id,
  message.priority AS priority, message.persistence AS persistence, message.length AS length,
  message.put_at AS put_at, message.expires_at AS expires_at, message.put_appl_name AS put_application,
  message.user_identifier AS put_user, ?4 AS connection, ?5 AS application, ?6 AS user, 'PUT' AS kind,
  message.unit AS unit, 'publication' AS cause, ?7 || json_quote(copy.value) || ?9 AS detail
FROM json_each(?8) AS copy JOIN message ON message.id = ?10 + copy."key" ORDER BY copy.rowid

-- name: record_copies_apart
INSERT INTO event (at, qmgr, queue, msg_id, correl_id, priority, persistence, length, put_at, expires_at,
  put_application, put_user, connection, application, user, kind, unit, cause, detail) SELECT ?1 AS at,
  ?2 AS qmgr, queue.name AS queue, message.msg_id AS msg_id, message.correl_id AS correl_id,
  message.priority AS priority, message.persistence AS persistence, message.length AS length,
  message.put_at AS put_at, message.expires_at AS expires_at, message.put_appl_name AS put_application,
  message.user_identifier AS put_user, ?3 AS connection, ?4 AS application, ?5 AS user, 'PUT' AS kind,
  message.unit AS unit, 'publication' AS cause, '{"subscription": ' || json_quote(copy.value) || ?7 AS detail
FROM json_each(?6) AS copy JOIN message ON message.id = ?8 + copy."key"
  JOIN queue ON queue.id = message.queue ORDER BY copy.rowid

-- name: times_moved
SELECT count(*) AS count_1
FROM event
WHERE event.queue = ?2 AND event.msg_id = ?3 AND kind IN ('REQUEUE', 'FORWARD') AND event.qmgr = ?1
  AND event.correl_id IS ?4 AND event.at <= ?6 AND event.seq <= ?7
  AND coalesce(?5, event.target) IS event.target

-- name: refusals
SELECT event.seq, event.at, event.cause, event.user, event.application, event.queue, event.connection,
  event.detail
FROM event
WHERE event.qmgr = ?1 AND kind = 'REFUSE' AND event.at >= ?2 ORDER BY event.seq DESC
 LIMIT ?3

-- name: last_number
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)

-- name: bound
SELECT coalesce((SELECT max(event.seq) AS max_1
FROM event), 0) AS coalesce_1, coalesce((SELECT max(message.id) AS max_2
FROM message), 0) AS coalesce_2

-- name: last_gets
SELECT event.msg_id, event.application, event.user, event.unit, event.detail, max(event.seq) AS max_1
FROM event
WHERE event.seq BETWEEN ?4 AND ?5 AND event.kind = 'GET' AND event.qmgr = ?1 AND event.queue = ?2
  AND event.unit IS NOT NULL AND hex(event.msg_id) IN (SELECT anon_1.value
FROM json_each(?3) AS anon_1) GROUP BY event.msg_id

-- name: backouts
SELECT event.unit, event.at, event.cause, event.detail
FROM event
WHERE event.seq > ?2 AND event.kind = 'BACKOUT' AND event.unit IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1)
