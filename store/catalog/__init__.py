"""Every attribute of every kind of object, declared once as a row of data.

Validation, DISPLAY, WHERE, help, completion and the hot columns of queues and queue managers come
from these rows. To add an attribute, add its row to the file of its kind in `objects`, in the place
where DISPLAY shows it; `Attribute` describes the fields. This package imports no SQL.
"""

from mqsc.store.catalog.attribute import Attribute
from mqsc.store.catalog.attribute_values import AttributeValueError, read_value
from mqsc.store.catalog.kinds import KINDS, QUEUES, attribute_of, kind_of, kinds_of
from mqsc.store.catalog.object_kind import Kind, columns, constants, defaults
from mqsc.store.catalog.spelling import nearest
from mqsc.store.catalog.system_objects import SYSTEM_OBJECTS, SystemObject
from mqsc.store.catalog.types import Stored

__all__ = [
    "KINDS",
    "QUEUES",
    "SYSTEM_OBJECTS",
    "Attribute",
    "AttributeValueError",
    "Kind",
    "Stored",
    "SystemObject",
    "attribute_of",
    "columns",
    "constants",
    "defaults",
    "kind_of",
    "kinds_of",
    "nearest",
    "read_value",
]
