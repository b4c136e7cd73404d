-- Made from core/queues.py by `python -m mqsc.store.sql.core`.

-- name: by_id
SELECT queue.id, queue.owner, queue.name, queue.type, queue.version, queue.generation, queue.depth,
  queue.next_sequence, queue.last_put_at, queue.last_get_at, queue.earliest_expiry, queue.definition_type,
  queue.creator, queue.logically_deleted, queue.get_enabled, queue.put_enabled, queue.max_depth,
  queue.max_length, queue.default_priority, queue.default_persistence, queue.fifo, queue.is_transmission,
  queue.shareable, queue.default_exclusive, queue.trigger_on, queue.trigger_type, queue.trigger_priority,
  queue.trigger_depth, queue.trigger_data, queue.initiation_queue, queue.process, queue.cap_expiry,
  queue.custom_cap_expiry, queue.recorded, queue.keep_nonpersistent, queue.depth_high, queue.depth_low,
  queue.high_event, queue.low_event, queue.full_event, queue.service_interval, queue.service_event,
  queue.target, queue.target_is_topic, queue.remote_name, queue.remote_queue_manager, queue.transmission_queue,
  queue.puts, queue.gets, queue.high_depth, queue.statistics_reset_at, queue.short_queue_time,
  queue.long_queue_time, queue.stream_queue, queue.must_duplicate, queue.index_type, queue.structure_level,
  queue.structure, queue.structure_longest, queue.structure_keeps_persistent,
  coalesce(queue_member.input_handles, 0) AS coalesce_1,
  coalesce(queue_member.exclusive_handles, 0) AS coalesce_2,
  coalesce(queue_member.output_handles, 0) AS coalesce_3, queue_member.last_trigger
FROM queue LEFT OUTER JOIN queue_member ON queue_member.queue = queue.id AND queue_member.qmgr = ?2
WHERE queue.id = ?1

-- name: by_name
SELECT queue.id, queue.owner, queue.name, queue.type, queue.version, queue.generation, queue.depth,
  queue.next_sequence, queue.last_put_at, queue.last_get_at, queue.earliest_expiry, queue.definition_type,
  queue.creator, queue.logically_deleted, queue.get_enabled, queue.put_enabled, queue.max_depth,
  queue.max_length, queue.default_priority, queue.default_persistence, queue.fifo, queue.is_transmission,
  queue.shareable, queue.default_exclusive, queue.trigger_on, queue.trigger_type, queue.trigger_priority,
  queue.trigger_depth, queue.trigger_data, queue.initiation_queue, queue.process, queue.cap_expiry,
  queue.custom_cap_expiry, queue.recorded, queue.keep_nonpersistent, queue.depth_high, queue.depth_low,
  queue.high_event, queue.low_event, queue.full_event, queue.service_interval, queue.service_event,
  queue.target, queue.target_is_topic, queue.remote_name, queue.remote_queue_manager, queue.transmission_queue,
  queue.puts, queue.gets, queue.high_depth, queue.statistics_reset_at, queue.short_queue_time,
  queue.long_queue_time, queue.stream_queue, queue.must_duplicate, queue.index_type, queue.structure_level,
  queue.structure, queue.structure_longest, queue.structure_keeps_persistent,
  coalesce(queue_member.input_handles, 0) AS coalesce_1,
  coalesce(queue_member.exclusive_handles, 0) AS coalesce_2,
  coalesce(queue_member.output_handles, 0) AS coalesce_3, queue_member.last_trigger
FROM queue LEFT OUTER JOIN queue_member ON queue_member.queue = queue.id AND queue_member.qmgr = ?3
WHERE queue.owner = ?1 AND queue.name = ?2

-- name: name_of
SELECT queue.name
FROM queue
WHERE queue.id = ?1

-- name: name_and_owner
SELECT queue.name, queue.owner
FROM queue
WHERE queue.id = ?1

-- name: hot_columns
SELECT queue.version, queue.depth, queue.next_sequence, queue.earliest_expiry,
  queue_manager.version AS version_1, queue_manager.run, queue_manager.state, queue_manager.clock_at
FROM queue, queue_manager
WHERE queue.id = ?1 AND queue_manager.name = ?2

-- name: hot_columns_of
SELECT queue.id, queue.version, queue.depth, queue.next_sequence, queue.earliest_expiry
FROM queue
WHERE queue.id IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1)

