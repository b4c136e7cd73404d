"""DEFINE: attributes come from the command and, for the rest, from the current LIKE or default
object.
"""

from collections.abc import Callable, Mapping

from mqsc.store.admin.channel.commands import check_change
from mqsc.store.admin.channel.status import CHANNEL
from mqsc.store.admin.topics import check_subscription, check_topic
from mqsc.store.catalog import KINDS, Kind, Stored
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import (
    configuration_event,
    coupling_structures,
    definitions,
    recovery,
    subscription_definitions,
    subscription_end,
)
from mqsc.store.engine.attribute_change import Change, rewrite
from mqsc.store.engine.attribute_conflicts import check_conflicts
from mqsc.store.engine.definitions import Attributes, find, is_of, refusals, subtype_of
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules.sharing import COPY, GROUP, QMGR, SHARED, in_the_way, owner_of, structure_of
from mqsc.store.sql import managers, objects, queues
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

# Objects of other kinds may name objects that do not exist.
_CHECKS: Mapping[str, Callable[[Transaction, str, str, Attributes], None]] = {
    "SUB": check_subscription,
    "TOPIC": check_topic,
}


@recovery.retried_after_recovery
def create(
    qmgr: QueueManagerState,
    kind: Kind,
    name: str,
    attributes: Attributes,
    *,
    like: str | None = None,
    replace: bool = False,
    disposition: str = QMGR,
    keep_secrets: bool = False,
) -> list[str]:
    """DEFINE: create an object, or with `replace` reset an existing one, which keeps its messages,
    and with `keep_secrets` the secrets that are not given.

    Returns the other members that cannot open a shared queue, because they have a queue of its
    name. A GROUP object is only noted for the members: `store.admin.sharing_groups` makes their
    copies.

    MQError 4008 for an invalid name, 4001 (4042 for a channel) when the object exists and `replace`
    is false, or has another disposition, 4002 when it exists with another type, 2085 or 4003 when
    `like` names nothing or another type, 3088, 3090, 3363 or 3384 to 3387 when attributes conflict,
    4025 for a channel in doubt, 3210 when replacing would need FORCE, which DEFINE does not have.
    With QSGDISP(SHARED) 3211 for attributes that a shared queue cannot have, 2085 or 3209 when its
    structure is missing or full; with QSGDISP(COPY) 2085 without a GROUP object.
    """
    definitions.check_name(kind, name)
    with qmgr.transaction() as (tx, call):
        group = call.qmgr.sharing_group
        owner = owner_of(kind, qmgr.name, group, disposition)
        subtype = subtype_of(kind, attributes)
        namespace = kind.namespace_of(subtype)
        if group and kind.keyword != "CFSTRUCT":
            dispositions = dispositions_of(tx, call, namespace, name)
            refuse_if(in_the_way(disposition, dispositions), refusals(kind).existing, name)
        existing = objects.by_name(tx, owner, namespace, name)
        refuse_if(existing is not None and not replace, refusals(kind).existing, name)
        refuse_if(
            existing is not None and not is_of(kind, subtype, existing),
            MQRCCF.OBJECT_WRONG_TYPE,
            name,
        )
        start = _starting_point(tx, call, kind, name, subtype, like, disposition)
        complete = {**start, **definitions.without_secrets(kind, attributes)}
        if existing is None:
            define(tx, call, kind, name, complete, disposition=disposition)
        else:
            left = _secrets_left(kind, existing, attributes) if keep_secrets else {}
            replace_attributes(
                tx,
                call,
                existing,
                {**complete, **left},
                frozenset(complete) - left.keys(),
                cause="replace",
            )
        if disposition == GROUP:
            managers.add_refresh_for_members(tx, group, namespace, name)
        return _members_with_own(tx, call, name) if disposition == SHARED else []


def _secrets_left(
    kind: Kind,
    existing: ObjectRow,
    attributes: Attributes,
) -> dict[str, Stored]:
    """The secrets of an object that `attributes` do not give."""
    stored = existing.attributes
    left = (definitions.secrets(kind) & stored.keys()) - attributes.keys()
    return {word: stored[word] for word in left}


def dispositions_of(tx: Queries, call: CallContext, namespace: str, name: str) -> list[str]:
    """The dispositions of the objects of that name that a member can name: its own, and that of
    the group.
    """
    found = (
        objects.by_name(tx, owner, namespace, name)
        for owner in (call.qmgr.name, call.qmgr.sharing_group)
    )
    return [each.disposition for each in found if each is not None]


