"""Errors of the MQI as those of the interface."""

from __future__ import annotations

from collections.abc import Iterable

from mqsc.interface import errors
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MQError


class Failures:
    """A block whose MQErrors become those of the interface, with the similar names of the queue
    manager.
    """

    __slots__ = ("_manager",)

    def __init__(self, manager: QueueManager) -> None:
        self._manager = manager

    def __enter__(self) -> None:
        """Nothing is prepared: a block costs little, and may be in another one."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MQError):
            explained = errors.explained(error, self._queue_names)
            if explained is not error:
                raise explained from None

    def _queue_names(self) -> Iterable[str]:
        from mqsc.store.admin.known_names import defined_names

        return defined_names(self._manager.store, self._manager.name, "queue")
