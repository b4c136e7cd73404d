"""MQPUT1: open, put one message, close, in one call."""

from __future__ import annotations

from mqsc.store.argument_checks import bits
from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine import authorization, name_resolution
from mqsc.store.engine.name_resolution import Unresolved
from mqsc.store.error import MQError, refuse_if
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi import open_topic
from mqsc.store.mqi.handles import QUEUE_TYPE, OpenRequest, check_authority, check_user, recorded
from mqsc.store.mqi.open import check_names, raise_event
from mqsc.store.mqi.open_topic import OpenedTopic
from mqsc.store.mqi.put import put
from mqsc.store.mqi.state import ConnectionState, HandleState, Opened, call_context
from mqsc.store.rules import opening, putting
from mqsc.store.sqlite.database import Transaction

_NOT_A_QUEUE = int(MQRC.ALIAS_BASE_Q_TYPE_ERROR)


def put1(
    connection: ConnectionState,
    request: OpenRequest,
    message: Message,
    options: PutMessageOptions,
) -> MessageDescriptor:
    """Put one message to a queue by name; no context option needs an open option here."""
    name = request.name
    queue_manager = request.queue_manager
    alternate_user = request.alternate_user
    option_bits = bits(options.options, "options")
    fault = putting.options_fault(option_bits, is_put1=True)
    if fault:
        raise MQError(fault, name)
    check_user(alternate_user)
    if request.object_type == open_topic.TOPIC_TYPE:
        return _put1_to_topic(connection, request, message, options, option_bits)
    refuse_if(request.object_type != QUEUE_TYPE, MQRC.OBJECT_TYPE_ERROR, name)
    check_names(connection, name, queue_manager)
    with recorded(connection), Transaction(connection.store.database, durable=False) as tx:
        call = call_context(
            tx, connection, fail_if_quiescing=option_bits & putting.FAIL_IF_QUIESCING
        )
        destination = name_resolution.resolve(tx, call.qmgr, name, queue_manager)
        topic = None
        if isinstance(destination, Unresolved) and destination.reason == _NOT_A_QUEUE:
            topic = open_topic.topic_of_alias(tx, call, name, opening.OUTPUT)
            destination = topic if isinstance(topic, Unresolved) else destination
        if isinstance(topic, OpenedTopic):
            wanted = request._replace(options=putting.open_options(option_bits), call="MQPUT1")
            open_topic.check_topic_authority(tx, connection, call, wanted, topic, "PUB")
        elif isinstance(destination, Unresolved):
            raise_event(tx, call, name, queue_manager, destination)
        elif connection.authority_user is not None:
            wanted = request._replace(options=putting.open_options(option_bits), call="MQPUT1")
            named = name, queue_manager
            of = authorization.authorities_to_open_queue(
                tx, call.qmgr, named, wanted.options, destination
            )
            check_authority(tx, connection, call, wanted, of, is_dynamic=destination.is_dynamic)
    if isinstance(topic, OpenedTopic):
        return _published(connection, request, topic, message, options, option_bits)
    if isinstance(destination, Unresolved):
        raise MQError(destination.reason, name)
    # Not registered: it exists for this call only, and the put revalidates the queue.
    user = alternate_user if option_bits & putting.ALTERNATE_USER_AUTHORITY else ""
    opened = Opened(
        0,
        name,
        opening.OUTPUT | opening.SET_ALL_CONTEXT,
        destination,
        alternate_user=user,
    )
    handle = HandleState(connection, opened)
    return put(handle, (message,), options, option_bits, is_put1=True)[0]


def _put1_to_topic(
    connection: ConnectionState,
    request: OpenRequest,
    message: Message,
    options: PutMessageOptions,
    option_bits: int,
) -> MessageDescriptor:
    """Publish one message to a topic."""
    wanted = request._replace(options=putting.open_options(option_bits), call="MQPUT1")
    with recorded(connection), Transaction(connection.store.database, durable=False) as tx:
        quiescing = option_bits & putting.FAIL_IF_QUIESCING
        call = call_context(tx, connection, fail_if_quiescing=quiescing)
        topic = open_topic.topic_of(tx, call, request)
        open_topic.check_topic_authority(tx, connection, call, wanted, topic, "PUB")
    return _published(connection, request, topic, message, options, option_bits)


def _published(
    connection: ConnectionState,
    request: OpenRequest,
    topic: OpenedTopic,
    message: Message,
    options: PutMessageOptions,
    option_bits: int,
) -> MessageDescriptor:
    is_other = option_bits & putting.ALTERNATE_USER_AUTHORITY
    opened = opening.OUTPUT | opening.SET_ALL_CONTEXT
    if is_other:
        opened |= opening.ALTERNATE_USER_AUTHORITY
    handle = open_topic.handle_of_topic(connection, request._replace(options=opened), topic)
    return put(handle, (message,), options, option_bits, is_put1=True)[0]
