"""What a user may do with an object: which authority records count."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from mqsc.store.rules import authority
from mqsc.store.rules.authority_profiles import profile_fits, profile_order

AUTO = "auto"
ENFORCE = "enforce"
WARN = "warn"
OFF = "off"
# Administrators whether or not the store has such users; every user is in the one group, every
# administrator in the other.
ADMINISTRATORS = frozenset({"mqm", "root"})
EVERYBODY, ADMINISTRATOR_GROUP = "nobody", "mqm"
PRINCIPAL, GROUP = "PRINCIPAL", "GROUP"


class Grant(NamedTuple):
    """An authority record: what it grants to a user or group (PRINCIPAL or GROUP) on the objects
    of its profile.
    """

    profile: str
    type: str
    entity: tuple[str, str]
    words: frozenset[str]


class Identity(NamedTuple):
    """A user with its groups. Administrators are never asked for authorities."""

    user: str
    groups: tuple[str, ...] = (EVERYBODY,)
    is_administrator: bool = False

    @property
    def entities(self) -> frozenset[tuple[str, str]]:
        """The users and groups whose records count."""
        return _entities(self.user, self.groups)


@lru_cache(maxsize=256)
def _entities(user: str, groups: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    return frozenset({(PRINCIPAL, user), *((GROUP, group) for group in groups)})


def counting(grants: Iterable[Grant], identity: Identity, name: str) -> list[Grant]:
    """The records that count for a user and an object: of each user and group only the most
    specific one.

    `grants` are those of the type of object.
    """
    best: dict[tuple[str, str], Grant] = {}
    for grant in covering(grants, identity, name):
        known = best.get(grant.entity)
        if known is None or profile_order(grant.profile) < profile_order(known.profile):
            best[grant.entity] = grant
    return list(best.values())


def covering(grants: Iterable[Grant], identity: Identity, name: str) -> list[Grant]:
    """The records of a user and its groups that cover an object, whether or not a more specific
    one hides them.
    """
    entities = identity.entities
    return [each for each in grants if each.entity in entities and profile_fits(each.profile, name)]


def authority_of(
    grants: Iterable[Grant],
    identity: Identity,
    type: str,
    name: str,
) -> frozenset[str]:
    """What the user may do with the object: the union of the records that count; everything for
    an administrator.
    """
    if identity.is_administrator:
        return authority.authorities(type)
    return frozenset().union(*(each.words for each in counting(grants, identity, name)))
