"""The columns of the tables, each declared once, as the rows that calls read; the schema version
and stored states.

`schema` builds its tables from these classes: an int is an INTEGER, a str TEXT and bytes a BLOB,
and `| None` allows NULL. Other numbers have the default 0 and texts the default blank, unless the
row says otherwise; bytes have none. New columns also need a migration (`store.sqlite.migrations`).

Times are microseconds UTC; flags are 0 and 1. Rows of queues and queue managers are kept from call
to call: `version` shows whether their attributes have changed, and each call reads anew the few
columns that every call changes.
"""

# No `from __future__ import annotations`: the schema reads the annotations as objects.
from enum import IntEnum
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from msgspec import Struct

from mqsc.store.constants import MQQDT

# PRAGMA user_version. A store with a higher number is refused, one with a lower number is upgraded,
# so every change of the schema needs a step in `store.sqlite.migrations`.
SCHEMA_VERSION = 11
APPLICATION_ID = 0x4D515343
# The names of the tables, with which statements are written; `schema` has the tables.
TABLES = (
    "archive",
    "channel_fault",
    "channel_host",
    "channel_status",
    "connection",
    "event",
    "event_segment",
    "handle",
    "handle_path",
    "import_position",
    "imported_manager",
    "imported_record",
    "kept_message",
    "kept_rule",
    "message",
    "object_",
    "pending_refresh",
    "prepared_unit",
    "process",
    "published_topic",
    "publisher",
    "queue",
    "queue_manager",
    "queue_member",
    "retained",
    "running_object",
    "sharing_group",
    "subscription",
    "user_account",
    "user_group",
    "waiter",
)
# A unit of work is the number `connection << UNIT_BITS | n`, so that the units of one connection
# are one range.
UNIT_BITS = 32


class MessageState(IntEnum):
    """A message is available, or an open unit of work has put or got it."""

    AVAILABLE = 0
    PUT = 1
    GOT = 2


def condition_of(state: MessageState) -> str:
    """Return the condition that a message is in this state. SQLite uses a partial index only for
    a literal.
    """
    return f"state = {state:d}"


class Default(NamedTuple):
    """The default of a column; None for a column that every INSERT must give."""

    value: int | None


PRIMARY_KEY = "primary key"
REQUIRED = Default(None)
Id = Annotated[int, PRIMARY_KEY]
_DEFAULTS: dict[type, int | str | None] = {int: 0, str: "", bytes: None}


class DeclaredColumn(NamedTuple):
    """The declaration of a column; `default` is None for NULL and for a column that every INSERT
    must give.
    """

    type: type
    is_key: bool
    is_nullable: bool
    default: int | str | None


def declared_columns(row: type) -> dict[str, DeclaredColumn]:
    """Return the columns that a class below declares, by name."""
    return {
        name: _declared(hint) for name, hint in get_type_hints(row, include_extras=True).items()
    }


def _declared(hint: Any) -> DeclaredColumn:
    options = getattr(hint, "__metadata__", ())
    plain = hint.__origin__ if options else hint
    # (int,) for int, (int, NoneType) for int | None.
    types = get_args(plain) or (plain,)
    is_key, is_nullable = PRIMARY_KEY in options, NoneType in types
    default = next(
        (each.value for each in options if isinstance(each, Default)),
        _DEFAULTS[types[0]],
    )
    return DeclaredColumn(types[0], is_key, is_nullable, None if is_key or is_nullable else default)


