-- Made from core/statistics.py by `python -m mqsc.store.sql.core`.

-- name: oldest
SELECT nullif(min(coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 0 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 1 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 2 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 3 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 4 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 5 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 6 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 7 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 8 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND message.rank = 9 AND state = 0 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904), coalesce((SELECT message.put_at
FROM message
WHERE message.queue = ?1 AND state = 1 ORDER BY message.sequence
 LIMIT 1), 4611686018427387904)), 4611686018427387904) AS nullif_1

-- name: page
SELECT queue.id, queue.name, queue.depth, coalesce(queue_member.input_handles, 0) AS coalesce_1,
  coalesce(queue_member.output_handles, 0) AS coalesce_2, queue.last_put_at, queue.last_get_at,
  queue.short_queue_time, queue.long_queue_time, queue.puts, queue.gets, queue.high_depth,
  coalesce(queue.statistics_reset_at, object.created_at) AS coalesce_3,
  coalesce(json_extract(object.attributes, '$.MONQ'), 'QMGR') AS coalesce_4, object.disposition
FROM queue JOIN object ON object.owner = queue.owner AND object.namespace = 'queue'
  AND object.name = queue.name LEFT OUTER JOIN queue_member ON queue_member.queue = queue.id
  AND queue_member.qmgr = ?5
WHERE queue.owner = ?1 AND queue.type = 'QLOCAL' AND queue.name >= ?2 AND queue.name < ?3 ORDER BY queue.name
 LIMIT ?4

-- name: uncommitted
SELECT message.queue, count(*) AS count_1
FROM message
WHERE message.unit IS NOT NULL AND unit IS NOT NULL AND message.queue IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1) GROUP BY message.queue

-- name: uncommitted_of_member
SELECT count(*) AS count_1
FROM message
WHERE message.queue = ?1 AND message.unit IS NOT NULL AND unit IS NOT NULL
  AND ((message.unit >> 32) IN (SELECT connection.id
FROM connection
WHERE connection.qmgr = ?2) OR message.unit IN (SELECT prepared_unit.number
FROM prepared_unit
WHERE prepared_unit.qmgr = ?2))

-- name: reset_all
UPDATE queue SET puts=0, gets=0, high_depth=queue.depth, statistics_reset_at=?2 WHERE queue.owner = ?1
  AND queue.type = 'QLOCAL'

-- name: reset_shares
UPDATE queue_member SET puts=0, gets=0, high_depth=(SELECT queue.depth
FROM queue
WHERE queue.id = queue_member.queue), statistics_reset_at=?2 WHERE queue_member.qmgr = ?1
  AND queue_member.queue IN (SELECT queue.id
FROM queue
WHERE queue.structure != '')

-- name: reset
UPDATE queue SET puts=0, gets=0, high_depth=queue.depth, statistics_reset_at=?2 WHERE queue.id = ?1

-- name: of_member
SELECT queue_member.puts, queue_member.gets, queue_member.high_depth, queue_member.statistics_reset_at,
  queue_member.last_put_at, queue_member.last_get_at
FROM queue_member
WHERE queue_member.queue = ?1 AND queue_member.qmgr = ?2

-- name: count_member_puts
INSERT INTO queue_member (queue, qmgr, puts, high_depth, last_put_at) VALUES (?1, ?2, ?3, ?4,
  ?5) ON CONFLICT (queue, qmgr) DO UPDATE SET puts = (queue_member.puts + ?3),
  high_depth = max(queue_member.high_depth, ?4), last_put_at = ?5

-- name: count_member_get
INSERT INTO queue_member (queue, qmgr, gets, last_get_at) VALUES (?1, ?2, 1, ?3) ON CONFLICT (queue,
  qmgr) DO UPDATE SET gets = (queue_member.gets + 1), last_get_at = ?3

-- name: reset_member
INSERT INTO queue_member (queue, qmgr, high_depth, statistics_reset_at) VALUES (?1, ?2, (SELECT queue.depth
FROM queue
WHERE queue.id = ?1), ?3) ON CONFLICT (queue, qmgr) DO UPDATE SET puts = 0, gets = 0,
  high_depth = (SELECT queue.depth
FROM queue
WHERE queue.id = ?1), statistics_reset_at = ?3

-- name: queue_states
SELECT queue.id, queue.version, queue.next_sequence,
       (SELECT count(*) FROM (SELECT 1 FROM message
         WHERE message.queue = queue.id AND message.state = 1 LIMIT 1000))
  FROM json_each(?1) AS wanted CROSS JOIN queue ON queue.id = wanted.value

-- name: manager_states
SELECT name, version, run, state, clock_at FROM queue_manager
 WHERE name IN (SELECT value FROM json_each(?1))

-- name: loads
SELECT queue.id, queue.name, queue.depth, queue.max_depth, queue.puts, queue.gets, queue.trigger_on,
  coalesce(queue_member.input_handles, 0) AS coalesce_1, coalesce(queue_member.output_handles, 0) AS coalesce_2
FROM queue LEFT OUTER JOIN queue_member ON queue_member.queue = queue.id AND queue_member.qmgr = ?2
WHERE queue.owner = ?1 AND queue.type = 'QLOCAL'

-- name: all_uncommitted
SELECT message.queue, count(*) AS count_1
FROM message
WHERE unit IS NOT NULL GROUP BY message.queue

-- name: kinds_since
SELECT event.kind, coalesce(event.queue, '') AS coalesce_1, count(*) AS count_1
FROM event
WHERE event.seq > ?1 AND event.qmgr = ?2 GROUP BY event.kind, event.queue

-- name: channel_states
SELECT channel_status.status, count(*) AS count_1
FROM channel_status
WHERE channel_status.qmgr = ?1 GROUP BY channel_status.status
