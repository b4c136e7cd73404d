"""A queue manager of a store: connecting to it, starting and ending it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mqsc.store.admin import manual_clock, starting, units_in_doubt
from mqsc.store.argument_checks import bits, must_be, must_be_writable, unit_names
from mqsc.store.client.command_server import answer_commands
from mqsc.store.client.connection import Connection
from mqsc.store.engine.channel_event import ChannelEvent
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.headers.mqmd import text_fault
from mqsc.store.mqi.client_channel import Origin
from mqsc.store.mqi.connect import connect
from mqsc.store.sql.managers import RUNNING
from mqsc.store.sql.units_of_work import UnitInDoubt
from mqsc.store.sqlite.interruptions import Uninterrupted

if TYPE_CHECKING:
    from mqsc.store.client.store import Store


class QueueManager(QueueManagerState):
    """A queue manager of a store, by name.

    >>> mqsc.open_store("shop.db").queue_manager().is_running
    True
    """

    store: Store

    def connect(
        self,
        application: str = "",
        user: str = "",
        *,
        password: str | None = None,
        client: bool = False,
        channel: str = "",
        address: str = "127.0.0.1",
        agent: str = "",
    ) -> Connection:
        """MQCONN: every call makes an independent connection (2002 never occurs). MQError 2035,
        2058, 2059, 2161.

        `password` is that of an MQCSP, None for a program that gives none; CONNAUTH says whether it
        is checked: by CHCKLOCL, or by CHCKCLNT with `client`. The records of CHLAUTH decide about a
        client that names a `channel` of type SVRCONN; it comes from `address`. ValueError for an
        application or user that no character set can encode. `agent` is the cause of EXPIRE events
        (see `published`) for expired messages that its calls discard.

        >>> with manager.connect(application="billing") as connection:
        ...     connection.application
        'billing'
        """
        environment = self.store.environment
        application = application or environment.application
        for what, given in (("application", application), ("user", user)):
            unfit = text_fault(what, given)
            if unfit:
                raise ValueError(unfit)
        for what, given in (("channel", channel), ("address", address)):
            must_be(str, given, what)
            must_be_writable(given, what)
        if password is not None:
            must_be(str, password, "password")
            must_be_writable(password, "password")
        with Uninterrupted():
            admitted = connect(self, application, user, password, Origin(client, channel, address))
            connection = Connection(
                self,
                admitted.number,
                admitted.run,
                application,
                admitted.user,
                agent,
            )
            connection.authority_user = admitted.authority_user
            connection.authority_facts = admitted.facts
            return connection

    def start(self, *, with_services: bool = True) -> bool:
        """Start the queue manager (strmqm); False when it was running already. Without services
        (strmqm -ns), its command server, listeners and services do not start.

        Design §3.11: units of work are backed out, non-persistent messages are dropped except as
        NPMCLASS(HIGH) says, expired ones are discarded, the TRIGINT timer is reset, in batches.

        >>> manager.start()
        False
        """
        started = starting.start(self, with_services=with_services)
        if started:
            answer_commands(self)
        return started

    def end(self, *, immediate: bool = False) -> str:
        """End it (endmqm): QUIESCING until the last disconnect, or ENDED; `immediate` breaks
        connections.

        >>> mqsc.open_store("sqlite://").create_queue_manager("QM1").end(immediate=True)
        'ENDED'
        """
        return self.store.database.with_reserve(
            lambda: starting.end(self, immediate=immediate),
        )

    def in_doubt(self) -> list[UnitInDoubt]:
        """The units of work that were prepared and not resolved yet, oldest first.

        >>> manager.in_doubt()
        []
        """
        return units_in_doubt.in_doubt(self)

    def resolve(
        self,
        name: str,
        luwid: str,
        *,
        commit: bool,
        noted: Sequence[ChannelEvent] = (),
    ) -> None:
        """End a unit in doubt: commit it, or back it out as MQBACK does. MQError 2255 when there is
        none.

        The history has the events `noted` from the same transaction.

        >>> manager.resolve("billing", "unit 1", commit=False)
        Traceback (most recent call last):
        mqsc.MQError: 2255 ...
        """
        names = unit_names(name, luwid)
        with_reserve = self.store.database.with_reserve
        with_reserve(lambda: units_in_doubt.resolve(self, *names, commit=commit, noted=noted))

    def set_clock(self, at: int) -> None:
        """Set a manual clock to `at` (microseconds UTC, years 1000 to 9995); ValueError for a clock
        that is not manual.

        >>> mqsc.open_store("sqlite://").create_queue_manager("QM1", manual_clock_at=0).set_clock(1_700_000_000_000_000)
        """
        manual_clock.set_clock(self, bits(at, "the time"))

    def advance_clock(self, microseconds: int) -> None:
        """Move a manual clock forward; ValueError for a negative time.

        >>> mqsc.open_store("sqlite://").create_queue_manager("QM1", manual_clock_at=0).advance_clock(1_000_000)
        """
        manual_clock.advance_clock(self, bits(microseconds, "the number of microseconds"))

    @property
    def is_running(self) -> bool:
        """Whether the queue manager accepts connections.

        >>> manager.is_running
        True
        """
        return bool(self.row().state == RUNNING)
