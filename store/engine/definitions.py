"""Definitions of objects as they are stored, and the structures of shared queues."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.store.catalog import KINDS, Kind, Stored, columns, constants, defaults
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.descriptor import put_date, put_time
from mqsc.store.engine.history import record_event
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, refuse_for, refuse_if, required
from mqsc.store.rules import sharing
from mqsc.store.rules.forced_changes import Changes
from mqsc.store.rules.names import is_object_name
from mqsc.store.rules.sharing import COPY, GROUP, MEANT, QMGR, CouplingStructure
from mqsc.store.sql import objects
from mqsc.store.sql.objects import DisplayedRow, ObjectRow
from mqsc.store.sql.rows import ManagerRow, QueueRow
from mqsc.store.sqlite.database import Queries, Transaction

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


def is_meant(found: ObjectRow, disposition: str) -> bool:
    """Whether QSGDISP of a command means the object; structures have none."""
    return found.disposition in MEANT[disposition] or found.type == "CFSTRUCT"


def is_of(kind: Kind, subtype: str, found: ObjectRow) -> bool:
    """Whether a definition is of that kind and, if one is given, of that subtype."""
    return found.type == kind.keyword and (
        not subtype or subtype == subtype_of(kind, found.attributes)
    )


def without_secrets(kind: Kind, given: Attributes) -> dict[str, Stored]:
    """The attributes as stored: of a secret only that it was given, because nothing here uses
    it.
    """
    hidden = {word: HIDDEN for word in secrets(kind) if given.get(word)}
    return {**given, **hidden}


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


# A definition as DISPLAY and MQINQ show it: every attribute by keyword, with its name and dates.

Row = dict[str, Any]


def displayed(
    kind: Kind,
    name: str,
    attributes: Mapping[str, Any],
    created_at: int,
    altered_at: int,
) -> Row:
    values: Row = complete(kind, attributes)
    values.update(constants(kind))
    if "NAMCOUNT" in kind.attributes:
        values["NAMCOUNT"] = len(values["NAMES"])
    values[_name_word(kind)] = plain_name(name)
    values["ALTDATE"], values["ALTTIME"] = date_and_time(altered_at)
    values["CRDATE"], values["CRTIME"] = date_and_time(created_at)
    return values


_SWITCHED = ("QDPHIEV", "QDPLOEV", "QDPMAXEV", "QSVCIEV")


def events_in_force(kind: Kind, queue: QueueRow | DisplayedRow) -> Row:
    """The attributes that a performance event of a local queue switches, with their current
    values (events P4).
    """
    columns = dict(kind.hot_columns)
    values = {}
    for word in _SWITCHED:
        current = getattr(queue, columns[word].name)
        values[word] = next(
            text for text, number in columns[word].numbers.items() if number == current
        )
    return values


def in_order(kind: Kind, values: Row) -> Row:
    first = _name_word(kind)
    return {
        first: values[first],
        **{word: values[word] for word in kind.display_order if word in values},
    }


def _name_word(kind: Kind) -> str:
    """The keyword that shows the name: QUEUE for every type of queue."""
    return kind.keyword if kind.keyword in kind.key else kind.key[0]


def of_queue_manager(values: Row, qmgr: ManagerRow) -> Row:
    """The values of DISPLAY QMGR and MQINQ that are not attributes of the definition."""
    return {"QMID": queue_manager_identifier(values), "QSGNAME": qmgr.sharing_group}


def queue_manager_identifier(values: Row) -> str:
    """QMID: the queue manager's name and the moment of its creation."""
    return f"{values['QMNAME']}_{values['CRDATE']}_{values['CRTIME']}"


def date_and_time(moment: int) -> tuple[str, str]:
    """A moment (microseconds UTC) as yyyy-mm-dd and hh.mm.ss."""
    day, clock = put_date(moment), put_time(moment)
    return f"{day[:4]}-{day[4:6]}-{day[6:]}", f"{clock[:2]}.{clock[2:4]}.{clock[4:6]}"


# Coupling facility structures of a queue-sharing group: they limit what their queues store (sharing
# §3).

CFSTRUCT = KINDS["CFSTRUCT"]


def structure_columns_for(tx: Queries, group: str, attributes: Attributes) -> dict[str, Any]:
    """The columns of a new shared queue; MQError 2085 without its structure, 3209 when that has
    512 queues already.
    """
    name = str(attributes["CFSTRUCT"])
    found = required(
        objects.by_name(tx, group, CFSTRUCT.namespace, name),
        MQRC.UNKNOWN_OBJECT_NAME,
        name,
    )
    if objects.count_queues_of_structure(tx, group, name) >= sharing.MOST_QUEUES_OF_STRUCTURE:
        raise MQError(MQRCCF.OBJECT_LIMIT_EXCEEDED, name)
    structure = sharing.structure_of(complete(CFSTRUCT, found.attributes))
    return {
        "structure": name,
        "structure_level": structure.level,
        "structure_longest": structure.longest,
        "structure_keeps_persistent": int(structure.keeps_persistent),
    }


def check_structure_rewrite(
    tx: Queries,
    kind: Kind,
    existing: ObjectRow,
    before: Attributes,
    after: Attributes,
) -> None:
    """Check a change of an object of the group: of a shared queue, or of a structure.

    MQError 3211 for another structure and what `check_shared` refuses; 2042 when a change of a
    structure needs its queues empty and closed, and one is not. A change of INDXTYPE needs the same
    of the queue.
    """
    if kind.keyword == "CFSTRUCT":
        if sharing.needs_unused_queues(sharing.structure_of(before), sharing.structure_of(after)):
            check_structure_unused(tx, existing.owner, existing.name)
        return
    check_shared(existing.name, after)
    refuse_if(before["CFSTRUCT"] != after["CFSTRUCT"], MQRCCF.DISPOSITION_CONFLICT, existing.name)
    if before["INDXTYPE"] != after["INDXTYPE"] and objects.is_shared_queue_in_use(
        tx,
        existing.owner,
        existing.name,
    ):
        raise MQError(MQRC.OBJECT_IN_USE, existing.name)


def check_shared(name: str, attributes: Attributes) -> None:
    """MQError 3211 for attributes that no shared queue can have."""
    refuse_for(sharing.definition_fault(name, attributes), name)


def check_structure_unused(tx: Queries, group: str, name: str) -> None:
    """MQError 2042 unless all queues of the structure are empty and closed."""
    refuse_if(objects.queue_of_structure_in_use(tx, group, name), MQRC.OBJECT_IN_USE, name)


def tell_queues(tx: Transaction, group: str, name: str, structure: CouplingStructure) -> None:
    """A structure was defined or changed, or deleted: its queues have its limits, or answer
    2349.
    """
    persistent = int(structure.keeps_persistent)
    objects.set_limits_of_structure(
        tx,
        group,
        name,
        structure.level,
        structure.longest,
        persistent=persistent,
    )
