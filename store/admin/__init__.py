"""What commands do to objects: every function is one short transaction, or several bounded ones; MQError says no."""

from store.admin.altering import change, change_queue_manager
from store.admin.clearing import clear
from store.admin.connected import connection_handles, connections
from store.admin.defining import create
from store.admin.deleting import delete
from store.admin.inquiring import inquire, inquire_queue_manager
from store.admin.refresh import ExpiryScan, refresh_expiry
from store.admin.statistics import queue_handles, queue_status, reset_queue_statistics

__all__ = [
    "ExpiryScan",
    "change",
    "change_queue_manager",
    "clear",
    "connection_handles",
    "connections",
    "create",
    "delete",
    "inquire",
    "inquire_queue_manager",
    "queue_handles",
    "queue_status",
    "refresh_expiry",
    "reset_queue_statistics",
]
