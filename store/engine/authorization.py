"""The check of authorities: which records, users and groups of a queue manager count.

What is kept of records and users is valid as long as the version of the queue manager's row stays
the same; every change of them raises it, but for the records of dynamic queues, which are read each
time.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRC
from mqsc.store.engine import name_resolution
from mqsc.store.engine.definitions import object_row, record_name
from mqsc.store.engine.effects import Deliver
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.state import CallContext, StoreState
from mqsc.store.error import NotAuthorizedError
from mqsc.store.rules import authority_profiles, authorization as rules, opening, wanted_authorities
from mqsc.store.rules.authority import expanded
from mqsc.store.rules.authorization import AUTO, ENFORCE, GROUP, PRINCIPAL, WARN, Grant, Identity
from mqsc.store.rules.refused_attempt import Attempt, Refusal
from mqsc.store.rules.wanted_authorities import Wanted
from mqsc.store.sql import connections, history, objects
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sql.rows import ManagerRow, QueueRow
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

AUTHREC = KINDS["AUTHREC"]
NOT_IN_FORCE = ""


class Known(Struct):
    """What is kept at a version of a queue manager's row; `mode` is blank while authorities are
    not in force.
    """

    version: int
    mode: str
    # Generic records by type of object; None before they are needed.
    generic: dict[str, list[Grant]] | None = None
    identities: dict[str, Identity] = field(default_factory=dict)
    # What users may do, by user, type and name. Dynamic queues are left out: their records come and
    # go with them.
    words: dict[tuple[Identity, str, str], frozenset[str]] = field(default_factory=dict)


def known(tx: Queries, store: StoreState, qmgr: ManagerRow) -> Known:
    """The users and generic records of a queue manager as of this transaction."""
    kept: Known | None = store.authority.get(qmgr.name)
    if kept is not None and kept.version == qmgr.version:
        return kept
    mode = qmgr.authority_mode or AUTO
    if mode == AUTO:
        mode = ENFORCE if connections.any_users_or_groups(tx) else NOT_IN_FORCE
    found = Known(qmgr.version, mode)
    # A transaction that others follow in may be rolled back, and its version be given again.
    if store.database.enclosing.connection is None:
        store.authority[qmgr.name] = found
    return found


def grant_of(record: ObjectRow) -> Grant:
    """An authority record."""
    said, profile = record.attributes, record.name.partition("\n")[0]
    entity = str(said["ENTTYPE"]), str(said["ENTITY"])
    return Grant(
        profile,
        str(said["OBJTYPE"]),
        entity,
        frozenset(map(str, said.get("AUTHLIST") or ())),
    )


def every_grant(tx: Queries, qmgr: str) -> list[Grant]:
    """All authority records of a queue manager, by profile."""
    return [*map(grant_of, objects.page(tx, qmgr, AUTHREC.namespace, "", "", "", 1_000_000))]


def grants_about(
    tx: Queries,
    store: StoreState,
    qmgr: ManagerRow,
    type: str,
    name: str,
) -> list[Grant]:
    """The records about an object: those with its full name, and the generic ones of its type."""
    return [*_exact(tx, qmgr, type, name), *_generic(tx, store, qmgr, type)]


def _exact(tx: Queries, qmgr: ManagerRow, type: str, name: str) -> list[Grant]:
    rows = objects.records_of(tx, qmgr.name, AUTHREC.namespace, name)
    return [grant_of(row) for row in rows if row.attributes["OBJTYPE"] == type]


def _generic(tx: Queries, store: StoreState, qmgr: ManagerRow, type: str) -> list[Grant]:
    kept = known(tx, store, qmgr)
    if kept.generic is None:
        kept.generic = {}
        for grant in map(grant_of, objects.generic_profiles(tx, qmgr.name, AUTHREC.namespace)):
            kept.generic.setdefault(grant.type, []).append(grant)
    return kept.generic.get(type, [])


def identity_of(tx: Queries, store: StoreState, qmgr: ManagerRow, user: str) -> Identity:
    """A user with its groups; a name that no user has is in the group `nobody` alone, and a
    blank one in none.
    """
    kept = known(tx, store, qmgr).identities
    identity = kept.get(user)
    if identity is None:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        identity = kept[user] = _identity(tx, store, qmgr, user)
    return identity


_MOST_KEPT = 10_000


def is_known_entity(tx: Queries, kind: str, name: str) -> bool:
    """Whether the store has the user or group, or it is one of those that always exist."""
    if kind == GROUP:
        known_groups = (rules.EVERYBODY, rules.ADMINISTRATOR_GROUP)
        return name in known_groups or any(each.name == name for each in connections.groups(tx))
    return connections.user(tx, name) is not None or bool(connections.groups_of(tx, name))


def _identity(tx: Queries, store: StoreState, qmgr: ManagerRow, user: str) -> Identity:
    if not user:
        return Identity("", ())
    account = connections.user(tx, user)
    groups = {rules.EVERYBODY, *connections.groups_of(tx, user)}
    if qmgr.os_groups:
        groups |= {*store.environment.groups_of(user)}
    is_administrator = (
        rules.ADMINISTRATOR_GROUP in connections.groups_of(tx, user)
        or (account is not None and bool(account.administrator))
        or user in rules.ADMINISTRATORS
        or user in store.owners
    )
    if is_administrator:
        groups.add(rules.ADMINISTRATOR_GROUP)
    return Identity(user, tuple(sorted(groups)), is_administrator)


def held(
    tx: Queries,
    store: StoreState,
    qmgr: ManagerRow,
    identity: Identity,
    type: str,
    name: str,
) -> frozenset[str]:
    """What a user may do with an object, whether or not authorities are in force, read anew."""
    if identity.is_administrator:
        return rules.authority_of((), identity, type, name)
    words = rules.authority_of(grants_about(tx, store, qmgr, type, name), identity, type, name)
    if name == authority_profiles.CLASS and type != "QMGR":
        # CRT on the queue manager is CRT for every type.
        words |= held(tx, store, qmgr, identity, "QMGR", authority_profiles.SELF) & {"CRT"}
    return words


def _held(
    tx: Queries,
    store: StoreState,
    qmgr: ManagerRow,
    identity: Identity,
    type: str,
    name: str,
) -> frozenset[str]:
    """The same, as kept for this version of the queue manager's row."""
    kept = known(tx, store, qmgr).words
    key = identity, type, name
    words = kept.get(key)
    if words is None:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        words = kept[key] = held(tx, store, qmgr, identity, type, name)
    return words


