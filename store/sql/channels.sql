-- Made from core/channels.py by `python -m mqsc.store.sql.core`.

-- name: of_queue_manager
SELECT channel_status.qmgr, channel_status.channel, channel_status.partner, channel_status.status,
  channel_status.requested, channel_status.requested_status, channel_status.process, channel_status.retry_at,
  channel_status.figures
FROM channel_status
WHERE channel_status.qmgr = ?1 ORDER BY channel_status.channel, channel_status.partner

-- name: of_channel
SELECT channel_status.qmgr, channel_status.channel, channel_status.partner, channel_status.status,
  channel_status.requested, channel_status.requested_status, channel_status.process, channel_status.retry_at,
  channel_status.figures
FROM channel_status
WHERE channel_status.qmgr = ?1 AND channel_status.channel = ?2 ORDER BY channel_status.partner

-- name: of_process
SELECT DISTINCT channel_status.channel
FROM channel_status
WHERE channel_status.process = ?1

-- name: instance
SELECT channel_status.qmgr, channel_status.channel, channel_status.partner, channel_status.status,
  channel_status.requested, channel_status.requested_status, channel_status.process, channel_status.retry_at,
  channel_status.figures
FROM channel_status
WHERE channel_status.qmgr = ?1 AND channel_status.channel = ?2 AND channel_status.partner = ?3

-- name: requested
SELECT channel_status.requested, channel_status.requested_status
FROM channel_status
WHERE channel_status.qmgr = ?1 AND channel_status.channel = ?2 AND channel_status.partner = ?3

-- name: drop
DELETE FROM channel_status WHERE channel_status.qmgr = ?1 AND channel_status.channel = ?2
  AND channel_status.partner = ?3

-- name: drop_channel
DELETE FROM channel_status WHERE channel_status.qmgr = ?1 AND channel_status.channel = ?2

-- name: drop_in_status
DELETE FROM channel_status WHERE channel_status.qmgr = ?1 AND channel_status.status = ?2

-- name: synchronization_messages
SELECT message.id, message.state, message.body
FROM message
WHERE message.queue = ?1 AND message.length <= 4096 AND state = 0 UNION ALL SELECT message.id, message.state,
  message.body
FROM message
WHERE message.queue = ?1 AND message.length <= 4096 AND message.unit IS NOT NULL

-- name: has_trigger_message
SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 0 AND substr(message.body, 1, 4) = x'544D2020'
 LIMIT 1

-- name: has_other_message
SELECT message.id
FROM message
WHERE message.queue = ?1 AND state = 0 AND substr(message.body, 1, 4) != x'544D2020'
 LIMIT 1

-- name: run_and_start
SELECT queue_manager.run, (EXISTS (SELECT 1
FROM channel_status
WHERE channel_status.qmgr = ?1 AND channel_status.process IS NULL AND channel_status.status IN (2, 5)
  AND (channel_status.retry_at IS NULL OR channel_status.retry_at <= coalesce(queue_manager.clock_at, ?3))))
  OR (EXISTS (SELECT 1
FROM message
WHERE message.queue IN (SELECT queue.id
FROM queue
WHERE queue.owner = ?1 AND queue.name IN (SELECT anon_2.value
FROM json_each(?2) AS anon_2)) AND state = 0)) AS anon_1
FROM queue_manager
WHERE queue_manager.name = ?1 AND queue_manager.state = 'RUNNING'

-- name: faults
SELECT channel_fault.id, channel_fault.qmgr, channel_fault.channel, channel_fault.step, channel_fault.number,
  channel_fault.action, channel_fault.milliseconds, channel_fault.times, channel_fault.until
FROM channel_fault
WHERE channel_fault.qmgr = ?1 AND (?2 = '' OR channel_fault.channel = ?2) ORDER BY channel_fault.channel,
  channel_fault.id

-- name: fault
SELECT channel_fault.id, channel_fault.qmgr, channel_fault.channel, channel_fault.step, channel_fault.number,
  channel_fault.action, channel_fault.milliseconds, channel_fault.times, channel_fault.until
FROM channel_fault
WHERE channel_fault.id = ?1

-- name: change_fault
UPDATE channel_fault SET step=?2, number=?3, times=?4 WHERE channel_fault.id = ?1

-- name: remove_fault
DELETE FROM channel_fault WHERE channel_fault.id = ?1

-- name: clear_faults
DELETE FROM channel_fault WHERE channel_fault.qmgr = ?1 AND channel_fault.channel = ?2

-- name: host
SELECT channel_host.target
FROM channel_host
WHERE channel_host.address = ?1

-- name: hosts
SELECT channel_host.address, channel_host.target
FROM channel_host ORDER BY channel_host.address

-- name: unmap_host
DELETE FROM channel_host WHERE channel_host.address = ?1

-- name: last_end
SELECT event.at, event.cause, event.reason, event.detail
FROM event
WHERE event.seq > ?3 AND event.qmgr = ?1 AND event.kind = 'CHANNEL' AND event.target = ?2
  AND event.cause IN ('ended', 'failed', 'retry', 'stopped') ORDER BY event.seq DESC
 LIMIT 1
