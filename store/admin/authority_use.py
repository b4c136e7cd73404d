"""What users may do with every object, what they reach, and what of it the history shows that
they need.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mqsc.store.admin.authority import Cure, granting, names_of, refused
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.constants import MQRO
from mqsc.store.engine import authorization, name_resolution
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.environment import MICROSECONDS
from mqsc.store.rules import authority_profiles, authorization as rules, opening
from mqsc.store.rules.authority_profiles import SELF
from mqsc.store.rules.authorization import GROUP, PRINCIPAL, Grant, Identity
from mqsc.store.sql import connections, managers, search
from mqsc.store.sql.rows import UserGroupRow

# The matrix: what every user or group that a record names may do with every object.


class Matrix(NamedTuple):
    """`columns` are (PRINCIPAL or GROUP, name); `rows` are (type, name) with the words of each
    column.
    """

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[tuple[str, str], tuple[frozenset[str], ...]], ...]


def matrix(
    qmgr: QueueManagerState,
    pattern: str = "*",
    *,
    users: Sequence[str] = (),
    by: str = PRINCIPAL,
    type: str = "QUEUE",
) -> Matrix:
    """Effective authorities on the queue manager and the objects of a type; of groups with `by`
    GROUP.
    """
    names = names_of(qmgr, type, pattern)
    with qmgr.reading() as (reading, call):
        about = reading, qmgr.store, call.qmgr
        known = {
            each.entity[1]
            for each in authorization.every_grant(reading, qmgr.name)
            if each.entity[0] == by
        }
        if by == PRINCIPAL:
            known |= {each.user for each in connections.groups(reading)}
            known |= {each.name for each in connections.users(reading)}
        identities = {
            (by, name): authorization.identity_of(*about, name)
            if by == PRINCIPAL
            else Identity("", (name,))
            for name in sorted(users or known)
        }
        shown = {column: each for column, each in identities.items() if not each.is_administrator}
        matrix_rows = [
            (
                (kind, name),
                tuple(authorization.held(*about, each, kind, name) for each in shown.values()),
            )
            for kind, name in [("QMGR", SELF), *((type, name) for name in names)]
        ]
    return Matrix(tuple(shown), tuple(matrix_rows))


# What a user reaches, through aliases and remote queues too.


class Reached(NamedTuple):
    """What a user may do with a queue that it may open, and where that leads; `elsewhere` is a
    queue manager or blank.

    `is_transmission`: what is put there reaches every queue of a partner.
    """

    name: str
    words: frozenset[str]
    queue: str
    elsewhere: str
    is_transmission: bool


_REACHING = frozenset({"BROWSE", "GET", "PUT", "SETALL"})


def reached(qmgr: QueueManagerState, user: str) -> list[Reached]:
    """The queues that a user may get from, browse or put to, by name."""
    reached_queues, leading = [], _leading(qmgr)
    with qmgr.reading() as (reading, call):
        about = reading, qmgr.store, call.qmgr
        identity = authorization.identity_of(*about, user)
        held = {
            name: authorization.held(*about, identity, "QUEUE", name) & _REACHING
            for name in leading
        }
    for name, leads in leading.items():
        if words := held[name]:
            queue, elsewhere = (
                (leads.remote_queue, leads.remote_queue_manager) if leads.is_remote else ("", "")
            )
            direct = bool(leads.queue.is_transmission) and not leads.is_remote
            reached_queues.append(
                Reached(name, words, queue or leads.queue.name, elsewhere, direct)
            )
    return reached_queues


def _leading(qmgr: QueueManagerState) -> dict[str, name_resolution.Destination]:
    """Where the names of queues lead, if they lead anywhere."""
    names = names_of(qmgr, "QUEUE", "*")
    with qmgr.reading() as (reading, call):
        found = {name: name_resolution.resolve(reading, call.qmgr, name, "") for name in names}
    return {
        name: each for name, each in found.items() if isinstance(each, name_resolution.Destination)
    }


# Least authority: what was used in mode warn, and what was never used.


def learnt(qmgr: QueueManagerState, since: int = 0, user: str | None = None) -> list[Cure]:
    """The grants that what users did in mode warn needs, with the names of objects as they were
    used.
    """
    found = [each for each in refused(qmgr, since, user) if each.event.cause == "would-refuse"]
    return granting((each.event.user, missing) for each in found for missing in each.missing)


# How many days `mqsc auth unused` and reports look back.
DAYS = 30
_DAY = 24 * 60 * 60 * MICROSECONDS
# What an open or a put shows that a program used; commands that only look leave nothing in the
# history.
_SHOWN = frozenset({"BROWSE", "GET", "INQ", "PASSALL", "PASSID", "PUT", "SET", "SETALL", "SETID"})


def unused(qmgr: QueueManagerState, days: int = DAYS) -> list[Cure]:
    """The authorities on queues in records that no call of the last days used, as far as the
    history shows.

    The history has the queue that a name led to, so a call through an alias counts for the queue
    and all its aliases.
    """
    names: dict[str, set[str]] = {}
    for name, leads in _leading(qmgr).items():
        names.setdefault(leads.queue.name, set()).add(name)
    used: dict[tuple[str, str], set[str]] = {}
    for user, queue, words in _calls(qmgr, qmgr.now() - days * _DAY):
        for name in names.get(queue, {queue}):
            used.setdefault((user, name), set()).update(words)
    with qmgr.reading(running=False) as (reading, _):
        grants, members = authorization.every_grant(reading, qmgr.name), connections.groups(reading)
    cures = []
    for grant in grants:
        needed = {
            word
            for (user, name), words in used.items()
            if _is_of(grant, user, members) and authority_profiles.profile_fits(grant.profile, name)
            for word in words
        }
        words = sorted((grant.words & _SHOWN) - needed) if grant.type == "QUEUE" else []
        if words:
            cures.append(Cure(grant.profile, grant.type, grant.entity, tuple(words)))
    return cures


def _calls(qmgr: QueueManagerState, since: int) -> Iterator[tuple[str, str, Iterable[str]]]:
    """(user, queue, authorities) of the opens and puts since a time."""
    selection = EventSelection(qmgr=qmgr.name, since=since, kinds=frozenset({"OPEN", "PUT"}))
    for event in events(qmgr.store, selection):
        if event.user is None or event.queue is None:
            continue
        options = int(event.detail.get("options", 0)) if event.kind == "OPEN" else 0
        words = (
            [each.word for each in rules.authorities_to_open("QUEUE", event.queue, options)]
            if options
            else ["PUT"]
        )
        yield event.user, event.queue, words


def _is_of(grant: Grant, user: str, members: Sequence[UserGroupRow]) -> bool:
    """Whether a record is that of a user, or of one of its groups."""
    kind, name = grant.entity
    if kind == PRINCIPAL:
        return name == user
    return name == rules.EVERYBODY or any(
        (each.name, each.user) == (name, user) for each in members
    )


# Replies to the messages on queues, and reports about them.


def unanswerable(qmgr: QueueManagerState) -> list[tuple[str, Cure]]:
    """Messages on queues that name a reply queue to which a user or group that may get them may not
    put.

    A report on delivery is put with the authority of who gets the message, and asks for PASSID too.
    """
    findings: dict[tuple[str, Cure], None] = {}
    with qmgr.reading() as (reading, call):
        about = reading, qmgr.store, call.qmgr
        readers = [
            each for each in authorization.every_grant(reading, qmgr.name) if "GET" in each.words
        ]
        for queue, report, *named in search.reply_queues(reading, qmgr.name):
            options = opening.OUTPUT | (opening.PASS_IDENTITY_CONTEXT if report & MQRO.COD else 0)
            destination = name_resolution.resolve(reading, call.qmgr, *named)
            if isinstance(destination, name_resolution.Destination):
                wanted = authorization.authorities_to_open_queue(
                    reading,
                    call.qmgr,
                    tuple(named),
                    options,
                    destination,
                )
            else:
                wanted = rules.authorities_to_open("QUEUE", named[0], options)
            for kind, name in {
                each.entity
                for each in readers
                if authority_profiles.profile_fits(each.profile, queue)
            }:
                who = (
                    authorization.identity_of(*about, name)
                    if kind == PRINCIPAL
                    else Identity("", (name,))
                )
                held = authorization.held(*about, who, "QUEUE", wanted[0].name)
                words = tuple(each.word for each in wanted if each.word not in held)
                if words and "GET" in authorization.held(*about, who, "QUEUE", queue):
                    what = (
                        "reply to, or get with a report on delivery,"
                        if report & MQRO.COD
                        else "reply to"
                    )
                    findings[
                        f"{what} messages on {queue}",
                        Cure(wanted[0].name, "QUEUE", (kind, name), words),
                    ] = None
    return sorted(findings)


# Records without effect.


def without_effect(qmgr: QueueManagerState) -> list[tuple[Grant, str]]:
    """Records that change nothing, or only for users that are not known, and why: whom they are
    for, what they cover, or what hides them.
    """
    findings = []
    with qmgr.reading() as (reading, _):
        every = authorization.every_grant(reading, qmgr.name)
    alike = defaultdict[tuple[object, str], list[Grant]](list)
    for each in every:
        alike[each.entity, each.type].append(each)
    for grant, covered in _covered(qmgr, every):
        with qmgr.reading() as (reading, _):
            is_known = authorization.is_known_entity(reading, *grant.entity)
        own = alike[grant.entity, grant.type]
        kind, entity = grant.entity
        who = Identity(entity, ()) if kind == PRINCIPAL else Identity("", (entity,))
        if not is_known and kind == PRINCIPAL:
            findings.append(
                (
                    grant,
                    f"counts only for programs that say they are {entity}: there is no such user",
                ),
            )
        elif not is_known:
            findings.append((grant, f"has no effect: nobody is in the group {entity}"))
        elif grant.type != "RQMNAME" and not covered and not grant.profile.startswith("@"):
            findings.append((grant, "has no effect: it covers no object"))
        elif covered and not any(grant in rules.counting(own, who, name) for name in covered):
            hidden = "more specific records of the same user or group hide it in all that it covers"
            findings.append((grant, f"has no effect: {hidden}"))
        elif kind == PRINCIPAL and not grant.words and covered:
            others = [each for each in every if each.entity[0] == GROUP and each.type == grant.type]
            with qmgr.reading() as (reading, call):
                groups = authorization.identity_of(reading, qmgr.store, call.qmgr, entity)._replace(
                    user="",
                )
            if any(rules.counting(others, groups, name) for name in covered):
                findings.append(
                    (grant, "has no effect: NONE takes nothing away that a group of the user has"),
                )
    return findings


def _covered(qmgr: QueueManagerState, grants: Iterable[Grant]) -> Iterator[tuple[Grant, list[str]]]:
    """Records with the names of the objects that they cover."""
    named: dict[str, dict[str, None]] = {"QMGR": {SELF: None}, "RQMNAME": {}}
    for grant in grants:
        if grant.type not in named:
            named[grant.type] = dict.fromkeys(names_of(qmgr, grant.type, "*"))
        # Most profiles cover one object, and there may be thousands of both.
        names = named[grant.type]
        can_be = (
            names
            if authority_profiles.is_generic_profile(grant.profile)
            else names.keys() & {grant.profile}
        )
        yield (
            grant,
            [name for name in can_be if authority_profiles.profile_fits(grant.profile, name)],
        )


# What reports read.


def published(store: StoreState) -> list[tuple[str | int | None, ...]]:
    """The rows of `store.published.AUTHORITY`, of the queue managers that run."""
    names = [each.name for each in store.read(managers.all) if each.state != managers.ENDED]
    return [row for name in names for row in _published(QueueManagerState(store, name))]


def _published(qmgr: QueueManagerState) -> Iterator[tuple[str | int | None, ...]]:
    def published_row(
        kind: str,
        source: Cure | Grant,
        objects: int | None = None,
    ) -> tuple[str | int | None, ...]:
        return (
            qmgr.name,
            kind,
            source.type,
            source.profile,
            *source.entity,
            " ".join(sorted(source.words)),
            objects,
        )

    with qmgr.reading() as (reading, _):
        grants = authorization.every_grant(reading, qmgr.name)
    if not grants:
        return
    for grant, covered in _covered(qmgr, grants):
        yield published_row("record", grant, len(covered))
    for type in sorted({"QUEUE", *(each.type for each in grants)} - {"QMGR", "RQMNAME"}):
        for by in (PRINCIPAL, GROUP):
            effective = matrix(qmgr, by=by, type=type)
            # The queue manager is in each matrix.
            for (kind, name), cells in effective.rows if type == "QUEUE" else effective.rows[1:]:
                for entity, words in zip(effective.columns, cells, strict=True):
                    if words:
                        yield published_row("effective", Grant(name, kind, entity, words))
    for cure in unused(qmgr):
        yield published_row("unused", cure)