class ManagerRow(Struct):
    """A queue manager."""

    name: Annotated[str, PRIMARY_KEY]
    state: str
    # Counts the starts: a connection or handle of an earlier run is broken (2009).
    run: int
    # Raised by every change of an attribute.
    version: int
    is_default: int
    created_at: int
    started_at: int
    # The manual clock; NULL when the queue manager uses the machine's.
    clock_at: int | None
    dead_letter_queue: str
    default_transmission_queue: str
    max_length: Annotated[int, Default(4_194_304)]
    max_uncommitted: Annotated[int, Default(10_000)]
    max_handles: Annotated[int, Default(256)]
    trigger_interval: Annotated[int, Default(999_999_999)]
    expiry_interval: int | None
    last_expiry_scan: int | None
    mark_interval: Annotated[int, Default(5_000)]
    ccsid: Annotated[int, Default(1208)]
    inhibit_event: int
    performance_event: int
    local_event: int
    remote_event: int
    configuration_event: int
    command_event: int
    # The queue-sharing group that it is a member of, blank for none; its number there, and its run
    # when it joined.
    sharing_group: str
    member_number: int
    joined_run: int
    # The running members with EXPRYINT set, in the order in which they became so; 0 for the others.
    expiry_rank: int
    # STOP CMDSERV: commands stay on their queue.
    commands_stopped: int
    # What `mqsc auth mode` says, blank for auto; and whether groups of the operating system count.
    authority_mode: str
    os_groups: int


class GroupRow(NamedTuple):
    """A queue-sharing group. It stays when its last member leaves."""

    name: Annotated[str, PRIMARY_KEY]
    created_at: int
    # The member that scans shared queues for expired messages; blank for none.
    expiry_owner: str


class PendingRefreshRow(NamedTuple):
    """A change of a GROUP object that the copy of a member does not have yet.

    `reason` is why the last attempt failed, 0 if there was none.
    """

    qmgr: Annotated[str, PRIMARY_KEY]
    namespace: Annotated[str, PRIMARY_KEY]
    name: Annotated[str, PRIMARY_KEY]
    reason: int


# `definition_type` of a queue that is deleted with the handle that created it.
TEMPORARY_DYNAMIC = int(MQQDT.TEMPORARY_DYNAMIC)


class QueueColumns(Struct):
    """A queue object of any type: what a call must read, and the depth, sequence and statistics
    of a local queue.
    """

    id: Id
    owner: str
    name: str
    type: str
    # Raised by every change of an attribute.
    version: int
    # Raised by an ALTER ... FORCE that invalidates handles opened before (2041).
    generation: int
    depth: int
    next_sequence: int
    last_put_at: int | None
    last_get_at: int | None
    # No message here expires earlier; NULL when none expires. An expiry scan skips the queue until
    # then.
    earliest_expiry: int | None
    definition_type: Annotated[int, Default(1)]
    # The handle whose closing deletes a temporary dynamic queue.
    creator: int | None
    logically_deleted: int
    get_enabled: Annotated[int, Default(1)]
    put_enabled: Annotated[int, Default(1)]
    max_depth: Annotated[int, Default(5000)]
    max_length: Annotated[int, Default(4_194_304)]
    default_priority: int
    default_persistence: int
    fifo: int
    is_transmission: int
    shareable: Annotated[int, Default(1)]
    default_exclusive: int
    trigger_on: int
    trigger_type: Annotated[int, Default(1)]
    trigger_priority: int
    trigger_depth: Annotated[int, Default(1)]
    trigger_data: str
    initiation_queue: str
    process: str
    cap_expiry: int | None
    custom_cap_expiry: int | None
    recorded: Annotated[int, Default(1)]
    keep_nonpersistent: int
    depth_high: Annotated[int, Default(80)]
    depth_low: Annotated[int, Default(20)]
    # Which events may occur next: an event disables itself and enables others. The definition keeps
    # the given values.
    high_event: int
    low_event: int
    full_event: int
    service_interval: Annotated[int, Default(999_999_999)]
    service_event: int
    target: str
    target_is_topic: int
    remote_name: str
    remote_queue_manager: str
    transmission_queue: str
    # Since the last RESET QSTATS or performance event.
    puts: int
    gets: int
    high_depth: int
    statistics_reset_at: int | None
    # Average microseconds from put to get, over few and over many messages; NULL before the first
    # get.
    short_queue_time: int | None
    long_queue_time: int | None
    # The queue that receives a copy of every message put here, and whether a put fails without its
    # copy.
    stream_queue: str
    must_duplicate: int
    # INDXTYPE, which limits what a get from a shared queue may select by.
    index_type: int
    # Of a shared queue: its structure, the level of that, 0 when it has been deleted, and what it
    # stores.
    structure_level: int
    structure: str
    structure_longest: int | None
    structure_keeps_persistent: Annotated[int, Default(1)]


