-- Made from core/schema.py by `python -m mqsc.store.sql.core`.

-- name: archive
CREATE TABLE archive (
	number INTEGER NOT NULL, 
	store TEXT DEFAULT '' NOT NULL, 
	state TEXT DEFAULT '' NOT NULL, 
	url TEXT DEFAULT '' NOT NULL, 
	first INTEGER DEFAULT '0' NOT NULL, 
	last INTEGER DEFAULT '0' NOT NULL, 
	sha256 TEXT DEFAULT '' NOT NULL, 
	pruned INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (number)
)

-- name: channel_fault
CREATE TABLE channel_fault (
	id INTEGER NOT NULL, 
	qmgr TEXT DEFAULT '' NOT NULL, 
	channel TEXT DEFAULT '' NOT NULL, 
	step TEXT DEFAULT '' NOT NULL, 
	number INTEGER DEFAULT '0' NOT NULL, 
	action TEXT DEFAULT '' NOT NULL, 
	milliseconds INTEGER DEFAULT '0' NOT NULL, 
	times INTEGER, 
	until INTEGER, 
	PRIMARY KEY (id)
)

-- name: channel_fault_of_channel
CREATE INDEX channel_fault_of_channel ON channel_fault (qmgr, channel)

-- name: channel_host
CREATE TABLE channel_host (
	address TEXT NOT NULL, 
	target TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (address)
)
 WITHOUT ROWID

-- name: channel_status
CREATE TABLE channel_status (
	qmgr TEXT NOT NULL, 
	channel TEXT NOT NULL, 
	partner TEXT NOT NULL, 
	status INTEGER DEFAULT '0' NOT NULL, 
	requested TEXT DEFAULT '' NOT NULL, 
	requested_status TEXT DEFAULT '' NOT NULL, 
	process INTEGER, 
	retry_at INTEGER, 
	figures TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (qmgr, channel, partner)
)
 WITHOUT ROWID

-- name: connection
CREATE TABLE connection (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	qmgr TEXT DEFAULT '' NOT NULL, 
	run INTEGER DEFAULT '0' NOT NULL, 
	process INTEGER DEFAULT '0' NOT NULL, 
	application TEXT DEFAULT '' NOT NULL, 
	user TEXT DEFAULT '' NOT NULL, 
	connected_at INTEGER DEFAULT '0' NOT NULL, 
	consumption TEXT DEFAULT '' NOT NULL, 
	channel TEXT DEFAULT '' NOT NULL, 
	address TEXT DEFAULT '' NOT NULL
)

-- name: connection_of_process
CREATE INDEX connection_of_process ON connection (process)

-- name: connection_of_queue_manager
CREATE INDEX connection_of_queue_manager ON connection (qmgr)

-- name: event
CREATE TABLE event (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	at INTEGER, 
	qmgr TEXT, 
	kind TEXT, 
	cause TEXT, 
	queue TEXT, 
	target TEXT, 
	msg_id BLOB, 
	correl_id BLOB, 
	priority INTEGER, 
	persistence INTEGER, 
	length INTEGER, 
	put_at INTEGER, 
	expires_at INTEGER, 
	put_application TEXT, 
	put_user TEXT, 
	unit INTEGER, 
	connection INTEGER, 
	application TEXT, 
	user TEXT, 
	reason INTEGER, 
	rule TEXT, 
	detail TEXT
)

-- name: event_ended
CREATE INDEX event_ended ON event (qmgr, seq) WHERE kind IN ('CREATE', 'END')

-- name: event_moved
CREATE INDEX event_moved ON event (queue, msg_id) WHERE kind IN ('REQUEUE', 'FORWARD')

-- name: event_refused
CREATE INDEX event_refused ON event (qmgr, seq) WHERE kind = 'REFUSE'

-- name: event_segment
CREATE TABLE event_segment (
	segment INTEGER NOT NULL, 
	earliest INTEGER, 
	latest INTEGER, 
	prints BLOB NOT NULL, 
	PRIMARY KEY (segment)
)

-- name: handle
CREATE TABLE handle (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	connection INTEGER DEFAULT '0' NOT NULL, 
	qmgr TEXT DEFAULT '' NOT NULL, 
	queue INTEGER, 
	object_name TEXT DEFAULT '' NOT NULL, 
	object_type TEXT DEFAULT '' NOT NULL, 
	options INTEGER DEFAULT '0' NOT NULL, 
	input INTEGER DEFAULT '0' NOT NULL, 
	"exclusive" INTEGER DEFAULT '0' NOT NULL, 
	output INTEGER DEFAULT '0' NOT NULL, 
	browse INTEGER DEFAULT '0' NOT NULL, 
	opened_at INTEGER DEFAULT '0' NOT NULL, 
	consumption TEXT DEFAULT '' NOT NULL
)

