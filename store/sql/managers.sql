-- Made from core/managers.py by `python -m mqsc.store.sql.core`.

-- name: by_name
SELECT queue_manager.name, queue_manager.state, queue_manager.run, queue_manager.version,
  queue_manager.is_default, queue_manager.created_at, queue_manager.started_at, queue_manager.clock_at,
  queue_manager.dead_letter_queue, queue_manager.default_transmission_queue, queue_manager.max_length,
  queue_manager.max_uncommitted, queue_manager.max_handles, queue_manager.trigger_interval,
  queue_manager.expiry_interval, queue_manager.last_expiry_scan, queue_manager.mark_interval,
  queue_manager.ccsid, queue_manager.inhibit_event, queue_manager.performance_event, queue_manager.local_event,
  queue_manager.remote_event, queue_manager.configuration_event, queue_manager.command_event,
  queue_manager.sharing_group, queue_manager.member_number, queue_manager.joined_run,
  queue_manager.expiry_rank, queue_manager.commands_stopped, queue_manager.authority_mode,
  queue_manager.os_groups
FROM queue_manager
WHERE queue_manager.name = ?1

-- name: read_hot_columns
SELECT queue_manager.version, queue_manager.run, queue_manager.state, queue_manager.clock_at
FROM queue_manager
WHERE queue_manager.name = ?1

-- name: has_commands
SELECT 1
FROM queue_manager
WHERE queue_manager.name = ?1 AND queue_manager.state != 'ENDED' AND queue_manager.commands_stopped = 0
  AND (EXISTS (SELECT 1
FROM message
WHERE message.queue IN (SELECT queue.id
FROM queue
WHERE queue.owner = ?1 AND queue.name = ?2) AND state = 0))

-- name: default
SELECT queue_manager.name, queue_manager.state, queue_manager.run, queue_manager.version,
  queue_manager.is_default, queue_manager.created_at, queue_manager.started_at, queue_manager.clock_at,
  queue_manager.dead_letter_queue, queue_manager.default_transmission_queue, queue_manager.max_length,
  queue_manager.max_uncommitted, queue_manager.max_handles, queue_manager.trigger_interval,
  queue_manager.expiry_interval, queue_manager.last_expiry_scan, queue_manager.mark_interval,
  queue_manager.ccsid, queue_manager.inhibit_event, queue_manager.performance_event, queue_manager.local_event,
  queue_manager.remote_event, queue_manager.configuration_event, queue_manager.command_event,
  queue_manager.sharing_group, queue_manager.member_number, queue_manager.joined_run,
  queue_manager.expiry_rank, queue_manager.commands_stopped, queue_manager.authority_mode,
  queue_manager.os_groups
FROM queue_manager
WHERE queue_manager.is_default = 1

-- name: all
SELECT queue_manager.name, queue_manager.state, queue_manager.run, queue_manager.version,
  queue_manager.is_default, queue_manager.created_at, queue_manager.started_at, queue_manager.clock_at,
  queue_manager.dead_letter_queue, queue_manager.default_transmission_queue, queue_manager.max_length,
  queue_manager.max_uncommitted, queue_manager.max_handles, queue_manager.trigger_interval,
  queue_manager.expiry_interval, queue_manager.last_expiry_scan, queue_manager.mark_interval,
  queue_manager.ccsid, queue_manager.inhibit_event, queue_manager.performance_event, queue_manager.local_event,
  queue_manager.remote_event, queue_manager.configuration_event, queue_manager.command_event,
  queue_manager.sharing_group, queue_manager.member_number, queue_manager.joined_run,
  queue_manager.expiry_rank, queue_manager.commands_stopped, queue_manager.authority_mode,
  queue_manager.os_groups
FROM queue_manager ORDER BY queue_manager.name

-- name: last_end
SELECT event.cause
FROM event
WHERE event.qmgr = ?1 AND kind IN ('CREATE', 'END') ORDER BY event.seq DESC
 LIMIT 1

-- name: raise_versions
UPDATE queue_manager SET version=(queue_manager.version + 1)

-- name: remove
DELETE FROM queue_manager WHERE queue_manager.name = ?1

-- name: in_doubt_by_queue
SELECT queue.name, count(*) AS count_1, count(CASE WHEN state = 2 THEN 1 END) AS count_2
FROM message JOIN queue ON queue.id = message.queue
WHERE queue.owner = ?1 AND message.unit IS NOT NULL GROUP BY queue.name ORDER BY queue.name

-- name: remove_messages
DELETE FROM message WHERE message.queue IN (SELECT queue.id
FROM queue
WHERE queue.owner = ?1)

