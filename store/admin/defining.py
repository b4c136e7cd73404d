"""DEFINE: attributes come from the command and, for the rest, from the current LIKE or default object."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from store.admin.channel_commands import check_change
from store.admin.topics import check_subscription, check_topic
from store.catalog import Kind, Stored
from store.constants import MQRC, MQRCCF
from store.engine import configuration_events, structures
from store.engine.attribute_change import rewrite
from store.engine.call_context import CallContext
from store.engine.definition_conflicts import check_conflicts
from store.engine.definitions import (
    Attributes,
    beside_defaults,
    check_name,
    complete,
    definable,
    is_of,
    object_row,
    queue_row,
    record,
    refusals,
    shipped,
    subtype_of,
    without_secrets,
)
from store.engine.recovery import retry_after_recovery
from store.engine.state import QueueManagerState
from store.error import MQError
from store.rules.sharing import owner_of
from store.sql import objects, sharing_groups
from store.sqlite.database import Transaction


def _any(tx: Transaction, owner: str, name: str, attributes: Attributes) -> None:
    """Most kinds of object may name objects that do not exist."""


_CHECKS: Mapping[str, Callable[[Transaction, str, str, Attributes], None]] = {
    "SUB": check_subscription,
    "TOPIC": check_topic,
}


def create(
    qmgr: QueueManagerState,
    kind: Kind,
    name: str,
    given: Attributes,
    *,
    like: str | None = None,
    replace: bool = False,
    disposition: str = "QMGR",
) -> list[str]:
    """DEFINE: create an object, or with `replace` reset an existing one, which keeps its messages.

    Returns the other members that cannot open a shared queue, because they have a queue of its name.

    MQError 4008 for an invalid name, 4001 (4042 for a channel) when the object exists and `replace` is false, 4002 when
    it exists with another type, 2085 or 4003 when `like` names nothing or another type, 3088, 3090 or 3384 to 3387 when
    attributes conflict, 4025 for a channel in doubt, 3210 when replacing would need FORCE, which DEFINE does not have.
    With QSGDISP(SHARED) 3211 for attributes that a shared queue cannot have, 2085 or 3209 when its structure is missing
    or full.
    """
    check_name(kind, name)
    return retry_after_recovery(qmgr.store, lambda: _create(qmgr, kind, name, given, like, replace, disposition))


def _create(
    qmgr: QueueManagerState,
    kind: Kind,
    name: str,
    given: Attributes,
    like: str | None,
    replace: bool,
    disposition: str,
) -> list[str]:
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        group = call.qmgr.sharing_group
        owner = owner_of(kind, qmgr.name, group, disposition)
        if group and kind.namespace == "queue":
            _check_clash(tx, name, qmgr.name if owner == group else group)
        subtype = subtype_of(kind, given)
        existing = objects.by_name(tx, owner, kind.namespace_of(subtype), name)
        if existing is not None and not replace:
            raise MQError(refusals(kind).existing, name)
        if existing is not None and not is_of(kind, subtype, existing):
            raise MQError(MQRCCF.OBJECT_WRONG_TYPE, name)
        attributes = {**_starting_point(tx, call, kind, name, subtype, like), **without_secrets(kind, given)}
        _CHECKS.get(kind.keyword, _any)(tx, qmgr.name, name, attributes)
        if existing is None:
            _define(tx, call, kind, owner, name, attributes)
            return _members_with_own(tx, call, owner, name)
        before = complete(kind, existing.attributes)
        check_change(tx, qmgr.name, kind, name, before, attributes)
        own = {k: v for k, v in before.items() if k not in definable(kind.keyword)}
        rewrite(tx, call, kind, existing, {**attributes, **own}, frozenset(attributes) - own.keys(), cause="replace")
        return _members_with_own(tx, call, owner, name)


def _check_clash(tx: Transaction, name: str, owner: str) -> None:
    """MQError 4001 when `owner` has a queue of that name with another disposition (sharing §1)."""
    if objects.by_name(tx, owner, "queue", name) is not None:
        raise MQError(MQRCCF.OBJECT_ALREADY_EXISTS, name)


def _members_with_own(tx: Transaction, call: CallContext, owner: str, name: str) -> list[str]:
    if owner == call.qmgr.name:
        return []
    members = [each.name for each in sharing_groups.members(tx, owner)]
    return [each for each in members if objects.by_name(tx, each, "queue", name) is not None]


def _define(tx: Transaction, call: CallContext, kind: Kind, owner: str, name: str, attributes: Attributes) -> None:
    shared = owner != call.qmgr.name
    is_queue = kind.namespace == "queue"
    if shared and is_queue:
        structures.check_shared(name, attributes)
    check_conflicts(tx, call.qmgr.name, kind, name, attributes, frozenset(attributes))
    stored = {**attributes, **_identifier(call, kind)}
    ours = beside_defaults(kind, attributes)
    objects.add(tx, object_row(kind, owner, name, stored, call.now))
    if is_queue:
        of_structure = structures.columns_for(tx, owner, attributes) if shared else {}
        objects.add_queue(tx, {**queue_row(kind, owner, name, ours), **of_structure})
    elif shared:
        structures.defined(tx, owner, name, attributes)
    record(tx, call, "DEFINE", kind, name, {word: (None, value) for word, value in ours.items()}, None, owner=owner)
    configuration_events.created(tx, call, kind, name, stored)


def _identifier(call: CallContext, kind: Kind) -> dict[str, Stored]:
    """A subscription has an identifier besides its name."""
    return {"SUBID": call.new_identifier().hex().upper()} if kind.keyword == "SUB" else {}


def _starting_point(
    tx: Transaction, call: CallContext, kind: Kind, name: str, subtype: str, like: str | None
) -> dict[str, Stored]:
    """The attributes before the given ones are applied. Attributes that only DISPLAY knows (DEFTYPE) are not copied."""
    start = dict(shipped(kind, subtype))
    source = _source(tx, call, kind, name, subtype, like)
    if source is not None:
        words = definable(kind.keyword)
        start.update({word: value for word, value in complete(kind, source).items() if word in words})
    return start


def _source(
    tx: Transaction, call: CallContext, kind: Kind, name: str, subtype: str, like: str | None
) -> Attributes | None:
    """The attributes of the LIKE or default object; None for the default object itself, and a kind that has none."""
    wanted = like if like is not None else kind.default_object_of(subtype)
    if not wanted:
        return None
    group, namespace = call.qmgr.sharing_group, kind.namespace_of(subtype)
    found = objects.by_name(tx, call.qmgr.name, namespace, wanted)
    if found is None and group:
        found = objects.by_name(tx, group, namespace, wanted)
    if found is None:
        if like is None and wanted == name:
            return None
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, wanted)
    if not is_of(kind, subtype, found):
        raise MQError(MQRCCF.LIKE_OBJECT_WRONG_TYPE, wanted)
    return found.attributes
