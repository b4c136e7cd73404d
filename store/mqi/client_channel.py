"""A client that names a channel (authority §6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from mqsc.store.constants import MQCHS, MQRC
from mqsc.store.engine import authorization, inbound, refusals
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import MQError, refuse_if
from mqsc.store.mqi.connection_refusals import refuse_connection, refusing
from mqsc.store.mqi.handles import recorded
from mqsc.store.mqi.state import ConnectionState, transaction
from mqsc.store.rules.channel_auth import ChannelVerdict, ConnectingClient
from mqsc.store.rules.connection_authentication import asks_for_password
from mqsc.store.rules.refused_attempt import Attempt
from mqsc.store.rules.wanted_authorities import CONNECT
from mqsc.store.sql import channels, connections, managers
from mqsc.store.sql.managers import QUIESCING
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries


class Origin(NamedTuple):
    """Where a program connects from: as a client or not, on which channel if it names one, from
    which address.
    """

    client: bool = False
    channel: str = ""
    address: str = "127.0.0.1"

    def shown(self) -> dict[str, str]:
        """The columns of the connection that DISPLAY CONN shows of a client."""
        return {"channel": self.channel, "address": self.address} if self.client else {}


LOCAL = Origin()


def server_channel(qmgr: QueueManagerState, origin: Origin) -> Mapping[str, Any]:
    """The definition of the SVRCONN that a client names; none if there is none, so that the name
    is ignored.
    """
    if not (origin.client and origin.channel):
        return {}
    found = qmgr.store.read(inbound.definition_of, qmgr.name, origin.channel)
    return found if found.get("CHLTYPE") == inbound.SVRCONN else {}


def connecting_client(
    channel: Mapping[str, Any],
    user: str,
    origin: Origin,
    is_adopted: bool,
) -> ConnectingClient:
    return ConnectingClient(
        origin.channel,
        origin.address,
        user=user,
        channel_user=str(channel.get("MCAUSER", "")),
        is_message_channel=False,
        is_adopted=is_adopted,
    )


def refuse_address(
    qmgr: QueueManagerState,
    application: str,
    channel: Mapping[str, Any],
    user: str,
    origin: Origin,
) -> None:
    """MQError 2059 for an address that is blocked, before anything else is looked at."""
    client = connecting_client(channel, user, origin, is_adopted=False)
    with Reading(qmgr.store.database) as reading:
        row = managers.by_name(reading, qmgr.name)
        found = None if row is None else inbound.verdict(reading, qmgr.store, row, client)
    if found is not None and found.refused == "BLOCKADDR":
        _block(qmgr, application, client, found)


def user_of_channel(
    qmgr: QueueManagerState,
    application: str,
    client: ConnectingClient,
    is_verified: bool,
) -> str:
    """The user of a client on its channel. MQError 2035 if a record blocks it, or asks for a
    password.
    """
    with Reading(qmgr.store.database) as reading:
        row = managers.by_name(reading, qmgr.name)
        if row is None:
            return client.user
        verdict = inbound.verdict(reading, qmgr.store, row, client)
        if verdict is None:
            return client.user
        must = _asks_for_password(reading, qmgr, row, client.user, verdict)
    if must and not is_verified and verdict.refused != "NOACCESS":
        refuse_connection(qmgr, application, client.user, record=verdict.record)
        raise MQError(MQRC.NOT_AUTHORIZED, qmgr.name)
    if verdict.refused or verdict.warned:
        _block(qmgr, application, client, verdict)
    return verdict.user


def record_asks(qmgr: QueueManagerState, user: str, verdict: ChannelVerdict) -> str:
    """What in the record that counts for a client of this user asks for a password; blank if
    nothing does.
    """
    with Reading(qmgr.store.database) as reading:
        row = managers.by_name(reading, qmgr.name)
        if row is None or not _asks_for_password(reading, qmgr, row, user, verdict):
            return ""
    return f"CHCKCLNT({verdict.check}) of the record"


def _asks_for_password(
    reading: Queries, qmgr: QueueManagerState, row: ManagerRow, user: str, verdict: ChannelVerdict
) -> bool:
    identity = authorization.identity_of(reading, qmgr.store, row, user)
    return asks_for_password(verdict.check, is_administrator=identity.is_administrator)


def _block(
    qmgr: QueueManagerState,
    application: str,
    client: ConnectingClient,
    verdict: ChannelVerdict,
) -> None:
    """Record the records that block a client; MQError unless they only warn."""
    with refusing(qmgr, application, client.user) as (tx, call):
        inbound.record(tx, call, client, verdict)
    refuse_if(
        verdict.refused,
        inbound.REASONS.get(verdict.refused, int(MQRC.NOT_AUTHORIZED)),
        qmgr.name,
    )


def add_event(
    qmgr: QueueManagerState,
    program: Mapping[str, Any],
    authority_user: str | None,
    facts: dict[str, Any],
) -> tuple[int, int]:
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        if authority_user is not None:
            attempt = Attempt("MQCONN", "", authority_user, CONNECT, facts=facts)
            connecting = replace(call, application=program["application"], user=program["user"])
            authorization.check(tx, qmgr.store, connecting, attempt)
            refusals.succeeded(tx, qmgr.store, connecting, attempt)
        refuse_if(call.qmgr.state == QUIESCING, MQRC.Q_MGR_QUIESCING, qmgr.name)
        if program.get("channel"):
            _refuse_stopped(tx, qmgr.name, program["channel"])
        row = {"qmgr": qmgr.name, "run": call.qmgr.run, **program, "connected_at": call.now}
        return connections.add(tx, row), call.qmgr.run


def _refuse_stopped(tx: Transaction, qmgr: str, channel: str) -> None:
    """MQError 2537 for a channel that STOP CHANNEL has stopped."""
    found = channels.instance(tx, qmgr, channel, "")
    is_stopped = found is not None and found.status == MQCHS.STOPPED
    if is_stopped and inbound.definition_of(tx, qmgr, channel).get("CHLTYPE") == inbound.SVRCONN:
        raise MQError(MQRC.CHANNEL_NOT_AVAILABLE, channel)


def check_connect(connection: ConnectionState, user: str) -> None:
    """NotAuthorizedError unless the user of a message channel may connect (authority §4.4)."""
    attempt = Attempt("MQCONN", "", user, CONNECT, facts=connection.authority_facts)
    with recorded(connection), transaction(connection) as (tx, call):
        authorization.check(tx, connection.store, call, attempt)
