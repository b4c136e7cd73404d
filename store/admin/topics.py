"""Topics and subscriptions: their status, and what their definitions must name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mqsc.store.admin.inquiring import check_running, inquire
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine.definitions import Attributes
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.topics.inheritance import effective_attributes
from mqsc.store.rules.topics.topic_strings import parents
from mqsc.store.rules.topics.wildcards import covers
from mqsc.store.sql import objects
from mqsc.store.sqlite.database import Transaction

TOPIC, SUB = KINDS["TOPIC"], KINDS["SUB"]
# Attributes inherited along the tree, in the order of DISPLAY.
_INHERITED = [word for word in STATUS_KINDS["TPSTATUS"].attributes if word in TOPIC.attributes]


def topic_status(
    qmgr: QueueManagerState, pattern: str, type: str = ""
) -> Iterator[DisplayedValues]:
    """DISPLAY TPSTATUS: the topic strings that objects and subscriptions name, and their parents,
    in order.

    + and # in the pattern are the wildcards of topics. TYPE(SUB) lists the subscriptions at each
    string; TYPE(PUB) lists nothing, because nothing is published. MQError 2059.
    """
    topics = {
        str(row["TOPICSTR"]): row
        for row in inquire(qmgr, (TOPIC,), "*")
        if row["TOPIC"] != TOPIC.default_object
    }
    own_subscriptions = [
        row for row in subscriptions(qmgr, "*") if row["SUB"] != SUB.default_object
    ]
    named = {*topics, *(str(row["TOPICSTR"]) for row in own_subscriptions)}
    strings = sorted(
        each
        for each in named | {up for name in named for up in parents(name)}
        if covers(pattern, each)
    )
    if type == "SUB":
        wanted = {str(row["SUB"]) for row in own_subscriptions if row["TOPICSTR"] in strings}
        yield from (row for row in subscription_status(qmgr, "*") if row["SUB"] in wanted)
    elif type != "PUB":
        counts = Counter(row["TOPICSTR"] for row in own_subscriptions)
        for string in strings:
            admin = topics[string]["TOPIC"] if string in topics else ""
            values = effective_attributes(topics, string, _INHERITED)
            counted = {"RETAINED": "NO", "PUBCOUNT": 0, "SUBCOUNT": counts[string]}
            yield {"TOPICSTR": string, "ADMIN": admin, **values, **counted}


def subscriptions(
    qmgr: QueueManagerState, pattern: str, *, resolved: bool = True
) -> Iterator[DisplayedValues]:
    """DISPLAY SUB: subscriptions by name; if `resolved`, TOPICSTR includes the string of
    TOPICOBJ.
    """
    strings: dict[str, str] = {}
    for subscription in inquire(qmgr, (SUB,), pattern):
        topic = str(subscription["TOPICOBJ"])
        if topic and resolved:
            if not strings:
                strings = {
                    str(each["TOPIC"]): str(each["TOPICSTR"])
                    for each in inquire(qmgr, (TOPIC,), "*")
                }
            subscription["TOPICSTR"] = "/".join(
                part for part in (strings.get(topic, ""), str(subscription["TOPICSTR"])) if part
            )
        yield subscription


def subscription_status(
    qmgr: QueueManagerState, pattern: str, type: str = ""
) -> Iterator[DisplayedValues]:
    """DISPLAY SBSTATUS: subscriptions by name; none has received a publication."""
    for row in subscriptions(qmgr, pattern):
        kept = {
            word: row[word]
            for word in ("SUBID", "SUB", "SUBUSER", "DURABLE", "SUBTYPE", "TOPICSTR")
        }
        yield {
            **kept,
            "RESMDATE": row["CRDATE"],
            "RESMTIME": row["CRTIME"],
            "LMSGDATE": "",
            "LMSGTIME": "",
            "ACTCONN": "0" * 48,
            "MCASTREL": "",
            "NUMMSGS": 0,
        }


def publish_subscribe_status(
    qmgr: QueueManagerState,
    name: str = "",
    type: str = "",
) -> Iterator[DisplayedValues]:
    """DISPLAY PUBSUB: this queue manager, INACTIVE because nothing is published; it has no
    parent or child.
    """
    check_running(qmgr)
    if type not in ("CHILD", "PARENT"):
        subscription_count = sum(
            1 for row in inquire(qmgr, (SUB,), "*") if row["SUB"] != SUB.default_object
        )
        strings = sum(1 for _ in topic_status(qmgr, "*"))
        yield {
            "QMNAME": qmgr.name,
            "TYPE": "LOCAL",
            "STATUS": "INACTIVE",
            "SUBCOUNT": subscription_count,
            "TPCOUNT": strings,
        }


def check_topic(tx: Transaction, owner: str, name: str, attributes: Attributes) -> None:
    """MQError 3300 for a second topic object with the same topic string."""
    string = str(attributes["TOPICSTR"])
    refuse_if(
        string and objects.has_other_topic(tx, owner, name, string),
        MQRCCF.TOPICSTR_ALREADY_EXISTS,
        string,
    )


def check_subscription(tx: Transaction, owner: str, name: str, attributes: Attributes) -> None:
    """Check what an administrative subscription must name: a topic, and a queue unless it is
    managed.

    MQError 3228 when it names none, 2085 when its TOPICOBJ or a local DEST is missing.
    """
    if name == SUB.default_object:
        return
    refuse_if(
        not (attributes["TOPICSTR"] or attributes["TOPICOBJ"]),
        MQRCCF.PARM_MISSING,
        "TOPICSTR or TOPICOBJ",
    )
    _check(tx, owner, "topic", str(attributes["TOPICOBJ"]))
    if attributes["DESTCLAS"] == "PROVIDED":
        refuse_if(not attributes["DEST"], MQRCCF.PARM_MISSING, "DEST")
        if attributes["DESTQMGR"] in ("", owner):
            _check(tx, owner, "queue", str(attributes["DEST"]))


def _check(tx: Transaction, owner: str, namespace: str, name: str) -> None:
    if name and objects.by_name(tx, owner, namespace, name) is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, name)
