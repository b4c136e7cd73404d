"""What opens of all kinds share: requests, the check of authority, and the columns of handles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from mqsc.store.constants import MQOT, MQRC
from mqsc.store.engine import authorization, refusals
from mqsc.store.engine.state import CallContext
from mqsc.store.error import MQError, NotAuthorizedError
from mqsc.store.headers import mqmd
from mqsc.store.mqi.state import ConnectionState, transaction
from mqsc.store.rules import opening
from mqsc.store.rules.refused_attempt import Attempt
from mqsc.store.rules.wanted_authorities import Wanted
from mqsc.store.sql import connections
from mqsc.store.sqlite.database import Transaction

QUEUE_TYPE = int(MQOT.Q)


class OpenRequest(NamedTuple):
    """What MQOPEN asks for."""

    name: str
    options: int
    queue_manager: str = ""
    dynamic_name: str | None = None
    object_type: int = QUEUE_TYPE
    alternate_user: str = ""
    selection: str = ""
    call: str = "MQOPEN"
    # ObjectString of a topic.
    object_string: str = ""


@contextmanager
def recorded(connection: ConnectionState) -> Iterator[None]:
    """Record a refusal in a transaction of its own, because that of the call is rolled back."""
    try:
        yield
    except NotAuthorizedError as error:
        with transaction(connection) as (tx, call):
            refusals.record(tx, connection.store, call, error.refusal)
        raise


def check_authority(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: OpenRequest,
    authorities: tuple[Wanted, ...],
    *,
    is_dynamic: bool = False,
) -> None:
    """NotAuthorizedError unless the user of the connection may do this; in the history it is the
    call of `request`.
    """
    user = connection.authority_user
    if user is None or not authorities:
        return
    alternate = (
        request.alternate_user if request.options & opening.ALTERNATE_USER_AUTHORITY else None
    )
    manager = "" if request.queue_manager == call.qmgr.name else request.queue_manager
    wanted = request.call, request.name, user, authorities, request.options
    attempt = Attempt(*wanted, manager, alternate, is_dynamic, connection.authority_facts)
    authorization.check(tx, connection.store, call, attempt)
    refusals.succeeded(tx, connection.store, call, attempt)


def check_user(alternate_user: str) -> None:
    """ValueError for an AlternateUserId that does not fit its field."""
    unfit = mqmd.value_fault("user_identifier", alternate_user)
    if unfit:
        raise ValueError(f"alternate user: {unfit}")


def handle_columns(
    tx: Transaction,
    connection: ConnectionState,
    call: CallContext,
    request: OpenRequest,
) -> dict[str, Any]:
    """The columns that all handles have; MQError 2017 when the connection has as many handles as
    MAXHANDS allows.
    """
    limit = call.qmgr.max_handles
    if (
        len(connection.handles) >= limit
        and connections.count_handles_of(tx, connection.number) >= limit
    ):
        raise MQError(MQRC.HANDLE_NOT_AVAILABLE)
    owner = {"connection": connection.number, "qmgr": call.qmgr.name}
    return {**owner, "options": request.options, "opened_at": call.now}