-- name: handle_of_connection
CREATE INDEX handle_of_connection ON handle (connection)

-- name: handle_on_queue
CREATE INDEX handle_on_queue ON handle (queue)

-- name: handle_path
CREATE TABLE handle_path (
	handle INTEGER NOT NULL, 
	queue INTEGER NOT NULL, 
	PRIMARY KEY (handle, queue)
)
 WITHOUT ROWID

-- name: handle_path_of_queue
CREATE INDEX handle_path_of_queue ON handle_path (queue)

-- name: import_position
CREATE TABLE import_position (
	file TEXT NOT NULL, 
	state TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (file)
)
 WITHOUT ROWID

-- name: imported_manager
CREATE TABLE imported_manager (
	name TEXT NOT NULL, 
	PRIMARY KEY (name)
)
 WITHOUT ROWID

-- name: imported_record
CREATE TABLE imported_record (
	fingerprint TEXT NOT NULL, 
	PRIMARY KEY (fingerprint)
)
 WITHOUT ROWID

-- name: kept_message
CREATE TABLE kept_message (
	id INTEGER NOT NULL, 
	rule INTEGER DEFAULT '0' NOT NULL, 
	start INTEGER DEFAULT '0' NOT NULL, 
	left_at INTEGER DEFAULT '0' NOT NULL, 
	owner TEXT DEFAULT '' NOT NULL, 
	queue TEXT DEFAULT '' NOT NULL, 
	put_at INTEGER, 
	expires_at INTEGER, 
	length INTEGER, 
	report INTEGER, 
	msg_type INTEGER, 
	expiry INTEGER, 
	feedback INTEGER, 
	encoding INTEGER, 
	coded_char_set_id INTEGER, 
	format TEXT, 
	priority INTEGER, 
	persistence INTEGER, 
	msg_id BLOB, 
	correl_id BLOB, 
	backout_count INTEGER, 
	reply_to_q TEXT, 
	reply_to_q_mgr TEXT, 
	user_identifier TEXT, 
	accounting_token BLOB, 
	appl_identity_data TEXT, 
	put_appl_type INTEGER, 
	put_appl_name TEXT, 
	put_date TEXT, 
	put_time TEXT, 
	appl_origin_data TEXT, 
	group_id BLOB, 
	msg_seq_number INTEGER, 
	"offset" INTEGER, 
	msg_flags INTEGER, 
	original_length INTEGER, 
	body BLOB, 
	PRIMARY KEY (id)
)

-- name: kept_message_by_msg_id
CREATE INDEX kept_message_by_msg_id ON kept_message (msg_id)

-- name: kept_message_in_order
CREATE INDEX kept_message_in_order ON kept_message (rule, start)

-- name: kept_rule
CREATE TABLE kept_rule (
	id INTEGER NOT NULL, 
	qmgr TEXT DEFAULT '' NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	low TEXT DEFAULT '' NOT NULL, 
	high TEXT DEFAULT '' NOT NULL, 
	span INTEGER DEFAULT '0' NOT NULL, 
	most INTEGER DEFAULT '0' NOT NULL, 
	masks TEXT DEFAULT '' NOT NULL, 
	total INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (qmgr, name)
)