def _members_with_own(tx: Transaction, call: CallContext, name: str) -> list[str]:
    members = [each.name for each in managers.members(tx, call.qmgr.sharing_group)]
    return [each for each in members if objects.by_name(tx, each, "queue", name) is not None]


def define(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    name: str,
    attributes: Attributes,
    *,
    disposition: str = QMGR,
    cause: str | None = None,
) -> None:
    """Store a new object with all its attributes, and record it; the errors about attributes are
    those of `create`.
    """
    owner = owner_of(kind, call.qmgr.name, call.qmgr.sharing_group, disposition)
    around = owner if disposition == GROUP else call.qmgr.name
    if kind.keyword in _CHECKS:
        _CHECKS[kind.keyword](tx, around, name, attributes)
    is_queue, shared = kind.namespace == "queue", disposition == SHARED
    if shared:
        coupling_structures.check_shared(name, attributes)
    check_conflicts(tx, around, kind, name, attributes, frozenset(attributes))
    # A subscription has an identifier besides its name.
    stored = (
        {**attributes, "SUBID": call.new_identifier().hex().upper()}
        if kind.keyword == "SUB"
        else attributes
    )
    ours = definitions.beside_defaults(kind, attributes)
    objects.add(
        tx,
        definitions.object_row(kind, owner, name, stored, call.now, disposition=disposition),
    )
    if is_queue and disposition != GROUP:
        of_structure = (
            coupling_structures.structure_columns_for(tx, owner, attributes) if shared else {}
        )
        queues.add(tx, {**definitions.queue_row(kind, owner, name, ours), **of_structure})
    if kind.keyword == "SUB":
        subscription_definitions.defined(tx, call, name, stored)
    if kind.keyword == "TOPIC":
        subscription_end.changed(tx, call)
    if kind.keyword == "CFSTRUCT" and owner != call.qmgr.name:
        coupling_structures.tell_queues(tx, owner, name, structure_of(attributes))
    changes = {word: (None, value) for word, value in ours.items()}
    definitions.record(
        tx,
        call,
        "DEFINE",
        definitions.Defined(kind.keyword, name, owner, disposition),
        changes,
        cause,
    )
    configuration_event.created(tx, call, kind, name, stored, disposition=disposition)


def replace_attributes(
    tx: Transaction,
    call: CallContext,
    existing: ObjectRow,
    after: Attributes,
    keywords: frozenset[str],
    *,
    cause: str,
) -> None:
    """Give an object other attributes, except those that belong to the object itself (DEFTYPE of
    a dynamic queue).
    """
    kind, name = KINDS[existing.type], existing.name
    around = existing.owner if existing.disposition == GROUP else call.qmgr.name
    if kind.keyword in _CHECKS:
        _CHECKS[kind.keyword](tx, around, name, after)
    before = definitions.complete(kind, existing.attributes)
    if kind is CHANNEL and existing.disposition != GROUP:
        check_change(tx, call.qmgr.name, name, before, after)
    own = {word: before[word] for word in before.keys() - definitions.definable(kind)}
    rewrite(
        tx, call, existing, Change(before, {**after, **own}, keywords - own.keys(), cause=cause)
    )


def _starting_point(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    name: str,
    subtype: str,
    like: str | None,
    disposition: str,
) -> dict[str, Stored]:
    """The attributes before the given ones are applied."""
    if disposition == COPY:
        # Whatever LIKE says (sharing §1).
        return definitions.copied_from(
            find(tx, call.qmgr.sharing_group, kind, name, subtype, disposition=GROUP),
            subtype,
        )
    source = _source(tx, call, kind, name, subtype, like)
    return (
        dict(definitions.shipped(kind, subtype))
        if source is None
        else definitions.copied_from(source, subtype)
    )


def _source(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    name: str,
    subtype: str,
    like: str | None,
) -> ObjectRow | None:
    """The LIKE or default object; None for the default object itself, and a kind that has none."""
    wanted = like if like is not None else kind.default_object_of(subtype)
    if not wanted:
        return None
    group, namespace = call.qmgr.sharing_group, kind.namespace_of(subtype)
    source = objects.by_name(tx, call.qmgr.name, namespace, wanted)
    if source is None and group:
        source = objects.by_name(tx, group, namespace, wanted)
        if source is not None and not definitions.is_meant(source, SHARED):
            source = None
    if source is None:
        if like is None and wanted == name:
            return None
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, wanted)
    refuse_if(not is_of(kind, subtype, source), MQRCCF.LIKE_OBJECT_WRONG_TYPE, wanted)
    return source
