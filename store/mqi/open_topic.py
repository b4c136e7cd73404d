"""MQOPEN of a topic, by its own name or by an alias queue (publish-subscribe §2)."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.constants import MQOT, MQRC
from mqsc.store.engine import topic_tree
from mqsc.store.engine.name_resolution import Unresolved
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.subscription_end import TOPIC_HANDLE
from mqsc.store.error import MQError, NotAuthorizedError, refuse_if
from mqsc.store.mqi.handles import OpenRequest, check_authority, handle_columns
from mqsc.store.mqi.state import (
    ConnectionState,
    HandleState,
    Opened,
    refuse_while_quiescing,
    transaction,
)
from mqsc.store.rules import opening
from mqsc.store.rules.wanted_authorities import Wanted, authorities_to_open
from mqsc.store.sql import connections, queues, subscriptions
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

TOPIC_TYPE = int(MQOT.TOPIC)
_UNUSED = dict.fromkeys(("input", "exclusive", "output", "browse"), 0)
_NOT_FOR_TOPICS = opening.INPUT | opening.BROWSE | opening.SET | opening.INQUIRE


class OpenedTopic(NamedTuple):
    """The topic that a name, or an alias, means: its object, blank for none, and its full string."""

    object_name: str
    string: str
    alias: str = ""


def open_topic(connection: ConnectionState, request: OpenRequest) -> Opened:
    """Open a topic for publishing.

    MQError 2045 for other uses, 2085, 2425 or 2441 for the topic string, 2531 while PSMODE is
    DISABLED.
    """
    refuse_if(
        request.options & _NOT_FOR_TOPICS or not request.options & opening.OUTPUT,
        MQRC.OPTION_NOT_VALID_FOR_TYPE,
        request.name,
    )
    with transaction(connection) as (tx, call):
        topic = topic_of(tx, call, request)
        return register(tx, connection, call, request, topic)


def topic_of(tx: Transaction, call: CallContext, request: OpenRequest) -> OpenedTopic:
    """The topic that an MQOD means; errors as `open_topic`."""
    check_enabled(tx, call, request.name)
    refuse_if(
        request.queue_manager not in ("", call.qmgr.name),
        MQRC.UNKNOWN_OBJECT_Q_MGR,
        request.queue_manager,
    )
    string = topic_tree.string_of(tx, call, request.name, request.object_string)
    return OpenedTopic(request.name, string)


def check_enabled(tx: Queries, call: CallContext, name: str) -> None:
    """MQError 2531 while PSMODE of the queue manager is DISABLED."""
    refuse_if(not topic_tree.is_enabled(tx, call), MQRC.PUBSUB_INHIBITED, name)


def topic_of_alias(
    tx: Transaction, call: CallContext, name: str, options: int
) -> OpenedTopic | Unresolved | None:
    """The topic that an alias queue names; None for another queue. MQError 2045 for uses that a
    topic does not have.
    """
    alias = queues.visible(tx, call.qmgr, name)
    if alias is None or alias.type != "QALIAS" or not alias.target_is_topic:
        return None
    refuse_if(
        options & _NOT_FOR_TOPICS or not options & opening.OUTPUT,
        MQRC.OPTION_NOT_VALID_FOR_TYPE,
        name,
    )
    try:
        string = topic_tree.string_of(tx, call, alias.target, "")
    except MQError as error:
        if error.reason != MQRC.UNKNOWN_OBJECT_NAME:
            raise
        facts: dict[str, int | str] = {"BaseObjectName": alias.target, "BaseType": int(MQOT.TOPIC)}
        return Unresolved(MQRC.UNKNOWN_ALIAS_BASE_Q, facts)
    check_enabled(tx, call, name)
    return OpenedTopic(alias.target, string, name)


def register(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: OpenRequest,
    topic: OpenedTopic,
) -> Opened:
    """Open the topic: the handle, for which the user must have authority."""
    check_topic_authority(tx, connection, call, request, topic, "PUB")
    refuse_while_quiescing(call, request.options & opening.FAIL_IF_QUIESCING)
    about = {"object_name": topic.object_name, "object_type": TOPIC_HANDLE, "queue": None}
    columns = {**handle_columns(tx, connection, call, request), **_UNUSED, **about}
    number = connections.open_handle(tx, columns, ())
    subscriptions.add_publisher(
        tx,
        {
            "handle": number,
            "qmgr": call.qmgr.name,
            "connection": connection.number,
            "topic_string": topic.string,
        },
    )
    return opened_topic(number, request, topic)


def opened_topic(number: int, request: OpenRequest, topic: OpenedTopic) -> Opened:
    """The handle of a topic; its number is 0 for an MQPUT1."""
    is_other = request.options & opening.ALTERNATE_USER_AUTHORITY
    return Opened(
        number,
        request.name,
        request.options,
        None,
        "topic",
        request.alternate_user if is_other else "",
        topic=topic.string,
        alias=topic.alias,
    )


def handle_of_topic(
    connection: ConnectionState, request: OpenRequest, topic: OpenedTopic
) -> HandleState:
    """A handle for an MQPUT1, which exists for this call only."""
    return HandleState(connection, opened_topic(0, request, topic))


def check_topic_authority(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: OpenRequest,
    topic: OpenedTopic,
    word: str,
) -> None:
    """NotAuthorizedError unless the user may publish (PUB), subscribe (SUB) or resume (RESUME): on
    the alias, or on a topic object at or above the string.
    """
    if connection.authority_user is None:
        return
    if topic.alias:
        authorities = authorities_to_open("QUEUE", topic.alias, request.options)
        check_authority(tx, connection, call, request, authorities)
        return
    names = topic_tree.settings(tx, call, topic.string).objects
    for place, name in enumerate(names, 1):
        try:
            wanted = (Wanted("TOPIC", name, word, True),)
            check_authority(tx, connection, call, request, wanted)
        except NotAuthorizedError:
            if place == len(names):
                raise
        else:
            return
