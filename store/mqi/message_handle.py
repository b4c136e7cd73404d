"""Message handles and the calls on message properties."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from mqsc.store.argument_checks import bits, must_be
from mqsc.store.constants import MQCMHO, MQCOPY, MQDMPO, MQIMPO, MQPD, MQRC, MQSMPO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError, refuse_for, refuse_if
from mqsc.store.mqi.property_inquiry import InquiredProperty, Inquiry, PropertyTooBigError, returned
from mqsc.store.rules.properties import descriptor_properties, property_names, property_types
from mqsc.store.rules.properties.property_names import PropertyName
from mqsc.store.rules.properties.property_set import (
    Properties,
    Property,
    PropertyDescriptor,
    with_value,
)
from mqsc.store.rules.properties.property_types import PropertyFault, Value

_INQ_NEXT, _INQ_UNDER_CURSOR = int(MQIMPO.INQ_NEXT), int(MQIMPO.INQ_PROP_UNDER_CURSOR)
_CONVERSIONS = int(MQIMPO.CONVERT_TYPE | MQIMPO.CONVERT_VALUE | MQIMPO.QUERY_LENGTH)
_INQUIRE_KNOWN = _INQ_NEXT | _INQ_UNDER_CURSOR | _CONVERSIONS
_PLACES = tuple(
    int(MQSMPO[each])
    for each in (
        "SET_FIRST SET_PROP_UNDER_CURSOR SET_PROP_AFTER_CURSOR APPEND_PROPERTY "
        "SET_PROP_BEFORE_CURSOR"
    ).split()
)
_SET_FIRST, _SET_UNDER_CURSOR, _SET_AFTER, _APPEND, _SET_BEFORE = _PLACES
_SUPPORTS = frozenset(
    (
        0,
        int(MQPD.SUPPORT_OPTIONAL),
        int(MQPD.SUPPORT_REQUIRED),
        int(MQPD.SUPPORT_REQUIRED_IF_LOCAL),
    ),
)
_COPY_KNOWN = int(MQCOPY.ALL | MQCOPY.FORWARD | MQCOPY.PUBLISH | MQCOPY.REPLY | MQCOPY.REPORT)
_DEFAULTS = MessageDescriptor()


class _Cursor(NamedTuple):
    """The property inquired last, and its place; the place stays when the property is deleted."""

    name: PropertyName
    place: int


class MessageHandleState:
    """Properties in order, the fields of an MQMD, and one cursor. `connection` is None for a
    handle of the process.
    """

    def __init__(
        self,
        connection: object | None,
        options: int = int(MQCMHO.DEFAULT_VALIDATION),
    ) -> None:
        refuse_if(
            bits(options, "options") not in {int(each) for each in MQCMHO},
            MQRC.OPTIONS_ERROR,
        )
        self.connection = connection
        self.validates = options != MQCMHO.NO_VALIDATION
        self.is_deleted = False
        self._calling = threading.Lock()
        self.clear()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} with {len(self._properties)} properties>"

    def clear(self) -> None:
        """No properties, and the MQMD with its defaults."""
        self._properties: list[Property] = []
        self._descriptor = MessageDescriptor()
        # The attributes of the MQMD that were set, here or by a get.
        self._fields: set[str] = set()
        self._cursor: _Cursor | None = None
        self._pattern = ""

    @contextmanager
    def call(self) -> Iterator[None]:
        """One call that uses the handle: MQError 2460 when it was deleted, 2499 during another
        call.
        """
        refuse_if(self.is_deleted, MQRC.HMSG_ERROR)
        refuse_if(not self._calling.acquire(blocking=False), MQRC.MSG_HANDLE_IN_USE)
        try:
            yield
        except PropertyFault as refused:
            raise MQError(refused.reason) from None
        finally:
            self._calling.release()

    @property
    def properties(self) -> Properties:
        """The properties by name, without the fields of the MQMD."""
        return {each.name: each for each in self._properties}

    @property
    def fields(self) -> dict[str, object]:
        """The fields of the MQMD that were set, by their attributes in MessageDescriptor."""
        return {name: getattr(self._descriptor, name) for name in sorted(self._fields)}

    def fill(self, properties: Properties, descriptor: MessageDescriptor) -> None:
        """Replace the contents of the handle by those that a get returns."""
        self.clear()
        self._properties = list(properties.values())
        self._descriptor = descriptor.copy()
        self._fields = {field.attribute for field in property_names.FIELDS.values()}

    @property
    def message_descriptor(self) -> MessageDescriptor:
        """A copy of the MQMD in the handle."""
        return self._descriptor.copy()

    def reset_cursor(self) -> None:
        """A put with the handle starts iteration again."""
        self._cursor, self._pattern = None, ""

    def set_property(
        self,
        name: str,
        value: Value,
        type: int | None,
        options: int,
        descriptor: PropertyDescriptor,
    ) -> None:
        option_bits = bits(options, "options")
        refuse_if(option_bits not in _PLACES, MQRC.OPTIONS_ERROR)
        refuse_for(_descriptor_fault(descriptor))
        wanted = property_types.type_of_value(value) if type is None else bits(type, "type")
        kept = property_types.checked(wanted, value)
        if option_bits == _SET_UNDER_CURSOR:
            place = self._place_under_cursor()
            self._properties[place] = with_value(self._properties[place], wanted, kept, descriptor)
            return
        refuse_for(
            property_names.set_fault(
                must_be(str, name, "the name of a property"),
                validate=self.validates,
            ),
            name,
        )
        field = property_names.field_of(name)
        if field is not None:
            self._set_field(field, wanted, kept, name)
            return
        self._insert(Property(property_names.meaning(name), wanted, kept, descriptor), option_bits)

    def _set_field(
        self,
        field: property_names.DescriptorField,
        type: int,
        value: Value,
        name: str,
    ) -> None:
        refuse_if(type != field.type, MQRC.PROPERTY_TYPE_ERROR, name)
        if isinstance(value, str | bytes):
            length = len(value.encode() if isinstance(value, str) else value)
            refuse_if(length > field.length, MQRC.BUFFER_LENGTH_ERROR, name)
            value = (
                value.rstrip(" \0") if isinstance(value, str) else value.ljust(field.length, b"\0")
            )
        setattr(self._descriptor, field.attribute, value)
        self._fields.add(field.attribute)

    def _insert(self, new: Property, option_bits: int) -> None:
        cursor = self._place_of_cursor() if option_bits in (_SET_AFTER, _SET_BEFORE) else 0
        was = next(
            (place for place, each in enumerate(self._properties) if each.name == new.name),
            None,
        )
        if option_bits == _SET_FIRST:
            if was is not None:
                self._properties[was] = new
                return
            place = self._end_of(new.name.folder)
        elif option_bits == _APPEND:
            place = len(self._properties)
        else:
            place = cursor + (option_bits == _SET_AFTER)
        if was is not None:
            del self._properties[was]
            place -= was < place
        self._properties.insert(place, new)
        if self._cursor is not None and place <= self._cursor.place:
            self._cursor = self._cursor._replace(place=self._cursor.place + 1)

    def _end_of(self, folder: str) -> int:
        """The place behind the last property of a folder; the end for a folder that has none
        yet.
        """
        places = [
            place for place, each in enumerate(self._properties) if each.name.folder == folder
        ]
        return places[-1] + 1 if places else len(self._properties)

    def inquire_property(self, name: str, inquiry: Inquiry) -> InquiredProperty:
        option_bits = bits(inquiry.options, "options")
        inquiry = inquiry._replace(options=option_bits)
        refuse_if(
            option_bits & ~_INQUIRE_KNOWN
            or (option_bits & _INQ_NEXT and option_bits & _INQ_UNDER_CURSOR),
            MQRC.OPTIONS_ERROR,
        )
        if option_bits & _INQ_UNDER_CURSOR:
            place = self._place_under_cursor()
        else:
            refuse_for(
                property_names.query_fault(must_be(str, name, "the name of a property")),
                name,
            )
            descriptor_property = self._of_descriptor(name)
            if descriptor_property is not None:
                return returned(descriptor_property, inquiry)
            place = self._search(name, goes_on=bool(option_bits & _INQ_NEXT))
        message_property = self._properties[place]
        before = self._cursor
        self._cursor = _Cursor(message_property.name, place)
        try:
            return returned(message_property, inquiry)
        except PropertyTooBigError as too_big:
            if too_big.found.type != message_property.type:
                self._cursor = before
            raise

    def _of_descriptor(self, name: str) -> Property | None:
        """The field of the MQMD that a name means, or None if the name means a property."""
        field = property_names.field_of(name)
        if field is not None:
            return Property(
                PropertyName("Root", f"MQMD.{name.rpartition('.')[2]}"),
                *descriptor_properties.field_value(self._descriptor, field),
            )
        meant = property_names.meaning(name)
        if any(each.name == meant for each in self._properties):
            return None
        supplied = descriptor_properties.jms_value(self._descriptor, name)
        return (
            None
            if supplied is None
            else Property(PropertyName("usr", name.removeprefix("usr.")), *supplied)
        )

    def _search(self, pattern: str, *, goes_on: bool) -> int:
        """The place of the next property that the pattern means; MQError 2471."""
        first = 0
        if goes_on and self._cursor is not None and self._pattern == pattern:
            at = self._cursor
            is_there = (
                at.place < len(self._properties) and self._properties[at.place].name == at.name
            )
            first = at.place + is_there
        for place in range(first, len(self._properties)):
            if property_names.matches(pattern, self._properties[place].name):
                self._pattern = pattern
                return place
        if goes_on and self._pattern == pattern and self._cursor is not None:
            # Behind the last one: the iteration has ended until another one begins.
            self._cursor = _Cursor(PropertyName("", ""), len(self._properties))
        raise MQError(MQRC.PROPERTY_NOT_AVAILABLE, pattern)

    def delete_property(self, name: str, options: int = int(MQDMPO.DEL_FIRST)) -> bool:
        """Whether there was such a property (else 1/2471, a warning)."""
        option_bits = bits(options, "options")
        refuse_if(option_bits not in {int(each) for each in MQDMPO}, MQRC.OPTIONS_ERROR)
        if option_bits == MQDMPO.DEL_PROP_UNDER_CURSOR:
            self._remove(self._place_under_cursor())
            return True
        refuse_for(
            property_names.query_fault(must_be(str, name, "the name of a property"), pattern=False),
            name,
        )
        field = property_names.field_of(name)
        if field is not None:
            setattr(self._descriptor, field.attribute, getattr(_DEFAULTS, field.attribute))
            self._fields.discard(field.attribute)
            return True
        meant = property_names.meaning(name)
        place = next(
            (place for place, each in enumerate(self._properties) if each.name == meant),
            None,
        )
        if place is not None:
            self._remove(place)
        return place is not None

    def _remove(self, place: int) -> None:
        del self._properties[place]
        if self._cursor is not None and place < self._cursor.place:
            self._cursor = self._cursor._replace(place=self._cursor.place - 1)

    def _place_of_cursor(self) -> int:
        if self._cursor is None:
            raise MQError(MQRC.PROPERTY_NOT_AVAILABLE)
        return min(self._cursor.place, len(self._properties) - 1)

    def _place_under_cursor(self) -> int:
        """The place of the property under the cursor: MQError 2471 without one, and after its
        deletion.
        """
        at = self._cursor
        if (
            at is None
            or at.place >= len(self._properties)
            or self._properties[at.place].name != at.name
        ):
            raise MQError(MQRC.PROPERTY_NOT_AVAILABLE)
        return at.place


@contextmanager
def in_use(*handles: object) -> Iterator[None]:
    """Hold these message handles while a put or get uses them; None stands for one that is not
    used.
    """
    with ExitStack() as calls:
        for each in dict.fromkeys(handles):
            if isinstance(each, MessageHandleState):
                calls.enter_context(each.call())
        yield


def _descriptor_fault(descriptor: PropertyDescriptor) -> int:
    given = must_be(PropertyDescriptor, descriptor, "descriptor")
    known = (
        given.support in _SUPPORTS
        and given.context in (int(MQPD.NO_CONTEXT), int(MQPD.USER_CONTEXT))
        and not given.copy_options & ~_COPY_KNOWN
    )
    return 0 if known else int(MQRC.PD_ERROR)
