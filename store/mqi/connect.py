"""MQCONN and the check of users."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from store.catalog import KINDS
from store.constants import MQRC, MQRQ
from store.engine import authorization, queue_events, refusals
from store.engine.authorization import NOT_IN_FORCE, Attempt
from store.engine.state import QueueManagerState
from store.engine.units import recover
from store.error import MQError, NotAuthorizedError
from store.rules.authority import SALT_LENGTH, SCRYPT, Asked, IdentityClaim, Verdict, is_right, verdict
from store.rules.authorization import CONNECT, WARN
from store.rules.event_message import call_facts
from store.sql import connections, history, managers, objects
from store.sql.managers import QUIESCING, RUNNING
from store.sql.rows import UserAccountRow
from store.sqlite.database import Queries, Reading, Transaction


def connect(
    qmgr: QueueManagerState, application: str, user: str, password: str | None, *, client: bool
) -> tuple[int, int, str, str | None]:
    """The number of the new connection, the run of the queue manager that it is made to, its user, and the user whose
    authorities its calls need, None for the owner of the store.

    MQError 2035, 2058, 2059, 2161.
    """
    store = qmgr.store
    login = store.environment.user
    user = user or store.acting_user or login
    if not (store.is_administrators or qmgr.is_agent):
        user = authenticated_user(qmgr, application, user, password, client=client)
    is_owner = store.is_owner and user == login and not (client or store.acting_user)
    authority_user = None if is_owner or qmgr.is_agent else user
    with_reserve = store.database.with_reserve
    with_reserve(lambda: recover(store))
    process = with_reserve(store.register_process)
    try:
        number, run = with_reserve(lambda: _add(qmgr, process, application, user, authority_user))
    except NotAuthorizedError as error:
        with Transaction(store.database, durable=True) as tx:
            call = replace(qmgr.call_context(tx), application=application, user=user)
            refusals.record(tx, store, call, error.refusal)
        raise
    return number, run, user, authority_user


def _add(
    qmgr: QueueManagerState, process: int, application: str, user: str, authority_user: str | None
) -> tuple[int, int]:
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        if authority_user is not None:
            attempt = Attempt("MQCONN", "", authority_user, CONNECT)
            authorization.check(tx, qmgr.store, replace(call, application=application, user=user), attempt)
        if call.qmgr.state == QUIESCING:
            raise MQError(MQRC.Q_MGR_QUIESCING, qmgr.name)
        program = {"process": process, "application": application, "user": user}
        row = {"qmgr": qmgr.name, "run": call.qmgr.run, **program, "connected_at": call.now}
        return connections.add(tx, row), call.qmgr.run


# The user and password that a program gives are checked as CONNAUTH requires (events §3).

_QMGR, _AUTHINFO = KINDS["QMGR"], KINDS["AUTHINFO"]
_PASSWORDS = "IDPWOS"
_CHECKED_ELSEWHERE = "IDPWLDAP"
_UNCHECKED = Asked("NONE")
_UNUSABLE = Asked("REQUIRED", usable=False)
_NOBODY = UserAccountRow("", bytes(SALT_LENGTH), b"", *SCRYPT, 0, 0, 0)


class _Facts(NamedTuple):
    asked: Asked
    claim: IdentityClaim
    account: UserAccountRow | None
    in_force: bool


def authenticated_user(
    qmgr: QueueManagerState, application: str, user: str, password: str | None, *, client: bool
) -> str:
    """The user of the connection. MQError 2035 for a password that is missing or wrong, if CONNAUTH asks for one.

    `password` is None for a program that gives none. A queue manager that does not run is left to the caller.
    """
    store, login = qmgr.store, qmgr.store.environment.user
    with Reading(store.database) as reading:
        facts = _facts(reading, qmgr, user, password, client=client)
    if facts is None:
        return user
    found = verdict(facts.asked, facts.claim)
    # Outside any transaction: it takes a while, for an unknown user too.
    account = facts.account or _NOBODY
    cost = account.cost, account.block_size, account.parallel
    # Only the owner of the store may act as another user without that user's password.
    claimed = facts.in_force and not (store.is_owner or client or user == login)
    if (
        found is Verdict.REFUSE
        or (found is Verdict.VERIFY and not is_right(password or "", account.salt, account.hashed, cost))
        or (found is Verdict.ADMIT and claimed and password is None)
    ):
        _refuse(qmgr, application, user)
        raise MQError(MQRC.NOT_AUTHORIZED, qmgr.name)
    unverified = found is Verdict.ADMIT and claimed
    return login if unverified or (found is Verdict.VERIFY and not facts.asked.adopts) else user


def _facts(
    reading: Queries, qmgr: QueueManagerState, user: str, password: str | None, *, client: bool
) -> _Facts | None:
    row = managers.by_name(reading, qmgr.name)
    if row is None or row.state != RUNNING:
        return None
    account = connections.user(reading, user)
    administrator = account is not None and bool(account.administrator)
    claim = IdentityClaim(password is not None, administrator, account is not None or connections.any_users(reading))
    in_force = authorization.known(reading, qmgr.store, row).mode not in (NOT_IN_FORCE, WARN)
    return _Facts(_asked(reading, qmgr.name, client=client), claim, account, in_force)


def _asked(reading: Queries, name: str, *, client: bool) -> Asked:
    default = _QMGR.attributes["CONNAUTH"].default
    stored = objects.attribute(reading, name, _QMGR.namespace, name, "CONNAUTH")
    named = str(default if stored is None else stored)
    if not named:
        return _UNCHECKED
    found = objects.by_name(reading, name, _AUTHINFO.namespace, named)
    attributes = {} if found is None else found.attributes
    kind = str(attributes.get("AUTHTYPE", "")) if found is not None else (_PASSWORDS if named == default else "")
    if kind == _CHECKED_ELSEWHERE:
        return _UNCHECKED
    if kind != _PASSWORDS:
        return _UNUSABLE
    check, adopts = (
        str(attributes.get(keyword, _AUTHINFO.attributes[keyword].default))
        for keyword in ("CHCKCLNT" if client else "CHCKLOCL", "ADOPTCTX")
    )
    return Asked(check, adopts == "YES")


def _refuse(qmgr: QueueManagerState, application: str, user: str) -> None:
    """Record that a connection was refused, and put the event message if AUTHOREV is enabled."""
    with Transaction(qmgr.store.database, durable=True) as tx:
        call = replace(qmgr.call_context(tx), application=application, user=user)
        history.append(tx, call.event("REFUSE", cause="password", reason=int(MQRC.NOT_AUTHORIZED)))
        if queue_events.switch(tx, qmgr.name, "AUTHOREV") == "ENABLED":
            qualifier = int(MQRQ.CSP_NOT_AUTHORIZED)
            about = {"ReasonQualifier": qualifier, "UserIdentifier": user}
            refusals.put_event(tx, call, {**call_facts(qmgr.name, application), **about})
