"""The properties of a message in the form in which a get returns them."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.stored_message import TRANSMISSION_HEADER
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions
from mqsc.store.mqi.message_handle import MessageHandleState
from mqsc.store.mqi.put_properties import usable
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules.properties import delivery, message_data
from mqsc.store.rules.properties.delivery import Form
from mqsc.store.rules.properties.message_data import CarriedProperties
from mqsc.store.rules.properties.property_set import Properties
from mqsc.store.sql import objects
from mqsc.store.sqlite.queries import Queries

_NOTHING: Properties = {}


class Received(NamedTuple):
    """A message as the program sees it, and what the message handle receives; None where it is
    ignored.
    """

    descriptor: MessageDescriptor
    body: bytes
    properties: Properties | None


def check_get_properties(handle: HandleState, options: GetMessageOptions, option_bits: int) -> None:
    """MQError 2460 for PROPERTIES_IN_HANDLE without a message handle, and for one that cannot be
    used.

    ValueError for a property control that does not exist.
    """
    message_handle = usable(handle.connection, options.message_handle)
    if option_bits & delivery.IN_HANDLE and message_handle is None:
        raise MQError(MQRC.HMSG_ERROR, handle.name)
    if options.property_control and options.property_control not in delivery.CONTROLS:
        raise ValueError(f"property_control must be one of {', '.join(delivery.CONTROLS)}")


def received_properties(
    tx: Queries,
    handle: HandleState,
    descriptor: MessageDescriptor,
    body: bytes,
    options: GetMessageOptions,
) -> Received:
    """The message in the form that the options, or PROPCTL, ask for. MQError 2026 when none can
    receive the MQMD.
    """
    has_handle = options.message_handle is not None
    control = options.property_control or _property_control(tx, handle)
    form = delivery.form_of(int(options.options), control, has_handle=has_handle)
    if options.descriptor_in_handle and not (has_handle and delivery.uses_handle(form)):
        raise MQError(MQRC.MD_ERROR, handle.name)
    carried = None
    # Behind a transmission header is a message that is not for this queue manager.
    if form is not Form.STORED and descriptor.format != TRANSMISSION_HEADER:
        carried = message_data.read(descriptor, body)
    if carried is None:
        return Received(descriptor, body, _NOTHING if delivery.uses_handle(form) else None)
    return _in_form(form, descriptor, body, carried)


def _in_form(
    form: Form,
    descriptor: MessageDescriptor,
    body: bytes,
    carried: CarriedProperties,
) -> Received:
    if form is Form.COMPATIBLE:
        form = Form.RULES_HEADER if carried.is_compatible else Form.DROPPED
    if form is Form.RULES_HEADER:
        return Received(*message_data.in_rules_header(descriptor, body, carried), None)
    if form in (Form.AS_PUT, Form.AS_PUT_AND_HANDLE):
        into = carried.set_by_handle if form is Form.AS_PUT_AND_HANDLE else None
        return Received(*message_data.without_marked(descriptor, body), into)
    into = carried.properties if form is Form.HANDLE else None
    return Received(*message_data.without_properties(descriptor, body, carried), into)


def _property_control(tx: Queries, handle: HandleState) -> str:
    """PROPCTL of the object that was opened, read again when an attribute has changed."""
    assert handle.destination is not None
    opened = handle.destination.opened
    known = handle.property_control
    if known is None or known[:2] != (opened.id, opened.version):
        given = objects.attribute(tx, opened.owner, "queue", opened.name, "PROPCTL")
        known = handle.property_control = opened.id, opened.version, str(given or delivery.COMPAT)
    return known[2]


def fill_handle(
    options: GetMessageOptions,
    properties: Properties | None,
    descriptor: MessageDescriptor,
) -> None:
    """Give the message handle what the get returned for it."""
    into = options.message_handle
    if properties is not None and isinstance(into, MessageHandleState):
        into.fill(properties, descriptor)
