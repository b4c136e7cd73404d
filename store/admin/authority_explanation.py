"""Explanations of authorities: who is asked for what, which records count, and what would grant it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mqsc.store.engine import authorization, inbound, name_resolution
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules import authority_profiles, authorization as rules, wanted_authorities
from mqsc.store.rules.channel_auth import ChannelVerdict, ConnectingClient
from mqsc.store.sql import objects
from mqsc.store.sqlite.queries import Queries


class Cure(NamedTuple):
    """A record to change so that an authority is granted."""

    profile: str
    type: str
    entity: tuple[str, str]
    words: tuple[str, ...]


def granting(missing: Iterable[tuple[str, wanted_authorities.Wanted]]) -> list[Cure]:
    """The records that grant each user exactly what it lacks."""
    words: dict[tuple[str, str, str], set[str]] = {}
    for user, each in missing:
        words.setdefault((user, each.type, each.name), set()).add(each.word)
    return [
        Cure(name, type, (rules.PRINCIPAL, user), tuple(sorted(found)))
        for (user, type, name), found in sorted(words.items())
    ]


class Judged(NamedTuple):
    """What a user may do of what is wanted.

    `mode` is that in force, blank for none. `counting` are the records that count for what is
    wanted, `notes` sentences about records that do not help, and `cures` what would grant what is
    missing.
    """

    who: rules.Identity
    mode: str
    wanted: tuple[wanted_authorities.Wanted, ...]
    missing: tuple[wanted_authorities.Wanted, ...]
    counting: tuple[rules.Grant, ...]
    notes: tuple[str, ...]
    cures: tuple[Cure, ...]

    @property
    def allowed(self) -> bool:
        """Whether everything that is wanted is granted."""
        return not self.missing


def authorities_to_open_by_name(
    qmgr: QueueManagerState,
    named: tuple[str, str],
    options: int,
    object_type: str = "QUEUE",
) -> tuple[int, tuple[wanted_authorities.Wanted, ...]]:
    """(0, what MQOPEN with these MQOO options asks for), or the MQRC of a name that does not
    resolve and nothing.
    """
    name, queue_manager = named
    if object_type != "QUEUE":
        return 0, wanted_authorities.authorities_to_open(
            object_type,
            authority_profiles.SELF if object_type == "QMGR" else name,
            options,
        )
    with qmgr.reading() as (reading, call):
        queue = name_resolution.named(reading, call.qmgr, name) if not queue_manager else None
        if (
            queue is not None
            and not isinstance(queue, name_resolution.Unresolved)
            and queue.type == "QMODEL"
        ):
            return 0, authorization.authorities_to_open_model(queue, options)
        destination = name_resolution.resolve(reading, call.qmgr, name, queue_manager)
        if isinstance(destination, name_resolution.Unresolved):
            return int(destination.reason), ()
        return 0, authorization.authorities_to_open_queue(
            reading, call.qmgr, named, options, destination
        )


def judge(
    qmgr: QueueManagerState,
    user: str,
    wanted: Sequence[wanted_authorities.Wanted],
    alternate: str | None = None,
) -> Judged:
    """Whether a user may do what is wanted, and what would let it; nothing changes."""
    store = qmgr.store
    with qmgr.reading() as (reading, call):
        about = reading, store, call.qmgr
        who = authorization.identity_of(*about, user)
        other = who if alternate is None else authorization.identity_of(*about, alternate)
        missing = authorization.lacking(
            *about,
            (user, user if alternate is None else alternate),
            wanted,
        )
        grants = {
            (each.type, each.name): authorization.grants_about(*about, each.type, each.name)
            for each in wanted
        }
        counting: list[rules.Grant] = []
        notes: list[str] = []
        cures: dict[tuple[str, str, tuple[str, str]], list[str]] = {}
        on_queue_manager = authorization.grants_about(*about, "QMGR", authority_profiles.SELF)
        for needed in wanted:
            identity = other if needed.of_alternate else who
            counts = rules.counting(grants[needed.type, needed.name], identity, needed.name)
            counting += [grant for grant in counts if grant not in counting]
            if needed not in missing:
                continue
            notes += _near_misses(reading, qmgr.name, needed, identity, counts)
            cure = _cure(needed, identity, counts, on_queue_manager)
            cures.setdefault(cure, []).append(needed.word)
        if len(wanted) > 1 and any(_sets_context(needed) for needed in missing):
            notes.append("setting context is asked twice: on the queue and on the queue manager.")
        mode = authorization.known(*about).mode
    proposed = tuple(Cure(*key, tuple(words)) for key, words in cures.items())
    return Judged(
        who,
        mode,
        tuple(wanted),
        missing,
        tuple(counting),
        tuple(dict.fromkeys(notes)),
        proposed,
    )


def _sets_context(needed: wanted_authorities.Wanted) -> bool:
    """Whether it is an authority on the queue manager to set the context of messages."""
    return needed.name == authority_profiles.SELF and needed.word in ("SETALL", "SETID")


def _cure(
    wanted: wanted_authorities.Wanted,
    identity: rules.Identity,
    counts: Sequence[rules.Grant],
    on_queue_manager: Sequence[rules.Grant],
) -> tuple[str, str, tuple[str, str]]:
    """The record to change: that of a group of the user that has one here or for the queue
    manager, else its own.
    """
    entities = {each.entity for each in (*counts, *on_queue_manager)}
    own_groups = [
        group
        for group in identity.groups
        if group not in (rules.EVERYBODY, rules.ADMINISTRATOR_GROUP)
    ]
    group = next((group for group in own_groups if (rules.GROUP, group) in entities), None)
    own = next((each for each in counts if each.entity == (rules.PRINCIPAL, identity.user)), None)
    entity = (
        (rules.PRINCIPAL, identity.user)
        if own is not None or group is None
        else (rules.GROUP, group)
    )
    profile = next((each.profile for each in counts if each.entity == entity), wanted.name)
    return profile, wanted.type, entity


def _near_misses(
    reading: Queries,
    qmgr: str,
    wanted: wanted_authorities.Wanted,
    identity: rules.Identity,
    counts: Sequence[rules.Grant],
) -> list[str]:
    """Sentences about records with what is missing that do not count for it."""
    sentences = []
    for grant in authorization.every_grant(reading, qmgr):
        if wanted.word not in grant.words:
            continue
        kind, entity = grant.entity
        said = f"{kind}({entity}) PROFILE({grant.profile}) has {wanted.word.lower()}"
        covers = authority_profiles.profile_fits(grant.profile, wanted.name)
        if grant.entity in identity.entities and grant.type == wanted.type:
            if covers and grant not in counts:
                sentences.append(
                    f"{said}, but is hidden: of one entity only the most specific record counts.",
                )
            elif not covers and authority_profiles.profile_fits(
                _widened(grant.profile), wanted.name
            ):
                sentences.append(f"{said}, but `*` covers one qualifier; `**` covers several.")
        elif grant.entity in identity.entities and covers:
            sentences.append(
                f"{said} for objects of type {grant.type.lower()}, which is not asked here.",
            )
        elif covers and grant.type == wanted.type and _alike(entity, identity):
            sentences.append(
                f"{said}. Names are case-sensitive, and MQSC folds what is not quoted to upper "
                "case.",
            )
    row = objects.by_name(reading, qmgr, "queue", wanted.name) if wanted.type == "QUEUE" else None
    target = "" if row is None or row.type != "QALIAS" else str(row.attributes.get("TARGET", ""))
    if target:
        sentences.append(
            f"{wanted.name} is an alias: its target {target} is not asked, only the name that is "
            "opened.",
        )
    return sentences


def _widened(profile: str) -> str:
    return ".".join("**" if each == "*" else each for each in profile.split("."))


def _alike(entity: str, identity: rules.Identity) -> bool:
    names = (identity.user, *identity.groups)
    return any(entity != name and entity.casefold() == name.casefold() for name in names)


def judge_client(qmgr: QueueManagerState, client: ConnectingClient) -> ChannelVerdict | None:
    """What the channel authentication records make of a client; None if no SVRCONN has the name,
    or none is asked.
    """
    with qmgr.reading() as (reading, call):
        channel = inbound.definition_of(reading, qmgr.name, client.channel)
        if channel.get("CHLTYPE") != "SVRCONN":
            return None
        known = client._replace(
            channel_user=str(channel.get("MCAUSER", "")),
            is_message_channel=False,
        )
        return inbound.verdict(reading, qmgr.store, call.qmgr, known)