-- name: group
SELECT sharing_group.name, sharing_group.created_at, sharing_group.expiry_owner
FROM sharing_group
 LIMIT 1

-- name: add_group
INSERT INTO sharing_group (name, created_at) VALUES (?1, ?2)

-- name: set_expiry_owner
UPDATE sharing_group SET expiry_owner=?2 WHERE sharing_group.name = ?1

-- name: expiry_owner
SELECT sharing_group.expiry_owner
FROM sharing_group
WHERE sharing_group.name = ?1

-- name: members
SELECT queue_manager.name, queue_manager.state, queue_manager.run, queue_manager.version,
  queue_manager.is_default, queue_manager.created_at, queue_manager.started_at, queue_manager.clock_at,
  queue_manager.dead_letter_queue, queue_manager.default_transmission_queue, queue_manager.max_length,
  queue_manager.max_uncommitted, queue_manager.max_handles, queue_manager.trigger_interval,
  queue_manager.expiry_interval, queue_manager.last_expiry_scan, queue_manager.mark_interval,
  queue_manager.ccsid, queue_manager.inhibit_event, queue_manager.performance_event, queue_manager.local_event,
  queue_manager.remote_event, queue_manager.configuration_event, queue_manager.command_event,
  queue_manager.sharing_group, queue_manager.member_number, queue_manager.joined_run,
  queue_manager.expiry_rank, queue_manager.commands_stopped, queue_manager.authority_mode,
  queue_manager.os_groups
FROM queue_manager
WHERE queue_manager.sharing_group = ?1 ORDER BY queue_manager.member_number

-- name: has_unit_in_doubt
SELECT 1
FROM prepared_unit JOIN message ON message.unit = prepared_unit.number JOIN queue ON queue.id = message.queue
WHERE prepared_unit.qmgr = ?2 AND queue.owner = ?1
 LIMIT 1

-- name: forget_handles
DELETE FROM queue_member WHERE queue_member.qmgr = ?2 AND queue_member.queue IN (SELECT queue.id
FROM queue
WHERE queue.owner = ?1)

-- name: adopt_structures
UPDATE object SET owner=?1 WHERE object.owner = ?2 AND object.namespace = 'cfstruct'
  AND (object.name NOT IN (SELECT object_1.name
FROM object AS object_1
WHERE object_1.owner = ?1 AND object_1.namespace = 'cfstruct'))

-- name: add_refresh_for_members
INSERT OR REPLACE INTO pending_refresh (qmgr, namespace, name, reason) SELECT queue_manager.name,
  ?2 AS anon_1, ?3 AS anon_2, 0
FROM queue_manager
WHERE queue_manager.sharing_group = ?1

-- name: add_refresh_for_new_member
INSERT INTO pending_refresh (qmgr, namespace, name, reason) SELECT ?2 AS anon_1, object.namespace,
  object.name, 0
FROM object
WHERE object.owner = ?1 AND object.disposition = 'GROUP'

-- name: refreshes_of_member
SELECT pending_refresh.qmgr, pending_refresh.namespace, pending_refresh.name, pending_refresh.reason
FROM pending_refresh
WHERE pending_refresh.qmgr = ?1 ORDER BY pending_refresh.namespace, pending_refresh.name

-- name: refreshes_of_object
SELECT pending_refresh.qmgr, pending_refresh.namespace, pending_refresh.name, pending_refresh.reason
FROM pending_refresh JOIN queue_manager ON queue_manager.name = pending_refresh.qmgr
WHERE pending_refresh.namespace = ?1 AND pending_refresh.name = ?2 ORDER BY queue_manager.member_number

-- name: is_refresh_pending
SELECT pending_refresh.qmgr, pending_refresh.namespace, pending_refresh.name, pending_refresh.reason
FROM pending_refresh
WHERE pending_refresh.qmgr = ?1 AND pending_refresh.namespace = ?2 AND pending_refresh.name = ?3

-- name: set_refresh_reason
UPDATE pending_refresh SET reason=?4 WHERE pending_refresh.qmgr = ?1 AND pending_refresh.namespace = ?2
  AND pending_refresh.name = ?3

-- name: remove_refresh
DELETE FROM pending_refresh WHERE pending_refresh.qmgr = ?1 AND pending_refresh.namespace = ?2
  AND pending_refresh.name = ?3

-- name: remove_refreshes
DELETE FROM pending_refresh WHERE pending_refresh.qmgr = ?1

-- name: changes
SELECT event.qmgr, event.kind, coalesce(event.target, '') AS coalesce_1,
  coalesce(event.queue, '') AS coalesce_2, event.detail