class QueueRow(QueueColumns):
    """A queue object together with the handles that one queue manager holds on it."""

    input_handles: int
    exclusive_handles: int
    output_handles: int
    last_trigger: int | None


class ConnectionRow(NamedTuple):
    """A connection."""

    id: Id
    qmgr: str
    run: int
    process: int
    application: str
    user: str
    connected_at: int
    # ASTATE of DISPLAY CONN; blank as long as no function was started.
    consumption: str
    # Of a client: the channel that it named, and where it is; blank for a program that is none.
    channel: str
    address: str


class HandleRow(NamedTuple):
    """An open handle."""

    id: Id
    connection: int
    qmgr: str
    # The local queue for puts and gets; NULL for a queue manager, a process or a remote name.
    queue: int | None
    object_name: str
    object_type: str
    options: int
    input: int
    exclusive: int
    output: int
    browse: int
    opened_at: int
    # Blank without a function; INACTIVE for one that is called while those of the connection are
    # started.
    consumption: str


class StoredMessage(NamedTuple):
    """A message: its position and state, then its descriptor and data.

    NULL ids mean 24 zero bytes; a NULL put_date means the date of put_at.
    """

    id: Id
    queue: Annotated[int, REQUIRED]
    sequence: Annotated[int, REQUIRED]
    state: int
    unit: int | None
    # Effective priority, which orders the queue and counts for triggering.
    rank: int
    # A trigger message of type FIRST or DEPTH stays when the unit of work that caused it is backed
    # out.
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
    msg_seq_number: Annotated[int, Default(1)]
    offset: int
    msg_flags: int
    original_length: Annotated[int, Default(-1)]
    body: bytes


# The columns of a message that are kept when it leaves its queue (`store.sql.kept`): its descriptor
# and data.
KEPT = StoredMessage._fields[StoredMessage._fields.index("put_at") :]


class KeptRuleRow(NamedTuple):
    """A rule by which the data of messages that leave queues is kept."""

    id: Id
    qmgr: str
    # A name or a generic name, and the range of names that it stands for; a blank `high` is no
    # limit.
    name: str
    low: str
    high: str
    # For how long, in microseconds, and how many bytes at most.
    span: int
    most: int
    # As `store.rules.masking` reads them.
    masks: str
    # How many bytes it has kept since it was made, what is removed again included.
    total: int


class PreparedUnitRow(NamedTuple):
    """A unit of work in doubt: it is no longer its connection's, until it is resolved.

    `application` and `user` prepared it. `outcomes` is what a commit records about messages that
    the unit got, as JSON; blank for nothing.
    """

    # The unit's number, which its messages and events have.
    number: Id
    qmgr: str
    name: str
    luwid: str
    prepared_at: int
    application: str
    user: str
    recorded: int
    outcomes: str


class ChannelStatusRow(NamedTuple):
    """A channel that is not inactive; `partner` is blank at the sending end."""

    qmgr: Annotated[str, PRIMARY_KEY]
    channel: Annotated[str, PRIMARY_KEY]
    partner: Annotated[str, PRIMARY_KEY]
    # A number of MQCHS.
    status: int
    # The request of a command: START, QUIESCE, FORCE, TERMINATE or blank; after a stop STOPPED or
    # INACTIVE.
    requested: str
    requested_status: str
    # The process that runs the channel; NULL for none.
    process: int | None
    retry_at: int | None
    # Values of DISPLAY CHSTATUS that have no column: keyword to value, as JSON.
    figures: str


class ChannelFaultRow(NamedTuple):
    """A fault to inject into a channel at a step of a batch: `action` is break, slow or down.

    `number` says at which message, 0 at each. `times` and `until` limit it; NULL for no limit.
    """

    id: Id
    qmgr: str
    channel: str
    step: str
    number: int
    action: str
    milliseconds: int
    times: int | None
    until: int | None


class ChannelHostRow(NamedTuple):
    """A network address in connection names, and the store that it is mapped to."""

    address: Annotated[str, PRIMARY_KEY]
    target: str


