-- Made from core/objects.py by `python -m mqsc.store.sql.core`.

-- name: by_name
SELECT object.id, object.owner, object.namespace, object.name, object.type, object.attributes,
  object.created_at, object.altered_at, object.disposition
FROM object
WHERE object.owner = ?1 AND object.namespace = ?2 AND object.name = ?3

-- name: attribute
SELECT json_extract(object.attributes, ?4) AS json_extract_1
FROM object
WHERE object.owner = ?1 AND object.namespace = ?2 AND object.name = ?3

-- name: page
SELECT object.id, object.owner, object.namespace, object.name, object.type, object.attributes,
  object.created_at, object.altered_at, object.disposition
FROM object
WHERE object.owner = ?1 AND object.namespace = ?2 AND object.name >= ?3 AND object.name > ?5
  AND (?4 = '' OR object.name < ?4) ORDER BY object.name
 LIMIT ?6

-- name: between
SELECT object.id, object.owner, object.namespace, object.name, object.type, object.attributes,
  object.created_at, object.altered_at, object.disposition
FROM object
WHERE object.owner = ?1 AND object.namespace = ?2 AND object.name >= ?3 AND object.name < ?4

-- name: containing
SELECT object.id, object.owner, object.namespace, object.name, object.type, object.attributes,
  object.created_at, object.altered_at, object.disposition
FROM object
WHERE object.owner = ?1 AND instr(object.attributes, ?2) > 0 ORDER BY object.namespace, object.name

-- name: attributes
SELECT object.attributes, object.owner, object.type, object.name
FROM object

-- name: count
SELECT count(*) AS count_1
FROM object
WHERE object.owner = ?1 AND object.namespace = ?2

-- name: generic_profiles
SELECT object.id, object.owner, object.namespace, object.name, object.type, object.attributes,
  object.created_at, object.altered_at, object.disposition
FROM object
WHERE object.owner = ?1 AND object.namespace = ?2
  AND (instr(object.name, '*') > 0 OR instr(object.name, char(63)) > 0)

-- name: displayed
SELECT object.name, object.type, object.attributes, object.created_at, object.altered_at,
  coalesce(queue.depth, 0) AS coalesce_1, coalesce(queue_member.input_handles, 0) AS coalesce_2,
  coalesce(queue_member.output_handles, 0) AS coalesce_3, coalesce(queue.high_event, 0) AS coalesce_4,
  coalesce(queue.low_event, 0) AS coalesce_5, coalesce(queue.full_event, 0) AS coalesce_6,
  coalesce(queue.service_event, 0) AS coalesce_7, object.disposition
FROM object LEFT OUTER JOIN queue ON queue.owner = object.owner AND queue.name = object.name
  AND object.namespace = 'queue' LEFT OUTER JOIN queue_member ON queue_member.queue = queue.id
  AND queue_member.qmgr = ?2
WHERE object.owner = ?1 AND object.namespace = ?3 AND object.name >= ?4 AND object.name < ?5
  AND object.type IN (SELECT anon_1.value
FROM json_each(?6) AS anon_1) AND object.disposition IN (SELECT anon_2.value
FROM json_each(?7) AS anon_2) ORDER BY object.name
 LIMIT ?8

-- name: other_topic
SELECT object.name
FROM object
WHERE object.owner = ?1 AND namespace = 'topic' AND json_extract(attributes, '$.TOPICSTR') = ?3
  AND object.name != ?2
 LIMIT 1

-- name: of_disposition
SELECT object.id, object.owner, object.namespace, object.name, object.type, object.attributes,
  object.created_at, object.altered_at, object.disposition
FROM object
WHERE object.owner = ?1 AND object.disposition = ?2 ORDER BY object.id

-- name: set_disposition
UPDATE object SET disposition=?2 WHERE object.id = ?1

-- name: replace_attributes
UPDATE object SET attributes=?2, altered_at=?3 WHERE object.id = ?1

-- name: remove
DELETE FROM object WHERE object.id = ?1

-- name: names
SELECT DISTINCT object.name
FROM object
WHERE object.namespace = ?2 AND (?1 = '' OR object.owner = ?1)

