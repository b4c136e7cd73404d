"""The selectors of MQINQ and MQSET: a row for each MQIA or MQCA number (mqi-semantics §5).

A row maps the selector to the attribute's keyword and gives the MQ number of each word. To add a selector, add its row.
The selectors of the queue manager are in `selectors_queue_manager`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from store.constants import MQCA, MQIA, MQRC

# The numbers of words that many attributes share: flags, and MQMON values.
COMMON = {"NO": 0, "YES": 1, "DISABLED": 0, "ENABLED": 1, "OFF": 0, "ON": 1, "LOW": 17, "MEDIUM": 33, "HIGH": 65}
MONITORING = {**COMMON, "NONE": -1, "QMGR": -3}
_INHIBITED = {"ENABLED": 0, "DISABLED": 1}
NAME = 48
DATE, TIME = 12, 8


class Selector(Struct, frozen=True):
    """A selector: the keyword of its attribute and, for a text, the length of its field.

    `column` names a column of the queue that holds the current value, where it can differ from the definition.
    `refusal` is the MQRC for a value that MQSET does not accept; 0 when MQSET cannot change the attribute at all.
    """

    number: int
    keyword: str
    length: int = 0
    words: Mapping[str, int] = field(default_factory=lambda: COMMON)
    column: str = ""
    refusal: int = 0

    @property
    def not_applicable(self) -> int | str:
        """The value for an object of a type without this attribute (2068): -1, or asterisks."""
        return "*" * self.length if self.length else -1


def number(
    member: str, keyword: str, words: Mapping[str, int] | None = None, *, column: str = "", refusal: int = 0
) -> Selector:
    """A row for MQIA_`member`."""
    return Selector(int(MQIA[member]), keyword, 0, COMMON if words is None else words, column, refusal)


def text(member: str, keyword: str, length: int = NAME, *, refusal: int = 0) -> Selector:
    """A row for MQCA_`member`, a field of that many bytes."""
    return Selector(int(MQCA[member]), keyword, length, refusal=refusal)


def by_number(*rows: Iterable[Selector]) -> dict[int, Selector]:
    """Rows by their selector."""
    return {row.number: row for some in rows for row in some}


ALTERED = (text("ALTERATION_DATE", "ALTDATE", DATE), text("ALTERATION_TIME", "ALTTIME", TIME))
CREATED = (text("CREATION_DATE", "CRDATE", DATE), text("CREATION_TIME", "CRTIME", TIME))

# The reason for a wrong value; of a text, for one that is too long.
_SET = (
    number("INHIBIT_GET", "GET", _INHIBITED, refusal=MQRC.INHIBIT_VALUE_ERROR),
    number("INHIBIT_PUT", "PUT", _INHIBITED, refusal=MQRC.INHIBIT_VALUE_ERROR),
    # No reason is documented for a wrong one.
    number("DIST_LISTS", "DISTL", refusal=MQRC.INHIBIT_VALUE_ERROR),
    number("TRIGGER_CONTROL", "TRIGGER", {"NOTRIGGER": 0, "TRIGGER": 1}, refusal=MQRC.TRIGGER_CONTROL_ERROR),
    number(
        "TRIGGER_TYPE", "TRIGTYPE", {"NONE": 0, "FIRST": 1, "EVERY": 2, "DEPTH": 3}, refusal=MQRC.TRIGGER_TYPE_ERROR
    ),
    number("TRIGGER_DEPTH", "TRIGDPTH", refusal=MQRC.TRIGGER_DEPTH_ERROR),
    number("TRIGGER_MSG_PRIORITY", "TRIGMPRI", refusal=MQRC.TRIGGER_MSG_PRIORITY_ERR),
    text("TRIGGER_DATA", "TRIGDATA", 64, refusal=MQRC.CHAR_ATTR_LENGTH_ERROR),
)

_QUEUE_NUMBERS = (
    number("ACCOUNTING_Q", "ACCTQ", MONITORING),
    number("BACKOUT_THRESHOLD", "BOTHRESH"),
    number("BASE_TYPE", "TARGTYPE", {"QUEUE": 1, "TOPIC": 8}),
    number("CAP_EXPIRY", "CAPEXPRY"),
    number("CLWL_Q_PRIORITY", "CLWLPRTY"),
    number("CLWL_Q_RANK", "CLWLRANK"),
    number("CLWL_USEQ", "CLWLUSEQ", {"LOCAL": 0, "ANY": 1, "QMGR": -3}),
    number("CURRENT_Q_DEPTH", "CURDEPTH"),
    number("DEFINITION_TYPE", "DEFTYPE", {"PREDEFINED": 1, "PERMDYN": 2, "TEMPDYN": 3, "SHAREDYN": 4}),
    number("DEF_BIND", "DEFBIND", {"OPEN": 0, "NOTFIXED": 1, "GROUP": 2}),
    number("DEF_INPUT_OPEN_OPTION", "DEFSOPT", {"SHARED": 2, "EXCL": 4}),
    number("DEF_PERSISTENCE", "DEFPSIST"),
    number("DEF_PRIORITY", "DEFPRTY"),
    number("DEF_PUT_RESPONSE_TYPE", "DEFPRESP", {"SYNC": 1, "ASYNC": 2}),
    number("DEF_READ_AHEAD", "DEFREADA", {"NO": 0, "YES": 1, "DISABLED": 2}),
    number("HARDEN_GET_BACKOUT", "HARDENBO", {"NOHARDENBO": 0, "HARDENBO": 1}),
    number("INDEX_TYPE", "INDXTYPE", {"NONE": 0, "MSGID": 1, "CORRELID": 2, "MSGTOKEN": 4, "GROUPID": 5}),
    number("MAX_MSG_LENGTH", "MAXMSGL"),
    number("MAX_Q_DEPTH", "MAXDEPTH"),
    number("MAX_Q_FILE_SIZE", "MAXFSIZE"),
    number("MEDIA_IMAGE_RECOVER_Q", "IMGRCOVQ", {"NO": 0, "YES": 1, "QMGR": 2}),
    number("MONITORING_Q", "MONQ", MONITORING),
    number("MSG_DELIVERY_SEQUENCE", "MSGDLVSQ", {"PRIORITY": 0, "FIFO": 1}),
    number("NPM_CLASS", "NPMCLASS", {"NORMAL": 0, "HIGH": 10}),
    number("OPEN_INPUT_COUNT", "IPPROCS"),
    number("OPEN_OUTPUT_COUNT", "OPPROCS"),
    number("PROPERTY_CONTROL", "PROPCTL", {"COMPAT": 0, "NONE": 1, "ALL": 2, "FORCE": 3, "V6COMPAT": 4}),
    number("Q_DEPTH_HIGH_EVENT", "QDPHIEV", column="high_event"),
    number("Q_DEPTH_HIGH_LIMIT", "QDEPTHHI"),
    number("Q_DEPTH_LOW_EVENT", "QDPLOEV", column="low_event"),
    number("Q_DEPTH_LOW_LIMIT", "QDEPTHLO"),
    number("Q_DEPTH_MAX_EVENT", "QDPMAXEV", column="full_event"),
    number("Q_SERVICE_INTERVAL", "QSVCINT"),
    number("Q_SERVICE_INTERVAL_EVENT", "QSVCIEV", {"NONE": 0, "HIGH": 1, "OK": 2}, column="service_event"),
    number("Q_TYPE", "TYPE", {"QLOCAL": 1, "QMODEL": 2, "QALIAS": 3, "QREMOTE": 6}),
    number("RETENTION_INTERVAL", "RETINTVL"),
    number("SCOPE", "SCOPE", {"QMGR": 1, "CELL": 2}),
    number("SHAREABILITY", "SHARE", {"NOSHARE": 0, "SHARE": 1}),
    number("STATISTICS_Q", "STATQ", MONITORING),
    number("STREAM_QUEUE_QOS", "STRMQOS", {"BESTEF": 0, "MUSTDUP": 1}),
    number("USAGE", "USAGE", {"NORMAL": 0, "XMITQ": 1}),
)
_QUEUE_TEXTS = (
    text("BACKOUT_REQ_Q_NAME", "BOQNAME"),
    text("BASE_Q_NAME", "TARGET"),
    text("CF_STRUC_NAME", "CFSTRUCT", 12),
    text("CLUSTER_NAME", "CLUSTER"),
    text("CLUSTER_NAMELIST", "CLUSNL"),
    text("CLUS_CHL_NAME", "CLCHNAME", 20),
    text("CUSTOM", "CUSTOM", 128),
    text("INITIATION_Q_NAME", "INITQ"),
    text("PROCESS_NAME", "PROCESS"),
    text("Q_DESC", "DESCR", 64),
    text("Q_NAME", "QUEUE"),
    text("REMOTE_Q_MGR_NAME", "RQMNAME"),
    text("REMOTE_Q_NAME", "RNAME"),
    text("STORAGE_CLASS", "STGCLASS", 8),
    text("STREAM_QUEUE_NAME", "STREAMQ"),
    text("XMIT_Q_NAME", "XMITQ"),
)

QUEUE: Mapping[int, Selector] = by_number(_SET, _QUEUE_NUMBERS, _QUEUE_TEXTS, ALTERED, CREATED)
PROCESS: Mapping[int, Selector] = by_number(
    (
        number("APPL_TYPE", "APPLTYPE"),
        text("APPL_ID", "APPLICID", 256),
        text("ENV_DATA", "ENVRDATA", 128),
        text("PROCESS_DESC", "DESCR", 64),
        text("PROCESS_NAME", "PROCESS"),
        text("USER_DATA", "USERDATA", 128),
    ),
    ALTERED,
)
NAMELIST: Mapping[int, Selector] = by_number(
    (
        number("NAMELIST_TYPE", "NLTYPE", {"NONE": 0, "QUEUE": 1, "CLUSTER": 2, "AUTHINFO": 4}),
        # As long as the number of names requires, 48 bytes each.
        number("NAME_COUNT", "NAMES", {}),
        text("NAMES", "NAMES"),
        text("NAMELIST_DESC", "DESCR", 64),
        text("NAMELIST_NAME", "NAMELIST"),
    ),
    ALTERED,
)
