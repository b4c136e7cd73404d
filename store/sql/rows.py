"""The rows that calls read, column for column as the schema has them (a test compares).

Queue and queue manager are kept by handles and connections from call to call: `version` tells whether the attributes
changed meanwhile, the few columns that every call changes are read each time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(slots=True)
class ManagerRow:
    """A queue manager."""

    name: str
    state: str
    run: int
    version: int
    is_default: int
    created_at: int
    started_at: int
    clock_at: int | None
    dead_letter_queue: str
    default_transmission_queue: str
    max_length: int
    max_uncommitted: int
    max_handles: int
    trigger_interval: int
    expiry_interval: int | None
    last_expiry_scan: int | None
    mark_interval: int
    ccsid: int
    inhibit_event: int
    performance_event: int
    local_event: int
    remote_event: int


# What `definition_type` of a queue says of one that goes with the handle that made it.
TEMPORARY_DYNAMIC = 3


@dataclass(slots=True)
class QueueRow:
    """A queue object of any type, with what one queue manager holds open of it."""

    id: int
    owner: str
    name: str
    type: str
    version: int
    generation: int
    depth: int
    next_sequence: int
    last_put_at: int | None
    last_get_at: int | None
    earliest_expiry: int | None
    definition_type: int
    creator: int | None
    logically_deleted: int
    get_enabled: int
    put_enabled: int
    max_depth: int
    max_length: int
    default_priority: int
    default_persistence: int
    fifo: int
    is_transmission: int
    shareable: int
    default_exclusive: int
    trigger_on: int
    trigger_type: int
    trigger_priority: int
    trigger_depth: int
    trigger_data: str
    initiation_queue: str
    process: str
    cap_expiry: int | None
    custom_cap_expiry: int | None
    recorded: int
    keep_nonpersistent: int
    depth_high: int
    depth_low: int
    high_event: int
    low_event: int
    full_event: int
    service_interval: int
    service_event: int
    target: str
    target_is_topic: int
    remote_name: str
    remote_queue_manager: str
    transmission_queue: str
    puts: int
    gets: int
    high_depth: int
    statistics_reset_at: int | None
    short_queue_time: int | None
    long_queue_time: int | None
    input_handles: int
    exclusive_handles: int
    output_handles: int
    last_trigger: int | None


class ConnectionRow(NamedTuple):
    """A connection."""

    id: int
    qmgr: str
    run: int
    process: int
    application: str
    user: str
    connected_at: int


class HandleRow(NamedTuple):
    """An open handle."""

    id: int
    connection: int
    qmgr: str
    queue: int | None
    object_name: str
    object_type: str
    options: int
    input: int
    exclusive: int
    output: int
    browse: int
    opened_at: int


class StoredMessage(NamedTuple):
    """A message: its place and state, then its descriptor and data."""

    id: int
    queue: int
    sequence: int
    state: int
    unit: int | None
    rank: int
    kept_at_backout: int
    locked_by: int | None
    marked_until: int | None
    put_at: int
    expires_at: int | None
    length: int
    report: int
    msg_type: int
    expiry: int
    feedback: int
    encoding: int
    coded_char_set_id: int
    format: str
    priority: int
    persistence: int
    msg_id: bytes
    correl_id: bytes | None
    backout_count: int
    reply_to_q: str
    reply_to_q_mgr: str
    user_identifier: str
    accounting_token: bytes | None
    appl_identity_data: str
    put_appl_type: int
    put_appl_name: str
    put_date: str | None
    put_time: str | None
    appl_origin_data: str
    group_id: bytes | None
    msg_seq_number: int
    offset: int
    msg_flags: int
    original_length: int
    body: bytes


class EventRow(NamedTuple):
    """An event of the history, but for its number."""

    at: int
    qmgr: str
    kind: str
    cause: str | None = None
    queue: str | None = None
    target: str | None = None
    msg_id: bytes | None = None
    correl_id: bytes | None = None
    priority: int | None = None
    persistence: int | None = None
    length: int | None = None
    put_at: int | None = None
    expires_at: int | None = None
    put_application: str | None = None
    put_user: str | None = None
    unit: int | None = None
    connection: int | None = None
    application: str | None = None
    user: str | None = None
    reason: int | None = None
    rule: str | None = None
    detail: str | None = None
