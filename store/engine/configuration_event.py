"""Configuration events: objects that are defined, altered, deleted or refreshed (events §5)."""

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from mqsc.store.catalog import KINDS as CATALOG_KINDS, Kind
from mqsc.store.engine import queue_events
from mqsc.store.engine.definitions import Attributes, namespaces, plain_name, subtype_of
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.displayed_definition import displayed, queue_manager_identifier
from mqsc.store.engine.state import CallContext, Command
from mqsc.store.headers import pcf
from mqsc.store.rules import object_events
from mqsc.store.rules.event_message import CONFIGURATION, EventPart
from mqsc.store.rules.names import matches, prefix_range
from mqsc.store.rules.object_events import CONSOLE
from mqsc.store.rules.sharing import QMGR
from mqsc.store.sql import objects
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Transaction

_ENABLED = "ENABLED"
_PAGE = 1000


def created(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    name: str,
    attributes: Attributes,
    *,
    disposition: str = QMGR,
) -> None:
    """The event of an object that was just stored under that name for the first time."""
    if not call.qmgr.configuration_event:
        return
    namespace = kind.namespace_of(subtype_of(kind, attributes))
    definition = ObjectRow(
        0,
        call.qmgr.name,
        namespace,
        name,
        kind.keyword,
        dict(attributes),
        call.now,
        call.now,
        disposition,
    )
    if _has_event(call, definition):
        _put_configuration_event(tx, call, object_events.CREATED, definition, CONSOLE)


def deleted(
    tx: Transaction, call: CallContext, definition: ObjectRow, *, origin: int = CONSOLE
) -> None:
    """The event of an object that is deleted, with the attributes that it had."""
    if _has_event(call, definition):
        _put_configuration_event(tx, call, object_events.DELETED, definition, origin)


def changed(
    tx: Transaction,
    call: CallContext,
    before: ObjectRow,
    after: Attributes,
    altered_at: int,
    *,
    origin: int = CONSOLE,
) -> None:
    """The two events of a change: the object before and after it. Enabling CONFIGEV shows every
    object, too.

    For a change of CONFIGEV itself both values count.
    """
    was, is_now = before.attributes.get("CONFIGEV") == _ENABLED, after.get("CONFIGEV") == _ENABLED
    if not (is_now or _has_event(call, before)):
        return
    call = with_command(call)
    _put_configuration_event(tx, call, object_events.CHANGED, before, origin, last=False)
    after_row = before._replace(attributes=dict(after), altered_at=altered_at)
    _put_configuration_event(tx, call, object_events.CHANGED, after_row, origin, number=2)
    if is_now and not was:
        for each in CATALOG_KINDS.values():
            refresh(tx, call, each)


def refresh(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    pattern: str = "*",
    since: int = 0,
) -> int:
    """Show the objects of a kind whose name matches and that were altered at `since` or later;
    how many.
    """
    if kind.keyword not in object_events.OBJECT_TYPES:
        return 0
    count = 0
    low, high = prefix_range(pattern)
    if not pattern.endswith("*"):
        # The records of a profile are its name, a line feed and what tells them apart.
        high = pattern + "\v"
    for namespace in namespaces(kind):
        after = ""
        while page := objects.page(tx, call.qmgr.name, namespace, low, high, after, _PAGE):
            after = page[-1].name
            for row in page:
                if (
                    row.type == kind.keyword
                    and row.altered_at >= since
                    and matches(pattern, plain_name(row.name))
                ):
                    _put_configuration_event(tx, call, object_events.REFRESHED, row, CONSOLE)
                    count += 1
    return count


def with_command(call: CallContext) -> CallContext:
    """The call as a command, so that all its configuration events carry the same id."""
    return call if call.command else structs.replace(call, command=Command())


def _has_event(call: CallContext, definition: ObjectRow) -> bool:
    """Whether a change of the object is an event now; changes of temporary dynamic queues never
    are.
    """
    if not call.qmgr.configuration_event:
        return False
    temporary = definition.type == "QLOCAL" and definition.attributes.get("DEFTYPE") == "TEMPDYN"
    return not temporary and object_events.has_events(
        CATALOG_KINDS[definition.type], definition.name
    )


def _put_configuration_event(
    tx: Transaction,
    call: CallContext,
    reason: int,
    definition: ObjectRow,
    origin: int,
    *,
    number: int = 1,
    last: bool = True,
) -> None:
    command = call.command or Command()
    kind, name = CATALOG_KINDS[definition.type], plain_name(definition.name)
    parameters = [
        *object_events.cause_parameters(call.user, origin, call.qmgr.name, command.issuer),
        *object_events.object_parameters(
            kind, name, _shown(kind, definition), definition.disposition
        ),
    ]
    control = pcf.LAST if last else pcf.NOT_LAST
    part = EventPart(CONFIGURATION, reason, parameters, command.identified(call), number, control)
    deliver(tx, call, queue_events.message(tx, call, part, name))


def _shown(kind: Kind, definition: ObjectRow) -> Mapping[str, Any]:
    values = displayed(
        kind, definition.name, definition.attributes, definition.created_at, definition.altered_at
    )
    if kind.keyword == "QMGR":
        values["QMID"] = queue_manager_identifier(values)
    return values