class RunningObjectRow(NamedTuple):
    """A listener or a service that was started. `type` is the kind of object."""

    qmgr: Annotated[str, PRIMARY_KEY]
    type: Annotated[str, PRIMARY_KEY]
    name: Annotated[str, PRIMARY_KEY]
    started_at: int


class SubscriptionRow(Struct):
    """A subscription, of a command or of a program; a definition has the attributes of the former.

    Identifiers are hexadecimal, because definitions have them so.
    """

    id: Id
    qmgr: str
    identifier: str
    # Blank for a subscription of a program that has no name.
    name: str
    is_administrative: int
    topic_object: str
    # The full string, how its wildcards are read, and where an index finds it; a blank bucket is
    # looked at for every publication.
    topic_string: str
    by_character: int
    bucket: str
    level: Annotated[int, Default(1)]
    durable: int
    managed: int
    destination: str
    destination_manager: str
    selector: str
    request_only: int
    # In tenths of a second from `altered_at`, -1 for ever; and the moment.
    expiry: Annotated[int, Default(-1)]
    expires_at: int | None
    # Blank for that of the publisher.
    correlation: str
    user: str
    any_user: int
    user_data: str
    # -3 as published, -1 as the queue.
    priority: Annotated[int, Default(-3)]
    # PSPROP.
    property_form: str
    accounting: str
    appl_identity_data: str
    grouped: int
    # The connection and the handle that have it open, or 0.
    connection: int
    handle: int
    created_at: int
    altered_at: int
    resumed_at: int | None
    # The last publication put for it, and how many.
    delivered_at: int | None
    delivered: int


class RetainedRow(NamedTuple):
    """The retained publication of a topic string: the message, which is on a queue.

    A unit of work that replaces it has a row of its own until it ends.
    """

    id: Id
    qmgr: str
    topic_string: str
    message: int
    queue: int
    sequence: int


class PublishedTopicRow(NamedTuple):
    """A topic string that was published to: its node exists for some time."""

    qmgr: Annotated[str, PRIMARY_KEY]
    topic_string: Annotated[str, PRIMARY_KEY]
    published_at: int


class PublisherRow(NamedTuple):
    """A handle that is open for publishing, when it last was used, and how often."""

    handle: Id
    qmgr: str
    connection: int
    topic_string: str
    published_at: int | None
    publications: int


class UserAccountRow(NamedTuple):
    """A user of the store: the salt and the scrypt hash of the password, with the numbers that
    it was made with.
    """

    name: Annotated[str, PRIMARY_KEY]
    salt: bytes
    hashed: bytes
    cost: int
    block_size: int
    parallel: int
    administrator: int
    created_at: int
    changed_at: int


class UserGroupRow(NamedTuple):
    """A user in a group. The user needs no account: authority records go by name."""

    user: Annotated[str, PRIMARY_KEY]
    name: Annotated[str, PRIMARY_KEY]


class ArchiveRow(NamedTuple):
    """The archiving of the history: the store's identity in archives, the last range claimed, and
    how far it is pruned.

    `store` is a UUID. The range `first` to `last` is CLAIMED for the archive at `url` until it is
    COMMITTED there; `sha256` is then the hash of its commit file. Up to event `pruned`, only events
    that calls read are kept.
    """

    number: Id
    store: str
    state: str
    url: str
    first: int
    last: int
    sha256: str
    pruned: int


class ImportedRecordRow(NamedTuple):
    """A record of a file that was imported: its fingerprint, which another file with the same
    record has, too.
    """

    fingerprint: Annotated[str, PRIMARY_KEY]


class ImportedManagerRow(NamedTuple):
    """A queue manager whose events were imported: none of this name is created here."""

    name: Annotated[str, PRIMARY_KEY]


class ImportPositionRow(NamedTuple):
    """How far a file was imported that others write: `file` identifies it, `state` is JSON for
    the next look.
    """

    file: Annotated[str, PRIMARY_KEY]
    state: str


class EventRow(NamedTuple):
    """An event of the history without its number; `store.published` declares and documents the
    columns.
    """

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
