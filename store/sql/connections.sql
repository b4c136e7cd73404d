-- Made from core/connections.py by `python -m mqsc.store.sql.core`.

-- name: other_processes
SELECT process.id, process.file
FROM process
WHERE process.id != ?1

-- name: drop_process
DELETE FROM process WHERE process.id = ?1

-- name: drop
DELETE FROM connection WHERE connection.id = ?1

-- name: by_id
SELECT connection.id, connection.qmgr, connection.run, connection.process, connection.application,
  connection.user, connection.connected_at, connection.consumption, connection.channel, connection.address
FROM connection
WHERE connection.id = ?1

-- name: of_process
SELECT connection.id, connection.qmgr, connection.run, connection.process, connection.application,
  connection.user, connection.connected_at, connection.consumption, connection.channel, connection.address
FROM connection
WHERE connection.process = ?1 ORDER BY connection.id

-- name: of_queue_manager
SELECT connection.id, connection.qmgr, connection.run, connection.process, connection.application,
  connection.user, connection.connected_at, connection.consumption, connection.channel, connection.address
FROM connection
WHERE connection.qmgr = ?1 ORDER BY connection.id

-- name: on_channels
SELECT connection.id, connection.qmgr, connection.run, connection.process, connection.application,
  connection.user, connection.connected_at, connection.consumption, connection.channel, connection.address
FROM connection
WHERE connection.qmgr = ?1 AND connection.channel != '' ORDER BY connection.id

-- name: count
SELECT count(*) AS count_1
FROM connection
WHERE connection.qmgr = ?1

-- name: add_path
INSERT INTO handle_path (handle, queue) VALUES (?1, ?2)

-- name: handle_by_id
SELECT handle.id, handle.connection, handle.qmgr, handle.queue, handle.object_name, handle.object_type,
  handle.options, handle.input, handle."exclusive", handle.output, handle.browse, handle.opened_at,
  handle.consumption
FROM handle
WHERE handle.id = ?1

-- name: handles_of_connection
SELECT handle.id, handle.connection, handle.qmgr, handle.queue, handle.object_name, handle.object_type,
  handle.options, handle.input, handle."exclusive", handle.output, handle.browse, handle.opened_at,
  handle.consumption
FROM handle
WHERE handle.connection = ?1 ORDER BY handle.id

-- name: count_handles_of
SELECT count(*) AS count_1
FROM handle
WHERE handle.connection = ?1

-- name: handles_on_queue
SELECT handle.id, handle.connection, handle.qmgr, handle.queue, handle.object_name, handle.object_type,
  handle.options, handle.input, handle."exclusive", handle.output, handle.browse, handle.opened_at,
  handle.consumption
FROM handle
WHERE handle.queue = ?1 ORDER BY handle.id

-- name: is_resolved_through
SELECT 1
FROM handle_path
WHERE handle_path.queue = ?1
 LIMIT 1

-- name: set_state
UPDATE connection SET consumption=?2 WHERE connection.id = ?1

-- name: set_handle_state
UPDATE handle SET consumption=?2 WHERE handle.id = ?1

-- name: handles_page
SELECT handle.id, coalesce(queue.name, '') AS coalesce_1, handle.object_name, handle.object_type,
  handle.options, handle."exclusive", handle.connection, connection.application, connection.user,
  coalesce(process.file, '') AS coalesce_2, coalesce(object.disposition, '') AS coalesce_3, handle.consumption,
  connection.consumption AS consumption_1, connection.channel, connection.address
FROM handle JOIN connection ON connection.id = handle.connection LEFT OUTER
  JOIN queue ON queue.id = handle.queue LEFT OUTER JOIN object ON object.owner = queue.owner
  AND object.namespace = 'queue' AND object.name = queue.name LEFT OUTER
  JOIN process ON process.id = connection.process
WHERE queue.owner = ?1 AND handle.qmgr = ?6 AND queue.type = 'QLOCAL' AND queue.name >= ?2
  AND queue.name < ?3 AND (queue.name > ?2 OR handle.id > ?4) ORDER BY queue.name, handle.id
 LIMIT ?5

-- name: handles_of
SELECT handle.id, coalesce(queue.name, '') AS coalesce_1, handle.object_name, handle.object_type,
  handle.options, handle."exclusive", handle.connection, connection.application, connection.user,
  coalesce(process.file, '') AS coalesce_2, coalesce(object.disposition, '') AS coalesce_3, handle.consumption,
  connection.consumption AS consumption_1, connection.channel, connection.address
FROM handle JOIN connection ON connection.id = handle.connection LEFT OUTER
  JOIN queue ON queue.id = handle.queue LEFT OUTER JOIN object ON object.owner = queue.owner
  AND object.namespace = 'queue' AND object.name = queue.name LEFT OUTER
  JOIN process ON process.id = connection.process
WHERE handle.connection = ?1 ORDER BY handle.id

-- name: input_handles_on
SELECT handle.qmgr, handle."exclusive", handle.connection, connection.application, connection.user,
  coalesce(process.file, '') AS coalesce_1
FROM handle JOIN connection ON connection.id = handle.connection LEFT OUTER
  JOIN process ON process.id = connection.process
WHERE handle.queue = ?1 AND handle.input = 1 ORDER BY handle.id

-- name: connections_page
SELECT connection.id, connection.application, connection.user, coalesce(process.file, '') AS coalesce_1,
  connection.consumption, connection.channel, connection.address
FROM connection LEFT OUTER JOIN process ON process.id = connection.process
WHERE connection.qmgr = ?1 AND connection.id >= ?2 AND connection.id < ?3 ORDER BY connection.id
 LIMIT ?4

-- name: user
SELECT user_account.name, user_account.salt, user_account.hashed, user_account.cost, user_account.block_size,
  user_account.parallel, user_account.administrator, user_account.created_at, user_account.changed_at
FROM user_account
WHERE user_account.name = ?1

-- name: any_users
SELECT 1
WHERE EXISTS (SELECT user_account.name, user_account.salt, user_account.hashed, user_account.cost,
  user_account.block_size, user_account.parallel, user_account.administrator, user_account.created_at,
  user_account.changed_at
FROM user_account)

-- name: any_users_or_groups
SELECT 1
WHERE (EXISTS (SELECT user_account.name, user_account.salt, user_account.hashed, user_account.cost,
  user_account.block_size, user_account.parallel, user_account.administrator, user_account.created_at,
  user_account.changed_at
FROM user_account)) OR (EXISTS (SELECT user_group.user, user_group.name
FROM user_group))

-- name: users
SELECT user_account.name, user_account.salt, user_account.hashed, user_account.cost, user_account.block_size,
  user_account.parallel, user_account.administrator, user_account.created_at, user_account.changed_at
FROM user_account ORDER BY user_account.name

-- name: remove_user
DELETE FROM user_account WHERE user_account.name = ?1

-- name: groups
SELECT user_group.user, user_group.name
FROM user_group ORDER BY user_group.user, user_group.name

-- name: groups_of
SELECT user_group.name
FROM user_group
WHERE user_group.user = ?1 ORDER BY user_group.name

-- name: remove_from_group
DELETE FROM user_group WHERE user_group.user = ?1 AND user_group.name = ?2
