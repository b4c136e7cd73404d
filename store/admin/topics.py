"""Topics and subscriptions: their status, and what their definitions must name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mqsc.store.admin.connection_status import connection_identifier
from mqsc.store.admin.inquiring import check_running, inquire, inquire_queue_manager
from mqsc.store.admin.topic_nodes import node_of, topic_tree
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import (
    retained,
    subscription_definitions,
    subscription_end,
    subscription_making,
)
from mqsc.store.engine.definitions import Attributes
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.displayed_definition import (
    DisplayedValues,
    date_and_time,
    displayed,
    in_order,
)
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import MQError, TopicStringInUseError, refuse_if, required
from mqsc.store.rules.names import prefix_range
from mqsc.store.rules.topics.inheritance import effective_attributes
from mqsc.store.rules.topics.wildcards import TopicPattern, covers
from mqsc.store.sql import objects, subscriptions as subscriptions_sql
from mqsc.store.sql.rows import PublisherRow, SubscriptionRow
from mqsc.store.sqlite.database import Reading, Transaction

TOPIC, SUB = KINDS["TOPIC"], KINDS["SUB"]
# Attributes inherited along the tree, in the order of DISPLAY.
_INHERITED = [word for word in STATUS_KINDS["TPSTATUS"].attributes if word in TOPIC.attributes]
_NO_CONNECTION = "0" * 48


def topic_status(
    qmgr: QueueManagerState, pattern: str, type: str = ""
) -> Iterator[DisplayedValues]:
    """DISPLAY TPSTATUS: the nodes of the topic tree that match, in order.

    + and # in the pattern are the wildcards of topics. TYPE(SUB) lists the subscriptions at each
    string, TYPE(PUB) the handles that are open for publishing. MQError 2059.
    """
    tree = topic_tree(qmgr)
    if type == "SUB":
        wanted = [each for each in tree.subscriptions if covers(pattern, node_of(each))]
        yield from (_status_of(each) for each in wanted)
        return
    if type == "PUB":
        publishers = [each for each in tree.publishers if covers(pattern, each.topic_string)]
        yield from (_publisher(qmgr, each) for each in publishers)
        return
    handles = Counter(each.topic_string for each in tree.publishers)
    counts = Counter(map(node_of, tree.subscriptions))
    for string in sorted(each for each in tree.strings if covers(pattern, each)):
        admin = tree.objects[string]["TOPIC"] if string in tree.objects else ""
        values = effective_attributes(tree.objects, string, _INHERITED)
        counted = {
            "RETAINED": "YES" if string in tree.retained else "NO",
            "PUBCOUNT": handles[string],
            "SUBCOUNT": counts[string],
        }
        yield {"TOPICSTR": string, "ADMIN": admin, **values, **counted}


def _publisher(qmgr: QueueManagerState, row: PublisherRow) -> DisplayedValues:
    date, time = _date_and_time(row.published_at)
    return {
        "TOPICSTR": row.topic_string,
        "ACTCONN": connection_identifier(row.connection, qmgr.name),
        "LPUBDATE": date,
        "LPUBTIME": time,
        "NUMPUBS": row.publications,
    }


def subscriptions(
    qmgr: QueueManagerState, pattern: str, *, resolved: bool = True
) -> Iterator[DisplayedValues]:
    """DISPLAY SUB: subscriptions of commands and of programs by name; if `resolved`, TOPICSTR is
    the full string, and DEST the queue of a managed one.
    """
    low, high = prefix_range(pattern)
    rows = {
        row.identifier: row
        for row in qmgr.store.read(subscriptions_sql.of_queue_manager, qmgr.name)
    }
    defined = list(inquire(qmgr, (SUB,), pattern))
    for values in defined:
        row = rows.get(str(values["SUBID"]))
        if resolved and row is not None:
            values = {**subscription_definitions.shown(values, row), "TOPICSTR": row.topic_string}
        yield values
    for row in rows.values():
        is_meant = low <= row.name and (not high or row.name < high)
        if not row.is_administrative and is_meant:
            yield _own(row)


def _own(row: SubscriptionRow) -> DisplayedValues:
    """A subscription of a program, as a definition is displayed."""
    attributes = subscription_definitions.attributes_of(row)
    values = displayed(SUB, row.name, attributes, row.created_at, row.altered_at)
    return in_order(SUB, values)


def subscription_status(
    qmgr: QueueManagerState, pattern: str, type: str = ""
) -> Iterator[DisplayedValues]:
    """DISPLAY SBSTATUS: subscriptions by name, what they have received, and who has them open."""
    check_running(qmgr)
    recover(qmgr.store)
    low, high = prefix_range(pattern)
    for row in qmgr.store.read(subscriptions_sql.of_queue_manager, qmgr.name):
        if low <= row.name and (not high or row.name < high):
            yield _status_of(row)


def _status_of(row: SubscriptionRow) -> DisplayedValues:
    resumed = _date_and_time(row.resumed_at or row.created_at)
    last = _date_and_time(row.delivered_at)
    attributes = subscription_definitions.attributes_of(row)
    return {
        "SUBID": row.identifier,
        "SUB": row.name,
        "SUBUSER": row.user,
        "RESMDATE": resumed[0],
        "RESMTIME": resumed[1],
        "LMSGDATE": last[0],
        "LMSGTIME": last[1],
        "ACTCONN": _connection(row),
        "DURABLE": attributes["DURABLE"],
        "MCASTREL": "",
        "NUMMSGS": row.delivered,
        "SUBTYPE": attributes["SUBTYPE"],
        "TOPICSTR": row.topic_string,
    }


def _connection(row: SubscriptionRow) -> str:
    return connection_identifier(row.connection, row.qmgr) if row.connection else _NO_CONNECTION


def _date_and_time(moment: int | None) -> tuple[str, str]:
    return ("", "") if moment is None else date_and_time(moment)


def publish_subscribe_status(
    qmgr: QueueManagerState,
    name: str = "",
    type: str = "",
) -> Iterator[DisplayedValues]:
    """DISPLAY PUBSUB: this queue manager, ACTIVE unless PSMODE is DISABLED; it has no parent or
    child.
    """
    check_running(qmgr)
    if type not in ("CHILD", "PARENT"):
        tree = topic_tree(qmgr)
        is_disabled = inquire_queue_manager(qmgr)["PSMODE"] == "DISABLED"
        yield {
            "QMNAME": qmgr.name,
            "TYPE": "LOCAL",
            "STATUS": "INACTIVE" if is_disabled else "ACTIVE",
            "SUBCOUNT": len(tree.subscriptions),
            "TPCOUNT": len(tree.strings),
        }


def clear_topic_string(qmgr: QueueManagerState, pattern: str) -> int:
    """CLEAR TOPICSTR: remove the retained publications of the topic strings that match, with the
    wildcards of topics; how many. There may be none. MQError 2059.
    """
    with qmgr.transaction(durable=True) as (tx, call):
        count, effects = retained.clear(tx, call, TopicPattern(pattern, by_character=False))
        deliver(tx, call, effects)
    return count


def own_subscription(qmgr: QueueManagerState, name: str, identifier: str) -> int:
    """The number of the subscription of a program with that name, or identifier; 0 for none, or one
    that was defined.
    """
    with Reading(qmgr.store.database) as reading:
        row = subscriptions_sql.by_name(reading, qmgr.name, name)
        if row is None and identifier:
            row = subscriptions_sql.by_identifier(reading, qmgr.name, identifier)
    return 0 if row is None or row.is_administrative else row.id


def alter_own(qmgr: QueueManagerState, number: int, attributes: Attributes) -> None:
    """ALTER SUB of a subscription of a program; MQError 2428 when it is gone."""
    with qmgr.transaction(durable=True) as (tx, call):
        row = required(subscriptions_sql.by_id(tx, number), MQRC.NO_SUBSCRIPTION)
        columns = subscription_definitions.alterable_columns(attributes)
        if row.managed:
            columns.pop("destination", None)
            columns.pop("destination_manager", None)
        columns["altered_at"] = call.now
        subscription_making.change(tx, call, row, columns, "alter")


def delete_own(qmgr: QueueManagerState, number: int) -> None:
    """DELETE SUB of a subscription of a program; MQError 2429 while that has it open."""
    recover(qmgr.store)
    with qmgr.transaction(durable=True) as (tx, call):
        row = subscriptions_sql.by_id(tx, number)
        if row is not None:
            subscription_definitions.check_not_open(row)
            subscription_end.end(tx, call, row, "command")


def check_topic(tx: Transaction, owner: str, name: str, attributes: Attributes) -> None:
    """MQError 3300 for a second topic object with the same topic string."""
    string = str(attributes["TOPICSTR"])
    other = objects.other_topic(tx, owner, name, string) if string else None
    if other is not None:
        raise TopicStringInUseError(string, other)


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