def lacking(
    tx: Queries,
    store: StoreState,
    qmgr: ManagerRow,
    users: tuple[str, str],
    wanted: Sequence[Wanted],
    *,
    is_dynamic: bool = True,
) -> tuple[Wanted, ...]:
    """What is not granted; `users` are the user and the alternate user, who is asked for what is
    `of_alternate`.

    `is_dynamic`: an object may be a dynamic queue, so that nothing that is kept is used.
    """
    read = held if is_dynamic else _held
    words: dict[tuple[str, str, str], frozenset[str]] = {}
    missing = []
    for each in wanted:
        user = users[each.of_alternate]
        key = user, each.type, each.name
        if key not in words:
            identity = identity_of(tx, store, qmgr, user)
            words[key] = read(tx, store, qmgr, identity, each.type, each.name)
        if each.word not in words[key]:
            missing.append(each)
    return tuple(missing)


def authorities_to_open_queue(
    tx: Queries,
    qmgr: ManagerRow,
    named: tuple[str, str],
    options: int,
    destination: Destination,
) -> tuple[Wanted, ...]:
    """What an open of a queue asks for: of the object named, or of the transmission queue to
    another queue manager.

    `named` are ObjectName and ObjectQMgrName (authority §4.1).
    """
    name, queue_manager = named
    if name_resolution.is_local(tx, qmgr, name, queue_manager):
        direct = bool(destination.opened.is_transmission) and destination.opened.type == "QLOCAL"
        return wanted_authorities.authorities_to_open(
            "QUEUE", name, options, is_transmission=direct
        )
    alias = destination.rows[0]
    leads_here = alias.type == "QREMOTE" and alias.name == queue_manager and not alias.remote_name
    if leads_here and (alias.remote_queue_manager or queue_manager) == qmgr.name:
        return wanted_authorities.authorities_to_open("QUEUE", name, options)
    return wanted_authorities.authorities_to_open("QUEUE", destination.queue.name, options)


