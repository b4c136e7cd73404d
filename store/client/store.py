"""A store: its queue managers and users, and opening it by its URL.

The classes that a program uses (Store, QueueManager, Connection, ObjectHandle) check arguments,
admit one call at a time, and pass the call on to `store.mqi` or `store.admin`.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Self

from mqsc.store.admin import sharing_groups, user_accounts
from mqsc.store.admin.queue_managers import create_queue_manager
from mqsc.store.argument_checks import bits, checked_list, must_be
from mqsc.store.client import forking
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store_url import path_of
from mqsc.store.engine import refusals
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import StoreState
from mqsc.store.engine.store_identity import new_identity
from mqsc.store.environment import Clock, Environment
from mqsc.store.published import Bound
from mqsc.store.sql import connections, managers, schema_version
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.interruptions import Uninterrupted


class Store(StoreState):
    """One SQLite file, opened by this process.

    >>> with mqsc.open_store("shop.db") as store:
    ...     [row.name for row in store.queue_managers()]
    ['QM1']
    """

    def __init__(
        self,
        path: str | None,
        environment: Environment[Any],
        *,
        create: bool = True,
    ) -> None:
        with Uninterrupted():
            super().__init__(path, environment, create=create)
            identity = new_identity(environment, path)
            self.database.with_reserve(
                lambda: schema_version.create_or_upgrade(self.database, identity),
            )
            forking.open_stores.add(self)

    def create_queue_manager(
        self,
        name: str,
        *,
        manual_clock_at: int | None = None,
        default: bool = False,
        group: str = "",
    ) -> QueueManager:
        """Create a queue manager with its SYSTEM objects and start it; the first of a store becomes
        the default.

        With `group` it is a member of that queue-sharing group. SharingGroupError when the rules of
        groups forbid it.

        >>> mqsc.open_store("sqlite://").create_queue_manager("QM1").is_running
        True
        """
        at = None if manual_clock_at is None else bits(manual_clock_at, "manual_clock_at")
        create_queue_manager(self, name, manual_clock_at=at, default=default, group=group)
        created = QueueManager(self, name)
        created.start()
        return created

    def queue_manager(self, name: str = "") -> QueueManager:
        """The queue manager of that name, or the default one for a blank name; MQError 2058 when
        there is none.

        The name of a queue-sharing group leads to the running member with the fewest connections;
        MQError 2059 when none runs, 2161 when all that run are quiescing.

        >>> store.queue_manager().name
        'QM1'
        """
        with Reading(self.database) as reading:
            row = managers.by_name(reading, name) if name else managers.default(reading)
        return QueueManager(
            self,
            sharing_groups.member_for(self, name) if row is None else row.name,
        )

    join_group = sharing_groups.join_group
    leave_group = sharing_groups.leave_group

    def add_user(
        self,
        name: str,
        password: str,
        *,
        administrator: bool = False,
        groups: Sequence[str] = (),
    ) -> None:
        """Add a user whose password CONNAUTH checks, as a member of groups.

        UserAccountError if the name is taken, or something is invalid.

        >>> store.add_user("alice", "a long password", groups=["billing"])
        """
        user_accounts.add_user(
            self,
            name,
            password,
            administrator=administrator,
            groups=checked_list(str, groups, "groups are names"),
        )

    change_password = user_accounts.change_password
    remove_user = user_accounts.remove_user
    users = user_accounts.users

    def queue_managers(self) -> list[ManagerRow]:
        """Every queue manager of the store, by name. One that was quiescing only for dead programs
        has ended.

        >>> store.queue_managers()[0].name
        'QM1'
        """
        self.recover()
        return self.read(managers.all)

    def bound(self) -> Bound:
        """The limits of a report that starts now: last event, last message, the time of every queue
        manager.

        >>> store.bound().seq > 0
        True
        """
        from mqsc.store.admin import report_bound

        return self.read(report_bound.bound_of, self)

    def freeze(self, file: str | PathLike[str], *, with_kept: bool = False) -> Bound:
        """The bound of a report that starts now, after dead programs were recovered.

        Data that later calls change, such as the messages on queues, is copied into the new file
        `file`, from the same state of the store; `with_kept` also the beginning of the data that
        `mqsc history keep` kept of messages that are gone. StoreError if the file cannot be
        written.

        >>> store.freeze("frozen.db").frozen
        '...frozen.db'
        """
        from mqsc.store.admin import report_bound

        return report_bound.freeze(self, Path(file), with_kept=with_kept)

    def recover(self) -> bool:
        """Back out the units of work of dead processes, and close their handles; whether there were
        any.

        >>> store.recover()
        False
        """
        return self.database.with_reserve(lambda: recover(self))

    def close(self) -> None:
        """Close the file. Connections that are still open are abandoned: the next program backs
        them out.

        >>> mqsc.open_store("sqlite://").close()
        """
        with Uninterrupted():
            try:
                if self.refusals:
                    self.database.with_reserve(self._write_refusals)
                if self._alive is not None:
                    self.database.with_reserve(self._drop_process)
            finally:
                self.database.close()
                if self._alive is not None:
                    self._alive.release()
                    self._alive = None
                    self.process = 0

    def _write_refusals(self) -> None:
        with Transaction(self.database, durable=False) as tx:
            refusals.flush(tx, self)

    def _drop_process(self) -> None:
        with Transaction(self.database, durable=False) as tx:
            if not connections.of_process(tx, self.process):
                connections.drop_process(tx, self.process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(
    url: str | PathLike[str],
    environment: Environment[Clock] | None = None,
    *,
    create: bool = True,
) -> Store:
    """Open the store at `url` (a path, `sqlite:///path`, or `sqlite://` for one in memory), or
    create a missing one.

    Raises StoreError when there is no usable store: not a database, read-only folder, written by a
    newer version, missing while `create` is false.

    >>> mqsc.open_store("sqlite://")
    <Store in memory>
    """
    return Store(
        path_of(must_be(str, fspath(url), "url")),
        environment or Environment.system(),
        create=create,
    )
