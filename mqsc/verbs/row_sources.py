"""The source of the rows of DISPLAY for each noun, and the words that it shows."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, field

from mqsc.language.reply import Answer, ReplyRow, message_text, refused_here
from mqsc.language.request import Naming, Request, same_namespace
from mqsc.language.where import WhereFilter, read_filter
from mqsc.store.admin import (
    authority_records,
    channel_auth_records,
    inquiring,
    running_objects,
    sharing_groups,
    topics,
)
from mqsc.store.admin.channel.initiators import initiators
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MQError, refuse_if, required
from mqsc.store.rules.authority_profiles import SELF
from mqsc.store.rules.channel_auth import ConnectingClient
from mqsc.verbs.options import disposition_of
from mqsc.verbs.preconditions import check_running

RowReader = Callable[["QueueManager", Request], Iterable[ReplyRow]]


class RowSource(Struct, frozen=True):
    """A source of rows; `missing_id` and `missing` are the message id and reason code if there are
    no rows.

    `selectable` says that attributes given with a value select among the rows; `filtered` that the
    source applies WHERE itself. `brief` are the words shown for every row that has them, and
    `unsaid` the values that are then left out when nothing was requested. `whole` shows all
    attributes for a generic name too. `groups` are the words that a flag selects. `alone` are the
    words printed on a line of their own, `begins` those that begin a line. `in_every_row` are shown
    whatever attributes are requested, `of_generic` for a generic name when none are. If there are
    words that are shown `always`, other attributes are shown only when they are requested, or with
    ALL.
    """

    rows: RowReader
    missing_id: str = "AMQ8147E"
    missing: int = int(MQRC.UNKNOWN_OBJECT_NAME)
    selectable: bool = True
    filtered: bool = False
    brief: tuple[str, ...] = ()
    unsaid: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False
    in_every_row: tuple[str, ...] = ()
    of_generic: tuple[str, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    alone: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    always: tuple[str, ...] = ()


class NothingToDisplayError(Exception):
    """There are no rows, and the answer says why; the command succeeded."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.text)
        self.answer = answer


def source_of(noun: str) -> RowSource:
    """The source of the rows of DISPLAY for this noun."""
    return _SOURCES.get(noun, _OBJECTS)


def filter_of(request: Request) -> WhereFilter | None:
    """The WHERE filter of a request, or None."""
    words = request.options.get("WHERE")
    if not isinstance(words, list):
        return None
    return read_filter(words, same_namespace(request.kinds[0]), request.noun, request.options)


