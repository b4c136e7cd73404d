"""What MQSC accepts here although nothing acts on it: objects, and attributes of objects that otherwise work.

Run, check, explain and docs/commands.md read this list. When something comes to have an effect, remove it here; a test
compares the list with the attributes that the product reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from mqsc.language.request import Request
from store.catalog import Attribute, Kind

QUEUES = ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL")


class InertAttributes(Struct, frozen=True):
    """Attributes of some kinds of object that are kept and displayed only; `sentence` says why."""

    kinds: tuple[str, ...]
    keywords: frozenset[str]
    sentence: str


# Kinds of object that are only kept and displayed, and why.
INERT_OBJECTS: Mapping[str, str] = {
    "COMMINFO": "publications are not delivered",
    "LISTENER": "no listener runs",
    "SERVICE": "no program is started",
    "STGCLASS": "there are no page sets",
    "SUB": "publications are not delivered",
    "TOPIC": "publications are not delivered",
}
# Types of channel that are only kept and displayed, and why.
_NO_CLIENT, _NO_CLUSTER = "clients do not connect through channels", "there are no clusters"
INERT_CHANNELS: Mapping[str, str] = {
    **dict.fromkeys(("SVRCONN", "CLNTCONN", "AMQP", "MQTT"), _NO_CLIENT),
    **dict.fromkeys(("CLUSSDR", "CLUSRCVR"), _NO_CLUSTER),
}
_NO_LDAP, _NO_CERTIFICATE = "users are not looked up in LDAP", "no certificate is used"
_INERT_AUTHENTICATION = {"IDPWLDAP": _NO_LDAP, "CRLLDAP": _NO_CERTIFICATE, "OCSP": _NO_CERTIFICATE}
# The same by kind of object: how a sentence names the kind, and the types.
INERT_TYPES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "CHANNEL": ("a channel", INERT_CHANNELS),
    "AUTHINFO": ("AUTHINFO", _INERT_AUTHENTICATION),
}
NO_AUTHORITY = "No authority is enforced here: records are only kept and displayed. File permissions protect the store."
INERT_RECORDS: Mapping[str, str] = {"AUTHREC": NO_AUTHORITY, "CHLAUTH": NO_AUTHORITY}
SETTING = frozenset({"DEFINE", "ALTER", "SET"})
# Kinds of object that work. Only their attributes are listed one by one.
WORKING = (*QUEUES, "QMGR", "PROCESS", "NAMELIST", "CFSTRUCT", "CHANNEL", "AUTHINFO")


def _of(sentence: str, kinds: tuple[str, ...], keywords: str) -> InertAttributes:
    return InertAttributes(kinds, frozenset(keywords.split()), sentence)


_QMGR, _CHANNEL = ("QMGR",), ("CHANNEL",)
_CLUSTERS = "there are no clusters here: queue managers in one store do not exchange definitions"
_RECORDS = "no accounting, statistics or trace messages are written here"
_GROUPS = "members of a queue-sharing group share one store here"
_NETWORK = "channels use no network here"
_TLS = "channels do not use TLS here"
_EXITS = "no exits are called here"
_CLIENTS = "clients do not connect through channels here"
INERT_ATTRIBUTES: tuple[InertAttributes, ...] = (
    _of(_CLUSTERS, _QMGR, "CLWLDATA CLWLEXIT CLWLLEN CLWLMRUC CLWLUSEQ DEFCLXQ REPOS REPOSNL"),
    _of(_CLUSTERS, QUEUES, "CLCHNAME CLUSNL CLUSTER CLWLPRTY CLWLRANK CLWLUSEQ DEFBIND"),
    _of("publications are not delivered here", _QMGR,
        "PARENT PSCLUS PSMODE PSNPMSG PSNPRES PSRTYCNT PSSYNCPT TREELIFE"),
    _of(_NETWORK, _QMGR,
        "ADOPTCHK ADOPTMCA DNSGROUP DNSWLM IPADDRV LSTRTMR LU62ARM LU62CHL LUGROUP LUNAME OPORTMAX OPORTMIN RCVTIME"
        " RCVTMIN RCVTTYPE REVDNS TCPCHL TCPKEEP TCPNAME TCPSTACK"),
    _of(_NETWORK, _CHANNEL,
        "BACKLOG BATCHHB KAINT LOCLADDR MODENAME PASSWORD PORT PROTOCOL TPNAME TRPTYPE USERID"),
    _of("the number of channels is not limited here", _QMGR, "ACTCHL MAXCHL"),
    _of("channel initiators are programs that you start here", _QMGR,
        "CHIADAPS CHIDISPS CHISERVP SCHINIT TRAXSTR TRAXTBL"),
    _of(_TLS, _QMGR,
        "CERTLABL CERTVPOL INITKEY KEYRPWD SSLCRLNL SSLCRYP SSLEV SSLFIPS SSLKEYR SSLRKEYC SSLTASKS SUITEB"),
    _of(_TLS, _CHANNEL, "CERTLABL SSLCAUTH SSLCIPH SSLKEYP SSLKEYR SSLPEER"),
    _of(_EXITS, _QMGR, "CHADEXIT"),
    _of(_EXITS, _CHANNEL, "MRDATA MREXIT MSGDATA MSGEXIT RCVDATA RCVEXIT SCYDATA SCYEXIT SENDDATA SENDEXIT"),
    _of(_CLIENTS, _CHANNEL,
        "AFFINITY AMQPKA CLNTWGHT DEFRECON JAASCFG MAXINST MAXINSTC QMNAME SHARECNV TMPMODEL TMPQPRFX TPROOT USECLTID"),
    _of(_CLUSTERS, _QMGR, "MONACLS STATACLS"),
    _of(_CLUSTERS, _CHANNEL, "CLUSNL CLUSTER CLWLPRTY CLWLRANK CLWLWGHT NETPRTY"),
    _of(_RECORDS, (*_QMGR, *_CHANNEL), "STATCHL"),
    _of("channels run in the program that starts them here", _CHANNEL, "AUTOSTART DEFCDISP MCANAME MCATYPE"),
    _of("messages are not encrypted here", _CHANNEL, "SPLPROT"),
    _of("channels do not compress messages here", _CHANNEL, "COMPHDR COMPMSG"),
    _of("no user is checked here", _CHANNEL, "MCAUSER PUTAUT"),
    _of("no user is checked here", _QMGR, "AUTHEVSC CHLAUTH SCYCASE"),
    _of("users and their passwords are those of the store here (`mqsc user`)", ("AUTHINFO",), "AUTHENMD"),
    _of("a refused connection is answered at once here", ("AUTHINFO",), "FAILDLAY"),
    _of("users are not looked up in LDAP here", ("AUTHINFO",),
        "AUTHORMD BASEDNG BASEDNU CLASSGRP CLASSUSR CONNAME FINDGRP GRPFIELD LDAPPWD LDAPUSER NESTGRP SECCOMM SHORTUSR"
        " USRFIELD"),
    _of("no certificate is used here", ("AUTHINFO",), "OCSPURL"),
    _of("these event messages are not written here", _QMGR, "BRIDGEEV LOGGEREV"),
    _of(_RECORDS, _QMGR,
        "ACCTCONO ACCTINT ACCTMQI ACCTQ ACTIVREC ACTVCONO ACTVTRC OTELPCTL OTELTRAC ROUTEREC STATINT STATMQI STATQ"),
    _of(_RECORDS, QUEUES, "OTELPCTL OTELTRAC STATQ"),
    _of("the log belongs to SQLite and records no media images", (*_QMGR, *QUEUES),
        "IMGINTVL IMGLOGLN IMGRCOVO IMGRCOVQ IMGSCHED"),
    _of(_GROUPS, _QMGR, "CERTQSGL CFCONLOS GROUPUR IGQAUT IGQUSER"),
    _of("there is no coupling facility here: the store keeps the messages", ("CFSTRUCT",),
        "CFCONLOS DSBLOCK DSBUFS DSEXPAND DSGROUP OFFLD1SZ OFFLD1TH OFFLD2SZ OFFLD2TH OFFLD3SZ OFFLD3TH OFFLOAD"
        " RECAUTO"),
    _of("there are no page sets here", QUEUES, "STGCLASS"),
    _of("every partner here takes message properties, so channels keep them", _CHANNEL, "PROPCTL"),
    _of("names are not published to a cell directory here", QUEUES, "SCOPE"),
    _of("the size of a queue is limited only by MAXDEPTH and the disk here", QUEUES, "MAXFSIZE"),
    _of("names in a namelist are not checked here", ("NAMELIST",), "NLTYPE"),
)  # fmt: skip

# Attributes of queues without effect on shared queues, and why.
INERT_ON_SHARED_QUEUES: Mapping[str, str] = {
    "QSVCIEV": "shared queues cause no service interval events, as in MQ",
    "NPMCLASS": "shared queues keep nonpersistent messages when queue managers end, as in MQ",
}

# Attributes that describe an object or are for programs to read, hints with which MQ gives the same results, and IGQ,
# which can only be DISABLED here.
NEUTRAL = frozenset("DESCR CUSTOM BOQNAME BOTHRESH RETINTVL HARDENBO DISTL DEFREADA IGQ NAMES".split())


def inert_because(kind: Kind, row: Attribute) -> str:
    """Why nothing acts on an attribute of an object that works; blank if something does."""
    return _inert_attributes(kind.keyword).get(row.keyword, "")


@cache
def _inert_attributes(kind: str) -> Mapping[str, str]:
    """The sentence for each attribute of a kind that has one."""
    return {keyword: each.sentence for each in INERT_ATTRIBUTES if kind in each.kinds for keyword in each.keywords}


def remarks(request: Request) -> Iterator[tuple[str, str]]:
    """What a command sets although nothing acts on it: (keyword, sentence); the keyword is blank for the object itself.

    There is one remark for each reason. Values that are the defaults are not remarked on.
    """
    if request.verb not in SETTING and (request.verb, request.noun) != ("DELETE", "AUTHREC"):
        return
    if request.noun in INERT_RECORDS:
        yield "", INERT_RECORDS[request.noun]
    elif request.noun in INERT_OBJECTS:
        yield "", f"Nothing acts on {request.noun} here: {INERT_OBJECTS[request.noun]}."
    elif request.noun in WORKING:
        kind, said = request.kind, set[str]()
        subtype = str(request.given.get(kind.selector, ""))
        named, types = INERT_TYPES.get(request.noun, ("", {}))
        if subtype in types:
            yield "", f"Nothing acts on {named} of type {subtype} here: {types[subtype]}."
            return
        inert = _inert_attributes(kind.keyword)
        if request.options.get("QSGDISP") == "SHARED":
            inert = {**INERT_ON_SHARED_QUEUES, **inert}
        for keyword, value in request.given.items():
            sentence = inert.get(keyword, "")
            if sentence and sentence not in said and value not in ("", [], kind.attributes[keyword].default_value()):
                said.add(sentence)
                yield keyword, f"{keyword} has no effect: {sentence}."
