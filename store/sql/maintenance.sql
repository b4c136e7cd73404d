-- Made from core/maintenance.py by `python -m mqsc.store.sql.core`.

-- name: wrong_depths
SELECT queue.id, queue.owner, queue.name, queue.depth, count(message.id) AS found
  FROM queue LEFT JOIN message ON message.queue = queue.id AND message.state <> 2
 GROUP BY queue.id HAVING queue.depth <> found ORDER BY queue.owner, queue.name

-- name: damaged_definitions
SELECT owner, type, name FROM object WHERE NOT json_valid(attributes) ORDER BY owner, type, name LIMIT ?1

-- name: messages_without_queue
SELECT count(*) FROM message WHERE queue NOT IN (SELECT id FROM queue)

-- name: messages_without_unit
SELECT (SELECT count(*) FROM message WHERE unit IS NOT NULL
   AND unit NOT IN (SELECT number FROM prepared_unit) AND unit >> 32 NOT IN (SELECT id FROM connection))
   + (SELECT count(*) FROM message WHERE state <> 0 AND unit IS NULL)

-- name: lost_references
SELECT 'message', 'handle', count(*) FROM message WHERE locked_by IS NOT NULL
   AND locked_by NOT IN (SELECT id FROM handle)
 UNION ALL SELECT 'handle', 'connection', count(*) FROM handle WHERE connection IS NOT NULL
   AND connection NOT IN (SELECT id FROM connection)
 UNION ALL SELECT 'handle', 'queue', count(*) FROM handle WHERE queue IS NOT NULL
   AND queue NOT IN (SELECT id FROM queue)
 UNION ALL SELECT 'handle_path', 'handle', count(*) FROM handle_path WHERE handle IS NOT NULL
   AND handle NOT IN (SELECT id FROM handle)
 UNION ALL SELECT 'handle_path', 'queue', count(*) FROM handle_path WHERE queue IS NOT NULL
   AND queue NOT IN (SELECT id FROM queue)
 UNION ALL SELECT 'connection', 'process', count(*) FROM connection WHERE process IS NOT NULL
   AND process NOT IN (SELECT id FROM process)
 UNION ALL SELECT 'queue', 'queue_manager', count(*) FROM queue
  WHERE owner NOT IN (SELECT name FROM queue_manager UNION ALL SELECT name FROM sharing_group)
 UNION ALL SELECT 'object', 'queue_manager', count(*) FROM object
  WHERE owner NOT IN (SELECT name FROM queue_manager UNION ALL SELECT name FROM sharing_group)

-- name: orphaned_locks
SELECT DISTINCT locked_by, queue FROM message
 WHERE locked_by IS NOT NULL AND locked_by NOT IN (SELECT id FROM handle)

-- name: orphaned_handles
SELECT DISTINCT connection, qmgr FROM handle
 WHERE connection NOT IN (SELECT id FROM connection) ORDER BY connection

-- name: orphaned_connections
SELECT id FROM connection WHERE process NOT IN (SELECT id FROM process) ORDER BY id

-- name: in_doubt
SELECT prepared_unit.qmgr, prepared_unit.name, luwid, count(message.id),
       (SELECT min(file) FROM channel_status JOIN process ON process.id = channel_status.process
         WHERE channel_status.qmgr = prepared_unit.qmgr AND channel = prepared_unit.name)
  FROM prepared_unit LEFT JOIN message ON message.unit = number
 GROUP BY number ORDER BY prepared_unit.qmgr, number

-- name: history
SELECT (SELECT count(*) FROM event WHERE seq > pruned), pruned + 1,
       (SELECT max(pruned, coalesce(max(seq), 0)) FROM event),
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0),
       (SELECT count(*) FROM event WHERE seq <= pruned)
  FROM (SELECT coalesce(max(pruned), 0) AS pruned FROM archive)

-- name: queue_managers
SELECT count(*) FROM queue_manager

-- name: connections_by_process
SELECT process.file, count(connection.id) FROM process LEFT JOIN connection
       ON connection.process = process.id GROUP BY process.id ORDER BY process.id

-- name: archiving
SELECT archive.number, archive.store, archive.state, archive.url, archive.first, archive.last,
  archive.sha256, archive.pruned
FROM archive

-- name: old_events
SELECT event.seq, event.at, event.qmgr, event.kind, event.cause, event.unit,
  event.msg_id IN (SELECT message.msg_id
FROM message
WHERE state = 0 UNION SELECT message.msg_id
FROM message
WHERE unit IS NOT NULL) AS waits
FROM event
WHERE event.seq > ?1 AND event.seq <= ?2 ORDER BY event.seq
 LIMIT ?3

-- name: remove_events
DELETE FROM event WHERE event.seq IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1)

-- name: known_records
SELECT imported_record.fingerprint
FROM imported_record
WHERE imported_record.fingerprint IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1)

-- name: add_record
INSERT INTO imported_record (fingerprint) VALUES (?1)

-- name: is_imported
SELECT 1
FROM imported_manager
WHERE imported_manager.name = ?1

-- name: add_imported_manager
INSERT OR IGNORE INTO imported_manager (name) VALUES (?1)

-- name: import_position_of
SELECT import_position.state
FROM import_position
WHERE import_position.file = ?1
