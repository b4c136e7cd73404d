-- Made from core/triggers.py by `python -m mqsc.store.sql.core`.

-- name: record
INSERT INTO queue_member (queue, qmgr, last_trigger, trigger_repeats, depth_at_trigger) VALUES (?1, ?2, ?3,
  ?5, ?4) ON CONFLICT (queue, qmgr) DO UPDATE SET last_trigger = ?3, trigger_repeats = CASE
  WHEN (?5 = 0) THEN 0 WHEN (queue_member.depth_at_trigger <= ?4) THEN queue_member.trigger_repeats + 1
  ELSE 1 END, depth_at_trigger = ?4

-- name: repeats
SELECT queue_member.trigger_repeats
FROM queue_member
WHERE queue_member.queue = ?1 AND queue_member.qmgr = ?2

-- name: forget
UPDATE queue_member SET last_trigger=NULL WHERE queue_member.qmgr = ?1

-- name: initiation_queue
SELECT queue.owner, queue.name, queue.get_enabled, queue.put_enabled, queue.is_transmission,
  queue.logically_deleted, queue.default_priority, coalesce(queue_member.input_handles, 0) AS coalesce_1
FROM queue LEFT OUTER JOIN queue_member ON queue_member.queue = queue.id AND queue_member.qmgr = ?1
WHERE queue.name = ?2 AND queue.owner = ?1 AND queue.type = 'QLOCAL'

-- name: initiation_queues_in_group
SELECT queue.owner, queue.name, queue.get_enabled, queue.put_enabled, queue.is_transmission,
  queue.logically_deleted, queue.default_priority, coalesce(queue_member.input_handles, 0) AS coalesce_1,
  queue.type
FROM queue LEFT OUTER JOIN queue_member ON queue_member.queue = queue.id AND queue_member.qmgr = ?1
WHERE queue.name = ?2 AND queue.owner IN (?1, ?3)

-- name: triggering_to
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
FROM queue LEFT OUTER JOIN queue_member ON queue_member.queue = queue.id AND queue_member.qmgr = ?1
WHERE queue.initiation_queue = ?2 AND trigger_on = 1 AND queue.owner IN (?1, ?3) ORDER BY queue.name

-- name: is_initiation_queue
SELECT queue.name
FROM queue
WHERE queue.owner = ?1 AND queue.initiation_queue = ?2
 LIMIT 1

-- name: initiation_queues_of_channels
SELECT DISTINCT queue.initiation_queue
FROM queue
WHERE queue.owner = ?1 AND queue.is_transmission = 1 AND queue.initiation_queue != ''

-- name: initiation_queues_of_channels_alone
SELECT DISTINCT queue.initiation_queue
FROM queue
WHERE queue.owner = ?1 AND queue.is_transmission = 1 AND queue.initiation_queue != ''
  AND NOT (EXISTS (SELECT of_others.id
FROM queue AS of_others
WHERE of_others.owner = queue.owner AND of_others.initiation_queue = queue.initiation_queue
  AND of_others.is_transmission = 0))

-- name: count_uncommitted_puts
SELECT count(*) AS count_1
FROM message
WHERE message.queue = ?1 AND state = 1

-- name: committed_by_rank
SELECT message.rank, count(*) AS count_1
FROM message
WHERE message.queue = ?1 AND state = 0 GROUP BY message.rank

-- name: uncommitted_by_rank
SELECT message.rank, count(*) AS count_1
FROM message
WHERE message.queue = ?1 AND state = 1 GROUP BY message.rank

-- name: running_members
SELECT queue_manager.name, queue_manager.member_number, queue_manager.trigger_interval,
  coalesce(queue_member.input_handles, 0) AS coalesce_1,
  coalesce(queue_member.exclusive_handles, 0) AS coalesce_2, queue_member.last_trigger
FROM queue_manager LEFT OUTER JOIN queue_member ON queue_member.queue = ?2
  AND queue_member.qmgr = queue_manager.name
WHERE queue_manager.sharing_group = ?1 AND queue_manager.state != 'ENDED' ORDER BY queue_manager.member_number

-- name: put_in_unit
SELECT message.queue, message.rank, message.msg_id, message.put_at, message."offset"
FROM message JOIN queue ON queue.id = message.queue
WHERE message.unit = ?1 AND state = 1 AND unit IS NOT NULL AND queue.structure != '' AND queue.trigger_on = 1
  AND queue.logically_deleted = 0 ORDER BY message.id
