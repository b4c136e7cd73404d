"""Whether the user of a command may give it, and see what it names."""

from __future__ import annotations

from collections.abc import Iterable

from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS, QUEUES
from mqsc.store.engine import authorization, definitions, refusals
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import NotAuthorizedError
from mqsc.store.rules import authorization as rules, refused_attempt, wanted_authorities
from mqsc.store.sql import managers, objects


def user_of(qmgr: QueueManagerState) -> str | None:
    """The user whose authorities a command needs; None for the owner of the store, who is never
    asked.
    """
    if qmgr.is_owners:
        return None
    store = qmgr.store
    if qmgr.issuer is not None:
        return qmgr.issuer.user
    return store.acting_user or store.environment.user


def check(
    qmgr: QueueManagerState,
    what: str,
    name: str,
    wanted: tuple[wanted_authorities.Wanted, ...],
    command: int,
) -> None:
    """NotAuthorizedError unless the user of the command may do this; `command` is its MQCMD."""
    attempt = refused_attempt.Attempt(what, name, user_of(qmgr) or "", wanted, command)
    try:
        with qmgr.transaction() as (tx, call):
            authorization.check(tx, qmgr.store, call, attempt)
    except NotAuthorizedError as error:
        with qmgr.transaction() as (tx, call):
            refusals.record(tx, qmgr.store, call, error.refusal)
        raise


def hidden(
    qmgr: QueueManagerState, wanted: Iterable[wanted_authorities.Wanted]
) -> set[wanted_authorities.Wanted]:
    """What the user of the command may not see, if authorities are enforced."""
    user = user_of(qmgr) or ""
    with qmgr.reading() as (reading, call):
        if authorization.known(reading, qmgr.store, call.qmgr).mode != rules.ENFORCE:
            return set()
        return {*authorization.lacking(reading, qmgr.store, call.qmgr, (user, user), list(wanted))}


def sees_everything(qmgr: QueueManagerState) -> bool:
    """Whether the user of the command is an administrator, or authorities are not enforced."""
    with qmgr.reading() as (reading, call):
        if authorization.known(reading, qmgr.store, call.qmgr).mode != rules.ENFORCE:
            return True
        identity = authorization.identity_of(reading, qmgr.store, call.qmgr, user_of(qmgr) or "")
        return identity.is_administrator


def _kinds(type: str) -> list[str]:
    if type == "QUEUE":
        return [kind.keyword for kind in QUEUES]
    if type == "CLNTCONN":
        return ["CHANNEL"]
    return [type]


def exists(qmgr: QueueManagerState, type: str, name: str) -> bool:
    """Whether the queue manager, or its queue-sharing group, has an object of that type in
    authority records.
    """
    with qmgr.reading() as (reading, call):
        spaces = {space for kind in _kinds(type) for space in definitions.namespaces(KINDS[kind])}
        owners = filter(None, (qmgr.name, call.qmgr.sharing_group))
        return any(
            objects.by_name(reading, owner, space, name) for owner in owners for space in spaces
        )


def names_of(qmgr: QueueManagerState, type: str, pattern: str) -> list[str]:
    """The names of the objects that a generic name means."""
    kinds = [KINDS[kind] for kind in _kinds(type)]
    return [str(next(iter(row.values()))) for row in inquire(qmgr, kinds, pattern)]


def grant_creator(qmgr: QueueManagerState, type: str, name: str) -> None:
    """Give the user of a command, unless an administrator, all authorities for the object that
    it has created.
    """
    user = user_of(qmgr) or ""
    with qmgr.transaction() as (tx, call):
        authorization.grant_all(tx, qmgr.store, call, user, type, name)
        managers.raise_versions(tx)