FROM event
WHERE event.seq > ?1 AND event.kind IN ('DEFINE', 'ALTER', 'SET', 'DELETE') ORDER BY event.seq

-- name: lower_depth
UPDATE queue SET depth=max(queue.depth - ?3, 0) WHERE queue.owner = ?1 AND queue.name = ?2

-- name: copied_groups
SELECT sharing_group.name, sharing_group.created_at, sharing_group.expiry_owner
FROM sharing_group

-- name: remove_queue_member
DELETE FROM queue_member WHERE queue_member.queue IN (SELECT queue.id
FROM queue
WHERE queue.owner = ?1)

-- name: remove_handle_path
DELETE FROM handle_path WHERE handle_path.handle IN (SELECT handle.id
FROM handle
WHERE handle.qmgr = ?1)

-- name: remove_handle
DELETE FROM handle WHERE handle.qmgr = ?1

-- name: remove_connection
DELETE FROM connection WHERE connection.qmgr = ?1

-- name: remove_queue
DELETE FROM queue WHERE queue.owner = ?1

-- name: remove_object
DELETE FROM object WHERE object.owner = ?1

-- name: remove_prepared_unit
DELETE FROM prepared_unit WHERE prepared_unit.qmgr = ?1

-- name: remove_channel_status
DELETE FROM channel_status WHERE channel_status.qmgr = ?1

-- name: remove_channel_fault
DELETE FROM channel_fault WHERE channel_fault.qmgr = ?1

-- name: remove_kept_message
DELETE FROM kept_message WHERE kept_message.owner = ?1

-- name: remove_kept_rule
DELETE FROM kept_rule WHERE kept_rule.qmgr = ?1

-- name: remove_running_object
DELETE FROM running_object WHERE running_object.qmgr = ?1

-- name: remove_subscription
DELETE FROM subscription WHERE subscription.qmgr = ?1

-- name: remove_retained
DELETE FROM retained WHERE retained.qmgr = ?1

-- name: remove_published_topic
DELETE FROM published_topic WHERE published_topic.qmgr = ?1

-- name: remove_publisher
DELETE FROM publisher WHERE publisher.qmgr = ?1

-- name: copied_queue_manager
SELECT queue_manager.name, queue_manager.state, queue_manager.run, queue_manager.version,
  queue_manager.is_default, queue_manager.created_at, queue_manager.started_at, queue_manager.clock_at,
  queue_manager.dead_letter_queue, queue_manager.default_transmission_queue, queue_manager.max_length,
  queue_manager.max_uncommitted, queue_manager.max_handles, queue_manager.trigger_interval,
  queue_manager.expiry_interval, queue_manager.last_expiry_scan, queue_manager.mark_interval,
  queue_manager.ccsid, queue_manager.inhibit_event, queue_manager.performance_event, queue_manager.local_event,
  queue_manager.remote_event, queue_manager.configuration_event, queue_manager.command_event,
  queue_manager.sharing_group, queue_manager.member_number, queue_manager.joined_run,
  queue_manager.expiry_rank, queue_manager.commands_stopped, queue_manager.authority_mode,
  queue_manager.os_groups
FROM queue_manager
WHERE queue_manager.name IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_pending_refresh
SELECT pending_refresh.qmgr, pending_refresh.namespace, pending_refresh.name, pending_refresh.reason
FROM pending_refresh
WHERE pending_refresh.qmgr IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_object
SELECT object.id, object.owner, object.namespace, object.name, object.type, object.attributes,
  object.created_at, object.altered_at, object.disposition
FROM object
WHERE object.owner IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1
  AND queue_manager_2.sharing_group != '') UNION ALL SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != '')

-- name: copied_queue
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
  queue.structure, queue.structure_longest, queue.structure_keeps_persistent
FROM queue
WHERE queue.owner IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1
  AND queue_manager_2.sharing_group != '') UNION ALL SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != '')

-- name: copied_queue_member
SELECT queue_member.queue, queue_member.qmgr, queue_member.input_handles, queue_member.exclusive_handles,
  queue_member.output_handles, queue_member.last_trigger, queue_member.trigger_repeats,
  queue_member.depth_at_trigger, queue_member.puts, queue_member.gets, queue_member.high_depth,
  queue_member.statistics_reset_at, queue_member.last_put_at, queue_member.last_get_at
FROM queue_member
WHERE queue_member.qmgr IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_connection
SELECT connection.id, connection.qmgr, connection.run, connection.process, connection.application,
  connection.user, connection.connected_at, connection.consumption, connection.channel, connection.address
