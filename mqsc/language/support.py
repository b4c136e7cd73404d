"""How far each MQSC command is supported here, if not as in MQ, and why."""

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from mqsc.language.request import Naming, Request


class Effect(Enum):
    """How far a command is supported; the value is the word in docs/commands.md.

    DONE: performed as in MQ. RECORDED: kept and displayed, but nothing acts on it yet. NOTHING:
    accepted as in MQ, but without an effect, because the thing it acts on does not exist here.
    REFUSED: not possible here.
    """

    DONE = "done"
    RECORDED = "recorded"
    NOTHING = "no effect here"
    REFUSED = "refused"


class UnsupportedCommand(Struct, frozen=True):
    """A command that is refused. `parameters` are the words it takes, with any value; `sentence`
    is the reason.
    """

    verb: str
    noun: str
    naming: Naming
    parameters: tuple[str, ...]
    sentence: str


# What runs here in place of the programs of services.
WHAT_RUNS = "`mqsc trigger run` is a trigger monitor, and `mqsc serve` runs channels"
_NO_BUFFER_POOLS = "a store has no buffer pools"
_NO_PAGE_SETS = "a store has no page sets"
_LOG_OF_SQLITE = "the log belongs to SQLite; no command can change it"
_MAXUMSGS = "the limit for uncommitted messages is MAXUMSGS of the queue manager: use ALTER QMGR and DISPLAY QMGR"
_NO_COUPLING_FACILITY = (
    "there is no coupling facility: the store keeps the messages of shared queues"
)
_NO_TRACE = "there is no trace; the history records events, and `mqsc report` shows them"
_NO_SYSTEM_PARAMETERS = "there are no system parameters; use the attributes of the queue manager"
_NOTHING_CACHED = "authorities are read when they are asked for: none are cached"
_STARTED_FROM_OUTSIDE = "use `strmqm` and `endmqm`; a stopped queue manager cannot receive commands"
_NO_POLICIES = "messages are not signed or encrypted, so there are no policies"
_NO_CLUSTERS = "always empty: there are no clusters"
_NO_REPOSITORY = (
    "There is no cluster repository here: queue managers in one store do not exchange definitions."
)

