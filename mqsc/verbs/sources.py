"""Where the rows come from that DISPLAY shows, by object, and what is said when there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mqsc.language.request import Request, same_namespace
from mqsc.language.where import Filter, read_filter
from mqsc.reply import Row
from mqsc.verbs import rights
from mqsc.verbs.state import check_running
from store.catalog import KINDS
from store.constants import MQRC, MQRCCF
from store.error import MQError
from store.rules.channel_rules import ConnectingClient

if TYPE_CHECKING:
    from store.client.api import QueueManager

Rows = Callable[["QueueManager", Request], Iterable[Row]]


@dataclass(frozen=True, slots=True)
class Source:
    """Where rows come from; `missing_id` and `missing` answer a DISPLAY without any.

    `chosen` says whether attributes given with a value choose among the rows, `filtered` whether the rows have passed
    WHERE already; `brief` are words shown of every row that has them; `whole` shows all of them for a generic name too;
    `groups` are the words that a flag stands for; `alone` are the words that are printed in a line of their own,
    `begins` those that begin one.
    """

    rows: Rows
    missing_id: str = "AMQ8147E"
    missing: int = int(MQRC.UNKNOWN_OBJECT_NAME)
    chosen: bool = True
    filtered: bool = False
    brief: tuple[str, ...] = ()
    whole: bool = False
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    alone: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()


def source_of(noun: str) -> Source:
    """The source of what DISPLAY shows for this object."""
    return _SOURCES.get(noun, _OBJECTS)


def filter_of(request: Request) -> Filter | None:
    """The filter that a request has."""
    words = request.options.get("WHERE")
    return read_filter(words, same_namespace(request.kinds[0])) if isinstance(words, list) else None


def _objects(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    from store.admin import inquire

    kinds = tuple(kind for kind in request.kinds if request.options.get("TYPE", "ALL") in ("ALL", kind.keyword))
    return inquire(qmgr, kinds if len(request.kinds) > 1 else request.kinds, request.name)


def _subscriptions(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    from store.admin import subscriptions

    return subscriptions(qmgr, _named(request), resolved=request.options.get("DISTYPE") != "DEFINED")


def _subscription_status(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    from store.admin import subscription_status

    return subscription_status(qmgr, _named(request))


def _named(request: Request) -> str:
    """The name of the subscriptions meant; SUBID chooses among all."""
    if not request.name and "SUBID" not in request.options:
        raise MQError(MQRCCF.PARM_MISSING, "a name or SUBID")
    return request.name or "*"


def _queue_manager(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    from store.admin import inquire_queue_manager

    return [inquire_queue_manager(qmgr)]


def _none(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    """What cannot be there: channels that run, cluster objects."""
    check_running(qmgr)
    return ()


def _queue_status(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    from store.admin import queue_handles, queue_status

    type = request.options.get("TYPE", "QUEUE")
    if next(iter(queue_status(qmgr, request.name)), None) is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, request.name)
    if type != "HANDLE":
        yield from queue_status(qmgr, request.name)
    if type != "QUEUE":
        wanted = str(request.options.get("OPENTYPE", "ALL"))
        for row in queue_handles(qmgr, request.name):
            if wanted == "ALL" or row[wanted] != "NO":
                yield row


# What only a handle has: a filter on it means the connections with such a handle.
_OF_HANDLES = frozenset("OBJNAME OBJTYPE OPENOPTS HSTATE READA DEST DESTQMGR SUBID SUBNAME TOPICSTR".split())


def _connections(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    """Each connection that a filter leaves, then its handles: those that it is about, where it is about handles."""
    from store.admin import connection_handles, connections

    type = request.options.get("TYPE", "CONN")
    check_running(qmgr)
    # Every unit of work here is the queue manager's own.
    if request.options.get("URDISP") == "GROUP":
        return
    where = filter_of(request)
    of_handles = where is not None and where.keyword in _OF_HANDLES
    handles: dict[str, list[Row]] = {}
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


def _status(name: str) -> Rows:
    """A status that a function of store.admin tells, by the request's name where it has one."""

    def rows(qmgr: QueueManager, request: Request) -> Iterable[Row]:
        import store.admin

        found: Iterable[Row] = getattr(store.admin, name)(qmgr, request.name, str(request.options.get("TYPE", "")))
        return found

    return rows