FROM connection
WHERE connection.qmgr IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_handle
SELECT handle.id, handle.connection, handle.qmgr, handle.queue, handle.object_name, handle.object_type,
  handle.options, handle.input, handle."exclusive", handle.output, handle.browse, handle.opened_at,
  handle.consumption
FROM handle
WHERE handle.qmgr IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_prepared_unit
SELECT prepared_unit.number, prepared_unit.qmgr, prepared_unit.name, prepared_unit.luwid,
  prepared_unit.prepared_at, prepared_unit.application, prepared_unit.user, prepared_unit.recorded,
  prepared_unit.outcomes
FROM prepared_unit
WHERE prepared_unit.qmgr IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_channel_status
SELECT channel_status.qmgr, channel_status.channel, channel_status.partner, channel_status.status,
  channel_status.requested, channel_status.requested_status, channel_status.process, channel_status.retry_at,
  channel_status.figures
FROM channel_status
WHERE channel_status.qmgr IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_running_object
SELECT running_object.qmgr, running_object.type, running_object.name, running_object.started_at
FROM running_object
WHERE running_object.qmgr IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_subscription
SELECT subscription.id, subscription.qmgr, subscription.identifier, subscription.name,
  subscription.is_administrative, subscription.topic_object, subscription.topic_string,
  subscription.by_character, subscription.bucket, subscription.level, subscription.durable,
  subscription.managed, subscription.destination, subscription.destination_manager, subscription.selector,
  subscription.request_only, subscription.expiry, subscription.expires_at, subscription.correlation,
  subscription.user, subscription.any_user, subscription.user_data, subscription.priority,
  subscription.property_form, subscription.accounting, subscription.appl_identity_data, subscription.grouped,
  subscription.connection, subscription.handle, subscription.created_at, subscription.altered_at,
  subscription.resumed_at, subscription.delivered_at, subscription.delivered
FROM subscription
WHERE subscription.qmgr IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_handle_path
SELECT handle_path.handle, handle_path.queue
FROM handle_path
WHERE handle_path.handle IN (SELECT handle.id
FROM handle
WHERE handle.qmgr IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != '')))

-- name: copied_held
SELECT message.id, message.queue, message.sequence, message.state, message.unit, message.rank,
  message.kept_at_backout, message.locked_by, message.marked_until, message.put_at, NULL, message.length,
  message.report, message.msg_type, message.expiry, message.feedback, message.encoding,
  message.coded_char_set_id, message.format, message.priority, message.persistence, message.msg_id,
  message.correl_id, message.backout_count, message.reply_to_q, message.reply_to_q_mgr,
  message.user_identifier, message.accounting_token, message.appl_identity_data, message.put_appl_type,
  message.put_appl_name, message.put_date, message.put_time, message.appl_origin_data, message.group_id,
  message.msg_seq_number, message."offset", message.msg_flags, message.original_length, x''
FROM message
WHERE message.unit IS NOT NULL AND message.queue IN (SELECT queue.id
FROM queue
WHERE queue.owner IN (SELECT queue_manager_1.name
FROM queue_manager AS queue_manager_1
WHERE queue_manager_1.name = ?1 OR queue_manager_1.sharing_group IN (SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1
  AND queue_manager_2.sharing_group != '') UNION ALL SELECT queue_manager_2.sharing_group
FROM queue_manager AS queue_manager_2
WHERE queue_manager_2.name = ?1 AND queue_manager_2.sharing_group != ''))

-- name: copied_highest
SELECT message.id, message.queue, message.sequence, message.state, message.unit, message.rank,
  message.kept_at_backout, message.locked_by, message.marked_until, message.put_at, NULL, message.length,
  message.report, message.msg_type, message.expiry, message.feedback, message.encoding,
  message.coded_char_set_id, message.format, message.priority, message.persistence, message.msg_id,
  message.correl_id, message.backout_count, message.reply_to_q, message.reply_to_q_mgr,
  message.user_identifier, message.accounting_token, message.appl_identity_data, message.put_appl_type,
  message.put_appl_name, message.put_date, message.put_time, message.appl_origin_data, message.group_id,
  message.msg_seq_number, message."offset", message.msg_flags, message.original_length, x''
FROM queue JOIN message ON message.id IN (SELECT message_1.id
FROM message AS message_1
WHERE message_1.queue = queue.id AND message_1.state = 0 ORDER BY message_1.rank DESC
 LIMIT 1000)
WHERE queue.owner = ?1 AND queue.trigger_priority > 0
