"""Definitions of objects as they are stored."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.store.catalog import KINDS, Kind, Stored, columns, defaults
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.forced_changes import Changes
from mqsc.store.rules.names import is_object_name
from mqsc.store.rules.sharing import COPY, GROUP, MEANT, QMGR
from mqsc.store.sql import objects
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Transaction

Attributes = Mapping[str, Stored]
HIDDEN = "********"


class Refusals(NamedTuple):
    """The reason codes of a namespace for an object that is missing, and for one that already
    exists.
    """

    missing: int
    existing: int


_REFUSALS = Refusals(MQRC.UNKNOWN_OBJECT_NAME, MQRCCF.OBJECT_ALREADY_EXISTS)
_CHANNEL_REFUSALS = Refusals(MQRCCF.CHANNEL_NOT_FOUND, MQRCCF.CHANNEL_ALREADY_EXISTS)


def refusals(kind: Kind) -> Refusals:
    """The reason codes of a kind; channels have their own (4032, 4042)."""
    return _CHANNEL_REFUSALS if kind.keyword == "CHANNEL" else _REFUSALS


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def check_name(kind: Kind, name: str) -> None:
    """MQError 4008 for a name that no object of the kind can have, a blank one included.

    Names of subscriptions are any text, but here without control characters, which MQSC cannot
    write.
    """
    valid = (
        is_object_name(name)
        if kind.namespace == "queue"
        else name.strip() and not _CONTROL.search(name)
    )
    if not valid or len(name.encode("utf-8", "surrogatepass")) > kind.name_length:
        raise MQError(MQRCCF.OBJECT_NAME_ERROR, name)


def subtype_of(kind: Kind, *attributes: Attributes) -> str:
    """The subtype (CHLTYPE of a channel) from the first attributes that give it; blank where the
    kind has none.
    """
    if not kind.selector:
        return ""
    said = (each[kind.selector] for each in attributes if kind.selector in each)
    return str(next(said, ""))


@cache
def namespaces(kind: Kind) -> tuple[str, ...]:
    """The namespaces that hold names of a kind: one, or two for channels."""
    return (
        kind.namespace,
        *sorted({kind.namespace_of(each) for each in kind.default_objects} - {kind.namespace}),
    )


@cache
def definable(kind: Kind) -> frozenset[str]:
    """The attributes that DEFINE writes; the others belong to the object itself (DEFTYPE of a
    dynamic queue).
    """
    return frozenset(
        word for word, row in kind.attributes.items() if "DEFINE" in row.verbs and not row.option
    )


@cache
def shipped(kind: Kind, subtype: str = "") -> Attributes:
    """The attributes of the kind's default object as shipped."""
    return defaults(kind, subtype)


@cache
def _shipped_undefinable(kind: Kind, subtype: str) -> Attributes:
    """The shipped attributes that DEFINE does not write."""
    return {
        word: value for word, value in shipped(kind, subtype).items() if word not in definable(kind)
    }


def copied_from(source: ObjectRow, subtype: str) -> dict[str, Stored]:
    """The attributes that a new object takes from another, without those of DISPLAY alone
    (DEFTYPE).
    """
    kind = KINDS[source.type]
    base = shipped(kind, subtype)
    found = {**base, **source.attributes, **_shipped_undefinable(kind, subtype)}
    if len(found) == len(base):
        return found
    return {word: value for word, value in found.items() if word in base or word in definable(kind)}


def complete(kind: Kind, attributes: Attributes) -> dict[str, Stored]:
    """Every attribute of an object: those stored, and the default of any that was added after
    the object was made.
    """
    base = shipped(kind, subtype_of(kind, attributes))
    found = {**base, **attributes}
    if len(found) == len(base):
        return found
    return {word: value for word, value in found.items() if word in base or word in kind.attributes}


def find(
    tx: Transaction,
    owner: str,
    kind: Kind,
    name: str,
    subtype: str = "",
    *,
    disposition: str = "ALL",
) -> ObjectRow:
    """The definition of exactly that kind, with that QSGDISP.

    MQError 2085 (4032) when it is missing, 4002 when it has another type.
    """
    wanted = (kind.namespace_of(subtype),) if subtype else namespaces(kind)
    for namespace in wanted:
        found = objects.by_name(tx, owner, namespace, name)
        if found is not None and is_meant(found, disposition):
            refuse_if(not is_of(kind, subtype, found), MQRCCF.OBJECT_WRONG_TYPE, name)
            return found
    raise MQError(refusals(kind).missing, name)


