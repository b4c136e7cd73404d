"""What commands do to objects: every function is one short transaction, or several bounded ones; MQError says no."""

from store.admin.altering import change, change_queue_manager
from store.admin.clearing import clear
from store.admin.defining import create
from store.admin.deleting import delete
from store.admin.inquiring import inquire, inquire_queue_manager
from store.admin.refresh import ExpiryScan, refresh_expiry

__all__ = [
    "ExpiryScan",
    "change",
    "change_queue_manager",
    "clear",
    "create",
    "delete",
    "inquire",
    "inquire_queue_manager",
    "refresh_expiry",
]
