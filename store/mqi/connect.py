"""MQCONN and the check of users."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgspec.structs import replace

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRC, MQRQ
from mqsc.store.engine import authorization, inbound, queue_events, refusals
from mqsc.store.engine.authorization import NOT_IN_FORCE
from mqsc.store.engine.history import record_event
from mqsc.store.engine.passwords import has_password
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, NotAuthorizedError, refuse_if
from mqsc.store.mqi.open import recorded
from mqsc.store.mqi.state import ConnectionState, transaction
from mqsc.store.rules import connection_authentication
from mqsc.store.rules.authorization import CONNECT, WARN, Attempt
from mqsc.store.rules.channel_auth import ChannelVerdict, ConnectingClient, Record
from mqsc.store.rules.connection_authentication import IdentityClaim, PasswordRequirement, Verdict
from mqsc.store.rules.event_message import call_facts
from mqsc.store.sql import connections, managers, objects
from mqsc.store.sql.managers import QUIESCING, RUNNING
from mqsc.store.sql.rows import UserAccountRow
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries


class Origin(NamedTuple):
    """Where a program connects from: as a client or not, on which channel if it names one, from
    which address.
    """

    client: bool = False
    channel: str = ""
    address: str = "127.0.0.1"


LOCAL = Origin()


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
    channel = _server_channel(qmgr, origin)
    if channel:
        facts = {"channel": origin.channel, "address": origin.address}
        _refuse_address(qmgr, application, channel, user, origin)
    if not (store.is_administrators or qmgr.is_agent):
        user, is_verified, adopted = authenticated_user(
            qmgr,
            application,
            user,
            password,
            client=origin.client,
        )
    if channel:
        user = _user_of_channel(
            qmgr,
            application,
            _inbound(channel, user, origin, is_verified and adopted),
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
    }
    try:
        number, run = with_reserve(lambda: _add(qmgr, program, authority_user, facts))
    except NotAuthorizedError as error:
        with _refusing(qmgr, application, user) as (tx, call):
            refusals.record(tx, store, call, error.refusal)
        raise
    return Admitted(number, run, user, authority_user, facts)


@contextmanager
def _refusing(
    qmgr: QueueManagerState,
    application: str,
    user: str,
) -> Iterator[tuple[Transaction, CallContext]]:
    """A transaction that records a refusal of the program."""
    with Transaction(qmgr.store.database, durable=True) as tx:
        yield tx, replace(qmgr.call_context(tx), application=application, user=user)


# A client that names a channel (authority §6).


def _server_channel(qmgr: QueueManagerState, origin: Origin) -> Mapping[str, Any]:
    """The definition of the SVRCONN that a client names; none if there is none, so that the name
    is ignored.
    """
    if not (origin.client and origin.channel):
        return {}
    found = qmgr.store.read(inbound.definition_of, qmgr.name, origin.channel)
    return found if found.get("CHLTYPE") == "SVRCONN" else {}


def _inbound(
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


def _refuse_address(
    qmgr: QueueManagerState,
    application: str,
    channel: Mapping[str, Any],
    user: str,
    origin: Origin,
) -> None:
    """MQError 2059 for an address that is blocked, before anything else is looked at."""
    client = _inbound(channel, user, origin, is_adopted=False)
    with Reading(qmgr.store.database) as reading:
        row = managers.by_name(reading, qmgr.name)
        found = None if row is None else inbound.verdict(reading, qmgr.store, row, client)
    if found is not None and found.refused == "BLOCKADDR":
        _block(qmgr, application, client, found)


def _user_of_channel(
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
        administrator = authorization.identity_of(
            reading,
            qmgr.store,
            row,
            client.user,
        ).is_administrator
    must = verdict.check == connection_authentication.REQUIRED or (
        verdict.check == connection_authentication.REQDADM and administrator
    )
    if must and not is_verified and verdict.refused != "NOACCESS":
        _refuse(qmgr, application, client.user, record=verdict.record)
        raise MQError(MQRC.NOT_AUTHORIZED, qmgr.name)
    if verdict.refused or verdict.warned:
        _block(qmgr, application, client, verdict)
    return verdict.user


def _block(
    qmgr: QueueManagerState,
    application: str,
    client: ConnectingClient,
    verdict: ChannelVerdict,
) -> None:
    """Record the records that block a client; MQError unless they only warn."""
    with _refusing(qmgr, application, client.user) as (tx, call):
        inbound.record(tx, call, client, verdict)
    refuse_if(
        verdict.refused,
        inbound.REASONS.get(verdict.refused, int(MQRC.NOT_AUTHORIZED)),
        qmgr.name,
    )


def _add(
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
        row = {"qmgr": qmgr.name, "run": call.qmgr.run, **program, "connected_at": call.now}
        return connections.add(tx, row), call.qmgr.run


def check_connect(connection: ConnectionState, user: str) -> None:
    """NotAuthorizedError unless the user of a message channel may connect (authority §4.4)."""
    attempt = Attempt("MQCONN", "", user, CONNECT, facts=connection.authority_facts)
    with recorded(connection), transaction(connection) as (tx, call):
        authorization.check(tx, connection.store, call, attempt)


# The user and password that a program gives are checked as CONNAUTH requires (events §3).

_QMGR, _AUTHINFO = KINDS["QMGR"], KINDS["AUTHINFO"]
_PASSWORDS = "IDPWOS"
_CHECKED_ELSEWHERE = "IDPWLDAP"
_UNCHECKED = PasswordRequirement("NONE")
_UNUSABLE = PasswordRequirement("REQUIRED", usable=False)


class _Facts(NamedTuple):
    requirement: PasswordRequirement
    claim: IdentityClaim
    account: UserAccountRow | None
    in_force: bool


def authenticated_user(
    qmgr: QueueManagerState,
    application: str,
    user: str,
    password: str | None,
    *,
    client: bool,
) -> tuple[str, bool, bool]:
    """The user of the connection, whether its password was right, and whether ADOPTCTX says that it
    is used.

    MQError 2035 for a password that is missing or wrong, if CONNAUTH asks for one.

    `password` is None for a program that gives none. A queue manager that does not run is left to
    the caller.
    """
    store, login = qmgr.store, qmgr.store.environment.user
    facts = store.read(_facts, qmgr, user, password, client=client)
    if facts is None:
        return user, False, False
    verdict = connection_authentication.verdict(facts.requirement, facts.claim)
    # Only the owner of the store may act as another user without that user's password.
    claimed = facts.in_force and not (store.is_owner or user == login)
    if (
        verdict is Verdict.REFUSE
        or (verdict is Verdict.VERIFY and not has_password(store, facts.account, password or ""))
        or (verdict is Verdict.ADMIT and claimed and password is None)
    ):
        _refuse(qmgr, application, user)
        raise MQError(MQRC.NOT_AUTHORIZED, qmgr.name)
    is_verified = verdict is Verdict.VERIFY
    unused = (verdict is Verdict.ADMIT and claimed) or (
        is_verified and not facts.requirement.adopts
    )
    return login if unused else user, is_verified, facts.requirement.adopts


def _facts(
    reading: Queries,
    qmgr: QueueManagerState,
    user: str,
    password: str | None,
    *,
    client: bool,
) -> _Facts | None:
    manager = managers.by_name(reading, qmgr.name)
    if manager is None or manager.state != RUNNING:
        return None
    account = connections.user(reading, user)
    administrator = account is not None and bool(account.administrator)
    claim = IdentityClaim(
        password is not None,
        administrator,
        account is not None or connections.any_users(reading),
    )
    in_force = authorization.known(reading, qmgr.store, manager).mode not in (NOT_IN_FORCE, WARN)
    return _Facts(
        _password_requirement(reading, qmgr.name, client=client), claim, account, in_force
    )


def _password_requirement(reading: Queries, name: str, *, client: bool) -> PasswordRequirement:
    default = _QMGR.attributes["CONNAUTH"].default
    stored = objects.attribute(reading, name, _QMGR.namespace, name, "CONNAUTH")
    named = str(default if stored is None else stored)
    if not named:
        return _UNCHECKED
    definition = objects.by_name(reading, name, _AUTHINFO.namespace, named)
    attributes = {} if definition is None else definition.attributes
    kind = (
        str(attributes.get("AUTHTYPE", ""))
        if definition is not None
        else (_PASSWORDS if named == default else "")
    )
    if kind == _CHECKED_ELSEWHERE:
        return _UNCHECKED
    if kind != _PASSWORDS:
        return _UNUSABLE
    check, adopts = (
        str(attributes.get(keyword, _AUTHINFO.attributes[keyword].default))
        for keyword in ("CHCKCLNT" if client else "CHCKLOCL", "ADOPTCTX")
    )
    return PasswordRequirement(check, adopts == "YES")


def _refuse(
    qmgr: QueueManagerState,
    application: str,
    user: str,
    record: Record | None = None,
) -> None:
    """Record that a connection was refused, and put the event message if AUTHOREV is enabled.

    `record` is the channel authentication record that asked for the password, None for CONNAUTH.
    """
    with _refusing(qmgr, application, user) as (tx, call):
        detail = (
            None
            if record is None
            else {"record": f"CHLAUTH({record['CHLAUTH']}) TYPE({record['TYPE']})"}
        )
        record_event(
            tx,
            call,
            "REFUSE",
            cause="password",
            reason=int(MQRC.NOT_AUTHORIZED),
            detail=detail,
        )
        if queue_events.switch(tx, qmgr.name, "AUTHOREV") == "ENABLED":
            qualifier = int(MQRQ.CSP_NOT_AUTHORIZED)
            about: dict[str, int | str] = {"ReasonQualifier": qualifier, "UserIdentifier": user}
            refusals.put_event(tx, call, {**call_facts(qmgr.name, application), **about})
