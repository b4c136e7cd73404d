"""SET, DELETE and DISPLAY AUTHREC, DISPLAY ENTAUTH: authority records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.records import drop_record, keep_record, list_of
from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRCCF
from mqsc.store.engine import authorization, configuration_event
from mqsc.store.engine.definitions import record_name
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, refuse_if
from mqsc.store.rules import authority_profiles, authorization as authorities
from mqsc.store.rules.authority import changed, expanded
from mqsc.store.rules.authorization import GROUP, PRINCIPAL, Identity
from mqsc.store.sql import managers, objects
from mqsc.store.sqlite.database import Transaction

AUTHREC = KINDS["AUTHREC"]
# (profile, type of object) and (PRINCIPAL or GROUP, name).
Authority = tuple[str, str]
Entity = tuple[str, str]
Words = frozenset[str]


def set_authority(
    qmgr: QueueManagerState,
    authority: Authority,
    holders: Sequence[Entity],
    granted: Sequence[str],
    taken: Sequence[str],
) -> list[str]:
    """SET AUTHREC: grant and revoke authorities; users and groups without a record get one.

    Sentences about what may not be meant: an object or a user that does not exist, a record that is
    never asked. MQError 3170 for a profile with a misplaced `**`, 3171 as `authority_change` has
    it.
    """
    profile, type = authority
    refuse_if(authority_profiles.profile_fault(profile), MQRCCF.PROFILE_NAME_ERROR, profile)
    add, remove = authority_change(profile, type, granted, taken)
    with qmgr.transaction() as (tx, call):
        call = configuration_event.with_command(call)
        for entity in holders:
            said = _said(type, entity)
            existing = objects.by_name(
                tx,
                qmgr.name,
                AUTHREC.namespace,
                record_name(AUTHREC, profile, said),
            )
            had = list_of(existing.attributes, "AUTHLIST") if existing else []
            keep_record(
                tx,
                call,
                AUTHREC,
                profile,
                {**said, "AUTHLIST": changed(had, add, remove)},
                existing,
            )
        managers.raise_versions(tx)
        return _doubts(tx, qmgr, call, authority, holders)


def authority_change(
    profile: str,
    type: str,
    granted: Sequence[str],
    taken: Sequence[str],
) -> tuple[Words, Words]:
    """The authorities that SET AUTHREC adds and removes.

    MQError 3171 for one that the type of object does not have, and for one in both lists unless one
    list has ALL.
    """
    add, remove = expanded(type, granted), expanded(type, taken)
    if add is None or remove is None or (add & remove and ("ALL" in granted) is ("ALL" in taken)):
        raise MQError(MQRCCF.AUTH_VALUE_ERROR, profile)
    return add, remove


_NAMESPACES = {
    "QUEUE": "queue",
    "TOPIC": "topic",
    "PROCESS": "process",
    "NAMELIST": "namelist",
    "CHANNEL": "channel",
}


def _doubts(
    tx: Transaction,
    qmgr: QueueManagerState,
    call: CallContext,
    authority: Authority,
    entities: Sequence[Entity],
) -> list[str]:
    profile, type = authority
    sentences = []
    space = _NAMESPACES.get(type)
    is_one = (
        space
        and profile != authority_profiles.CLASS
        and not authority_profiles.is_generic_profile(profile)
    )
    if is_one and objects.by_name(tx, qmgr.name, str(space), profile) is None:
        sentences.append(f"No {type.lower()} {profile} exists yet.")
    if type == "RQMNAME":
        sentences.append(
            "RQMNAME records are kept, not asked: messages to another queue manager ask for +put "
            "on the transmission"
            " queue, as on MQ without ClusterQueueAccessControl=RQMName.",
        )
    for kind, name in entities:
        if (
            kind == PRINCIPAL
            and authorization.identity_of(tx, qmgr.store, call.qmgr, name).is_administrator
        ):
            sentences.append(f"{name} is an administrator; this record is never asked.")
        elif not authorization.is_known_entity(tx, kind, name):
            what = "user" if kind == PRINCIPAL else "group"
            sentences.append(
                f"The store has no {what} {name} yet; the record is for one of exactly this name.",
            )
    return sentences


def delete_authority(
    qmgr: QueueManagerState,
    authority: Authority,
    entities: Sequence[Entity],
) -> None:
    """DELETE AUTHREC: remove the records of these users and groups; MQError 3170 when one is
    missing.
    """
    profile, type = authority
    with qmgr.transaction() as (tx, call):
        call = configuration_event.with_command(call)
        for entity in entities:
            name = record_name(AUTHREC, profile, _said(type, entity))
            existing = objects.by_name(tx, qmgr.name, AUTHREC.namespace, name)
            if existing is None:
                raise MQError(MQRCCF.PROFILE_NAME_ERROR, profile)
            drop_record(tx, call, AUTHREC, profile, existing)
        managers.raise_versions(tx)


def drop_authorities(tx: Transaction, call: CallContext, type: str, name: str) -> None:
    """Remove the records whose profile is exactly the name of an object that is deleted."""
    for row in objects.records_of(tx, call.qmgr.name, AUTHREC.namespace, name):
        if row.attributes["OBJTYPE"] == type:
            drop_record(tx, call, AUTHREC, name, row, with_object=True)
            managers.raise_versions(tx)


def authority_records(
    qmgr: QueueManagerState,
    profile: str,
    type: str = "ALL",
    entities: Sequence[Entity] = (),
    match: str = "PROFILE",
) -> Iterator[DisplayedValues]:
    """DISPLAY AUTHREC: the records about a profile, or all; of these entities, or of all.

    PROFILE and MEMBERSHIP find every record that covers the name, EXACT the profile as written.
    MEMBERSHIP also finds the records of the groups of a user.
    """
    if match == "MEMBERSHIP":
        users = [name for kind, name in entities if kind == PRINCIPAL]
        entities = [
            *entities,
            *((GROUP, each) for name in users for each in _identity(qmgr, name).groups),
        ]
    for row in inquire(qmgr, (AUTHREC,), "*"):
        held = str(row["PROFILE"])
        about = (
            not profile
            or held == profile
            or (match != "EXACT" and authority_profiles.profile_fits(held, profile))
        )
        of = not entities or (row["ENTTYPE"], row["ENTITY"]) in entities
        if about and of and type in ("ALL", row["OBJTYPE"]):
            yield row


def _identity(qmgr: QueueManagerState, user: str) -> Identity:
    with qmgr.reading() as (reading, call):
        return authorization.identity_of(reading, qmgr.store, call.qmgr, user)


def entity_authority(
    qmgr: QueueManagerState, name: str, type: str, entity: Entity
) -> DisplayedValues:
    """DISPLAY ENTAUTH: what a user may do with an object, or what a group alone grants."""
    enttype, who = entity
    with qmgr.reading() as (reading, call):
        about = reading, qmgr.store, call.qmgr
        of_group = Identity("", (who,), who == authorities.ADMINISTRATOR_GROUP)
        identity = of_group if enttype == GROUP else authorization.identity_of(*about, who)
        words = authorization.held(*about, identity, type, name)
    return {"OBJTYPE": type, "ENTITY": who, "ENTTYPE": enttype, "AUTHLIST": sorted(words)}


def _said(type: str, entity: Entity) -> dict[str, Any]:
    enttype, name = entity
    return {"OBJTYPE": type, "ENTTYPE": enttype, "ENTITY": name}
