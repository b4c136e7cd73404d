"""What commands call, by subject: each function is one short transaction, or several bounded ones; failures are
MQError.

Names are imported on first use, because a command needs few of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from store.admin.altering import change, change_queue_manager
    from store.admin.authorities import authority_records, delete_authority, entity_authority, set_authority
    from store.admin.channel_auth import channel_rules, deciding_rules, set_channel_rule
    from store.admin.clearing import clear
    from store.admin.connection_status import connection_handles, connections
    from store.admin.defining import create
    from store.admin.deleting import delete
    from store.admin.expiry import ExpiryScan, refresh_expiry
    from store.admin.inquiring import inquire, inquire_queue_manager
    from store.admin.moving import move
    from store.admin.refreshing import refresh_configuration
    from store.admin.statistics import queue_handles, queue_status, reset_queue_statistics
    from store.admin.status import application_status, queue_manager_status
    from store.admin.stop import reset_channel, stop_connections
    from store.admin.system_objects import redefine
    from store.admin.topics import publish_subscribe_status, subscription_status, subscriptions, topic_status

_HOMES = {
    "ExpiryScan": "expiry",
    "application_status": "status",
    "authority_records": "authorities",
    "change": "altering",
    "change_queue_manager": "altering",
    "channel_rules": "channel_auth",
    "clear": "clearing",
    "connection_handles": "connection_status",
    "connections": "connection_status",
    "create": "defining",
    "deciding_rules": "channel_auth",
    "delete": "deleting",
    "delete_authority": "authorities",
    "entity_authority": "authorities",
    "inquire": "inquiring",
    "inquire_queue_manager": "inquiring",
    "move": "moving",
    "publish_subscribe_status": "topics",
    "queue_handles": "statistics",
    "queue_manager_status": "status",
    "queue_status": "statistics",
    "redefine": "system_objects",
    "refresh_configuration": "refreshing",
    "refresh_expiry": "expiry",
    "reset_channel": "stop",
    "reset_queue_statistics": "statistics",
    "set_authority": "authorities",
    "set_channel_rule": "channel_auth",
    "stop_connections": "stop",
    "subscription_status": "topics",
    "subscriptions": "topics",
    "topic_status": "topics",
}

__all__ = [
    "ExpiryScan",
    "application_status",
    "authority_records",
    "change",
    "change_queue_manager",
    "channel_rules",
    "clear",
    "connection_handles",
    "connections",
    "create",
    "deciding_rules",
    "delete",
    "delete_authority",
    "entity_authority",
    "inquire",
    "inquire_queue_manager",
    "move",
    "publish_subscribe_status",
    "queue_handles",
    "queue_manager_status",
    "queue_status",
    "redefine",
    "refresh_configuration",
    "refresh_expiry",
    "reset_channel",
    "reset_queue_statistics",
    "set_authority",
    "set_channel_rule",
    "stop_connections",
    "subscription_status",
    "subscriptions",
    "topic_status",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"store.admin.{home}"), name)
    globals()[name] = value
    return value
