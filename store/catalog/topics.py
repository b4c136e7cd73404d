"""The attributes of topics and subscriptions."""

from __future__ import annotations

from typing import Any

from store.catalog import common
from store.catalog.attribute import Attribute, defined, fixed, shown
from store.catalog.common import MOST, QUEUE_NAME, YES_NO
from store.catalog.kind import make_kind
from store.catalog.types import Custom, Hex, Name, Number, Text, Type, Word

_LONG_TEXT = Text(10_240, varying=True)
_MODEL_NAME = Name(48, "QMODEL")
_INHERITED_SWITCH = Word(("ASPARENT", "ENABLED", "DISABLED"))
_INHERITED_YES = Word(("ASPARENT", "YES", "NO"))
_INHERITED_SCOPE = Word(("ASPARENT", "ALL", "QMGR"))
_DELIVERY = Word(("ASPARENT", "ALL", "ALLAVAIL", "ALLDUR"))


def _inherited(keyword: str, type: Type, help: str) -> Attribute:
    return defined(keyword, type, "ASPARENT", help)


def _asked(keyword: str, type: Type, help: str, **more: Any) -> Attribute:
    return shown(keyword, type, help, quiet=True, **more)


TOPIC = make_kind(
    "TOPIC",
    (
        defined("TYPE", Word(("LOCAL",)), "LOCAL", "Whether the object is defined here.", leading=True,
                chooser=Word(("LOCAL", "CLUSTER", "ALL"))),
        fixed("TOPICSTR", _LONG_TEXT, "", "The topic string the object stands at; no two objects share one.",
              required=True),
        common.DESCR,
        _inherited("CAPEXPRY", Number(0, MOST, {"ASPARENT": -2, "NOLIMIT": -1}),
                   "Most tenths of a second that a publication may live."),
        defined("CLROUTE", Word(("DIRECT", "TOPICHOST")), "DIRECT", "How publications travel in the cluster."),
        common.CLUSTER,
        defined("COMMINFO", Name(48, "comminfo"), "", "The multicast object it uses."),
        defined("CUSTOM", Custom(), "", "Features without an attribute of their own, as NAME(VALUE)."),
        _inherited("DEFPRTY", Number(0, 9, {"ASPARENT": -2}), "Priority of a publication put with the default."),
        _inherited("DEFPSIST", Word(("ASPARENT", "NO", "YES")), "Whether a publication put with the default persists."),
        _inherited("DEFPRESP", Word(("ASPARENT", "SYNC", "ASYNC")), "How a put that leaves it open is answered."),
        _inherited("DURSUB", _INHERITED_YES, "Whether durable subscriptions are allowed."),
        _inherited("MCAST", Word(("ASPARENT", "ENABLED", "DISABLED", "ONLY")), "Whether multicast is used."),
        defined("MDURMDL", _MODEL_NAME, "", "The model of queues for managed durable subscriptions."),
        defined("MNDURMDL", _MODEL_NAME, "", "The model of queues for managed non-durable subscriptions."),
        _inherited("NPMSGDLV", _DELIVERY, "Which subscribers a non-persistent publication must reach."),
        _inherited("PMSGDLV", _DELIVERY, "Which subscribers a persistent publication must reach."),
        defined("PROXYSUB", Word(("FIRSTUSE", "FORCE")), "FIRSTUSE", "When neighbours are told of interest."),
        _inherited("PUB", _INHERITED_SWITCH, "Whether publishing is allowed."),
        _inherited("PUBSCOPE", _INHERITED_SCOPE, "How far publications travel."),
        _inherited("SUB", _INHERITED_SWITCH, "Whether subscribing is allowed."),
        _inherited("SUBSCOPE", _INHERITED_SCOPE, "How far subscriptions travel."),
        _inherited("USEDLQ", _INHERITED_YES, "Whether undeliverable publications go to the dead-letter queue."),
        defined("WILDCARD", Word(("PASSTHRU", "BLOCK")), "PASSTHRU",
                "Whether wildcard subscriptions above it see publications below."),
        _asked("CLSTATE", Word(("ACTIVE", "PENDING", "INVALID", "ERROR")), "The state of a clustered topic."),
        *common.CLUSTER_FACTS,
        *common.GROUP_OPTIONS,
        *common.ALTERED_AT,
    ),
    "TOPIC TYPE TOPICSTR DESCR CLROUTE CLUSTER DURSUB PUB SUB DEFPSIST DEFPRTY DEFPRESP ALTDATE ALTTIME PMSGDLV"
    " NPMSGDLV PUBSCOPE SUBSCOPE PROXYSUB WILDCARD MDURMDL MNDURMDL MCAST COMMINFO USEDLQ CAPEXPRY CUSTOM",
    synonyms=(),
    namespace="topic",
    default_objects={"": "SYSTEM.DEFAULT.TOPIC"},
    heading_id="AMQ8633I",
    heading="Display topic details.",
    key=("TOPIC", "TYPE"),
)  # fmt: skip

