"""SET, DELETE and DISPLAY AUTHREC, DISPLAY ENTAUTH: authority records. No authority is enforced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from store.admin.channel_auth import drop_record, keep_record, list_of
from store.admin.inquiring import inquire
from store.catalog import KINDS
from store.constants import MQRCCF
from store.engine.call_context import CallContext
from store.engine.configuration_events import with_command
from store.engine.definitions import record_name
from store.engine.state import QueueManagerState
from store.error import MQError
from store.rules.authority import changed, expanded, profile_fits, profile_specificity
from store.sql import objects
from store.sqlite.database import Transaction

AUTHREC = KINDS["AUTHREC"]
# (profile, type of object) and (PRINCIPAL or GROUP, name).
Authority = tuple[str, str]
Entity = tuple[str, str]
Row = dict[str, Any]


def set_authority(
    qmgr: QueueManagerState,
    authority: Authority,
    entities: Sequence[Entity],
    given: Sequence[str],
    taken: Sequence[str],
) -> None:
    """SET AUTHREC: grant and revoke authorities; users and groups without a record get one.

    MQError 3171 for an authority that the type of object does not have.
    """
    profile, type = authority
    add, remove = expanded(type, given), expanded(type, taken)
    if add is None or remove is None:
        raise MQError(MQRCCF.AUTH_VALUE_ERROR, profile)
    with qmgr.transaction() as (tx, call):
        call = with_command(call)
        for entity in entities:
            said = _said(type, entity)
            existing = objects.by_name(tx, qmgr.name, AUTHREC.namespace, record_name(AUTHREC, profile, said))
            had = list_of(existing.attributes, "AUTHLIST") if existing else []
            keep_record(tx, call, AUTHREC, profile, {**said, "AUTHLIST": changed(had, add, remove)}, existing)


def delete_authority(qmgr: QueueManagerState, authority: Authority, entities: Sequence[Entity]) -> None:
    """DELETE AUTHREC: remove the records of these users and groups; MQError 3170 when one is missing."""
    profile, type = authority
    with qmgr.transaction() as (tx, call):
        call = with_command(call)
        for entity in entities:
            name = record_name(AUTHREC, profile, _said(type, entity))
            existing = objects.by_name(tx, qmgr.name, AUTHREC.namespace, name)
            if existing is None:
                raise MQError(MQRCCF.PROFILE_NAME_ERROR, profile)
            drop_record(tx, call, AUTHREC, profile, existing)


def drop_authorities(tx: Transaction, call: CallContext, type: str, name: str) -> None:
    """Remove the records whose profile is exactly the name of an object that is deleted."""
    start = f"{name}\n"
    for row in objects.page(tx, call.qmgr.name, AUTHREC.namespace, start, f"{name}\v", "", 1_000_000):
        if row.attributes["OBJTYPE"] == type:
            drop_record(tx, call, AUTHREC, name, row, with_object=True)


def authority_records(
    qmgr: QueueManagerState, profile: str, type: str = "ALL", entities: Sequence[Entity] = (), match: str = "PROFILE"
) -> Iterator[Row]:
    """DISPLAY AUTHREC: the records about a profile, or all; of these entities, or of all.

    PROFILE and MEMBERSHIP find every record that covers the name, EXACT the profile as written. Which groups a user
    belongs to is not known here.
    """
    for row in inquire(qmgr, (AUTHREC,), "*"):
        held = str(row["PROFILE"])
        about = not profile or held == profile or (match != "EXACT" and profile_fits(held, profile))
        of = not entities or (row["ENTTYPE"], row["ENTITY"]) in entities
        if about and of and type in ("ALL", row["OBJTYPE"]):
            yield row


def entity_authority(qmgr: QueueManagerState, name: str, type: str, entity: Entity) -> Row:
    """DISPLAY ENTAUTH: the authorities that the most specific record covering an object grants to a user or group."""
    found = [row for row in authority_records(qmgr, name, type, (entity,)) if profile_fits(str(row["PROFILE"]), name)]
    best = max(found, key=lambda row: profile_specificity(str(row["PROFILE"])), default=None)
    enttype, who = entity
    return {"OBJTYPE": type, "ENTITY": who, "ENTTYPE": enttype, "AUTHLIST": best["AUTHLIST"] if best else []}


def _said(type: str, entity: Entity) -> dict[str, Any]:
    enttype, name = entity
    return {"OBJTYPE": type, "ENTTYPE": enttype, "ENTITY": name}
