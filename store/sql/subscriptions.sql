-- Made from core/subscriptions.py by `python -m mqsc.store.sql.core`.

-- name: by_id
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
WHERE subscription.id = ?1

-- name: by_name
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
WHERE subscription.qmgr = ?1 AND subscription.name = ?2 AND subscription.name != ''

-- name: by_identifier
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
WHERE subscription.qmgr = ?1 AND subscription.identifier = ?2

-- name: of_handle
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
WHERE subscription.handle = ?1 AND subscription.handle != 0

-- name: in_buckets
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
WHERE subscription.qmgr = ?1 AND subscription.bucket IN (SELECT anon_1.value
FROM json_each(?2) AS anon_1) ORDER BY subscription.id

-- name: of_queue_manager
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
WHERE subscription.qmgr = ?1 ORDER BY subscription.name, subscription.id

-- name: of_queue
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
WHERE subscription.qmgr = ?1 AND subscription.destination = ?2 ORDER BY subscription.id

-- name: expired
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
WHERE subscription.qmgr = ?1 AND subscription.expires_at IS NOT NULL AND subscription.expires_at <= ?2
  ORDER BY subscription.id

-- name: note_delivery
UPDATE subscription SET delivered_at=?2, delivered=(subscription.delivered + 1)
  WHERE subscription.id IN (SELECT anon_1.value
FROM json_each(?1) AS anon_1)

-- name: note_one_delivery
UPDATE subscription SET delivered_at=?2, delivered=(subscription.delivered + 1) WHERE subscription.id = ?1

-- name: close_all
UPDATE subscription SET connection=0, handle=0 WHERE subscription.qmgr = ?1

-- name: count_anew
UPDATE subscription SET delivered_at=NULL, delivered=0 WHERE subscription.qmgr = ?1
  AND subscription.delivered_at > ?2

-- name: remove
DELETE FROM subscription WHERE subscription.id = ?1

-- name: topic_objects
SELECT object.name, object.attributes
FROM object
WHERE object.owner = ?1 AND object.namespace = 'topic'
  AND json_extract(object.attributes, '$.TOPICSTR') IN (SELECT anon_1.value
FROM json_each(?2) AS anon_1) ORDER BY object.name DESC

-- name: retained_between
SELECT retained.id, retained.qmgr, retained.topic_string, retained.message, retained.queue, retained.sequence
FROM retained JOIN message ON message.id = retained.message AND message.queue = retained.queue
  AND message.sequence = retained.sequence
WHERE retained.qmgr = ?1 AND retained.topic_string >= ?2 AND retained.topic_string < ?3
  AND message.state != 1 ORDER BY retained.topic_string, retained.id

-- name: forget_removed
DELETE FROM retained WHERE retained.qmgr = ?1 AND retained.topic_string = ?2 AND NOT (EXISTS (SELECT 1
FROM message
WHERE message.id = retained.message AND message.queue = retained.queue
  AND message.sequence = retained.sequence))

-- name: forget_earlier
DELETE FROM retained WHERE retained.qmgr = ?1 AND retained.topic_string = ?2 AND retained.id < ?3

-- name: forget_all_retained
DELETE FROM retained

-- name: note_topic
INSERT INTO published_topic (qmgr, topic_string, published_at) VALUES (?1, ?2, ?3) ON CONFLICT (qmgr,
  topic_string) DO UPDATE SET published_at = ?3

-- name: forget_topics
DELETE FROM published_topic WHERE published_topic.qmgr = ?1 AND published_topic.published_at <= ?2

-- name: topics_since
SELECT published_topic.topic_string
FROM published_topic
WHERE published_topic.qmgr = ?1 AND published_topic.published_at > ?2 ORDER BY published_topic.topic_string

-- name: publishers
SELECT publisher.handle, publisher.qmgr, publisher.connection, publisher.topic_string,
  publisher.published_at, publisher.publications
FROM publisher
WHERE publisher.qmgr = ?1 ORDER BY publisher.handle

-- name: note_publications
UPDATE publisher SET published_at=?2, publications=(publisher.publications + ?3) WHERE publisher.handle = ?1

-- name: remove_publisher
DELETE FROM publisher WHERE publisher.handle = ?1
