"""The user and password that a program gives, checked as CONNAUTH requires (events §3)."""

from __future__ import annotations

from typing import NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.engine import authorization
from mqsc.store.engine.authorization import NOT_IN_FORCE
from mqsc.store.engine.passwords import has_password
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import MQError
from mqsc.store.mqi.connection_refusals import AUTHINFO, QUEUE_MANAGER, refuse_connection
from mqsc.store.rules import connection_authentication
from mqsc.store.rules.authorization import WARN
from mqsc.store.rules.connection_authentication import IdentityClaim, PasswordRequirement, Verdict
from mqsc.store.sql import connections, managers, objects
from mqsc.store.sql.managers import RUNNING
from mqsc.store.sql.rows import UserAccountRow
from mqsc.store.sqlite.queries import Queries

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
        refuse_connection(qmgr, application, user)
        raise MQError(MQRC.NOT_AUTHORIZED, qmgr.name)
    is_verified = verdict is Verdict.VERIFY
    unused = (verdict is Verdict.ADMIT and claimed) or (
        is_verified and not facts.requirement.adopts
    )
    return login if unused else user, is_verified, facts.requirement.adopts


class PasswordAsked(NamedTuple):
    """Why a program of a user must give a password; blank if it need not. `exists`: the store has
    that user. `usable`: CONNAUTH names an object by which a password can be checked.
    """

    by: str
    exists: bool
    usable: bool = True


def password_asked(
    qmgr: QueueManagerState,
    user: str,
    *,
    client: bool,
    by_record: str = "",
) -> PasswordAsked:
    """Whether a program of this user must give a password; `by_record` is what asks for it in the
    channel authentication record that counts for a client, or blank.
    """
    facts = qmgr.store.read(_facts, qmgr, user, None, client=client)
    if facts is None:
        return PasswordAsked("", exists=False)
    by = by_record
    if connection_authentication.verdict(facts.requirement, facts.claim) is Verdict.REFUSE:
        by = f"{'CHCKCLNT' if client else 'CHCKLOCL'}({facts.requirement.check})"
    if not facts.requirement.usable:
        by = "CONNAUTH"
    return PasswordAsked(by, facts.account is not None, facts.requirement.usable)


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
    default = QUEUE_MANAGER.attributes["CONNAUTH"].default
    stored = objects.attribute(reading, name, QUEUE_MANAGER.namespace, name, "CONNAUTH")
    named = str(default if stored is None else stored)
    if not named:
        return _UNCHECKED
    definition = objects.by_name(reading, name, AUTHINFO.namespace, named)
    if definition is not None:
        attributes = definition.attributes
        kind = str(attributes.get("AUTHTYPE", ""))
    else:
        attributes = {}
        kind = _PASSWORDS if named == default else ""
    if kind == _CHECKED_ELSEWHERE:
        return _UNCHECKED
    if kind != _PASSWORDS:
        return _UNUSABLE
    check, adopts = (
        str(attributes.get(keyword, AUTHINFO.attributes[keyword].default))
        for keyword in ("CHCKCLNT" if client else "CHCKLOCL", "ADOPTCTX")
    )
    return PasswordRequirement(check, adopts == "YES")
