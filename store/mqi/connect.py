"""MQCONN."""

from __future__ import annotations

from typing import Any, NamedTuple

from mqsc.store.engine import refusals
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import NotAuthorizedError
from mqsc.store.mqi.client_channel import (
    LOCAL,
    Origin,
    add_event,
    connecting_client,
    refuse_address,
    server_channel,
    user_of_channel,
)
from mqsc.store.mqi.connection_refusals import refusing
from mqsc.store.mqi.password_check import authenticated_user


class Admitted(NamedTuple):
    """A new connection: its number, the run of the queue manager that it is made to, and its user.

    `authority_user` is the user whose authorities its calls need, None for the owner of the store;
    `facts` are those of refusals of its calls.
    """

    number: int
    run: int
    user: str
    authority_user: str | None
    facts: dict[str, Any]


def connect(
    qmgr: QueueManagerState,
    application: str,
    user: str,
    password: str | None,
    origin: Origin = LOCAL,
) -> Admitted:
    """MQCONN. MQError 2035, 2058, 2059, 2161."""
    store = qmgr.store
    login = store.environment.user
    user, facts = user or store.acting_user or login, {}
    is_verified = adopted = False
    channel = server_channel(qmgr, origin)
    if channel:
        facts = {"channel": origin.channel, "address": origin.address}
        refuse_address(qmgr, application, channel, user, origin)
    if not (store.is_administrators or qmgr.is_agent):
        user, is_verified, adopted = authenticated_user(
            qmgr,
            application,
            user,
            password,
            client=origin.client,
        )
    if channel:
        user = user_of_channel(
            qmgr,
            application,
            connecting_client(channel, user, origin, is_verified and adopted),
            is_verified,
        )
    is_owner = store.is_owner and user == login and not (origin.client or store.acting_user)
    authority_user = None if is_owner or qmgr.is_agent else user
    with_reserve = store.database.with_reserve
    with_reserve(lambda: recover(store))
    program = {
        "process": with_reserve(store.register_process),
        "application": application,
        "user": user,
        **origin.shown(),
    }
    try:
        number, run = with_reserve(lambda: add_event(qmgr, program, authority_user, facts))
    except NotAuthorizedError as error:
        with refusing(qmgr, application, user) as (tx, call):
            refusals.record(tx, store, call, error.refusal)
        raise
    return Admitted(number, run, user, authority_user, facts)
