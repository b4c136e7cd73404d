-- Made from core/kept.py by `python -m mqsc.store.sql.core`.

-- name: all_rules
SELECT kept_rule.id, kept_rule.qmgr, kept_rule.name, kept_rule.low, kept_rule.high, kept_rule.span,
  kept_rule.most, kept_rule.masks, kept_rule.total
FROM kept_rule ORDER BY kept_rule.qmgr, kept_rule.name

-- name: limit
UPDATE kept_rule SET span=?2, most=?3, masks=?4 WHERE kept_rule.id = ?1

-- name: remove_rule
DELETE FROM kept_rule WHERE kept_rule.id = ?1

-- name: remove_of_rule
DELETE FROM kept_message WHERE kept_message.rule = ?1

-- name: remove_outdated
DELETE FROM kept_message WHERE kept_message.rule = ?1 AND kept_message.left_at <= ?2

-- name: remove_beyond
DELETE FROM kept_message WHERE kept_message.rule = ?1 AND kept_message.start < ?2

-- name: sum_of
SELECT count(*) AS count_1, coalesce(sum(coalesce(length(kept_message.body), 0)), 0) AS coalesce_1,
  min(kept_message.left_at) AS min_1
FROM kept_message
WHERE kept_message.rule = ?1

-- name: last
SELECT max(kept_message.id) AS max_1
FROM kept_message

-- name: page
SELECT kept_message.id, kept_message.left_at, kept_message.owner, kept_message.queue, kept_message.put_at,
  kept_message.expires_at, kept_message.length, kept_message.report, kept_message.msg_type,
  kept_message.expiry, kept_message.feedback, kept_message.encoding, kept_message.coded_char_set_id,
  kept_message.format, kept_message.priority, kept_message.persistence, kept_message.msg_id,
  kept_message.correl_id, kept_message.backout_count, kept_message.reply_to_q, kept_message.reply_to_q_mgr,
  kept_message.user_identifier, kept_message.accounting_token, kept_message.appl_identity_data,
  kept_message.put_appl_type, kept_message.put_appl_name, kept_message.put_date, kept_message.put_time,
  kept_message.appl_origin_data, kept_message.group_id, kept_message.msg_seq_number, kept_message."offset",
  kept_message.msg_flags, kept_message.original_length, kept_message.body
FROM kept_message
WHERE kept_message.id > ?1 ORDER BY kept_message.id
 LIMIT ?2

-- name: data_of
SELECT kept_message.body
FROM kept_message
WHERE kept_message.msg_id = ?1 AND kept_message.put_at = ?2 AND kept_message.queue = ?3
  AND kept_message.owner = ?4 ORDER BY kept_message.left_at, kept_message.id

-- name: complete
UPDATE message SET expires_at=kept_message.expires_at, report=kept_message.report,
  msg_type=kept_message.msg_type, expiry=kept_message.expiry, feedback=kept_message.feedback,
  encoding=kept_message.encoding, coded_char_set_id=kept_message.coded_char_set_id, format=kept_message.format,
  priority=kept_message.priority, persistence=kept_message.persistence, correl_id=kept_message.correl_id,
  reply_to_q=kept_message.reply_to_q, reply_to_q_mgr=kept_message.reply_to_q_mgr,
  user_identifier=kept_message.user_identifier, accounting_token=kept_message.accounting_token,
  appl_identity_data=kept_message.appl_identity_data, put_appl_type=kept_message.put_appl_type,
  put_appl_name=kept_message.put_appl_name, put_date=kept_message.put_date, put_time=kept_message.put_time,
  appl_origin_data=kept_message.appl_origin_data, group_id=kept_message.group_id,
  msg_seq_number=kept_message.msg_seq_number, "offset"=kept_message."offset", msg_flags=kept_message.msg_flags,
  original_length=kept_message.original_length, body=coalesce(kept_message.body, x'') FROM queue, kept_message
  WHERE message.queue = queue.id AND kept_message.owner = queue.owner AND kept_message.queue = queue.name
  AND kept_message.msg_id = message.msg_id AND kept_message.put_at = message.put_at AND message.body = x''