def _objects(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    kinds = tuple(
        kind
        for kind in request.kinds
        if request.options.get("TYPE", "ALL") in ("ALL", kind.keyword)
    )
    wanted = kinds if len(request.kinds) > 1 else request.kinds
    disposition = disposition_of(request, "LIVE")
    if request.elsewhere and disposition in ("GROUP", "SHARED"):
        # Only the member that reads a command displays the objects of the group.
        return ()
    return inquiring.inquire(qmgr, wanted, request.name, disposition=disposition)


def _subscriptions(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    resolved = request.options.get("DISTYPE") != "DEFINED"
    return topics.subscriptions(qmgr, _subscription_name(request), resolved=resolved)


def _subscription_name(request: Request) -> str:
    """The name in the request, or * with SUBID, which then selects among all subscriptions."""
    refuse_if(
        not request.name and "SUBID" not in request.options,
        MQRCCF.PARM_MISSING,
        "a name or SUBID",
    )
    return request.name or "*"


def _structure_status(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    type = str(request.options.get("TYPE", "SUMMARY"))
    if type not in ("SUMMARY", "CONNECT"):
        why = "structures are not backed up and have no shared message data sets here"
        raise NothingToDisplayError(refused_here(f"DISPLAY CFSTATUS TYPE({type})", why))
    return sharing_groups.structure_status(qmgr, request.name, type)


def _no_rows(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    """No rows: for things that cannot exist here, such as cluster objects."""
    check_running(qmgr)
    return ()


def _queue_status(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    from mqsc.store.admin.statistics import queue_handles, queue_status

    type = request.options.get("TYPE", "QUEUE")
    refuse_if(
        next(iter(queue_status(qmgr, request.name)), None) is None,
        MQRC.UNKNOWN_OBJECT_NAME,
        request.name,
    )
    if type != "HANDLE":
        yield from queue_status(qmgr, request.name)
    if type != "QUEUE":
        wanted = str(request.options.get("OPENTYPE", "ALL"))
        for row in queue_handles(qmgr, request.name):
            if wanted == "ALL" or row[wanted] != "NO":
                yield row


# Attributes of handles: a filter on one selects the connections with such a handle.
_OF_HANDLES = frozenset(
    "OBJNAME OBJTYPE OPENOPTS HSTATE READA DEST DESTQMGR SUBID SUBNAME TOPICSTR".split(),
)


def _connections(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    """The connections that pass the filter, each followed by its handles, or by those that pass
    a filter on handles.
    """
    from mqsc.store.admin.connection_status import connection_handles, connections

    type = request.options.get("TYPE", "CONN")
    check_running(qmgr)
    # All units of work here belong to the queue manager itself.
    if request.options.get("URDISP") == "GROUP":
        return
    where = filter_of(request)
    # A connection has an ASTATE too.
    of_handles = where is not None and (
        where.keyword in _OF_HANDLES or (type, where.keyword) == ("HANDLE", "ASTATE")
    )
    handles: dict[str, list[ReplyRow]] = {}
    for row in connection_handles(qmgr, request.name) if of_handles or type != "CONN" else ():
        if where is None or not of_handles or where.passes(row):
            handles.setdefault(row["CONN"], []).append(row)
    for row in connections(qmgr, request.name):
        own = handles.get(row["CONN"], [])
        if where is None or (bool(own) if of_handles else where.passes(row)):
            if type != "HANDLE":
                yield row
            if type != "CONN":
                yield from own


def _object_status(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    """The listeners or services that are running."""
    return running_objects.status(qmgr, KINDS[_STATUS_OF[request.noun]], request.name)


_STATUS_OF: Mapping[str, str] = {"LSSTATUS": "LISTENER", "SVSTATUS": "SERVICE"}


def _status(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    from mqsc.store.admin import status

    readers: Mapping[str, Callable[[QueueManager, str, str], Iterable[ReplyRow]]] = {
        "APSTATUS": status.application_status,
        "QMSTATUS": status.queue_manager_status,
        "PUBSUB": topics.publish_subscribe_status,
        "TPSTATUS": topics.topic_status,
    }
    return readers[request.noun](qmgr, request.name, str(request.options.get("TYPE", "")))


def _channel_status(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    from mqsc.store.admin.channel.display import current_status, saved_status, short_status

    check_running(qmgr)
    read_status = current_status
    if request.has("SAVED"):
        read_status = saved_status
    elif request.has("SHORT"):
        read_status = short_status
    wanted = {
        word: request.options[word] for word in ("CONNAME", "XMITQ", "CHLTYPE") if request.has(word)
    }
    return (
        row
        for row in read_status(qmgr, request.name)
        if all(row.get(word) == value for word, value in wanted.items())
    )


def _channel_initiators(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    check_running(qmgr)
    running = [
        {"STATUS": "RUNNING", "INITQ": each.queue, "PID": each.owner.number_here}
        for each in initiators(qmgr)
    ]
    return running or [{"STATUS": "STOPPED"}]


def _command_server(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    check_running(qmgr)
    return [{"STATUS": "STOPPED" if qmgr.row().commands_stopped else "RUNNING"}]


def _channel_rules(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    options = request.options
    match = str(options.get("MATCH", "GENERIC"))
    # In the order of the fields of ConnectingClient.
    client_fields = {
        word: str(options.get(word, ""))
        for word in ("ADDRESS", "SSLPEER", "SSLCERTI", "CLNTUSER", "QMNAME")
    }
    if match != "RUNCHECK":
        refuse_if(any(client_fields.values()), MQRCCF.WRONG_CHLAUTH_MATCH, request.name)
        type = str(options.get("TYPE", "ALL"))
        rules = (
            rule
            for rule in channel_auth_records.channel_rules(qmgr, request.name, match)
            if type in ("ALL", rule["TYPE"])
        )
        return map(_without_idle, sorted(rules, key=_specific_first))
    if "*" in request.name or not client_fields["ADDRESS"] or "*" in client_fields["ADDRESS"]:
        raise MQError(MQRCCF.CHLAUTH_RUNCHECK_ERROR, request.name)
    client = ConnectingClient(request.name, *client_fields.values())  # type: ignore[arg-type]
    deciding, user = channel_auth_records.deciding_rules(qmgr, client)
    if not deciding:
        raise NothingToDisplayError(Answer("AMQ9783I", message_text("AMQ9783I", user)))
    return map(_without_idle, deciding)


# The attributes without a meaning, by USERSRC: the record maps a user, uses that of the channel, or
# denies access.
_IDLE: Mapping[str, tuple[str, ...]] = {
    "MAP": ("WARN",),
    "CHANNEL": ("MCAUSER", "WARN"),
    "NOACCESS": ("MCAUSER", "CHCKCLNT"),
}


def _without_idle(rule: ReplyRow) -> ReplyRow:
    """A channel authentication record without the attributes that have no meaning in it."""
    idle = _IDLE.get(str(rule.get("USERSRC", "")), ())
    return {word: value for word, value in rule.items() if word not in idle}


def _specific_first(rule: ReplyRow) -> tuple[str, bool]:
    """The sort key of DISPLAY CHLAUTH: an asterisk sorts after all other characters, BLOCKUSER
    after other types.
    """
    return str(rule["CHLAUTH"]).replace("*", chr(0x10FFFF)), rule["TYPE"] == "BLOCKUSER"


def _authorities(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    from mqsc.verbs.authority_parameters import named_entities, profile_of

    options = request.options
    type = str(options.get("OBJTYPE", "ALL"))
    profile = str(options.get("PROFILE", ""))
    if profile:
        profile = profile_of(type, profile)
    entities = named_entities(request)
    return authority_records.authority_records(
        qmgr,
        profile,
        type,
        entities,
        str(options.get("MATCH", "PROFILE")),
    )


def _entity(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    from mqsc.verbs.authority_parameters import entities_of

    options = request.options
    type = str(options.get("OBJTYPE", ""))
    refuse_if(not type, MQRCCF.PARM_MISSING, "OBJTYPE")
    name = SELF if type == "QMGR" else str(options.get("OBJNAME", ""))
    return [
        authority_records.entity_authority(qmgr, name, type, entity)
        for entity in entities_of(request)
    ]


def _queue_manager(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    return [inquiring.inquire_queue_manager(qmgr)]


def _subscription_status(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    return topics.subscription_status(qmgr, _subscription_name(request))


def _group(qmgr: QueueManager, request: Request) -> Iterable[ReplyRow]:
    return sharing_groups.display_group(qmgr)


# The words that a flag selects.
_MONITORED_OF_QUEUES = tuple("LGETDATE LGETTIME LPUTDATE LPUTTIME MONQ MSGAGE QTIME".split())
_SUMMARY_OF_SUBSCRIPTIONS = ("TOPICSTR", "TOPICOBJ", "DEST", "DURABLE", "SUBTYPE")
_MONITORED_OF_CHANNELS = tuple(
    "MONCHL COMPRATE COMPTIME EXITTIME NETTIME XBATCHSZ XQMSGSA XQTIME".split(),
)
_LOG = tuple(
    "ARCHLOG ARCHSZ CURRLOG DISKLSN LOGEXTSZ LOGFSSZ LOGFSUSE LOGINUSE LOGPATH LOGPRIM LOGSEC "
    "LOGSTRDA LOGSTRL LOGSTRTI LOGTYPE LOGUTIL MEDIALOG MEDIASZ RECLOG RECSZ REUSESZ".split(),
)
# What is shown of each channel status, and of each record that has it.
_OF_EVERY_CHANNEL_STATUS = tuple(
    "CONNAME CURRENT SAVED SHORT RQMNAME STATUS SUBSTATE XMITQ".split(),
)
_OF_EVERY_RECORD = tuple(
    "ADDRESS ADDRLIST SSLPEER SSLCERTI CLNTUSER QMNAME USERLIST USERSRC MCAUSER".split(),
)

_OBJECTS = RowSource(_objects)
_NOTHING = RowSource(_no_rows)
_RUNNING_OBJECTS = RowSource(_object_status, of_generic=("STATUS", "PID"))
_SOURCES: Mapping[str, RowSource] = {
    "QMGR": RowSource(_queue_manager),
    "QSTATUS": RowSource(
        _queue_status,
        missing_id="AMQ8565I",
        missing=int(MQRCCF.Q_STATUS_NOT_FOUND),
        selectable=False,
        groups={"MONITOR": _MONITORED_OF_QUEUES},
        in_every_row=("CURDEPTH",),
    ),
    "SUB": RowSource(_subscriptions, groups={"SUMMARY": _SUMMARY_OF_SUBSCRIPTIONS}),
    "CONN": RowSource(
        _connections,
        missing_id="AMQ8461I",
        missing=int(MQRCCF.CONNECTION_ID_ERROR),
        filtered=True,
        alone=("TYPE",),
    ),
    "SBSTATUS": RowSource(_subscription_status),
    "CHSTATUS": RowSource(
        _channel_status,
        missing_id="AMQ8420I",
        missing=int(MQRCCF.CHL_STATUS_NOT_FOUND),
        selectable=False,
        groups={"MONITOR": _MONITORED_OF_CHANNELS, "SHORT": ("QMNAME",)},
        always=_OF_EVERY_CHANNEL_STATUS,
    ),
    "CHINIT": RowSource(_channel_initiators),
    "CMDSERV": RowSource(_command_server),
    "GROUP": RowSource(_group),
    "CFSTATUS": RowSource(_structure_status, whole=True),
    "APSTATUS": RowSource(_status, whole=True),
    "PUBSUB": RowSource(_status),
    "QMSTATUS": RowSource(_status, groups={"LOG": _LOG}),
    "TPSTATUS": RowSource(_status, whole=True),
    "LSSTATUS": _RUNNING_OBJECTS,
    "SVSTATUS": _RUNNING_OBJECTS,
    "AUTHREC": RowSource(
        _authorities,
        missing_id="AMQ8958E",
        missing=int(MQRCCF.PROFILE_NAME_ERROR),
        selectable=False,
    ),
    "ENTAUTH": RowSource(_entity, selectable=False),
    "CHLAUTH": RowSource(
        _channel_rules,
        missing_id="AMQ8884E",
        missing=int(MQRCCF.CHLAUTH_NOT_FOUND),
        selectable=False,
        brief=_OF_EVERY_RECORD,
        unsaid={"USERSRC": "MAP"},
        begins=("ADDRLIST", "USERLIST"),
    ),
    "CLUSQMGR": _NOTHING,
    "QCLUSTER": _NOTHING,
    "TCLUSTER": _NOTHING,
}
NAMED_OR_IDENTIFIED = {"SUB": Naming.OPTIONAL}


def name_in(qmgr: QueueManager, request: Request) -> str:
    """The name of the object in a request; MQError 3228 without a name or SUBID, 2085 if SUBID
    is unknown.
    """
    if request.name or request.noun != "SUB":
        return request.name
    wanted = request.options.get("SUBID")
    refuse_if(not wanted, MQRCCF.PARM_MISSING, "a name or SUBID")
    rows = topics.subscriptions(qmgr, "*")
    found = next((row for row in rows if row["SUBID"] == wanted), None)
    return str(required(found, MQRC.UNKNOWN_OBJECT_NAME, str(wanted))["SUB"])
