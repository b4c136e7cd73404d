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
    return shown(keyword, type, help, hidden=True, **more)


TOPIC = make_kind(
    "TOPIC",
    (
        defined("TYPE", Word(("LOCAL",)), "LOCAL", "Whether the topic is defined on this queue manager.", leading=True,
                display_filter=Word(("LOCAL", "CLUSTER", "ALL"))),
        fixed("TOPICSTR", _LONG_TEXT, "", "The topic string of the object; no two objects have the same one.",
              required=True),
        common.DESCR,
        _inherited("CAPEXPRY", Number(0, MOST, {"ASPARENT": -2, "NOLIMIT": -1}),
                   "The maximum lifetime of a publication, in tenths of a second."),
        defined("CLROUTE", Word(("DIRECT", "TOPICHOST")), "DIRECT", "How publications are routed in the cluster."),
        common.CLUSTER,
        defined("COMMINFO", Name(48, "comminfo"), "", "The communication information object for multicast."),
        defined("CUSTOM", Custom(), "", "Settings of features that have no attribute of their own, as NAME(VALUE)."),
        _inherited("DEFPRTY", Number(0, 9, {"ASPARENT": -2}),
                   "The priority of publications put with the default priority."),
        _inherited("DEFPSIST", Word(("ASPARENT", "NO", "YES")),
                   "Whether publications put with the default persistence survive a restart."),
        _inherited("DEFPRESP", Word(("ASPARENT", "SYNC", "ASYNC")),
                   "The response type of puts that use the default: synchronous or asynchronous."),
        _inherited("DURSUB", _INHERITED_YES, "Whether durable subscriptions are allowed."),
        _inherited("MCAST", Word(("ASPARENT", "ENABLED", "DISABLED", "ONLY")), "Whether multicast is used."),
        defined("MDURMDL", _MODEL_NAME, "", "The model queue for managed durable subscriptions."),
        defined("MNDURMDL", _MODEL_NAME, "", "The model queue for managed non-durable subscriptions."),
        _inherited("NPMSGDLV", _DELIVERY, "Which subscribers a non-persistent publication must reach."),
        _inherited("PMSGDLV", _DELIVERY, "Which subscribers a persistent publication must reach."),
        defined("PROXYSUB", Word(("FIRSTUSE", "FORCE")), "FIRSTUSE",
                "When proxy subscriptions are sent to neighbouring queue managers."),
        _inherited("PUB", _INHERITED_SWITCH, "Whether publishing is allowed."),
        _inherited("PUBSCOPE", _INHERITED_SCOPE, "Whether publications are sent to other queue managers."),
        _inherited("SUB", _INHERITED_SWITCH, "Whether subscribing is allowed."),
        _inherited("SUBSCOPE", _INHERITED_SCOPE,
                   "Whether subscriptions apply to publications of other queue managers."),
        _inherited("USEDLQ", _INHERITED_YES, "Whether undeliverable publications go to the dead-letter queue."),
        defined("WILDCARD", Word(("PASSTHRU", "BLOCK")), "PASSTHRU",
                "Whether wildcard subscriptions made above this topic receive publications to topics below it."),
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

COMMINFO = make_kind(
    "COMMINFO",
    (
        defined("TYPE", Word(("MULTICAST",)), "MULTICAST", "The kind of communication.", leading=True),
        defined("BRIDGE", Word(("ENABLED", "DISABLED")), "ENABLED",
                "Whether publications of applications that do not use multicast are bridged to those that do."),
        defined("CCSID", Number(1, 65_535, {"ASPUB": -4}), "ASPUB", "The CCSID in which messages are sent."),
        defined("COMMEV", Word(("DISABLED", "ENABLED", "EXCEPTION")), "DISABLED",
                "Whether multicast handles cause event messages."),
        common.DESCR,
        defined("ENCODING", Number(0, MOST, {"ASPUB": -1, "NORMAL": 273, "REVERSED": 546, "S390": 785, "TNS": 1041}),
                "ASPUB", "The encoding in which messages are sent."),
        defined("GRPADDR", Text(264), "239.0.0.0", "The IP address or DNS name of the multicast group."),
        defined("MCHBINT", Number(0, 999_999), 2000, "The interval between heartbeats, in milliseconds."),
        defined("MCPROP", Word(("ALL", "REPLY", "USER", "NONE", "COMPAT")), "ALL",
                "Which properties are sent with a message."),
        defined("MONINT", Number(0, 999_999), 60,
                "How often monitoring information is updated and events are caused, in seconds."),
        defined("MSGHIST", Number(0, MOST), 100, "The size of the history kept for retransmissions, in kilobytes."),
        defined("NSUBHIST", Word(("NONE", "ALL")), "NONE", "How much of the history new subscribers receive."),
        defined("PORT", Number(0, 65_535), 1414, "The port of the multicast transmission."),
        *common.ALTERED_AT,
    ),
    "COMMINFO TYPE BRIDGE CCSID COMMEV DESCR ENCODING GRPADDR MCHBINT MCPROP MONINT MSGHIST NSUBHIST PORT ALTDATE"
    " ALTTIME",
    synonyms=(),
    namespace="comminfo",
    heading_id="MQSC0002I",
    heading="Display communication information details.",
    key=("COMMINFO", "TYPE"),
    platform="multi",
)  # fmt: skip

SUB = make_kind(
    "SUB",
    (
        fixed("TOPICSTR", _LONG_TEXT, "",
              "The topic string of the subscription, relative to TOPICOBJ if that is given."),
        fixed("TOPICOBJ", Name(48, "TOPIC"), "", "The topic object of the subscription."),
        defined("DEST", QUEUE_NAME, "", "The destination queue of publications."),
        fixed("DESTCLAS", Word(("PROVIDED", "MANAGED")), "PROVIDED",
              "Whether the destination is DEST or a managed queue."),
        defined("DESTCORL", Hex(48), "", "The correlation identifier of the messages put to DEST."),
        defined("DESTQMGR", Name(48, "queue manager"), "", "The queue manager of DEST."),
        defined("EXPIRY", Number(0, MOST, {"UNLIMITED": -1}), "UNLIMITED",
                "The lifetime of the subscription, in tenths of a second."),
        defined("PSPROP", Word(("MSGPROP", "NONE", "COMPAT", "RFH2")), "MSGPROP",
                "How publish/subscribe properties are added to messages."),
        defined("PUBACCT", Hex(64), "", "The accounting token of the messages put to DEST."),
        defined("PUBAPPID", Text(32), "", "The application identity data of the messages put to DEST."),
        defined("PUBPRTY", Number(0, 9, {"ASPUB": -3, "ASQDEF": -1}), "ASPUB",
                "The priority of the messages put to DEST."),
        defined("REQONLY", YES_NO, "NO", "Whether publications are delivered only on request."),
        fixed("SELECTOR", _LONG_TEXT, "", "The selector that publications must match."),
        fixed("SUBLEVEL", Number(0, 9), 1, "The level of the subscription; higher levels receive publications first."),
        fixed("SUBSCOPE", Word(("ALL", "QMGR")), "ALL", "Whether publications of other queue managers are delivered."),
        defined("SUBUSER", Text(12), "", "The user whose authority is checked for DEST."),
        defined("USERDATA", _LONG_TEXT, "", "Text delivered with each publication."),
        defined("VARUSER", Word(("ANY", "FIXED")), "ANY", "Whether other users may take over the subscription."),
        fixed("WSCHEMA", Word(("TOPIC", "CHAR")), "TOPIC", "How wildcards in the topic string are interpreted."),
        shown("SUBID", Hex(48), "The internal identifier of the subscription.", "0" * 48, display_filter=Hex(48)),
        shown("DURABLE", YES_NO,
              "Whether the subscription outlives the program.", "YES", display_filter=Word(("ALL", "YES", "NO"))),
        shown("SUBTYPE", Word(("USER", "ADMIN", "API", "PROXY")), "How the subscription was created.", "ADMIN",
              display_filter=Word(("USER", "ADMIN", "API", "PROXY", "ALL"))),
        shown("SELTYPE", Word(("NONE", "STANDARD", "EXTENDED")), "The kind of selector.", "NONE"),
        shown("DISTYPE", Word(("RESOLVED", "DEFINED")),
              "Whether DISPLAY shows resolved or defined values.", option=True),
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
