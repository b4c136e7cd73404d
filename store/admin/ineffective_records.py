"""Authority records without effect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from mqsc.store.admin.command_authority import names_of
from mqsc.store.engine import authorization
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.rules import authority_profiles, authorization as rules
from mqsc.store.rules.authority_profiles import SELF
from mqsc.store.rules.authorization import GROUP, PRINCIPAL, Grant, Identity


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
    for grant, covered in with_covered_names(qmgr, every):
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


def with_covered_names(
    qmgr: QueueManagerState, grants: Iterable[Grant]
) -> Iterator[tuple[Grant, list[str]]]:
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