-- name: message
CREATE TABLE message (
	id INTEGER NOT NULL, 
	queue INTEGER NOT NULL, 
	sequence INTEGER NOT NULL, 
	state INTEGER DEFAULT '0' NOT NULL, 
	unit INTEGER, 
	rank INTEGER DEFAULT '0' NOT NULL, 
	kept_at_backout INTEGER DEFAULT '0' NOT NULL, 
	locked_by INTEGER, 
	marked_until INTEGER, 
	put_at INTEGER DEFAULT '0' NOT NULL, 
	expires_at INTEGER, 
	length INTEGER DEFAULT '0' NOT NULL, 
	report INTEGER DEFAULT '0' NOT NULL, 
	msg_type INTEGER DEFAULT '0' NOT NULL, 
	expiry INTEGER DEFAULT '0' NOT NULL, 
	feedback INTEGER DEFAULT '0' NOT NULL, 
	encoding INTEGER DEFAULT '0' NOT NULL, 
	coded_char_set_id INTEGER DEFAULT '0' NOT NULL, 
	format TEXT DEFAULT '' NOT NULL, 
	priority INTEGER DEFAULT '0' NOT NULL, 
	persistence INTEGER DEFAULT '0' NOT NULL, 
	msg_id BLOB NOT NULL, 
	correl_id BLOB, 
	backout_count INTEGER DEFAULT '0' NOT NULL, 
	reply_to_q TEXT DEFAULT '' NOT NULL, 
	reply_to_q_mgr TEXT DEFAULT '' NOT NULL, 
	user_identifier TEXT DEFAULT '' NOT NULL, 
	accounting_token BLOB, 
	appl_identity_data TEXT DEFAULT '' NOT NULL, 
	put_appl_type INTEGER DEFAULT '0' NOT NULL, 
	put_appl_name TEXT DEFAULT '' NOT NULL, 
	put_date TEXT, 
	put_time TEXT, 
	appl_origin_data TEXT DEFAULT '' NOT NULL, 
	group_id BLOB, 
	msg_seq_number INTEGER DEFAULT '1' NOT NULL, 
	"offset" INTEGER DEFAULT '0' NOT NULL, 
	msg_flags INTEGER DEFAULT '0' NOT NULL, 
	original_length INTEGER DEFAULT '-1' NOT NULL, 
	body BLOB NOT NULL, 
	PRIMARY KEY (id)
)

-- name: message_by_correl_id
CREATE INDEX message_by_correl_id ON message (queue, correl_id, rank DESC, sequence) WHERE state = 0 AND correl_id IS NOT NULL

-- name: message_by_group_id
CREATE INDEX message_by_group_id ON message (queue, group_id, msg_seq_number, "offset") WHERE state = 0 AND group_id IS NOT NULL

-- name: message_by_msg_id
CREATE INDEX message_by_msg_id ON message (queue, msg_id, rank DESC, sequence) WHERE state = 0

-- name: message_expiring
CREATE INDEX message_expiring ON message (queue, expires_at) WHERE expires_at IS NOT NULL

-- name: message_locked
CREATE INDEX message_locked ON message (locked_by) WHERE locked_by IS NOT NULL

-- name: message_of_unit
CREATE INDEX message_of_unit ON message (unit) WHERE unit IS NOT NULL

-- name: message_order
CREATE INDEX message_order ON message (queue, rank DESC, sequence) WHERE state = 0

-- name: message_uncommitted
CREATE INDEX message_uncommitted ON message (queue, rank) WHERE state = 1

-- name: object
CREATE TABLE object (
	id INTEGER NOT NULL, 
	owner TEXT DEFAULT '' NOT NULL, 
	namespace TEXT DEFAULT '' NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	type TEXT DEFAULT '' NOT NULL, 
	attributes TEXT DEFAULT '' NOT NULL, 
	created_at INTEGER DEFAULT '0' NOT NULL, 
	altered_at INTEGER DEFAULT '0' NOT NULL, 
	disposition TEXT DEFAULT 'QMGR' NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (owner, namespace, name)
)

-- name: object_by_topic_string
CREATE INDEX object_by_topic_string ON object (owner, json_extract(attributes, '$.TOPICSTR')) WHERE namespace = 'topic'

-- name: pending_refresh
CREATE TABLE pending_refresh (
	qmgr TEXT NOT NULL, 
	namespace TEXT NOT NULL, 
	name TEXT NOT NULL, 
	reason INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (qmgr, namespace, name)
)
 WITHOUT ROWID

-- name: prepared_unit
CREATE TABLE prepared_unit (
	number INTEGER NOT NULL, 
	qmgr TEXT DEFAULT '' NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	luwid TEXT DEFAULT '' NOT NULL, 
	prepared_at INTEGER DEFAULT '0' NOT NULL, 
	application TEXT DEFAULT '' NOT NULL, 
	user TEXT DEFAULT '' NOT NULL, 
	recorded INTEGER DEFAULT '0' NOT NULL, 
	outcomes TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (qmgr, name, luwid)
)

-- name: process
CREATE TABLE process (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	file TEXT NOT NULL, 
	UNIQUE (file)
)

-- name: published_topic
CREATE TABLE published_topic (
	qmgr TEXT NOT NULL, 
	topic_string TEXT NOT NULL, 
	published_at INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (qmgr, topic_string)
)
 WITHOUT ROWID