REFUSED = (
    UnsupportedCommand(
        "DEFINE",
        "BUFFPOOL",
        Naming.EXACT,
        ("BUFFERS", "FIXED4KB", "LOC", "LOCATION", "NOREPLACE", "PAGECLAS", "REPLACE"),
        _NO_BUFFER_POOLS,
    ),
    UnsupportedCommand(
        "ALTER",
        "BUFFPOOL",
        Naming.EXACT,
        ("BUFFERS", "LOC", "LOCATION", "PAGECLAS"),
        _NO_BUFFER_POOLS,
    ),
    UnsupportedCommand("DELETE", "BUFFPOOL", Naming.EXACT, (), _NO_BUFFER_POOLS),
    UnsupportedCommand(
        "DEFINE", "PSID", Naming.EXACT, ("BUFFPOOL", "DSN", "EXPAND"), _NO_PAGE_SETS
    ),
    UnsupportedCommand("ALTER", "PSID", Naming.EXACT, ("EXPAND",), _NO_PAGE_SETS),
    UnsupportedCommand("DELETE", "PSID", Naming.EXACT, (), _NO_PAGE_SETS),
    UnsupportedCommand(
        "DISPLAY", "USAGE", Naming.NONE, ("ALL", "CMDSCOPE", "PSID", "TYPE", "WHERE"), _NO_PAGE_SETS
    ),
    UnsupportedCommand(
        "ARCHIVE",
        "LOG",
        Naming.NONE,
        ("CANCEL", "CMDSCOPE", "MODE", "OFFLOAD", "TIME", "WAIT"),
        _LOG_OF_SQLITE,
    ),
    UnsupportedCommand("DEFINE", "LOG", Naming.EXACT, ("CMDSCOPE", "COPY"), _LOG_OF_SQLITE),
    UnsupportedCommand(
        "DISPLAY", "LOG", Naming.NONE, ("ALL", "CMDSCOPE", "COMMANDS", "WHERE"), _LOG_OF_SQLITE
    ),
    UnsupportedCommand(
        "DISPLAY", "ARCHIVE", Naming.NONE, ("ALL", "CMDSCOPE", "WHERE"), _LOG_OF_SQLITE
    ),
    UnsupportedCommand("RECOVER", "BSDS", Naming.NONE, ("CMDSCOPE",), _LOG_OF_SQLITE),
    UnsupportedCommand(
        "SET",
        "LOG",
        Naming.NONE,
        (
            "ARCHIVED",
            "CMDSCOPE",
            "COMPLOG",
            "DEALLCT",
            "DEFAULT",
            "MAXARCH",
            "MAXCNOFF",
            "MAXRTU",
            "WRTHRSH",
            "ZHYLINK",
            "ZHYWRITE",
        ),
        _LOG_OF_SQLITE,
    ),
    UnsupportedCommand(
        "SET",
        "ARCHIVE",
        Naming.NONE,
        (
            "ALCUNIT",
            "ARCPFX1",
            "ARCPFX2",
            "ARCRETN",
            "ARCWRTC",
            "ARCWTOR",
            "BLKSIZE",
            "CATALOG",
            "CMDSCOPE",
            "COMPACT",
            "DEFAULT",
            "PRIQTY",
            "PROTECT",
            "QUIESCE",
            "SECQTY",
            "TSTAMP",
            "UNIT",
            "UNIT2",
        ),
        _LOG_OF_SQLITE,
    ),
    UnsupportedCommand("DEFINE", "MAXSMSGS", Naming.EXACT, ("CMDSCOPE",), _MAXUMSGS),
    UnsupportedCommand("DISPLAY", "MAXSMSGS", Naming.NONE, ("ALL", "CMDSCOPE", "WHERE"), _MAXUMSGS),
    UnsupportedCommand(
        "BACKUP", "CFSTRUCT", Naming.EXACT, ("CMDSCOPE", "EXCLINT"), _NO_COUPLING_FACILITY
    ),
    UnsupportedCommand(
        "RECOVER", "CFSTRUCT", Naming.SEVERAL, ("CMDSCOPE", "TYPE"), _NO_COUPLING_FACILITY
    ),
    UnsupportedCommand("RESET", "CFSTRUCT", Naming.EXACT, ("ACTION",), _NO_COUPLING_FACILITY),
    UnsupportedCommand(
        "ALTER", "SMDS", Naming.EXACT, ("CFSTRUCT", "DSBUFS", "DSEXPAND"), _NO_COUPLING_FACILITY
    ),
    UnsupportedCommand(
        "DISPLAY",
        "SMDS",
        Naming.GENERIC,
        ("ALL", "CFSTRUCT", "DSBUFS", "DSEXPAND", "SMDS", "WHERE"),
        _NO_COUPLING_FACILITY,
    ),
    UnsupportedCommand(
        "RESET", "SMDS", Naming.EXACT, ("ACCESS", "CFSTRUCT", "STATUS"), _NO_COUPLING_FACILITY
    ),
    UnsupportedCommand(
        "DISPLAY",
        "SMDSCONN",
        Naming.GENERIC,
        ("ALL", "AVAIL", "CFSTRUCT", "CMDSCOPE", "EXPANDST", "OPENMODE", "STATUS", "WHERE"),
        _NO_COUPLING_FACILITY,
    ),
    UnsupportedCommand(
        "START", "SMDSCONN", Naming.EXACT, ("CFSTRUCT", "CMDSCOPE"), _NO_COUPLING_FACILITY
    ),
    UnsupportedCommand(
        "STOP", "SMDSCONN", Naming.EXACT, ("CFSTRUCT", "CMDSCOPE"), _NO_COUPLING_FACILITY
    ),
    UnsupportedCommand(
        "RESET",
        "TPIPE",
        Naming.EXACT,
        ("ACTION", "CMDSCOPE", "RCVSEQ", "SENDSEQ", "XCFGNAME", "XCFMNAME"),
        "there is no IMS bridge",
    ),
    UnsupportedCommand(
        "ALTER",
        "TRACE",
        Naming.OPTIONAL,
        ("CLASS", "CMDSCOPE", "COMMENT", "IFCID", "TNO"),
        _NO_TRACE,
    ),
    UnsupportedCommand(
        "DISPLAY",
        "TRACE",
        Naming.OPTIONAL,
        ("ALL", "CLASS", "CMDSCOPE", "COMMENT", "DEST", "DETAIL", "RMID", "TNO", "USERID", "WHERE"),
        _NO_TRACE,
    ),
    UnsupportedCommand(
        "START",
        "TRACE",
        Naming.OPTIONAL,
        (
            "ACCTG",
            "CHINIT",
            "CLASS",
            "CMDSCOPE",
            "COMMENT",
            "DEST",
            "GLOBAL",
            "IFCID",
            "RMID",
            "STAT",
            "TDATA",
            "USERID",
        ),
        _NO_TRACE,
    ),
    UnsupportedCommand(
        "STOP",
        "TRACE",
        Naming.OPTIONAL,
        ("CLASS", "CMDSCOPE", "COMMENT", "DEST", "RMID", "TNO", "USERID"),
        _NO_TRACE,
    ),
    UnsupportedCommand(
        "DISPLAY",
        "SYSTEM",
        Naming.NONE,
        ("ACELIM", "ALL", "CLCACHE", "CMDSCOPE", "SPLCAP", "WHERE"),
        _NO_SYSTEM_PARAMETERS,
    ),
    UnsupportedCommand(
        "SET",
        "SYSTEM",
        Naming.NONE,
        (
            "ACCTIME",
            "ACELIM",
            "CMDSCOPE",
            "DEFAULT",
            "EXCLMSG",
            "LOGLOAD",
            "SERVICE",
            "STATIME",
            "TRACTBL",
        ),
        _NO_SYSTEM_PARAMETERS,
    ),
    UnsupportedCommand(
        "DISPLAY",
        "THREAD",
        Naming.GENERIC,
        ("ALL", "CMDSCOPE", "QMNAME", "TYPE", "WHERE"),
        "there are no threads of other address spaces; DISPLAY CONN shows the connections",
    ),
    UnsupportedCommand(
        "RESOLVE",
        "INDOUBT",
        Naming.EXACT,
        ("ACTION", "CMDSCOPE", "NID", "QMNAME"),
        "no coordinator can leave a unit of work in doubt; RESOLVE CHANNEL is for the batches of channels",
    ),
    UnsupportedCommand(
        "ALTER", "SECURITY", Naming.NONE, ("CMDSCOPE", "INTERVAL", "TIMEOUT"), _NOTHING_CACHED
    ),
    UnsupportedCommand(
        "DISPLAY",
        "SECURITY",
        Naming.NONE,
        ("ALL", "CMDSCOPE", "INTERVAL", "SWITCHES", "TIMEOUT"),
        _NOTHING_CACHED,
    ),
    UnsupportedCommand("RVERIFY", "SECURITY", Naming.SEVERAL, ("CMDSCOPE",), _NOTHING_CACHED),
    UnsupportedCommand(
        "DISPLAY", "AUTHSERV", Naming.NONE, ("ALL", "IFVER", "UIDSUPP", "WHERE"), _NOTHING_CACHED
    ),
    UnsupportedCommand(
        "START",
        "QMGR",
        Naming.NONE,
        ("AMSPROD", "BACKMIG", "ENVPARM", "PARM", "QMGRPROD"),
        _STARTED_FROM_OUTSIDE,
    ),
    UnsupportedCommand("STOP", "QMGR", Naming.NONE, ("CMDSCOPE", "MODE"), _STARTED_FROM_OUTSIDE),
    UnsupportedCommand(
        "SET",
        "POLICY",
        Naming.EXACT,
        ("ACTION", "ENCALG", "ENFORCE", "KEYREUSE", "RECIP", "SIGNALG", "SIGNER", "TOLERATE"),
        _NO_POLICIES,
    ),
    UnsupportedCommand("DISPLAY", "POLICY", Naming.GENERIC, ("ALL", "WHERE"), _NO_POLICIES),
    UnsupportedCommand("DELETE", "POLICY", Naming.EXACT, ("IGNSTATE",), _NO_POLICIES),
    UnsupportedCommand(
        "PURGE",
        "CHANNEL",
        Naming.EXACT,
        ("CHLTYPE", "CLIENTID"),
        "MQTT clients cannot connect here",
    ),
)
# What is special about commands that are accepted.
ACCEPTED: Mapping[tuple[str, str], tuple[Effect, str]] = {
    ("CLEAR", "TOPICSTR"): (
        Effect.DONE,
        "removes the retained publications of the topic strings that match; there may be none",
    ),
    ("DISPLAY", "CHINIT"): (
        Effect.DONE,
        "lists the programs that have an initiation queue of channels open",
    ),
    ("DISPLAY", "CMDSERV"): (Effect.DONE, "RUNNING, or STOPPED after STOP CMDSERV"),
    ("DISPLAY", "LSSTATUS"): (
        Effect.DONE,
        "listeners that were started, by START or with the queue manager; no program runs for them",
    ),
    ("DISPLAY", "SVSTATUS"): (
        Effect.DONE,
        "services of type SERVER that were started, by START or with the queue manager; no program runs for them",
    ),
    ("DISPLAY", "CLUSQMGR"): (Effect.DONE, _NO_CLUSTERS),
    ("DISPLAY", "QCLUSTER"): (Effect.DONE, _NO_CLUSTERS),
    ("DISPLAY", "TCLUSTER"): (Effect.DONE, _NO_CLUSTERS),
    ("DISPLAY", "PUBSUB"): (
        Effect.DONE,
        "of this queue manager alone; subscriptions and topic strings are counted",
    ),
    ("DISPLAY", "CFSTATUS"): (Effect.DONE, "TYPE(SUMMARY) and TYPE(CONNECT)"),
    ("DISPLAY", "GROUP"): (Effect.DONE, "the members of the queue-sharing group"),
    ("DISPLAY", "APSTATUS"): (
        Effect.DONE,
        "lists connections by application; connections are not balanced",
    ),
    ("PING", "CHANNEL"): (Effect.DONE, "sends no data: it finds the partner and checks its end"),
    ("REFRESH", "CLUSTER"): (Effect.NOTHING, _NO_REPOSITORY),
    ("REFRESH", "QMGR"): (
        Effect.DONE,
        "TYPE(EXPIRY) scans; TYPE(CONFIGEV) raises events; TYPE(PROXYSUB) does nothing",
    ),
    ("REFRESH", "SECURITY"): (
        Effect.NOTHING,
        "Records, users and CONNAUTH take effect at once, and no certificate is used here; "
        "groups of the operating system are read again.",
    ),
    ("RESET", "CLUSTER"): (Effect.NOTHING, _NO_REPOSITORY),
    ("RESET", "QMGR"): (
        Effect.NOTHING,
        "There are no statistics records, log extents or hierarchies here.",
    ),
    ("RESUME", "QMGR"): (Effect.NOTHING, _NO_REPOSITORY),
    ("SUSPEND", "QMGR"): (Effect.NOTHING, _NO_REPOSITORY),
    ("START", "CHANNEL"): (
        Effect.DONE,
        "runs while `runmqchi` or `mqsc serve` does, or by `mqsc channel run`",
    ),
    ("START", "CHINIT"): (
        Effect.DONE,
        "starts nothing: `runmqchi` and `mqsc serve` are the channel initiators",
    ),
    ("START", "CMDSERV"): (
        Effect.DONE,
        "The commands that waited on SYSTEM.ADMIN.COMMAND.QUEUE are performed.",
    ),
    ("START", "LISTENER"): (
        Effect.RECORDED,
        "No listener runs here: programs open the store directly.",
    ),
    ("START", "SERVICE"): (
        Effect.RECORDED,
        f"Services do not run here: no program will be started. {WHAT_RUNS}.",
    ),
    ("STOP", "CHINIT"): (Effect.DONE, "stops the channels; the initiators continue"),
    ("STOP", "CMDSERV"): (
        Effect.DONE,
        "Commands wait on SYSTEM.ADMIN.COMMAND.QUEUE until START CMDSERV.",
    ),
    ("STOP", "LISTENER"): (Effect.RECORDED, "Only its state changes: no program was listening."),
    ("STOP", "SERVICE"): (Effect.RECORDED, "Only its state changes: no program was running."),
}
UNSUPPORTED: Mapping[tuple[str, str], UnsupportedCommand] = {
    (command.verb, command.noun): command for command in REFUSED
}


def unsupported_here(request: Request) -> str:
    """Why a command is skipped when the user wants to skip what is not supported here; blank if
    it is supported.
    """
    row = UNSUPPORTED.get((request.verb, request.noun))
    return "" if row is None else f"not supported here: {row.sentence}"
