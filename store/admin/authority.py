"""Whether the user of a command may give it; what users may do, for `mqsc auth`, from the
function that checks.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS, QUEUES
from mqsc.store.engine import authorization, definitions, inbound, name_resolution, refusals
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.error import NotAuthorizedError
from mqsc.store.rules import authority_profiles, authorization as rules
from mqsc.store.rules.channel_auth import ChannelVerdict, ConnectingClient
from mqsc.store.sql import connections, history, managers, objects
from mqsc.store.sqlite.files import mode_of, owner_of
from mqsc.store.sqlite.queries import Queries


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
    wanted: tuple[rules.Wanted, ...],
    command: int,
) -> None:
    """NotAuthorizedError unless the user of the command may do this; `command` is its MQCMD."""
    attempt = rules.Attempt(what, name, user_of(qmgr) or "", wanted, command)
    try:
        with qmgr.transaction() as (tx, call):
            authorization.check(tx, qmgr.store, call, attempt)
    except NotAuthorizedError as error:
        with qmgr.transaction() as (tx, call):
            refusals.record(tx, qmgr.store, call, error.refusal)
        raise


def hidden(qmgr: QueueManagerState, wanted: Iterable[rules.Wanted]) -> set[rules.Wanted]:
    """What the user of the command may not see, if authorities are enforced."""
    user = user_of(qmgr) or ""
    with qmgr.reading() as (reading, call):
        if authorization.known(reading, qmgr.store, call.qmgr).mode != rules.ENFORCE:
            return set()
        return {*authorization.lacking(reading, qmgr.store, call.qmgr, (user, user), list(wanted))}


def _kinds(type: str) -> list[str]:
    return (
        [each.keyword for each in QUEUES]
        if type == "QUEUE"
        else ["CHANNEL" if type == "CLNTCONN" else type]
    )


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


# The status of authorities.


class Status(NamedTuple):
    """The mode of a queue manager, what it comes to (blank: nothing is asked), and who may do
    everything.

    `last_refusal` is in microseconds UTC, None for none; `file_mode` are the permissions of the
    store's file.
    """

    qmgr: str
    mode: str
    acts: str
    administrators: tuple[str, ...]
    users: int
    groups: int
    records: int
    os_groups: bool
    last_refusal: int | None
    file: str
    owner: str
    file_mode: int


def status(qmgr: QueueManagerState) -> Status:
    """The status of authorities of a queue manager, which need not run."""
    store = qmgr.store
    with qmgr.reading(running=False) as (reading, call):
        accounts, members = connections.users(reading), connections.groups(reading)
        named = {each.name for each in accounts if each.administrator}
        named |= {
            each.user for each in members if each.name == rules.ADMINISTRATOR_GROUP
        } | store.owners
        last = next(iter(history.refusals(reading, qmgr.name, 0, 1)), None)
        records = objects.count(reading, qmgr.name, authorization.AUTHREC.namespace)
        return Status(
            qmgr.name,
            call.qmgr.authority_mode or rules.AUTO,
            authorization.known(reading, store, call.qmgr).mode,
            tuple(sorted(named)),
            len(accounts),
            len({each.name for each in members}),
            records,
            bool(call.qmgr.os_groups),
            last and last.at,
            store.path or "(memory)",
            owner_of(store.path)[1],
            mode_of(store.path),
        )


# Explanations: who is asked for what, which records count, and what would grant it.


class Cure(NamedTuple):
    """A record to change so that an authority is granted."""

    profile: str
    type: str
    entity: tuple[str, str]
    words: tuple[str, ...]


def granting(missing: Iterable[tuple[str, rules.Wanted]]) -> list[Cure]:
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
    wanted: tuple[rules.Wanted, ...]
    missing: tuple[rules.Wanted, ...]
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
) -> tuple[int, tuple[rules.Wanted, ...]]:
    """(0, what MQOPEN with these MQOO options asks for), or the MQRC of a name that does not
    resolve and nothing.
    """
    name, queue_manager = named
    if object_type != "QUEUE":
        return 0, rules.authorities_to_open(
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
    wanted: Sequence[rules.Wanted],
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
        if (
            any(
                each.name == authority_profiles.SELF and each.word in ("SETALL", "SETID")
                for each in missing
            )
            and len(wanted) > 1
        ):
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


def _cure(
    wanted: rules.Wanted,
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
    wanted: rules.Wanted,
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


class RecordedRefusal(NamedTuple):
    """A refusal in the history, with its detail, and how many equal ones there were, itself
    included.
    """

    event: history.RefusalRow
    detail: dict[str, Any]
    times: int = 1

    @property
    def wanted(self) -> tuple[rules.Wanted, ...]:
        """What was asked for."""
        return tuple(map(rules.Wanted.of_history_text, self.detail.get("asked", ())))

    @property
    def missing(self) -> tuple[rules.Wanted, ...]:
        """What of that was not granted."""
        return tuple(map(rules.Wanted.of_history_text, self.detail.get("missing", ())))


def refused(
    qmgr: QueueManagerState,
    since: int = 0,
    user: str | None = None,
    number: int | None = None,
) -> list[RecordedRefusal]:
    """The refusals since a time (microseconds UTC), equal ones as one, the last first; or that
    with an event number.
    """
    with qmgr.reading(running=False) as (reading, _):
        rows = history.refusals(reading, qmgr.name, since, 100_000)
    refusals: dict[tuple[Any, ...], RecordedRefusal] = {}
    for row in rows:
        detail = json.loads(row.detail or "{}")
        times = int(detail.pop("repeated", 1))
        if user not in (None, row.user) or number not in (None, row.seq):
            continue
        key = row.cause, row.user, row.application, row.queue, json.dumps(detail, sort_keys=True)
        known = refusals.get(key)
        refusals[key] = (
            RecordedRefusal(row, detail, times)
            if known is None
            else known._replace(times=known.times + times)
        )
    return list(refusals.values())