-- name: publisher
CREATE TABLE publisher (
	handle INTEGER NOT NULL, 
	qmgr TEXT DEFAULT '' NOT NULL, 
	connection INTEGER DEFAULT '0' NOT NULL, 
	topic_string TEXT DEFAULT '' NOT NULL, 
	published_at INTEGER, 
	publications INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (handle)
)

-- name: publisher_of_queue_manager
CREATE INDEX publisher_of_queue_manager ON publisher (qmgr)

-- name: queue
CREATE TABLE queue (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	owner TEXT DEFAULT '' NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	type TEXT DEFAULT '' NOT NULL, 
	version INTEGER DEFAULT '0' NOT NULL, 
	generation INTEGER DEFAULT '0' NOT NULL, 
	depth INTEGER DEFAULT '0' NOT NULL, 
	next_sequence INTEGER DEFAULT '0' NOT NULL, 
	last_put_at INTEGER, 
	last_get_at INTEGER, 
	earliest_expiry INTEGER, 
	definition_type INTEGER DEFAULT '1' NOT NULL, 
	creator INTEGER, 
	logically_deleted INTEGER DEFAULT '0' NOT NULL, 
	get_enabled INTEGER DEFAULT '1' NOT NULL, 
	put_enabled INTEGER DEFAULT '1' NOT NULL, 
	max_depth INTEGER DEFAULT '5000' NOT NULL, 
	max_length INTEGER DEFAULT '4194304' NOT NULL, 
	default_priority INTEGER DEFAULT '0' NOT NULL, 
	default_persistence INTEGER DEFAULT '0' NOT NULL, 
	fifo INTEGER DEFAULT '0' NOT NULL, 
	is_transmission INTEGER DEFAULT '0' NOT NULL, 
	shareable INTEGER DEFAULT '1' NOT NULL, 
	default_exclusive INTEGER DEFAULT '0' NOT NULL, 
	trigger_on INTEGER DEFAULT '0' NOT NULL, 
	trigger_type INTEGER DEFAULT '1' NOT NULL, 
	trigger_priority INTEGER DEFAULT '0' NOT NULL, 
	trigger_depth INTEGER DEFAULT '1' NOT NULL, 
	trigger_data TEXT DEFAULT '' NOT NULL, 
	initiation_queue TEXT DEFAULT '' NOT NULL, 
	process TEXT DEFAULT '' NOT NULL, 
	cap_expiry INTEGER, 
	custom_cap_expiry INTEGER, 
	recorded INTEGER DEFAULT '1' NOT NULL, 
	keep_nonpersistent INTEGER DEFAULT '0' NOT NULL, 
	depth_high INTEGER DEFAULT '80' NOT NULL, 
	depth_low INTEGER DEFAULT '20' NOT NULL, 
	high_event INTEGER DEFAULT '0' NOT NULL, 
	low_event INTEGER DEFAULT '0' NOT NULL, 
	full_event INTEGER DEFAULT '0' NOT NULL, 
	service_interval INTEGER DEFAULT '999999999' NOT NULL, 
	service_event INTEGER DEFAULT '0' NOT NULL, 
	target TEXT DEFAULT '' NOT NULL, 
	target_is_topic INTEGER DEFAULT '0' NOT NULL, 
	remote_name TEXT DEFAULT '' NOT NULL, 
	remote_queue_manager TEXT DEFAULT '' NOT NULL, 
	transmission_queue TEXT DEFAULT '' NOT NULL, 
	puts INTEGER DEFAULT '0' NOT NULL, 
	gets INTEGER DEFAULT '0' NOT NULL, 
	high_depth INTEGER DEFAULT '0' NOT NULL, 
	statistics_reset_at INTEGER, 
	short_queue_time INTEGER, 
	long_queue_time INTEGER, 
	stream_queue TEXT DEFAULT '' NOT NULL, 
	must_duplicate INTEGER DEFAULT '0' NOT NULL, 
	index_type INTEGER DEFAULT '0' NOT NULL, 
	structure_level INTEGER DEFAULT '0' NOT NULL, 
	structure TEXT DEFAULT '' NOT NULL, 
	structure_longest INTEGER, 
	structure_keeps_persistent INTEGER DEFAULT '1' NOT NULL, 
	UNIQUE (owner, name)
)

-- name: queue_expiring
CREATE INDEX queue_expiring ON queue (owner, earliest_expiry) WHERE earliest_expiry IS NOT NULL

-- name: queue_streaming
CREATE INDEX queue_streaming ON queue (owner, stream_queue) WHERE stream_queue <> ''