def is_meant(definition: ObjectRow, disposition: str) -> bool:
    """Whether QSGDISP of a command means the object; structures have none."""
    return definition.disposition in MEANT[disposition] or definition.type == "CFSTRUCT"


def is_of(kind: Kind, subtype: str, definition: ObjectRow) -> bool:
    """Whether a definition is of that kind and, if one is given, of that subtype."""
    return definition.type == kind.keyword and (
        not subtype or subtype == subtype_of(kind, definition.attributes)
    )


def without_secrets(kind: Kind, attributes: Attributes) -> dict[str, Stored]:
    """The attributes as stored: of a secret only that it was given, because nothing here uses
    it.
    """
    hidden = {word: HIDDEN for word in secrets(kind) if attributes.get(word)}
    return {**attributes, **hidden}


@cache
def secrets(kind: Kind) -> frozenset[str]:
    """The attributes of a kind that are never shown."""
    return frozenset(word for word, row in kind.attributes.items() if row.secret)


def differences(
    before: Attributes,
    after: Attributes,
) -> dict[str, tuple[Stored | None, Stored | None]]:
    """The attributes that change, as (before, after); before is None for a new one."""
    return {
        word: (before.get(word), value)
        for word, value in after.items()
        if before.get(word) != value
    }


def beside_defaults(kind: Kind, attributes: Attributes) -> Attributes:
    """The attributes that differ from the subtype's shipped defaults, and the subtype itself."""
    base = shipped(kind, subtype_of(kind, attributes))
    return {
        word: value
        for word, value in attributes.items()
        if word == kind.selector or base.get(word) != value
    }


class Defined(Struct, frozen=True):
    """The object that an event is about.

    `owner` is given for an object of the queue-sharing group, `disposition` also for a copy.
    `identity` tells a record that was changed from the others of its profile.
    """

    type: str
    name: str
    owner: str = ""
    disposition: str = QMGR
    identity: Attributes | None = None


def record(
    tx: Transaction,
    call: CallContext,
    event: str,
    about: Defined,
    changes: Changes,
    cause: str | None = None,
) -> None:
    """Append DEFINE, ALTER, SET or DELETE to the history, with the attributes before and after."""
    of_record = {"record": about.identity} if about.identity else {}
    known = {**beside_attributes(call, about.disposition), **of_record, **changes}
    named = {"owner": about.owner, "queue": about.name, "target": about.type}
    record_event(tx, call, event, cause=cause, **named, detail=known or None)


def beside_attributes(call: CallContext, disposition: str) -> dict[str, str]:
    """What the history records about a definition besides attributes: the disposition, and the
    place of the command.

    The owner of an object distinguishes QMGR from SHARED.
    """
    of_object = {"disposition": disposition} if disposition in (COPY, GROUP) else {}
    return {**of_object, **({"place": call.place} if call.place else {})}


def record_name(kind: Kind, name: str, attributes: Attributes) -> str:
    """The key of a definition: its name and, for a kind with several records per profile (CHLAUTH),
    what tells them apart.

    The parts are separated by line feeds, which no MQSC value contains, so that the records of a
    profile sort together.
    """
    if not kind.identity:
        return name
    return "\n".join((name, *(str(attributes.get(word, "")) for word in kind.identity)))


def plain_name(name: str) -> str:
    """The name in the key of a definition."""
    return name.partition("\n")[0]


def object_row(
    kind: Kind,
    owner: str,
    name: str,
    attributes: Attributes,
    now: int,
    *,
    disposition: str = QMGR,
) -> dict[str, Any]:
    return {
        "owner": owner,
        "namespace": kind.namespace_of(subtype_of(kind, attributes)),
        "name": record_name(kind, name, attributes),
        "type": kind.keyword,
        "attributes": attributes,
        "created_at": now,
        "altered_at": now,
        "disposition": disposition,
    }


def queue_row(kind: Kind, owner: str, name: str, attributes: Attributes) -> dict[str, Any]:
    """The row of a new queue: the attributes that puts and gets read, as shipped unless
    `attributes` says otherwise.
    """
    hot = {**_shipped_columns(kind), **columns(kind, attributes)}
    return {"owner": owner, "name": name, "type": kind.keyword, **hot}


@cache
def _shipped_columns(kind: Kind) -> dict[str, Any]:
    return columns(kind, shipped(kind))
