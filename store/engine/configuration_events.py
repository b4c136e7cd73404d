"""Configuration events: objects that are defined, altered, deleted or refreshed (events §5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from store.catalog import KINDS, Kind
from store.engine import event_messages
from store.engine.call_context import CallContext, Command
from store.engine.definition_values import displayed, queue_manager_identifier
from store.engine.definitions import Attributes, namespaces, plain_name, subtype_of
from store.engine.deliver import deliver
from store.headers import pcf
from store.rules import configuration_event as rules
from store.rules.configuration_event import CONSOLE
from store.rules.event_message import CONFIGURATION, EventPart
from store.rules.generic_names import matches, prefix_range
from store.rules.sharing import QMGR
from store.sql import objects
from store.sql.objects import ObjectRow
from store.sqlite.database import Transaction

_ENABLED = "ENABLED"
_PAGE = 1000


def created(
    tx: Transaction, call: CallContext, kind: Kind, name: str, attributes: Attributes, *, disposition: str = QMGR
) -> None:
    """The event of an object that was just stored under that name for the first time."""
    if not call.qmgr.configuration_event:
        return
    namespace = kind.namespace_of(subtype_of(kind, attributes))
    row = ObjectRow(0, call.qmgr.name, namespace, name, kind.keyword, dict(attributes), call.now, call.now, disposition)
    if _has_event(call, row):
        _put(tx, call, rules.CREATED, row, CONSOLE)


def deleted(tx: Transaction, call: CallContext, row: ObjectRow, *, origin: int = CONSOLE) -> None:
    """The event of an object that is deleted, with the attributes that it had."""
    if _has_event(call, row):
        _put(tx, call, rules.DELETED, row, origin)


def changed(
    tx: Transaction, call: CallContext, before: ObjectRow, after: Attributes, altered_at: int, *, origin: int = CONSOLE
) -> None:
    """The two events of a change: the object before and after it. Enabling CONFIGEV shows every object, too.

    For a change of CONFIGEV itself both values count.
    """
    was, is_now = before.attributes.get("CONFIGEV") == _ENABLED, after.get("CONFIGEV") == _ENABLED
    if not (is_now or _has_event(call, before)):
        return
    call = with_command(call)
    _put(tx, call, rules.CHANGED, before, origin, last=False)
    after_row = before._replace(attributes=dict(after), altered_at=altered_at)
    _put(tx, call, rules.CHANGED, after_row, origin, number=2)
    if is_now and not was:
        for each in KINDS.values():
            refresh(tx, call, each)


def refresh(tx: Transaction, call: CallContext, kind: Kind, pattern: str = "*", since: int = 0) -> int:
    """Show the objects of a kind whose name matches and that were altered at `since` or later; how many."""
    if kind.keyword not in rules.OBJECT_TYPES:
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
                if row.type == kind.keyword and row.altered_at >= since and matches(pattern, plain_name(row.name)):
                    _put(tx, call, rules.REFRESHED, row, CONSOLE)
                    count += 1
    return count


def with_command(call: CallContext) -> CallContext:
    """The call as a command, so that all its configuration events carry the same id."""
    return call if call.command else replace(call, command=Command())


def _has_event(call: CallContext, row: ObjectRow) -> bool:
    """Whether a change of the object is an event now; changes of temporary dynamic queues never are."""
    if not call.qmgr.configuration_event:
        return False
    temporary = row.type == "QLOCAL" and row.attributes.get("DEFTYPE") == "TEMPDYN"
    return not temporary and rules.has_events(KINDS[row.type], row.name)


def _put(
    tx: Transaction, call: CallContext, reason: int, row: ObjectRow, origin: int, *, number: int = 1, last: bool = True
) -> None:
    command = call.command or Command()
    kind, name = KINDS[row.type], plain_name(row.name)
    parameters = [
        *rules.cause_parameters(call.user, origin, call.qmgr.name, command.issuer),
        *rules.object_parameters(kind, name, _shown(kind, row), row.disposition),
    ]
    control = pcf.LAST if last else pcf.NOT_LAST
    part = EventPart(CONFIGURATION, reason, parameters, command.identified(call), number, control)
    deliver(tx, call, event_messages.message(tx, call, part, name))


def _shown(kind: Kind, row: ObjectRow) -> Mapping[str, Any]:
    values = displayed(kind, row.name, row.attributes, row.created_at, row.altered_at)
    if kind.keyword == "QMGR":
        values["QMID"] = queue_manager_identifier(values)
    return values
