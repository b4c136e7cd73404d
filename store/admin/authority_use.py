"""Least authority: what was used in mode warn, and what was never used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqsc.store.admin.authority_explanation import Cure, granting
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.admin.reached_queues import targets_of_names
from mqsc.store.admin.recorded_refusals import refused
from mqsc.store.engine import authorization
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.environment import MICROSECONDS
from mqsc.store.rules import authority_profiles, authorization as rules, wanted_authorities
from mqsc.store.rules.authorization import PRINCIPAL, Grant
from mqsc.store.sql import connections
from mqsc.store.sql.rows import UserGroupRow


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
    for name, leads in targets_of_names(qmgr).items():
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
            [
                each.word
                for each in wanted_authorities.authorities_to_open("QUEUE", event.queue, options)
            ]
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