-- name: count_put_each
UPDATE queue SET depth=(queue.depth + 1), next_sequence=(queue.next_sequence + 1), last_put_at=?2,
  puts=(queue.puts + 1), high_depth=max(queue.high_depth, queue.depth + 1)
  WHERE queue.id IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1)

-- name: count_puts
UPDATE queue SET depth=(queue.depth + ?2), next_sequence=(queue.next_sequence + ?2), last_put_at=?3,
  puts=(queue.puts + ?2), high_depth=max(queue.high_depth, queue.depth + ?2) WHERE queue.id = ?1

-- name: lower_earliest_expiry
UPDATE queue SET earliest_expiry=min(coalesce(queue.earliest_expiry, ?2), ?2) WHERE queue.id = ?1

-- name: queue_times
SELECT queue.short_queue_time, queue.long_queue_time
FROM queue
WHERE queue.id = ?1

-- name: count_gets
UPDATE queue SET depth=(queue.depth - ?2), last_get_at=?3, gets=(queue.gets + ?2), short_queue_time=?4,
  long_queue_time=?5 WHERE queue.id = ?1

-- name: count_get
UPDATE queue SET depth=(queue.depth - 1), last_get_at=?2, gets=(queue.gets + 1),
  short_queue_time=coalesce((queue.short_queue_time - (queue.short_queue_time / 8)) + (?3 / 8), ?3),
  long_queue_time=coalesce((queue.long_queue_time - (queue.long_queue_time / 256)) + (?3 / 256), ?3)
  WHERE queue.id = ?1

-- name: change_depth
UPDATE queue SET depth=(queue.depth + ?2), next_sequence=(queue.next_sequence + ?3),
  high_depth=max(queue.high_depth, queue.depth + ?2) WHERE queue.id = ?1

-- name: change_depth_by_move
UPDATE queue SET depth=(queue.depth + ?2), next_sequence=max(queue.next_sequence, ?3), earliest_expiry=?4,
  high_depth=max(queue.high_depth, queue.depth + ?2) WHERE queue.id = ?1

-- name: count_handles
INSERT INTO queue_member (queue, qmgr, input_handles, exclusive_handles, output_handles) VALUES (?1, ?2, ?3,
  ?4, ?5) ON CONFLICT (queue, qmgr) DO UPDATE SET input_handles = (queue_member.input_handles + ?3),
  exclusive_handles = (queue_member.exclusive_handles + ?4), output_handles = (queue_member.output_handles + ?5)

-- name: handles_of_all
SELECT coalesce(sum(queue_member.input_handles), 0) AS coalesce_1,
  coalesce(sum(queue_member.exclusive_handles), 0) AS coalesce_2,
  coalesce(sum(queue_member.output_handles), 0) AS coalesce_3
FROM queue_member
WHERE queue_member.queue = ?1

-- name: input_handles_of
SELECT queue_member.input_handles, queue_member.last_trigger
FROM queue_member
WHERE queue_member.queue = ?1 AND queue_member.qmgr = ?2

-- name: before_change
SELECT queue.id, queue.generation, queue.depth, queue.trigger_on, queue.trigger_type, queue.trigger_priority,
  queue.trigger_depth, queue.get_enabled, queue.put_enabled
FROM queue
WHERE queue.owner = ?1 AND queue.name = ?2

-- name: remove
DELETE FROM queue WHERE queue.id = ?1

-- name: remove_members
DELETE FROM queue_member WHERE queue_member.queue = ?1

-- name: expiring
SELECT queue.id, queue.name, queue.depth, queue.earliest_expiry, queue.owner
FROM queue
WHERE queue.owner = ?1 AND queue.earliest_expiry IS NOT NULL AND queue.earliest_expiry <= ?2
  ORDER BY queue.earliest_expiry

-- name: local_page
SELECT queue.id, queue.name, queue.depth, queue.earliest_expiry, queue.owner
FROM queue
WHERE queue.owner = ?1 AND queue.type = 'QLOCAL' AND queue.name >= ?2 AND queue.name > ?4
  AND (?3 = '' OR queue.name < ?3) ORDER BY queue.name
 LIMIT ?5

-- name: with_messages
SELECT queue.id
FROM queue
WHERE queue.owner = ?1 AND queue.depth > 0 ORDER BY queue.name

-- name: message_count
SELECT coalesce(sum(queue.depth), 0) AS coalesce_1
FROM queue
WHERE queue.owner = ?1 AND queue.name NOT LIKE 'SYSTEM.ADMIN.%'