-- name: queue_triggering
CREATE INDEX queue_triggering ON queue (owner, initiation_queue, name) WHERE trigger_on = 1

-- name: queue_manager
CREATE TABLE queue_manager (
	name TEXT NOT NULL, 
	state TEXT DEFAULT '' NOT NULL, 
	run INTEGER DEFAULT '0' NOT NULL, 
	version INTEGER DEFAULT '0' NOT NULL, 
	is_default INTEGER DEFAULT '0' NOT NULL, 
	created_at INTEGER DEFAULT '0' NOT NULL, 
	started_at INTEGER DEFAULT '0' NOT NULL, 
	clock_at INTEGER, 
	dead_letter_queue TEXT DEFAULT '' NOT NULL, 
	default_transmission_queue TEXT DEFAULT '' NOT NULL, 
	max_length INTEGER DEFAULT '4194304' NOT NULL, 
	max_uncommitted INTEGER DEFAULT '10000' NOT NULL, 
	max_handles INTEGER DEFAULT '256' NOT NULL, 
	trigger_interval INTEGER DEFAULT '999999999' NOT NULL, 
	expiry_interval INTEGER, 
	last_expiry_scan INTEGER, 
	mark_interval INTEGER DEFAULT '5000' NOT NULL, 
	ccsid INTEGER DEFAULT '1208' NOT NULL, 
	inhibit_event INTEGER DEFAULT '0' NOT NULL, 
	performance_event INTEGER DEFAULT '0' NOT NULL, 
	local_event INTEGER DEFAULT '0' NOT NULL, 
	remote_event INTEGER DEFAULT '0' NOT NULL, 
	configuration_event INTEGER DEFAULT '0' NOT NULL, 
	command_event INTEGER DEFAULT '0' NOT NULL, 
	sharing_group TEXT DEFAULT '' NOT NULL, 
	member_number INTEGER DEFAULT '0' NOT NULL, 
	joined_run INTEGER DEFAULT '0' NOT NULL, 
	expiry_rank INTEGER DEFAULT '0' NOT NULL, 
	commands_stopped INTEGER DEFAULT '0' NOT NULL, 
	authority_mode TEXT DEFAULT '' NOT NULL, 
	os_groups INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (name)
)
 WITHOUT ROWID

-- name: retained
CREATE TABLE retained (
	id INTEGER NOT NULL, 
	qmgr TEXT DEFAULT '' NOT NULL, 
	topic_string TEXT DEFAULT '' NOT NULL, 
	message INTEGER DEFAULT '0' NOT NULL, 
	queue INTEGER DEFAULT '0' NOT NULL, 
	sequence INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
)

-- name: retained_by_topic_string
CREATE INDEX retained_by_topic_string ON retained (qmgr, topic_string)

-- name: running_object
CREATE TABLE running_object (
	qmgr TEXT NOT NULL, 
	type TEXT NOT NULL, 
	name TEXT NOT NULL, 
	started_at INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (qmgr, type, name)
)
 WITHOUT ROWID

-- name: sharing_group
CREATE TABLE sharing_group (
	name TEXT NOT NULL, 
	created_at INTEGER DEFAULT '0' NOT NULL, 
	expiry_owner TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (name)
)
 WITHOUT ROWID

-- name: subscription
CREATE TABLE subscription (
	id INTEGER NOT NULL, 
	qmgr TEXT DEFAULT '' NOT NULL, 
	identifier TEXT DEFAULT '' NOT NULL, 
	name TEXT DEFAULT '' NOT NULL, 
	is_administrative INTEGER DEFAULT '0' NOT NULL, 
	topic_object TEXT DEFAULT '' NOT NULL, 
	topic_string TEXT DEFAULT '' NOT NULL, 
	by_character INTEGER DEFAULT '0' NOT NULL, 
	bucket TEXT DEFAULT '' NOT NULL, 
	level INTEGER DEFAULT '1' NOT NULL, 
	durable INTEGER DEFAULT '0' NOT NULL, 
	managed INTEGER DEFAULT '0' NOT NULL, 
	destination TEXT DEFAULT '' NOT NULL, 
	destination_manager TEXT DEFAULT '' NOT NULL, 
	selector TEXT DEFAULT '' NOT NULL, 
	request_only INTEGER DEFAULT '0' NOT NULL, 
	expiry INTEGER DEFAULT '-1' NOT NULL, 
	expires_at INTEGER, 
	correlation TEXT DEFAULT '' NOT NULL, 
	user TEXT DEFAULT '' NOT NULL, 
	any_user INTEGER DEFAULT '0' NOT NULL, 
	user_data TEXT DEFAULT '' NOT NULL, 
	priority INTEGER DEFAULT '-3' NOT NULL, 
	property_form TEXT DEFAULT '' NOT NULL, 
	accounting TEXT DEFAULT '' NOT NULL, 
	appl_identity_data TEXT DEFAULT '' NOT NULL, 
	grouped INTEGER DEFAULT '0' NOT NULL, 
	connection INTEGER DEFAULT '0' NOT NULL, 
	handle INTEGER DEFAULT '0' NOT NULL, 
	created_at INTEGER DEFAULT '0' NOT NULL, 
	altered_at INTEGER DEFAULT '0' NOT NULL, 
	resumed_at INTEGER, 
	delivered_at INTEGER, 
	delivered INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id)
)

