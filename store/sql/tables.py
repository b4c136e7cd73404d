"""The tables of `store.sql.schema` by name, for statements: SQLAlchemy is imported when one has to be compiled."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from store.sqlite.expressions import Expression

if TYPE_CHECKING:
    from store.sql.schema import archive as archive
    from store.sql.schema import channel_fault as channel_fault
    from store.sql.schema import channel_host as channel_host
    from store.sql.schema import channel_status as channel_status
    from store.sql.schema import connection as connection
    from store.sql.schema import event as event
    from store.sql.schema import event_segment as event_segment
    from store.sql.schema import handle as handle
    from store.sql.schema import handle_path as handle_path
    from store.sql.schema import message as message
    from store.sql.schema import object_ as object_
    from store.sql.schema import pending_refresh as pending_refresh
    from store.sql.schema import prepared_unit as prepared_unit
    from store.sql.schema import process as process
    from store.sql.schema import queue as queue
    from store.sql.schema import queue_manager as queue_manager
    from store.sql.schema import queue_member as queue_member
    from store.sql.schema import sharing_group as sharing_group
    from store.sql.schema import user_account as user_account
    from store.sql.schema import waiter as waiter
else:

    def __getattr__(name: str) -> Expression:
        if name.startswith("__"):
            raise AttributeError(name)
        return Expression(_table, (name,), {})


def _table(name: str) -> Any:
    # Known texts are found by the operands, so the name of the package, which an installation changes, is not one.
    return getattr(import_module(".schema", __package__), name)