def _agent(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    check_running(qmgr)
    return [{"STATUS": "STOPPED"}]


def _channel_rules(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    from store.admin import channel_rules, deciding_rules

    options = request.options
    match = str(options.get("MATCH", "GENERIC"))
    said = {word: str(options.get(word, "")) for word in ("ADDRESS", "SSLPEER", "SSLCERTI", "CLNTUSER", "QMNAME")}
    if match != "RUNCHECK":
        if any(said.values()):
            raise MQError(MQRCCF.WRONG_CHLAUTH_MATCH, request.name)
        type = str(options.get("TYPE", "ALL"))
        found = (row for row in channel_rules(qmgr, request.name, match) if type in ("ALL", row["TYPE"]))
        return map(_telling, sorted(found, key=_narrow_first))
    if "*" in request.name or not said["ADDRESS"] or "*" in said["ADDRESS"]:
        raise MQError(MQRCCF.CHLAUTH_RUNCHECK_ERROR, request.name)
    caller = ConnectingClient(
        request.name, said["ADDRESS"], said["SSLPEER"], said["SSLCERTI"], said["CLNTUSER"], said["QMNAME"]
    )
    return map(_telling, deciding_rules(qmgr, caller))


# What says nothing in a record that maps a user, takes that of the channel, or lets nobody in.
_IDLE: Mapping[str, tuple[str, ...]] = {
    "MAP": ("WARN",), "CHANNEL": ("MCAUSER", "WARN"), "NOACCESS": ("MCAUSER", "CHCKCLNT"),
}  # fmt: skip


def _telling(rule: Row) -> Row:
    """A channel authentication record without the attributes that say nothing in it."""
    idle = _IDLE.get(str(rule.get("USERSRC", "")), ())
    return {word: value for word, value in rule.items() if word not in idle}


def _narrow_first(rule: Row) -> tuple[str, bool]:
    """The order of DISPLAY CHLAUTH: an asterisk behind every other character, blocked users behind the rest."""
    return str(rule["CHLAUTH"]).replace("*", chr(0x10FFFF)), rule["TYPE"] == "BLOCKUSER"


def _authorities(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    from store.admin import authority_records

    options = request.options
    type = str(options.get("OBJTYPE", "ALL"))
    profile = str(options.get("PROFILE", ""))
    return authority_records(
        qmgr, rights.profile_of(type, profile) if profile else "", type, rights.named(request),
        str(options.get("MATCH", "PROFILE")),
    )  # fmt: skip


def _entity(qmgr: QueueManager, request: Request) -> Iterable[Row]:
    from store.admin import entity_authority

    options = request.options
    types: Any = KINDS["AUTHREC"].attributes["OBJTYPE"].type
    type = str(options.get("OBJTYPE", ""))
    if type not in types.values:
        raise MQError(MQRCCF.PARM_MISSING, "OBJTYPE")
    name = rights.SELF if type == "QMGR" else str(options.get("OBJNAME", ""))
    return [entity_authority(qmgr, name, type, entity) for entity in rights.entities_of(request)]


_OBJECTS = Source(_objects)
_MONITORED = ("LGETDATE", "LGETTIME", "LPUTDATE", "LPUTTIME", "MONQ", "MSGAGE", "QTIME")
_OF_LOG = (
    "ARCHLOG", "ARCHSZ", "CURRLOG", "DISKLSN", "LOGEXTSZ", "LOGFSSZ", "LOGFSUSE", "LOGINUSE", "LOGPATH", "LOGPRIM",
    "LOGSEC", "LOGSTRDA", "LOGSTRL", "LOGSTRTI", "LOGTYPE", "LOGUTIL", "MEDIALOG", "MEDIASZ", "RECLOG", "RECSZ",
    "REUSESZ",
)  # fmt: skip
_SOURCES: Mapping[str, Source] = {
    "QMGR": Source(_queue_manager),
    "QSTATUS": Source(
        _queue_status, "AMQ8565I", int(MQRCCF.Q_STATUS_NOT_FOUND), chosen=False, groups={"MONITOR": _MONITORED}
    ),
    "SUB": Source(_subscriptions, groups={"SUMMARY": ("TOPICSTR", "TOPICOBJ", "DEST", "DURABLE", "SUBTYPE")}),
    "CONN": Source(_connections, "AMQ8461I", int(MQRCCF.CONNECTION_ID_ERROR), filtered=True, alone=("TYPE",)),
    "CHSTATUS": Source(_none, "AMQ8420I", int(MQRCCF.CHL_STATUS_NOT_FOUND)),
    "LSSTATUS": Source(_none),
    "SVSTATUS": Source(_none),
    "CLUSQMGR": Source(_none),
    "QCLUSTER": Source(_none),
    "TCLUSTER": Source(_none),
    "CHINIT": Source(_agent),
    "CMDSERV": Source(_agent),
    "APSTATUS": Source(_status("application_status"), whole=True),
    "PUBSUB": Source(_status("publish_subscribe_status")),
    "QMSTATUS": Source(_status("queue_manager_status"), groups={"LOG": _OF_LOG}),
    "TPSTATUS": Source(_status("topic_status"), whole=True),
    "SBSTATUS": Source(_subscription_status),
    "AUTHREC": Source(_authorities, "AMQ8958E", int(MQRCCF.PROFILE_NAME_ERROR), chosen=False),
    "ENTAUTH": Source(_entity, chosen=False),
    "CHLAUTH": Source(
        _channel_rules, "AMQ8884E", int(MQRCCF.CHLAUTH_NOT_FOUND), chosen=False,
        brief=("ADDRESS", "ADDRLIST", "SSLPEER", "SSLCERTI", "CLNTUSER", "QMNAME", "USERLIST", "USERSRC", "MCAUSER"),
        begins=("ADDRLIST", "USERLIST"),
    ),
}  # fmt: skip