-- name: is_open_of_kind
SELECT 1
FROM handle
WHERE handle.qmgr = ?1 AND handle.object_type = ?2 AND handle.object_name = ?3
 LIMIT 1

-- name: is_resolved_as_manager_alias
SELECT 1
FROM handle_path JOIN handle ON handle.id = handle_path.handle
WHERE handle_path.queue = ?1 AND NOT (EXISTS (SELECT 1
FROM handle_path AS step JOIN queue AS resolved ON resolved.id = step.queue
WHERE step.handle = handle.id AND resolved.name = handle.object_name))
 LIMIT 1

-- name: resolved_by_default
SELECT DISTINCT coalesce(remote.id, handle.queue) AS coalesce_1
FROM handle LEFT OUTER JOIN handle_path ON handle_path.handle = handle.id LEFT OUTER
  JOIN queue AS remote ON remote.id = handle_path.queue AND remote.type = 'QREMOTE'
WHERE handle.queue = ?2 AND handle.qmgr = ?1 AND CASE
  WHEN (handle_path.handle IS NULL) THEN handle.object_name != ?3 ELSE remote.transmission_queue = ''
  AND remote.remote_queue_manager != ?3 END = 1

-- name: is_stream_queue
SELECT 1
FROM queue
WHERE queue.owner = ?1 AND queue.stream_queue <> '' AND (queue.stream_queue = ?2 OR (EXISTS (SELECT 1
FROM queue AS alias
WHERE alias.owner = ?1 AND alias.name = queue.stream_queue AND alias.type = 'QALIAS' AND alias.target = ?2
  AND alias.target_is_topic = 0)))
 LIMIT 1

-- name: is_destination
SELECT 1
FROM object
WHERE object.owner = ?1 AND namespace = 'sub' AND json_extract(attributes, '$.DEST') = ?2
  AND json_extract(attributes, '$.DESTCLAS') = 'PROVIDED' AND json_extract(attributes, '$.DESTQMGR') IN ('', ?1)
 LIMIT 1

-- name: structures_in_use
SELECT object.name, EXISTS (SELECT 1
FROM queue_member JOIN queue ON queue.id = queue_member.queue
WHERE queue.owner = object.owner AND queue.structure = object.name) AS anon_1,
  (SELECT coalesce(sum(queue.depth), 0) AS coalesce_1
FROM queue
WHERE queue.owner = object.owner AND queue.structure = object.name) AS anon_2,
  (SELECT coalesce(sum(message.length), 0) AS coalesce_2
FROM message
WHERE state = 0 AND message.queue IN (SELECT queue.id
FROM queue, object
WHERE queue.owner = object.owner AND queue.structure = object.name)) + (SELECT coalesce(sum(message.length),
  0) AS coalesce_3
FROM message
WHERE state = 1 AND message.queue IN (SELECT queue.id
FROM queue, object
WHERE queue.owner = object.owner AND queue.structure = object.name)) AS anon_3
FROM object
WHERE object.owner = ?1 AND object.namespace = 'cfstruct' ORDER BY object.name

-- name: count_queues_of_structure
SELECT count(*) AS count_1
FROM queue
WHERE queue.owner = ?1 AND queue.structure = ?2

-- name: queue_of_structure_in_use
SELECT queue.name
FROM queue
WHERE queue.owner = ?1 AND queue.structure = ?2 AND (queue.depth > 0 OR (EXISTS (SELECT 1
FROM handle
WHERE handle.queue = queue.id))) ORDER BY queue.name
 LIMIT 1

-- name: is_shared_queue_in_use
SELECT 1
FROM queue
WHERE queue.owner = ?1 AND queue.name = ?2 AND (queue.depth > 0 OR (EXISTS (SELECT 1
FROM handle
WHERE handle.queue = queue.id)))

-- name: set_limits_of_structure
UPDATE queue SET version=(queue.version + 1), structure_level=?3, structure_longest=?4,
  structure_keeps_persistent=?5 WHERE queue.owner = ?1 AND queue.structure = ?2
