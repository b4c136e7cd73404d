-- Made from core/running.py by `python -m mqsc.store.sql.core`.

-- name: by_name
SELECT running_object.qmgr, running_object.type, running_object.name, running_object.started_at
FROM running_object
WHERE running_object.qmgr = ?1 AND running_object.type = ?2 AND running_object.name = ?3

-- name: of_kind
SELECT running_object.qmgr, running_object.type, running_object.name, running_object.started_at
FROM running_object
WHERE running_object.qmgr = ?1 AND running_object.type = ?2 ORDER BY running_object.name

-- name: remove
DELETE FROM running_object WHERE running_object.qmgr = ?1 AND running_object.type = ?2
  AND running_object.name = ?3

-- name: remove_all
DELETE FROM running_object WHERE running_object.qmgr = ?1

-- name: add
INSERT INTO running_object (qmgr, type, name, started_at) VALUES (?1, ?2, ?3, ?4)

-- name: add_automatic
INSERT INTO running_object (qmgr, type, name, started_at) SELECT object.owner, object.type, object.name,
  ?2 AS anon_1
FROM object
WHERE object.owner = ?1
  AND coalesce(json_extract(object.attributes, '$.CONTROL'), '') IN ('QMGR', 'STARTONLY')
  AND (object.type = 'LISTENER' OR object.type = 'SERVICE'
  AND coalesce(json_extract(object.attributes, '$.SERVTYPE'), '') = 'SERVER'
  AND coalesce(json_extract(object.attributes, '$.STARTCMD'), '') != '')