-- name: subscription_by_identifier
CREATE INDEX subscription_by_identifier ON subscription (qmgr, identifier)

-- name: subscription_by_name
CREATE UNIQUE INDEX subscription_by_name ON subscription (qmgr, name) WHERE name <> ''

-- name: subscription_in_bucket
CREATE INDEX subscription_in_bucket ON subscription (qmgr, bucket)

-- name: subscription_of_handle
CREATE INDEX subscription_of_handle ON subscription (handle) WHERE handle <> 0

-- name: subscription_of_queue
CREATE INDEX subscription_of_queue ON subscription (qmgr, destination)

-- name: user_account
CREATE TABLE user_account (
	name TEXT NOT NULL, 
	salt BLOB NOT NULL, 
	hashed BLOB NOT NULL, 
	cost INTEGER DEFAULT '0' NOT NULL, 
	block_size INTEGER DEFAULT '0' NOT NULL, 
	parallel INTEGER DEFAULT '0' NOT NULL, 
	administrator INTEGER DEFAULT '0' NOT NULL, 
	created_at INTEGER DEFAULT '0' NOT NULL, 
	changed_at INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (name)
)
 WITHOUT ROWID

-- name: user_group
CREATE TABLE user_group (
	user TEXT NOT NULL, 
	name TEXT NOT NULL, 
	PRIMARY KEY (user, name)
)
 WITHOUT ROWID

-- name: waiter
CREATE TABLE waiter (
	handle INTEGER NOT NULL, 
	queue INTEGER DEFAULT '0' NOT NULL, 
	msg_id BLOB, 
	correl_id BLOB, 
	group_id BLOB, 
	msg_seq_number INTEGER, 
	"offset" INTEGER, 
	PRIMARY KEY (handle)
)

-- name: waiter_on_queue
CREATE INDEX waiter_on_queue ON waiter (queue)

-- name: queue_member
CREATE TABLE queue_member (
	queue INTEGER NOT NULL, 
	qmgr TEXT NOT NULL, 
	input_handles INTEGER DEFAULT '0' NOT NULL, 
	exclusive_handles INTEGER DEFAULT '0' NOT NULL, 
	output_handles INTEGER DEFAULT '0' NOT NULL, 
	last_trigger INTEGER, 
	trigger_repeats INTEGER DEFAULT '0' NOT NULL, 
	depth_at_trigger INTEGER DEFAULT '0' NOT NULL, 
	puts INTEGER DEFAULT '0' NOT NULL, 
	gets INTEGER DEFAULT '0' NOT NULL, 
	high_depth INTEGER DEFAULT '0' NOT NULL, 
	statistics_reset_at INTEGER, 
	last_put_at INTEGER, 
	last_get_at INTEGER, 
	PRIMARY KEY (queue, qmgr), 
	FOREIGN KEY(queue) REFERENCES queue (id) ON DELETE CASCADE
)
 WITHOUT ROWID

-- name: published_message
CREATE VIEW published_message AS
SELECT message.id AS id, queue.owner AS qmgr, queue.name AS queue, message.msg_id AS msg_id,
       message.correl_id AS correl_id, message.priority AS priority, message.persistence AS persistence,
       message.length AS length, message.put_at AS put_at, message.expires_at AS expires_at,
       message.put_appl_name AS put_application, message.user_identifier AS put_user,
       CASE message.state WHEN 0 THEN 'AVAILABLE' WHEN 1 THEN 'PUT' ELSE 'GOT' END AS state
  FROM message JOIN queue ON queue.id = message.queue