SUB = make_kind(
    "SUB",
    (
        fixed("TOPICSTR", _LONG_TEXT, "", "The topic string subscribed to, below TOPICOBJ where that is given."),
        fixed("TOPICOBJ", Name(48, "TOPIC"), "", "The topic object subscribed to."),
        defined("DEST", QUEUE_NAME, "", "The queue that publications go to."),
        fixed("DESTCLAS", Word(("PROVIDED", "MANAGED")), "PROVIDED", "Whether DEST is named or made."),
        defined("DESTCORL", Hex(48), "", "The correlation identifier of the messages put to DEST."),
        defined("DESTQMGR", Name(48, "queue manager"), "", "The queue manager of DEST."),
        defined("EXPIRY", Number(0, MOST, {"UNLIMITED": -1}), "UNLIMITED", "Tenths of a second it lives."),
        defined("PSPROP", Word(("MSGPROP", "NONE", "COMPAT", "RFH2")), "MSGPROP",
                "How publish/subscribe properties are given."),
        defined("PUBACCT", Hex(64), "", "The accounting token of the messages put to DEST."),
        defined("PUBAPPID", Text(32), "", "The application identity data of the messages put to DEST."),
        defined("PUBPRTY", Number(0, 9, {"ASPUB": -3, "ASQDEF": -1}), "ASPUB", "The priority of those messages."),
        defined("REQONLY", YES_NO, "NO", "Whether publications come on request only."),
        fixed("SELECTOR", _LONG_TEXT, "", "What a publication must match."),
        fixed("SUBLEVEL", Number(0, 9), 1, "Its level; higher levels intercept publications first."),
        fixed("SUBSCOPE", Word(("ALL", "QMGR")), "ALL", "Whether publications of other queue managers count."),
        defined("SUBUSER", Text(12), "", "The user whose authority is checked."),
        defined("USERDATA", _LONG_TEXT, "", "Text handed on with each publication."),
        defined("VARUSER", Word(("ANY", "FIXED")), "ANY", "Whether other users may take it over."),
        fixed("WSCHEMA", Word(("TOPIC", "CHAR")), "TOPIC", "How wildcards in the topic string are read."),
        shown("SUBID", Hex(48), "Its internal identifier.", "0" * 48, chooser=Hex(48)),
        shown("DURABLE", YES_NO, "Whether it outlives the program.", "YES", chooser=Word(("ALL", "YES", "NO"))),
        shown("SUBTYPE", Word(("USER", "ADMIN", "API", "PROXY")), "How it came to be.", "ADMIN",
              chooser=Word(("USER", "ADMIN", "API", "PROXY", "ALL"))),
        shown("SELTYPE", Word(("NONE", "STANDARD", "EXTENDED")), "What kind of selector it has.", "NONE"),
        shown("DISTYPE", Word(("RESOLVED", "DEFINED")), "Whether DISPLAY shows values as resolved.", option=True),
        common.CMDSCOPE,
        *common.ALTERED_AT,
        *common.CREATED_AT,
    ),
    "SUBID SUB TOPICSTR TOPICOBJ DEST DESTQMGR PUBAPPID SELECTOR SELTYPE USERDATA PUBACCT DESTCORL DESTCLAS DURABLE"
    " EXPIRY PSPROP PUBPRTY REQONLY SUBSCOPE SUBLEVEL SUBTYPE VARUSER WSCHEMA SUBUSER CRDATE CRTIME ALTDATE ALTTIME",
    _LONG_TEXT,
    synonyms=(),
    namespace="sub",
    default_objects={"": "SYSTEM.DEFAULT.SUB"},
    heading_id="AMQ8096I",
    heading="IBM MQ subscription inquired.",
    key=("SUBID", "SUB"),
)  # fmt: skip