def authorities_to_open_model(model: QueueRow, options: int) -> tuple[Wanted, ...]:
    """What an open of a model queue asks for."""
    is_transmission = bool(model.is_transmission)
    return wanted_authorities.authorities_to_open(
        "QUEUE",
        model.name,
        options,
        is_transmission=is_transmission,
        is_model=True,
    )


def grant_all(
    tx: Transaction,
    store: StoreState,
    call: CallContext,
    user: str,
    type: str,
    name: str,
) -> None:
    """Give the creator of an object all authorities for it, if authorities are in force and it
    is no administrator.
    """
    qmgr = call.qmgr
    if not known(tx, store, qmgr).mode or identity_of(tx, store, qmgr, user).is_administrator:
        return
    said = {"OBJTYPE": type, "ENTTYPE": PRINCIPAL, "ENTITY": user}
    words = sorted(expanded(type, ["ALL"]) or ())
    if objects.by_name(tx, qmgr.name, AUTHREC.namespace, record_name(AUTHREC, name, said)) is None:
        objects.add(tx, object_row(AUTHREC, qmgr.name, name, {**said, "AUTHLIST": words}, call.now))


def check(tx: Transaction, store: StoreState, call: CallContext, attempt: Attempt) -> None:
    """NotAuthorizedError unless everything that the attempt wants is granted; in mode warn the
    history says so.
    """
    mode = known(tx, store, call.qmgr).mode
    if mode not in (ENFORCE, WARN):
        return
    users = attempt.user, attempt.user if attempt.alternate is None else attempt.alternate
    missing = lacking(tx, store, call.qmgr, users, attempt.wanted, is_dynamic=attempt.is_dynamic)
    if not missing:
        return
    # The user that lacks the first of them.
    refusal = Refusal(attempt, missing, users[missing[0].of_alternate])
    if mode == WARN:
        history.append(tx, event(call, refusal, "would-refuse"))
        return
    raise NotAuthorizedError(
        attempt.object or call.qmgr.name,
        refusal,
        refusal.text if store.is_owner else "",
    )


def report_refused(
    tx: Transaction,
    call: CallContext,
    report: Deliver,
    destination: Destination,
) -> int:
    """2035 if the user whose call causes a report may not put it on the reply queue, else 0
    (authority §4.5).
    """
    if call.report_authority is None:
        return 0
    store, user = call.report_authority
    named = report.queue, report.queue_manager
    wanted = authorities_to_open_queue(tx, call.qmgr, named, _OF_REPORT, destination)
    try:
        check(
            tx,
            store,
            call,
            Attempt("MQPUT1", report.queue, user, wanted, _OF_REPORT, is_dynamic=True),
        )
    except NotAuthorizedError as error:
        history.append(tx, event(call, error.refusal, "authority"))
        return int(MQRC.NOT_AUTHORIZED)
    return 0


_OF_REPORT = opening.OUTPUT | opening.PASS_IDENTITY_CONTEXT


def event(call: CallContext, refusal: Refusal, cause: str) -> dict[str, Any]:
    """The event REFUSE."""
    about = {"queue": refusal.attempt.object or None, "reason": int(MQRC.NOT_AUTHORIZED)}
    row = call.event("REFUSE", cause=cause, **about, detail=refusal.detail)
    return {**row, "user": refusal.user}
