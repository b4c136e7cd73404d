-- Made from core/depths.py by `python -m mqsc.store.sql.core`.

-- name: changes
SELECT seq, at, kind, change FROM (SELECT seq, at, kind, CASE kind
   WHEN 'PUT' THEN 1 WHEN 'GET' THEN -1 WHEN 'EXPIRE' THEN -1 WHEN 'DISCARD' THEN -1
   WHEN 'CLEAR' THEN -(coalesce(detail ->> '$.messages', 0) - coalesce(detail ->> '$.got', 0))
  WHEN 'MOVE' THEN IIF(queue = ?3 AND qmgr = ?4,
  -(coalesce(detail ->> '$.messages', 0) - coalesce(detail ->> '$.got', 0)),
  (coalesce(detail ->> '$.messages', 0) - coalesce(detail ->> '$.got', 0)))
  ELSE (coalesce(detail ->> ('$."' || ?3 || '".gets'), 0) - coalesce(detail ->> ('$."' || ?3 || '".puts'),
  0)) END AS change FROM event WHERE seq BETWEEN ?1 AND ?2
  AND (queue = ?3 AND qmgr = ?4 AND (kind IN ('PUT', 'GET', 'CLEAR', 'MOVE')
      OR (kind IN ('EXPIRE', 'DISCARD') AND unit IS NULL AND put_at IS NOT NULL))
   OR (kind = 'MOVE' AND target = ?3 AND coalesce(detail ->> '$.target_owner', qmgr) = ?4)
   OR (kind = 'BACKOUT' AND qmgr IN (SELECT value FROM json_each(?5))))) WHERE change <> 0 ORDER BY seq

-- name: sum_of_changes
SELECT sum(change) FROM (SELECT seq, at, kind, CASE kind
   WHEN 'PUT' THEN 1 WHEN 'GET' THEN -1 WHEN 'EXPIRE' THEN -1 WHEN 'DISCARD' THEN -1
   WHEN 'CLEAR' THEN -(coalesce(detail ->> '$.messages', 0) - coalesce(detail ->> '$.got', 0))
  WHEN 'MOVE' THEN IIF(queue = ?3 AND qmgr = ?4,
  -(coalesce(detail ->> '$.messages', 0) - coalesce(detail ->> '$.got', 0)),
  (coalesce(detail ->> '$.messages', 0) - coalesce(detail ->> '$.got', 0)))
  ELSE (coalesce(detail ->> ('$."' || ?3 || '".gets'), 0) - coalesce(detail ->> ('$."' || ?3 || '".puts'),
  0)) END AS change FROM event WHERE seq BETWEEN ?1 AND ?2
  AND (queue = ?3 AND qmgr = ?4 AND (kind IN ('PUT', 'GET', 'CLEAR', 'MOVE')
      OR (kind IN ('EXPIRE', 'DISCARD') AND unit IS NULL AND put_at IS NOT NULL))
   OR (kind = 'MOVE' AND target = ?3 AND coalesce(detail ->> '$.target_owner', qmgr) = ?4)
   OR (kind = 'BACKOUT' AND qmgr IN (SELECT value FROM json_each(?5)))))
